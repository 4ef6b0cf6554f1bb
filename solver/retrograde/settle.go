package retrograde

import (
	"context"

	"paika/bitboard"
	"paika/internal/parallel"
)

// settle decides what the turns out of the group decide, and counts the others, those
// decided inside the group.
func (w *wdl) settle(ctx context.Context) error { return w.settleAll(ctx, w.settleBest, w.settleStep) }

// settle gives final values to what turns out of the group decide.
func (d *dtw) settle(ctx context.Context) error {
	return d.settleAll(ctx, d.settleDepths, d.settleStep)
}

// settleAll settles the group's slices, each at once where that can be, or else by steps.
func (c *common) settleAll(ctx context.Context, atOnce func(context.Context, bitboard.Slice, int) (settled bool, err error), step stepFunc) error {
	c.enter(Settling)
	for i, t := range c.group {
		if c.settled(i) {
			continue
		}
		done, err := atOnce(ctx, t.Slice, i)
		if err == nil && !done {
			err = c.settleSlice(ctx, i, step)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// settled tells whether all of the group's slice number i is settled, and counts that.
func (c *common) settled(i int) bool {
	n := c.game.Indices(c.group[i].Slice)
	if c.keeper.state.Settled[i] != n {
		return false
	}
	c.addEarlier(n, settleShares)
	return true
}

// settleDepths settles a slice, the group's number i, by the kernel's settler. It tells
// false where there is none.
func (d *dtw) settleDepths(ctx context.Context, s bitboard.Slice, i int) (settled bool, err error) {
	kernel, ok := d.game.(bitboard.DepthKernel)
	if !ok {
		return false, nil
	}
	room, err := takeRoom(d.arrays, kernel.DepthRoom, s, d.room)
	if err != nil {
		return false, err
	}
	defer give(d.arrays, room)
	settler, fits := kernel.DepthSettler(s, &d.values, room)
	if !fits {
		return false, nil
	}
	return true, d.settlePortions(ctx, i, settler.Ready, func(lo, hi uint64) (inside uint64) {
		return settler.Settle(d.values[s][lo:hi], lo, hi)
	})
}

// settleStep settles a few indices by the kernel's edges.
func (w *wdl) settleStep(worker int, s bitboard.Slice, lo, hi uint64) (inside uint64, err error) {
	inside = w.values.settle(w.game, w.values[s][lo/32:], s, lo, hi, &w.states[worker].settling)
	w.add(hi-lo, settleShares)
	return inside, nil
}

// settleBest is what settleDepths is.
func (w *wdl) settleBest(ctx context.Context, s bitboard.Slice, i int) (settled bool, err error) {
	kernel, ok := w.game.(bitboard.BestSettler)
	if !ok {
		return false, nil
	}
	room, err := takeRoom(w.arrays, kernel.SettleRoom, s, w.room)
	if err != nil {
		return false, err
	}
	defer give(w.arrays, room)
	settler, fits := kernel.Settler(s, (*[bitboard.MaxSlices]bitboard.Packed)(&w.values), room)
	if !fits {
		return false, nil
	}
	return true, w.settlePortions(ctx, i, settler.Ready, func(lo, hi uint64) (inside uint64) {
		return settler.Settle(w.values[s][lo/32:], lo, hi)
	})
}

// settlePortions settles the group's slice number i by a kernel that takes up portions.
func (c *common) settlePortions(ctx context.Context, i int, ready readyFunc, settle func(lo, hi uint64) (inside uint64)) error {
	state, inside := c.keeper.state, make([]uint64, c.workers)
	c.addEarlier(state.Settled[i], settleShares)
	p := portions{ready: ready, workers: c.workers, grain: c.grain}
	p.work = func(worker int, lo, hi uint64) {
		inside[worker] += settle(lo, hi)
		c.add(hi-lo, settleShares)
	}
	p.done = func(index uint64) {
		state.Settled[i] = index
		for worker := range inside {
			state.Inside[i] += inside[worker]
			inside[worker] = 0
		}
		c.keeper.due()
	}
	return p.settle(ctx, state.Settled[i], c.game.Indices(c.group[i].Slice))
}

// takeRoom takes what a kernel has use for to settle a slice, of so many bytes: none where
// these are too few.
func takeRoom(taken *arrays, needs func(bitboard.Slice) (least, most uint64), s bitboard.Slice, bytes uint64) ([]uint64, error) {
	words := settleWords(needs, s, bytes)
	if words == 0 {
		return nil, nil
	}
	return take[uint64](taken, words)
}

// settleWords is how much a kernel gets of so many bytes of room to settle a slice, in
// words: as much as it has use for, or none.
func settleWords(needs func(bitboard.Slice) (least, most uint64), s bitboard.Slice, bytes uint64) uint64 {
	least, most := needs(s)
	if words := min(most, bytes/8); words >= least {
		return words
	}
	return 0
}

// stepFunc settles a few indices of a slice. It tells how many positions turns out of the
// group do not decide, or why values can't be stored.
type stepFunc func(worker int, s bitboard.Slice, lo, hi uint64) (inside uint64, err error)

// readyFunc is bitboard.Settler.Ready.
type readyFunc func(lo uint64, run bitboard.Run) (hi uint64, err error)

// portions settles a slice by a kernel that takes up portions of it.
type portions struct {
	ready   readyFunc
	workers int
	grain   grain

	work func(worker int, lo, hi uint64) // to do with a block
	done func(index uint64)              // told when all below an index is done, while no worker is at work
}

// settle settles the indices from one on and below n.
func (b *portions) settle(ctx context.Context, from, n uint64) error {
	run := func(parts uint64, do func(part uint64)) error {
		return parallel.Blocks(ctx, b.workers, parts, 1, func(_ int, part, _ uint64) { do(part) })
	}
	for ready := from; from < n; {
		if from == ready {
			var err error
			if ready, err = b.ready(from, run); err != nil {
				return err
			}
		}
		to, base := min(ready, from+b.grain.segment), from&^31 // no two blocks share a word
		err := parallel.Blocks(ctx, b.workers, to-base, b.grain.block, func(worker int, lo, hi uint64) {
			b.work(worker, max(base+lo, from), base+hi)
		})
		if err != nil {
			return err
		}
		b.done(to)
		from = to
	}
	return nil
}

// settling is the room that a worker needs to settle.
type settling struct {
	edges   bitboard.Edges
	seen    []bitboard.Value // values of edges.Refs
	weights []uint8
}

// settle is what bitboard.Settler asks of Settle, for any kernel. What was in dst is gone.
func (v *packedTables) settle(game Game, dst bitboard.Packed, s bitboard.Slice, lo, hi uint64, st *settling) (inside uint64) {
	game.Settle(s, lo, hi, &st.edges)
	st.seen = v.gather(st.seen[:0], st.edges.Refs)
	st.weights = game.Weights(st.weights[:0], s, lo, hi)
	clear(dst[:bitboard.PackedWords(hi-lo)])
	start := uint32(0)
	for i, fate := range st.edges.Fates {
		end := st.edges.Ends[i]
		if fate == bitboard.Open || fate == bitboard.Lost || fate == bitboard.Drawn {
			inside += uint64(st.weights[i])
		}
		dst.Or(uint64(i), settledValue(fate, st.seen[start:end]))
		start = end
	}
	return inside
}

// settledValue is what the fate of an index, and where its turns lead, settle.
func settledValue(fate bitboard.Fate, turns []bitboard.Value) bitboard.Value {
	switch fate {
	case bitboard.ByEdges:
		if v := verdict(turns); v != bitboard.Draw {
			return v
		}
	case bitboard.Won:
		return bitboard.Win
	case bitboard.Lost:
		return bitboard.Loss
	case bitboard.Open:
		return bitboard.Draw
	}
	return bitboard.Settled
}
