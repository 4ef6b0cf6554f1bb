package catalogue

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"paika/internal/usage"
	"paika/solver/cgt"
)

// Census is the positions of a board by their value as combinatorial games:
// every set of stones, whether or not a game reaches it.
type Census struct {
	Board     string        `json:"board"`
	Positions uint64        `json:"positions"`
	Distinct  int           `json:"distinct"` // values
	Values    []ValueCensus `json:"values"`   // the most frequent first
	Seconds   float64       `json:"seconds"`
}

// ValueCensus is the positions with one value.
type ValueCensus struct {
	Form
	Winner    string `json:"winner"` // a side, or "first" or "second" to move
	Positions uint64 `json:"positions"`
}

// Census takes that of a board, with a program of at most so many bytes; 0 is for no bound.
// It fails with ErrNoCGT in games without such values, with cgt.ErrMemory, and on boards with
// too many positions.
func (n *instance[P]) Census(ctx context.Context, memory uint64) (Census, error) {
	if n.census == nil {
		return Census{}, ErrNoCGT
	}
	began := time.Now()
	values, err := n.census(ctx, memory)
	if errors.Is(err, cgt.ErrMemory) && memory > 0 {
		err = fmt.Errorf("%w: %s", err, usage.Amount(memory))
	}
	if err != nil {
		return Census{}, err
	}
	c := Census{Board: n.identity.Board, Distinct: len(values), Values: values}
	for _, v := range values {
		c.Positions += v.Positions
	}
	slices.SortFunc(c.Values, func(a, b ValueCensus) int {
		return cmp.Or(cmp.Compare(b.Positions, a.Positions), cmp.Compare(a.CGT, b.CGT))
	})
	c.Seconds = time.Since(began).Seconds()
	return c, nil
}
