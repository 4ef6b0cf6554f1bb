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
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
)

// Run executes the command line args, given without the program's name, and
// returns the exit status. Cancelling ctx stops long work at a checkpoint.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	out := &watchedWriter{Writer: stdout}
	if c := consoleOn(stderr); c != nil {
		stderr = c // so that notices and progress have lines of their own
	}
	told := &plainWriter{Writer: stderr}
	stderr = told
	o := newOptions(args)
	root := newRoot(o)
	root.SetIn(stdin)
	root.SetOut(out)
	root.SetErr(stderr)
	o.setCompletion(root)
	err := execute(ctx, root, joinSwitches(args))
	switch {
	case out.err != nil && (err == nil || !o.ran):
		err = out.err
	case err != nil && !o.ran && !errors.As(err, new(*catalogue.ParameterError)):
		err = misusedCommand(root, err)
	}
	if err != nil {
		report(o, err, out, stderr)
	}
	_ = told.end() // there is nobody else to tell
	return exitStatus(err)
}

// execute has cobra run a command. An empty name, such as that of a script's variable
// which is not set, is refused: cobra would show help, and a script would take it for done.
func execute(ctx context.Context, root *cobra.Command, args []string) error {
	if namesNothing(root, args) {
		return misuse("command", "the name of the command is empty: paika help lists all")
	}
	root.SetArgs(args)
	return root.ExecuteContext(ctx)
}

// namesNothing tells whether an empty word stands where the name of the command belongs. Cobra
// passes by such words where it looks for that, but for the values of flags, and so it is asked
// for a name that no system hands on.
func namesNothing(root *cobra.Command, args []string) bool {
	const nothing = "\x00"
	marked := slices.Clone(args)
	for i, arg := range marked {
		if arg == "" {
			marked[i] = nothing
		}
	}
	_, _, err := root.Find(marked)
	return err != nil && strings.HasPrefix(err.Error(), fmt.Sprintf("unknown command %q", nothing))
}

// misusedCommand is an error of cobra's about the usage.
func misusedCommand(root *cobra.Command, err error) error {
	if quoted, found := strings.CutPrefix(err.Error(), "unknown command "); found {
		quoted, _ = strconv.QuotedPrefix(quoted)
		if name, bad := strconv.Unquote(quoted); bad == nil {
			return unknownCommand(root, name)
		}
	}
	return &catalogue.ParameterError{Err: err}
}

// unknownCommand says that there is no command of a name, and tells those that are spelled
// like it.
func unknownCommand(root *cobra.Command, name string) error {
	like := root.SuggestionsFor(name)
	if len(like) == 0 {
		return misuse("command", "unknown command %s: paika help lists all", bitboard.Quote(name))
	}
	return misuse("command", "unknown command %s: did you mean %s?", bitboard.Quote(name), strings.Join(like, " or "))
}

// report tells of an error: people by a line, programs by an object in place of
// the answer.
func report(o *options, err error, stdout, stderr io.Writer) {
	fault := faultOf(err, o.args)
	fmt.Fprintf(stderr, "paika: %s\n", fault.Message)
	tellWhere(stderr, err)
	if o.wantsJSON() && !o.answered {
		_ = printJSON(stdout, shownFault{fault, finishedOf(err)}) // there is nobody else to tell
	}
}

// tellWhere says of a panic where it arose, for those who mend it.
func tellWhere(stderr io.Writer, err error) {
	var mistake *catalogue.PanicError
	if errors.As(err, &mistake) {
		fmt.Fprintf(stderr, "%s\n", mistake.Stack)
	}
}

// watchedWriter remembers that a write failed, and says of what.
type watchedWriter struct {
	io.Writer
	err error
}

func (w *watchedWriter) below() io.Writer { return w.Writer }

func (w *watchedWriter) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if err != nil && w.err == nil {
		w.err = fmt.Errorf("standard output: %w", err)
	}
	if err != nil {
		err = w.err
	}
	return n, err
}

func newRoot(o *options) *cobra.Command {
	root := &cobra.Command{
		Use:   "paika",
		Short: "Solve board games",
		Long: `Paika solves board games: Fanorona, Konane, Phutball and Breakthrough. It builds
tables of who wins, looks positions up in them, proves results, and leaves nothing
to be believed: tables are verified, proofs are checked, by the rules alone.

A first tour takes a minute:

  paika build       solves all positions of Fanorona with at most five stones
  paika verify      derives every value again
  paika serve       shows them as a web page

A command names a game first; without one it is fanorona. A position is written
rank by rank from the top, then the side to move; "start" is the start position,
and "-" reads one position a line from standard input and answers one JSON
object a line.

Words that come again:

  slice        the positions with so many stones of each side: 3v2 has three of
               the side to move and two of the other
  tables       the value of every position of slices, in a folder
  wdl, dtw     what tables tell: win, draw or loss; distances in turns, too
  claim        what is proved: white-wins, black-not-lost, draw
  certificate  a file with a proof, for paika check

With --json standard output carries exactly one object, also where there is no
answer: {"error": {"code", "message", ...}}.

Exit status: 0 done, 1 a check failed or a claim is false, 2 wrong usage or input,
3 not decided within the limits, 4 what is needed (tables, a file) is missing,
locked or damaged, 130 stopped by Ctrl-C at a checkpoint.

The manual has tours, formats and results: paika serve shows it at /doc, and
paika manual DIR writes it as HTML. paika help PAGE prints one of its pages: ` + printedPages() + ".",
		Example: `  paika build --pieces 4
  paika query fanorona "......B../.B......./........./......W../.W....... w"
  paika perft fanorona --board 5x5 --depth 5`,
		SilenceUsage:  true,
		SilenceErrors: true,

		DisableSuggestions:         true, // unknownCommand has them
		SuggestionsMinimumDistance: 2,
	}
	root.Long = filled(root.Long, helpWidth)
	o.register(root.PersistentFlags())
	o.versionFlag(root)
	for _, g := range groups() {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title + ":"})
		for _, command := range g.commands {
			cmd := o.checked(command(o))
			cmd.GroupID = g.title
			cmd.Long = filled(cmd.Long, helpWidth)
			root.AddCommand(cmd)
		}
	}
	checkFlags(root.Name(), root.PersistentFlags())
	for _, cmd := range root.Commands() {
		hideUnused(cmd, root.PersistentFlags())
	}
	if isCompletion(o.args) {
		o.complete(root)
	}
	root.SetFlagErrorFunc(flagError)
	o.setHelp(root)
	return root
}

// group is commands that are listed together.
type group struct {
	title    string
	commands []func(*options) *cobra.Command
}

const otherCommands = "The program"

func groups() []group {
	return []group{
		{"Tables", []func(*options) *cobra.Command{newBuild, newVerify, newRepair, newStats, newExport, newImport}},
		{"Positions and games", []func(*options) *cobra.Command{newQuery, newValue, newTurns, newAnnotate, newRecord, newWinInOne, newServe}},
		{"Proofs", []func(*options) *cobra.Command{newProve, newComplete, newCheck, newExtract}},
		{"Many machines", []func(*options) *cobra.Command{newHub, newWork, newJobs}},
		{"Counting and measuring", []func(*options) *cobra.Command{newPerft, newComplexity, newBench, newProblems, newResults}},
		{otherCommands, []func(*options) *cobra.Command{newGames, newMan, newManual, newVersion}},
	}
}
