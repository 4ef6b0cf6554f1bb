package verify

import (
	"context"
	"slices"

	"paika/bitboard"
	"paika/internal/parallel"
)

// complete puts in a slice that was stored without some values what they are, and draws
// at gaps: by a look ahead, or by dtw beside it. In a slice of the group, they alone are
// no longer pending. The slice is whole then, and has its fingerprint.
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
	t.heldPending[s] = t.pending[s] != nil
	t.leftOutQuiet[s] = t.sumUp().Quiet
	return t.compareFingerprint(ctx, table)
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
	return t.eachSparse(ctx, s, begin, func(w *deriver[P], derive bitboard.SparseDeriver, lo, hi uint64) {
		w.sums.Quiet += derive(table.WDL, w.held[:(hi-lo+63)/64], lo, hi)
		t.moved(hi - lo)
	})
}

// showAtOnce shows what it can of a whole slice of the group, for many positions at once. The
// rest alone is pending then.
func (t *team[P]) showAtOnce(ctx context.Context, s bitboard.Slice) error {
	if tracer := t.traces(s); tracer != nil {
		return t.trace(ctx, s, tracer)
	}
	return t.compareSparse(ctx, s)
}

// compareSparse derives in a whole slice of the group the values that follow from others
// alone, if the game does so itself, and holds the stored ones against them.
func (t *team[P]) compareSparse(ctx context.Context, s bitboard.Slice) error {
	begin, err := t.sparseDerivers(ctx, s)
	if begin == nil || err != nil {
		return err
	}
	t.heldPending[s] = true
	t.startSums()
	err = t.eachSparse(ctx, s, begin, func(w *deriver[P], derive bitboard.SparseDeriver, lo, hi uint64) {
		w.compareBlock(derive, lo, hi)
		t.moved(0)
	})
	t.leftOutQuiet[s] = t.sumUp().Quiet
	return err
}

// compareBlock derives a block in its table, and puts back what was stored where that was
// something else.
func (w *deriver[P]) compareBlock(derive bitboard.SparseDeriver, lo, hi uint64) {
	table := w.tables[w.slice].WDL
	block := table[lo/32:][:bitboard.PackedWords(hi-lo)]
	stored := bitboard.Packed(w.stored[:len(block)])
	copy(stored, block)
	w.sums.Quiet += derive(table, w.held[:(hi-lo+63)/64], lo, hi)
	if slices.Equal(stored, block) {
		return
	}
	for i := lo; i < hi; i++ {
		was, is := stored.At(i-lo), table.At(i)
		if was == is {
			continue
		}
		if p, weight := w.game.Unrank(w.slice, i); weight != 0 {
			w.findWrong(i, p, was, is)
		}
	}
	copy(block, stored)
}

// eachSparse hands a slice to the workers, each with a deriver of its own. What do finds
// to be held is pending afterwards, where somebody asks.
func (t *team[P]) eachSparse(ctx context.Context, s bitboard.Slice, begin func() bitboard.SparseDeriver, do func(w *deriver[P], derive bitboard.SparseDeriver, lo, hi uint64)) error {
	derivers := make([]bitboard.SparseDeriver, len(t.workers))
	for i := range derivers {
		derivers[i] = begin()
	}
	return parallel.Blocks(ctx, len(t.workers), t.game.Indices(s), sparseIndices, func(worker int, from, to uint64) {
		w := t.workers[worker]
		w.slice = s
		for lo := from; lo < to; lo += blockIndices {
			hi := min(lo+blockIndices, to)
			do(w, derivers[worker], lo, hi)
			if pending := bitset(w.pending[s]); pending != nil {
				pending.replace(lo, hi, &w.held)
			}
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
	return game.ValueSparse(s, &t.values, func(parts uint64, do func(part uint64)) error {
		return parallel.Blocks(ctx, len(t.workers), parts, 1, func(_ int, part, _ uint64) { do(part) })
	})
}

// fill completes a block of a table.
func (w *deriver[P]) fill(table *bitboard.Table, lo, hi uint64) {
	w.noteHeld(lo, hi)
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
	if pending := bitset(w.pending[w.slice]); pending != nil {
		pending.replace(lo, hi, &w.held)
	}
}

// compareFingerprint holds the manifest against a table in wdl that has every value.
func (t *team[P]) compareFingerprint(ctx context.Context, table *bitboard.Table) error {
	got, err := t.fingerprint(ctx, bitboard.WDL, table)
	if err != nil {
		return err
	}
	if want := t.wanted[table.Slice]; got != want {
		t.findings.add(Finding{Metric: bitboard.WDL, Slice: t.game.SliceName(table.Slice), What: "fingerprint", Stored: want, Derived: got})
	}
	return nil
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
	v, _ := w.outlook.value()
	return v
}

// lookAhead is lookAtValue that asks whether the value is one that is held, and was shown
// before: what is left out is not pending, and would ground a circle through it.
func (w *deriver[P]) lookAhead(q P, at bitboard.Ref) bool {
	if s := at.Slice(); w.inGroup[s] || w.partial[s] && !w.holder.Holds(q) {
		w.findings.add(Finding{
			Metric: w.metric, Slice: w.game.SliceName(w.slice), What: "successor",
			Position: w.game.Format(q, 0), Stored: "no value", Derived: "a turn from a position that is left out",
		})
	}
	return w.lookAtValue(q, at)
}

// noteHeld notes which values of a block are held.
func (w *deriver[P]) noteHeld(lo, hi uint64) {
	if w.heldPending[w.slice] {
		bitset(w.pending[w.slice]).copyTo(&w.held, lo, hi)
		return
	}
	if w.leavesOut[w.slice] {
		w.holder.Held(w.held[:(hi-lo+63)/64], w.slice, lo, hi)
		return
	}
	for k := range w.held {
		w.held[k] = ^uint64(0)
	}
}
