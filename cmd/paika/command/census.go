package command

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// printedValues is how many of the values of a board a person is shown, and
// printedForm how many bytes of each.
const (
	printedValues = 20
	printedForm   = 60
)

// printCensus counts the positions of the board by their canonical forms.
func printCensus(cmd *cobra.Command, s session, memory uint64) error {
	census, err := s.instance.Census(cmd.Context(), memory)
	if err != nil {
		return err
	}
	return s.print(cmd, census, func(w io.Writer) error {
		t := &table{left: 2}
		t.add("value", "winner", "mean", "temperature", "positions")
		for _, v := range census.Values[:min(printedValues, len(census.Values))] {
			form := v.CGT
			if len(form) > printedForm {
				form = form[:printedForm-3] + "..."
			}
			t.add(form, v.Winner, v.Mean, v.Temperature, thousands(v.Positions))
		}
		if err := t.print(w); err != nil {
			return err
		}
		_, err := fmt.Fprintf(w, "\n%s: %s have %s, counted in %s\n", census.Board,
			count(census.Positions, "position"), count(uint64(census.Distinct), "distinct value"), seconds(census.Seconds))
		return err
	})
}
