package verify

import (
	"context"
	"math/bits"
	"sync/atomic"

	"paika/bitboard"
	"paika/internal/offheap"
)

// bitset has a bit an index. Any goroutine may read it while others each change
// words that no other changes.
type bitset []uint64

// newFullBitset has all n bits set, and those after them in the last word. It lies off the
// Go heap.
func newFullBitset(n uint64) (bitset, error) {
	b, err := offheap.Make[uint64]((n + 63) / 64)
	for i := range b {
		b[i] = ^uint64(0)
	}
	return b, err
}

func (b bitset) has(i uint64) bool { return atomic.LoadUint64(&b[i/64])>>(i%64)&1 != 0 }

func (b bitset) remove(i uint64) { atomic.AndUint64(&b[i/64], ^(1 << (i % 64))) }

// count is the number of bits set in a block.
func (b bitset) count(lo, hi uint64) (n uint64) {
	for word := lo / 64; word < (hi+63)/64; word++ {
		n += uint64(bits.OnesCount64(atomic.LoadUint64(&b[word])))
	}
	return n
}

// replace sets the words of a block.
func (b bitset) replace(lo, hi uint64, words *[blockIndices / 64]uint64) {
	for i := range (hi - lo + 63) / 64 {
		atomic.StoreUint64(&b[lo/64+i], words[i])
	}
}

// copyTo copies the words of a block.
func (b bitset) copyTo(words *[blockIndices / 64]uint64, lo, hi uint64) {
	for i := range (hi - lo + 63) / 64 {
		words[i] = atomic.LoadUint64(&b[lo/64+i])
	}
}

// ground shows that no wins and losses of the group support only each other.
//
// A bit an index says that its value is pending. The derivation of values left
// it on wins and losses that rest on other pending ones. Sweeps over those turn
// it off for a win with a grounded loss among its successors, and for a loss
// all of whose successors are grounded wins, until nothing changes; values
// outside the group were shown before, and draws need no ground. By induction
// over the sweeps every index whose bit is off has the value of the game. What
// remains is wrong, though each value agrees with its neighbours.
//
// Sweeps work in place, so that a chain that runs with the order of the indices
// takes one of them, and only the first looks at every position.
func (t *team[P]) ground(ctx context.Context) error {
	for {
		var changed atomic.Bool
		for _, s := range t.group.Slices {
			if err := t.eachBlock(ctx, s, 0, t.game.Indices(s), func(w *deriver[P], lo, hi uint64) {
				if w.sweep(lo, hi) {
					changed.Store(true)
				}
				t.moved(0)
			}); err != nil {
				return err
			}
		}
		if !changed.Load() {
			return t.findPending(ctx)
		}
	}
}

// groundAll is ground where no share has left its bits here. It needs values that agree
// with their neighbours: what shares find wrong is for them to report. Slices of which none
// of the turns stays in the group, as is told, rest on other groups alone.
func (t *team[P]) groundAll(ctx context.Context, leaves func(s bitboard.Slice) (bool, error)) error {
	defer t.dropPending()
	if err := t.keepPending(); err != nil {
		return err
	}
	for _, s := range t.group.Slices {
		left, err := leaves(s)
		if err != nil {
			return err
		}
		if left {
			clear(t.pending[s])
			t.moved(t.game.Indices(s))
			continue
		}
		err = t.eachBlock(ctx, s, 0, t.game.Indices(s), func(w *deriver[P], lo, hi uint64) {
			w.firstSweep(lo, hi)
			t.moved(hi - lo)
		})
		if err != nil {
			return err
		}
	}
	return t.ground(ctx)
}

// firstSweep leaves a bit on for each win and loss of a block that it can't ground.
func (w *deriver[P]) firstSweep(lo, hi uint64) {
	clear(w.left[:])
	pending := bitset(w.pending[w.slice])
	w.noteInside(lo, hi)
	look := func(i uint64, p P, _ int) bool {
		if v := w.tables[w.slice].WDL.At(i); v == bitboard.Draw || w.held[(i-lo)/64]>>(i%64)&1 == 0 || w.grounded(v, p) {
			pending.remove(i)
		} else {
			w.left[(i-lo)/64] |= 1 << (i % 64)
		}
		return true
	}
	if w.chooser != nil {
		held := w.held[:(hi-lo+63)/64]
		pending.replace(lo, hi, &w.held) // nothing else is
		w.chooser.WalkChosen(w.slice, lo, hi, held, look)
	} else {
		w.game.Walk(w.slice, lo, hi, look)
	}
	pending.replace(lo, hi, &w.left) // gaps are not pending
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

// sweep turns off the bits of a block that it can.
func (w *deriver[P]) sweep(lo, hi uint64) (changed bool) {
	pending := bitset(w.pending[w.slice])
	w.eachPending(lo, hi, func(i uint64, p P) {
		if w.grounded(w.tables[w.slice].WDL.At(i), p) {
			pending.remove(i)
			changed = true
		}
	})
	return changed
}

// grounded tells whether a win has a grounded loss among its successors, or all
// successors of a loss are grounded, or the game is over. That they have the right values
// is known.
func (w *deriver[P]) grounded(v bitboard.Value, p P) bool {
	if w.see != nil {
		return w.seesGround(v, p)
	}
	look := w.looks.lossGround
	if v == bitboard.Win {
		look = w.looks.winGround
	}
	w.lookAt(p, look)
	o := &w.outlook
	return o.turns == 0 || o.lostSurely || v == bitboard.Loss && !o.unsure
}

// seesGround is grounded with a bitboard.TurnValuer.
func (w *deriver[P]) seesGround(v bitboard.Value, p P) bool {
	if v == bitboard.Win {
		seen, _ := w.see(p, 1<<bitboard.Loss)
		return seen == 0 || seen>>bitboard.Loss&1 != 0
	}
	seen, _ := w.see(p, ^(bitboard.Marked - 1))
	return seen < bitboard.Marked
}

// lookForLossGround stops at a successor that is pending.
func (w *deriver[P]) lookForLossGround(_ P, at bitboard.Ref) bool {
	o := &w.outlook
	o.turns++
	o.unsure = w.isPending(at.Slice(), at.Index())
	return !o.unsure
}

// lookForWinGround stops at a grounded loss.
func (w *deriver[P]) lookForWinGround(q P, at bitboard.Ref) bool {
	o := &w.outlook
	o.turns++
	s, i := at.Slice(), at.Index()
	if t := w.tables[s]; t == nil {
		o.lostSurely = w.game.Ended(q) == bitboard.Loss
	} else {
		o.lostSurely = t.WDL.At(i) == bitboard.Loss && !w.isPending(s, i)
	}
	return !o.lostSurely
}

// walkDensity is the share of a block's indices, one in so many, from which on a
// walk over all of them is faster than finding the pending ones one by one.
const walkDensity = 16

// eachPending calls f for the bits of a block.
func (w *deriver[P]) eachPending(lo, hi uint64, f func(i uint64, p P)) {
	pending := bitset(w.pending[w.slice])
	if pending == nil {
		return
	}
	if w.chooser != nil {
		pending.copyTo(&w.left, lo, hi)
		w.chooser.WalkChosen(w.slice, lo, hi, w.left[:(hi-lo+63)/64], func(i uint64, p P, _ int) bool {
			f(i, p)
			return true
		})
		return
	}
	if pending.count(lo, hi)*walkDensity > hi-lo {
		w.game.Walk(w.slice, lo, hi, func(i uint64, p P, _ int) bool {
			if pending.has(i) {
				f(i, p)
			}
			return true
		})
		return
	}
	for word := lo / 64; word < (hi+63)/64; word++ {
		for rest := atomic.LoadUint64(&pending[word]); rest != 0; rest &= rest - 1 {
			i := word*64 + uint64(bits.TrailingZeros64(rest))
			p, _ := w.game.Unrank(w.slice, i)
			f(i, p)
		}
	}
}

// findPending reports what could not be grounded.
func (t *team[P]) findPending(ctx context.Context) error {
	for _, s := range t.group.Slices {
		err := t.eachBlock(ctx, s, 0, t.game.Indices(s), func(w *deriver[P], lo, hi uint64) {
			w.eachPending(lo, hi, w.findUngrounded)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *deriver[P]) findUngrounded(i uint64, p P) {
	w.findings.add(Finding{
		Metric: w.metric, Slice: w.game.SliceName(w.slice), What: "grounding",
		Index: i, Position: w.game.Format(p, 0),
		Stored: w.tables[w.slice].WDL.At(i).String(), Derived: "no line that ends the game",
	})
}
