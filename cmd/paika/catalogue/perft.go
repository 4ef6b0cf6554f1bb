package catalogue

import (
	"context"
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

// mostPerftTurns bounds the turns of a position that are listed: to count below each, to write
// them, or to find those that lead to the same position.
const mostPerftTurns = 2 << 20

// Perft counts turns from a position. It fails with bitboard.ErrTooManyTurns where a position has
// too many to be listed.
func (n *instance[P]) Perft(ctx context.Context, position string, o PerftOptions) (Perft, error) {
	p, side, err := n.parse(position)
	if err != nil {
		return Perft{}, err
	}
	began := time.Now()
	result := Perft{Position: n.game.Format(p, side), Count: o.Counting.String()}
	counting := perft.Options{Depth: o.Depth, Counting: o.Counting, Workers: o.Workers, Turns: mostPerftTurns}
	if o.Divide {
		var branches []perft.Branch
		result.Nodes, branches, err = perft.Divide(ctx, n.game, p, side, counting)
		for _, b := range branches {
			result.Divide = append(result.Divide, Division(b))
		}
	} else {
		result.Nodes, err = perft.Count(ctx, n.game, p, counting)
	}
	result.Seconds = time.Since(began).Seconds()
	return result, bitboard.NameTooMany(n.game, side, err)
}
