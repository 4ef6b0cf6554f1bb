package winone

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"paika/bitboard"
	"paika/bitboard/phutball"
)

// timeless is a context that must not be asked for the time.
type timeless struct {
	context.Context
	t *testing.T
}

func (c timeless) Deadline() (time.Time, bool) {
	c.t.Error("asked for a deadline")
	return time.Time{}, false
}

// The proof-number search must visit the same nodes on every machine: an estimate takes as many
// jumps as a new solver that knows no time, says what that says, and no series of jumps says
// otherwise.
func TestEstimatesOfWinsAreFoundWithoutAClock(t *testing.T) {
	game, err := phutball.New(phutball.Default, phutball.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	l := newLookout(game)
	rng := rand.New(rand.NewPCG(3, 0))
	known := map[bool]int{} // by what naive says
	for range 200 {
		layout := Hard()[rng.IntN(3)].Make(game.Board(), rng)
		p, _, err := game.Parse(layout.String())
		if err != nil {
			t.Fatal(err)
		}
		r, err := NewSolver(game.Grid()).Position(timeless{t.Context(), t}, p, Options{Nodes: estimateNodes})
		if err != nil {
			t.Fatal(err)
		}
		got := l.wins(p)
		if got != r.Win || l.solver.nodes != r.Nodes {
			t.Errorf("%v: the estimate says %v after %d jumps, a new solver %v after %d", layout, got, l.solver.nodes, r.Win, r.Nodes)
		}
		if _, limited := l.solver.clock.ctx.Deadline(); limited || !l.solver.clock.end.IsZero() {
			t.Fatal("an estimate has a limit of time")
		}
		if fewest, ended := naiveOf(layout, phutball.Rules{}, 5_000).fewest(layout.Ball, true); ended {
			known[fewest > 0]++
			if got != (fewest > 0) {
				t.Errorf("%v: the estimate says %v, the shortest series has %d jumps", layout, got, fewest)
			}
		}
	}
	if min(known[true], known[false]) < 5 {
		t.Errorf("of the positions, this many are known to be won or not: %v", known)
	}
}

// Who asks at the same time as others is told what one alone is told.
func TestEstimatesAreMadeTogether(t *testing.T) {
	game, err := phutball.New(bitboard.Board{Width: 5, Height: 5}, phutball.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	type numbers struct{ phi, delta uint32 }
	var positions []phutball.Position
	var alone []numbers
	rng := rand.New(rand.NewPCG(4, 0))
	for l := newLookout(game); len(positions) < 300; {
		p, _, err := game.Parse(Hard()[rng.IntN(3)].Make(game.Board(), rng).String())
		if err != nil {
			t.Fatal(err)
		}
		phi, delta := l.estimate(p)
		positions, alone = append(positions, p), append(alone, numbers{phi, delta})
	}
	estimate := Estimate(game)
	var asking sync.WaitGroup
	for range 4 {
		asking.Go(func() {
			for i, p := range positions {
				if phi, delta := estimate(p, true); alone[i] != (numbers{phi, delta}) {
					t.Errorf("%v: %d and %d, and alone %+v", p, phi, delta, alone[i])
				}
			}
		})
	}
	asking.Wait()
}

// TestEstimatesLookAtThousandsOfTurnsAtMost, where there are more.
func TestEstimatesLookAtThousandsOfTurnsAtMost(t *testing.T) {
	game, err := phutball.New(bitboard.Board{Width: 9, Height: 9}, phutball.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	const crowded = "........./........./.*.*.*.*./*.*.*.*.*/.*.*@*.*./*.*.*.*.*/.*.*.*.*./*.*.*.*.*/.*.*.*.*. ohs"
	p, _, err := game.Parse(crowded)
	if err != nil {
		t.Fatal(err)
	}
	if turns := game.CountTo(p, 1<<20); turns < 20*many {
		t.Fatalf("%d turns: want many", turns)
	}
	l := newLookout(game)
	if phi, delta := l.estimate(p); phi != remote || delta != many+detached || cap(l.turns) != 0 {
		t.Errorf("%d and %d, with a list of %d turns: want %d and %d, with none", phi, delta, cap(l.turns), remote, many+detached)
	}
}
