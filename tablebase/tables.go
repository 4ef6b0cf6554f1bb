package tablebase

import (
	"context"
	"errors"
	"fmt"

	"github.com/zeebo/xxh3"

	"paika/bitboard"
)

// Space is what the store needs to know of a game's slices. Every
// bitboard.Space has it.
type Space interface {
	SliceName(s bitboard.Slice) string
	ParseSlice(name string) (bitboard.Slice, error)
	Indices(s bitboard.Slice) uint64
	Positions(s bitboard.Slice) uint64
	Groups() ([]bitboard.Group, error)
}

// Tables is one metric of a store, by a game's slice numbers. It is a
// retrograde.SparseStorage. Methods are safe for concurrent use.
type Tables struct {
	store  *Store
	metric bitboard.Metric
	space  Space
	groups []bitboard.Group // of the build: see ForBuild
}

// Tables gives access to whole slices in a metric. The space must be that of
// the game that the store was opened for.
func (s *Store) Tables(m bitboard.Metric, space Space) *Tables {
	return &Tables{store: s, metric: m, space: space}
}

// Has tells whether a slice is there, whole.
func (t *Tables) Has(s bitboard.Slice) bool {
	_, ok := t.store.Slice(t.metric, t.space.SliceName(s))
	return ok
}

// Load fills the table of a slice that is there: t.WDL or t.DTW, whichever the
// metric wants, at its full length. Where values are left out (LeavesOut), what
// stands there means nothing. Errors: *ChunkError, *SliceError, ErrClosed.
func (t *Tables) Load(ctx context.Context, table *bitboard.Table) error {
	return t.LoadWatched(ctx, table, func(uint64) {})
}

// LoadWatched is Load, and reports how many indices are loaded, one call at a
// time. The checksum of what is loaded is computed on the way, and is that of the
// manifest where it returns nil; where it is not, the error wraps ErrDamaged.
func (t *Tables) LoadWatched(ctx context.Context, table *bitboard.Table, watch func(indices uint64)) error {
	info, err := t.stored(table)
	if err != nil {
		return err
	}
	sum, err := t.store.load(ctx, t.metric, info, t.space, table, watch)
	if err == nil && sum != info.Checksum {
		err = &SliceError{t.metric, info.Name, fmt.Errorf("%w: its checksum is %s, and the manifest has %s", ErrDamaged, sum, info.Checksum)}
	}
	return err
}

// Fingerprint is that of a table that has every value, and draws at gaps. Errors:
// *SliceError, and that of ctx.
func (t *Tables) Fingerprint(ctx context.Context, table *bitboard.Table) (string, error) {
	name, indices := t.space.SliceName(table.Slice), t.space.Indices(table.Slice)
	return t.store.id.TableFingerprint(ctx, t.metric, name, indices, table, t.store.opts.Workers)
}

// CheckFingerprint wants a table that has every value, and draws at gaps, to have the fingerprint
// that the manifest has. Errors: *SliceError, which wraps ErrStoredSo where it has another one, and
// that of ctx.
func (t *Tables) CheckFingerprint(ctx context.Context, table *bitboard.Table) error {
	info, err := t.stored(table)
	if err != nil {
		return err
	}
	found, err := t.Fingerprint(ctx, table)
	if err == nil && found != info.Fingerprint {
		err = &SliceError{t.metric, info.Name, fmt.Errorf("%w: the fingerprint of its values is %s, and the manifest has %s", ErrStoredSo, found, info.Fingerprint)}
	}
	return err
}

// stored finds what the manifest says of a table that is to be filled, or is.
func (t *Tables) stored(table *bitboard.Table) (SliceInfo, error) {
	name := t.space.SliceName(table.Slice)
	info, ok := t.store.Slice(t.metric, name)
	if !ok {
		return info, &SliceError{t.metric, name, ErrNotStored}
	}
	if err := t.checkTable(table); err != nil {
		return info, &SliceError{t.metric, name, err}
	}
	if err := checkIndices(info, t.space.Indices(table.Slice)); err != nil {
		return info, &SliceError{t.metric, name, err}
	}
	return info, nil
}

// checkIndices wants a slice stored with the index space that the game gives
// it.
func checkIndices(info SliceInfo, want uint64) error {
	if info.Indices != want {
		return fmt.Errorf("stored with %s, the game has %d", bitboard.Count(info.Indices, "index"), want)
	}
	return nil
}

// checkTable wants the metric's values at full length.
func (t *Tables) checkTable(table *bitboard.Table) error {
	return table.CheckLength(t.metric, t.space.Indices(table.Slice))
}

// Save stores a solved slice, in place of an older one. When it returns nil the
// slice survives a crash; before that, the slice counts as absent, and an older one as lost
// (Store.Replacing), which the error says. Nothing is replaced where the disk has no room.
//
// The table has every value, those included that are left out of what is stored,
// and at gaps draws: the fingerprint counts all of them.
//
// Errors: ErrDiskFull, ErrMoved, ErrFile, ErrReadOnly, ErrClosed, *SliceError, and that of ctx.
func (t *Tables) Save(ctx context.Context, table *bitboard.Table, sum bitboard.Summary) error {
	name := t.space.SliceName(table.Slice)
	if err := t.save(ctx, name, table, sum, ""); err != nil {
		return &SliceError{t.metric, name, err}
	}
	return nil
}

// save stores a slice. With a fingerprint, nothing is listed that has another one.
func (t *Tables) save(ctx context.Context, name string, table *bitboard.Table, sum bitboard.Summary, fingerprint string) error {
	if t.store.opts.ReadOnly {
		return ErrReadOnly
	}
	if err := errors.Join(checkSliceName(name), t.checkTable(table), t.checkSummary(table.Slice, sum)); err != nil {
		return err
	}
	t.store.saving.Lock()
	defer t.store.saving.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	indices := t.space.Indices(table.Slice)
	w := sliceWriter{
		store: t.store, metric: t.metric, table: table, indices: indices,
		keys: newChunkKeys(t.metric, name), mask: t.toLeaveOut(table.Slice),
		hash: xxh3.New(), fingerprint: newFingerprint(t.store.id, t.metric, name, indices),
	}
	return t.replace(name, func() error { return w.checkSpace(ctx) }, func() error { return t.list(ctx, &w, name, sum, fingerprint) })
}

// list writes a slice, and lists it.
func (t *Tables) list(ctx context.Context, w *sliceWriter, name string, sum bitboard.Summary, fingerprint string) error {
	if err := w.write(ctx); err != nil {
		return err
	}
	got := w.fingerprint.String()
	if fingerprint != "" && got != fingerprint {
		return fmt.Errorf("%w: the fingerprint of its values is %s, and the manifest had %s", ErrDamaged, got, fingerprint)
	}
	return t.store.writeManifest(t.metric, t.store.manifests[t.metric].with(SliceInfo{
		Name: name, Indices: w.indices, Positions: sum.Positions(),
		Win: sum.Win, Loss: sum.Loss, Draw: sum.Draw, Quiet: sum.Inside,
		LongestWin: sum.LongestWin, LongestLoss: sum.LongestLoss,
		Chunks: ChunkCount(t.metric, w.indices), Bytes: w.bytes,
		Checksum: w.checksum(), Fingerprint: got,
	}))
}

// replace stores a slice, in place of one that may be there: then only where there is room,
// and the error tells that the one that was there is lost. The caller has the mutex of saving.
func (t *Tables) replace(name string, checkSpace, store func() error) error {
	if _, there := t.store.Slice(t.metric, name); !there {
		return store()
	}
	if err := checkSpace(); err != nil {
		return err
	}
	if err := t.forget(name); err != nil {
		return err
	}
	if err := store(); err != nil {
		return fmt.Errorf("%w: %w", ErrReplacing, err)
	}
	return nil
}

// forget takes a slice out of the manifest before its chunks are overwritten, and notes there
// that it is being replaced.
func (t *Tables) forget(name string) error {
	if _, ok := t.store.Slice(t.metric, name); !ok {
		return nil
	}
	return t.store.writeManifest(t.metric, t.store.manifests[t.metric].without(name))
}

func (t *Tables) checkSummary(s bitboard.Slice, sum bitboard.Summary) error {
	if got, want := sum.Positions(), t.space.Positions(s); got != want {
		return fmt.Errorf("%s counted, the slice has %d", bitboard.Count(got, "position"), want)
	}
	return nil
}
