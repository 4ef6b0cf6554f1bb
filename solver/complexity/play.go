package complexity

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"unsafe"

	"paika/bitboard"
	"paika/internal/parallel"
	"paika/internal/usage"
)

// MostDepth is the farthest that players can look ahead. Nobody waits for half of
// that: with two turns in each position it is 2^50 of them.
const MostDepth = 100

// Options of self-play.
type Options struct {
	Games   int    // at least 2
	Depth   int    // turns that a player looks ahead, 1 to MostDepth
	Opening int    // plies at random before that
	Seed    uint64 // of the random plies
	Workers int    // goroutines, at least 1
	Memory  uint64 // bytes that players and the records of their games may take

	// Progress, if it is there, is told after each game how many are over.
	// Calls come one at a time.
	Progress func(games int)
}

func (o Options) check() error {
	if o.Games < 2 || o.Depth < 1 || o.Depth > MostDepth || o.Opening < 0 || o.Workers < 1 {
		return fmt.Errorf("%s, depth %d, %d at random, %s: want at least 2, 1, 0 and 1, and depth at most %d",
			bitboard.Count(o.Games, "game"), o.Depth, o.Opening, bitboard.Count(o.Workers, "worker"), MostDepth)
	}
	return nil
}

// Record is one game.
type Record struct {
	// Branching is the number of turns at each ply: distinct sequences, as
	// Rules.Turns lists them.
	Branching []int

	// Ended tells whether the game came to its end, and Value what that is for
	// the player who is to move there. Otherwise a position came again.
	Ended bool
	Value bitboard.Value

	Nodes uint64 // positions that the players looked at
}

// Plies is the length of the game in turns.
func (r Record) Plies() int { return len(r.Branching) }

// Play lets alpha-beta players play games from a position and gives them in
// their order. Errors: the context's, those of options out of bounds, and a
// *MemoryError: before the first game where the games cannot fit, after the first
// hundred where they would not if all were like these, and else when memory is
// spent.
func Play[P comparable](ctx context.Context, game bitboard.Evaluator[P], start P, o Options) ([]Record, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	memory := &allowance{bytes: o.Memory}
	if err := memory.checkGames(o.Games); err != nil {
		return nil, err
	}
	memory.take(uint64(o.Games) * gameBytes)
	records := make([]Record, o.Games)
	var reporting sync.Mutex
	over, plies := 0, 0
	report := func(r Record) error {
		reporting.Lock()
		defer reporting.Unlock()
		over, plies = over+1, plies+r.Plies()
		if o.Progress != nil {
			o.Progress(over)
		}
		return memory.foresee(o.Games, over, plies)
	}
	players := make([]*player[P], min(o.Workers, o.Games))
	for i := range players {
		players[i] = &player[P]{game: game, prolific: prolific(game), options: o, memory: memory}
	}
	err := parallel.Each(ctx, len(players), uint64(o.Games), func(ctx context.Context, worker int, i uint64) (err error) {
		p := players[worker]
		p.ctx = ctx
		if records[i], err = p.play(start, rand.New(rand.NewPCG(o.Seed, i))); err != nil {
			return err
		}
		return report(records[i])
	})
	if err != nil {
		return nil, err
	}
	return records, nil
}

// player plays both sides.
type player[P comparable] struct {
	ctx      context.Context
	game     bitboard.Evaluator[P]
	prolific bitboard.Prolific[P] // the game, or nil
	options  Options
	memory   *allowance

	err       error // why the game cannot go on
	branching []int // of the game so far
	turns     []P
	plies     [][]candidate[P] // buffers, by turns left to look ahead
	nodes     uint64
}

// candidate is a turn with the worth of what it leads to, for the player who
// moves there.
type candidate[P any] struct {
	to    P
	worth int
}

func (p *player[P]) play(start P, random *rand.Rand) (r Record, err error) {
	p.nodes, p.branching = 0, p.branching[:0]
	seen := make(map[P]bool)
	defer func() { p.memory.giveBack(uint64(len(seen)) * setBytes(unsafe.Sizeof(start))) }()
	for at := start; ; {
		turns := p.list(at)
		if p.err != nil {
			return Record{}, p.err
		}
		n := len(turns)
		if r.Ended = n == 0; r.Ended {
			r.Value = p.game.Ended(at)
			break
		}
		if len(p.branching) < p.options.Opening {
			at = turns[random.IntN(n)]
		} else {
			if seen[at] {
				break
			}
			seen[at] = true
			p.take(setBytes(unsafe.Sizeof(at)))
			at = p.best(at, p.options.Depth)
		}
		p.branching = append(p.branching, n)
		p.take(plyBytes)
	}
	r.Branching, r.Nodes = slices.Clone(p.branching), p.nodes
	return r, nil
}

// list lists the turns of a position; none where p.err says why the game cannot
// go on.
func (p *player[P]) list(at P) []P {
	if p.err == nil {
		p.err = p.ctx.Err()
	}
	if p.err != nil {
		return nil
	}
	each := growth * uint64(unsafe.Sizeof(at)+unsafe.Sizeof(candidate[P]{}))
	if most, more := outgrows(p.prolific, at, p.memory.left()/uint64(p.options.Workers), each); more {
		p.err = &MemoryError{fmt.Sprintf("the turns of a position, more than %s,", usage.Thousands(most))}
		return nil
	}
	before := cap(p.turns)
	p.turns = p.game.Turns(p.turns[:0], at)
	p.take(uint64(cap(p.turns)-before) * uint64(unsafe.Sizeof(at)))
	return p.turns
}

// take counts bytes that the player takes; p.err says where there are too many.
func (p *player[P]) take(bytes uint64) {
	if bytes > 0 && !p.memory.take(bytes) && p.err == nil {
		p.err = &MemoryError{fmt.Sprintf("all of %s games", usage.Thousands(uint64(p.options.Games)))}
	}
}
