package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"paika/cmd/paika/catalogue"
)

func newTurns(o *options) *cobra.Command {
	var turn string
	cmd := &cobra.Command{
		Use:   "turns [GAME] [POSITION]",
		Short: "List legal turns",
		Long: `Turns lists the legal turns of a position. Where there are tables, each has its
value for the side that makes it and, with the metric dtw, its distance to the
end of the game in turns, itself included; the best stand first. A turn that wins
at once, or lets the other side do so, has value and distance by the rules alone:
the former stand first and the latter last, whatever tables there are. In JSON a
distance that is not known, and that of a draw, is null.

With --turn it is that turn alone, or, if it is not legal, what forbids it.

Positions from standard input, "-", each have their answer on a line of their own. Then the
exit status is that of what was wrong if a line has no answer, else 0.`,
		Example: `  paika turns fanorona
  paika turns --board telo "BBB/B.W/WWW w"
  paika turns phutball "ball=K6 men=J7,H8,G10,H11 to=ohs" --turn K6-G9-G11-J11
  paika turns fanorona --json - < positions.txt`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return withTables(o, args, func(s session, tables catalogue.Tables) error {
				ask := tables.Turns
				if turn != "" {
					ask = only(turn, tables)
				}
				return answer(cmd, s, fromTables, together(ask), func(w io.Writer, t catalogue.Turns) error {
					if err := s.draw(w, t.Position, turn); err != nil {
						return err
					}
					return printTurns(w, t)
				})
			})
		},
	}
	cmd.Flags().StringVar(&turn, "turn", "", "show `TURN` alone, in the game's notation")
	return cmd
}

// only asks for one turn of each position, if it is legal there. Of several turns
// to the same position it prefers the one that is written the same.
func only(turn string, tables catalogue.Tables) func(context.Context, []string) ([]catalogue.Answer[catalogue.Turns], error) {
	return func(ctx context.Context, positions []string) ([]catalogue.Answer[catalogue.Turns], error) {
		answers, err := tables.Turns(ctx, positions)
		if err != nil {
			return nil, err
		}
		for i := range answers {
			a := &answers[i]
			if a.Err != nil {
				continue
			}
			after, err := tables.Play(a.Result.Position, turn)
			if err != nil {
				a.Err = err
				continue
			}
			turns := a.Result.Turns
			at := slices.IndexFunc(turns, func(t catalogue.Turn) bool { return t.Turn == turn })
			if at < 0 {
				at = slices.IndexFunc(turns, func(t catalogue.Turn) bool { return t.Position == after })
			}
			a.Result.Turns = turns[at : at+1]
		}
		return answers, nil
	}
}

func printTurns(w io.Writer, t catalogue.Turns) error {
	if t.Over {
		_, err := fmt.Fprintf(w, "%s\nthe game is over: %s for the side to move\n", t.Position, *t.Value)
		return err
	}
	return turnTable(t.Turns).print(w)
}

func turnTable(turns []catalogue.Turn) *table {
	t := &table{left: 2}
	t.add("turn", "position", "value", "distance")
	for _, turn := range turns {
		value := "-"
		if turn.Value != nil {
			value = *turn.Value
		}
		t.add(turn.Turn, turn.Position, value, orDash(turn.Distance))
	}
	return t
}

// withTables opens the game that arguments name, and its tables.
func withTables(o *options, args []string, do func(session, catalogue.Tables) error) error {
	s, err := o.open(args)
	if err != nil {
		return err
	}
	return onTables(s, do)
}

// onTables opens the tables of a game, and closes them again.
func onTables(s session, do func(session, catalogue.Tables) error) (err error) {
	budget := memoryBudget(s.memory)
	tables, err := s.instance.Open(s.dir(), s.workers)
	if err != nil {
		return s.hint(err)
	}
	defer func() { err = errors.Join(err, tables.Close()) }()
	if stats, err := tables.Stats(); err == nil && len(stats.Totals) == 1 {
		s.metric = stats.Totals[0].Metric
	}
	within, err := tables.Within(budget)
	if err != nil {
		return err
	}
	return do(s, within)
}
