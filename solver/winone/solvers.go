package winone

import (
	"context"
	"slices"

	"paika/bitboard"
	"paika/bitboard/phutball"
)

// Solvers are solvers on many boards under one set of rules, of which those used last
// are kept. One goroutine may use them at a time.
type Solvers struct {
	rules phutball.Rules
	bytes uint64
	kept  []*Solver // the last was used last
}

// mostSolvers bounds how many are kept.
const mostSolvers = 16

// NewSolvers makes none yet. Those that are kept beside the one used last take so many
// bytes at the most, before any search; 0 for no bound.
func NewSolvers(rules phutball.Rules, bytes uint64) *Solvers {
	return &Solvers{rules: rules, bytes: bytes}
}

// On gives the solver on a board. Errors: those of phutball.LayGrid.
func (s *Solvers) On(ctx context.Context, board bitboard.Board) (on *Solver, err error) {
	at := slices.IndexFunc(s.kept, func(k *Solver) bool { return k.grid.Board() == board })
	if at >= 0 {
		on = s.kept[at]
		s.kept = slices.Delete(s.kept, at, at+1)
	}
	s.forget()
	if at < 0 {
		grid, err := phutball.LayGrid(ctx, board, s.rules)
		if err != nil {
			return nil, err
		}
		on = NewSolver(grid)
	}
	s.kept = append(s.kept, on)
	return on, nil
}

// forget keeps the solvers used last: one fewer than may be kept, within their memory.
func (s *Solvers) forget() {
	held, first := uint64(0), len(s.kept)
	for first > 0 && len(s.kept)-first < mostSolvers-1 {
		held += Bytes(s.kept[first-1].grid.Board())
		if s.bytes > 0 && held > s.bytes {
			break
		}
		first--
	}
	s.kept = slices.Delete(s.kept, 0, first)
}
