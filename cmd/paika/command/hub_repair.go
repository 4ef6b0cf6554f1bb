package command

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/hub"
)

// repairLedger counts again what the files of a hub show.
func repairLedger(cmd *cobra.Command, o *options, of hub.Options) error {
	repaired, err := hub.Repair(cmd.Context(), of)
	if err != nil {
		return err
	}
	err = o.print(cmd, repaired, func(w io.Writer) error { return printLedger(w, of.Dir, repaired) })
	if err == nil && len(repaired.Findings) > 0 {
		err = fmt.Errorf("%w: %s", errFailed, count(uint64(len(repaired.Findings)), "finding"))
	}
	return err
}

func printLedger(w io.Writer, dir string, r hub.Repaired) error {
	for _, finding := range r.Findings {
		fmt.Fprintln(w, finding)
	}
	_, err := fmt.Fprintf(w, "%s: %s, %s not whole; counted again: %s, %s\n", catalogue.ShownName(dir),
		count(uint64(r.Lines), "line"), thousands(uint64(r.Torn)), count(uint64(r.Parts), "part"), count(uint64(r.Answers), "answer"))
	return err
}
