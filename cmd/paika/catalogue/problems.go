package catalogue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"paika/bitboard"
	"paika/proofs"
	"paika/solver/proofnumber"
	"paika/tablebase"
)

// Problem is a claim about a position, to be decided.
type Problem struct {
	Position string
	Claim    string // as ProveOptions have it
}

// SolveOptions say how problems are searched. Each starts afresh.
type SolveOptions struct {
	Method proofnumber.Method

	// Pieces bounds those of the tables, all of which must be there.
	Pieces int

	// Uniform starts every new node with the numbers 1 and 1, in place of what
	// the game knows. Sums and Tight are proofnumber.Options.
	Uniform, Sums, Tight bool

	Nodes  uint64 // for each attack: one for a claim, two for a draw; 0 for no limit
	Table  uint64 // bytes of the transposition table, and of the tree of PN and PN2
	Memory uint64 // bytes for tables and all

	// Progress, if it is there, is told after each problem how many are done.
	Progress func(problems int)
}

// SolvedProblem is what the search of one problem came to.
type SolvedProblem struct {
	Result  string  `json:"result"` // "proved", "refuted" or "undecided"
	Nodes   uint64  `json:"nodes"`
	Seconds float64 `json:"seconds"`
}

// Solve searches problems one by one, with one worker, by tables in a folder, or
// none where its name is empty.
// Errors name the problem; those about memory wrap ErrMemory, and tables that are
// not there are a *tablebase.MissingError.
func (n *instance[P]) Solve(ctx context.Context, dir string, problems []Problem, o SolveOptions) ([]SolvedProblem, error) {
	s := &shelf[P]{game: n.game}
	if dir != "" {
		var err error
		if s, _, err = n.openShelf(ctx, dir, 1, o.Memory, o.Table, n.stored(o.Pieces), nil); err != nil {
			return nil, err
		}
		defer s.free()
		if err := n.holds(s, o.Pieces); err != nil {
			return nil, err
		}
	}
	options := n.searchOptions(s, o.Method, o.Table)
	options.Nodes, options.Sums, options.Tight = o.Nodes, o.Sums, o.Tight
	if o.Uniform {
		options.Estimate = func(P, bool) (phi, delta uint32) { return 1, 1 }
	}
	solved := make([]SolvedProblem, 0, len(problems))
	for _, problem := range problems {
		one, err := n.solve(ctx, problem, o.Table, options)
		if err != nil {
			return nil, fmt.Errorf("%s of %s: %w", problem.Claim, problem.Position, err)
		}
		solved = append(solved, one)
		if o.Progress != nil {
			o.Progress(len(solved))
		}
	}
	return solved, nil
}

// holds fails where a table of at most that many pieces is not on the shelf.
func (n *instance[P]) holds(s *shelf[P], pieces int) error {
	groups, err := n.groupsUpTo(pieces)
	if err != nil {
		return err
	}
	for _, name := range n.names(groups) {
		if !slices.ContainsFunc(s.named, func(t proofs.Table) bool { return t.Slice == name }) {
			return &tablebase.MissingError{Slice: name}
		}
	}
	return nil
}

func (n *instance[P]) solve(ctx context.Context, problem Problem, table uint64, options proofnumber.Options[P]) (SolvedProblem, error) {
	root, side, err := n.parse(problem.Position)
	if err != nil {
		return SolvedProblem{}, err
	}
	n, side = n.claiming(root, side)
	claims, err := n.claims(problem.Claim)
	if err != nil {
		return SolvedProblem{}, err
	}
	t, err := proofnumber.NewTable(table)
	if err != nil {
		return SolvedProblem{}, err
	}
	defer t.Close()
	search, err := proofnumber.New(n.game, t, options)
	if err != nil {
		return SolvedProblem{}, err
	}
	began := time.Now()
	verdict, err := decideAll(ctx, search, root, side, claims)
	return SolvedProblem{Result: verdict.String(), Nodes: search.Nodes(), Seconds: time.Since(began).Seconds()}, err
}

// decideAll tells whether claims hold together. A table that is too small for a
// search leaves it undecided.
func decideAll[P comparable](ctx context.Context, search *proofnumber.Search[P], root P, side bitboard.Side, claims []proofs.Claim) (proofnumber.Verdict, error) {
	for _, claim := range claims {
		attacking, holds := attacker(claim)
		r, err := search.Solve(ctx, root, attacking == side)
		if err != nil && !errors.Is(err, proofnumber.ErrTableTooSmall) {
			return proofnumber.Undecided, err
		}
		if verdict := result(r.Verdict, holds); err != nil || verdict != proofnumber.Proved {
			return verdict, nil
		}
	}
	return proofnumber.Proved, nil
}
