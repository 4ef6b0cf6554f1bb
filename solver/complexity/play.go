package complexity

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"paika/bitboard"
)

// Options of self-play.
type Options struct {
	Games   int    // at least 2
	Depth   int    // turns that a player looks ahead, at least 1
	Opening int    // plies at random before that
	Seed    uint64 // of the random plies
	Workers int    // goroutines, at least 1

	// Progress, if it is there, is told after each game how many are over.
	// Calls come one at a time.
	Progress func(games int)
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
// their order. Errors: the context's, and those of options out of bounds.
func Play[P comparable](ctx context.Context, game bitboard.Evaluator[P], start P, o Options) ([]Record, error) {
	if o.Games < 2 || o.Depth < 1 || o.Opening < 0 || o.Workers < 1 {
		return nil, fmt.Errorf("%d games, depth %d, %d random plies, %d workers: want at least 2, 1, 0 and 1", o.Games, o.Depth, o.Opening, o.Workers)
	}
	records := make([]Record, o.Games)
	var next atomic.Int64
	var reporting sync.Mutex
	over := 0
	group, ctx := errgroup.WithContext(ctx)
	for range min(o.Workers, o.Games) {
		group.Go(func() error {
			p := player[P]{game: game}
			for i := int(next.Add(1)) - 1; i < o.Games; i = int(next.Add(1)) - 1 {
				var err error
				if records[i], err = p.play(ctx, start, o, rand.New(rand.NewPCG(o.Seed, uint64(i)))); err != nil {
					return err
				}
				reporting.Lock()
				over++
				if o.Progress != nil {
					o.Progress(over)
				}
				reporting.Unlock()
			}
			return nil
		})
	}
	return records, group.Wait()
}

// player plays both sides.
type player[P comparable] struct {
	game  bitboard.Evaluator[P]
	turns []P
	plies [][]candidate[P] // buffers, by turns left to look ahead
	nodes uint64
}

// candidate is a turn with the worth of what it leads to, for the player who
// moves there.
type candidate[P any] struct {
	to    P
	worth int
}

func (p *player[P]) play(ctx context.Context, start P, o Options, random *rand.Rand) (r Record, err error) {
	p.nodes = 0
	seen := make(map[P]bool)
	for at := start; ; {
		if err := ctx.Err(); err != nil {
			return Record{}, err
		}
		p.turns = p.game.Turns(p.turns[:0], at)
		n := len(p.turns)
		if r.Ended = n == 0; r.Ended {
			r.Value = p.game.Ended(at)
			break
		}
		if r.Plies() < o.Opening {
			at = p.turns[random.IntN(n)]
		} else {
			if seen[at] {
				break
			}
			seen[at] = true
			at = p.best(at, o.Depth)
		}
		r.Branching = append(r.Branching, n)
	}
	r.Nodes = p.nodes
	return r, nil
}
