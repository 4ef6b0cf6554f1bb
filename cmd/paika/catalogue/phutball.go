package catalogue

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"

	"paika/bitboard"
	"paika/bitboard/phutball"
	"paika/solver/proofnumber"
	"paika/solver/winone"
)

func phutballGame() Game {
	return Game{
		Name:   "phutball",
		Look:   phutballLook(),
		Board:  "15x19",
		Limits: "1 to 19 columns, 3 to 21 rows; tables of whole boards, with --pieces all, where they fit",
		Options: []RuleOption{
			{"goal-stop", []string{"false", "true"}, "a series of jumps ends as soon as the ball stands on a goal row", ""},
			{"corner-exit", []string{"false", "true"}, "a diagonal jump may leave the board past both edges at once", ""},
			{"return-from-off", []string{"false", "true"}, "a ball off the board may jump back in within the same turn", ""},
		},
		Benchmarks: phutballBenchmarks(),
		open:       opener(phutball.ParseRules, openPhutball),
	}
}

func phutballBenchmarks() Benchmarks {
	claims := []string{"ohs-wins", "eks-wins", ClaimDraw}
	return Benchmarks{
		Perfts:   []BenchPerft{{Board: "15x19", Depth: 4}},
		Builds:   []BenchBuild{{Board: "3x7", Pieces: bitboard.AllPieces}},
		WinInOne: &BenchWins{Board: "15x19", Families: randomBoards(bitboard.Board{Width: 15, Height: 19})},
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
	n.begin = estimateWins(game)
	return phutballInstance{n, game}, nil
}

// Where the proof numbers of a position of Phutball begin; see estimateWins. These
// were the best of some tried on boards from 3x9 to 9x9.
const (
	sure     = 1 << 9 // what can't be, since a turn or two decide it
	remote   = 16     // that the side to move wins, where nothing is near
	detached = 100    // turns more to be answered where the other side threatens nothing
)

// estimateWins looks a turn or two ahead for the proof-number search. Where the
// side to move wins with this turn, it is as good as won. Where the other side
// would, if it had the turn, only the turns that parry that have to be answered,
// and they are counted. So a search for a win follows threats first. It finds each
// win again by the rules: no proof rests on this.
func estimateWins(game *phutball.Game) proofnumber.Estimate[phutball.Position] {
	lookouts := sync.Pool{New: func() any {
		return &lookout{game: game, solver: winone.NewSolver(game.Grid())}
	}}
	return func(p phutball.Position, _ bool) (phi, delta uint32) {
		l := lookouts.Get().(*lookout)
		defer lookouts.Put(l)
		return l.estimate(p)
	}
}

// lookout is the estimates of one goroutine at a time.
type lookout struct {
	game   *phutball.Game
	solver *winone.Solver
	turns  []phutball.Position
}

func (l *lookout) estimate(p phutball.Position) (phi, delta uint32) {
	turns := uint32(l.game.Count(p))
	if turns == 0 {
		return 0, 0
	}
	if l.wins(p) {
		return 1, sure
	}
	if passed, _ := l.game.Pass(p); !l.wins(passed) {
		return remote, turns + detached
	}
	parries := uint32(0)
	l.turns = l.game.Turns(l.turns[:0], p)
	for _, q := range l.turns {
		if l.game.Count(q) > 0 && !l.wins(q) {
			parries++
		}
	}
	if parries == 0 {
		return sure, 1
	}
	return remote, parries
}

// estimateNodes is how many jumps an estimate tries to see a win, at the most. No
// more than one in ten thousand of the boards that are hard for the solver takes so
// many. It is no time: the search visits the same nodes on every machine.
const estimateNodes = 20_000

// wins tells whether the side to move wins with this turn, or that it does not if
// that takes long to see.
func (l *lookout) wins(p phutball.Position) bool {
	r, err := l.solver.Position(context.Background(), p, winone.Options{Nodes: estimateNodes})
	return err == nil && r.Win
}
