package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/spf13/cobra"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/prover"
	"paika/solver/checkpoint"
	"paika/solver/proofnumber"
)

// errRefuted is the answer that a claim is false.
var errRefuted = errors.New("the claim is refuted")

func newProve(o *options) *cobra.Command {
	var f proveCommand
	cmd := &cobra.Command{
		Use:   "prove [GAME] [POSITION]",
		Short: "Search for a proof of a claim",
		Long: `Prove searches for a proof that a side wins from a position (white-wins), that
it does not lose (white-not-lost), or that neither side loses (draw). Where an
opening of Konane is still to be played the sides are first and second. Tables in
the folder are loaded into memory, and end the search where they know the value.

With --out the certificate of a claim that is proved is written, for paika check.
That of a draw is two files, FILE with the side's name added for each of them:
FILE.white and FILE.black; there must be no FILE beside them. With --part the search
ends, and so does the new certificate, where another one proves the same claim: so a
proof can be made in parts, by opening turns for example. Parts are checked before the
search, as paika check does, with their own parts if those are given, too.

Without a certificate, and where a claim is refuted, the answer rests on the search alone,
whose table tells positions apart by 64 bits. A certificate of the opposite claim makes a
refutation as certain.

With --complete the certificate goes on below the tables, down to the end of the game,
as paika complete makes it, and is checked with the rules alone. Of a claim that a side
wins the tables must have distances as well (--metric dtw). The certificate over tables
is written first: where the rest is stopped, or --time ends, it stays. The same command takes
it up from --out, and goes on.

With --pieces and --hints the search ends at the tables of at most --pieces alone, and so
does the certificate. Larger ones, of at most --hints, are hints: they tell which positions
need not be tried. Where a claim is refuted, the answer rests on both. Completed, such a
certificate can be several times smaller; to find it takes the longer, the smaller the
tables are.

The exit status is 0 if the claim is proved, 1 if it is refuted, and 3 if it is
undecided within --nodes, --time and --memory. The limits hold for the search and
the writing of certificates together, from when the tables and what was saved are
loaded. The search's own table takes at most 1 GiB unless --memory is given: give it
for a proof of hours.

Of a claim that is open the turns are shown: what is known of each; how many positions at
least seem to be left to prove and to refute it, which are its proof numbers; and how many
nodes were searched below it, with their share of all.

Ctrl-C stops it; the same command goes on where it was, and so it does after a
crash, from what is saved every few minutes, or after it has met its limits. What
is saved lies beside the tables, in a folder with .search added to its name, and
is gone once the claim is decided. It serves with more tables and with fewer. With
less memory it serves in part: how much takes all is told, and the file is kept under
another name.
Nothing in it is believed: a proof that rests on it is put together anew, which
counts for --time. A search that can't be saved says so, and answers all the same.
The methods pn and pn2 keep their tree in memory alone, and start anew each time.

With --hub the search is shared out by the hub at that URL, see paika hub, or by one
in this process, with --workers workers, for "embedded". The answer and the
certificate are of the same kind; tables, and limits other than --time, are the hub's:
at a URL, it takes no --db, --workers or --memory. Nodes below a turn are those of
answers that have come; what the hub does not know of one is a "-".
Ctrl-C ends the question here alone: the hub goes on. What was found in an embedded one
is saved beside the tables, in a folder with .hub added to its name, and the same command
goes on from there, until the claim is decided.

Positions from standard input, "-", are asked about one by one, each with the
limits for itself, and each has its answer on a line of its own. Then the exit
status is that of what was wrong if a line has no answer, else 1 if a claim is
refuted, else 3 if one is undecided. There are no certificates then.`,
		Example: `  paika build --board telo --pieces 4 && paika prove --board telo --claim white-wins --out telo.proof
  paika prove --board 5x3 --claim white-wins --method pn2
  paika prove --board 5x5 --claim draw --complete --out 5x5.proof
  paika prove --board 5x5 --claim black-not-lost --pieces 3 --hints 5 --complete --out 5x5.black
  paika prove konane --board 4x4 --opening corner-h --claim white-wins --time 1m --json
  paika prove konane --board 5x5 --claim first-wins --out konane.proof`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, o, args)
		},
	}
	cmd.Flags().StringVar(&f.limits.Claim, "claim", "", "what to prove: `SIDE-wins`, SIDE-not-lost or draw")
	cmd.Flags().StringVar(&f.method, "method", proofnumber.DFPN.String(), "search by `dfpn|pn2|pn`; the last two with one worker")
	cmd.Flags().Uint64Var(&f.limits.Nodes, "nodes", 0, "search at most `N` nodes, for each side of a draw; with several workers up to 64 less for each; 0 for no limit")
	cmd.Flags().DurationVar(&f.limits.Time, "time", 0, "longest `TIME` to search, write certificates and complete them, such as 10m; 0 for no limit")
	cmd.Flags().StringVar(&f.limits.Out, "out", "", "`FILE` to write the certificate to")
	cmd.Flags().BoolVar(&f.limits.Complete, "complete", false, "go on below the tables to the end of the game, so that the certificate needs none; wants --out")
	cmd.Flags().StringArrayVar(&f.limits.Parts, "part", nil, "`FILE` of a certificate of the same claim about a position further on, to rely on; can be given again")
	cmd.Flags().DurationVar(&f.limits.SaveEvery, "save-every", saveEvery, "`TIME` between two checkpoints; 0 for none but at the end")
	cmd.Flags().StringVar(&f.pieces, "pieces", allPieces, "use the tables of at most `N` pieces, or all that are stored")
	cmd.Flags().IntVar(&f.limits.Hints, "hints", 0, "beyond --pieces, tables of at most `N` pieces tell what need not be tried; no certificate rests on them")
	f.shared.register(cmd, "method", "nodes", "hints", "part", "pieces", "save-every", "complete")
	return cmd
}

// proveCommand is what paika prove is told by its flags.
type proveCommand struct {
	limits         catalogue.ProveOptions
	method, pieces string
	shared         hubFlags
}

// run asks the hub, or answers here, for one position or for those on standard input.
func (f *proveCommand) run(cmd *cobra.Command, o *options, args []string) error {
	s, err := o.open(args)
	if err != nil {
		return err
	}
	limits, err := f.options(cmd, s)
	if err != nil {
		return err
	}
	switch {
	case f.shared.url != "":
		return proveShared(cmd, s, f.shared, limits)
	case s.position() == fromInput:
		return proveLines(cmd, s, limits)
	}
	return prove(cmd, s, limits)
}

// options are those that the flags ask for. Its errors name the flag that is wrong.
func (f *proveCommand) options(cmd *cobra.Command, s session) (limits catalogue.ProveOptions, err error) {
	limits = f.limits
	if limits.Method, err = proofnumber.ParseMethod(f.method); err != nil {
		return limits, misuse("method", "--method: %w", err)
	}
	if limits.Method != proofnumber.DFPN && cmd.Flags().Changed("workers") && s.workers > 1 {
		return limits, misuse("workers", "--workers %d: %v searches with one", s.workers, limits.Method)
	}
	limits.Pieces, err = parsePieces(f.pieces)
	if errors.Is(err, errNoPieces) {
		err = misuse("pieces", "%w; --db with a folder that is not there searches without tables", err)
	}
	if err != nil {
		return limits, err
	}
	switch hints := cmd.Flags().Changed("hints"); {
	case hints && limits.Pieces == bitboard.AllPieces:
		return limits, misuse("hints", "--hints %d: want --pieces N, too, for the smaller tables that end the search", limits.Hints)
	case hints && limits.Hints <= limits.Pieces:
		return limits, misuse("hints", "--hints %d: want more than the %d of --pieces", limits.Hints, limits.Pieces)
	}
	if err := f.shared.check(cmd, s); err != nil {
		return limits, err
	}
	limits.Workers, limits.Memory = s.workers, memoryBudget(s.memory)
	if s.memory == 0 {
		limits.Table = mostSearchMemory
	}
	limits.Checkpoints = s.beside(searchSuffix)
	limits.Notice = notices(cmd)
	return limits, checkOut(cmd, limits, s.position() == fromInput)
}

// checkOut makes sure that certificates can be written, and read again to complete them. There are
// none of many positions.
func checkOut(cmd *cobra.Command, limits catalogue.ProveOptions, many bool) error {
	const one = "--%s is for one position, not for those on standard input"
	switch {
	case many && limits.Complete:
		return misuse("complete", one, "complete")
	case many && limits.Out != "":
		return misuse("out", one, "out")
	case limits.Out == "" && limits.Complete:
		return misuse("complete", "--complete wants --out: it is about the certificate")
	case limits.Out == "":
		return nil
	}
	if err := fileToWrite(cmd, limits.Out); err != nil {
		return err
	}
	files := []string{limits.Out}
	if limits.Claim == catalogue.ClaimDraw {
		if _, err := os.Lstat(limits.Out); err == nil {
			return misuse("out", "--out %s: it is there, and would be taken for the draw, whose halves get names of their own: move it away, or give another name", limits.Out)
		}
		files = catalogue.HalfPaths(limits.Out)
	}
	if !limits.Complete {
		return nil
	}
	return fileToReadAgain(files...)
}

// searchSuffix makes the folder of checkpoints from that of the tables.
const searchSuffix = ".search"

func prove(cmd *cobra.Command, s session, o catalogue.ProveOptions) error {
	before := s.startProgress(cmd.ErrOrStderr())
	bar, after := s.startProgress(cmd.ErrOrStderr()), s.startProgress(cmd.ErrOrStderr())
	searched := sync.OnceFunc(bar.close)
	o.Completing = func(w prover.Work) { searched(); after.set(w.Doing, w.Unit, w.Done, w.Total) }
	prepared := sync.OnceFunc(before.close)
	o.Preparing = func(w prover.Work) { before.set(w.Doing, w.Unit, w.Done, w.Total) }
	o.Progress = func(p catalogue.Progress) {
		prepared()
		bar.count(describe(p), "node", p.Nodes)
	}
	ended := func() { prepared(); searched(); after.close() }
	o.Tell = func(proved catalogue.Proved) error {
		ended()
		return s.printProved(cmd, proved)
	}
	proved, err := s.instance.Prove(cmd.Context(), s.dir(), s.position(), o)
	ended()
	switch {
	case errors.Is(err, context.Canceled):
		if err := printUnproved(cmd.ErrOrStderr(), s, proved); err != nil {
			return err
		}
	case err != nil: // the certificate could not be written, for one
		printGoOn(cmd.ErrOrStderr(), s, proved, err)
	}
	var unsaved *checkpoint.SaveError
	if errors.As(err, &unsaved) {
		return unsaved
	}
	if err != nil {
		if err = s.completeHint(err); o.Complete && proved.Checkpoint == "" && !errors.As(err, new(*catalogue.UncompletedError)) {
			s.printUncompleted(cmd.ErrOrStderr(), proved)
		}
		return err
	}
	if proved.Result == proofnumber.Undecided {
		if err := s.printProved(cmd, proved); err != nil {
			return err
		}
	}
	printGoOn(cmd.ErrOrStderr(), s, proved, nil)
	return resultError(proved)
}

// printUncompleted tells how to go on with certificates that rest on tables still.
func (s session) printUncompleted(w io.Writer, p catalogue.Proved) {
	for _, c := range p.Certificates {
		if c.Complete {
			continue
		}
		again := []string{"complete", c.File, "--out", "OTHER"}
		if s.db != "" {
			again = append(again, "--db", s.db)
		}
		fmt.Fprintf(w, "paika: %s is proved, over tables; to go on: %s\n", catalogue.ShownName(c.File), catalogue.CommandLine(again...))
	}
}

// resultError is the error that stands for a result.
func resultError(p catalogue.Proved) error {
	switch p.Result {
	case proofnumber.Proved:
		return nil
	case proofnumber.Refuted:
		return errRefuted
	}
	return prover.ErrUndecided
}

// proveLines answers every line of standard input, with tables that are loaded
// once.
func proveLines(cmd *cobra.Command, s session, o catalogue.ProveOptions) error {
	bar := s.startProgress(cmd.ErrOrStderr())
	defer bar.close()
	o.Progress = func(p catalogue.Progress) { bar.count(describe(p), "node", p.Nodes) }
	var tell func([]catalogue.Answer[catalogue.Proved]) error
	told, refuted, open, saved := false, false, false, uint64(0) // told: of the position that is searched
	o.Tell = func(proved catalogue.Proved) error {
		bar.clear() // before the answer, which begins a line
		told, refuted = true, refuted || proved.Result == proofnumber.Refuted
		return tell([]catalogue.Answer[catalogue.Proved]{{Result: proved}})
	}
	searches, err := s.instance.Prover(cmd.Context(), s.dir(), o)
	if err != nil {
		return s.hint(err)
	}
	defer searches.Close()
	err = answer(cmd, s, byItself, func(ctx context.Context, positions []string, telling func([]catalogue.Answer[catalogue.Proved]) error) error {
		tell = telling
		for _, position := range positions {
			told = false
			proved, err := searches.Prove(ctx, position)
			bar.clear()
			if ended := ctx.Err(); told && err != nil || ended != nil && errors.Is(err, ended) {
				printGoOn(cmd.ErrOrStderr(), s, proved, err)
				return err
			}
			if told {
				continue
			}
			if err == nil { // it is undecided
				open = true
				if proved.Checkpoint != "" {
					saved++
				}
			}
			if err := tell([]catalogue.Answer[catalogue.Proved]{{Result: proved, Err: err}}); err != nil {
				return err
			}
		}
		return nil
	}, printProved)
	if saved > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "paika: what was found of %s is saved in %s; the same lines go on there\n", count(saved, "undecided position"), catalogue.ShownName(o.Checkpoints))
	}
	switch {
	case err != nil:
		return err
	case refuted:
		return errRefuted
	case open:
		return prover.ErrUndecided
	}
	return nil
}

// describe says in a few words how far a search has come.
func describe(p catalogue.Progress) string {
	switch {
	case p.Writing:
		return p.Claim + ": writing the certificate"
	case p.Settling > 0:
		return fmt.Sprintf("%s: settling, %s", p.Claim, count(p.Settling, "position"))
	}
	proved, refuted := p.Count(proofnumber.Proved), p.Count(proofnumber.Refuted)
	return fmt.Sprintf("%s: %s proved, %d refuted, %d open", p.Claim, count(uint64(proved), "turn"), refuted, len(p.Openings)-proved-refuted)
}

// printUnproved says how far a search came that was stopped, and how to go on.
func printUnproved(w io.Writer, s session, p catalogue.Proved) error {
	if err := printOpenings(w, p); err != nil {
		return err
	}
	printGoOn(w, s, p, nil)
	return nil
}

// printGoOn says how to go on with a search that is not at its end, and why it ended if that is an
// error.
func printGoOn(w io.Writer, s session, p catalogue.Proved, reason error) {
	if p.Checkpoint != "" {
		printKept(w, s, p.Nodes, catalogue.ShownName(p.Checkpoint), reason)
	}
}

// printOpenings shows what is known of claims that are undecided, turn by turn.
func printOpenings(w io.Writer, p catalogue.Proved) error {
	for _, c := range p.Claims {
		if c.Result != proofnumber.Undecided {
			continue
		}
		t := table{left: 2}
		t.add(c.Claim, "", "to prove", "to refute", "nodes", "share")
		for _, o := range c.Openings {
			proof, disproof, nodes, share := "-", "-", "-", "-"
			if o.Proof != nil && o.Disproof != nil {
				proof, disproof = thousands(uint64(*o.Proof)), thousands(uint64(*o.Disproof))
			}
			if o.Nodes != nil && o.Share != nil {
				nodes, share = thousands(*o.Nodes), fmt.Sprintf("%.1f %%", 100**o.Share)
			}
			t.add(o.Turn, o.Result.String(), proof, disproof, nodes, share)
		}
		if err := t.print(w); err != nil {
			return err
		}
	}
	return nil
}

// printProved prints an answer as it was asked for.
func (s session) printProved(cmd *cobra.Command, p catalogue.Proved) error {
	return s.print(cmd, p, func(w io.Writer) error { return printProved(w, p) })
}

func printProved(w io.Writer, p catalogue.Proved) error {
	fmt.Fprintf(w, "%s\n%s: %s\n", p.Position, p.Claim, p.Result)
	if err := printOpenings(w, p); err != nil {
		return err
	}
	for _, c := range p.Parts {
		fmt.Fprintf(w, "%s: part, checked, %s\n", catalogue.ShownName(c.File), count(c.Positions, "position"))
	}
	for _, c := range p.Certificates {
		alone := ""
		if c.Complete {
			alone = ", valid by the rules alone"
		}
		fmt.Fprintf(w, "%s: certificate of %s, %s, %s%s\n", catalogue.ShownName(c.File), c.Claim, count(c.Positions, "position"), formatBytes(uint64(c.Bytes)), alone)
	}
	hints := ""
	if p.Hints > 0 {
		hints = ", hints of " + count(uint64(p.Hints), "slice")
	}
	all := ""
	if p.Searched < p.Seconds && p.Tables+p.Hints+len(p.Parts) > 0 {
		all = ", " + seconds(p.Seconds) + " in all"
	}
	_, err := fmt.Fprintf(w, "%s%s in %s with %s%s, %s nodes/s%s\n",
		count(p.Nodes, "node"), earlier(p.Resumed), seconds(p.Searched), tablesOf(p.Tables), hints, rate(p.Timed, p.Searched), all)
	return err
}
