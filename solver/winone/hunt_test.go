package winone

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"paika/bitboard"
	"paika/bitboard/phutball"
)

var (
	hunted   = flag.Int("hunt", 0, "boards of each family that TestHunt draws and tells of")
	huntSeed = flag.Uint64("huntseed", 1, "of the boards that TestHunt draws")
	huntIn   = flag.String("huntin", "", "the one family that TestHunt draws from; all by default")
	huntTime = flag.Duration("hunttime", 0, "how long TestHunt asks for a board; for ever by default")
	climbs   = flag.Int("climb", 0, "changes that TestHunt makes to the hardest board of each family")
)

// mostHunted is how many nodes a board may take in a hunt.
const mostHunted = 50_000_000

// quarry is a board and what it took.
type quarry struct {
	layout phutball.Layout
	result Result
	time   time.Duration // of the processor
}

// work is what the answer took in nodes, a conflict counted as a thousand: the same on
// every machine.
func (q quarry) work() uint64 { return q.result.Nodes + 1000*q.result.Conflicts }

func (q quarry) String() string {
	answer := "no"
	switch {
	case q.result.Win:
		answer = "yes"
	case !q.result.Decided:
		answer = "undecided"
	}
	return fmt.Sprintf("%s, %d nodes, %d conflicts, %v: %v", answer, q.result.Nodes, q.result.Conflicts, q.time.Round(time.Millisecond), q.layout)
}

// catch answers for a board. A series is replayed by the rules.
func catch(t *testing.T, s *Solver, l phutball.Layout) quarry {
	began := cpuTime()
	r, err := s.Layout(t.Context(), l, Options{Nodes: mostHunted, Time: *huntTime})
	if err != nil {
		t.Fatal(err)
	}
	passed := cpuTime() - began
	if r.Win {
		replay(t, s.grid, l, r)
	}
	return quarry{l, r, passed}
}

// TestHunt looks for boards of 19x21 on which the answer takes long, among those of
// every family and by changing the hardest again and again. With no flags it only
// sees that some boards of each family are decided.
func TestHunt(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	s := NewSolver(phutball.NewGrid(large, phutball.Rules{}))
	for i, family := range huntGrounds() {
		if *huntIn != "" && family.Name != *huntIn {
			continue
		}
		rng := rand.New(rand.NewPCG(*huntSeed, uint64(i)))
		var caught []quarry
		for range max(*hunted, 10) {
			caught = append(caught, catch(t, s, family.Make(large, rng)))
		}
		tell(t, family.Name, caught)
		if *climbs > 0 {
			fmt.Printf("  changed: %v\n", climb(t, s, hardest(caught), rng))
		}
	}
}

// huntGrounds lists all families, and boards without any order. Which boards of a family are drawn goes
// by its place, too: new families come last, so that the boards of records stay.
func huntGrounds() []Family {
	return append(append(Hard(), structured()...), Family{
		"random", "20 to 45 % men, the ball anywhere", func(board bitboard.Board, rng *rand.Rand) phutball.Layout {
			return Random(board, rng, 20+rng.IntN(26), true)
		},
	}, seam())
}

func hardest(caught []quarry) quarry {
	return slices.MaxFunc(caught, func(a, b quarry) int { return int(a.work()) - int(b.work()) })
}

// tell prints a row of the table, if one was asked for, the hardest board, and those
// that are not decided.
func tell(t *testing.T, name string, caught []quarry) {
	won := 0
	var nodes, conflicts uint64 // the most that a board took
	var open []quarry
	for _, q := range caught {
		if q.result.Win {
			won++
		}
		if !q.result.Decided {
			open = append(open, q)
		}
		nodes, conflicts = max(nodes, q.result.Nodes), max(conflicts, q.result.Conflicts)
	}
	if *hunted == 0 {
		if len(open) > 0 {
			t.Errorf("%s: %d boards not decided", name, len(open))
		}
		return
	}
	slices.SortFunc(caught, func(a, b quarry) int { return int(a.time - b.time) })
	fmt.Printf("%-13s %6d boards, %5d yes, %3d undecided; at most %6d nodes, %5d conflicts; %9v p99.9, %9v at most\n",
		name, len(caught), won, len(open), nodes, conflicts,
		caught[(len(caught)-1)*999/1000].time.Round(time.Microsecond), caught[len(caught)-1].time.Round(time.Microsecond))
	fmt.Printf("  hardest: %v\n", hardest(caught))
	for _, q := range open {
		fmt.Printf("  %v\n", q)
	}
}

// climb changes a board again and again and keeps each change that does not make it
// easier.
func climb(t *testing.T, s *Solver, from quarry, rng *rand.Rand) quarry {
	for range *climbs {
		if next := catch(t, s, mutated(from.layout, rng)); next.work() >= from.work() {
			from = next
		}
	}
	return from
}

// mutated flips one to three points of a layout, or moves the ball.
func mutated(l phutball.Layout, rng *rand.Rand) phutball.Layout {
	points := map[bitboard.Point]bool{}
	for rank := range l.Board.Height {
		for file := range l.Board.Width {
			if p := (bitboard.Point{File: file, Rank: rank}); l.Man(p) {
				points[p] = true
			}
		}
	}
	for range 1 + rng.IntN(3) {
		p := bitboard.Point{File: rng.IntN(l.Board.Width), Rank: rng.IntN(l.Board.Height)}
		switch {
		case p == l.Ball:
		case rng.IntN(12) == 0 && !points[p] && p.Rank > 0 && p.Rank < l.Board.Height/2:
			l.Ball = p
		default:
			points[p] = !points[p]
		}
	}
	changed := phutball.NewLayout(l.Board, l.Side, l.Ball)
	for p, man := range points {
		if man {
			changed.Place(p)
		}
	}
	return changed
}
