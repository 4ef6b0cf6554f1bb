package catalogue

import (
	"context"
	"fmt"
	"io"

	"paika/bitboard"
	"paika/internal/parallel"
	"paika/internal/progress"
	"paika/solver/winone"
)

// WinInOneFromCNF opens and reads beside the clock, since nobody knows how long a pipe keeps
// a reader waiting.
func (n phutballInstance) WinInOneFromCNF(ctx context.Context, open func() (io.ReadCloser, error), o WinInOneOptions) (found WinInOne, err error) {
	if mistake := parallel.Guard(func() { found, err = n.winInOneFromCNF(ctx, open, o) }); mistake != nil {
		return WinInOne{}, mistake
	}
	return found, err
}

// winInOneFromCNF is WinInOneFromCNF, with panics.
func (n phutballInstance) winInOneFromCNF(ctx context.Context, open func() (io.ReadCloser, error), o WinInOneOptions) (WinInOne, error) {
	t := start(o)
	o.Workers = 1
	_, bytes, err := o.share()
	if err != nil {
		return WinInOne{}, err
	}
	reading, cancel := t.context(ctx)
	defer cancel()
	cnf, err := progress.Await(reading, func() (winone.CNF, error) { return readFormula(open) })
	if err != nil {
		return t.unfinished(ctx, err)
	}
	solvers := n.winSolvers(1, bytes, o)
	if err := solvers.fits(cnf.Board()); err != nil {
		return WinInOne{}, fmt.Errorf("%s, %s: %w", bitboard.Count(cnf.Variables, "variable"), bitboard.Count(len(cnf.Clauses), "clause"), err)
	}
	layout := winone.FromCNF(cnf)
	answer, err := solvers.solve(ctx, layout, o, t)
	if answer.Win != nil {
		answer.Position = layout.String()
	}
	return answer, err
}

func readFormula(open func() (io.ReadCloser, error)) (winone.CNF, error) {
	formula, err := open()
	if err != nil {
		return winone.CNF{}, err
	}
	defer formula.Close()
	return winone.ReadDIMACS(formula)
}
