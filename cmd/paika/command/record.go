package command

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"paika/bitboard/record"
	"paika/bitboard/record/foreign"
	"paika/cmd/paika/catalogue"
)

func newRecord(o *options) *cobra.Command {
	var from, to string
	cmd := &cobra.Command{
		Use:   "record [GAME] FILE",
		Short: "Check a game record, and convert it",
		Long: `Record plays the record of a game by the rules, variations too, and prints it anew:
tags first, turns numbered, lines broken. Where something is wrong it says in which
line and column. It needs no tables. What the turns were worth annotate tells.

go doc paika/bitboard/record describes the format. What the record does not say,
GAME, --board and --rules may. FILE "-" is standard input.

With --from and --to the record is one of another program:

  abstractplay   Fanorona on 9x5, Konane: a game report, or its rounds alone.
                 Rounds are written.
  openspiel      Konane: the actions of a history, as numbers or strings, or an
                 observation string. Numbers are written, and the observation
                 of a position where there are no turns.
  ludii          Fanorona, Konane: a trial as Ludii saves it, read alone.

None has comments or variations, which --to leaves out. go doc
paika/bitboard/record/foreign says how boards and points correspond.`,
		Example: `  paika record game.txt
  paika record konane --from openspiel history.txt > game.txt
  paika record --to abstractplay game.txt
  paika record game.txt --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			game, file, err := recordArguments(cmd.Name(), args)
			if err != nil {
				return err
			}
			read, write, err := recordFormats(o, game, from, to)
			if err != nil {
				return err
			}
			r, err := readRecord(cmd, file, read)
			if err != nil {
				return err
			}
			instance, err := catalogue.OpenRecord(r, game, o.board, o.rules)
			if err != nil {
				return inPlace(file, err)
			}
			checked, err := instance.CheckRecord(cmd.Context(), r, write)
			if err != nil {
				return inPlace(file, err)
			}
			return o.print(cmd, checked, func(w io.Writer) error {
				_, err := io.WriteString(w, checked.Record)
				return err
			})
		},
	}
	cmd.Flags().StringVar(&from, "from", "", "read the `FORMAT` of another program: "+strings.Join(foreign.Names(), ", "))
	cmd.Flags().StringVar(&to, "to", "", "write the `FORMAT` of another program: "+strings.Join(foreign.Written(), ", "))
	return cmd
}

// recordFormats is what reads a record by the flags, and what it is written in: nil for
// the project's own format.
func recordFormats(o *options, game, from, to string) (read func(string) (*record.Record, error), write *foreign.Format, err error) {
	read = record.Parse
	if from != "" {
		f, err := foreign.ParseFormat(from)
		if err != nil {
			return nil, nil, misuse("from", "--from: %w", err)
		}
		read = func(text string) (*record.Record, error) { return catalogue.ReadForeign(f, text, game, o.board) }
	}
	if to != "" {
		f, err := foreign.ParseWritten(to)
		if err != nil {
			return nil, nil, misuse("to", "--to: %w", err)
		}
		write = &f
	}
	return read, write, nil
}
