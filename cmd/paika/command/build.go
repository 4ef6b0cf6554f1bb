package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
	"paika/solver/retrograde"
)

const (
	defaultPieces = 5
	allPieces     = "all"
	defaultMetric = bitboard.WDL
)

func newBuild(o *options) *cobra.Command {
	pieces, metric, dryRun := "", "", false
	var slices names
	var shared hubFlags
	cmd := &cobra.Command{
		Use:   "build [GAME]",
		Short: "Build endgame tables",
		Long: `Build solves the slices that are missing, smaller ones first, with all that they
need. A slice is all positions with so many stones of each side: 5v3 has five of
the side to move and three of the other. Of each position the tables tell whether
the side to move wins, loses or draws with best play on both sides and, with the
metric dtw, in how many turns. Games without such slices have a single one, all.

Ctrl-C stops it; the same command goes on after the last group of slices that
was finished, and in a big group from a checkpoint, which is also saved every
few minutes, or so often that saving takes a twentieth of the time. So does a
build that was killed. A program goes on from its own checkpoints alone, one for each
group, and from nothing but the values in them: paika verify derives those again with
all others. It replaces no checkpoint of another version: it ends, and names the file. So
it does where --memory is less than a group was begun with and too little to go on, and
tells how much does. A checkpoint takes as much of the disk as the tables take of
memory, and twice that while it is saved; one that finds no room is left out.

A build never takes more memory than --memory: one that would is refused at once.

With --hub the workers of a hub build, groups that do not need each other side by side,
and the tables come to those of the hub, to its folder --db; with --hub embedded, to those
of this machine. The output is the same. A group is stored once it was derived again, as
paika verify --hub has it: by other workers than the one who built it, or, where there is
none, by the hub. Workers build what their own --memory does for, and the hub needs memory
to derive a group: at a URL, --workers and --memory are for paika hub and paika work.
Ctrl-C ends the asking, and the hub goes on; an embedded one, which needs memory for two
groups, goes on with the same command, from a folder with .hub added to the name of the
tables' one.

With --dry-run nothing is built. It tells for each group of slices how much memory it
needs, and about how much time, in the memory allowed, and how much disk it takes: by
the smaller slices of the same build that are most like it. Those it solves in a folder
of its own: for ten seconds, or, beside other programs, until it has had as much of the
processor as in ten seconds alone. It also tells what the build takes of the memory
allowed. Groups that more memory would make faster by a tenth or more are named, with
what makes all fastest and the time that it then takes. Where a group needs slices that
are stored with values left out, to find and store these is part of what it takes.`,
		Example: `  paika build
  paika build --board dimy --pieces all --dry-run
  paika build fanorona --pieces 6 --metric dtw
  paika build --board dimy --slices 5v3
  paika build --board telo --pieces all
  paika build --board telo --pieces all --hub embedded
  paika build --pieces 7 --hub nats://127.0.0.1:4222 --creds hub/worker.creds`,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := o.openBoard(args)
			if err != nil {
				return err
			}
			if err := checkAlone(cmd, "pieces", "slices"); err != nil {
				return err
			}
			options := catalogue.BuildOptions{Slices: slices, Workers: o.workers, Memory: memoryBudget(o.memory), Version: ownVersion(), Notice: notices(cmd)}
			if options.Pieces, err = parsePieces(pieces); err != nil {
				return err
			}
			if !cmd.Flags().Changed("pieces") {
				options.Pieces = s.fewPieces()
			}
			if options.Metric, err = parseMetric(metric); err != nil {
				return err
			}
			switch err := shared.check(cmd, s); {
			case err != nil:
				return err
			case dryRun:
				return estimate(cmd, s, options)
			case shared.url != "":
				return buildShared(cmd, s, shared, options)
			}
			return build(cmd, s, options)
		},
	}
	shared.register(cmd, "dry-run")
	cmd.Flags().StringVar(&pieces, "pieces", strconv.Itoa(defaultPieces), "most pieces on the board, `N` or all (all where a game has tables of whole boards alone)")
	cmd.Flags().Var(&slices, "slices", "slices to build, such as `5v3,4v4`")
	cmd.Flags().StringVar(&metric, "metric", defaultMetric.String(), "store `wdl|dtw`: wins and losses alone, or distances in turns, too")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "tell what the build takes, and build nothing")
	return cmd
}

func parsePieces(text string) (int, error) {
	if text == allPieces {
		return bitboard.AllPieces, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, misuse("pieces", "--pieces %s: want a number of pieces, or all", bitboard.Shorten(text))
	}
	return n, nil
}

// fewPieces is how many pieces build takes where nobody tells: no more than fit the board, and
// all where there are tables of the whole board alone.
func (s session) fewPieces() int {
	if s.instance.WholeBoards() {
		return bitboard.AllPieces
	}
	board, err := bitboard.ParseBoard(s.instance.Identity().Board)
	if err != nil {
		return defaultPieces
	}
	return min(defaultPieces, board.Points())
}

func build(cmd *cobra.Command, s session, o catalogue.BuildOptions) error {
	bar := s.startProgress(cmd.ErrOrStderr())
	o.Progress = func(p retrograde.Progress) { bar.setFrom(p.Group+" "+p.Phase, "index", p.Earlier, p.Done, p.Total) }
	built, err := s.instance.Build(cmd.Context(), s.dir(), o)
	bar.close()
	if errors.Is(err, context.Canceled) {
		printStopped(cmd.ErrOrStderr(), s, built, err)
	}
	if err != nil {
		return s.hint(err)
	}
	return s.print(cmd, built, func(w io.Writer) error { return printBuilt(w, s.dir(), built) })
}

// printStopped says where a build stopped, and how to go on.
func printStopped(w io.Writer, s session, built catalogue.Built, err error) {
	var at *retrograde.StoppedError
	if errors.As(err, &at) {
		if at.Checkpoint != nil {
			fmt.Fprintf(w, "paika: %v\n", at.Checkpoint)
		}
		next := "not big enough for a checkpoint, it will start anew"
		switch {
		case at.Kept && at.Checkpoint != nil:
			next = "it will go on from the checkpoint before"
		case at.Kept:
			next = "it will go on from this checkpoint"
		case at.Early:
			next = "too early for a checkpoint, it will start anew"
		case at.Checkpoint != nil:
			next = "it will start anew"
		}
		fmt.Fprintf(w, "paika: stopped while %s group %s: %s\n", at.Phase, at.Group, next)
	}
	fmt.Fprintf(w, "paika: %s of %s in %s; go on with: %s\n",
		thousands(uint64(len(built.Slices))), count(uint64(built.Asked), "slice"), catalogue.ShownName(s.dir()), catalogue.CommandLine(s.args...))
}

func printBuilt(w io.Writer, dir string, b catalogue.Built) error {
	if err := statsTable(b.Stats).print(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s: solved %s in %s, %s positions/s\n",
		catalogue.ShownName(dir), count(b.Solved, "position"), inAll(b.Seconds, b.Before), rate(b.Solved, b.Seconds))
	return err
}
