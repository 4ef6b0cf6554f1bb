package fanorona

import (
	"math/bits"
	"math/rand/v2"
	"testing"
)

// takenByStep is what first steps take, one after the other.
func takenByStep(g *Game, p Position) (taken uint64) {
	empty := g.points &^ (p.Own | p.Opp)
	for rest := p.Own; rest != 0; rest &= rest - 1 {
		from := rest & -rest
		for d := range uint8(directions) {
			if g.steps[bits.TrailingZeros64(from)][d].to&empty != 0 {
				approach, withdrawal := g.captured(p.Opp, from, d)
				taken |= approach | withdrawal
			}
		}
	}
	return taken
}

func TestEstimateKnowsWhatStepsTake(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 0))
	for _, board := range []string{"5x5", "9x5", "3x9"} {
		g := newGame(t, board, Rules{})
		for range 2000 {
			p := randomPosition(g, rng)
			got, want := g.taken(p.Own, p.Opp), takenByStep(g, p)
			if board == "5x5" && got != want || got&^want != 0 || got == 0 != (want == 0) {
				t.Fatalf("%s %s: %x, want %x", board, g.Format(p, 0), got, want)
			}
		}
	}
}

func TestEstimateIsNothingWhereTheGameIsOver(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 0))
	g := newGame(t, "3x3", Rules{})
	over := 0
	for range 5000 {
		p := randomPosition(g, rng)
		reach, fail := g.Estimate(p, true)
		ended := len(g.Turns(nil, p)) == 0
		if ended != (reach == 0 && fail == 0) || !ended && (reach == 0 || fail == 0) {
			t.Fatalf("%s: %d and %d", g.Format(p, 0), reach, fail)
		}
		if ended {
			over++
		}
	}
	if over == 0 || over == 5000 {
		t.Errorf("%d positions of 5000 are over: nothing was tested", over)
	}
}
