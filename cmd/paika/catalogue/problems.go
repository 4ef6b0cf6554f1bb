package catalogue

import (
	"context"
	"fmt"
	"slices"

	"paika/cmd/paika/prover"
	"paika/proofs"
	"paika/solver/proofnumber"
	"paika/tablebase"
	"paika/tablebase/lookup"
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
	Sets   uint64 // bytes of the sets of positions beside it: what is found depends on them, so that they are no share of Memory
	Memory uint64 // bytes that the whole program may take

	// Progress, if it is there, is told after each problem how many are done.
	Progress func(problems int)
}

// SolvedProblem is what the search of one problem came to.
type SolvedProblem struct {
	Result  proofnumber.Verdict `json:"result"`
	Nodes   uint64              `json:"nodes"`
	Seconds float64             `json:"seconds"`
}

// need is what the program and a search take at the most beside the tables, in bytes.
func (o *SolveOptions) need() uint64 {
	need := searchBytes + searchWorkerBytes + o.Table + o.Sets
	if o.Method != proofnumber.DFPN {
		need += 2 * o.Table // a tree is held twice where it grows
	}
	return need
}

// Solve searches problems one by one, with one worker, by tables in a folder, or
// none where its name is empty. Errors name the problem. Those about memory are a
// *prover.MemoryError, before any work, and tables that are not there are a
// *tablebase.MissingError, before any search.
func (n *instance[P]) Solve(ctx context.Context, dir string, problems []Problem, o SolveOptions) ([]SolvedProblem, error) {
	subject := n.subject()
	shelf, err := n.solving(ctx, dir, o)
	if err != nil {
		return nil, err
	}
	defer shelf.Free()
	options := subject.Search(shelf, o.Method, o.Table)
	options.Nodes, options.Sets, options.Sums, options.Tight = o.Nodes, o.Sets, o.Sums, o.Tight
	if o.Uniform {
		options.Estimate = func(P, bool) (phi, delta uint32) { return 1, 1 }
	}
	solved := make([]SolvedProblem, 0, len(problems))
	for _, problem := range problems {
		q, _, err := n.read(problem.Position, problem.Claim)
		var d prover.Decision
		if err == nil {
			d, err = prover.Decide(ctx, subject, q.Question, o.Table, options)
		}
		if err != nil {
			return nil, fmt.Errorf("%s of %s: %w", problem.Claim, problem.Position, err)
		}
		solved = append(solved, SolvedProblem{Result: d.Verdict, Nodes: d.Nodes, Seconds: d.Seconds})
		if o.Progress != nil {
			o.Progress(len(solved))
		}
	}
	return solved, nil
}

// solving loads the tables for problems, if there is room for them and for a search.
func (n *instance[P]) solving(ctx context.Context, dir string, o SolveOptions) (*prover.Shelf[P], error) {
	subject, need := n.subject(), o.need()
	if dir == "" {
		if need > o.Memory {
			return nil, &prover.MemoryError{Need: need, Allowed: o.Memory}
		}
		return prover.NewShelf(subject), nil
	}
	limits := prover.LoadOptions{Workers: 1, Memory: o.Memory, Overhead: need, Ahead: true}
	shelf, err := prover.Load(ctx, subject, dir, prover.UpTo(subject, o.Pieces), limits)
	if err != nil {
		return nil, err
	}
	if err := n.holds(shelf, o.Pieces); err != nil {
		shelf.Free()
		return nil, err
	}
	return shelf, nil
}

// holds fails where a table of at most that many pieces is not on the shelf.
func (n *instance[P]) holds(shelf *prover.Shelf[P], pieces int) error {
	groups, err := lookup.GroupsUpTo(n.game, n.board, pieces)
	if err != nil {
		return err
	}
	for _, name := range n.names(groups) {
		if !slices.ContainsFunc(shelf.Named(), func(t proofs.Table) bool { return t.Slice == name }) {
			return &tablebase.MissingError{Slice: name}
		}
	}
	return nil
}
