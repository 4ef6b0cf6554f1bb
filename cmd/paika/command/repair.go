package command

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"paika/cmd/paika/catalogue"
	"paika/tablebase"
)

func newRepair(o *options) *cobra.Command {
	dryRun := false
	cmd := &cobra.Command{
		Use:   "repair [GAME]",
		Short: "Repair damaged tables",
		Long: `Repair says what is wrong with tables. It keeps every slice whose chunks are all
there and as they were saved, and builds the others anew.

Where files are damaged it makes new tables in a folder beside, whose name ends
in .repair, and puts them in the place of the damaged ones when they are complete
and on disk. The damaged ones are never changed: they are kept in a folder whose
name ends in .damaged, or .damaged-2 and so on where that is taken. Until then both
take space. Ctrl-C stops it; the same
command goes on where it was. Where somebody else's files or tables lie in the folder
beside, or a link has its name, it says so, and changes nothing.

Tables that are whole and were only not closed, because a build was killed, are
put in order where they are; a slice that it was replacing is built anew. With
--dry-run nothing is changed, and others may read the tables meanwhile, such as
paika serve.

Slices are kept by their checksums. Paika verify derives their values as well.`,
		Example: `  paika repair --dry-run
  paika repair fanorona --board dimy`,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := o.openBoard(args)
			if err != nil {
				return err
			}
			return repair(cmd, s, catalogue.RepairOptions{DryRun: dryRun, Workers: o.workers, Memory: memoryBudget(o.memory), Version: ownVersion(), Notice: notices(cmd)})
		},
	}
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "tell what is wrong, and change nothing")
	return cmd
}

func repair(cmd *cobra.Command, s session, o catalogue.RepairOptions) error {
	bar := s.startProgress(cmd.ErrOrStderr())
	o.Progress = bar.set
	r, err := s.instance.Repair(cmd.Context(), s.dir(), o)
	bar.close()
	if errors.Is(err, context.Canceled) {
		so := "nothing was changed in " + catalogue.ShownName(s.dir())
		if r.Changed {
			so = fmt.Sprintf("what was done in %s is kept", catalogue.ShownName(s.dir()))
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "paika: %s; go on with: %s\n", so, catalogue.CommandLine(s.args...))
	}
	if errors.Is(err, tablebase.ErrNoStore) || errors.Is(err, tablebase.ErrNotReplaced) { // the latter of a dry run, which finishes nothing
		err = s.hint(err)
	}
	if err != nil {
		for _, finding := range r.Findings {
			fmt.Fprintf(cmd.ErrOrStderr(), "paika: %s\n", finding)
		}
		return err
	}
	if err := s.print(cmd, r, func(w io.Writer) error { return printRepaired(w, s.dir(), o.DryRun, r) }); err != nil {
		return err
	}
	if !r.OK {
		return fmt.Errorf("%w: %s", errFailed, count(uint64(len(r.Findings)), "finding"))
	}
	return nil
}

func printRepaired(w io.Writer, dir string, dryRun bool, r catalogue.Repaired) error {
	dir = catalogue.ShownName(dir)
	for _, finding := range r.Findings {
		fmt.Fprintln(w, finding)
	}
	kept, rebuilt := count(uint64(len(r.Kept)), "slice"), count(uint64(len(r.Rebuilt)), "slice")
	switch {
	case len(r.Findings) == 0:
		fmt.Fprintf(w, "%s: %s, nothing is wrong\n", dir, kept)
	case dryRun:
		fmt.Fprintf(w, "%s: %s whole, %s to be built anew\n", dir, kept, rebuilt)
	default:
		fmt.Fprintf(w, "%s: repaired: %s kept, %s built anew\n", dir, kept, rebuilt)
	}
	if r.Aside == "" {
		return nil
	}
	_, err := fmt.Fprintf(w, "the damaged tables are in %s\n", catalogue.ShownName(r.Aside))
	return err
}
