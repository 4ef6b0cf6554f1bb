package breakthrough

import (
	"testing"

	"paika/bitboard/gametest"
)

func TestConforms(t *testing.T) {
	for _, c := range []struct {
		board          string
		pieces         int
		whole, sampled []string
	}{
		{board: "2x4", whole: []string{"1v1", "2v2", "3v2", "2v3", "4v4"}},
		{board: "3x4", whole: []string{"1v1", "1v3", "3v1"}, sampled: []string{"4v3", "3v4", "6v6"}},
		{board: "5x5", pieces: 8, whole: []string{"1v1"}, sampled: []string{"3v2", "2v3", "4v4"}},
		{board: "8x8", pieces: 6, sampled: []string{"1v1", "3v2", "2v3", "3v3"}},
	} {
		t.Run(c.board, func(t *testing.T) {
			g := newGame(t, c.board)
			gametest.Conform(t, g, gametest.Options[Position]{
				Pieces: c.pieces, Whole: c.whole, Sampled: c.sampled, Samples: 10,
				Images:  func(p Position) []Position { return []Position{p, mirrorImage(g, p)} },
				Outside: g.over,
			})
		})
	}
}

// mirrorImage exchanges left and right.
func mirrorImage(g *Game, p Position) (mirrored Position) {
	w := g.board.Width
	for n := range g.board.Points() {
		to := n/w*w + w - 1 - n%w
		mirrored.Own |= p.Own >> n & 1 << to
		mirrored.Opp |= p.Opp >> n & 1 << to
	}
	return mirrored
}
