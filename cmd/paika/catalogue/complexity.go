package catalogue

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"time"

	"paika/bitboard"
	"paika/internal/usage"
	"paika/solver/complexity"
)

// Complexity is how large a game is.
type Complexity struct {
	Game       string     `json:"game"`
	Board      string     `json:"board"`
	Rules      string     `json:"rules"`
	Games      int        `json:"games"`
	Depth      int        `json:"depth"`   // turns that a player looks ahead
	Opening    int        `json:"opening"` // plies at random before that
	Seed       uint64     `json:"seed"`
	StateSpace StateSpace `json:"state_space"`
	GameTree   GameTree   `json:"game_tree"`
	Plies      Plies      `json:"plies"`
	Branching  Branching  `json:"branching"`
	Results    Results    `json:"results"`
	Nodes      uint64     `json:"nodes"` // positions that the players looked at
	Seconds    float64    `json:"seconds"`
}

// StateSpace is the number of positions.
type StateSpace struct {
	Count string  `json:"count"` // in decimal; all that can be set up, of which What says more
	Log10 float64 `json:"log10"`
	What  string  `json:"what"`

	// Reachable is the number that play reaches from the start, each with the side to
	// move, those where the game is over among them; null where it is more than were
	// counted, as asked or as memory allows.
	Reachable *int `json:"reachable"`
	Counted   int  `json:"counted"`
}

// GameTree is the number of leaves of the full tree, as log10.
type GameTree struct {
	Log10 complexity.Interval `json:"log10"` // of b^d

	// Product is the mean over the games of log10 of the product of the turns
	// at each ply.
	Product complexity.Interval `json:"product"`
}

// Plies is the length of the games.
type Plies struct {
	complexity.Interval
	Shortest int `json:"shortest"`
	Longest  int `json:"longest"`
}

// Branching is the number of turns, distinct sequences, in a position.
type Branching struct {
	complexity.Interval
	ByPly []complexity.Ply `json:"by_ply"`
}

// Results tells how the games ended.
type Results struct {
	First   int `json:"first"` // won by the player who moved first
	Second  int `json:"second"`
	Drawn   int `json:"drawn"`
	Endless int `json:"endless"` // a position came again
}

// ComplexityOptions say what games to play.
type ComplexityOptions struct {
	Games     int
	Depth     int // turns to look ahead; 0 for the game's own choice
	Opening   int // plies at random
	Seed      uint64
	Reachable int // positions to count one by one at most
	Workers   int
	Memory    uint64 // bytes that the whole program may take
	Progress  func(games int)
}

// Complexity measures the game from its start. Errors wrap ErrMemory where the
// program or the games do not fit.
func (n *instance[P]) Complexity(ctx context.Context, o ComplexityOptions) (Complexity, error) {
	game, ok := n.game.(bitboard.Evaluator[P])
	if !ok {
		return Complexity{}, fmt.Errorf("%s has no evaluation to play by", n.identity.Game)
	}
	start, _, err := n.game.Start()
	if err != nil {
		return Complexity{}, err
	}
	if o.Depth == 0 {
		o.Depth = game.Lookahead()
	}
	if need := uint64(programBytes + playingBytes); need > o.Memory {
		return Complexity{}, fmt.Errorf("%w: to play takes %s, and %s", ErrMemory, usage.Needed(need), usage.Allowed(o.Memory))
	}
	began := time.Now()
	c := Complexity{
		Game: n.identity.Game, Board: n.identity.Board, Rules: n.identity.Rules,
		Games: o.Games, Depth: o.Depth, Opening: o.Opening, Seed: o.Seed,
	}
	m, err := play(ctx, game, start, o)
	if err != nil {
		return Complexity{}, err
	}
	c.GameTree = GameTree{m.Tree, m.Product}
	c.Plies = Plies{m.Plies, m.Shortest, m.Longest}
	c.Branching = Branching{m.Branching, m.ByPly}
	c.Results = Results{m.First, m.Second, m.Drawn, m.Endless}
	// The records of the games are gone: what they took is free for this.
	if c.StateSpace, err = stateSpace(ctx, game, start, o.Reachable, held(o.Memory)); err != nil {
		return Complexity{}, err
	}
	c.Nodes, c.Seconds = m.Nodes, time.Since(began).Seconds()
	return c, nil
}

// playingBytes is what games are played in, at the least.
const playingBytes = 8 << 20

// held is how much of the memory allowed may be held at any one time beside the program: the
// collector needs the rest to work in.
func held(memory uint64) uint64 { return (memory - programBytes) / 4 * 3 }

func play[P comparable](ctx context.Context, game bitboard.Evaluator[P], start P, o ComplexityOptions) (complexity.Measure, error) {
	records, err := complexity.Play(ctx, game, start, complexity.Options{
		Games: o.Games, Depth: o.Depth, Opening: o.Opening, Seed: o.Seed, Workers: o.Workers,
		Memory: held(o.Memory), Progress: o.Progress,
	})
	var memory *complexity.MemoryError
	if errors.As(err, &memory) {
		return complexity.Measure{}, fmt.Errorf("%w: %s do not fit into %s", ErrMemory, memory.What, usage.Amount(o.Memory))
	}
	if err != nil {
		return complexity.Measure{}, err
	}
	return complexity.Summarise(ctx, records)
}

func stateSpace[P comparable](ctx context.Context, game bitboard.Evaluator[P], start P, most int, memory uint64) (StateSpace, error) {
	count, what := game.States()
	s := StateSpace{Count: count.String(), Log10: log10(count), What: what, Counted: most}
	reachable, whole, err := complexity.Reachable(ctx, game, start, most, memory)
	if whole {
		s.Reachable = &reachable
	} else {
		s.Counted = reachable
	}
	return s, err
}

// log10 of a number above 0 of any size.
func log10(n *big.Int) float64 {
	mantissa := new(big.Float)
	exponent := new(big.Float).SetInt(n).MantExp(mantissa)
	m, _ := mantissa.Float64()
	return math.Log10(m) + float64(exponent)*math.Log10(2)
}
