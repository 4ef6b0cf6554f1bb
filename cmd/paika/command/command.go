// Package command is the command line of paika, one file a subcommand: it
// parses flags, makes one call into the catalogue and prints the answer. With
// --json standard output carries one JSON object, or one a line for the
// position "-"; everything else goes to standard error.
package command

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"paika/cmd/paika/catalogue"
)

// Run executes the command line args, given without the program's name, and
// returns the exit status. Cancelling ctx stops long work at a checkpoint.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	out := &watchedWriter{Writer: stdout}
	o := newOptions(args)
	root := newRoot(o)
	root.SetArgs(joinSwitches(args))
	root.SetIn(stdin)
	root.SetOut(out)
	root.SetErr(stderr)
	setCompletion(root) // it holds on to the standard output that it finds
	err := root.ExecuteContext(ctx)
	switch {
	case out.err != nil && (err == nil || !o.ran):
		err = out.err
	case err != nil && !o.ran && !errors.As(err, new(*catalogue.ParameterError)):
		err = &catalogue.ParameterError{Err: err} // cobra's, about the usage
	}
	if err != nil {
		report(o, err, out, stderr)
	}
	return exitStatus(err)
}

// report tells of an error: people by a line, programs by an object in place of
// the answer.
func report(o *options, err error, stdout, stderr io.Writer) {
	fault := faultOf(err, o.args)
	fmt.Fprintf(stderr, "paika: %s\n", fault.Message)
	if o.wantsJSON() && !o.answered {
		_ = printJSON(stdout, shownFault{fault}) // there is nobody else to tell
	}
}

// watchedWriter remembers that a write failed.
type watchedWriter struct {
	io.Writer
	err error
}

func (w *watchedWriter) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if err != nil && w.err == nil {
		w.err = fmt.Errorf("standard output: %w", err)
	}
	return n, err
}

func newRoot(o *options) *cobra.Command {
	root := &cobra.Command{
		Use:   "paika",
		Short: "Solve board games",
		Long: `Paika solves board games: it counts turns, builds endgame tables, verifies them
and answers queries from them.

A command names a game first; without one it is fanorona. A position is written
rank by rank from the top, then the side to move; "start" is the start position,
and "-" reads one position a line from standard input and answers one JSON
object a line.

With --json standard output carries exactly one object, also where there is no
answer: {"error": {"code", "message", ...}}.

Exit status: 0 done, 1 a check failed or a claim is false, 2 wrong usage or input,
3 not decided within the limits, 4 what is needed (tables, a file) is missing,
locked or damaged, 130 stopped by Ctrl-C at a checkpoint.`,
		Example: `  paika build --pieces 4
  paika query fanorona "......B../.B......./........./......W../.W....... w"
  paika perft fanorona --board 5x5 --depth 5`,
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	o.register(root.PersistentFlags())
	for _, command := range []func(*options) *cobra.Command{
		newGames, newPerft, newTurns, newBuild, newVerify, newRepair, newExport, newImport, newQuery, newAnnotate, newStats, newValue,
		newWinInOne, newProve, newCheck, newServe, newHub, newWork, newJobs,
		newComplexity, newBench, newProblems, newResults, newExtract, newVersion,
	} {
		root.AddCommand(o.checked(command(o)))
	}
	checkFlags(root.Name(), root.PersistentFlags())
	root.SetFlagErrorFunc(flagError)
	o.setHelp(root)
	return root
}
