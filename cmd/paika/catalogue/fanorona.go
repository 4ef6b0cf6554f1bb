package catalogue

import (
	"paika/bitboard"
	"paika/bitboard/fanorona"
)

func fanoronaGame() Game {
	return Game{
		Name:   "fanorona",
		Look:   fanoronaLook(),
		Board:  "9x5",
		Limits: "3 to 9 points each way, at most 60 in all; the start position needs odd sides",
		Boards: []NamedBoard{{"telo", "3x3"}, {"dimy", "5x5"}, {"tsivy", "9x5"}},
		Options: []RuleOption{
			{"stalemate", []string{"loss", "draw"}, "what a player with stones and no legal turn gets", ""},
			{"direction-rule", []string{"no-repeat", "no-repeat-or-reverse", "never-twice"}, "directions that a capturing stone may not take again", ""},
		},
		Benchmarks: fanoronaBenchmarks(),
		rate:       8e6,
		open: opener(onAnyBoard(fanorona.ParseRules), func(a about, board bitboard.Board, rules fanorona.Rules) (Instance, error) {
			game, err := fanorona.New(board, rules)
			if err != nil {
				return nil, err
			}
			return newInstance(a, game), nil
		}),
	}
}

func fanoronaBenchmarks() Benchmarks {
	claims := []string{"white-wins", "black-wins", ClaimDraw}
	return Benchmarks{
		Perfts: []BenchPerft{{Board: "9x5", Depth: 6, AllWorkers: true}},
		Builds: []BenchBuild{
			{Board: "9x5", Pieces: 2},
			{Board: "9x5", Pieces: 3},
			{Board: "9x5", Pieces: 4},
			{Board: "9x5", Pieces: 5, AllWorkers: true},
			{Board: "9x5", Pieces: 2, Metric: bitboard.DTW},
			{Board: "9x5", Pieces: 3, Metric: bitboard.DTW},
			{Board: "9x5", Pieces: 4, Metric: bitboard.DTW},
			{Board: "9x5", Pieces: 5, Metric: bitboard.DTW},
			{Board: "5x5", Pieces: 7},
		},
		Stored:   &StoredTables{Board: "9x5", Pieces: 5},
		Assisted: &AssistedSearch{Boards: []string{"5x5", "9x5"}, Least: 4},
		Sized:    &SizedSearch{Board: "5x5", Pieces: 4, Claim: ClaimDraw},
		Recipes: []Recipe{
			{Board: "3x3", Metric: bitboard.DTW, Count: 4},
			{Board: "5x3", Metric: bitboard.DTW, Count: 6},
			{Board: "3x5", Metric: bitboard.DTW, Count: 4},
			{Board: "5x5", Pieces: 6, Metric: bitboard.DTW, Slices: []string{"3v3", "4v2", "2v4"}, Count: 6},
			{Board: "9x5", Pieces: 5, Metric: bitboard.DTW, Slices: []string{"2v2", "3v2", "2v3"}, Count: 7},
			{Board: "5x5", From: FromProofs, Pieces: 5, Plies: 2, BeforePly: 14, Claims: claims, Count: 10},
			{Board: "7x5", From: FromProofs, Pieces: 5, Plies: 8, BeforePly: 24, Claims: claims, Count: 6},
		},
	}
}
