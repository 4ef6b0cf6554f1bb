package tablebase

import (
	"context"
	"errors"
	"fmt"
	"unsafe"

	"paika/bitboard"
	"paika/internal/parallel"
	"paika/internal/progress"
)

// SurveyOptions say what a survey counts and how.
type SurveyOptions struct {
	// Zugzwang counts zugzwangs too, which takes several times as long. The game
	// must be a bitboard.Passer.
	Zugzwang bool

	// Workers is the number of goroutines; one by default.
	Workers int

	// Memory bounds the buffers of all workers, in bytes. With more of it,
	// zugzwangs of big slices are found faster. A worker has SurveyBytes at the
	// least.
	Memory uint64

	// Progress, if there is one, is told how many indices of the slice are done.
	// Calls come from several goroutines, one at a time.
	Progress func(done, total uint64)
}

// Survey is what is found of one slice when all its positions are looked at.
// Counts are of positions, with symmetry undone, for the side to move.
type Survey[P comparable] struct {
	Metric bitboard.Metric // that the values were read in

	// In dtw, by bitboard.Value: the positions of each distance in turns, from 0
	// to the longest, and of those that have the longest the one with the
	// lowest index. Both are empty for draws, and in wdl.
	Distances [3][]uint64
	Longest   [3]*P

	// Zugzwang is nil unless asked for, and where Missing names a slice that is
	// not stored and that it needs.
	Zugzwang *Zugzwang
	Missing  string

	// Zugzwangs has, by ZugzwangKind, the zugzwang with the lowest index.
	Zugzwangs [3]*P
}

// ZugzwangKind says what a zugzwang turns into what: LossForWin and so on.
type ZugzwangKind uint8

// The kinds, in the order of Zugzwang's counts.
const (
	LossForWin ZugzwangKind = iota
	LossForDraw
	DrawForWin
)

// Zugzwang counts the positions of a slice whose side to move gets less than it
// would get if, with every piece where it is, the other side were to move. Count
// a win as 1, a draw as 0 and a loss as -1, and write v for the value of the
// position to its side to move and w for that of the position after
// bitboard.Passer's Pass to the other side, then to move: a zugzwang is a
// position with v < -w.
//
// That is the same as v + w < 0, in which both positions have the same part: if
// one is a zugzwang, so is the other, and each is counted with its own side to
// move. In this sense every zugzwang is mutual. A position in which the side to
// move has no turn is one like any other, and so is one whose passed position
// is over: both have the value that the rules give them.
type Zugzwang struct {
	LossForWin  uint64 // v = -1, w = -1: whoever is to move loses
	LossForDraw uint64 // v = -1, w = 0: the passed position is DrawForWin
	DrawForWin  uint64 // v = 0, w = -1
	Unpassed    uint64 // positions that have no passed position; never counted above
}

// Positions is the number of zugzwangs of all kinds.
func (z Zugzwang) Positions() uint64 { return z.LossForWin + z.LossForDraw + z.DrawForWin }

// Add sums two counts.
func (z *Zugzwang) Add(other Zugzwang) {
	z.LossForWin += other.LossForWin
	z.LossForDraw += other.LossForDraw
	z.DrawForWin += other.DrawForWin
	z.Unpassed += other.Unpassed
}

// count adds positions of a kind.
func (z *Zugzwang) count(kind ZugzwangKind, weight uint64) {
	*[...]*uint64{&z.LossForWin, &z.LossForDraw, &z.DrawForWin}[kind] += weight
}

// kindOf is the kind of zugzwang that a position of value v is whose passed position
// has value w, if it is one.
func kindOf(v, w bitboard.Value) (kind ZugzwangKind, is bool) {
	switch {
	case v == bitboard.Loss && w == bitboard.Loss:
		return LossForWin, true
	case v == bitboard.Loss && w == bitboard.Draw:
		return LossForDraw, true
	case v == bitboard.Draw && w == bitboard.Loss:
		return DrawForWin, true
	}
	return 0, false
}

// Survey looks every position of a slice up, several workers a block each. What
// it finds does not depend on their number. Errors: those of Probe, and that of
// ctx.
func (p *Prober[P]) Survey(ctx context.Context, s bitboard.Slice, opts SurveyOptions) (Survey[P], error) {
	r, err := p.reader(s)
	if err != nil {
		return Survey[P]{}, err
	}
	sv := surveyor[P]{Prober: p, slice: s, stored: r, metric: r.metric, progress: progress.NewSum(r.indices, opts.Progress)}
	if opts.Zugzwang {
		if err := sv.preparePasses(); err != nil {
			return Survey[P]{}, err
		}
	}
	workers := max(1, opts.Workers)
	block := sv.block(opts.Memory, workers, r.indices)
	tallies := make([]surveyTally[P], workers)
	err = parallel.Each(ctx, workers, (r.indices+block-1)/block, func(ctx context.Context, worker int, i uint64) error {
		lo, hi := i*block, min((i+1)*block, r.indices)
		err := sv.look(ctx, &tallies[worker], lo, hi)
		sv.progress.Add(hi - lo)
		return err
	})
	if err != nil {
		return Survey[P]{}, err
	}
	var sum surveyTally[P]
	for i := range tallies {
		sum.add(&tallies[i])
	}
	return sv.found(&sum), nil
}

// found is the survey that a tally of all positions makes.
func (sv *surveyor[P]) found(t *surveyTally[P]) Survey[P] {
	found := Survey[P]{Metric: sv.metric, Distances: t.distances, Missing: sv.missing}
	for v := range t.longest {
		if t.longest[v].found {
			found.Longest[v] = &t.longest[v].position
		}
	}
	if sv.passer != nil {
		found.Zugzwang = &t.zugzwang
		for kind := range t.zugzwangs {
			if t.zugzwangs[kind].found {
				found.Zugzwangs[kind] = &t.zugzwangs[kind].position
			}
		}
	}
	return found
}

// surveyor is a survey in progress.
type surveyor[P comparable] struct {
	*Prober[P]
	slice    bitboard.Slice
	stored   *sliceReader
	metric   bitboard.Metric
	passer   bitboard.Passer[P] // nil unless zugzwangs are counted
	missing  string             // a slice that they need and that is not stored
	progress *progress.Sum
}

// preparePasses finds the slice of the passed positions.
func (sv *surveyor[P]) preparePasses() error {
	passer, ok := sv.game.(bitboard.Passer[P])
	if !ok {
		return fmt.Errorf("slice %s: the game does not say what a position is with the other side to move", sv.game.SliceName(sv.slice))
	}
	sv.passer = passer
	var wrong error
	sv.game.Walk(sv.slice, 0, sv.game.Indices(sv.slice), func(_ uint64, p P, _ int) bool {
		q, exists := passer.Pass(p)
		turns := sv.generate(q)
		defer sv.turns.Put(turns)
		if !exists || len(*turns) == 0 {
			return true
		}
		var missing *MissingError
		if _, wrong = sv.reader(sv.game.SliceOf(q)); errors.As(wrong, &missing) {
			sv.missing, sv.passer, wrong = missing.Slice, nil, nil
		}
		return false
	})
	return wrong
}

// The fewest and the most positions that a worker looks up at a time.
const (
	leastSurveyBlock = 1 << 14
	mostSurveyBlock  = 1 << 22
)

// surveyedBytes is about what a worker holds for each position that it looks up: the position and
// its passed one, places, outcomes, numbers and the prober's own lists.
func surveyedBytes[P comparable]() uint64 {
	var p P
	const numbers = 160
	return 2*uint64(unsafe.Sizeof(p)) + numbers
}

// SurveyBytes is about what the buffers of one worker of a survey take at the least, in bytes.
func SurveyBytes[P comparable]() uint64 { return leastSurveyBlock * surveyedBytes[P]() }

// block is the number of indices that a worker takes at a time. Passed positions
// may lie anywhere in their slice: the more of them are looked up together, the
// fewer times each chunk is decompressed.
func (sv *surveyor[P]) block(memory uint64, workers int, indices uint64) uint64 {
	each := uint64(workers) * surveyedBytes[P]()
	return min(max(leastSurveyBlock, memory/each), mostSurveyBlock, max(leastSurveyBlock, indices/uint64(workers)))
}

// surveyTally is one worker's share of a survey, and its buffers.
type surveyTally[P comparable] struct {
	distances [3][]uint64
	longest   [3]extreme[P]
	zugzwang  Zugzwang
	zugzwangs [3]extreme[P] // of no distance

	places   []place
	looked   []P
	outcomes []bitboard.Outcome
	asked    []P
	answers  []bitboard.Outcome
	waiting  []int // which of those looked up those asked for belong to
}

// place is an index and the number of positions that it stands for.
type place struct {
	index  uint64
	weight int
}

// extreme is the position of lowest index among those of the longest distance.
type extreme[P comparable] struct {
	found    bool
	distance int // turns
	index    uint64
	position P
}

func (e *extreme[P]) include(other extreme[P]) {
	if !e.found || other.distance > e.distance || other.distance == e.distance && other.index < e.index {
		*e = other
	}
}

// look looks up the positions of a block.
func (sv *surveyor[P]) look(ctx context.Context, t *surveyTally[P], lo, hi uint64) error {
	t.places, t.looked = t.places[:0], t.looked[:0]
	sv.game.Walk(sv.slice, lo, hi, func(i uint64, p P, weight int) bool {
		t.places, t.looked = append(t.places, place{i, weight}), append(t.looked, p)
		return true
	})
	if err := sv.read(ctx, t); err != nil {
		return err
	}
	if sv.metric == bitboard.DTW {
		t.countDistances()
	}
	if sv.passer == nil {
		return nil
	}
	return sv.pass(ctx, t)
}

// read finds the outcomes of a block: those that the table holds at their
// indices, which follow each other, and the others by probes.
func (sv *surveyor[P]) read(ctx context.Context, t *surveyTally[P]) error {
	t.outcomes, t.asked, t.waiting = resized(t.outcomes, len(t.looked)), t.asked[:0], t.waiting[:0]
	var c *chunk
	number, size := ^uint64(0), chunkIndices(sv.metric)
	for k, at := range t.places {
		if sv.stored.leavesOut && !sv.sparse.Holds(t.looked[k]) {
			t.asked, t.waiting = append(t.asked, t.looked[k]), append(t.waiting, k)
			continue
		}
		if at.index/size != number {
			var err error
			number = at.index / size
			if c, err = sv.chunk(sv.stored, sv.slice, number); err != nil {
				return err
			}
		}
		t.outcomes[k] = c.outcome(at.index % size)
	}
	t.answers = resized(t.answers, len(t.asked))
	if err := sv.ProbeAll(ctx, t.asked, t.answers); err != nil {
		return err
	}
	for i, k := range t.waiting {
		t.outcomes[k] = t.answers[i]
	}
	return nil
}

func (t *surveyTally[P]) countDistances() {
	for k, o := range t.outcomes {
		if o.Value == bitboard.Draw {
			continue
		}
		at := t.places[k]
		t.countDistance(o.Value, o.Distance, uint64(at.weight))
		t.longest[o.Value].include(extreme[P]{true, o.Distance, at.index, t.looked[k]})
	}
}

// countDistance adds positions of a distance.
func (t *surveyTally[P]) countDistance(v bitboard.Value, distance int, weight uint64) {
	for len(t.distances[v]) <= distance {
		t.distances[v] = append(t.distances[v], 0)
	}
	t.distances[v][distance] += weight
}

// pass looks up the passed positions of a block, but for those of wins, which
// are no zugzwangs, and counts the zugzwangs.
func (sv *surveyor[P]) pass(ctx context.Context, t *surveyTally[P]) error {
	t.asked, t.waiting = t.asked[:0], t.waiting[:0]
	for k, p := range t.looked {
		q, exists := sv.passer.Pass(p)
		switch {
		case !exists:
			t.zugzwang.Unpassed += uint64(t.places[k].weight)
		case t.outcomes[k].Value != bitboard.Win:
			t.asked, t.waiting = append(t.asked, q), append(t.waiting, k)
		}
	}
	t.answers = resized(t.answers, len(t.asked))
	if err := sv.ProbeAll(ctx, t.asked, t.answers); err != nil {
		return err
	}
	for i, k := range t.waiting {
		if kind, is := kindOf(t.outcomes[k].Value, t.answers[i].Value); is {
			t.zugzwang.count(kind, uint64(t.places[k].weight))
			t.zugzwangs[kind].include(extreme[P]{found: true, index: t.places[k].index, position: t.looked[k]})
		}
	}
	return nil
}

// add adds another worker's share.
func (t *surveyTally[P]) add(other *surveyTally[P]) {
	for v, counts := range other.distances {
		for distance, n := range counts {
			t.countDistance(bitboard.Value(v), distance, n)
		}
		if other.longest[v].found {
			t.longest[v].include(other.longest[v])
		}
	}
	t.zugzwang.Add(other.zugzwang)
	for kind := range other.zugzwangs {
		if other.zugzwangs[kind].found {
			t.zugzwangs[kind].include(other.zugzwangs[kind])
		}
	}
}

// resized is a buffer of length n, whatever it holds.
func resized[T any](buffer []T, n int) []T {
	if cap(buffer) < n {
		return make([]T, n)
	}
	return buffer[:n]
}
