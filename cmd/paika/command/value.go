package command

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/prover"
	saved "paika/solver/checkpoint"
)

func newValue(o *options) *cobra.Command {
	f := valueCommand{shared: hubFlags{here: true}}
	cmd := &cobra.Command{
		Use:   "value [GAME] [POSITION]",
		Short: "Tell who wins",
		Long: `Value tells the game-theoretic value of a position: the side that wins with best
play, or a draw. The rules tell a win with this turn, and tables that hold the
position answer at once. Where neither do, it is searched, and the search ends where
tables are stored: by proof numbers, as paika prove does, which also writes the proof
down and can go on where it was stopped. A large board takes as long as it takes:
Ctrl-C or --nodes end it.

Konane on boards of at most 64 points has a search of its own; the winner is the
first or the second player while the opening is still to be played. With --checkpoint
its table is kept in a file, every ten minutes and when Ctrl-C or --nodes end it: the
same command goes on there. What the file claims is confirmed, turn by turn, before it
counts for the answer.

A search that --nodes ends has no winner, and the exit status is 3. Of positions
from standard input, "-", each has its answer on a line of its own, and --nodes
for itself; the exit status is that of what was wrong if a line has no answer,
else 3 if one has no winner, or not the form that --cgt asks for.

In JSON the distance of the end in turns is null in draws and where no table with the
metric dtw has it, but for a win with this turn, which the rules tell. With one worker
the nodes are the same with a table of as many bytes, "table_bytes": half of --memory,
or, where that is not given, 1 GiB, or half of what may be taken if that is less.

With --hub what tables here do not tell is decided by the hub at that URL, see paika
hub, or by one in this process, with --workers workers, for "embedded": in any game,
and by a certificate that the hub has checked. It proves that the side to move wins,
or that it does not, and where there are draws the same of the other side. Limits
are the hub's: at a URL, --workers and --memory are about the tables here. Ctrl-C
ends the question here alone, and the hub goes on; what was
found in an embedded one is saved beside the tables, in a folder with .hub added to its
name, and the same command goes on from there.

With --cgt it tells the canonical form as well, Black as Left: integers and
dyadics such as -3/4, nimbers *2, ups ^2, which is ^ + ^, and downs v, a number plus an
infinitesimal 2^*, everything else {L|R}. With what is no number stand the mean,
what the position is worth on average in a sum of many, and the temperature, what a
move is worth there. A position where whoever begins loses is worth 0, on a large board,
too, as soon as two searches tell that; others are within reach on boards up to 5x5,
and of some nine stones on any. Boards of more than 64 points are not searched: there
the form is made first, and tells who wins. What else tells that has to agree.

Each of the two searches has --nodes for itself; with --hub there is no second one. Where
--nodes, Ctrl-C or --memory end the work on the form, who wins is told all the same: there
is no form then, "cgt_error" in JSON has the reason, and the exit status is 3, or 130
after Ctrl-C. The file of --checkpoint stays until the form is known, and that of the
second search, with .swapped added to its name.`,
		Example: `  paika build --board telo --pieces all && paika value --board telo
  paika value --board 5x5
  paika value --board 5x5 ".B.../...../..W../...../W.... b"
  paika value konane --board 6x6 --opening middle-h
  paika value konane --board 7x7 --opening middle-h --checkpoint 7x7.search
  paika value konane --board 5x5 --hub embedded
  paika value konane --board 8x1 --opening corner-h --cgt`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return withTables(o, args, func(s session, tables catalogue.Tables) error {
				return f.run(cmd, s, tables)
			})
		},
	}
	cmd.Flags().BoolVar(&f.limits.CGT, "cgt", false, "tell the canonical form, for konane")
	cmd.Flags().Uint64Var(&f.limits.Nodes, "nodes", 0, "search at most `N` positions, with several workers up to 256 less for each; 0 for no limit")
	cmd.Flags().StringVar(&f.limits.Checkpoint, "checkpoint", "", "`FILE` to keep a search in, and to go on from")
	f.shared.register(cmd, "nodes", "checkpoint")
	return cmd
}

// valueCommand is what paika value is told by its flags.
type valueCommand struct {
	limits catalogue.ValueOptions
	shared hubFlags
}

func (f *valueCommand) run(cmd *cobra.Command, s session, tables catalogue.Tables) error {
	limits, err := f.options(cmd, s)
	if err != nil {
		return err
	}
	bar := s.startProgress(cmd.ErrOrStderr())
	defer bar.close()
	done := bar.close // with the progress, before an answer, which begins a line
	if s.position() == fromInput {
		done = bar.clear
	}
	limits.Progress = func(nodes uint64) { bar.count("searching", "node", nodes) }
	var left unsettled
	if f.shared.url != "" {
		limits.Ask = s.contests(cmd, f.shared, limits.Memory, bar, &left)
	}
	var open *catalogue.Value // the first that is not known whole
	err = answer(cmd, s, fromTables, func(ctx context.Context, positions []string, tell func([]catalogue.Answer[catalogue.Value]) error) error {
		limits.Tell = func(answers []catalogue.Answer[catalogue.Value]) error {
			done()
			for _, a := range answers {
				if open == nil && a.Err == nil && unknown(a.Result) != nil {
					open = &a.Result
				}
			}
			return tell(answers)
		}
		_, err := tables.Value(ctx, positions, limits)
		done()
		return err
	}, printValue)
	return ended(cmd, s, left, open, err)
}

// options are those that the flags ask for. Its errors name the flag that is wrong.
func (f *valueCommand) options(cmd *cobra.Command, s session) (catalogue.ValueOptions, error) {
	limits := f.limits
	if err := f.shared.check(cmd, s); err != nil {
		return limits, err
	}
	if limits.Checkpoint != "" && s.position() == fromInput {
		return limits, misuse("checkpoint", "--checkpoint is for one position, not for those on standard input")
	}
	limits.Workers, limits.Memory = s.workers, memoryBudget(s.memory)
	if s.memory == 0 {
		limits.Table = mostSearchMemory
	}
	limits.Notice = notices(cmd)
	return limits, nil
}

// unknown is the error that stands for what an answer does not tell, and was asked for.
func unknown(v catalogue.Value) error {
	switch {
	case v.Winner == nil:
		return prover.ErrUndecided
	case v.Formless != nil:
		return v.Formless
	}
	return nil
}

// ended says where searches are kept that came to no end, and how to go on. Left is what a hub has
// of them, if it has any. Open is the answer that lacks something, or nil. It gives the error that
// the command ends with.
func ended(cmd *cobra.Command, s session, left unsettled, open *catalogue.Value, err error) error {
	var nodes uint64
	var kept []string
	var search *catalogue.SearchError
	switch {
	case errors.Is(err, context.Canceled) && errors.As(err, &search):
		nodes, kept = search.Nodes, search.Checkpoints
		left.last.Nodes = nodes // of all claims
	case err == nil && open != nil:
		nodes, kept, err = open.Nodes, open.Checkpoints, unknown(*open)
	}
	var unsaved *saved.SaveError
	if errors.As(err, &unsaved) {
		return unsaved
	}
	if len(kept) > 0 {
		printKept(cmd.ErrOrStderr(), s, nodes, joinNames(kept), err)
	} else if left.open && errors.Is(err, context.Canceled) {
		s.printLeft(cmd.ErrOrStderr(), left.last, left.kept)
	}
	return err
}

// joinNames lists files for people.
func joinNames(files []string) string {
	shown := make([]string, len(files))
	for i, file := range files {
		shown[i] = catalogue.ShownName(file)
	}
	return bitboard.Enumerate("and", shown...)
}

// printKept says how to go on with a search.
func printKept(w io.Writer, s session, nodes uint64, checkpoint string, reason error) {
	printSaved(w, s, nodes, "node", checkpoint, reason)
}

// printSaved says how to go on with work that has come so far, and why it ended if that is an
// error. What memory ended ends there again with no more of it.
func printSaved(w io.Writer, s session, done uint64, unit, checkpoint string, reason error) {
	how := "go on with"
	if reason != nil && catalogue.FaultOf(reason).Code == catalogue.CodeMemory {
		how = "with more --memory, go on with"
	}
	fmt.Fprintf(w, "paika: %s saved in %s; %s: %s\n", count(done, unit), checkpoint, how, catalogue.CommandLine(s.args...))
}

// notices prints what the user should know of on standard error.
func notices(cmd *cobra.Command) func(string) {
	return func(text string) { fmt.Fprintf(cmd.ErrOrStderr(), "paika: %s\n", catalogue.Escape(text)) }
}

// earlier says how many nodes of a search were searched before it was stopped. The time of prove,
// which stands behind, is that of all.
func earlier(nodes uint64) string {
	if nodes == 0 {
		return ""
	}
	return ", " + thousands(nodes) + " of them before it was stopped,"
}

// sinceThen says how many nodes of a value were searched before, so that the time of this run, which
// stands behind, is not taken for that of all.
func sinceThen(v catalogue.Value) string {
	switch {
	case v.Resumed == 0:
		return ""
	case v.Resumed == v.Nodes:
		return ", all of them before it was stopped,"
	}
	return earlier(v.Resumed) + " the others"
}

func printValue(w io.Writer, v catalogue.Value) error {
	verdict := "undecided"
	if v.Winner != nil {
		verdict = *v.Winner
	}
	if v.Winner != nil && verdict != bitboard.Draw.String() {
		verdict += " wins"
	}
	if v.Distance != nil && *v.Distance > 0 { // the game is not over
		verdict += inTurns(v.Distance)
	}
	by := v.By
	if v.By == catalogue.BySearch {
		by = fmt.Sprintf("search, %s%s in %.2f s", count(v.Nodes, "node"), sinceThen(v), v.Seconds)
	}
	if v.CGT != "" {
		verdict += ", value " + v.CGT
	}
	if v.Mean != v.CGT { // no number, of which that would say it again
		verdict += fmt.Sprintf(", mean %s, temperature %s", v.Mean, v.Temperature)
	}
	_, err := fmt.Fprintf(w, "%s\n%s (by %s)\n", v.Position, verdict, by)
	return err
}
