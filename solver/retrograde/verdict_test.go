package retrograde

import (
	"testing"

	"paika/bitboard"
)

// In both metrics turns decide the same: one to a loss, all to wins, and nothing where
// there is none, since a game that is over has a value by the rules.
func TestWhatTurnsDecide(t *testing.T) {
	const win, loss, draw = bitboard.Win, bitboard.Loss, bitboard.Draw
	for _, c := range []struct {
		turns []bitboard.Value
		want  bitboard.Value
	}{
		{nil, draw},
		{[]bitboard.Value{win}, loss},
		{[]bitboard.Value{win, win}, loss},
		{[]bitboard.Value{win, draw}, draw},
		{[]bitboard.Value{draw, win, loss}, win},
		{[]bitboard.Value{loss}, win},
		{[]bitboard.Value{draw}, draw},
	} {
		var seen bitboard.Values
		var depths []bitboard.Depth
		for _, v := range c.turns {
			seen |= 1 << v
			depth := bitboard.Depth(0)
			if v != draw {
				depth = bitboard.MakeDepth(v, 2)
			}
			depths = append(depths, depth)
		}
		if got := verdict(c.turns); got != c.want {
			t.Errorf("turns to %v: %v, want %v", c.turns, got, c.want)
		}
		if got := seen.Verdict(); got != c.want {
			t.Errorf("turns to the set %v: %v, want %v", c.turns, got, c.want)
		}
		if got, fits := bitboard.VerdictDepth(depths); got.Value() != c.want || !fits {
			t.Errorf("turns to %v with distances: %v, want %v", c.turns, got.Value(), c.want)
		}
	}
	if got := verdict([]bitboard.Value{win, bitboard.Settled}); got != draw {
		t.Errorf("a turn to what is settled: %v, want a draw", got)
	}
}
