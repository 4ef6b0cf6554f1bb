package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"paika/cmd/paika/catalogue"
)

func newVerify(o *options) *cobra.Command {
	checksums := false
	var shared hubFlags
	cmd := &cobra.Command{
		Use:   "verify [GAME]",
		Short: "Check every value in the tables",
		Long: `Verify compares every chunk with its checksum, and then derives the value of
every position again from the values stored for its successors, by the rules
alone: it shares no code with the solver that built the tables. It exits with 1
where anything is wrong, or where a build was cut off in the middle of a group
of slices, whose values cannot be derived before another build completes it.

Counts, quiet positions, longest lines and fingerprints are found anew, too. Of
what is wrong the first hundred findings are shown, in the order of the slices.

Ctrl-C stops it; the same command goes on after the last group of slices that
was finished, and so it does after a crash, from what is saved every half minute.
What is saved lies beside the tables, in a file with .verify added to the name of
their folder, and is gone once all is verified. The next run reads every chunk
again, and takes from the file only what was derived from the very same values by the
same version; what another version has derived stays there for it until then. Nobody
vouches for that file: the answer says how many slices were derived in this run, and how
many in one before. Remove the file to derive all of them again.

With --hub the tables of a hub are verified, those of its folder --db, by its workers;
with --hub embedded, those of this machine. At a URL, --workers and --memory are for
paika hub and paika work. The hub reads every chunk. Workers fetch the tables of a group
at a time, and derive shares of its slices. What a worker says it has found, the hub
derives again itself, and that alone is reported. That a worker has found nothing is
believed, but for one share in a hundred, and one of each group at least: the hub picks
them by chance once the answers are there, derives them itself, and believes who was
wrong no more. The answer tells how many these were. Ctrl-C ends the asking, and the hub
goes on; an embedded one goes on with the same command, from a folder with .hub added to
the name of the tables' one. What the ledger there tells is believed as that file is, and
the answer says how many shares that were. It needs memory for two groups of slices.`,
		Example: `  paika verify
  paika verify fanorona --board dimy --checksums-only
  paika verify --board 5x5 --hub embedded --workers 4
  paika verify --board 5x5 --hub nats://127.0.0.1:4222 --creds hub/worker.creds`,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := o.openBoard(args)
			if err != nil {
				return err
			}
			switch err := shared.check(cmd, s); {
			case err != nil:
				return err
			case shared.url != "":
				return verifyShared(cmd, s, shared)
			}
			return verify(cmd, s, catalogue.VerifyOptions{
				ChecksumsOnly: checksums, Workers: o.workers, Memory: memoryBudget(o.memory), Version: ownVersion(), Record: s.beside(recordSuffix),
			})
		},
	}
	shared.register(cmd, "checksums-only")
	cmd.Flags().BoolVar(&checksums, "checksums-only", false, "leave out the derivation of values")
	return cmd
}

// recordSuffix makes the file by which a verification goes on from the folder of
// the tables.
const recordSuffix = ".verify"

func verify(cmd *cobra.Command, s session, o catalogue.VerifyOptions) error {
	log := cmd.ErrOrStderr()
	bar := s.startProgress(log)
	o.Progress = func(done, total uint64) { bar.set("verifying", "index", done, total) }
	o.GoingOn = func(e catalogue.Earlier, all int) {
		bar.close()
		fmt.Fprintf(log, "paika: going on: %d of %s were verified before, as %s tells\n", e.Slices, count(uint64(all), "slice"), catalogue.ShownName(e.Record))
		bar = s.startProgress(log)
	}
	o.Tell = func(v catalogue.Verified) error {
		bar.close()
		return tellVerified(cmd, s, s.dir(), v)
	}
	v, err := s.instance.Verify(cmd.Context(), s.dir(), o)
	bar.close()
	if v.Unsaved != nil {
		fmt.Fprintf(log, "paika: %s: %v\n", catalogue.ShownName(o.Record), v.Unsaved)
	}
	if errors.Is(err, context.Canceled) || v.Saved != "" {
		printPartlyVerified(log, s, v)
	}
	if err != nil {
		return s.hint(err)
	}
	return verifiedError(v)
}

// tellVerified prints what was found of the tables at a place, and what to do about it.
func tellVerified(cmd *cobra.Command, s session, place string, v catalogue.Verified) error {
	if err := s.print(cmd, v, func(w io.Writer) error { return printVerified(w, place, v) }); err != nil {
		return err
	}
	printUnfinished(cmd.ErrOrStderr(), s, place, v)
	if !v.OK && verdict(v) != unfinishedBuild {
		fmt.Fprintf(cmd.ErrOrStderr(), "paika: %s\n", s.cure(place, v))
	}
	return nil
}

// verifiedError is the error that stands for tables in which something is wrong.
func verifiedError(v catalogue.Verified) error {
	if !v.OK {
		return fmt.Errorf("%w: %s", errFailed, verdict(v))
	}
	return nil
}

// printPartlyVerified says how far a verification came that was stopped, and how
// to go on.
func printPartlyVerified(w io.Writer, s session, v catalogue.Verified) {
	for _, finding := range v.Findings {
		fmt.Fprintf(w, "paika: %v\n", finding)
	}
	finished := v.Derived
	if v.Earlier != nil {
		finished += v.Earlier.Slices
	}
	goOn := catalogue.CommandLine(s.args...)
	switch {
	case v.Saved == "":
		fmt.Fprintf(w, "paika: %d of %s checked, and nothing saved\n", finished, count(uint64(v.Slices), "slice"))
	case finished == 0:
		fmt.Fprintf(w, "paika: stopped while tables were read; what a run before saved in %s stands; go on with: %s\n", v.Saved, goOn)
	default:
		fmt.Fprintf(w, "paika: %d of %s checked, saved in %s; go on with: %s\n", finished, count(uint64(v.Slices), "slice"), v.Saved, goOn)
	}
}

// printUnfinished says how to go on with what did not come to its end, of tables at a place. Those in a
// folder do not tell whether that was a build or an import.
func printUnfinished(w io.Writer, s session, place string, v catalogue.Verified) {
	lists := make(map[string][]string) // of slices, by metric
	for _, f := range v.Findings {
		if f.Unfinished() {
			lists[f.Metric] = append(lists[f.Metric], f.Slice)
		}
	}
	for _, metric := range slices.Sorted(maps.Keys(lists)) {
		s.metric = metric
		build, what, how := s.buildCommand("--slices", strings.Join(lists[metric], ",")), "a build", "with: "
		if place == s.dir() {
			what, how = "a build or an import", "with the import, or with: "
		}
		fmt.Fprintf(w, "paika: %s of %s was not finished; go on %s%s\n", what, metric, how, build)
	}
}

// cure says what mends tables at a place in which something is wrong. Repair keeps slices whose
// checksums are right, as those of tables are that were built or imported wrong, and what the
// manifest says of them.
func (s session) cure(place string, v catalogue.Verified) string {
	what := ""
	switch {
	case slices.ContainsFunc(v.Findings, func(f catalogue.Finding) bool { return f.Position != "" }):
		what = "values"
	case slices.ContainsFunc(v.Findings, catalogue.Finding.Figure):
		what = "figures"
	}
	switch {
	case place != s.dir() && what != "":
		return what + " are wrong that were stored so: move the hub's folder of these tables away, and build them anew"
	case place != s.dir():
		return "repair the tables where the hub has them"
	case what != "":
		return fmt.Sprintf("%s are wrong that were stored so, which repair keeps: move %s away, and build the tables anew", what, place)
	}
	return "repair the tables with: " + s.repairCommand()
}

// unfinishedBuild is the verdict where nothing else is wrong.
const unfinishedBuild = "a build was not finished"

// verdict is the outcome in a few words.
func verdict(v catalogue.Verified) string {
	unfinished := uint64(0)
	for _, f := range v.Findings {
		if f.Unfinished() {
			unfinished++
		}
	}
	switch {
	case v.OK:
		return "all is well"
	case unfinished == v.Found:
		return unfinishedBuild
	}
	return count(v.Found, "finding")
}

func printVerified(w io.Writer, place string, v catalogue.Verified) error {
	for _, finding := range v.Findings {
		fmt.Fprintln(w, finding)
	}
	_, err := fmt.Fprintf(w, "%s: %s, %s: %s, %s derived in %s\n",
		catalogue.ShownName(place), count(uint64(v.Slices), "slice"), count(v.Chunks, "chunk"), verdict(v), count(v.Positions, "position"), seconds(v.Seconds))
	if e := v.Earlier; err == nil && e != nil {
		_, err = fmt.Fprintf(w, "%s of %s, %s, were derived by a run before, as %s told\n",
			thousands(uint64(e.Slices)), count(uint64(v.Slices), "slice"), count(e.Positions, "position"), catalogue.ShownName(e.Record))
	}
	if shared := v.Shared; err == nil && shared != nil {
		recalled := ""
		if shared.Recalled > 0 {
			recalled = fmt.Sprintf(", %s before it was stopped, as its ledger told", thousands(uint64(shared.Recalled)))
		}
		_, err = fmt.Fprintf(w, "%s by %s, %s derived by the hub%s; tables %s\n",
			count(uint64(shared.Pieces), "share"), count(uint64(shared.Workers), "worker"), thousands(uint64(shared.Hub)), recalled, shared.Tables)
	}
	return err
}
