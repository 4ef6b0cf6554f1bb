package verify

import (
	"context"
	"math/bits"
	"sync/atomic"

	"paika/bitboard"
	"paika/internal/parallel"
)

// depthTracing shows the depths of a slice for all positions at once, by a bitboard.Tracer.
//
// Positions are shown by rising distance. Those won with this turn are found first; then,
// round by round, those lost in d turns, which have no turn to anything but a win in fewer
// than d, and those won in d+1, which have a turn to a loss in d and are not won in fewer.
// What is found must have that very depth, and be as many as are stored with it. So what is
// shown is all that has the distance, in the game and in the table. Draws are shown as tracing
// shows them.
//
// Distances that few positions have are left to shares.
type depthTracing[P comparable] struct {
	tracing[P]
	depths []bitboard.Depth
	open   bitset   // not shown to be won
	counts []uint64 // indices by the depth that is stored
}

// show is that of tracing. A bit is pending while its depth is not shown.
func (r *depthTracing[P]) show(ctx context.Context) (sound bool, err error) {
	if err := r.count(ctx); err != nil {
		return false, err
	}
	if sound, err = r.begin(ctx); !sound || err != nil {
		return false, err
	}
	for distance := 2; distance <= r.farthest(); distance += 2 {
		if sound, err = r.round(ctx, distance); !sound || err != nil {
			return false, err
		}
	}
	if sound, err = r.showDraws(ctx, r.pendingDraws, r.losses); !sound || err != nil {
		return false, err
	}
	return true, r.eachWord(ctx, func(w *deriver[P], k uint64) {
		w.sums.Quiet -= r.weigh(k, r.pending[k]) // shares count those
	})
}

// count counts indices by depth. Neighbours often have the same, and are counted apart: to count one
// after the other would have it wait.
func (r *depthTracing[P]) count(ctx context.Context) error {
	const apart = 4
	counts := make([][]uint64, apart*len(r.workers))
	for i := range counts {
		counts[i] = make([]uint64, int(bitboard.MakeDepth(3, bitboard.MaxDistance))+1)
	}
	err := parallel.Blocks(ctx, len(r.workers), r.game.Indices(r.slice), blockIndices, func(worker int, lo, hi uint64) {
		many := counts[apart*worker:][:apart]
		for i, d := range r.depths[lo:hi] {
			of := many[i%apart]
			of[int(d)&(len(of)-1)]++
		}
	})
	r.counts = counts[0]
	for _, more := range counts[1:] {
		for d, many := range more {
			r.counts[d] += many
		}
	}
	return err
}

// farthest is the distance up to which to trace two sets more for each round takes less than
// to look at the turns of the positions.
func (r *depthTracing[P]) farthest() (farthest int) {
	round := 2 * r.game.Indices(r.slice) / traceDensity
	spared, most := uint64(0), uint64(0)
	for distance := 2; distance < bitboard.MaxDistance; distance += 2 {
		rounds := uint64(distance / 2)
		spared += r.counts[bitboard.MakeDepth(bitboard.Loss, distance)] + r.counts[bitboard.MakeDepth(bitboard.Win, distance+1)]
		if spared > rounds*round && spared-rounds*round > most {
			farthest, most = distance, spared-rounds*round
		}
	}
	return farthest
}

// begin shows the wins with this turn. All other positions are quiet, since each has another
// turn.
func (r *depthTracing[P]) begin(ctx context.Context) (sound bool, err error) {
	if err := r.traceSet(ctx, nil); err != nil {
		return false, err
	}
	return r.foundAll(ctx, bitboard.MakeDepth(bitboard.Win, 1), func(w *deriver[P], k uint64) uint64 {
		r.pending[k], r.open[k] = ^r.image[k], ^r.image[k]
		w.sums.Quiet += r.weigh(k, ^r.image[k])
		return r.image[k]
	})
}

// round shows the losses in a number of turns, and the wins in one more.
func (r *depthTracing[P]) round(ctx context.Context, distance int) (sound bool, err error) {
	if err := r.traceSet(ctx, r.open); err != nil {
		return false, err
	}
	sound, err = r.foundAll(ctx, bitboard.MakeDepth(bitboard.Loss, distance), func(_ *deriver[P], k uint64) uint64 {
		lost := r.pending[k] &^ r.image[k]
		r.set[k] = lost
		r.pending[k] &^= lost
		return lost
	})
	if !sound || err != nil {
		return false, err
	}
	if err := r.traceSet(ctx, r.set); err != nil {
		return false, err
	}
	return r.foundAll(ctx, bitboard.MakeDepth(bitboard.Win, distance+1), func(_ *deriver[P], k uint64) uint64 {
		won := r.open[k] & r.image[k]
		r.open[k] &^= won
		r.pending[k] &^= won
		return won
	})
}

// foundAll tells whether the positions that find gives, word by word, are those that have a
// depth.
func (r *depthTracing[P]) foundAll(ctx context.Context, depth bitboard.Depth, find func(w *deriver[P], k uint64) uint64) (sound bool, err error) {
	var many atomic.Uint64
	var wrong atomic.Bool
	err = r.eachBlock(ctx, r.slice, 0, r.game.Indices(r.slice), func(w *deriver[P], lo, hi uint64) {
		here := 0
		for k := lo / 64; k < hi/64; k++ {
			word := find(w, k)
			has := r.of(k, word, depth)
			here += bits.OnesCount64(has)
			if others := word &^ has; others != 0 && r.weigh(k, others) != 0 { // gaps have none
				wrong.Store(true)
			}
		}
		many.Add(uint64(here))
	})
	return err == nil && !wrong.Load() && many.Load() == r.counts[depth], err
}

// of tells which bits of a word have a depth.
func (r *depthTracing[P]) of(k, word uint64, depth bitboard.Depth) (has uint64) {
	depths := r.depths[64*k:][:64]
	for rest := word; rest != 0; rest &= rest - 1 {
		if i := bits.TrailingZeros64(rest) & 63; depths[i] == depth {
			has |= 1 << i
		}
	}
	return has
}

// pendingDraws and losses are the values that stand in a word.
func (r *depthTracing[P]) pendingDraws(k uint64) (drawn uint64) { return r.of(k, r.pending[k], 0) }

func (r *depthTracing[P]) losses(k uint64) (lost uint64) {
	for i, d := range r.depths[64*k:][:64] {
		if d.Value() == bitboard.Loss {
			lost |= 1 << i
		}
	}
	return lost
}
