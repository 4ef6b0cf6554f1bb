package verify

import (
	"context"

	"paika/bitboard"
	"paika/internal/parallel"
)

// derivation derives the values of one group from tables in memory. Teams read it; each
// worker writes to memory of its own, and to the bits of the block that it holds.
type derivation[P comparable] struct {
	game Game[P]
	groupCheck
	tables    [bitboard.MaxSlices]*bitboard.Table // of the group and what it follows from
	wdl       [bitboard.MaxSlices]*bitboard.Table // of the group, where dtw has to agree
	pending   [bitboard.MaxSlices]bitset          // of the group, in wdl: see ground; nil where nobody asks
	partial   [bitboard.MaxSlices]bool            // stored with values left out
	inGroup   [bitboard.MaxSlices]bool
	leavesOut [bitboard.MaxSlices]bool // stored in wdl with values left out

	leftOutQuiet map[bitboard.Slice]uint64 // quiet positions among those left out of a slice of the group
	holder       bitboard.Sparse[P]        // the game, if it is one
	batch        bitboard.BatchRanker[P]   // the game, if it can

	// wanted are the fingerprints of slices that leave values out, with all values, and
	// fingerprint finds those of tables.
	wanted      map[bitboard.Slice]string
	fingerprint func(ctx context.Context, m bitboard.Metric, t *bitboard.Table) (string, error)
}

// newDerivation is one of the tables that are added to it.
func newDerivation[P comparable](game Game[P], c groupCheck) *derivation[P] {
	d := &derivation[P]{game: game, groupCheck: c, leftOutQuiet: make(map[bitboard.Slice]uint64), wanted: make(map[bitboard.Slice]string)}
	for _, s := range c.group.Slices {
		d.inGroup[s] = true
	}
	for _, s := range c.sparse {
		d.partial[s] = true
	}
	d.holder, _ = game.(bitboard.Sparse[P])
	d.batch, _ = game.(bitboard.BatchRanker[P])
	return d
}

// add adds a table of a metric.
func (d *derivation[P]) add(m bitboard.Metric, t *bitboard.Table) {
	if m == d.metric {
		d.tables[t.Slice] = t
	} else {
		d.wdl[t.Slice] = t
	}
}

// addSparse notes that a slice leaves values out, and the fingerprint of all of them.
func (d *derivation[P]) addSparse(s bitboard.Slice, fingerprint string) {
	d.leavesOut[s], d.wanted[s] = true, fingerprint
}

// keepPending has shares leave what is not yet grounded.
func (d *derivation[P]) keepPending() {
	for _, s := range d.group.Slices {
		d.pending[s] = newFullBitset(d.game.Indices(s))
	}
}

// team is goroutines that work together, and what they find.
type team[P comparable] struct {
	*derivation[P]
	findings *findings
	moved    func(indices uint64)
	workers  []*deriver[P]
}

func (d *derivation[P]) team(workers int, found *findings, moved func(indices uint64)) *team[P] {
	t := &team[P]{derivation: d, findings: found, moved: moved}
	for range workers {
		t.workers = append(t.workers, &deriver[P]{team: t})
	}
	return t
}

// share derives every value of a slice from index lo, a multiple of 64, up to hi, and
// sums up what the manifest says of them.
func (t *team[P]) share(ctx context.Context, s bitboard.Slice, lo, hi uint64) (Sums, error) {
	t.startSums()
	err := t.eachBlock(ctx, s, lo, hi, func(w *deriver[P], lo, hi uint64) {
		w.block(lo, hi)
		t.moved(hi - lo)
	})
	return t.sumUp(), err
}

// startSums begins to count.
func (t *team[P]) startSums() {
	for _, w := range t.workers {
		w.sums = NewSums()
	}
}

// sumUp adds up what the workers counted.
func (t *team[P]) sumUp() Sums {
	sum := NewSums()
	for _, w := range t.workers {
		sum.Add(w.sums)
	}
	return sum
}

// eachBlock hands the blocks of a part of a slice to the workers.
func (t *team[P]) eachBlock(ctx context.Context, s bitboard.Slice, lo, hi uint64, do func(w *deriver[P], lo, hi uint64)) error {
	for _, w := range t.workers {
		w.slice = s
	}
	blocks := (hi - lo + blockIndices - 1) / blockIndices
	return parallel.Each(ctx, len(t.workers), blocks, func(_ context.Context, worker int, block uint64) error {
		from := lo + block*blockIndices
		do(t.workers[worker], from, min(from+blockIndices, hi))
		return nil
	})
}

// deriver is one worker.
type deriver[P comparable] struct {
	*team[P]
	slice bitboard.Slice // being checked
	sums  Sums
	turns []P            // of the position in hand
	refs  []bitboard.Ref // where they lead
	after []P            // of a successor outside the tables

	// Of the block in hand, a bit an index: what is no gap, and what stays pending.
	walked, left [blockIndices / 64]uint64

	_ [64]byte // keeps workers off each other's cache lines
}

// block derives the values of the indices from lo, a multiple of 64, to hi, at most
// blockIndices further.
func (w *deriver[P]) block(lo, hi uint64) {
	clear(w.walked[:])
	if w.metric == bitboard.DTW {
		w.game.Walk(w.slice, lo, hi, func(i uint64, p P, weight int) bool {
			w.walked[(i-lo)/64] |= 1 << (i % 64)
			w.distance(i, p, weight)
			return true
		})
		w.sums.Gaps[bitboard.DTW] += w.gaps(w.tables[w.slice], lo, hi)
		if wdl := w.wdl[w.slice]; wdl != nil {
			w.sums.Gaps[bitboard.WDL] += w.gaps(wdl, lo, hi)
		}
		return
	}
	clear(w.left[:])
	pending := w.pending[w.slice]
	w.game.Walk(w.slice, lo, hi, func(i uint64, p P, weight int) bool {
		w.walked[(i-lo)/64] |= 1 << (i % 64)
		switch grounded := w.value(i, p, weight); {
		case !grounded:
			w.left[(i-lo)/64] |= 1 << (i % 64)
		case pending != nil:
			pending.remove(i)
		}
		return true
	})
	if pending != nil {
		pending.replace(lo, hi, &w.left) // gaps are not pending
	}
	w.sums.Gaps[bitboard.WDL] += w.gaps(w.tables[w.slice], lo, hi)
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
		w.findValue(bitboard.WDL, i, p, t.Outcome(i), stored.Outcome())
	}
	if w.quiet() {
		w.sums.Quiet += uint64(weight)
	}
	w.sums.Positions[v] += uint64(weight)
	if v != bitboard.Draw {
		w.sums.Longest[v] = max(w.sums.Longest[v], stored.Distance())
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
	w.sums.Positions[stored] += uint64(weight)
	if w.leftOut(p) {
		return true // derived before, from values that are shown elsewhere
	}
	derived, grounded := w.deriveValue(p, stored)
	if w.quiet() {
		w.sums.Quiet += uint64(weight)
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
