package verify

import (
	"context"
	"fmt"
	"math/bits"
	"sync/atomic"

	"paika/bitboard"
)

// pending stands in a table, while its group is grounded, for a win or a loss that is not
// grounded yet. It is no value, and stands nowhere else.
const pending bitboard.Value = 3

// lowBits has the lower bit of each of a word's 32 values.
const lowBits = 0x5555555555555555

// A misfit is a value that does not agree with its neighbours, which was reported.
type misfit struct {
	at     bitboard.Ref
	stored bitboard.Value
}

// mostWrong is how many misfits of a group are noted, but in tests. Where there are more it is not
// grounded: it is wrong in any case, and what rests on those that were not noted would be blamed for
// it.
const mostWrong = 1 << 16

// ground gives every win and loss of the group that may rest on it the value that follows from
// what ends the game, and tells whether each has got one.
//
// In the tables these become pending: what they were need not be kept. Sweeps over them settle
// wins, with a turn to a loss, and losses, all of whose turns lead to wins, until nothing changes.
// Pending neighbours count for neither. Values outside the group were shown before, and draws need
// no ground. By induction what is settled has the value of the game. Values that are known to be
// wrong stay, and what rests on them is not blamed for it.
//
// Sweeps work in place, so that a chain that runs with the order of the indices takes one of
// them. Beside the tables no memory is taken. It is their values that are gone if something
// remains, or the work is stopped: then the group is spent.
//
// Slices that do not rest on the group, as is told, are as they are. Moved is told of each index
// of the others once.
func (t *team[P]) ground(ctx context.Context, rests func(s bitboard.Slice) bool, moved func(indices uint64)) (bool, error) {
	t.spent = true
	resting := filter(t.group.Slices, rests)
	for _, s := range resting {
		if err := t.raise(ctx, s); err != nil {
			return false, err
		}
	}
	for _, w := range t.workers {
		for _, m := range w.wrong {
			t.tables[m.at.Slice()].WDL.Set(m.at.Index(), m.stored)
		}
	}
	for first := true; ; first = false {
		var settled, left atomic.Bool
		for _, s := range resting {
			if err := t.sweep(ctx, s, &settled, &left, first, moved); err != nil {
				return false, err
			}
		}
		if !left.Load() {
			t.spent = false
			return true, nil
		}
		if !settled.Load() {
			return false, nil
		}
	}
}

// groundShown is ground for values that were held against their neighbours before: what does not
// agree with them, and what leads out of the tables, was reported then. What gets a value has the
// one that it had. What gets none supports only itself, and is reported. Nothing is done for a group
// with too many misfits.
func (t *team[P]) groundShown(ctx context.Context, rests func(s bitboard.Slice) bool, moved func(indices uint64)) error {
	if t.misfits.Load() > t.mostWrong {
		return nil
	}
	found := t.findings
	t.findings = &findings{limit: 1}
	all, err := t.ground(ctx, rests, moved)
	if t.findings = found; all || err != nil {
		return err
	}
	for _, s := range t.group.Slices {
		if err := t.eachBlock(ctx, s, 0, t.game.Indices(s), (*deriver[P]).findPending); err != nil {
			return err
		}
	}
	return nil
}

// raise makes wins and losses of a slice pending that may rest on the group: where it was traced,
// what that left. What is held must be what remained when the rest was shown at once, or something
// would not be shown.
func (t *team[P]) raise(ctx context.Context, s bitboard.Slice) error {
	t.startSums()
	table := t.tables[s].WDL
	err := t.eachBlock(ctx, s, 0, t.game.Indices(s), func(w *deriver[P], lo, hi uint64) {
		if t.due[s] != nil {
			w.noteDue(lo, hi)
		} else {
			w.noteInside(w.held[:], lo, hi)
			w.noted.note(w.held[:], lo, hi)
		}
		for k := lo / 64; k < (hi+63)/64; k++ {
			decided := w.held[k-lo/64] & (table.Equal(k, bitboard.Win) | table.Equal(k, bitboard.Loss))
			table.OrBits(64*k, decided, decided)
		}
		t.moved(0)
	})
	if remains := t.remains[s]; err == nil && remains != nil && t.allNoted() != *remains {
		panic(fmt.Sprintf("verify: what is held of slice %s is not what was left to be derived", t.game.SliceName(s)))
	}
	return err
}

// sweep settles what it can of a slice that is pending, and tells whether that was something, and
// whether something is left. The first one goes in the order that looks up what lies near.
func (t *team[P]) sweep(ctx context.Context, s bitboard.Slice, settled, left *atomic.Bool, first bool, moved func(indices uint64)) error {
	if !first {
		moved = func(uint64) { t.moved(0) }
	}
	if first && t.walksNear(s) {
		settled.Store(true)
		left.Store(true)
		return t.eachNear(ctx, s, moved, func(w *deriver[P], i uint64, p P, weight int) {
			if w.tables[s].WDL.Load(i) == pending {
				w.settle(i, p, weight)
			}
		})
	}
	return t.eachBlock(ctx, s, 0, t.game.Indices(s), func(w *deriver[P], lo, hi uint64) {
		done := 0
		all := w.eachPending(lo, hi, func(i uint64, p P, weight int) {
			if w.settle(i, p, weight) {
				done++
			}
		})
		if done > 0 {
			settled.Store(true)
		}
		if done < all {
			left.Store(true)
		}
		moved(hi - lo)
	})
}

// settle gives a pending position the value that follows from what is not, if one does, and counts
// it if it is quiet. Others may read the word, and settle its other values.
func (w *deriver[P]) settle(i uint64, p P, weight int) bool {
	v := w.deriveValue(p)
	if v == bitboard.Draw {
		return false
	}
	if w.quiet() {
		w.settledQuiet[w.slice] += uint64(weight)
	}
	atomic.AndUint64(&w.tables[w.slice].WDL[i/32], ^(uint64(pending^v) << (i % 32 * 2)))
	return true
}

// walkDensity is the share of a block's indices, one in so many, from which on a
// walk over all of them is faster than finding the pending ones one by one.
const walkDensity = 16

// eachPending calls f for what is pending of a block, and tells how much that is, gaps included.
func (w *deriver[P]) eachPending(lo, hi uint64, f func(i uint64, p P, weight int)) (many int) {
	table, chosen := w.tables[w.slice].WDL, w.left[:(hi-lo+63)/64]
	clear(chosen)
	for at := lo / 32; at < (hi+31)/32; at++ {
		if word := table[at]; word&(word>>1)&lowBits != 0 { // seldom, in most sweeps
			k := at / 2
			chosen[k-lo/64] = table.Equal(k, pending)
		}
	}
	for _, word := range chosen {
		many += bits.OnesCount64(word)
	}
	switch {
	case many == 0:
	case w.chooser != nil:
		w.chooser.WalkChosen(w.slice, lo, hi, chosen, func(i uint64, p P, weight int) bool {
			f(i, p, weight)
			return true
		})
	case uint64(many)*walkDensity > hi-lo:
		w.game.Walk(w.slice, lo, hi, func(i uint64, p P, weight int) bool {
			if chosen[(i-lo)/64]>>(i%64)&1 != 0 {
				f(i, p, weight)
			}
			return true
		})
	default:
		for k, rest := range chosen {
			for ; rest != 0; rest &= rest - 1 {
				i := lo + uint64(64*k+bits.TrailingZeros64(rest))
				if p, weight := w.game.Unrank(w.slice, i); weight != 0 {
					f(i, p, weight)
				}
			}
		}
	}
	return many
}

// findPending reports what of a block could not be grounded.
func (w *deriver[P]) findPending(lo, hi uint64) {
	w.eachPending(lo, hi, func(i uint64, p P, _ int) {
		w.findings.add(Finding{
			Metric: w.metric, Slice: w.game.SliceName(w.slice), What: "grounding",
			Index: i, Position: w.game.Format(p, 0),
			Stored: "a win or a loss", Derived: "no line that ends the game",
		})
	})
}

// noteInside sets the bits of the positions of a block whose turns may stay in the group.
func (w *deriver[P]) noteInside(set []uint64, lo, hi uint64) {
	if w.holder != nil {
		w.holder.Held(set[:(hi-lo+63)/64], w.slice, lo, hi)
		return
	}
	for k := range set {
		set[k] = ^uint64(0)
	}
}
