package command

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"paika/bitboard"
	"paika/bitboard/catalogue"
)

func newValue(o *options) *cobra.Command {
	var limits catalogue.ValueOptions
	cmd := &cobra.Command{
		Use:   "value [GAME] [POSITION]",
		Short: "Tell who wins",
		Long: `Value tells the game-theoretic value of a position: the side that wins with best
play, or a draw. Tables that hold the position answer at once. Where none do,
Konane on boards of at most 64 points is searched; its winner is the first or the
second player while the opening is still to be played. The search ends where
tables are stored, and with --checkpoint its own table is kept in a file, every
ten minutes and when Ctrl-C or --nodes end it: the same command goes on there.

With --cgt it tells the canonical form as well, Black as Left: integers and
dyadics such as -3/4, nimbers *2, ups ^2 and downs v, a number plus an
infinitesimal 2^*, everything else {L|R}.`,
		Example: `  paika build --board telo --pieces all && paika value --board telo
  paika value --board 5x5 ".B.../...../..W../...../W.... b"
  paika value konane --board 6x6 --opening middle-h
  paika value konane --board 7x7 --opening middle-h --checkpoint 7x7.search
  paika value konane --board 8x1 --opening corner-h --cgt`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return withTables(o, args, func(s session, tables catalogue.Tables) error {
				limits.Workers, limits.Memory = o.workers, searchMemory(o.memory)
				bar := s.startProgress(cmd.ErrOrStderr())
				defer bar.close()
				searched := uint64(0)
				limits.Progress = func(nodes uint64) {
					searched = nodes
					bar.count("searching", "nodes", nodes)
				}
				err := answer(cmd, s, func(ctx context.Context, positions []string) ([]catalogue.Answer[catalogue.Value], error) {
					return tables.Value(ctx, positions, limits)
				}, printValue)
				stopped := errors.Is(err, context.Canceled)
				if limits.Checkpoint != "" && (stopped || errors.Is(err, catalogue.ErrUndecided)) {
					saved := "saved"
					if stopped { // the other error tells the nodes
						saved = count(searched, "node") + " saved"
					}
					fmt.Fprintf(cmd.ErrOrStderr(), "paika: %s in %s; go on with: %s\n", saved, limits.Checkpoint, commandLine(s.args...))
				}
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&limits.CGT, "cgt", false, "tell the canonical form, for konane")
	cmd.Flags().Uint64Var(&limits.Nodes, "nodes", 0, "most positions to search; 0 for no limit")
	cmd.Flags().StringVar(&limits.Checkpoint, "checkpoint", "", "`FILE` to keep a search in, and to go on from")
	return cmd
}

func printValue(w io.Writer, v catalogue.Value) error {
	verdict := v.Winner
	if v.Winner != bitboard.Draw.String() {
		verdict += " wins"
	}
	if v.By == catalogue.ByTables {
		verdict += inTurns(v.Distance)
	}
	by := v.By
	if v.By == catalogue.BySearch {
		by = fmt.Sprintf("search, %s in %.2f s", count(v.Nodes, "node"), v.Seconds)
	}
	if v.CGT != "" {
		verdict += ", value " + v.CGT
	}
	_, err := fmt.Fprintf(w, "%s\n%s (by %s)\n", v.Position, verdict, by)
	return err
}
