package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"time"

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
it does not lose (white-not-lost), or that neither side loses (draw). Where an
opening of Konane is still to be played the sides are first and second. Tables in
the folder are loaded into memory, and end the search where they know the value.

With --out the certificate of a claim that is proved is written, for paika check.
That of a draw is two files, FILE with the side's name added for each of them:
FILE.white and FILE.black. With --part the search ends, and so does the new
certificate, where another one proves the same claim: so a proof can be made in
parts, by opening turns for example. Parts are checked before the search, as paika
check does, with their own parts if those are given, too.

The exit status is 0 if the claim is proved, 1 if it is refuted, and 3 if it is
undecided within --nodes, --time and --memory. The search's own table takes at
most 1 GiB unless --memory is given: give it for a proof of hours.

Ctrl-C stops it; the same command goes on where it was, and so it does after a
crash, from what is saved every few minutes, or after it has met its limits. What
is saved lies beside the tables, in a folder with .search added to its name, and
is gone once the claim is decided.`,
		Example: `  paika build --board telo --pieces 4 && paika prove --board telo --claim white-wins --out telo.proof
  paika prove --board 5x3 --claim black-not-lost --method pn2
  paika prove konane --board 4x4 --opening corner-h --claim white-wins --time 1m --json
  paika prove konane --board 5x5 --claim first-wins --out 5x5.proof`,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := o.open(args)
			if err != nil {
				return err
			}
			if limits.Method, err = proofnumber.ParseMethod(method); err != nil {
				return misuse("method", "--method: %w", err)
			}
			if limits.Pieces, err = parsePieces(pieces); err != nil {
				return err
			}
			limits.Workers, limits.Memory = o.workers, memoryBudget(o.memory)
			if o.memory == 0 {
				limits.Table = mostSearchMemory
			}
			limits.Checkpoints = filepath.Clean(s.dir()) + searchSuffix
			return prove(cmd, s, limits)
		},
	}
	cmd.Flags().StringVar(&limits.Claim, "claim", "", "what to prove: `SIDE-wins`, SIDE-not-lost or draw")
	cmd.Flags().StringVar(&method, "method", proofnumber.DFPN.String(), "how to search: dfpn, pn2 or pn; the last two with one worker")
	cmd.Flags().Uint64Var(&limits.Nodes, "nodes", 0, "most nodes to search, for each side of a draw; 0 for no limit")
	cmd.Flags().DurationVar(&limits.Time, "time", 0, "longest time to search, such as 10m; 0 for no limit")
	cmd.Flags().StringVar(&limits.Out, "out", "", "`FILE` to write the certificate to")
	cmd.Flags().StringArrayVar(&limits.Parts, "part", nil, "`FILE` of a certificate of the same claim about a position further on, to rely on; can be given again")
	cmd.Flags().DurationVar(&limits.SaveEvery, "save-every", 5*time.Minute, "time between two checkpoints; 0 for none but at the end")
	cmd.Flags().StringVar(&pieces, "pieces", allPieces, "use the tables of at most `N` pieces, or all that are stored")
	return cmd
}

// searchSuffix makes the folder of checkpoints from that of the tables.
const searchSuffix = ".search"

func prove(cmd *cobra.Command, s session, o catalogue.ProveOptions) error {
	before := s.startProgress(cmd.ErrOrStderr())
	bar := s.startProgress(cmd.ErrOrStderr())
	prepared := sync.OnceFunc(before.close)
	o.Preparing = func(w catalogue.Work) { before.set(w.Doing, w.Unit, w.Done, w.Total) }
	o.Progress = func(p catalogue.Progress) {
		prepared()
		bar.count(describe(p), "nodes", p.Nodes)
	}
	proved, err := s.instance.Prove(cmd.Context(), s.dir(), s.position(), o)
	prepared()
	bar.close()
	if errors.Is(err, context.Canceled) {
		if err := printUnproved(cmd.ErrOrStderr(), s, proved); err != nil {
			return err
		}
	}
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
	printGoOn(cmd.ErrOrStderr(), s, proved)
	return catalogue.ErrUndecided
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
	return fmt.Sprintf("%s: %d turns proved, %d refuted, %d open", p.Claim, proved, refuted, len(p.Openings)-proved-refuted)
}

// printUnproved says how far a search came that was stopped, and how to go on.
func printUnproved(w io.Writer, s session, p catalogue.Proved) error {
	if err := printOpenings(w, p); err != nil {
		return err
	}
	printGoOn(w, s, p)
	return nil
}

func printGoOn(w io.Writer, s session, p catalogue.Proved) {
	if p.Checkpoint != "" {
		fmt.Fprintf(w, "paika: %s saved in %s; go on with: %s\n", count(p.Nodes, "node"), p.Checkpoint, commandLine(s.args...))
	}
}

// printOpenings shows what is known of claims that are undecided, turn by turn.
func printOpenings(w io.Writer, p catalogue.Proved) error {
	for _, c := range p.Claims {
		if c.Result != proofnumber.Undecided.String() {
			continue
		}
		t := table{left: 2}
		t.add(c.Claim, "", "to prove", "to refute", "nodes", "share")
		for _, o := range c.Openings {
			proof, disproof := "-", "-"
			if o.Result == proofnumber.Undecided.String() {
				proof, disproof = thousands(uint64(o.Proof)), thousands(uint64(o.Disproof))
			}
			t.add(o.Turn, o.Result, proof, disproof, thousands(o.Nodes), fmt.Sprintf("%.1f %%", 100*o.Share))
		}
		if err := t.print(w); err != nil {
			return err
		}
	}
	return nil
}

func printProved(w io.Writer, p catalogue.Proved) error {
	fmt.Fprintf(w, "%s\n%s: %s\n", p.Position, p.Claim, p.Result)
	if err := printOpenings(w, p); err != nil {
		return err
	}
	for _, c := range p.Parts {
		fmt.Fprintf(w, "%s: part, checked, %s\n", c.File, count(c.Positions, "position"))
	}
	for _, c := range p.Certificates {
		fmt.Fprintf(w, "%s: certificate of %s, %s, %s\n", c.File, c.Claim, count(c.Positions, "position"), formatBytes(uint64(c.Bytes)))
	}
	_, err := fmt.Fprintf(w, "%s in %s with tables of %s, %s nodes/s\n",
		count(p.Nodes, "node"), seconds(p.Seconds), count(uint64(p.Tables), "slice"), rate(p.Nodes, p.Seconds))
	return err
}
