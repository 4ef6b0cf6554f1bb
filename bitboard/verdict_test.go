package bitboard

import "testing"

// A loss in the longest distance makes a win, which no Depth holds. Where another turn is quicker
// the length of that one says nothing.
func TestVerdictsTellThatTheyAreTooLong(t *testing.T) {
	win := func(distance int) Depth { return MakeDepth(Win, distance) }
	loss := func(distance int) Depth { return MakeDepth(Loss, distance) }
	for _, c := range []struct {
		turns []Depth
		want  Depth
		fits  bool
	}{
		{nil, 0, true},
		{[]Depth{loss(0)}, win(1), true},
		{[]Depth{loss(MaxDistance - 1)}, win(MaxDistance), true},
		{[]Depth{win(MaxDistance - 1)}, loss(MaxDistance), true},
		{[]Depth{loss(MaxDistance)}, 0, false},
		{[]Depth{loss(MaxDistance), 0}, 0, false},
		{[]Depth{win(MaxDistance)}, 0, false},
		{[]Depth{win(1), win(MaxDistance)}, 0, false},
		{[]Depth{win(MaxDistance), 0}, 0, true},
		{[]Depth{loss(MaxDistance), loss(3), win(MaxDistance)}, win(4), true},
	} {
		got, fits := VerdictDepth(c.turns)
		if fits != c.fits || fits && (got != c.want || !got.IsOutcome()) {
			t.Errorf("turns to %v: %v, %v; want %v, %v", c.turns, got.Outcome(), fits, c.want.Outcome(), c.fits)
		}
	}
}
