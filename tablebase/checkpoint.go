package tablebase

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/zeebo/xxh3"

	"paika/bitboard"
	"paika/internal/lasting"
	"paika/tablebase/internal/badgerdir"
)

// A checkpoint is a file beside the database: the tables of a group that is being
// solved, as they are in memory. Each group has its own in each metric. It is of no
// account to what is stored: no manifest, no reader and no check of the store looks at
// it. But work goes on from its values, and nobody derives those again before the
// group is stored: verifying the tables does.
//
//	checksum  16 hex digits, and a blank: XXH3 of the header
//	header    checkpointHeader in JSON, and a line feed
//	sections  1 MiB of a table, the last one of each shorter: values of 8 bytes
//	          (wdl) or 2 (dtw), little endian, then 8 bytes of XXH3, seeded with
//	          the header's checksum plus the number of the section
//

// checkpointFile begins the file's name; the metric follows, and 16 hex digits, the XXH3 of the
// names of the slices.
const checkpointFile = "checkpoint-"

// CheckpointFormat is that of the checkpoints that are written and read. It is
// raised by every change after which an older one would be misread.
const CheckpointFormat = 2

// sectionBytes is what is checked at a time.
const sectionBytes = 1 << 20

// maxHeaderBytes bounds the first line of a checkpoint.
const maxHeaderBytes = 1 << 20

// checkpointHeader says what a checkpoint is of. A solver of another version
// may mean something else by an unfinished table, so that the version counts.
type checkpointHeader struct {
	Format  int      `json:"format"`
	Version string   `json:"version"`
	Game    string   `json:"game"`
	Board   string   `json:"board"`
	Rules   string   `json:"rules"`
	Metric  string   `json:"metric"`
	Slices  []string `json:"slices"`
	Indices []uint64 `json:"indices"` // by slice
	Text    []byte   `json:"text"`    // of the solver
}

// sameTables tells whether two checkpoints are of the same tables.
func (h checkpointHeader) sameTables(other checkpointHeader) bool {
	return h.Format == other.Format && h.Version == other.Version &&
		h.Game == other.Game && h.Board == other.Board && h.Rules == other.Rules && h.Metric == other.Metric &&
		slices.Equal(h.Slices, other.Slices) && slices.Equal(h.Indices, other.Indices)
}

// differs says what a checkpoint is of, where it is not of the tables that are wanted.
func (h checkpointHeader) differs(want checkpointHeader) string {
	switch {
	case h.Version != want.Version:
		return fmt.Sprintf("it is of version %s, and this is version %s: go on with that program", bitboard.Shorten(h.Version), want.Version)
	case h.Format != want.Format:
		return fmt.Sprintf("its format is %d, and this program's %d", h.Format, want.Format)
	}
	of := func(h checkpointHeader) string {
		return fmt.Sprintf("%s on %s, rules %s, %s %v of %v", h.Game, h.Board, h.Rules, h.Metric, h.Slices, h.Indices)
	}
	return fmt.Sprintf("it is of %s, want %s", bitboard.Quote(of(h)), of(want))
}

// bytes is the size of all sections.
func (h checkpointHeader) bytes(m bitboard.Metric) (sum uint64) {
	for _, n := range h.Indices {
		size := bitboard.TableBytes(m, n)
		sum += size + (size+sectionBytes-1)/sectionBytes*sealBytes
	}
	return sum
}

// errNoCheckpoint says that a file is no whole checkpoint.
var errNoCheckpoint = errors.New("it can't be gone on from")

// errDamagedHeader says that nobody knows what a file was a checkpoint of, and that its name may tell.
var errDamagedHeader = errors.New("the header of a checkpoint is damaged")

// SaveCheckpoint replaces the checkpoint of these tables by them and a short
// text. It survives a crash when SaveCheckpoint returns nil; where it fails, the
// one before is still there.
//
// It takes room on the disk for both, and about a MiB of memory. Whoever saves one has looked by
// LoadCheckpoint whether it may be replaced. Errors: ErrDiskFull, ErrMoved, ErrReadOnly, ErrClosed.
func (t *Tables) SaveCheckpoint(text []byte, tables []*bitboard.Table) error {
	header, err := t.checkpointHeader(tables)
	if err != nil {
		return err
	}
	header.Text = text
	path := header.path(t.store.dir)
	return t.exclusively(func() error {
		if err := t.store.folder.CheckSpace(header.bytes(t.metric) + maxHeaderBytes); err != nil {
			return err
		}
		err := lasting.WriteRegular(path, func(w io.Writer) error { return writeCheckpoint(w, header, tables) })
		if err != nil {
			return fmt.Errorf("%s: %w", t.store.dir, badgerdir.Named(err))
		}
		return nil
	})
}

// LoadCheckpoint fills the tables, which have their full lengths, and returns
// the text, if their checkpoint is there, whole, and of this version of the program.
// If not, it returns nil and leaves the tables zero, and where there is a damaged one says why it
// refuses it. That may be replaced; one of another version, or a link, may not: a *CheckpointError that
// wraps ErrOtherCheckpoint. Errors besides: those of ctx, of opening and reading the file, ErrReadOnly,
// ErrClosed.
func (t *Tables) LoadCheckpoint(ctx context.Context, tables []*bitboard.Table) (text []byte, refused, err error) {
	want, err := t.checkpointHeader(tables)
	if err != nil {
		return nil, nil, err
	}
	path := want.path(t.store.dir)
	err = t.exclusively(func() error {
		text, err = readCheckpoint(ctx, path, want, tables)
		return err
	})
	if err != nil {
		for _, table := range tables {
			clear(table.WDL)
			clear(table.DTW)
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, nil
	case errors.Is(err, errNoCheckpoint):
		return nil, fmt.Errorf("%s: %w", path, err), nil
	case errors.Is(err, ErrOtherCheckpoint):
		return nil, nil, &CheckpointError{path, err}
	}
	return text, nil, err
}

// RefuseCheckpoint is a *CheckpointError of a build that does not go on from the checkpoint of
// these tables, though it is whole, and does not replace it.
func (t *Tables) RefuseCheckpoint(tables []*bitboard.Table, why error) error {
	header, err := t.checkpointHeader(tables)
	if err != nil {
		return err
	}
	return &CheckpointError{header.path(t.store.dir), why}
}

// SetCheckpointAside gives the checkpoint of these tables a name that none has yet, and tells it.
// There it stays as long as work may go on from it, and no build looks at it. Errors: those of
// renaming, ErrReadOnly, ErrClosed.
func (t *Tables) SetCheckpointAside(tables []*bitboard.Table) (aside string, err error) {
	header, err := t.checkpointHeader(tables)
	if err != nil {
		return "", err
	}
	path := header.path(t.store.dir)
	err = t.exclusively(func() error {
		if aside, err = freeName(path + keptSuffix); err != nil {
			return err
		}
		return errors.Join(os.Rename(path, aside), lasting.SyncFolder(t.store.dir))
	})
	return aside, err
}

// DropCheckpoint removes the checkpoint of these tables, if there is one.
func (t *Tables) DropCheckpoint(tables []*bitboard.Table) error {
	header, err := t.checkpointHeader(tables)
	if err != nil {
		return err
	}
	path := header.path(t.store.dir)
	return t.exclusively(func() error {
		if err := lasting.Remove(path); err != nil {
			return err
		}
		return lasting.SyncFolder(t.store.dir)
	})
}

// exclusively calls f while nothing else writes and the store cannot be closed, where its folder is
// in its place.
func (t *Tables) exclusively(f func() error) error {
	if t.store.opts.ReadOnly {
		return ErrReadOnly
	}
	t.store.saving.Lock()
	defer t.store.saving.Unlock()
	if !t.store.folder.InUse() {
		return ErrClosed
	}
	if err := t.store.folder.CheckPlace(); err != nil {
		return err
	}
	return f()
}

// path is that of the checkpoint in the folder of a store.
func (h checkpointHeader) path(dir string) string {
	group := xxh3.HashString(strings.Join(h.Slices, "\n"))
	return filepath.Join(dir, fmt.Sprintf("%s%s-%016x", checkpointFile, h.Metric, group))
}

// checkpointPaths are those of all checkpoints in the folder of a store, and of those that were
// begun alone.
func checkpointPaths(dir string) (paths []string, err error) {
	entries, err := os.ReadDir(dir)
	for _, entry := range entries {
		name := strings.TrimSuffix(entry.Name(), lasting.PartSuffix)
		if path := filepath.Join(dir, name); isCheckpoint(name) && !entry.IsDir() && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths, err
}

// keptSuffix is behind the name of a checkpoint that was set aside, and then perhaps a number.
const keptSuffix = ".aside"

// checkpointNames are those of checkpoints, of the ones that were set aside, and of those that
// earlier programs left, which had one a metric.
var checkpointNames = regexp.MustCompile("^" + checkpointFile + "(wdl|dtw)(-[0-9a-f]{16}(" + regexp.QuoteMeta(keptSuffix) + "(-[0-9]+)?)?)?$")

// groupNames are those names of checkpoints that tell one group from another.
var groupNames = regexp.MustCompile("^" + checkpointFile + "(wdl|dtw)-")

// isCheckpoint tells whether a file in the folder of a store is a checkpoint by its name.
func isCheckpoint(name string) bool { return checkpointNames.MatchString(name) }

// checkpointHeader describes tables, without a text.
func (t *Tables) checkpointHeader(tables []*bitboard.Table) (checkpointHeader, error) {
	h := checkpointHeader{
		Format: CheckpointFormat, Version: t.store.opts.Version,
		Game: t.store.id.Game, Board: t.store.id.Board, Rules: t.store.id.Rules, Metric: t.metric.String(),
	}
	for _, table := range tables {
		name := t.space.SliceName(table.Slice)
		if err := t.checkTable(table); err != nil {
			return h, &SliceError{t.metric, name, err}
		}
		h.Slices = append(h.Slices, name)
		h.Indices = append(h.Indices, t.space.Indices(table.Slice))
	}
	return h, nil
}

func writeCheckpoint(w io.Writer, h checkpointHeader, tables []*bitboard.Table) error {
	line, err := json.Marshal(h)
	if err != nil {
		return err
	}
	if len(line) > maxHeaderBytes {
		return fmt.Errorf("a checkpoint's header of %d bytes: want at most %d", len(line), maxHeaderBytes)
	}
	sum := xxh3.Hash(line)
	_, err = fmt.Fprintf(w, "%016x %s\n", sum, line)
	buffer, number := make([]byte, 0, sectionBytes+sealBytes), sum
	for _, table := range tables {
		for at := 0; err == nil && at < words(table); number++ {
			buffer, at = appendSection(buffer[:0], table, at)
			_, err = w.Write(sealSection(buffer, number))
		}
	}
	return err
}

// openCheckpoint opens a file to be read, and waits for no pipe. What a link leads to is not the store's to
// replace: somebody else has to put it in its place.
func openCheckpoint(path string) (*os.File, error) {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, fmt.Errorf("%w: it is a link: put the file that it leads to in its place", ErrOtherCheckpoint)
	}
	if err := badgerdir.CheckFile(path); err != nil {
		return nil, err
	}
	return os.Open(path)
}

// readCheckpoint fills tables. Its error wraps errNoCheckpoint where the file is
// no whole checkpoint, ErrOtherCheckpoint where it is not of what is wanted, and fs.ErrNotExist
// where there is none; it is that of ctx where that ends.
func readCheckpoint(ctx context.Context, path string, want checkpointHeader, tables []*bitboard.Table) ([]byte, error) {
	f, err := openCheckpoint(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, sectionBytes)
	h, number, err := readHeader(r)
	if err != nil {
		return nil, err
	}
	if !h.sameTables(want) {
		return nil, fmt.Errorf("%w: %s", ErrOtherCheckpoint, h.differs(want))
	}
	buffer := make([]byte, sectionBytes+sealBytes)
	for _, table := range tables {
		for at := 0; at < words(table); number++ {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if at, err = readSection(r, buffer, number, table, at); err != nil {
				return nil, err
			}
		}
	}
	switch _, err := r.ReadByte(); {
	case errors.Is(err, io.EOF):
		return h.Text, nil
	case err != nil:
		return nil, unread(err)
	}
	return nil, fmt.Errorf("%w: it goes on after its end", errNoCheckpoint)
}

// unread is why a checkpoint can't be read on. One that ends too early, or has a line
// without an end, is none. Where reading fails nobody knows, and it is not given up.
func unread(err error) error {
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: it was cut short", errNoCheckpoint)
	case errors.Is(err, bufio.ErrBufferFull):
		return fmt.Errorf("%w: its header has no end", errNoCheckpoint)
	}
	return err
}

// readHeader reads the first line, and its checksum.
func readHeader(r *bufio.Reader) (h checkpointHeader, sum uint64, err error) {
	line, err := r.ReadSlice('\n')
	if err != nil {
		return h, 0, unread(err)
	}
	text, line, _ := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte(" "))
	sum = xxh3.Hash(line)
	if string(text) != fmt.Sprintf("%016x", sum) {
		return h, 0, fmt.Errorf("%w: its header was changed", errNoCheckpoint)
	}
	if err := json.Unmarshal(line, &h); err != nil {
		return h, 0, fmt.Errorf("%w: %w", errNoCheckpoint, err)
	}
	return h, sum, nil
}

// tidyCheckpoints removes checkpoints of slices that are all stored by now, those of earlier
// programs, and those that nobody looks for. One that is damaged stays, and so does a link: whoever
// builds its slices is told of it by LoadCheckpoint. The caller has just opened the store to write.
func (s *Store) tidyCheckpoints() error {
	paths, err := checkpointPaths(s.dir)
	if err != nil {
		return err
	}
	for _, path := range paths {
		if s.checkpointNeeded(path) {
			continue
		}
		if err := lasting.Remove(path); err != nil {
			return err
		}
	}
	return nil
}

// checkpointNeeded tells whether work may go on from a checkpoint.
func (s *Store) checkpointNeeded(path string) bool {
	c, err := describeCheckpoint(path)
	switch {
	case errors.Is(err, errDamagedHeader), errors.Is(err, ErrOtherCheckpoint):
		return groupNames.MatchString(filepath.Base(path))
	case err != nil:
		return !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errNoCheckpoint)
	}
	return slices.ContainsFunc(c.Slices, func(name string) bool {
		_, stored := s.manifests[c.Metric].find(name)
		return !stored
	})
}

// Checkpoint describes a checkpoint that lies in a folder.
type Checkpoint struct {
	Metric bitboard.Metric
	Slices []string // of its group
	Saved  time.Time
}

// describeCheckpoint reads what a checkpoint is of, also one that was set aside. A link is an
// ErrOtherCheckpoint; what has the name of another one is none: nobody looks for it.
func describeCheckpoint(path string) (c Checkpoint, err error) {
	info, err := os.Lstat(path)
	if err != nil {
		return c, err
	}
	f, err := openCheckpoint(path)
	if err != nil {
		return c, err
	}
	defer f.Close()
	h, _, err := readHeader(bufio.NewReaderSize(f, sectionBytes))
	switch {
	case errors.Is(err, errNoCheckpoint):
		return c, fmt.Errorf("%w: %w", errDamagedHeader, err)
	case err != nil:
		return c, err
	}
	m, err := bitboard.ParseMetric(h.Metric)
	if err != nil {
		return c, fmt.Errorf("%w: %w", errNoCheckpoint, err)
	}
	if name, _, _ := strings.Cut(filepath.Base(path), keptSuffix); name != filepath.Base(h.path("")) {
		return c, fmt.Errorf("%w: its name is that of another one", errNoCheckpoint)
	}
	return Checkpoint{m, h.Slices, info.ModTime()}, nil
}
