package verify

import (
	"context"
	"fmt"

	"paika/bitboard"
	"paika/internal/parallel"
	"paika/tablebase"
)

// derivation derives the values of one group. All workers read it; each writes
// to memory of its own, and to the bits of the block that it holds.
type derivation[P comparable] struct {
	*verifier[P]
	groupCheck
	tables  [bitboard.MaxSlices]*bitboard.Table // of the group and its needs
	wdl     [bitboard.MaxSlices]*bitboard.Table // of the group, where dtw has to agree
	pending [bitboard.MaxSlices]bitset          // of the group, in wdl: see ground
	partial [bitboard.MaxSlices]bool            // stored with values left out
	inGroup [bitboard.MaxSlices]bool
	workers []*deriver[P]

	leftOutQuiet map[bitboard.Slice]uint64 // quiet positions among those left out of a slice of the group
	batch        bitboard.BatchRanker[P]   // the game, if it can
}

func newDerivation[P comparable](v *verifier[P], c groupCheck) *derivation[P] {
	d := &derivation[P]{verifier: v, groupCheck: c, leftOutQuiet: make(map[bitboard.Slice]uint64)}
	for _, s := range c.group.Slices {
		d.inGroup[s] = true
	}
	for s, table := range v.tables[c.metric] {
		d.tables[s] = table
	}
	for _, s := range c.agree {
		d.wdl[s] = v.tables[bitboard.WDL][s]
	}
	for _, s := range c.sparse {
		d.partial[s] = true
	}
	if c.metric == bitboard.WDL {
		for _, s := range c.group.Slices {
			d.pending[s] = newFullBitset(v.game.Indices(s))
		}
	}
	d.batch, _ = v.game.(bitboard.BatchRanker[P])
	for range v.opts.Workers {
		d.workers = append(d.workers, &deriver[P]{derivation: d})
	}
	return d
}

// check derives every value of a slice, and sums up what the manifest says of
// it.
func (d *derivation[P]) check(ctx context.Context, s bitboard.Slice) error {
	d.startTally()
	err := d.eachBlock(ctx, s, func(w *deriver[P], lo, hi uint64) {
		w.block(lo, hi)
		d.progress.Add(hi - lo)
	})
	if err != nil {
		return err
	}
	sum := d.sumUp()
	sum.quiet += d.leftOutQuiet[s]
	d.report.Positions += sum.total()
	d.compare(d.metric, s, &sum)
	if d.wdl[s] == nil {
		return nil
	}
	d.compare(bitboard.WDL, s, &sum)
	if !d.leavesOut[s] {
		return nil
	}
	return d.compareFingerprint(ctx, bitboard.WDL, d.wdl[s])
}

// startTally begins to count a slice.
func (d *derivation[P]) startTally() {
	for _, w := range d.workers {
		w.tally = newTally()
	}
}

// sumUp adds up what the workers counted.
func (d *derivation[P]) sumUp() tally {
	sum := newTally()
	for _, w := range d.workers {
		sum.merge(&w.tally)
	}
	return sum
}

// eachBlock hands the blocks of a slice to the workers.
func (d *derivation[P]) eachBlock(ctx context.Context, s bitboard.Slice, do func(w *deriver[P], lo, hi uint64)) error {
	for _, w := range d.workers {
		w.slice = s
	}
	indices := d.game.Indices(s)
	blocks := (indices + blockIndices - 1) / blockIndices
	return parallel.Each(ctx, len(d.workers), blocks, func(_ context.Context, worker int, block uint64) error {
		lo := block * blockIndices
		do(d.workers[worker], lo, min(lo+blockIndices, indices))
		return nil
	})
}

// compare holds the manifest against the sums.
func (d *derivation[P]) compare(m bitboard.Metric, s bitboard.Slice, sum *tally) {
	info := d.listed[m][s]
	compare := func(what, stored, derived string) {
		if stored != derived {
			d.findings.add(Finding{Metric: m, Slice: info.Name, What: what, Stored: stored, Derived: derived})
		}
	}
	compare("positions", fmt.Sprint(d.game.Positions(s)), fmt.Sprint(sum.total()))
	compare("win", fmt.Sprint(info.Win), fmt.Sprint(sum.positions[bitboard.Win]))
	compare("loss", fmt.Sprint(info.Loss), fmt.Sprint(sum.positions[bitboard.Loss]))
	compare("draw", fmt.Sprint(info.Draw), fmt.Sprint(sum.positions[bitboard.Draw]))
	compare("quiet", fmt.Sprint(info.Quiet), fmt.Sprint(sum.quiet))
	compare("values at gaps", fmt.Sprint(sum.gaps[m]), "0")
	longest := sum.longest
	if m == bitboard.WDL {
		longest = newTally().longest
	}
	compare("longest win", turns(info.LongestWin), turns(longest[bitboard.Win]))
	compare("longest loss", turns(info.LongestLoss), turns(longest[bitboard.Loss]))
}

// turns writes a distance that there may be none of.
func turns(distance int) string {
	if distance == bitboard.UnknownDistance {
		return "none"
	}
	return fmt.Sprint(distance)
}

// tally is what is summed of a slice, by bitboard.Value.
type tally struct {
	positions [3]uint64                     // symmetry undone
	longest   [3]int                        // turns, or bitboard.UnknownDistance
	quiet     uint64                        // of the positions
	gaps      [tablebase.MetricCount]uint64 // indices without a position and with a value
}

func newTally() tally {
	const none = bitboard.UnknownDistance
	return tally{longest: [3]int{none, none, none}}
}

func (t *tally) total() uint64 { return t.positions[0] + t.positions[1] + t.positions[2] }

func (t *tally) merge(u *tally) {
	for v := range t.positions {
		t.positions[v] += u.positions[v]
		t.longest[v] = max(t.longest[v], u.longest[v])
	}
	for m := range t.gaps {
		t.gaps[m] += u.gaps[m]
	}
	t.quiet += u.quiet
}

// deriver is one worker.
type deriver[P comparable] struct {
	*derivation[P]
	slice bitboard.Slice // being checked
	tally tally
	turns []P            // of the position in hand
	refs  []bitboard.Ref // where they lead
	after []P            // of a successor outside the tables

	// Of the block in hand, a bit an index: what is no gap, and what stays pending.
	walked, left [blockIndices / 64]uint64

	_ [64]byte // keeps workers off each other's cache lines
}

// block derives the values of the indices from lo, a multiple of blockIndices,
// to hi, at most blockIndices further.
func (w *deriver[P]) block(lo, hi uint64) {
	clear(w.walked[:])
	if w.metric == bitboard.DTW {
		w.game.Walk(w.slice, lo, hi, func(i uint64, p P, weight int) bool {
			w.walked[(i-lo)/64] |= 1 << (i % 64)
			w.distance(i, p, weight)
			return true
		})
		w.closeGaps(lo, hi)
		return
	}
	clear(w.left[:])
	pending := w.pending[w.slice]
	w.game.Walk(w.slice, lo, hi, func(i uint64, p P, weight int) bool {
		w.walked[(i-lo)/64] |= 1 << (i % 64)
		if w.value(i, p, weight) {
			pending.remove(i)
		} else {
			w.left[(i-lo)/64] |= 1 << (i % 64)
		}
		return true
	})
	pending.replace(lo, hi, &w.left) // gaps are not pending
	w.tally.gaps[bitboard.WDL] += w.gaps(w.tables[w.slice], lo, hi)
}

// closeGaps is what remains to be done in dtw where there is no position. A table
// in wdl beside it that leaves values out has draws there from now on.
func (w *deriver[P]) closeGaps(lo, hi uint64) {
	w.tally.gaps[bitboard.DTW] += w.gaps(w.tables[w.slice], lo, hi)
	wdl := w.wdl[w.slice]
	switch {
	case wdl == nil:
	case w.leavesOut[w.slice]:
		w.eachGap(lo, hi, func(i uint64) { wdl.WDL.Set(i, bitboard.Draw) })
	default:
		w.tally.gaps[bitboard.WDL] += w.gaps(wdl, lo, hi)
	}
}

// distance derives one position in dtw.
func (w *deriver[P]) distance(i uint64, p P, weight int) {
	stored := w.tables[w.slice].DTW[i]
	derived := w.deriveDepth(p)
	if stored != derived {
		w.findValue(bitboard.DTW, i, p, stored.Outcome(), derived.Outcome())
	}
	v := stored.Value()
	if t := w.wdl[w.slice]; t != nil && t.WDL.At(i) != v {
		if w.leftOut(p) {
			t.WDL.Set(i, v)
		} else {
			w.findValue(bitboard.WDL, i, p, t.Outcome(i), stored.Outcome())
		}
	}
	if w.quiet() {
		w.tally.quiet += uint64(weight)
	}
	w.tally.positions[v] += uint64(weight)
	if v != bitboard.Draw {
		w.tally.longest[v] = max(w.tally.longest[v], stored.Distance())
	}
}

// deriveDepth is what follows from the successors' stored distances.
func (w *deriver[P]) deriveDepth(p P) bitboard.Depth {
	w.turns = w.game.Turns(w.turns[:0], p)
	if len(w.turns) == 0 {
		return endedDepth(w.game.Ended(p))
	}
	w.refs = w.refs[:0]
	w.rank(w.turns)
	quickest, slowest, losing := bitboard.MaxDistance+1, 0, true
	for k := range w.turns {
		d := w.depthOf(k)
		switch d.Value() {
		case bitboard.Loss:
			quickest = min(quickest, d.Distance())
		case bitboard.Win:
			slowest = max(slowest, d.Distance())
		default:
			losing = false
		}
	}
	switch {
	case quickest <= bitboard.MaxDistance:
		return bitboard.MakeDepth(bitboard.Win, quickest+1)
	case losing:
		return bitboard.MakeDepth(bitboard.Loss, slowest+1)
	}
	return 0
}

// rank appends to refs the places of positions that follow from the one in hand;
// those where the game is over have no place in a table, and index 0.
func (w *deriver[P]) rank(positions []P) {
	if w.batch != nil {
		w.refs = w.batch.RankAll(w.refs, positions)
		return
	}
	for _, q := range positions {
		s, i := w.game.SliceOf(q), uint64(0)
		if w.tables[s] != nil {
			_, i = w.game.Rank(q)
		}
		w.refs = append(w.refs, bitboard.MakeRef(s, i))
	}
}

// rankedAhead is how many turns are ranked at once where the first that shows a
// win ends the search: their loads overlap.
const rankedAhead = 2

// rankTo ranks the turns in order at least up to the one of number k.
func (w *deriver[P]) rankTo(k int) {
	if from := len(w.refs); k >= from {
		w.rank(w.turns[from:min(from+rankedAhead, len(w.turns))])
	}
}

// depthOf is the stored depth of the position after a turn.
func (w *deriver[P]) depthOf(k int) bitboard.Depth {
	if t := w.tables[w.refs[k].Slice()]; t != nil {
		return t.DTW[w.refs[k].Index()]
	}
	return endedDepth(w.game.Ended(w.turns[k]))
}

func endedDepth(v bitboard.Value) bitboard.Depth {
	if v == bitboard.Draw {
		return 0
	}
	return bitboard.MakeDepth(v, 0)
}

// value derives one position in wdl, and tells whether it is grounded. What was
// reported as wrong, and draws, count as grounded: nothing remains to be shown.
func (w *deriver[P]) value(i uint64, p P, weight int) (grounded bool) {
	stored := w.tables[w.slice].WDL.At(i)
	w.tally.positions[stored] += uint64(weight)
	if !w.pending[w.slice].has(i) {
		return true // left out of the store: derived before, from values that were shown
	}
	derived, grounded := w.deriveValue(p, stored)
	if w.quiet() {
		w.tally.quiet += uint64(weight)
	}
	if stored != derived {
		unknown := bitboard.UnknownDistance
		w.findValue(bitboard.WDL, i, p, bitboard.Outcome{Value: stored, Distance: unknown}, bitboard.Outcome{Value: derived, Distance: unknown})
		return true
	}
	return grounded || derived == bitboard.Draw
}

// deriveValue is what follows from the successors' stored values, and whether
// it is grounded by what is grounded so far: a win by one loss, a loss by all
// wins. The stored value makes no difference to that, only to the way there:
// where a win is expected, successors are looked up until one shows it.
func (w *deriver[P]) deriveValue(p P, expected bitboard.Value) (v bitboard.Value, grounded bool) {
	w.turns = w.game.Turns(w.turns[:0], p)
	if len(w.turns) == 0 {
		return w.game.Ended(p), true
	}
	w.refs = w.refs[:0]
	if expected != bitboard.Win {
		w.rank(w.turns)
	}
	v, grounded = bitboard.Loss, true
	for k := range w.turns {
		value, sure := w.successor(k)
		switch {
		case value == bitboard.Loss && sure:
			return bitboard.Win, true
		case value == bitboard.Loss:
			v, grounded = bitboard.Win, false
		case v == bitboard.Win:
		case value == bitboard.Draw:
			v, grounded = bitboard.Draw, false
		default:
			grounded = grounded && sure
		}
	}
	return v, grounded
}

// successor is the stored value of the position after a turn, and whether it is
// grounded.
func (w *deriver[P]) successor(k int) (v bitboard.Value, grounded bool) {
	w.rankTo(k)
	s, i := w.refs[k].Slice(), w.refs[k].Index()
	t := w.tables[s]
	if t == nil {
		return w.game.Ended(w.turns[k]), true
	}
	pending := w.pending[s]
	return t.WDL.At(i), pending == nil || !pending.has(i)
}

func (w *deriver[P]) findValue(m bitboard.Metric, i uint64, p P, stored, derived bitboard.Outcome) {
	w.findings.add(Finding{
		Metric: m, Slice: w.game.SliceName(w.slice), What: "value",
		Index: i, Position: w.game.Format(p, 0), Stored: describe(stored), Derived: describe(derived),
	})
}
