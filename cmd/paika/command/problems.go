package command

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"paika/benchmarks"
	"paika/cmd/paika/bench"
)

// newProblems makes the problems of the search suite anew. It is for
// scripts/problems, not for users.
func newProblems(o *options) *cobra.Command {
	var of bench.MakeOptions
	positions := false
	cmd := &cobra.Command{
		Use:   "problems [GAME]",
		Short: "Make the problems of bench search",
		Long: `Problems writes the problems of a game that have their answers from tables, from
a search of the game's own, and from certificates that were checked. The tables that it
takes are built where tables are kept, under the rules of each problem.`,
		Example: `  paika problems fanorona --board 5x5`,
		Hidden:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := o.openBoard(args)
			if err != nil {
				return err
			}
			of.Data, of.Board, of.Workers, of.Memory, of.Version = dataBase(), o.board, o.workers, memoryBudget(o.memory), ownVersion()
			text := bench.MakeProblems
			if positions {
				text = bench.MakePositions
			}
			return o.printText(cmd, func(w io.Writer) error { return text(cmd.Context(), w, s.game, of) })
		},
	}
	cmd.Flags().BoolVar(&positions, "positions", false, fmt.Sprintf("make the positions of bench probe instead, %d of them", bench.ProbePositions))
	return cmd
}

// newResults writes benchmarks/RESULTS.md. It is for scripts/results.
func newResults(o *options) *cobra.Command {
	return &cobra.Command{
		Use:   "results DIR",
		Short: "Write the recorded results of bench as Markdown",
		Long: `Results writes the reports recorded in a folder for people to read, beside
published figures.`,
		Example: `  paika results benchmarks/results`,
		Hidden:  true,
		Args:    wants(1, 1, "folder", "the folder of the reports"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.printText(cmd, func(w io.Writer) error { return benchmarks.WriteResults(w, args[0]) })
		},
	}
}
