package command

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"paika/bitboard/catalogue"
)

func newTurns(o *options) *cobra.Command {
	return &cobra.Command{
		Use:   "turns [GAME] [POSITION]",
		Short: "List legal turns",
		Long: `Turns lists the legal turns of a position. Where there are tables, each has its
value for the side that makes it and, with the metric dtw, its distance to the
end of the game in turns, itself included; the best stand first.`,
		Example: `  paika turns fanorona
  paika turns --board telo "BBB/B.W/WWW w"
  paika turns fanorona --json - < positions.txt`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return withTables(o, args, func(s session, tables catalogue.Tables) error {
				return answer(cmd, s, tables.Turns, printTurns)
			})
		},
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

// withTables opens the game and its tables, and closes the tables again.
func withTables(o *options, args []string, do func(session, catalogue.Tables) error) (err error) {
	s, err := o.open(args)
	if err != nil {
		return err
	}
	memoryBudget(o.memory)
	tables, err := s.instance.Open(s.dir(), o.workers)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tables.Close()) }()
	if stats, err := tables.Stats(); err == nil && len(stats.Totals) == 1 {
		s.metric = stats.Totals[0].Metric
	}
	return do(s, tables)
}
