package verify

import (
	"context"
	"fmt"
	"math/bits"
	"sync/atomic"

	"paika/bitboard"
	"paika/internal/parallel"
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

// mostWrong is how many misfits a worker notes. Where there are more, what rests on them is
// reported as not grounded, too.
const mostWrong = 1 << 16

// ground shows that no wins and losses of the group support only each other. That its values
// agree with their neighbours was shown before; of those which do not it is not shown, and they
// count as grounded.
//
// In the tables every win and loss that may rest on the group becomes pending: what it was
// need not be kept. Sweeps over those settle wins, with a turn to a loss, and losses, all of
// whose turns lead to wins, until nothing changes. Pending neighbours count for neither. Values
// outside the group were shown before, and draws need no ground. By induction over what is
// settled it has the value of the game; and the value that it had, because that agreed with its
// neighbours. What remains is wrong.
//
// Sweeps work in place, so that a chain that runs with the order of the indices takes one of
// them. Beside the tables no memory is taken. It is their values that are gone if something
// remains, or the work is stopped: then the group is spent.
//
// Slices that do not rest on the group, as is told, are as they are. Moved is told of each index
// once.
func (t *team[P]) ground(ctx context.Context, rests func(s bitboard.Slice) bool, moved func(indices uint64)) error {
	t.spent = true
	for _, s := range t.group.Slices {
		if !rests(s) {
			moved(t.game.Indices(s))
			continue
		}
		if err := t.raise(ctx, s, moved); err != nil {
			return err
		}
	}
	for _, w := range t.workers {
		for _, m := range w.wrong {
			t.tables[m.at.Slice()].WDL.Set(m.at.Index(), m.stored)
		}
	}
	for first := true; ; first = false {
		var settled, left atomic.Bool
		for _, s := range t.group.Slices {
			if err := t.sweep(ctx, s, first, &settled, &left); err != nil {
				return err
			}
		}
		switch {
		case !left.Load():
			t.spent = false
			return nil
		case !settled.Load():
			return t.eachBlockOfGroup(ctx, (*deriver[P]).findPending)
		}
	}
}

// raise makes wins and losses of a slice pending that may rest on the group: where it was traced,
// what that left. What is held must be what remained when the rest was shown at once, or something
// would not be shown.
func (t *team[P]) raise(ctx context.Context, s bitboard.Slice, moved func(indices uint64)) error {
	t.startSums()
	table := t.tables[s].WDL
	err := t.eachBlock(ctx, s, 0, t.game.Indices(s), func(w *deriver[P], lo, hi uint64) {
		if t.due[s] != nil {
			w.noteDue(lo, hi)
		} else {
			w.noteInside(lo, hi)
			w.noted.note(w.held[:], lo, hi)
		}
		for k := lo / 64; k < (hi+63)/64; k++ {
			decided := w.held[k-lo/64] & (table.Equal(k, bitboard.Win) | table.Equal(k, bitboard.Loss))
			table.OrBits(64*k, decided, decided)
		}
		moved(hi - lo)
	})
	if remains := t.remains[s]; err == nil && remains != nil && t.allNoted() != *remains {
		panic(fmt.Sprintf("verify: what is held of slice %s is not what was left to be derived", t.game.SliceName(s)))
	}
	return err
}

// sweep settles what it can of a slice that is pending, and tells whether that was something, and
// whether something is left.
func (t *team[P]) sweep(ctx context.Context, s bitboard.Slice, first bool, settled, left *atomic.Bool) error {
	if first && t.walksNear(s) {
		for _, w := range t.workers {
			w.slice = s
		}
		settled.Store(true)
		left.Store(true)
		return parallel.Each(ctx, len(t.workers), t.near.NearParts(s), func(_ context.Context, worker int, part uint64) error {
			w := t.workers[worker]
			t.near.WalkNear(s, part, func(i uint64, p P, _ int) {
				if w.tables[s].WDL.Load(i) == pending {
					w.settle(i, p)
				}
			})
			t.moved(0)
			return nil
		})
	}
	return t.eachBlock(ctx, s, 0, t.game.Indices(s), func(w *deriver[P], lo, hi uint64) {
		done := 0
		all := w.eachPending(lo, hi, func(i uint64, p P) {
			if w.settle(i, p) {
				done++
			}
		})
		if done > 0 {
			settled.Store(true)
		}
		if done < all {
			left.Store(true)
		}
		t.moved(0)
	})
}

// eachBlockOfGroup hands the blocks of all slices of the group to the workers.
func (t *team[P]) eachBlockOfGroup(ctx context.Context, do func(w *deriver[P], lo, hi uint64)) error {
	for _, s := range t.group.Slices {
		if err := t.eachBlock(ctx, s, 0, t.game.Indices(s), do); err != nil {
			return err
		}
	}
	return nil
}

// settle gives a pending position the value that follows from what is not, if one does. Others may
// read the word, and settle its other values.
func (w *deriver[P]) settle(i uint64, p P) bool {
	v := w.groundedValue(p)
	if v == bitboard.Draw {
		return false
	}
	atomic.AndUint64(&w.tables[w.slice].WDL[i/32], ^(uint64(pending^v) << (i % 32 * 2)))
	return true
}

// groundedValue is what follows from grounded neighbours, or Draw where nothing does.
func (w *deriver[P]) groundedValue(p P) bitboard.Value {
	if w.see != nil {
		w.seen, _ = w.see(p, 1<<bitboard.Loss)
	} else {
		w.seen = 0
		w.lookAt(p, w.looks.ground)
	}
	if w.seen == 0 {
		return w.game.Ended(p)
	}
	return w.seen.Verdict()
}

// lookForGround notes the value of the position after a turn. It stops at a loss.
func (w *deriver[P]) lookForGround(q P, at bitboard.Ref) bool {
	v := bitboard.Draw
	if t := w.tables[at.Slice()]; t == nil {
		v = w.game.Ended(q)
	} else {
		v = t.WDL.Load(at.Index())
	}
	w.seen |= 1 << v
	return v != bitboard.Loss
}

// walkDensity is the share of a block's indices, one in so many, from which on a
// walk over all of them is faster than finding the pending ones one by one.
const walkDensity = 16

// eachPending calls f for what is pending of a block, and tells how much that is, gaps included.
func (w *deriver[P]) eachPending(lo, hi uint64, f func(i uint64, p P)) (many int) {
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
		w.chooser.WalkChosen(w.slice, lo, hi, chosen, func(i uint64, p P, _ int) bool {
			f(i, p)
			return true
		})
	case uint64(many)*walkDensity > hi-lo:
		w.game.Walk(w.slice, lo, hi, func(i uint64, p P, _ int) bool {
			if chosen[(i-lo)/64]>>(i%64)&1 != 0 {
				f(i, p)
			}
			return true
		})
	default:
		for k, rest := range chosen {
			for ; rest != 0; rest &= rest - 1 {
				i := lo + uint64(64*k+bits.TrailingZeros64(rest))
				if p, weight := w.game.Unrank(w.slice, i); weight != 0 {
					f(i, p)
				}
			}
		}
	}
	return many
}

// findPending reports what of a block could not be grounded.
func (w *deriver[P]) findPending(lo, hi uint64) {
	w.eachPending(lo, hi, func(i uint64, p P) {
		w.findings.add(Finding{
			Metric: w.metric, Slice: w.game.SliceName(w.slice), What: "grounding",
			Index: i, Position: w.game.Format(p, 0),
			Stored: "a win or a loss", Derived: "no line that ends the game",
		})
	})
}

// noteInside notes, as what is held, the positions of a block whose turns may stay in the
// group.
func (w *deriver[P]) noteInside(lo, hi uint64) {
	if w.holder != nil {
		w.holder.Held(w.held[:(hi-lo+63)/64], w.slice, lo, hi)
		return
	}
	for k := range w.held {
		w.held[k] = ^uint64(0)
	}
}
