package command

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"paika/bitboard"
	"paika/internal/usage"
)

// table is text in columns: the first few aligned left, the others right.
type table struct {
	left int // columns aligned left
	rows [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

func (t *table) print(w io.Writer) error {
	var widths []int
	for _, row := range t.rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var text strings.Builder
	for _, row := range t.rows {
		var line strings.Builder
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i > 0 {
				line.WriteString("  ")
			}
			if i < t.left {
				line.WriteString(cell + pad)
			} else {
				line.WriteString(pad + cell)
			}
		}
		text.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// thousands writes a number with its digits in groups of three.
func thousands(n uint64) string { return usage.Thousands(n) }

// seconds writes a duration in seconds for people.
func seconds(s float64) string { return fmt.Sprintf("%.2f s", s) }

// inAll writes seconds, and which of them runs before took that were stopped.
func inAll(all, before float64) string {
	if before == 0 {
		return seconds(all)
	}
	return fmt.Sprintf("%s, %s of them before it was stopped", seconds(all), seconds(before))
}

// orDash writes a distance; none is a dash.
func orDash(distance *int) string {
	if distance == nil {
		return "-"
	}
	return strconv.Itoa(*distance)
}

// rate is a number of things per second.
func rate(n uint64, seconds float64) string {
	if seconds <= 0 {
		return "-"
	}
	return thousands(uint64(float64(n) / seconds))
}

// count is bitboard.Count for people: with its digits in groups of three.
func count(n uint64, thing string) string {
	return thousands(n) + " " + bitboard.Plural(n == 1, thing)
}
