package retrograde

import (
	"context"

	"paika/bitboard"
	"paika/internal/parallel"
)

// settle decides what the turns out of the group decide, and counts the others, those
// decided inside the group.
func (w *wdl) settle(ctx context.Context) error {
	kernel, ok := w.game.(bitboard.BestSettler)
	if !ok {
		return w.common.settle(ctx, w.settleStep)
	}
	w.enter("settling")
	for i, t := range w.group {
		if err := w.settleBest(ctx, kernel, t.Slice, i); err != nil {
			return err
		}
	}
	return nil
}

// settleStep settles a few indices by the kernel's edges.
func (w *wdl) settleStep(worker int, s bitboard.Slice, lo, hi uint64) (inside uint64) {
	inside = w.values.settle(w.game, w.values[s][lo/32:], s, lo, hi, &w.states[worker].settling)
	w.add(hi-lo, settleShares)
	return inside
}

// settleBest settles a slice, the group's number i.
func (w *wdl) settleBest(ctx context.Context, kernel bitboard.BestSettler, s bitboard.Slice, i int) error {
	state, inside, n := w.keeper.state, make([]uint64, w.workers), w.game.Indices(s)
	w.add(state.Settled[i], settleShares)
	if state.Settled[i] == n {
		return nil
	}
	var room []uint64
	if words := settleWords(kernel, s, w.room); words > 0 {
		var err error
		if room, err = take[uint64](w.arrays, words); err != nil {
			return err
		}
		defer give(w.arrays, room)
	}
	best := bestSettling{kernel: kernel, slice: s, known: &w.values, room: room, workers: w.workers, grain: w.grain}
	best.work = func(settler bitboard.Settler, worker int, lo, hi uint64) {
		inside[worker] += settler.Settle(w.values[s][lo/32:], lo, hi)
		w.add(hi-lo, settleShares)
	}
	best.done = func(index uint64) {
		state.Settled[i] = index
		for worker := range inside {
			state.Inside[i] += inside[worker]
			inside[worker] = 0
		}
		w.keeper.due()
	}
	return best.settle(ctx, state.Settled[i], n)
}

// settleWords is how much a kernel gets of so many bytes of room to settle a slice, in
// words: as much as it has use for, or none.
func settleWords(kernel bitboard.BestSettler, s bitboard.Slice, bytes uint64) uint64 {
	least, most := kernel.SettleRoom(s)
	if words := min(most, bytes/8); words >= least {
		return words
	}
	return 0
}

// bestSettling settles a slice by a bitboard.BestSettler.
type bestSettling struct {
	kernel  bitboard.BestSettler
	slice   bitboard.Slice
	known   *packedTables
	room    []uint64
	workers int
	grain   grain

	work func(settler bitboard.Settler, worker int, lo, hi uint64) // to do with a block
	done func(index uint64)                                        // told when all below an index is done, while no worker is at work
}

// settle settles the indices from one on and below n.
func (b *bestSettling) settle(ctx context.Context, from, n uint64) error {
	run := func(parts uint64, do func(part uint64)) error {
		return parallel.Blocks(ctx, b.workers, parts, 1, func(_ int, part, _ uint64) { do(part) })
	}
	settler := b.kernel.Settler(b.slice, (*[bitboard.MaxSlices]bitboard.Packed)(b.known), b.room)
	for ready := from; from < n; {
		if from == ready {
			var err error
			if ready, err = settler.Ready(from, run); err != nil {
				return err
			}
		}
		to, base := min(ready, from+b.grain.segment), from&^31 // no two blocks share a word
		err := parallel.Blocks(ctx, b.workers, to-base, b.grain.block, func(worker int, lo, hi uint64) {
			b.work(settler, worker, max(base+lo, from), base+hi)
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
