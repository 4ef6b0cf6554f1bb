package catalogue

import (
	"fmt"
	"maps"
	"slices"

	"paika/bitboard"
	"paika/bitboard/breakthrough"
)

// breakthroughGame is played by one set of rules.
func breakthroughGame() Game {
	return Game{
		Name:   "breakthrough",
		Board:  "5x5",
		Limits: "2 to 8 files, 4 to 8 ranks",
		rate:   1.5e6,
		Look: Look{
			Title: "Breakthrough", Sides: whiteAndBlack(), Files: smallLetters, Board: Squares,
			Pieces: []LookOfPiece{{"W", "white", "white pawn", false}, {"B", "black", "black pawn", false}},
			Rules: []string{
				"A pawn moves one rank ahead: straight or diagonally to a free point.",
				"Diagonally it may capture an enemy pawn that stands there. Straight ahead it may not.",
				"Nobody has to capture.",
				"Pawns never go back.",
				"Who reaches the farthest rank, or captures the last enemy pawn, has won.",
			},
			Example: LookOfExample{"3x4", "B../.B./W../..W w", "a2xb3", "B../.W./.../..W b", "A white pawn captures diagonally."},
		},
		Benchmarks: Benchmarks{
			Perfts: []BenchPerft{{Board: "8x8", Depth: 5}},
			Builds: []BenchBuild{{Board: "4x4", Pieces: bitboard.AllPieces}},
		},
		open: opener(onAnyBoard(noRules("breakthrough")), func(a about, board bitboard.Board, _ struct{}) (Instance, error) {
			game, err := breakthrough.New(board)
			if err != nil {
				return nil, err
			}
			n := newInstance(a, game)
			n.drawless = true
			return n, nil
		}),
	}
}

// noRules reads the rule options of a game that has none.
func noRules(game string) func(map[string]string) (struct{}, error) {
	return func(options map[string]string) (struct{}, error) {
		for _, name := range slices.Sorted(maps.Keys(options)) { // the same error every time
			return struct{}{}, fmt.Errorf("%s has no rule %s, nor any other", game, bitboard.Quote(name))
		}
		return struct{}{}, nil
	}
}
