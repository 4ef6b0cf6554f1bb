package construction

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"paika/bitboard"
	"paika/solver/retrograde"
	"paika/tablebase"
	"paika/tablebase/flat"
	"paika/tablebase/verify"
)

func (g *game[P]) Build(ctx context.Context, t Task, load verify.Loader, out io.Writer) (Made, error) {
	group, metric, needs, err := g.find(t)
	if err != nil {
		return Made{}, err
	}
	hash := sha256.New()
	buffered := bufio.NewWriterSize(io.MultiWriter(out, hash), 1<<20)
	s := &storage[P]{game: g, metric: metric, needs: needs, load: load, out: buffered}
	kept, finish := s.keep(group)
	_, err = retrograde.Build(ctx, g.of, []bitboard.Group{group}, kept, g.building(metric, []bitboard.Group{group}))
	finish(err)
	if err == nil {
		err = buffered.Flush()
	}
	if err != nil {
		return Made{}, err
	}
	s.made.Digest = hex.EncodeToString(hash.Sum(nil))
	return s.made, nil
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
