package command

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"paika/bitboard/catalogue"
)

func newVerify(o *options) *cobra.Command {
	checksums := false
	cmd := &cobra.Command{
		Use:   "verify [GAME]",
		Short: "Check every value in the tables",
		Long: `Verify compares every chunk with its checksum, and then derives the value of
every position again from the values stored for its successors, by the rules
alone: it shares no code with the solver that built the tables. It exits with 1
where anything is wrong, or where a build was cut off in the middle of a group
of slices, whose values cannot be derived before another build completes it.`,
		Example: `  paika verify
  paika verify fanorona --board dimy --checksums-only`,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := o.openBoard(args)
			if err != nil {
				return err
			}
			return verify(cmd, s, catalogue.VerifyOptions{ChecksumsOnly: checksums, Workers: o.workers, Memory: memoryBudget(o.memory)})
		},
	}
	cmd.Flags().BoolVar(&checksums, "checksums-only", false, "leave out the derivation of values")
	return cmd
}

func verify(cmd *cobra.Command, s session, o catalogue.VerifyOptions) error {
	bar := s.startProgress(cmd.ErrOrStderr())
	o.Progress = func(done, total uint64) { bar.set("verifying", "indices", done, total) }
	v, err := s.instance.Verify(cmd.Context(), s.dir(), o)
	bar.close()
	if err != nil {
		return s.hint(err)
	}
	if err := s.print(cmd, v, func(w io.Writer) error { return printVerified(w, s.dir(), v) }); err != nil {
		return err
	}
	printUnfinished(cmd.ErrOrStderr(), s, v)
	printRepair(cmd.ErrOrStderr(), s, v)
	if !v.OK {
		return fmt.Errorf("%w: %s", errFailed, verdict(v))
	}
	return nil
}

// printUnfinished says how to go on with builds that did not come to their end.
func printUnfinished(w io.Writer, s session, v catalogue.Verified) {
	lists := make(map[string][]string) // of slices, by metric
	for _, f := range v.Findings {
		if f.Unfinished() {
			lists[f.Metric] = append(lists[f.Metric], f.Slice)
		}
	}
	for _, metric := range slices.Sorted(maps.Keys(lists)) {
		s.metric = metric
		fmt.Fprintf(w, "paika: a build of %s was not finished; go on with: %s\n", metric, s.buildCommand("--slices", strings.Join(lists[metric], ",")))
	}
}

// printRepair says what mends all else that was found.
func printRepair(w io.Writer, s session, v catalogue.Verified) {
	if !v.OK && verdict(v) != unfinishedBuild {
		fmt.Fprintf(w, "paika: repair the tables with: %s\n", s.repairCommand())
	}
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

func printVerified(w io.Writer, dir string, v catalogue.Verified) error {
	for _, finding := range v.Findings {
		fmt.Fprintln(w, finding)
	}
	_, err := fmt.Fprintf(w, "%s: %s, %s: %s, %s positions derived in %s\n",
		dir, count(uint64(v.Slices), "slice"), count(v.Chunks, "chunk"), verdict(v), thousands(v.Positions), seconds(v.Seconds))
	return err
}
