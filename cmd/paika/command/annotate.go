package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"paika/bitboard"
	"paika/bitboard/record"
	"paika/cmd/paika/catalogue"
	pace "paika/internal/progress"
)

func newAnnotate(o *options) *cobra.Command {
	var write bool
	cmd := &cobra.Command{
		Use:   "annotate [GAME] FILE",
		Short: "Tell what each turn of a game gave away",
		Long: `Annotate reads the record of a game and tells of every turn, those of variations
among them, what it was worth to the side that made it, what it gave away (a win
for a draw, a win in 9 for a win in 21), and a turn that gives nothing away. The
rules must allow every turn. Where tables lack, it says so.

A record is text: tags for game, board, rules and the position that play begins
from, then the turns, with comments and variations:

  [Game "fanorona"]
  [Board "3x3"]

  1. a1-b2A {Takes c3.} (1. c1-b2A {Takes a3.} 2. a2-a3W) 2. b3-c3

go doc paika/bitboard/record describes it in full. What the record does not say,
GAME, --board and --rules may. FILE "-" is standard input.

With --record the answer is the record itself, with what the tables say at the
head of its comments, in the place of what an earlier annotate said there.`,
		Example: `  paika annotate game.txt
  paika annotate konane --board 6x6 game.txt --json
  paika annotate --record - < game.txt > annotated.txt`,
		RunE: func(cmd *cobra.Command, args []string) error {
			game, file, err := recordArguments(cmd.Name(), args)
			if err != nil {
				return err
			}
			r, err := readRecord(cmd, file, record.Parse)
			if err != nil {
				return err
			}
			instance, err := catalogue.OpenRecord(r, game, o.board, o.rules)
			if err != nil {
				return inPlace(file, err)
			}
			return onTables(o.on(instance), func(s session, tables catalogue.Tables) error {
				annotated, err := tables.Annotate(cmd.Context(), r)
				switch {
				case errors.As(err, new(*record.Error)): // which no other board helps
					return inRecord(file, err)
				case err != nil:
					return s.hint(err)
				}
				if write && annotated.Record == nil {
					return fmt.Errorf("%w: with what the tables say in its comments it has more than %d bytes; annotate without --record tells it as well",
						inRecord(file, record.ErrTooLarge), record.MostBytes)
				}
				if err := tables.Absent(); err != nil {
					notices(cmd)(s.hint(err).Error())
				}
				return s.print(cmd, annotated, func(w io.Writer) error {
					if write {
						_, err := io.WriteString(w, *annotated.Record)
						return err
					}
					return printAnnotated(w, annotated)
				})
			})
		},
	}
	cmd.Flags().BoolVar(&write, "record", false, "print the record with what the tables say in its comments")
	return cmd
}

// recordArguments are the game, empty where none is named, and the file, of a command
// that goes over a record.
func recordArguments(command string, args []string) (game, file string, err error) {
	switch {
	case len(args) == 1:
		if _, found := catalogue.Find(args[0]); found {
			return "", "", misuse("file", `%s %s: want the file of a record, or "-" for standard input`, command, args[0])
		}
		return "", args[0], nil
	case len(args) != 2:
		return "", "", misuse("file", `%s: want the file of one record, or "-" for standard input`, command)
	}
	if _, found := catalogue.Find(args[0]); !found {
		return "", "", misuse("game", "unknown game %s: want %s", bitboard.Quote(args[0]), strings.Join(catalogue.Names(), ", "))
	}
	return args[0], args[1], nil
}

// readRecord reads a record from a file, or from standard input, by what takes its text
// apart. It returns when the command's context is done, even while a pipe is waited for.
func readRecord(cmd *cobra.Command, file string, parse func(text string) (*record.Record, error)) (*record.Record, error) {
	if err := checkNames(cmd, `the file of a record, or "-" for standard input`, file); err != nil {
		return nil, err
	}
	text, err := pace.Await(cmd.Context(), func() ([]byte, error) { return recordText(cmd.InOrStdin(), file) })
	if err != nil {
		return nil, err
	}
	r, err := parse(string(text))
	if err != nil {
		return nil, inRecord(file, err)
	}
	return r, nil
}

// inRecord names the file of a record in which something is wrong.
func inRecord(file string, err error) error {
	if file == fromInput {
		file = "standard input"
	}
	return fmt.Errorf("%s: %w", file, err)
}

// inPlace is inRecord for an error about a place in the record. Others stay as they are.
func inPlace(file string, err error) error {
	if errors.As(err, new(*record.Error)) {
		return inRecord(file, err)
	}
	return err
}

// recordText reads what a file has, or in where it is fromInput. Of what is too large for a
// record it reads no more than shows that it is.
func recordText(in io.Reader, file string) ([]byte, error) {
	if file != fromInput {
		opened, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		defer opened.Close()
		in = opened
	}
	return io.ReadAll(io.LimitReader(in, record.MostBytes+1))
}

func printAnnotated(w io.Writer, a catalogue.Annotated) error {
	rules := ""
	if a.Rules != "" {
		rules = ", rules " + a.Rules
	}
	if _, err := fmt.Fprintf(w, "%s on %s%s, from %s\n\n", a.Game, a.Board, rules, a.Position); err != nil {
		return err
	}
	t := &table{left: 5}
	t.add("turn", "by", "worth", "gave away", "best")
	var missing []string
	addTurns(t, a.Turns, "", &missing)
	if err := t.print(w); err != nil {
		return err
	}
	for _, why := range missing {
		if _, err := fmt.Fprintf(w, "?: %s\n", why); err != nil {
			return err
		}
	}
	return nil
}

// mostReasons bounds how many reasons are told why turns have no value.
const mostReasons = 8

// addTurns adds a line of turns, and variations behind the turns that they replace,
// further in. It gathers why some have no value.
func addTurns(t *table, turns []catalogue.AnnotatedTurn, indent string, missing *[]string) {
	for _, turn := range turns {
		t.add(indent+turn.Numbered(), turn.By, worthOf(turn), gift(turn), better(turn))
		if turn.Missing != "" && len(*missing) < mostReasons && !slices.Contains(*missing, turn.Missing) {
			*missing = append(*missing, turn.Missing)
		}
		for _, other := range turn.Variations {
			addTurns(t, other, indent+"  ", missing)
		}
	}
}

func worthOf(turn catalogue.AnnotatedTurn) string {
	if worth := turn.Worth(); worth != nil {
		return worth.String()
	}
	return "?"
}

// gift says what a turn gave away.
func gift(turn catalogue.AnnotatedTurn) string {
	switch {
	case turn.GaveAway == nil:
		return "?"
	case turn.Gave():
		return fmt.Sprintf("%v to %v", turn.Before, turn.Worth())
	}
	return *turn.GaveAway
}

// better is the best turn where that is another one.
func better(turn catalogue.AnnotatedTurn) string {
	if turn.Best == nil || !turn.Gave() {
		return ""
	}
	return *turn.Best
}
