package catalogue

import (
	"context"
	"fmt"
	"time"

	"paika/bitboard"
	"paika/solver/perft"
)

// PerftOptions say what to count.
type PerftOptions struct {
	Depth    int // turns, at least 1
	Counting perft.Counting
	Divide   bool // count below each turn of the position, too
	Workers  int  // goroutines, at least 1
}

// Perft is the number of nodes below a position.
type Perft struct {
	Position string     `json:"position"`
	Count    string     `json:"count"` // what was counted: "sequences" or "positions"
	Nodes    []uint64   `json:"nodes"` // at depth 1, 2, ...
	Divide   []Division `json:"divide,omitempty"`
	Seconds  float64    `json:"seconds"`
}

// Division is a turn's share of the nodes at the last depth.
type Division struct {
	Turn  string `json:"turn"`
	Nodes uint64 `json:"nodes"`
}

// mostPerftTurns bounds the turns of a position that are listed: to count below each, or to write
// them.
const mostPerftTurns = 2 << 20

// Perft counts turns from a position.
func (n *instance[P]) Perft(ctx context.Context, position string, o PerftOptions) (Perft, error) {
	p, side, err := n.parse(position)
	if err != nil {
		return Perft{}, err
	}
	if (o.Depth > 1 || o.Divide) && bitboard.CountTurns(n.game, p, mostPerftTurns+1) > mostPerftTurns {
		return Perft{}, fmt.Errorf("%w to be listed: want at most %d", bitboard.ErrTooManyTurns, mostPerftTurns)
	}
	began := time.Now()
	result := Perft{Position: n.game.Format(p, side), Count: o.Counting.String()}
	counting := perft.Options{Depth: o.Depth, Counting: o.Counting, Workers: o.Workers}
	result.Nodes, err = perft.Count(ctx, n.game, p, counting)
	if err == nil && o.Divide {
		result.Divide, err = n.divide(ctx, p, side, counting)
	}
	result.Seconds = time.Since(began).Seconds()
	return result, err
}

func (n *instance[P]) divide(ctx context.Context, p P, side bitboard.Side, o perft.Options) ([]Division, error) {
	branches, err := perft.Divide(ctx, n.game, p, side, o)
	divisions := make([]Division, 0, len(branches))
	for _, b := range branches {
		divisions = append(divisions, Division(b))
	}
	return divisions, err
}
