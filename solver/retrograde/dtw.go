package retrograde

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"paika/bitboard"
	"paika/internal/parallel"
)

// While a group is solved for dtw, this bit marks the values of positions that play in
// the group decides, and their distance is an upper bound: exact from the round
// of that distance on. Without the mark a value is final, or the position undecided.
const inPlay bitboard.Depth = 1 << 15

// dtw solves a group for the metric dtw.
//
// Settled positions get their distance from the slices below. A first sweep
// gives the others what their settled successors give them: a win one turn
// longer than the quickest, or a loss if all are won. Then come rounds of rising
// distance d. A position of the group lost in d turns makes a win in d+1, if
// there is no shorter one, of those before it; one won in d turns makes a loss
// of those before it whose turns all lead to wins that are final by then. The
// last of these wins to become final finds it so, and none is missed.
//
// An undecided position keeps a witness: a turn that leads to no win yet. Until its
// witness is won it has not lost, and is not looked at. Of some it is known for good that
// they do not lose.
//
// Every step computes its changes from values that do not change meanwhile and
// applies them afterwards, each worker those to positions that are its own. So the
// workers need no atomic operations and the result depends on nothing but the rules.
// When its list of changes is full a worker stops looking, and what it has left is
// looked at once the changes are applied: they are to farther distances, and alter
// nothing of what is found in the same step.
type dtw struct {
	common
	values [bitboard.MaxSlices][]bitboard.Depth // the group's and those it needs
	due    [bitboard.MaxSlices][]uint64         // of the group: see partShift
	states []dtwWorker
	bound  int // changes after which a worker looks no further
}

type dtwWorker struct {
	edges   bitboard.Edges
	seen    []bitboard.Depth // values of edges.Refs
	indices []uint64
	waiting []bitboard.Ref // to be evaluated
	sort    sorter         // of these
	before  []uint64       // indices of waiting
	changes []change
	left    []span // not looked at, as there was no room for more changes
	slowest int    // the longest distance that was applied
	weights []uint8

	counts  [3]uint64 // positions by value
	longest [3]int    // turns, by value
}

// A change is a new value for a position of the group.
type change struct {
	at    bitboard.Ref
	value bitboard.Depth
}

// changesPerIndex allows for the changes that a position in play brings to those
// before it, on average over a batch: one is begun where a single change more has room.
const changesPerIndex = 16

// A span is the indices from lo on and below hi.
type span struct{ lo, hi uint64 }

func newDTW(c common, known map[bitboard.Slice]*bitboard.Table) *dtw {
	d := &dtw{common: c, states: make([]dtwWorker, c.workers)}
	for s, t := range known {
		d.values[s] = t.DTW
	}
	var indices uint64
	for _, t := range c.group {
		d.values[t.Slice] = t.DTW
		indices += c.game.Indices(t.Slice)
	}
	d.bound = listLength(c.grain.changes*uint64(c.workers), indices, c.workers)
	return d
}

func (d *dtw) solve(ctx context.Context) ([]bitboard.Summary, error) {
	defer d.free()
	if err := d.allocate(); err != nil {
		return nil, err
	}
	for i := range d.states {
		d.states[i].changes = make([]change, 0, d.bound+d.grain.batch*changesPerIndex)
	}
	if err := d.settle(ctx); err != nil {
		return nil, err
	}
	state := d.keeper.state
	d.enter(Sweeping)
	if !state.Swept {
		if err := d.sweep(ctx); err != nil {
			return nil, err
		}
		state.Swept = true
	}
	d.enter(Propagating)
	for ; state.Distance <= state.Longest; state.Distance++ {
		if err := d.round(ctx, state.Distance); err != nil {
			return nil, err
		}
	}
	return d.count(func(s bitboard.Slice) (bitboard.Summary, error) { return d.finish(ctx, s) })
}

// allocate makes room for what is due. After a checkpoint anything may be.
func (d *dtw) allocate() (err error) {
	for _, t := range d.group {
		due, err := take[uint64](d.arrays, dueLength(d.game.Indices(t.Slice)))
		if err != nil {
			return err
		}
		d.due[t.Slice] = due
		if d.keeper.kept {
			for part := range due {
				due[part] = ^uint64(0)
			}
		}
	}
	return nil
}

func (d *dtw) free() {
	for _, t := range d.group {
		give(d.arrays, d.due[t.Slice])
		d.due[t.Slice] = nil
	}
}

// settleStep gives final values to the positions whose turns all leave the
// group, marks those in play, and counts those decided inside the group.
func (d *dtw) settleStep(worker int, s bitboard.Slice, lo, hi uint64) (inside uint64, err error) {
	st := &d.states[worker]
	e := &st.edges
	d.game.Settle(s, lo, hi, e)
	d.gather(st)
	st.weights = d.game.Weights(st.weights[:0], s, lo, hi)
	values, start := d.values[s][lo:hi], uint32(0)
	for i, fate := range e.Fates {
		end := e.Ends[i]
		switch fate {
		case bitboard.ByEdges:
			v, fits := bitboard.VerdictDepth(st.seen[start:end])
			if !fits || v.Distance() >= bitboard.MaxDistance {
				return 0, tooFar(d.game, s)
			}
			values[i] = v
		case bitboard.Won:
			values[i] = bitboard.MakeDepth(bitboard.Win, 1)
		case bitboard.Lost:
			values[i] = bitboard.MakeDepth(bitboard.Loss, 0)
			inside += uint64(st.weights[i])
		case bitboard.Drawn:
			inside += uint64(st.weights[i])
		case bitboard.Open:
			values[i] = bitboard.OpenDepth
			inside += uint64(st.weights[i])
		}
		start = end
	}
	d.add(hi-lo, settleShares)
	return inside, nil
}

// tooFar says that a slice has distances that no build stores.
func tooFar(game Game, s bitboard.Slice) error {
	return fmt.Errorf("slice %s: a distance of %d turns or more can't be stored", game.SliceName(s), bitboard.MaxDistance)
}

// gather reads the values of the worker's edges: loads that do not depend on
// each other.
func (d *dtw) gather(st *dtwWorker) {
	st.seen = st.seen[:0]
	for _, r := range st.edges.Refs {
		st.seen = append(st.seen, d.values[r.Slice()&(bitboard.MaxSlices-1)][r.Index()])
	}
}

// undecided tells whether a position is in play and its value not known yet. In place of a
// distance it has the mark of its witness, or none before the first sweep.
func undecided(v bitboard.Depth) bool { return v&3 == bitboard.OpenDepth }

// notLost is the mark of positions that are known not to be lost.
const notLost = bitboard.OpenDepth | bitboard.Depth(bitboard.MaxDistance<<2)

// witnessMark is the mark of those whose witness is a position. Others may have the same
// mark, and are looked at in vain.
func witnessMark(r bitboard.Ref) bitboard.Depth {
	const marks = bitboard.MaxDistance - 1
	return bitboard.OpenDepth | bitboard.Depth(1+uint64(r)*0x9e3779b97f4a7c15>>32*marks>>32)<<2
}

// result is what the turns of an undecided position come to in the round of a distance: its
// value, or the mark of its witness.
func result(turns []bitboard.Ref, values []bitboard.Depth, distance int) bitboard.Depth {
	far, slowest := inPlay+bitboard.MakeDepth(0, distance+1), bitboard.Depth(0)
	for i, v := range values {
		if v.Value() != bitboard.Win || v >= far {
			return winOrWitness(turns[i:], values[i:])
		}
		slowest = max(slowest, v&^inPlay)
	}
	if len(values) == 0 {
		return notLost
	}
	return bitboard.MakeDepth(bitboard.Loss, slowest.Distance()+1)
}

// winOrWitness is the result of turns of which the first leads to no final win: by the
// quickest settled loss. Others are followed by rounds.
func winOrWitness(turns []bitboard.Ref, values []bitboard.Depth) bitboard.Depth {
	best, lowest := byValue(values[0]), values[0]
	for _, v := range values[1:] {
		best, lowest = min(best, byValue(v)), min(lowest, v)
	}
	switch {
	case best < byValue(inPlay|bitboard.Depth(bitboard.Loss)):
		return bitboard.MakeDepth(bitboard.Win, int(best)+1)
	case best < byValue(bitboard.OpenDepth), lowest == 0:
		return notLost // a loss that will be followed, or a draw
	}
	return witnessMark(turns[0])
}

// byValue orders depths: settled losses, which come to their distances, losses in play, what
// is undecided, draws, wins.
func byValue(v bitboard.Depth) uint16 {
	return bits.RotateLeft16(uint16(v^bitboard.Depth(bitboard.Loss)), -2)
}

// sweep evaluates every position in play by its settled successors alone, and finds
// witnesses for those that are not decided.
func (d *dtw) sweep(ctx context.Context) error {
	for _, t := range d.group {
		s := t.Slice
		err := d.inRanges(ctx, s, func(st *dtwWorker, lo, hi uint64) (rest uint64) {
			st.indices = st.indices[:0]
			for i, v := range d.values[s][lo:hi] {
				if undecided(v) {
					st.indices = append(st.indices, lo+uint64(i))
				}
			}
			rest = d.inBatches(st, hi, func(batch []uint64) { d.evaluate(st, s, batch, -1) })
			d.add(rest-lo, sweepShares)
			return rest
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// round follows up the positions in play whose distance is the given one.
func (d *dtw) round(ctx context.Context, distance int) error {
	for _, t := range d.group {
		s := t.Slice
		err := d.inRanges(ctx, s, func(st *dtwWorker, lo, hi uint64) (rest uint64) {
			st.indices = st.indices[:0]
			for from, to := lo, lo; from < hi; from = to {
				to = min((from>>partShift+1)<<partShift, hi)
				d.findDue(st, s, from, to, distance)
			}
			rest = d.inBatches(st, hi, func(batch []uint64) { d.follow(st, s, batch, distance) })
			d.lookAgain(s, lo, rest, hi, distance)
			return rest
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// findDue lists the positions in play of a distance among the indices of [lo, hi), which
// lie in one part, and notes that they are followed where that is all of it.
func (d *dtw) findDue(st *dtwWorker, s bitboard.Slice, lo, hi uint64, distance int) {
	due := &d.due[s][lo>>partShift]
	if *due&dueBit(distance) == 0 {
		return
	}
	var farther bool
	st.indices, farther = listDue(st.indices, lo, d.values[s][lo:hi], inPlay|bitboard.MakeDepth(0, distance))
	if !farther && d.wholePart(s, lo, hi) {
		*due &^= dueBit(distance)
	}
}

// listDue appends to indices, from lo on, those of values in play of the distance of now. It
// tells whether there are farther ones with the same dueBit.
func listDue(indices []uint64, lo uint64, values []bitboard.Depth, now bitboard.Depth) (listed []uint64, farther bool) {
	for len(values) > 0 {
		none := noneDue(values, now)
		lo, values = lo+uint64(none), values[none:]
		few := values[:min(4, len(values))]
		for i, v := range few {
			if (v^now)&dueLooked == 0 {
				switch v &= ^bitboard.Depth(3); {
				case v == now:
					indices = append(indices, lo+uint64(i))
				case v > now:
					farther = true
				}
			}
		}
		lo, values = lo+uint64(len(few)), values[len(few):]
	}
	return indices, farther
}

// dueLooked is the bits that values in play of one dueBit have in common.
const dueLooked = inPlay | (dueBits-1)<<2

// noneDue counts the first values that have not the dueLooked bits of now, four at a time: as
// long as no lane of the difference is zero, and has its highest bit set by borrowing where it
// was not.
func noneDue(values []bitboard.Depth, now bitboard.Depth) (many int) {
	const lanes = 1<<48 | 1<<32 | 1<<16 | 1
	want := uint64(now) * lanes
	for ; len(values) >= 4; values = values[4:] {
		v := (*[4]bitboard.Depth)(values)
		four := uint64(v[0]) | uint64(v[1])<<16 | uint64(v[2])<<32 | uint64(v[3])<<48 // one load
		differs := (four ^ want) & (uint64(dueLooked) * lanes)
		if (differs-lanes)&^differs&(lanes<<15) != 0 {
			break
		}
		many += 4
	}
	return many
}

// wholePart tells whether the indices of [lo, hi), which lie in one part, are all of it.
func (d *dtw) wholePart(s bitboard.Slice, lo, hi uint64) bool {
	return lo&(1<<partShift-1) == 0 && (hi&(1<<partShift-1) == 0 || hi == d.game.Indices(s))
}

// lookAgain makes what findDue found in [rest, hi), of [lo, hi), due in the distance anew.
func (d *dtw) lookAgain(s bitboard.Slice, lo, rest, hi uint64, distance int) {
	for from := max(lo, rest>>partShift<<partShift); rest < hi && from < hi; {
		to := min((from>>partShift+1)<<partShift, hi)
		if d.wholePart(s, from, to) {
			d.due[s][from>>partShift] |= dueBit(distance)
		}
		from = to
	}
}

// inBatches calls do for the worker's indices, a few at a time, while there is room
// for changes. It tells where the rest begins: hi if there is none.
func (d *dtw) inBatches(st *dtwWorker, hi uint64, do func(batch []uint64)) (rest uint64) {
	for batch := range slices.Chunk(st.indices, d.grain.batch) {
		if len(st.changes) >= d.bound {
			return batch[0]
		}
		do(batch)
	}
	return hi
}

// inRanges lets the workers look at a slice range by range, and applies their
// changes after each; then the keeper may save the state. look tells where what it left begins.
func (d *dtw) inRanges(ctx context.Context, s bitboard.Slice, look func(st *dtwWorker, lo, hi uint64) (rest uint64)) error {
	n, many := d.game.Indices(s), d.grain.span*uint64(d.workers)
	var todo []span
	for from := uint64(0); from < n; from += many {
		for lo, end := from, min(from+many, n); lo < end; lo += d.grain.block {
			todo = append(todo, span{lo, min(lo+d.grain.block, end)})
		}
		for len(todo) > 0 {
			if err := d.inSpans(ctx, todo, look); err != nil {
				return err
			}
			if err := d.applyAll(ctx); err != nil {
				return err
			}
			if d.keeper.state.Longest >= bitboard.MaxDistance {
				return tooFar(d.game, s)
			}
			todo = d.takeLeft(todo[:0])
			d.keeper.due()
		}
	}
	return nil
}

// inSpans lets the workers look at some spans.
func (d *dtw) inSpans(ctx context.Context, spans []span, look func(st *dtwWorker, lo, hi uint64) (rest uint64)) error {
	return parallel.Each(ctx, d.workers, uint64(len(spans)), func(_ context.Context, worker int, i uint64) error {
		st, at := &d.states[worker], spans[i]
		if rest := look(st, at.lo, at.hi); rest < at.hi {
			st.left = append(st.left, span{rest, at.hi})
		}
		return nil
	})
}

// takeLeft appends what the workers left.
func (d *dtw) takeLeft(spans []span) []span {
	for i := range d.states {
		st := &d.states[i]
		spans, st.left = append(spans, st.left...), st.left[:0]
	}
	return spans
}

// applyAll applies all changes.
func (d *dtw) applyAll(ctx context.Context) error {
	total := 0
	for i := range d.states {
		total += len(d.states[i].changes)
	}
	if total == 0 {
		return nil
	}
	err := parallel.Each(ctx, d.workers, uint64(d.workers), func(_ context.Context, _ int, part uint64) error {
		d.applyPart(part)
		return nil
	})
	for i := range d.states {
		st := &d.states[i]
		st.changes = st.changes[:0]
		d.keeper.state.Longest = max(d.keeper.state.Longest, st.slowest)
	}
	return err
}

// Neighbours are one worker's when changes are applied, in parts of 1<<partShift indices. Of
// each part it is known in which rounds there may be something to follow, a bit for each
// distance. So a round passes over the parts where nothing is due.
const partShift = 10

// dueBits is how many distances have a bit of their own; those farther share them.
const dueBits = 64

// dueBit is that of a distance.
func dueBit(distance int) uint64 { return 1 << (uint(distance) % dueBits) }

// dueLength is how many parts so many indices have.
func dueLength(indices uint64) uint64 {
	return indices>>partShift + min(indices&(1<<partShift-1), 1)
}

// applyPart applies the changes to the positions of one part, of as many as there are
// workers.
func (d *dtw) applyPart(part uint64) {
	slowest := &d.states[part].slowest
	for i := range d.states {
		for _, c := range d.states[i].changes {
			if c.at.Index()>>partShift%uint64(d.workers) == part {
				d.apply(c)
				if !undecided(c.value) {
					*slowest = max(*slowest, c.value.Distance())
				}
			}
		}
	}
}

// apply gives a position in play a value, unless it has a quicker win.
func (d *dtw) apply(c change) {
	v := &d.values[c.at.Slice()][c.at.Index()]
	switch {
	case undecided(c.value):
		if undecided(*v) {
			*v = c.value
		}
	case undecided(*v) || c.value.Distance() < (*v&^inPlay).Distance():
		*v = c.value | inPlay
		d.due[c.at.Slice()][c.at.Index()>>partShift] |= dueBit(c.value.Distance())
	}
}

// evaluate notes a change for each of a slice's undecided positions that their
// turns decide by the given distance.
func (d *dtw) evaluate(st *dtwWorker, s bitboard.Slice, indices []uint64, distance int) {
	d.game.Forward(s, indices, &st.edges)
	d.gather(st)
	start := uint32(0)
	for k, i := range indices {
		end := st.edges.Ends[k]
		v := result(st.edges.Refs[start:end], st.seen[start:end], distance)
		st.changes = append(st.changes, change{bitboard.MakeRef(s, i), v})
		start = end
	}
}

// follow notes the changes to positions before a slice's positions of a
// distance.
func (d *dtw) follow(st *dtwWorker, s bitboard.Slice, indices []uint64, distance int) {
	d.game.Backward(s, indices, &st.edges)
	d.gather(st)
	win, start := bitboard.MakeDepth(bitboard.Win, distance+1), uint32(0)
	st.waiting = st.waiting[:0]
	for k, i := range indices {
		end := st.edges.Ends[k]
		lost := (d.values[s][i] &^ inPlay).Value() == bitboard.Loss
		mark := witnessMark(bitboard.MakeRef(s, i))
		for j := start; j < end; j++ {
			before, v := st.edges.Refs[j], st.seen[j]
			switch {
			case v&inPlay == 0 && !undecided(v):
			case lost && (undecided(v) || (v&^inPlay).Distance() > distance+1):
				st.changes = append(st.changes, change{before, win})
			case !lost && (v == mark || v == bitboard.OpenDepth):
				st.waiting = append(st.waiting, before)
			}
		}
		start = end
	}
	st.waiting = st.sort.inOrder(st.waiting)
	for s, indices := range runs(st.waiting, &st.before) {
		d.evaluate(st, s, indices, distance)
	}
}

// finish takes the marks off a slice and counts its values.
func (d *dtw) finish(ctx context.Context, s bitboard.Slice) (bitboard.Summary, error) {
	for i := range d.states {
		st := &d.states[i]
		st.counts = [3]uint64{}
		st.longest = [3]int{bitboard.Win: bitboard.UnknownDistance, bitboard.Loss: bitboard.UnknownDistance}
	}
	err := parallel.Blocks(ctx, d.workers, d.game.Indices(s), d.grain.block, func(worker int, lo, hi uint64) {
		st := &d.states[worker]
		st.weights = d.game.Weights(st.weights[:0], s, lo, hi)
		values := d.values[s][lo:hi]
		for i, weight := range st.weights {
			v := values[i] &^ inPlay
			if undecided(values[i]) {
				v = 0
			}
			values[i] = v
			st.counts[v.Value()] += uint64(weight)
			st.longest[v.Value()] = max(st.longest[v.Value()], v.Distance())
		}
	})
	sum := bitboard.Summary{Slice: s, LongestWin: bitboard.UnknownDistance, LongestLoss: bitboard.UnknownDistance}
	for i := range d.states {
		st := &d.states[i]
		sum.Win += st.counts[bitboard.Win]
		sum.Loss += st.counts[bitboard.Loss]
		sum.Draw += st.counts[bitboard.Draw]
		sum.LongestWin = max(sum.LongestWin, st.longest[bitboard.Win])
		sum.LongestLoss = max(sum.LongestLoss, st.longest[bitboard.Loss])
	}
	return sum, err
}
