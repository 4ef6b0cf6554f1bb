package command

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"paika/bitboard/catalogue"
	"paika/solver/proofnumber"
)

// errRefuted is the answer that a claim is false.
var errRefuted = errors.New("the claim is refuted")

func newProve(o *options) *cobra.Command {
	var limits catalogue.ProveOptions
	method, pieces := "", ""
	cmd := &cobra.Command{
		Use:   "prove [GAME] [POSITION]",
		Short: "Search for a proof of a claim",
		Long: `Prove searches for a proof that a side wins from a position (white-wins), that
it does not lose (white-not-lost), or that neither side loses (draw). Tables in
the folder are loaded into memory, and end the search where they know the value.

With --out the certificate of a claim that is proved is written, for paika check.
That of a draw is two files, FILE with the side's name added for each of them:
FILE.white and FILE.black.

The exit status is 0 if the claim is proved, 1 if it is refuted, and 3 if it is
undecided within --nodes, --time and --memory. The search's own table takes at
most 1 GiB unless --memory is given: give it for a proof of hours.`,
		Example: `  paika build --board telo --pieces 4 && paika prove --board telo --claim white-wins --out telo.proof
  paika prove --board 5x3 --claim black-not-lost --method pn2
  paika prove konane --board 4x4 --opening corner-h --claim white-wins --time 1m --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := o.open(args)
			if err != nil {
				return err
			}
			if limits.Method, err = proofnumber.ParseMethod(method); err != nil {
				return fmt.Errorf("--method: %w", err)
			}
			if limits.Pieces, err = parsePieces(pieces); err != nil {
				return err
			}
			limits.Workers, limits.Memory = o.workers, memoryBudget(o.memory)
			if o.memory == 0 {
				limits.Table = mostSearchMemory
			}
			return prove(cmd, s, limits)
		},
	}
	cmd.Flags().StringVar(&limits.Claim, "claim", "", "what to prove: `SIDE-wins`, SIDE-not-lost or draw")
	cmd.Flags().StringVar(&method, "method", proofnumber.DFPN.String(), "how to search: dfpn, pn2 or pn; the last two with one worker")
	cmd.Flags().Uint64Var(&limits.Nodes, "nodes", 0, "most nodes to search, for each side of a draw; 0 for no limit")
	cmd.Flags().DurationVar(&limits.Time, "time", 0, "longest time to search, such as 10m; 0 for no limit")
	cmd.Flags().StringVar(&limits.Out, "out", "", "`FILE` to write the certificate to")
	cmd.Flags().StringVar(&pieces, "pieces", allPieces, "use the tables of at most `N` pieces, or all that are stored")
	return cmd
}

func prove(cmd *cobra.Command, s session, o catalogue.ProveOptions) error {
	bar := s.startProgress(cmd.ErrOrStderr())
	o.Progress = func(nodes uint64) { bar.count("searching", "nodes", nodes) }
	proved, err := s.instance.Prove(cmd.Context(), s.dir(), s.position(), o)
	bar.close()
	if err != nil {
		return s.hint(err)
	}
	if err := s.print(cmd, proved, func(w io.Writer) error { return printProved(w, proved) }); err != nil {
		return err
	}
	switch proved.Result {
	case proofnumber.Proved.String():
		return nil
	case proofnumber.Refuted.String():
		return errRefuted
	}
	return catalogue.ErrUndecided
}

func printProved(w io.Writer, p catalogue.Proved) error {
	fmt.Fprintf(w, "%s\n%s: %s\n", p.Position, p.Claim, p.Result)
	for _, c := range p.Certificates {
		fmt.Fprintf(w, "%s: certificate of %s, %s, %s\n", c.File, c.Claim, count(c.Positions, "position"), formatBytes(uint64(c.Bytes)))
	}
	_, err := fmt.Fprintf(w, "%s in %s with tables of %s, %s nodes/s\n",
		count(p.Nodes, "node"), seconds(p.Seconds), count(uint64(p.Tables), "slice"), rate(p.Nodes, p.Seconds))
	return err
}
