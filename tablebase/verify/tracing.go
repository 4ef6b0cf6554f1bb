package verify

import (
	"context"
	"fmt"
	"math/bits"
	"sync"
	"sync/atomic"

	"paika/bitboard"
	"paika/internal/offheap"
)

// traceDensity is the share of a slice's indices, one in so many, from which on tracing for
// all of them is faster than to look at the turns of those that are left.
const traceDensity = 256

// bitset has a bit an index. Any goroutine may change words that no other looks at.
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

// count is the number of bits set in a block.
func (b bitset) count(lo, hi uint64) (n uint64) {
	for _, word := range b[lo/64 : (hi+63)/64] {
		n += uint64(bits.OnesCount64(word))
	}
	return n
}

// tracing shows the values of a slice for all positions at once, by a bitboard.Tracer.
//
// A bit an index says that its value is pending. It is turned off for wins
// with this turn; then, round by round, for losses without a turn to anything but a win
// whose bit is off, and for wins with a turn to such a loss. By induction over the rounds
// these have the value of the game. A draw is shown by what agrees with it: a turn to a
// draw, and none to a loss or to the end of the game. Where few are draws, their bits stay on.
// Bits that are left on when few are left, or nothing changes, are due: shares look at them,
// and ground what rests on others of them.
type tracing[P comparable] struct {
	*team[P]
	tracer     bitboard.Tracer
	slice      bitboard.Slice
	values     bitboard.Packed
	pending    bitset
	set, image bitset
	room       []uint64
	pace       *pace
}

// Of the progress in a traced slice, one part in so many is left for the shares after it. How
// many sets there are to trace is not known before: each part of a trace tells one in so many
// of what remains.
const (
	sharesPart = 16
	tracesPart = 2048
)

// pace tells how far tracing comes.
type pace struct {
	mutex sync.Mutex
	left  uint64 // indices
}

// step is how many indices to tell of now.
func (p *pace) step(part uint64) (indices uint64) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	indices = p.left / part
	p.left -= indices
	return indices
}

// traces tells how a slice can be shown by tracing, or gives nil.
func (t *team[P]) traces(s bitboard.Slice) bitboard.Tracer {
	if !t.roomy || t.chooser == nil || !tracesAll(t.game, &t.groupCheck) {
		return nil
	}
	return t.game.(bitboard.Tracer)
}

// tracesAll tells whether a game can trace turns of the one slice of a group.
func tracesAll[P comparable](game Game[P], c *groupCheck) bool {
	tracer, can := game.(bitboard.Tracer)
	if !can || len(c.group.Slices) != 1 {
		return false
	}
	s := c.group.Slices[0]
	return game.Indices(s)%64 == 0 && tracer.TraceRoom(s) != 0
}

// trace shows a slice by tracing. Where that finds something wrong, all its values stay
// pending, and shares find out what it is.
func (t *team[P]) trace(ctx context.Context, s bitboard.Slice, tracer bitboard.Tracer) error {
	n := t.game.Indices(s)
	r := tracing[P]{team: t, tracer: tracer, slice: s, values: t.values[s], pace: &pace{left: n - n/sharesPart}}
	t.traced[s] = true
	defer r.free()
	defer func() { t.moved(r.pace.step(1)) }()
	if err := r.allocate(); err != nil {
		return err
	}
	show := r.show
	if t.metric == bitboard.DTW {
		deep := depthTracing[P]{tracing: r, depths: t.depths[s]}
		defer func() { offheap.Free(deep.open) }()
		var err error
		if deep.open, err = offheap.Make[uint64](uint64(len(r.pending))); err != nil {
			return err
		}
		show = deep.show
	}
	t.startSums()
	sound, err := show(ctx)
	if err != nil {
		return err
	}
	if !sound {
		for k := range r.pending {
			r.pending[k] = ^uint64(0)
		}
		return nil
	}
	t.leftOutQuiet[s] = t.sumUp().Quiet
	return nil
}

func (r *tracing[P]) allocate() (err error) {
	if r.pending, err = newFullBitset(r.game.Indices(r.slice)); err != nil {
		return fmt.Errorf("slice %s: %w", r.game.SliceName(r.slice), err)
	}
	r.due[r.slice] = r.pending
	for _, a := range []struct {
		words *[]uint64
		many  uint64
	}{{(*[]uint64)(&r.set), uint64(len(r.pending))}, {(*[]uint64)(&r.image), uint64(len(r.pending))}, {&r.room, r.tracer.TraceRoom(r.slice)}} {
		if *a.words, err = offheap.Make[uint64](a.many); err != nil {
			return err
		}
	}
	return nil
}

func (r *tracing[P]) free() {
	offheap.Free(r.set)
	offheap.Free(r.image)
	offheap.Free(r.room)
}

// show turns off the bits that it can, and tells whether nothing that it came to is wrong. It
// counts the quiet positions among those whose bits are off.
func (r *tracing[P]) show(ctx context.Context) (sound bool, err error) {
	if sound, err = r.begin(ctx); !sound || err != nil {
		return false, err
	}
	if sound, err = r.showDraws(ctx, r.pendingDraws, r.losses); !sound || err != nil {
		return false, err
	}
	for more := true; more; {
		if more, err = r.round(ctx); err != nil {
			return false, err
		}
	}
	return true, r.eachWord(ctx, func(w *deriver[P], k uint64) {
		w.sums.Quiet -= r.weigh(k, r.pending[k]) // shares count those
	})
}

// begin turns off the bits of wins with this turn. All other positions are quiet, since each
// has another turn. Nothing but a win may stand where there is such a turn.
func (r *tracing[P]) begin(ctx context.Context) (sound bool, err error) {
	if err := r.traceSet(ctx, nil); err != nil {
		return false, err
	}
	return r.none(ctx, func(w *deriver[P], k uint64) (wrong uint64) {
		r.pending[k] = ^r.image[k]
		w.sums.Quiet += r.weigh(k, ^r.image[k])
		return r.image[k] &^ r.values.Equal(k, bitboard.Win)
	})
}

// pendingDraws and losses are the values that stand in a word.
func (r *tracing[P]) pendingDraws(k uint64) (drawn uint64) {
	return r.pending[k] &^ (r.values.Equal(k, bitboard.Win) | r.values.Equal(k, bitboard.Loss))
}

func (r *tracing[P]) losses(k uint64) (lost uint64) { return r.values.Equal(k, bitboard.Loss) }

// showDraws turns off the bits of draws, and tells whether all agree with their turns. Of a few
// it leaves the bits on.
func (r *tracing[P]) showDraws(ctx context.Context, pending, losses func(k uint64) uint64) (sound bool, err error) {
	draws, err := r.found(ctx, func(_ *deriver[P], k uint64) (drawn uint64) {
		r.set[k] = pending(k)
		return r.set[k]
	})
	if err != nil {
		return false, err
	}
	if r.areFew(draws) {
		return true, r.eachWord(ctx, func(_ *deriver[P], k uint64) {
			if r.weigh(k, r.set[k]) == 0 { // gaps
				r.pending[k] &^= r.set[k]
			}
		})
	}
	if err := r.traceSet(ctx, r.set); err != nil {
		return false, err
	}
	sound, err = r.none(ctx, func(_ *deriver[P], k uint64) (wrong uint64) {
		drawn := r.set[k]
		r.set[k] = losses(k)
		return drawn &^ r.image[k]
	})
	if !sound || err != nil {
		return false, err
	}
	if err := r.traceSet(ctx, r.set); err != nil {
		return false, err
	}
	return r.none(ctx, func(_ *deriver[P], k uint64) (wrong uint64) {
		drawn := pending(k)
		r.pending[k] &^= drawn
		return drawn & r.image[k]
	})
}

// round turns off the bits of losses all of whose turns lead to wins that are shown, and then
// of wins with a turn to such a loss. It tells whether another round is worth it.
func (r *tracing[P]) round(ctx context.Context) (more bool, err error) {
	err = r.eachWord(ctx, func(_ *deriver[P], k uint64) {
		r.set[k] = ^r.values.Equal(k, bitboard.Win) | r.pending[k]
	})
	if err != nil {
		return false, err
	}
	if err := r.traceSet(ctx, r.set); err != nil {
		return false, err
	}
	var changed atomic.Bool
	err = r.eachWord(ctx, func(_ *deriver[P], k uint64) {
		r.set[k] = r.values.Equal(k, bitboard.Loss) & r.pending[k] &^ r.image[k]
		if r.set[k] != 0 {
			r.pending[k] &^= r.set[k]
			changed.Store(true)
		}
	})
	if err != nil || !changed.Load() {
		return false, err
	}
	if err := r.traceSet(ctx, r.set); err != nil {
		return false, err
	}
	var left atomic.Uint64
	err = r.eachBlock(ctx, r.slice, 0, 64*uint64(len(r.pending)), func(_ *deriver[P], lo, hi uint64) {
		for k := lo / 64; k < hi/64; k++ {
			r.pending[k] &^= r.values.Equal(k, bitboard.Win) & r.image[k]
		}
		left.Add(r.pending.count(lo, hi))
	})
	return !r.areFew(left.Load()), err
}

// areFew tells whether to look at the turns of so many takes less than to trace a set.
func (r *tracing[P]) areFew(many uint64) bool {
	return many*traceDensity <= 64*uint64(len(r.pending))
}

// traceSet fills the image with where turns into a set begin.
func (r *tracing[P]) traceSet(ctx context.Context, set bitset) error {
	run := r.run(ctx)
	return r.tracer.Trace(r.slice, r.image, set, r.room, func(parts uint64, do func(part uint64)) error {
		return run(parts, func(part uint64) {
			do(part)
			r.moved(r.pace.step(tracesPart))
		})
	})
}

// eachWord goes over the words of bits.
func (r *tracing[P]) eachWord(ctx context.Context, do func(w *deriver[P], k uint64)) error {
	return r.eachBlock(ctx, r.slice, 0, 64*uint64(len(r.pending)), func(w *deriver[P], lo, hi uint64) {
		for k := lo / 64; k < hi/64; k++ {
			do(w, k)
		}
	})
}

// found is how many positions are found in the words of bits.
func (r *tracing[P]) found(ctx context.Context, find func(w *deriver[P], k uint64) uint64) (positions uint64, err error) {
	var many atomic.Uint64
	err = r.eachBlock(ctx, r.slice, 0, 64*uint64(len(r.pending)), func(w *deriver[P], lo, hi uint64) {
		here := uint64(0)
		for k := lo / 64; k < hi/64; k++ {
			if word := find(w, k); word != 0 {
				here += r.weigh(k, word)
			}
		}
		many.Add(here)
	})
	return many.Load(), err
}

// none tells whether no position is found in the words of bits.
func (r *tracing[P]) none(ctx context.Context, find func(w *deriver[P], k uint64) uint64) (bool, error) {
	positions, err := r.found(ctx, find)
	return err == nil && positions == 0, err
}

// weigh is the number of positions for which the bits of a word stand.
func (r *tracing[P]) weigh(k, word uint64) uint64 {
	return r.tracer.Weigh(r.slice, k, word)
}
