package verify

import (
	"context"
	"slices"
	"sync/atomic"

	"paika/bitboard"
	"paika/internal/offheap"
	"paika/internal/parallel"
)

// derivation derives the values of one group from tables in memory. Teams read it; each
// worker writes to memory of its own, and to the bits of the block that it holds.
type derivation[P comparable] struct {
	game Game[P]
	groupCheck
	tables    [bitboard.MaxSlices]*bitboard.Table  // of the group and what it follows from
	wdl       [bitboard.MaxSlices]*bitboard.Table  // of the group, where dtw has to agree
	values    [bitboard.MaxSlices]bitboard.Packed  // of tables, in wdl
	depths    [bitboard.MaxSlices][]bitboard.Depth // of tables, in dtw
	due       [bitboard.MaxSlices]bitset           // of the group: what tracing left for shares; nil where a slice was not traced
	remains   [bitboard.MaxSlices]*remainder       // of the group, in wdl: what of a slice was not shown at once; nil where it was not tried
	partial   [bitboard.MaxSlices]bool             // stored with values left out
	inGroup   [bitboard.MaxSlices]bool
	traced    [bitboard.MaxSlices]bool // and most of its progress told
	leavesOut [bitboard.MaxSlices]bool // stored in wdl with values left out

	roomy        bool                      // memory does for the room of a bitboard.SparseValuer or a bitboard.Tracer
	needsPartial bool                      // a slice that the group follows from is partial
	leftOutQuiet map[bitboard.Slice]uint64 // quiet positions among those left out of a slice of the group
	holder       bitboard.Sparse[P]        // the game, if it is one
	turnRanker   bitboard.TurnRanker[P]    // the game, if it can
	turnValuer   bitboard.TurnValuer[P]    // the same
	chooser      bitboard.ChosenWalker[P]  // the same
	near         bitboard.NearWalker[P]    // the same

	// wanted are the fingerprints of slices that leave values out, with all values, and
	// fingerprint finds those of tables.
	wanted      map[bitboard.Slice]string
	fingerprint func(ctx context.Context, m bitboard.Metric, t *bitboard.Table) (string, error)

	mostWrong uint64 // misfits that are noted
}

// newDerivation is one of the tables that are added to it. Where it is roomy, the game has
// its own way to derive what is left out.
func newDerivation[P comparable](game Game[P], c groupCheck, roomy bool) *derivation[P] {
	d := new(derivation[P]) // a literal would be a write of it all to the race detector, 400 KiB
	d.game, d.groupCheck, d.roomy, d.mostWrong = game, c, roomy, mostWrong
	d.leftOutQuiet, d.wanted = make(map[bitboard.Slice]uint64), make(map[bitboard.Slice]string)
	for _, s := range c.group.Slices {
		d.inGroup[s] = true
	}
	for _, s := range c.sparse {
		d.partial[s] = true
		d.needsPartial = d.needsPartial || !d.inGroup[s]
	}
	d.holder, _ = game.(bitboard.Sparse[P])
	d.turnRanker, _ = game.(bitboard.TurnRanker[P])
	d.turnValuer, _ = game.(bitboard.TurnValuer[P])
	d.chooser, _ = game.(bitboard.ChosenWalker[P])
	d.near, _ = game.(bitboard.NearWalker[P])
	return d
}

// add adds a table of a metric.
func (d *derivation[P]) add(m bitboard.Metric, t *bitboard.Table) {
	if m == d.metric {
		d.tables[t.Slice], d.values[t.Slice], d.depths[t.Slice] = t, t.WDL, t.DTW
	} else {
		d.wdl[t.Slice] = t
	}
}

// addSparse notes that a slice leaves values out, and the fingerprint of all of them.
func (d *derivation[P]) addSparse(s bitboard.Slice, fingerprint string) {
	d.leavesOut[s], d.wanted[s] = true, fingerprint
}

// dropDue gives the memory of what tracing left back.
func (d *derivation[P]) dropDue() {
	for _, s := range d.group.Slices {
		offheap.Free(d.due[s])
		d.due[s] = nil
	}
}

// team is goroutines that work together, and what they find.
type team[P comparable] struct {
	*derivation[P]
	findings *findings
	moved    func(indices uint64)
	workers  []*deriver[P]
	misfits  atomic.Uint64 // values that do not agree with their neighbours
	spent    bool          // something may be pending in the tables of the group
	settled  bool          // wins and losses that rest on the group stand there as they were derived
}

func (d *derivation[P]) team(workers int, found *findings, moved func(indices uint64)) *team[P] {
	t := &team[P]{derivation: d, findings: found, moved: moved}
	for range max(1, workers) {
		t.workers = append(t.workers, newDeriver(t))
	}
	return t
}

// all derives the whole group: what is shown at once, then each slice, whose sums it hands on,
// and shows that what they rest on is grounded.
func (t *team[P]) all(ctx context.Context, complete func(s bitboard.Slice) error, take func(s bitboard.Slice, sum Sums)) error {
	defer t.dropDue()
	if err := t.allAtOnce(ctx, complete); err != nil {
		return err
	}
	for _, s := range t.group.Slices {
		sum, err := t.whole(ctx, s, t.told(s))
		if err != nil {
			return err
		}
		sum.Quiet += t.leftOutQuiet[s]
		take(s, sum)
	}
	if t.metric == bitboard.WDL {
		return t.groundShown(ctx, t.rests, func(uint64) { t.moved(0) })
	}
	return nil
}

// allAtOnce has slices completed that leave values out, and shows what it can at once.
func (t *team[P]) allAtOnce(ctx context.Context, complete func(s bitboard.Slice) error) error {
	for _, s := range t.sparse {
		if err := complete(s); err != nil {
			return err
		}
	}
	for _, s := range t.compared() {
		if err := t.showAtOnce(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// rests tells whether a slice of the group has values, in wdl, that were not shown at once.
func (t *team[P]) rests(s bitboard.Slice) bool {
	return t.remains[s] == nil || t.remains[s].indices > 0
}

// told is how it is told what is derived of a slice: most of what is traced was told before.
func (t *team[P]) told(s bitboard.Slice) func(indices uint64) {
	if t.traced[s] {
		return func(indices uint64) { t.moved(indices / sharesPart) }
	}
	return t.moved
}

// whole derives a slice as one share.
func (t *team[P]) whole(ctx context.Context, s bitboard.Slice, moved func(indices uint64)) (Sums, error) {
	if t.walksNear(s) {
		return t.shareNear(ctx, s, moved)
	}
	if t.metric == bitboard.WDL || t.due[s] != nil {
		return t.share(ctx, s, 0, t.game.Indices(s), nil, moved)
	}
	begin, err := t.comparers(ctx, s)
	if err != nil {
		return Sums{}, err
	}
	defer offheap.Collect() // or the room would stay beside that of the next slice
	return t.share(ctx, s, 0, t.game.Indices(s), begin, moved)
}

// share derives every value of a slice from index lo, a multiple of 64, up to hi, and
// sums up what the manifest says of them. Of a settled group it leaves out what was settled.
//
// Where begin is not nil, it makes what derives a part of the slice at once: see comparers.
func (t *team[P]) share(ctx context.Context, s bitboard.Slice, lo, hi uint64, begin func() blockDeriver[P], moved func(indices uint64)) (Sums, error) {
	t.startSums()
	rest := func(w *deriver[P], lo, hi uint64) {
		w.block(lo, hi)
		moved(hi - lo)
	}
	var err error
	if begin != nil {
		err = t.inRuns(ctx, s, lo, hi, begin, rest)
	} else {
		err = t.eachBlock(ctx, s, lo, hi, func(w *deriver[P], lo, hi uint64) {
			w.noteDue(lo, hi)
			if t.settled {
				w.leaveSettled(lo, hi)
			}
			rest(w, lo, hi)
		})
	}
	return t.sumUp(), err
}

// startSums begins to count.
func (t *team[P]) startSums() {
	for _, w := range t.workers {
		w.sums, w.noted = NewSums(), remainder{}
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

	noted remainder // of what is shown at once

	settledQuiet []uint64 // by slice: quiet positions among those that were settled

	follow  func(p P, look func(after P, at bitboard.Ref) bool)                   // as bitboard.TurnRanker has it
	see     func(p P, enough bitboard.Values) (seen bitboard.Values, inside bool) // as bitboard.TurnValuer has it, or nil
	derive  func(i uint64, p P, weight int) bool                                  // deriveHeld or deriveHeldDepth, made once
	looks   looks[P]
	outlook outlook
	turns   []P      // of the position in hand; none for a bitboard.TurnRanker
	after   []P      // of a successor outside the tables
	wrong   []misfit // that were found, as long as the group had no more than mostWrong

	// Of the block in hand, a bit an index: what is no gap, what is held, and what is pending.
	walked, held, left [blockIndices / 64]uint64

	derived  [blockIndices / 32]uint64 // of the block in hand, packed: see compareBlock and tallyDepths
	deepened []bitboard.Depth          // the same in dtw: see compareDepths
	places   []bitboard.Ref            // that turns of the position in hand lead to: see deriveDepth

	_ [64]byte // keeps workers off each other's cache lines
}

// looks are the ways to look at turns, made once: a method value takes memory.
type looks[P comparable] struct {
	value, ahead, depth func(after P, at bitboard.Ref) bool
}

func newDeriver[P comparable](t *team[P]) *deriver[P] {
	w := &deriver[P]{team: t, settledQuiet: make([]uint64, bitboard.MaxSlices)}
	w.follow, w.derive = w.followTurns, w.deriveHeld
	if t.metric == bitboard.DTW {
		w.derive = w.deriveHeldDepth
	}
	if t.turnRanker != nil {
		w.follow = t.turnRanker.RankTurns()
	}
	if t.turnValuer != nil {
		w.see = t.turnValuer.ValueTurns(&t.values)
	}
	w.looks = looks[P]{w.lookAtValue, w.lookAhead, w.lookAtDepth}
	return w
}

// block derives the values of the indices from lo, a multiple of 64, to hi, at most
// blockIndices further, as far as they are held. What is not was derived before, from
// values that are shown elsewhere.
func (w *deriver[P]) block(lo, hi uint64) {
	if w.metric == bitboard.WDL {
		w.valueBlock(lo, hi)
	} else {
		w.depthBlock(lo, hi)
	}
}

// valueBlock is block in wdl.
func (w *deriver[P]) valueBlock(lo, hi uint64) {
	if w.chooser != nil {
		w.chooser.WalkChosen(w.slice, lo, hi, w.held[:(hi-lo+63)/64], w.derive)
		w.tally(lo, hi)
	} else {
		w.walkHeld(lo, hi)
	}
}

// walkHeld derives what is held of a block, and counts the positions by value, and the gaps.
func (w *deriver[P]) walkHeld(lo, hi uint64) {
	table := w.tables[w.slice]
	clear(w.walked[:])
	w.game.Walk(w.slice, lo, hi, func(i uint64, p P, weight int) bool {
		word, bit := (i-lo)/64, uint64(1)<<(i%64)
		w.walked[word] |= bit
		w.sums.Positions[table.WDL.At(i)] += uint64(weight)
		return w.held[word]&bit == 0 || w.derive(i, p, weight)
	})
	w.sums.Gaps[bitboard.WDL] += w.gaps(table, lo, hi)
}

// tally counts the positions of a block by value, and the gaps.
func (w *deriver[P]) tally(lo, hi uint64) {
	positions, filled := w.chooser.Tally(w.slice, w.tables[w.slice].WDL[lo/32:], lo, hi)
	for v, many := range positions {
		w.sums.Positions[v] += many
	}
	w.sums.Gaps[bitboard.WDL] += filled
}

// depthBlock is block in dtw.
func (w *deriver[P]) depthBlock(lo, hi uint64) {
	if w.chooser != nil {
		w.chooser.WalkChosen(w.slice, lo, hi, w.held[:(hi-lo+63)/64], w.derive)
		w.tallyDepths(lo, hi)
		return
	}
	w.walkDepths(lo, hi, w.derive)
}

// countDepth counts a position in dtw by its stored value, with which wdl has to agree.
func (w *deriver[P]) countDepth(i uint64, p P, weight int) {
	stored := w.tables[w.slice].DTW[i]
	v := stored.Value()
	if t := w.wdl[w.slice]; t != nil && t.WDL.At(i) != v {
		w.findValue(bitboard.WDL, i, p, t.Outcome(i), stored.Outcome())
	}
	w.sums.Positions[v] += uint64(weight)
	if v != bitboard.Draw {
		w.sums.Longest[v] = max(w.sums.Longest[v], stored.Distance())
	}
}

// tallyDepths is countDepth for all positions of a block, and counts the gaps.
func (w *deriver[P]) tallyDepths(lo, hi uint64) {
	depths := w.tables[w.slice].DTW[lo:hi]
	longest, values := packDepths(w.derived[:], depths)
	positions, filled := w.chooser.Tally(w.slice, values, lo, hi)
	wdl := w.wdl[w.slice]
	if filled > 0 || wdl != nil && !slices.Equal(values, wdl.WDL[lo/32:][:len(values)]) {
		w.walkDepths(lo, hi, func(uint64, P, int) bool { return true })
		return
	}
	for v, many := range positions {
		w.sums.Positions[v] += many
	}
	for _, v := range [...]bitboard.Value{bitboard.Win, bitboard.Loss} {
		if longest[v] != 0 {
			w.sums.Longest[v] = max(w.sums.Longest[v], longest[v].Distance())
		}
	}
}

// packDepths packs the values of depths into words, and finds the deepest of each value.
func packDepths(words []uint64, depths []bitboard.Depth) (longest [4]bitboard.Depth, values bitboard.Packed) {
	values = bitboard.Packed(words[:bitboard.PackedWords(uint64(len(depths)))])
	for k := range values {
		word := uint64(0)
		for i, d := range depths[32*k : min(32*k+32, len(depths))] {
			v := d & 3
			word |= uint64(v) << (2 * i & 63)
			if d > longest[v] { // seldom: a store each time would have the next one wait
				longest[v] = d
			}
		}
		values[k] = word
	}
	return longest, values
}

// walkDepths derives the positions of a block, counts them one by one, and the gaps.
func (w *deriver[P]) walkDepths(lo, hi uint64, derive func(i uint64, p P, weight int) bool) {
	clear(w.walked[:])
	w.game.Walk(w.slice, lo, hi, func(i uint64, p P, weight int) bool {
		w.walked[(i-lo)/64] |= 1 << (i % 64)
		w.countDepth(i, p, weight)
		return derive(i, p, weight)
	})
	w.sums.Gaps[bitboard.DTW] += w.gaps(w.tables[w.slice], lo, hi)
	if wdl := w.wdl[w.slice]; wdl != nil {
		w.sums.Gaps[bitboard.WDL] += w.gaps(wdl, lo, hi)
	}
}

// deriveHeldDepth derives one position in dtw.
func (w *deriver[P]) deriveHeldDepth(i uint64, p P, weight int) bool {
	stored := w.tables[w.slice].DTW[i]
	if derived := w.deriveDepth(p); stored != derived {
		w.findValue(bitboard.DTW, i, p, stored.Outcome(), derived.Outcome())
	}
	if w.quiet() {
		w.sums.Quiet += uint64(weight)
	}
	return true
}

// deriveDepth is what follows from the successors' stored distances. These are read once all
// are placed: loads that do not depend on each other.
func (w *deriver[P]) deriveDepth(p P) bitboard.Depth {
	w.places = w.places[:0]
	w.lookAt(p, w.looks.depth)
	o := &w.outlook
	for _, at := range w.places {
		o.takeDepth(w.depths[at.Slice()&(bitboard.MaxSlices-1)][at.Index()])
	}
	switch {
	case o.turns == 0:
		return bitboard.MakeDepth(w.game.Ended(p), 0)
	case o.quickest <= bitboard.MaxDistance:
		return bitboard.MakeDepth(bitboard.Win, o.quickest+1)
	case !o.drawn:
		return bitboard.MakeDepth(bitboard.Loss, o.slowest+1)
	}
	return 0
}

// lookAtDepth notes the place of the position after a turn, or takes in its depth where the
// game is over. It stops at a turn that ends the game and wins: none is quicker.
func (w *deriver[P]) lookAtDepth(q P, at bitboard.Ref) bool {
	o := &w.outlook
	o.turns++
	if s := at.Slice(); w.tables[s] != nil {
		w.places = append(w.places, at)
		o.inside = o.inside || w.inGroup[s]
	} else {
		o.takeDepth(bitboard.MakeDepth(w.end(q), 0))
	}
	return !o.wins
}

// deriveHeld derives one position of a block in wdl.
func (w *deriver[P]) deriveHeld(i uint64, p P, weight int) bool {
	w.value(i, p, weight)
	return true
}

// value derives one position in wdl.
func (w *deriver[P]) value(i uint64, p P, weight int) {
	stored, derived := w.tables[w.slice].WDL.At(i), w.deriveValue(p)
	if w.quiet() {
		w.sums.Quiet += uint64(weight)
	}
	if stored != derived {
		p, _ = w.game.Unrank(w.slice, i) // and no image
		w.findWrong(i, p, stored, derived)
		if w.misfits.Add(1) <= w.mostWrong {
			w.wrong = append(w.wrong, misfit{bitboard.MakeRef(w.slice, i), stored})
		}
	}
}

// deriveValue is what follows from the successors' values, as they stand in the tables.
func (w *deriver[P]) deriveValue(p P) bitboard.Value {
	if w.see != nil {
		w.outlook = seenOutlook(w.see(p, 1<<bitboard.Loss))
	} else {
		w.lookAt(p, w.looks.value)
	}
	if w.outlook.turns == 0 {
		return w.game.Ended(p)
	}
	return w.outlook.value()
}

// lookAtValue takes in the stored value of the position after a turn, and stops at a loss.
func (w *deriver[P]) lookAtValue(q P, at bitboard.Ref) bool {
	o := &w.outlook
	o.turns++
	s, i := at.Slice(), at.Index()
	t := w.tables[s]
	if t == nil {
		return o.take(w.end(q))
	}
	o.inside = o.inside || w.inGroup[s]
	return o.take(t.WDL.Load(i))
}

// findWrong is findValue in wdl.
func (w *deriver[P]) findWrong(i uint64, p P, stored, derived bitboard.Value) {
	unknown := bitboard.UnknownDistance
	w.findValue(bitboard.WDL, i, p, bitboard.Outcome{Value: stored, Distance: unknown}, bitboard.Outcome{Value: derived, Distance: unknown})
}

func (w *deriver[P]) findValue(m bitboard.Metric, i uint64, p P, stored, derived bitboard.Outcome) {
	w.findings.add(Finding{
		Metric: m, Slice: w.game.SliceName(w.slice), What: "value",
		Index: i, Position: w.game.Format(p, 0), Stored: describe(stored), Derived: describe(derived),
	})
}
