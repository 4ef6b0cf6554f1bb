package winone

import (
	"context"
	"sync"

	"paika/bitboard/phutball"
)

// What an estimate says of a position. These were the best of some tried on boards from
// 3x9 to 9x9.
const (
	sure     = 1 << 9  // what can't be, since a turn or two decide it
	remote   = 16      // that the side to move wins, where nothing is near
	many     = 1 << 14 // turns that are counted, and looked at, at the most
	detached = 100     // turns more to be answered where the other side threatens nothing
)

// Estimate guesses, for a proof-number search, how much work it is to show that the side
// to move reaches its goal (phi), and that it does not (delta): a proofnumber.Estimate. It
// looks a turn or two ahead. Where the side to move wins with this turn, it is as good as
// won. Where the other side would, if it had the turn, only the turns that parry that have
// to be answered, and they are counted. So a search for a win follows threats first. It
// finds each win again by the rules: no proof rests on this. Among thousands of turns it does not
// look for those that parry: a position may have millions. Calls may be concurrent.
func Estimate(game *phutball.Game) func(p phutball.Position, attacker bool) (phi, delta uint32) {
	lookouts := sync.Pool{New: func() any { return newLookout(game) }}
	return func(p phutball.Position, _ bool) (phi, delta uint32) {
		l := lookouts.Get().(*lookout)
		defer lookouts.Put(l)
		return l.estimate(p)
	}
}

// lookout is the estimates of one goroutine at a time.
type lookout struct {
	game   *phutball.Game
	solver *Solver
	turns  []phutball.Position
}

func newLookout(game *phutball.Game) *lookout {
	return &lookout{game: game, solver: NewSolver(game.Grid())}
}

func (l *lookout) estimate(p phutball.Position) (phi, delta uint32) {
	turns := uint32(l.game.CountTo(p, many))
	if turns == 0 {
		return 0, 0
	}
	if l.wins(p) {
		return 1, sure
	}
	if passed, _ := l.game.Pass(p); turns == many || !l.wins(passed) {
		return remote, turns + detached
	}
	parries := uint32(0)
	l.turns = l.game.Turns(l.turns[:0], p)
	for _, q := range l.turns {
		if l.game.CountTo(q, 1) > 0 && !l.wins(q) {
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
	r, err := l.solver.Position(context.Background(), p, Options{Nodes: estimateNodes})
	return err == nil && r.Win
}
