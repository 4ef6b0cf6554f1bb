package command

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"paika/bitboard"
	"paika/bitboard/catalogue"
)

func newValue(o *options) *cobra.Command {
	return &cobra.Command{
		Use:   "value [GAME] [POSITION]",
		Short: "Tell who wins",
		Long: `Value tells the game-theoretic value of a position, by tables that hold it:
the side that wins with best play, or a draw.`,
		Example: `  paika build --board telo --pieces all && paika value --board telo
  paika value --board 5x5 ".B.../...../..W../...../W.... b"`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return withTables(o, args, func(s session, tables catalogue.Tables) error {
				return answer(cmd, s, tables.Value, printValue)
			})
		},
	}
}

func printValue(w io.Writer, v catalogue.Value) error {
	verdict := v.Winner
	if v.Winner != bitboard.Draw.String() {
		verdict += " wins"
	}
	if v.By == catalogue.ByTables {
		verdict += inTurns(v.Distance)
	}
	_, err := fmt.Fprintf(w, "%s\n%s (by %s)\n", v.Position, verdict, v.By)
	return err
}
