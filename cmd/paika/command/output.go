package command

import (
	"encoding/json"
	"io"

	"github.com/spf13/cobra"
)

// printJSON writes one value on one line.
func printJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}

// print writes a result as JSON where it was asked for, else for people.
func (o *options) print(cmd *cobra.Command, result any, tidy func(w io.Writer) error) error {
	if o.json {
		o.answered = true
		return printJSON(cmd.OutOrStdout(), result)
	}
	return tidy(cmd.OutOrStdout())
}
