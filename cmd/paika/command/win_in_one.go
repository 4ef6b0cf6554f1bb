package command

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"paika/bitboard/catalogue"
)

func newWinInOne(o *options) *cobra.Command {
	var limits catalogue.WinInOneOptions
	var formula string
	cmd := &cobra.Command{
		Use:   "win-in-one phutball POSITION",
		Short: "Tell whether one move of the ball wins",
		Long: `Win-in-one tells whether the side to move can win with one series of jumps, and
which, exactly. The question is NP-complete, and nearly every board is answered
in far less than a millisecond.

The exit status is 0 if there is a win, 1 if there is none, and 3 if --time ran
out before the answer.`,
		Example: `  paika win-in-one phutball "ball=H10 men=H11,H13,H15,H17,H19 to=ohs board=15x19"
  paika win-in-one phutball --shortest "ball=H17 men=H18,H19 to=ohs board=15x19" --json
  paika win-in-one phutball - < boards.txt > answers.jsonl
  paika win-in-one phutball --from-cnf formula.cnf`,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := o.open(args)
			if err != nil {
				return err
			}
			game, ok := s.instance.(catalogue.WinsInOne)
			if !ok {
				return fmt.Errorf("win-in-one is a question of phutball, not of %s", s.game)
			}
			limits.Workers = o.workers
			if formula != "" {
				return winFromFormula(cmd, s, game, formula, limits)
			}
			return winInOne(cmd, s, game, limits)
		},
	}
	cmd.Flags().BoolVar(&limits.Shortest, "shortest", false, "find a series with the fewest jumps")
	cmd.Flags().DurationVar(&limits.Time, "time", 10*time.Second, "longest time for a position, such as 500ms; 0 for no limit")
	cmd.Flags().StringVar(&formula, "from-cnf", "", "lay out a board for the formula in `FILE` (DIMACS): the win is there exactly if it can be satisfied")
	return cmd
}

func winInOne(cmd *cobra.Command, s session, game catalogue.WinsInOne, limits catalogue.WinInOneOptions) error {
	if len(s.rest) == 0 {
		return misuse("position", "win-in-one: want a position, %q, or %q for standard input", catalogue.Start, fromInput)
	}
	var last catalogue.WinInOne
	ask := func(ctx context.Context, positions []string) ([]catalogue.Answer[catalogue.WinInOne], error) {
		answers, err := game.WinInOne(ctx, positions, limits)
		if err == nil {
			last = answers[len(answers)-1].Result
		}
		return answers, err
	}
	if err := answer(cmd, s, ask, s.printWinInOne); err != nil || s.position() == fromInput {
		return err
	}
	return winStatus(last)
}

func winFromFormula(cmd *cobra.Command, s session, game catalogue.WinsInOne, path string, limits catalogue.WinInOneOptions) error {
	if err := s.noPosition(); err != nil {
		return err
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	result, err := game.WinInOneFromCNF(cmd.Context(), file, limits)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := s.print(cmd, result, func(w io.Writer) error { return s.printWinInOne(w, result) }); err != nil {
		return err
	}
	return winStatus(result)
}

// winStatus is the error that gives the answer's exit status.
func winStatus(r catalogue.WinInOne) error {
	switch {
	case r.Win == nil:
		return catalogue.ErrUndecided
	case !*r.Win:
		return errNoWin
	}
	return nil
}

func (s session) printWinInOne(w io.Writer, r catalogue.WinInOne) error {
	text := "not decided in the time allowed"
	switch {
	case r.Win != nil && !*r.Win:
		text = "no series of jumps wins"
	case r.Win != nil && r.Shortest:
		text = fmt.Sprintf("wins in %s, and in no fewer: %s", count(uint64(r.Jumps), "jump"), *r.Series)
	case r.Win != nil:
		text = fmt.Sprintf("wins in %s: %s", count(uint64(r.Jumps), "jump"), *r.Series)
	}
	series := ""
	if r.Series != nil {
		series = *r.Series
	}
	if err := s.draw(w, r.Position, series); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%s\n%d jumps tried in %.3f ms\n", text, r.Nodes, r.Seconds*1000)
	return err
}
