package breakthrough

import (
	"testing"

	"paika/bitboard"
)

// Where the estimate says that a side is bound to win, it wins; where it says that the
// game is over, it is.
func TestEstimateIsRightWhereItIsSure(t *testing.T) {
	g := newGame(t, "3x4")
	won, lost := 0, 0
	for s, table := range solved(t, g) {
		g.Walk(s, 0, g.Indices(s), func(i uint64, p Position, _ int) bool {
			win, fail := g.Estimate(p, true)
			switch value := table.Outcome(i).Value; {
			case win == 0 || fail == 0, win == hopeless && value != bitboard.Loss, fail == hopeless && value != bitboard.Win:
				t.Errorf("%s: %d and %d leaves, a %v", g.Format(p, 0), win, fail, value)
			case win == hopeless:
				lost++
			case fail == hopeless:
				won++
			}
			return !t.Failed()
		})
	}
	if won == 0 || lost == 0 {
		t.Errorf("sure of %d wins and %d losses: nothing was tested", won, lost)
	}
	over, _ := parse(t, g, "W../B../.../... b")
	if win, fail := g.Estimate(over, true); win != 0 || fail != 0 {
		t.Errorf("over: %d and %d leaves", win, fail)
	}
}
