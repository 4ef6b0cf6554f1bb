package tablebase

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"paika/bitboard"
)

// Checksum computes the fingerprint of a slice that is there from its chunks as
// they lie on disk. Values that were left out are found by the game's Kernel, for
// which the slices that their turns lead to are loaded. Errors: *ChunkError,
// *SliceError, ErrClosed.
func (t *Tables) Checksum(ctx context.Context, s bitboard.Slice) (string, error) {
	name := t.space.SliceName(s)
	info, ok := t.store.Slice(t.metric, name)
	if !ok {
		return "", &SliceError{t.metric, name, ErrNotStored}
	}
	if err := checkIndices(info, t.space.Indices(s)); err != nil {
		return "", &SliceError{t.metric, name, err}
	}
	rest, err := t.newLeftOut(s)
	if err != nil {
		return "", &SliceError{t.metric, name, err}
	}
	r := t.store.newSliceReader(t.metric, info, heldMask(t.space, t.metric, s))
	workers := t.store.opts.Workers
	summers := make([]summer, workers)
	sum := newFingerprint(t.store.id, t.metric, name, info.Indices)
	err = inOrder(ctx, workers, chunkCount(t.metric, info.Indices),
		func(worker, _ int, number uint64) ([]digest, error) {
			return summers[worker].sum(ctx, r, rest, number)
		},
		func(_ uint64, sections []digest) error {
			sum.add(sections)
			return nil
		})
	return sum.String(), err
}

// summer is what one worker reads chunks with to sum them up.
type summer struct {
	buffer []byte
	hasher sectionHasher
	values bitboard.Packed // of a chunk that values were left out of
	held   [leftOutStep / 64]uint64
	edges  bitboard.Edges
}

// sum is the digests of the sections of a chunk, with what was left out of it.
func (w *summer) sum(ctx context.Context, r *sliceReader, rest *leftOut, number uint64) ([]digest, error) {
	if w.buffer == nil {
		w.buffer = make([]byte, maxPackedBytes)
	}
	c, _, err := r.read(number, w.buffer)
	if err != nil {
		return nil, err
	}
	if rest == nil {
		return w.hasher.chunk(nil, &c), nil
	}
	if w.values == nil {
		w.values = make(bitboard.Packed, wdlChunkIndices/32)
	}
	unpackWDL(w.values, c.packed)
	if err := rest.complete(ctx, w, number*wdlChunkIndices, uint64(c.n)); err != nil {
		return nil, &SliceError{r.metric, r.name, err}
	}
	return w.hasher.table(nil, &bitboard.Table{WDL: w.values}, 0, c.n)
}

// leftOut finds the values that a slice was stored without.
type leftOut struct {
	tables *Tables
	slice  bitboard.Slice
	mask   bitboard.HeldMask
	kernel bitboard.Kernel

	loading sync.Mutex
	loaded  [bitboard.MaxSlices]atomic.Pointer[bitboard.Table] // that turns lead to, as they are needed
}

// leftOutStep is how many indices are completed at a time.
const leftOutStep = 1 << 12

// newLeftOut is nil where the slice is stored whole.
func (t *Tables) newLeftOut(s bitboard.Slice) (*leftOut, error) {
	mask := heldMask(t.space, t.metric, s)
	if mask == nil {
		return nil, nil
	}
	kernel, ok := t.space.(bitboard.Kernel)
	if !ok {
		return nil, errors.New("values are left out, and the game has no kernel to find them with")
	}
	return &leftOut{tables: t, slice: s, mask: mask, kernel: kernel}, nil
}

// complete puts into w.values, which stands for n indices from one on, what was
// left out of them, and draws at gaps.
func (l *leftOut) complete(ctx context.Context, w *summer, from, n uint64) error {
	for lo := uint64(0); lo < n; lo += leftOutStep {
		hi := min(lo+leftOutStep, n)
		l.mask.Held(w.held[:(hi-lo+63)/64], l.slice, from+lo, from+hi)
		l.kernel.Settle(l.slice, from+lo, from+hi, &w.edges)
		start := uint32(0)
		for i, fate := range w.edges.Fates {
			end := w.edges.Ends[i]
			if w.held[i/64]>>(i%64)&1 == 0 {
				v, err := l.value(ctx, fate, w.edges.Refs[start:end])
				if err != nil {
					return fmt.Errorf("index %d: %w", from+lo+uint64(i), err)
				}
				w.values.Set(lo+uint64(i), v)
			}
			start = end
		}
	}
	return nil
}

// value is that of an index that was left out, by its edges.
func (l *leftOut) value(ctx context.Context, fate bitboard.Fate, edges []bitboard.Ref) (bitboard.Value, error) {
	switch fate {
	case bitboard.Gap:
		return bitboard.Draw, nil
	case bitboard.Won:
		return bitboard.Win, nil
	case bitboard.ByEdges:
	default:
		return 0, errors.New("a value is left out that is not decided by edges out of the group")
	}
	best := bitboard.Loss
	for _, ref := range edges {
		table, err := l.table(ctx, ref.Slice())
		if err != nil {
			return 0, err
		}
		switch table.WDL.At(ref.Index()) {
		case bitboard.Loss:
			return bitboard.Win, nil
		case bitboard.Draw:
			best = bitboard.Draw
		}
	}
	return best, nil
}

// table loads a slice once.
func (l *leftOut) table(ctx context.Context, s bitboard.Slice) (*bitboard.Table, error) {
	if table := l.loaded[s].Load(); table != nil {
		return table, nil
	}
	l.loading.Lock()
	defer l.loading.Unlock()
	if table := l.loaded[s].Load(); table != nil {
		return table, nil
	}
	table := newTable(bitboard.WDL, s, l.tables.space.Indices(s))
	if err := l.tables.Load(ctx, table); err != nil {
		return nil, err
	}
	l.loaded[s].Store(table)
	return table, nil
}
