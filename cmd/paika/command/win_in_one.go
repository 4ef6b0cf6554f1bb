package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/prover"
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

Each position is on the board that it names itself, of any size: board=WxH in the
short form, the rows as they are drawn in the long one. A short form without a board
is on 15x19. With --board all are on that one, of up to 19x21, and a position on
another is an error.

--from-cnf makes a board of a propositional formula, with 6 columns for each literal
and 12 rows for each variable. One that takes too much --memory is refused before it
is laid out. --time counts from the beginning, reading and layout included; it bounds
the search for fewer jumps with --shortest, too.

The exit status is 0 if there is a win, 1 if there is none, which is so as well where
the game is over ("over" in JSON), and 3 if --time or --memory did not suffice: "win"
is then null, and "limit" tells which. Where they suffice for a win, but not to tell
that --shortest holds, the status is 0, "shortest" is false, "limit" tells which, and
"least" how many jumps any winning series has.

Positions from standard input, "-", have --time each, and each its answer on a line of
its own. Then the exit status is that of what was wrong if a line has no answer, else
3 if one is not decided, else 0, be there wins or none.`,
		Example: `  paika win-in-one phutball "ball=H10 men=H11,H13,H15,H17,H19 to=ohs board=15x19"
  paika win-in-one phutball --shortest "ball=H17 men=H18,H19 to=ohs board=15x19" --json
  paika win-in-one phutball - < boards.txt > answers.jsonl
  paika win-in-one phutball --from-cnf formula.cnf`,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := o.openAnyBoard(args)
			if err != nil {
				return err
			}
			game, ok := s.instance.(catalogue.WinsInOne)
			if !ok {
				return o.noWinInOne(s, args)
			}
			limits.Memory, limits.Workers = memoryBudget(o.memory), 1
			limits.AnyBoard = s.anyBoard
			if formula != "" {
				return winFromFormula(cmd, s, game, formula, limits)
			}
			return winInOne(cmd, s, game, limits)
		},
	}
	cmd.Flags().BoolVar(&limits.Shortest, "shortest", false, "find a series with the fewest jumps")
	cmd.Flags().DurationVar(&limits.Time, "time", 10*time.Second, "longest `TIME` for a position, such as 500ms; 0 for no limit")
	cmd.Flags().StringVar(&formula, "from-cnf", "", "lay out a board for the formula in `FILE` (DIMACS), or - for standard input: the win is there exactly if it can be satisfied")
	return cmd
}

// noWinInOne says that a game has no such question. Who named none is told the line to type.
func (o *options) noWinInOne(s session, args []string) error {
	err := fmt.Errorf("win-in-one is a question of phutball, not of %s", s.game)
	at := slices.Index(o.args, "win-in-one")
	if len(s.rest) < len(args) || len(args) == 0 || at < 0 {
		return err
	}
	return fmt.Errorf("%w; want: %s", err, catalogue.CommandLine(slices.Insert(slices.Clone(o.args), at+1, "phutball")...))
}

// linesPerWorker is how many positions of standard input are answered together, for each
// worker: one that takes long keeps the answers for a few others waiting. With fewer, it takes
// longer to make solvers anew than to answer for boards that are easy.
const linesPerWorker = 16

func winInOne(cmd *cobra.Command, s session, game catalogue.WinsInOne, limits catalogue.WinInOneOptions) error {
	if len(s.rest) == 0 {
		return misuse("position", "win-in-one: want a position, %q, or %q for standard input", catalogue.Start, fromInput)
	}
	many := s.position() == fromInput
	if many {
		limits.Workers = s.workers
	}
	var status error // of what is answered; of many lines no one's alone
	ask := func(ctx context.Context, positions []string) ([]catalogue.Answer[catalogue.WinInOne], error) {
		answers, err := game.WinInOne(ctx, positions, limits)
		for _, a := range answers {
			if a.Err == nil && (!many || a.Result.Win == nil) {
				status = winStatus(a.Result)
			}
		}
		return answers, err
	}
	if err := answer(cmd, s, linesPerWorker*limits.Workers, together(ask), s.winPrinter(limits)); err != nil {
		return err
	}
	return status
}

func winFromFormula(cmd *cobra.Command, s session, game catalogue.WinsInOne, path string, limits catalogue.WinInOneOptions) error {
	if err := s.noPosition(); err != nil {
		return err
	}
	if s.board != "" {
		return misuse("board", "--board: the formula makes a board of its own size")
	}
	open := func() (io.ReadCloser, error) { return os.Open(path) }
	if path == fromInput {
		path, open = "standard input", func() (io.ReadCloser, error) { return io.NopCloser(cmd.InOrStdin()), nil }
	}
	result, err := game.WinInOneFromCNF(cmd.Context(), open, limits)
	switch {
	case errors.As(err, new(*fs.PathError)): // which names it
		return err
	case err != nil:
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := s.print(cmd, result, func(w io.Writer) error { return s.winPrinter(limits)(w, result) }); err != nil {
		return err
	}
	return winStatus(result)
}

// winStatus is the error that gives the answer's exit status.
func winStatus(r catalogue.WinInOne) error {
	switch {
	case r.Win == nil:
		return prover.ErrUndecided
	case !*r.Win:
		return errNoWin
	}
	return nil
}

// winPrinter prints an answer for people.
func (s session) winPrinter(limits catalogue.WinInOneOptions) func(w io.Writer, r catalogue.WinInOne) error {
	return func(w io.Writer, r catalogue.WinInOne) error {
		series := ""
		if r.Series != nil {
			series = *r.Series
		}
		if r.Position != "" {
			err := s.draw(w, r.Position, series)
			if errors.Is(err, catalogue.ErrTooLargeToDraw) {
				_, err = fmt.Fprintf(w, "%v\n\n", err)
			}
			if err != nil {
				return err
			}
		}
		_, err := fmt.Fprintf(w, "%s\n%s tried in %.3f ms\n", winVerdict(r, limits.Shortest), count(r.Nodes, "jump"), r.Seconds*1000)
		return err
	}
}

// winVerdict is an answer in words.
func winVerdict(r catalogue.WinInOne, shortest bool) string {
	switch {
	case r.Over:
		return fmt.Sprintf("the game is over: %s has won", r.Winner)
	case r.Win == nil:
		return fmt.Sprintf("not decided in the %s allowed", r.Limit)
	case !*r.Win:
		return "no series of jumps wins"
	}
	verdict := "wins in " + count(uint64(r.Jumps), "jump")
	switch {
	case r.Shortest:
		verdict += ", and in no fewer"
	case shortest:
		verdict += fmt.Sprintf(" (no series of fewer than %d does; what lies between was not decided in the %s allowed)", r.Least, r.Limit)
	}
	return verdict + ": " + *r.Series
}
