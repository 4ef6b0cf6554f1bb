package verify

import (
	"context"
	"math/bits"
	"slices"

	"paika/bitboard"
	"paika/internal/offheap"
	"paika/internal/parallel"
)

// complete puts in a slice that was stored without some values what they are, and draws
// at gaps: by a look ahead, or by dtw beside it. In a slice of the group, what is held remains
// to be shown. The slice is whole then, and has its fingerprint.
//
// What is wrong with a slice that is none of the group is found with its own group.
func (t *team[P]) complete(ctx context.Context, s bitboard.Slice) error {
	own, table := t.inGroup[s], t.sparseTable(s)
	if !own {
		t = t.team(len(t.workers), &findings{limit: 1}, t.moved)
	}
	t.startSums()
	if err := t.fillSparse(ctx, s, table); err != nil || !own {
		return err
	}
	t.noteAtOnce(s)
	_, err := t.compareFingerprint(ctx, table, t.wanted[s])
	return err
}

// sparseTable is the table in wdl of a slice that leaves values out.
func (d *derivation[P]) sparseTable(s bitboard.Slice) *bitboard.Table {
	if d.metric == bitboard.DTW {
		return d.wdl[s]
	}
	return d.tables[s]
}

// sparseIndices is how much of a slice a worker takes at a time where the game derives
// what is left out: a multiple of blockIndices, and more than most leading sets have.
const sparseIndices = blockIndices << 6

// fillSparse completes a table, by the game itself where that is faster.
func (t *team[P]) fillSparse(ctx context.Context, s bitboard.Slice, table *bitboard.Table) error {
	begin, err := t.sparseDerivers(ctx, s)
	if err != nil {
		return err
	}
	if begin == nil {
		return t.eachBlock(ctx, s, 0, t.game.Indices(s), func(w *deriver[P], lo, hi uint64) {
			w.fill(table, lo, hi)
			t.moved(hi - lo)
		})
	}
	return t.eachSparse(ctx, s, byBlocks(begin, func(w *deriver[P], derive bitboard.SparseDeriver, lo, hi uint64) {
		copy(table.WDL[lo/32:], w.deriveBlock(derive, table.WDL[lo/32:], lo, hi))
		t.moved(hi - lo)
	}))
}

// showAtOnce shows what it can of a whole slice of the group, for many positions at once. The
// rest alone is pending then.
func (t *team[P]) showAtOnce(ctx context.Context, s bitboard.Slice) error {
	if tracer := t.traces(s); tracer != nil {
		return t.trace(ctx, s, tracer)
	}
	if t.metric == bitboard.DTW {
		return nil // shares do
	}
	return t.compareSparse(ctx, s)
}

// compareSparse derives in a whole slice of the group the values that follow from others
// alone, if the game does so itself, and holds the stored ones against them.
func (t *team[P]) compareSparse(ctx context.Context, s bitboard.Slice) error {
	begin, err := t.comparers(ctx, s)
	if begin == nil || err != nil {
		return err
	}
	t.startSums()
	err = t.eachSparse(ctx, s, func() blockDeriver[P] {
		compare := begin()
		return func(w *deriver[P], lo, hi uint64) {
			compare(w, lo, hi)
			t.moved(0)
		}
	})
	t.noteAtOnce(s)
	return err
}

// A blockDeriver derives what it can of a block by the game itself, and notes in the worker
// what is held, as noteHeld does. It is for one goroutine.
type blockDeriver[P comparable] func(w *deriver[P], lo, hi uint64)

// byBlocks begins to do something for blocks with what a game derives by: a deriver for each
// goroutine. It is nil where begin is.
func byBlocks[P comparable, D any](begin func() D, do func(w *deriver[P], derive D, lo, hi uint64)) func() blockDeriver[P] {
	if begin == nil {
		return nil
	}
	return func() blockDeriver[P] {
		derive := begin()
		return func(w *deriver[P], lo, hi uint64) { do(w, derive, lo, hi) }
	}
}

// comparers begins to hold the stored values of a slice of the group against those that the
// game derives itself. It is nil where that can't be, is no faster, or was done before.
func (t *team[P]) comparers(ctx context.Context, s bitboard.Slice) (func() blockDeriver[P], error) {
	if t.metric == bitboard.DTW {
		begin, err := t.depthDerivers(ctx, s)
		return byBlocks(begin, (*deriver[P]).compareDepths), err
	}
	if t.leavesOut[s] {
		return nil, nil // it is complete
	}
	begin, err := t.sparseDerivers(ctx, s)
	return byBlocks(begin, (*deriver[P]).compareBlock), err
}

// noValue is none that a game can derive: it stands where it has to. What then still has it must
// be held, or it would be shown by nothing.
const (
	noValue bitboard.Value = 3
	noDepth                = ^bitboard.Depth(0)
)

// deriveBlock has a game derive a block, and gives its values. Where it is held they are those of a
// table from that block on.
func (w *deriver[P]) deriveBlock(derive bitboard.SparseDeriver, table bitboard.Packed, lo, hi uint64) (derived bitboard.Packed) {
	derived, held := w.derived[:bitboard.PackedWords(hi-lo)], w.held[:(hi-lo+63)/64]
	for k := range derived {
		derived[k] = ^uint64(0)
	}
	w.sums.Quiet += derive(derived, held, lo, hi)
	for k, of := range held {
		for missing := derived.Equal(uint64(k), noValue) &^ of; missing != 0; missing &= missing - 1 {
			if i := lo + 64*uint64(k) + uint64(bits.TrailingZeros64(missing)); i < hi {
				w.findMissing(i, bitboard.Outcome{Value: table.At(i - lo), Distance: bitboard.UnknownDistance})
			}
		}
	}
	for k, word := range derived {
		missing := word & (word >> 1) & lowBits * 3
		derived[k] = word&^missing | table[k]&missing
	}
	return derived
}

// findMissing finds an index that a game has neither derived nor told of as held, unless it is a gap.
func (w *deriver[P]) findMissing(i uint64, stored bitboard.Outcome) {
	if p, weight := w.game.Unrank(w.slice, i); weight != 0 {
		w.findings.add(Finding{
			Metric: w.metric, Slice: w.game.SliceName(w.slice), What: "value",
			Index: i, Position: w.game.Format(p, 0), Stored: describe(stored), Derived: "no value",
		})
	}
}

// compareBlock derives a block, and holds what is stored against it.
func (w *deriver[P]) compareBlock(derive bitboard.SparseDeriver, lo, hi uint64) {
	stored := w.tables[w.slice].WDL[lo/32:][:bitboard.PackedWords(hi-lo)]
	derived := w.deriveBlock(derive, stored, lo, hi)
	for k := range stored {
		if stored[k] == derived[k] {
			continue
		}
		first := 32 * uint64(k)
		for i := first; i < min(first+32, hi-lo); i++ {
			w.compareAt(lo+i, stored.At(i), derived.At(i))
		}
	}
}

// compareAt holds a value against the one that was derived, unless it stands at a gap.
func (w *deriver[P]) compareAt(i uint64, stored, derived bitboard.Value) {
	if stored == derived {
		return
	}
	if p, weight := w.game.Unrank(w.slice, i); weight != 0 {
		w.findWrong(i, p, stored, derived)
	}
}

// compareDepths is compareBlock in dtw.
func (w *deriver[P]) compareDepths(derive bitboard.DepthDeriver, lo, hi uint64) {
	stored := w.tables[w.slice].DTW[lo:hi]
	derived := slices.Grow(w.deepened[:0], len(stored))[:len(stored)]
	w.deepened = derived
	derived[0] = noDepth
	for n := 1; n < len(derived); n *= 2 {
		copy(derived[n:], derived[:n])
	}
	w.sums.Quiet += derive(derived, w.held[:(hi-lo+63)/64], lo, hi)
	for k, d := range stored {
		i := lo + uint64(k)
		switch now := derived[k]; {
		case now == noDepth:
			if w.held[k/64]>>(k%64)&1 == 0 {
				w.findMissing(i, d.Outcome())
			}
		case now != d:
			if p, weight := w.game.Unrank(w.slice, i); weight != 0 {
				w.findValue(bitboard.DTW, i, p, d.Outcome(), now.Outcome())
			}
		}
	}
}

// eachSparse hands a slice to the workers, each with a blockDeriver of its own. What these
// find to be held remains. The room that they take is given back.
func (t *team[P]) eachSparse(ctx context.Context, s bitboard.Slice, begin func() blockDeriver[P]) error {
	defer offheap.Collect()
	return t.inRuns(ctx, s, 0, t.game.Indices(s), begin, func(w *deriver[P], lo, hi uint64) {
		w.noted.note(w.held[:], lo, hi)
	})
}

// inRuns hands a part of a slice to the workers, each with a blockDeriver of its own: many
// blocks in a row, of each of which then is done what remains.
func (t *team[P]) inRuns(ctx context.Context, s bitboard.Slice, lo, hi uint64, begin func() blockDeriver[P], then func(w *deriver[P], lo, hi uint64)) error {
	derivers := make([]blockDeriver[P], len(t.workers))
	for i := range derivers {
		derivers[i] = begin()
		t.workers[i].slice = s
	}
	return parallel.Blocks(ctx, len(t.workers), hi-lo, sparseIndices, func(worker int, from, to uint64) {
		w := t.workers[worker]
		for at := lo + from; at < lo+to; at += blockIndices {
			end := min(at+blockIndices, lo+to)
			derivers[worker](w, at, end)
			then(w, at, end)
		}
	})
}

// sparseDerivers begins to derive a slice by the game itself, and is nil where that can't
// be, or is no faster.
func (t *team[P]) sparseDerivers(ctx context.Context, s bitboard.Slice) (func() bitboard.SparseDeriver, error) {
	game, can := t.game.(bitboard.SparseValuer)
	if !can || !t.roomy || t.metric == bitboard.DTW || t.needsPartial || !t.inGroup[s] {
		return nil, nil
	}
	return game.ValueSparse(s, &t.values, t.run(ctx))
}

// depthDerivers is sparseDerivers in dtw.
func (t *team[P]) depthDerivers(ctx context.Context, s bitboard.Slice) (func() bitboard.DepthDeriver, error) {
	game, can := t.game.(bitboard.DepthValuer)
	if !can || t.chooser == nil || !t.roomy || t.metric != bitboard.DTW {
		return nil, nil
	}
	return game.ValueDepths(s, &t.depths, t.run(ctx))
}

// run shares work out among the workers.
func (t *team[P]) run(ctx context.Context) bitboard.Run {
	return func(parts uint64, do func(part uint64)) error {
		return parallel.Blocks(ctx, len(t.workers), parts, 1, func(_ int, part, _ uint64) { do(part) })
	}
}

// fill completes a block of a table.
func (w *deriver[P]) fill(table *bitboard.Table, lo, hi uint64) {
	w.holder.Held(w.held[:(hi-lo+63)/64], w.slice, lo, hi)
	clear(w.walked[:])
	w.game.Walk(w.slice, lo, hi, func(i uint64, p P, weight int) bool {
		bit := uint64(1) << (i % 64)
		w.walked[(i-lo)/64] |= bit
		switch {
		case w.held[(i-lo)/64]&bit != 0:
		case w.metric == bitboard.DTW:
			table.WDL.Set(i, w.tables[w.slice].DTW[i].Value())
		default:
			table.WDL.Set(i, w.deriveLeftOut(p))
			if w.inGroup[w.slice] && w.quiet() {
				w.sums.Quiet += uint64(weight)
			}
		}
		return true
	})
	w.eachGap(lo, hi, func(i uint64) { table.WDL.Set(i, bitboard.Draw) })
	w.noted.note(w.held[:], lo, hi)
}

// compareFingerprint tells whether a table in wdl that has every value has a fingerprint. If not,
// that is a finding.
func (t *team[P]) compareFingerprint(ctx context.Context, table *bitboard.Table, want string) (same bool, err error) {
	got, err := t.fingerprint(ctx, bitboard.WDL, table)
	if err == nil && got != want {
		t.findings.add(Finding{Metric: bitboard.WDL, Slice: t.game.SliceName(table.Slice), What: "fingerprint", Stored: want, Derived: got})
	}
	return got == want, err
}

// deriveLeftOut derives a value that was left out. What it follows from must be held in
// another group, or over, or the game is no bitboard.Sparse.
func (w *deriver[P]) deriveLeftOut(p P) bitboard.Value {
	if w.see != nil && !w.needsPartial {
		if seen, inside := w.see(p, 1<<bitboard.Loss); seen != 0 && !inside {
			w.outlook = outlook{turns: 1}
			return seen.Verdict()
		}
	}
	w.lookAt(p, w.looks.ahead)
	return w.outlook.value()
}

// lookAhead is lookAtValue that asks whether the value is one that is held, and was shown
// before: what is left out is never pending, and would ground a circle through it.
func (w *deriver[P]) lookAhead(q P, at bitboard.Ref) bool {
	if s := at.Slice(); w.inGroup[s] || w.partial[s] && !w.holder.Holds(q) {
		w.findings.add(Finding{
			Metric: w.metric, Slice: w.game.SliceName(w.slice), What: "successor",
			Position: w.game.Format(q, 0), Stored: "no value", Derived: "a turn from a position that is left out",
		})
	}
	return w.lookAtValue(q, at)
}

// noteDue notes, as what is held, which values of a block are to be derived one by one.
func (w *deriver[P]) noteDue(lo, hi uint64) {
	if due := w.due[w.slice]; due != nil {
		copy(w.held[:], due[lo/64:(hi+63)/64])
		return
	}
	if remains := w.remains[w.slice]; remains != nil {
		if remains.indices == 0 {
			clear(w.held[:])
		} else {
			w.noteInside(w.held[:], lo, hi)
		}
		return
	}
	for k := range w.held {
		w.held[k] = ^uint64(0)
	}
}
