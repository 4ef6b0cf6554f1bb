package catalogue

import (
	"fmt"
	"math/rand/v2"

	"paika/bitboard"
	"paika/bitboard/phutball"
	"paika/solver/winone"
)

func phutballGame() Game {
	return Game{
		Name:   "phutball",
		Look:   phutballLook(),
		Board:  phutball.Default.String(),
		Limits: "1 to 19 columns, 3 to 21 rows; tables of whole boards, with --pieces all, where they fit",
		Options: []RuleOption{
			{"goal-stop", []string{"false", "true"}, "a series of jumps ends as soon as the ball stands on a goal row", ""},
			{"corner-exit", []string{"false", "true"}, "a diagonal jump may leave the board past both edges at once", ""},
			{"return-from-off", []string{"false", "true"}, "a ball off the board may jump back in within the same turn", ""},
		},
		Benchmarks: phutballBenchmarks(),
		rate:       15e6,
		NamedBoard: phutball.NamedBoard,
		open:       opener(onAnyBoard(phutball.ParseRules), openPhutball),
	}
}

func phutballBenchmarks() Benchmarks {
	claims := []string{"ohs-wins", "eks-wins", ClaimDraw}
	return Benchmarks{
		Perfts:   []BenchPerft{{Board: "15x19", Depth: 4}},
		Builds:   []BenchBuild{{Board: "3x7", Pieces: bitboard.AllPieces}},
		WinInOne: &BenchWins{Board: "15x19", Families: randomBoards(phutball.Default)},
		Recipes: []Recipe{
			{Board: "3x5", Metric: bitboard.DTW, Count: 4},
			{Board: "3x7", Metric: bitboard.DTW, Slices: []string{"all"}, Count: 9, Drawn: 6},
			{Board: "7x3", Metric: bitboard.DTW, Count: 6},
			{Board: "5x5", From: FromProofs, Plies: 1, BeforePly: 10, Claims: claims, Count: 6},
			{Board: "5x7", From: FromProofs, Plies: 2, BeforePly: 16, Claims: claims, Count: 5},
			{Board: "7x7", From: FromProofs, Plies: 4, BeforePly: 20, Claims: claims, Count: 4},
		},
	}
}

// randomBoards lists the families of boards with a share of men, in percent, and the
// ball in the centre, then those that are hard to solve.
func randomBoards(board bitboard.Board) (families []BoardFamily) {
	for percent := 5; percent <= 60; percent += 5 {
		families = append(families, BoardFamily{fmt.Sprintf("density=%d", percent), func(random *rand.Rand) string {
			return winone.Random(board, random, percent, false).String()
		}})
	}
	for _, hard := range winone.Hard() {
		families = append(families, BoardFamily{hard.Name, func(random *rand.Rand) string {
			return hard.Make(board, random).String()
		}})
	}
	return families
}

// phutballInstance adds what Phutball alone has.
type phutballInstance struct {
	*instance[phutball.Position]
	game *phutball.Game
}

func openPhutball(a about, board bitboard.Board, rules phutball.Rules) (Instance, error) {
	game, err := phutball.New(board, rules)
	if err != nil {
		return nil, err
	}
	n := newInstance(a, game)
	n.begin = winone.Estimate(game)
	return phutballInstance{n, game}, nil
}
