package command

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"paika/cmd/paika/catalogue"
)

// shownLine bounds, in turns, what people are shown of a line that may go on for
// ever; with --json they have it all.
const shownLine = 24

func newQuery(o *options) *cobra.Command {
	var certificates []string
	cmd := &cobra.Command{
		Use:   "query [GAME] POSITION",
		Short: "Look a position up in the tables",
		Long: `Query tells a position's value for the side to move, the value of every turn for
the side that makes it, best first, and the best line.

Tables with the metric dtw give distances to the end of the game in turns too,
and the line is then best play to the end. Without distances, and in draws, the
line keeps the value, repeats no position and may stop anywhere; the JSON key
line_complete tells whether it reaches the end. A win with this turn has its
distance by the rules, whatever the metric. In JSON a distance that is not known, and
that of a draw, is null.

With --proof it looks in certificates too: whether the position is proved, which
turn keeps what is proved, and where each turn leads: to the certificate, into the
tables on which it rests, to the end of the game, or out of it. A position that no
table has is answered then as well. The mirror image of a position counts as another
one: it is not looked for. A certificate about Konane's first or second
player takes the player to move from the stones while the opening is played, and from
then on from the position: "ox/.. b first". A certificate is checked before anything is said
to be proved, and indexed in the folder paika/proofs of the user's caches, so that
the next call answers at once. The exit status is 4 if a certificate is not valid.

Positions from standard input, "-", each have their answer on a line of their own. Then the
exit status is that of what was wrong if a line has no answer, else 0.`,
		Example: `  paika query "......B../B......../........./......W../.W....... w"
  paika query --board 5x5 ".B.../...../..W../...../W.... b" --json
  paika query --proof 9x5.proof start
  paika query fanorona - < positions.txt > answers.jsonl`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(certificates) > 0 {
				return queryProof(cmd, o, args, certificates)
			}
			return withTables(o, args, func(s session, tables catalogue.Tables) error {
				if len(s.rest) == 0 {
					return misuse("position", "query: want a position, %q, or %q for standard input", catalogue.Start, fromInput)
				}
				return answer(cmd, s, fromTables, together(tables.Query), func(w io.Writer, q catalogue.Query) error {
					best := ""
					if len(q.Line) > 0 {
						best = q.Line[0]
					}
					if err := s.draw(w, q.Position, best); err != nil {
						return err
					}
					return printQuery(w, q)
				})
			})
		},
	}
	proofFlag(cmd, &certificates)
	return cmd
}

func printQuery(w io.Writer, q catalogue.Query) error {
	fmt.Fprintln(w, q.Position)
	if q.Over {
		_, err := fmt.Fprintf(w, "the game is over: %s for the side to move\n", q.Value)
		return err
	}
	fmt.Fprintf(w, "%s for the side to move%s (slice %s, %s)\n\n", q.Value, inTurns(q.Distance), q.Slice, q.Metric)
	if err := turnTable(q.Turns).print(w); err != nil {
		return err
	}
	title := "a line that keeps the value"
	switch {
	case q.Distance != nil:
		title = "best line"
	case q.LineComplete:
		title += ", to the end of the game"
	}
	line := q.Line
	if q.Distance == nil && len(line) > shownLine {
		line = append(line[:shownLine:shownLine], "...")
	}
	_, err := fmt.Fprintf(w, "\n%s:\n%s\n", title, wrap(line, 78))
	return err
}

func inTurns(distance *int) string {
	if distance == nil {
		return ""
	}
	return " in " + count(uint64(*distance), "turn")
}

// wrap puts words into lines of at most width bytes where they fit.
func wrap(words []string, width int) string {
	var text strings.Builder
	column := 0
	for _, word := range words {
		if column > 0 && column+1+len(word) > width {
			text.WriteByte('\n')
			column = 0
		}
		if column > 0 {
			text.WriteByte(' ')
			column++
		}
		text.WriteString(word)
		column += len(word)
	}
	return text.String()
}
