package konane

import (
	"testing"

	"paika/bitboard"
)

// Openings that begin without the same two stones have one spelling.
func TestOpeningsThatBeginAlikeAreOne(t *testing.T) {
	largest := bitboard.Board{Width: maxSide, Height: maxSide}
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
		opening, err := parseOpening(largest, c.opening)
		if err != nil {
			t.Fatal(err)
		}
		if got := opening.Canonical(board); got.String() != c.want {
			t.Errorf("%s on %s is %v, want %s", c.opening, c.board, got, c.want)
		}
	}
}

// Gaps and kinds of opening that no text can name are refused as well.
func TestOpeningsThatAreNoneAreRefused(t *testing.T) {
	board := bitboard.Board{Width: 4, Height: 4}
	for _, o := range []Opening{
		{Kind: Gap, Missing: [2]bitboard.Point{{File: -1}, {}}},
		{Kind: Gap, Missing: [2]bitboard.Point{{}, {Rank: -1}}},
		{Kind: Gap, Missing: [2]bitboard.Point{{File: 3}, {File: 4}}},
		{Kind: Gap + 1, Missing: [2]bitboard.Point{{}, {File: 1}}},
		{Kind: 255},
	} {
		if _, err := New[Word](board, Rules{Opening: o}); err == nil || o.Canonical(board) != o {
			t.Errorf("%v: %v, canonically %v", o, err, o.Canonical(board))
		}
	}
	if got := (Opening{Kind: 9}).String(); got != "opening(9)" {
		t.Errorf("kind 9 is written %s", got)
	}
}

// Whoever removed the first stone plays its colour, and moves once the second is removed: on boards of
// two points, where none is left to tell, as on others, and whatever side a text names while the
// opening is played.
func TestTheFirstPlayerMovesAfterTheOpening(t *testing.T) {
	for _, kind := range []OpeningKind{Traditional, CentreOrCorner, AnyStone} {
		for _, c := range []struct {
			board bitboard.Board
			text  string
			want  string
		}{
			{bitboard.Board{Width: 2, Height: 1}, ".o", ".. b"},
			{bitboard.Board{Width: 2, Height: 1}, "x.", ".. w"},
			{bitboard.Board{Width: 1, Height: 2}, "o/.", "./. b"},
			{bitboard.Board{Width: 1, Height: 2}, "./x", "./. w"},
			{bitboard.Board{Width: 1, Height: 1}, "x", ". w"},
		} {
			g, err := New[Word](c.board, Rules{Opening: Opening{Kind: kind}})
			if err != nil {
				t.Fatal(err)
			}
			for _, side := range sideWords {
				text := c.text + " " + side
				p, s, err := g.Parse(text)
				if err != nil {
					t.Fatal(err)
				}
				if again, sideAgain, err := g.Parse(g.Format(p, s)); err != nil || again != p || sideAgain != s {
					t.Errorf("%v, %s is read and written as %s", kind, text, g.Format(p, s))
				}
				turns := g.Turns(nil, p)
				if len(turns) != 1 {
					t.Fatalf("%v, %s: %d turns", kind, text, len(turns))
				}
				if got := g.Format(turns[0], bitboard.SideAfter(g, turns[0], s)); got != c.want {
					t.Errorf("%v, %s: %s, want %s", kind, text, got, c.want)
				}
			}
		}
	}
}
