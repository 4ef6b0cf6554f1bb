package konane

import (
	"testing"

	"paika/bitboard"
)

// Openings that begin without the same two stones have one spelling.
func TestOpeningsThatBeginAlikeAreOne(t *testing.T) {
	for _, c := range []struct{ board, opening, want string }{
		{"8x8", "corner-h", "corner-h"},
		{"8x8", "gap:a1-b1", "corner-h"},
		{"8x8", "gap:b1-a1", "corner-h"},
		{"8x8", "gap:a2-a1", "corner-v"},
		{"8x8", "gap:e4-d4", "middle-h"},
		{"8x8", "gap:d4-d5", "middle-v"},
		{"8x8", "gap:c3-c2", "gap:c2-c3"},
		{"8x8", "gap:d3-c3", "gap:c3-d3"},
		{"2x2", "middle-h", "corner-h"},
		{"2x2", "middle-v", "corner-v"},
		{"8x1", "gap:b1-a1", "corner-h"},
		{"16x16", "gap:p16-o16", "gap:o16-p16"},
		{"8x8", "traditional", "traditional"},
		{"8x8", "any", "any"},
		{"1x8", "corner-h", "corner-h"}, // which New refuses
		{"1x2", "middle-h", "middle-h"}, // likewise
		{"4x4", "gap:e4-d4", "gap:e4-d4"},
	} {
		board, err := bitboard.ParseBoard(c.board)
		if err != nil {
			t.Fatal(err)
		}
		opening, err := parseOpening(c.opening)
		if err != nil {
			t.Fatal(err)
		}
		if got := opening.Canonical(board); got.String() != c.want {
			t.Errorf("%s on %s is %v, want %s", c.opening, c.board, got, c.want)
		}
	}
}
