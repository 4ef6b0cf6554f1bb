package command

import (
	"encoding/json"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// printJSON writes one value on one line.
func printJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}

// shownText is a text as an object.
type shownText struct {
	Text string `json:"text"`
}

// printText prints a text as it is written, or, as JSON, once it is whole.
func (o *options) printText(cmd *cobra.Command, write func(w io.Writer) error) error {
	if !o.json {
		return printPlain(cmd.OutOrStdout(), write)
	}
	var text strings.Builder
	if err := write(&text); err != nil {
		return err
	}
	return o.print(cmd, shownText{text.String()}, nil)
}

// print writes a result as JSON where it was asked for, else for people.
func (o *options) print(cmd *cobra.Command, result any, tidy func(w io.Writer) error) error {
	if o.json {
		o.answered = true
		return printJSON(cmd.OutOrStdout(), result)
	}
	return printPlain(cmd.OutOrStdout(), tidy)
}
