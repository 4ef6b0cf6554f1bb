package command

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"paika/cmd/paika/catalogue"
)

// gameList is what paika games prints.
type gameList struct {
	Games  []catalogue.Game   `json:"games"`
	Solved []catalogue.Solved `json:"solved"`
}

func newGames(o *options) *cobra.Command {
	return &cobra.Command{
		Use:   "games",
		Short: "List games, boards, rule options and tables",
		Long: `Games lists the games with their boards and rule options, the default of each
option first, and the tables found in the folders of paika-data, or of $PAIKA_DATA.`,
		Example: `  paika games
  paika games --json`,
		Args: wantsNone(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			solved, err := catalogue.FindSolved(dataBase())
			if err != nil {
				return err
			}
			list := gameList{catalogue.Games(), solved}
			return o.print(cmd, list, func(w io.Writer) error { return printGames(w, list) })
		},
	}
}

func printGames(w io.Writer, list gameList) error {
	for _, game := range list.Games {
		fmt.Fprintf(w, "%s\n  board %s by default: %s\n", game.Name, game.Board, game.Limits)
		for _, named := range game.Boards {
			fmt.Fprintf(w, "    %s is %s\n", named.Name, named.Board)
		}
		for _, option := range game.Options {
			fmt.Fprintf(w, "  --%s %s\n    %s\n", option.Name, strings.Join(option.Values, " | "), option.Text)
		}
	}
	for _, solved := range list.Solved {
		fmt.Fprintf(w, "%s: %s %s %s\n", catalogue.ShownName(solved.Dir), solved.Game, solved.Board, solved.Rules)
		for _, total := range solved.Totals {
			fmt.Fprintf(w, "  %s: %s\n", total.Metric, count(total.Positions, "position"))
		}
		if solved.DiskBytes > 0 {
			fmt.Fprintf(w, "  %s bytes on disk\n", thousands(solved.DiskBytes))
		}
		if solved.Error != "" {
			fmt.Fprintf(w, "  %s\n", solved.Error)
		}
	}
	return nil
}
