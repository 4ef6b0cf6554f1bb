package command

import (
	"fmt"
	"io"

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
where anything is wrong.`,
		Example: `  paika verify
  paika verify fanorona --board dimy --checksums-only`,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := o.open(args)
			if err != nil {
				return err
			}
			if err := s.noPosition(); err != nil {
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
	o.Progress = func(done, total uint64) { bar.set("verifying", done, total) }
	v, err := s.instance.Verify(cmd.Context(), s.dir(), o)
	bar.close()
	if err != nil {
		return s.hint(err)
	}
	if err := s.print(cmd, v, func(w io.Writer) error { return printVerified(w, s.dir(), v) }); err != nil {
		return err
	}
	if !v.OK {
		return fmt.Errorf("%w: %s", errFailed, count(v.Found, "finding"))
	}
	return nil
}

func printVerified(w io.Writer, dir string, v catalogue.Verified) error {
	for _, finding := range v.Findings {
		fmt.Fprintln(w, finding)
	}
	verdict := "all is well"
	if !v.OK {
		verdict = count(v.Found, "finding")
	}
	_, err := fmt.Fprintf(w, "%s: %s, %s: %s, %s positions derived in %s\n",
		dir, count(uint64(v.Slices), "slice"), count(v.Chunks, "chunk"), verdict, thousands(v.Positions), seconds(v.Seconds))
	return err
}
