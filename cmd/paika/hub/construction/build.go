package construction

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"

	"paika/bitboard"
	"paika/solver/retrograde"
	"paika/tablebase"
	"paika/tablebase/flat"
	"paika/tablebase/verify"
)

func (g *game[P]) Build(ctx context.Context, t Task, load verify.Loader, out io.Writer) (made Made, err error) {
	group, metric, needs, err := g.find(t)
	if err != nil {
		return Made{}, err
	}
	hash := sha256.New()
	buffered := bufio.NewWriterSize(io.MultiWriter(out, hash), 1<<20)
	s := &storage[P]{game: g, metric: metric, needs: needs, load: load, out: buffered}
	kept, finish := s.keep()
	defer func() { err = errors.Join(err, finish(err == nil)) }()
	options := g.building(metric, []bitboard.Group{group})
	if _, err := retrograde.Build(ctx, g.of, []bitboard.Group{group}, kept, options); err != nil {
		return Made{}, err
	}
	if err := buffered.Flush(); err != nil {
		return Made{}, err
	}
	s.made.Digest = hex.EncodeToString(hash.Sum(nil))
	return s.made, nil
}

// keep adds to a storage a folder for the checkpoint, if there is to be one. Finish closes the
// folder, and removes it where the group is built.
func (s *storage[P]) keep() (with retrograde.Storage, finish func(built bool) error) {
	if s.options.Work == "" {
		return s, func(bool) error { return nil }
	}
	k := &keeping[P]{storage: s}
	return k, k.finish
}

// keeping is a storage with checkpoints, in a folder that is opened once a group is so big that
// it has one. Where that can't be had, the group is built without.
type keeping[P comparable] struct {
	*storage[P]
	store  *tablebase.Store // nil before it is opened, and where it can't be
	failed error            // why it can't be
}

// checkpoints opens the folder, once.
func (k *keeping[P]) checkpoints() (*tablebase.Tables, error) {
	if k.store == nil && k.failed == nil {
		o := tablebase.Options{Version: k.options.Version, Workers: k.options.Workers}
		if k.store, k.failed = tablebase.Open(k.options.Work, k.id, o); k.failed != nil && k.options.Notice != nil {
			k.options.Notice(fmt.Sprintf("a group of slices is built without checkpoints: %v", k.failed))
		}
	}
	if k.failed != nil {
		return nil, k.failed
	}
	return k.store.Tables(k.metric, k.of), nil
}

func (k *keeping[P]) LoadCheckpoint(tables []*bitboard.Table) (text []byte, refused, err error) {
	t, err := k.checkpoints()
	if err != nil {
		return nil, nil, nil
	}
	return t.LoadCheckpoint(tables)
}

func (k *keeping[P]) SaveCheckpoint(text []byte, tables []*bitboard.Table) error {
	t, err := k.checkpoints()
	if err != nil {
		return err
	}
	return t.SaveCheckpoint(text, tables)
}

func (k *keeping[P]) DropCheckpoint(tables []*bitboard.Table) error {
	t, err := k.checkpoints()
	if err != nil {
		return nil
	}
	return t.DropCheckpoint(tables)
}

func (k *keeping[P]) finish(built bool) error {
	if k.store == nil {
		return nil
	}
	if err := k.store.Close(); err != nil || !built {
		return err
	}
	return os.RemoveAll(k.options.Work)
}

// storage has the tables that a group needs, and writes those that are built.
type storage[P comparable] struct {
	*game[P]
	metric bitboard.Metric
	needs  map[bitboard.Slice]verify.Table
	load   verify.Loader
	out    io.Writer
	made   Made
}

func (s *storage[P]) Has(slice bitboard.Slice) bool {
	_, there := s.needs[slice]
	return there
}

// Load loads a table, and compares its fingerprint.
func (s *storage[P]) Load(ctx context.Context, into *bitboard.Table) error {
	t := s.needs[into.Slice]
	if err := s.load(ctx, t, into); err != nil {
		return err
	}
	found, err := s.fingerprint(ctx, into)
	if err == nil && found != t.Stored {
		err = fmt.Errorf("%w: %s in %s has the fingerprint %s, want %s", verify.ErrTable, t.Slice, t.Metric, found, bitboard.Shorten(t.Stored))
	}
	return err
}

func (s *storage[P]) fingerprint(ctx context.Context, t *bitboard.Table) (string, error) {
	return s.id.TableFingerprint(ctx, s.metric, s.of.SliceName(t.Slice), s.of.Indices(t.Slice), t, s.options.Workers)
}

// Save writes the flat file of a slice behind the others.
func (s *storage[P]) Save(ctx context.Context, t *bitboard.Table, sum bitboard.Summary) error {
	found, err := s.fingerprint(ctx, t)
	if err != nil {
		return err
	}
	info := tablebase.SliceInfo{
		Name: s.of.SliceName(t.Slice), Indices: s.of.Indices(t.Slice), Positions: sum.Positions(), Win: sum.Win, Loss: sum.Loss, Draw: sum.Draw,
		Quiet: sum.Inside, LongestWin: sum.LongestWin, LongestLoss: sum.LongestLoss, Fingerprint: found,
	}
	counting := &counter{out: s.out}
	if err := flat.Write(ctx, counting, flat.NewHeader(s.id, s.metric, info), t, s.options.Workers, nil); err != nil {
		return err
	}
	s.made.Parts = append(s.made.Parts, Part{info.Name, counting.bytes, found})
	s.made.Bytes += counting.bytes
	return nil
}

// counter counts what is written.
type counter struct {
	out   io.Writer
	bytes int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.out.Write(p)
	c.bytes += int64(n)
	return n, err
}
