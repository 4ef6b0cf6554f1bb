// Package command is the command line of paika, one file a subcommand: it
// parses flags, makes one call into the catalogue and prints the answer. With
// --json standard output carries one JSON object, or one a line for the
// position "-"; everything else goes to standard error.
package command

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// Run executes the command line args, given without the program's name, and
// returns the exit status. Cancelling ctx stops long work at a checkpoint.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRoot(args)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	status := exitStatus(err)
	switch status {
	case done:
	case stopped:
		fmt.Fprintln(stderr, "paika: stopped")
	default:
		fmt.Fprintf(stderr, "paika: %v\n", err)
	}
	return status
}

func newRoot(args []string) *cobra.Command {
	root := &cobra.Command{
		Use:   "paika",
		Short: "Solve board games",
		Long: `Paika solves board games: it counts turns, builds endgame tables, verifies them
and answers queries from them.

A command names a game first; without one it is fanorona. A position is written
rank by rank from the top, then the side to move; "start" is the start position,
and "-" reads one position a line from standard input and answers one JSON
object a line.

Exit status: 0 done, 1 a check failed, 2 wrong usage or input, 3 not decided
within the limits, 130 stopped by Ctrl-C at a checkpoint.`,
		Example: `  paika build --pieces 4
  paika query fanorona "......B../.B......./........./......W../.W....... w"
  paika perft fanorona --board 5x5 --depth 5`,
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	o := newOptions(args)
	o.register(root.PersistentFlags())
	for _, command := range []func(*options) *cobra.Command{
		newGames, newPerft, newTurns, newBuild, newVerify, newQuery, newStats, newValue,
		newWinInOne, newProve, newCheck, newServe,
		newComplexity, newBench, newProblems, newResults,
	} {
		root.AddCommand(command(o))
	}
	return root
}
