package retrograde

import (
	"bytes"
	"context"
	"math/bits"
	"sync/atomic"

	"paika/bitboard"
	"paika/internal/parallel"
)

// sweepAgain is the cost of propagating from a position, in positions swept.
const sweepAgain = 3

// wdl solves a group for the metric wdl.
type wdl struct {
	common
	values packedTables // the group's and those it needs
	states []wdlWorker

	frontier []bitboard.Ref // to be followed, shared by the workers
	bound    int            // length of a worker's list of found positions
}

// wdlWorker is what one worker has to itself.
type wdlWorker struct {
	settling
	indices  []uint64
	verdicts []bitboard.Value // of indices

	waiting []bitboard.Ref // to be evaluated
	sort    sorter         // of these
	before  []uint64       // indices of waiting

	decided, open uint64         // by the present sweep
	found         []bitboard.Ref // decided and not followed yet
	newest        []bitboard.Ref // of found, while they are followed
	dropped       bool           // found is not all

	counts [4]uint64 // positions by value
}

func newWDL(c common, known map[bitboard.Slice]*bitboard.Table) *wdl {
	w := &wdl{common: c, states: make([]wdlWorker, c.workers)}
	for s, t := range known {
		w.values[s] = t.WDL
	}
	var indices uint64
	for _, t := range c.group {
		w.values[t.Slice] = t.WDL
		indices += c.game.Indices(t.Slice)
	}
	w.bound = listLength(c.grain.found, indices, c.workers)
	return w
}

func (w *wdl) solve(ctx context.Context) ([]bitboard.Summary, error) {
	defer w.free()
	if err := w.allocate(); err != nil {
		return nil, err
	}
	if err := w.settle(ctx); err != nil {
		return nil, err
	}
	if err := w.close(ctx); err != nil {
		return nil, err
	}
	return w.count(func(s bitboard.Slice) (bitboard.Summary, error) { return w.finish(ctx, s) })
}

// allocate makes room for the lists.
func (w *wdl) allocate() (err error) {
	bound := uint64(w.bound)
	if w.frontier, err = take[bitboard.Ref](w.arrays, bound*uint64(w.workers)); err != nil {
		return err
	}
	for i := range w.states {
		if w.states[i].found, err = take[bitboard.Ref](w.arrays, bound); err != nil {
			return err
		}
	}
	return nil
}

func (w *wdl) free() {
	give(w.arrays, w.frontier)
	w.frontier = nil
	for i := range w.states {
		give(w.arrays, w.states[i].found)
		w.states[i].found = nil
	}
}

// gather reads the values of the worker's edges.
func (w *wdl) gather(st *wdlWorker) { st.seen = w.values.gather(st.seen[:0], st.edges.Refs) }

// packedTables is tables by slice.
type packedTables [bitboard.MaxSlices]bitboard.Packed

// gather appends the values at refs to seen. The loads are independent, and
// atomic, as other workers may be deciding the positions of a group.
func (v *packedTables) gather(seen []bitboard.Value, refs []bitboard.Ref) []bitboard.Value {
	for _, r := range refs {
		seen = append(seen, v[r.Slice()&(bitboard.MaxSlices-1)].Load(r.Index()))
	}
	return seen
}

// verdict is the value of a position whose turns lead to these: Draw if they do
// not decide it.
func verdict(turns []bitboard.Value) bitboard.Value {
	var seen bitboard.Values
	for _, v := range turns {
		seen |= 1 << v
	}
	return seen.Verdict()
}

// decide gives an open position its value. It tells false if another worker
// was first.
func (w *wdl) decide(s bitboard.Slice, i uint64, v bitboard.Value) bool {
	shift := i & 31 * 2
	before := atomic.OrUint64(&w.values[s][i>>5], uint64(v)<<shift)
	return before>>shift&3 == 0
}

// close sweeps and propagates until nothing more can be decided.
func (w *wdl) close(ctx context.Context) error {
	w.enter(Sweeping)
	for first := true; ; first = false {
		decided, open, dropped, err := w.sweep(ctx, first)
		if err != nil {
			return err
		}
		if decided == 0 {
			return nil
		}
		if dropped || decided*sweepAgain > open {
			continue
		}
		w.enter(Propagating)
		if dropped, err = w.propagate(ctx); err != nil || !dropped {
			return err
		}
		w.enter(Sweeping)
	}
}

// sweep evaluates every open position once, and lists those that it decides.
// It tells how many those are, how many stay open, and whether a list was
// dropped.
func (w *wdl) sweep(ctx context.Context, first bool) (decided, open uint64, dropped bool, err error) {
	for i := range w.states {
		st := &w.states[i]
		st.decided, st.open, st.found, st.dropped = 0, 0, st.found[:0], false
	}
	for _, t := range w.group {
		if err := w.sweepSlice(ctx, t.Slice, first); err != nil {
			return 0, 0, false, err
		}
	}
	for i := range w.states {
		st := &w.states[i]
		decided, open, dropped = decided+st.decided, open+st.open, dropped || st.dropped
	}
	return decided, open, dropped, nil
}

// sweepSlice sweeps a slice, in an order of the game's where it has one.
func (w *wdl) sweepSlice(ctx context.Context, s bitboard.Slice, first bool) error {
	done := func(worker int, indices uint64) {
		w.shorten(&w.states[worker])
		if first {
			w.add(indices, sweepShares)
		}
	}
	near, parts := w.nearParts(s)
	if parts == 0 {
		return w.segments(ctx, s, 0, func(worker int, lo, hi uint64) {
			w.sweepBlock(&w.states[worker], s, lo, hi)
			done(worker, hi-lo)
		}, func(uint64) error { return nil })
	}
	each := w.game.Indices(s) / parts
	return w.pieces(ctx, parts, 0, max(1, w.grain.segment/each), 1, func(worker int, part, _ uint64) {
		w.sweepNear(&w.states[worker], near, s, part)
		done(worker, each)
	}, func(uint64) error { return nil })
}

// nearParts is how many parts a slice has in an order of the game's, or 0.
func (w *wdl) nearParts(s bitboard.Slice) (near bitboard.NearJudge, parts uint64) {
	if near, ok := w.game.(bitboard.NearJudge); ok {
		return near, near.NearParts(s)
	}
	return nil, 0
}

// sweepNear evaluates the open positions of a part.
func (w *wdl) sweepNear(st *wdlWorker, near bitboard.NearJudge, s bitboard.Slice, part uint64) {
	st.indices, st.verdicts = near.JudgeNear(st.indices[:0], st.verdicts[:0], s, part, (*[bitboard.MaxSlices]bitboard.Packed)(&w.values), 1<<bitboard.Loss)
	w.accept(st, s, st.indices)
}

// sweepBlock evaluates the open positions of [lo, hi).
func (w *wdl) sweepBlock(st *wdlWorker, s bitboard.Slice, lo, hi uint64) {
	st.indices = st.indices[:0]
	for base := lo; base < hi; base += 32 {
		word := atomic.LoadUint64(&w.values[s][base/32]) // a position may be won by what another worker follows
		open := ^(word | word>>1) & 0x5555555555555555
		if rest := hi - base; rest < 32 {
			open &= 1<<(2*rest) - 1
		}
		for ; open != 0; open &= open - 1 {
			st.indices = append(st.indices, base+uint64(bits.TrailingZeros64(open))/2)
		}
		if len(st.indices) >= w.grain.batch {
			w.evaluate(st, s, st.indices, 1<<bitboard.Loss)
			st.indices = st.indices[:0]
		}
	}
	w.evaluate(st, s, st.indices, 1<<bitboard.Loss)
}

// evaluate decides those of a slice's open positions that their turns decide. It may
// stop looking at the turns of one at the first that leads to a value of enough.
func (w *wdl) evaluate(st *wdlWorker, s bitboard.Slice, indices []uint64, enough bitboard.Values) {
	w.judge(st, s, indices, enough)
	w.accept(st, s, indices)
}

// accept decides what the worker's verdicts decide.
func (w *wdl) accept(st *wdlWorker, s bitboard.Slice, indices []uint64) {
	for k, i := range indices {
		if v := st.verdicts[k]; v == bitboard.Draw {
			st.open++
		} else if w.decide(s, i, v) {
			st.decided++
			w.list(st, s, i)
		}
	}
}

// judge fills the worker's verdicts with what the turns of open positions come to.
func (w *wdl) judge(st *wdlWorker, s bitboard.Slice, indices []uint64, enough bitboard.Values) {
	st.verdicts = st.verdicts[:0]
	if k, ok := w.game.(bitboard.Judge); ok {
		st.verdicts = k.Judge(st.verdicts, s, indices, (*[bitboard.MaxSlices]bitboard.Packed)(&w.values), enough)
		return
	}
	w.game.Forward(s, indices, &st.edges)
	w.gather(st)
	start := uint32(0)
	for _, end := range st.edges.Ends {
		st.verdicts = append(st.verdicts, verdict(st.seen[start:end]))
		start = end
	}
}

// list remembers a decided position for propagation.
func (w *wdl) list(st *wdlWorker, s bitboard.Slice, i uint64) {
	if len(st.found) >= w.bound {
		st.dropped = true
	}
	if !st.dropped {
		st.found = append(st.found, bitboard.MakeRef(s, i))
	}
}

// shorten follows a list that is half full, or drops it in a sweep that will be made
// good by another.
func (w *wdl) shorten(st *wdlWorker) {
	if len(st.found) <= w.bound/2 {
		return
	}
	if st.decided*sweepAgain > st.open {
		st.dropped = true
		return
	}
	decided, open := st.decided, st.open // of the sweep, without what follows from it
	w.followNewest(st, w.bound/2)
	st.decided, st.open = decided, open
}

// followNewest follows the newest positions of a list, and those that they decide,
// until no more than so many are left. The newest first: then few wait.
func (w *wdl) followNewest(st *wdlWorker, most int) {
	for len(st.found) > most && !st.dropped {
		rest := max(most, len(st.found)-w.grain.batch)
		st.newest = append(st.newest[:0], st.found[rest:]...)
		st.found = st.found[:rest]
		w.follow(st, st.newest)
	}
}

// propagate follows up all that is listed, and what that decides, until no list
// holds anything. It tells whether something had to be dropped.
func (w *wdl) propagate(ctx context.Context) (dropped bool, err error) {
	for {
		frontier := w.frontier[:0]
		for i := range w.states {
			frontier = append(frontier, w.states[i].found...)
			dropped = dropped || w.states[i].dropped
			w.states[i].found = w.states[i].found[:0]
		}
		if len(frontier) == 0 || dropped {
			return dropped, nil
		}
		err := parallel.Blocks(ctx, w.workers, uint64(len(frontier)), uint64(w.grain.batch), func(worker int, lo, hi uint64) {
			st := &w.states[worker]
			w.follow(st, frontier[lo:hi])
			w.followNewest(st, w.bound/2)
		})
		if err != nil {
			return false, err
		}
		w.keeper.due()
	}
}

// follow decides what it can of the positions before those given: one before a
// lost position is won, one before a won position may have been the last to wait
// for it.
func (w *wdl) follow(st *wdlWorker, refs []bitboard.Ref) {
	for s, indices := range runs(refs, &st.indices) {
		w.followSlice(st, s, indices)
	}
}

// followSlice follows up positions of one slice.
func (w *wdl) followSlice(st *wdlWorker, s bitboard.Slice, indices []uint64) {
	w.game.Backward(s, indices, &st.edges)
	w.gather(st)
	waiting, start := st.waiting[:0], uint32(0)
	for k, i := range indices {
		end := st.edges.Ends[k]
		lost := w.values[s].Load(i) == bitboard.Loss
		for j := start; j < end; j++ {
			if st.seen[j] != bitboard.Draw {
				continue
			}
			if before := st.edges.Refs[j]; !lost {
				waiting = append(waiting, before)
			} else if w.decide(before.Slice(), before.Index(), bitboard.Win) {
				w.list(st, before.Slice(), before.Index())
			}
		}
		start = end
	}
	st.waiting = st.sort.inOrder(waiting)
	for before, indices := range runs(st.waiting, &st.before) {
		w.evaluate(st, before, indices, bitboard.NotWon)
	}
}

// finish turns a slice's working values into final ones and counts them.
func (w *wdl) finish(ctx context.Context, s bitboard.Slice) (bitboard.Summary, error) {
	for i := range w.states {
		w.states[i].counts = [4]uint64{}
	}
	err := parallel.Blocks(ctx, w.workers, w.game.Indices(s), w.grain.block, func(worker int, lo, hi uint64) {
		st := &w.states[worker]
		st.weights = w.game.Weights(st.weights[:0], s, lo, hi)
		values := w.values[s][lo/32:]
		st.count(values, st.weights)
		for i, word := range values[:bitboard.PackedWords(hi-lo)] {
			marks := word & (word >> 1) & 0x5555555555555555
			values[i] = word &^ (marks * 3)
		}
	})
	sum := bitboard.Summary{Slice: s, LongestWin: bitboard.UnknownDistance, LongestLoss: bitboard.UnknownDistance}
	for i := range w.states {
		c := w.states[i].counts
		sum.Win += c[bitboard.Win]
		sum.Loss += c[bitboard.Loss]
		sum.Draw += c[bitboard.Draw] + c[bitboard.Settled]
	}
	return sum, err
}

// count adds up how many positions have each value, by the weights of indices. The 32 of a
// word are counted at once where they weigh the same, as mostly they do.
func (st *wdlWorker) count(values bitboard.Packed, weights []uint8) {
	for lo := 0; lo < len(weights); lo += 32 {
		word := weights[lo:min(lo+32, len(weights))]
		if bytes.Equal(word[1:], word[:len(word)-1]) {
			for v, many := range values.Count(uint64(lo), uint64(lo+len(word))) {
				st.counts[v] += many * uint64(word[0])
			}
			continue
		}
		for i, weight := range word {
			st.counts[values.At(uint64(lo+i))] += uint64(weight)
		}
	}
}
