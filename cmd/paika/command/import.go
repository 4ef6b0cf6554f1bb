package command

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"paika/cmd/paika/catalogue"
	"paika/tablebase/flat"
)

func newImport(o *options) *cobra.Command {
	return &cobra.Command{
		Use:   "import [GAME] DIR",
		Short: "Take exported tables back",
		Long: `Import reads the flat files of the folder DIR, which paika export wrote, and stores
what they hold. Where there were no tables before, they are the same as those of a
build, byte for byte.

Nothing in a file is believed. Checksums, the fingerprint and the counts are found
anew, the header is held against the game, and a file that is torn, changed or
under the name of another slice is refused. Files whose names are not of the form
SLICE.METRIC.flat mean nothing. A slice that is stored already must be the same.
Whether the values follow from the rules is what paika verify tells.

After Ctrl-C or an error the slices that were stored stay, and the same command goes on.`,
		Example: `  paika import fanorona flat
  paika import konane --board 6x6 --db tables flat`,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, dir, err := o.openFolder(cmd.Name(), args)
			if err != nil {
				return err
			}
			return importFlat(cmd, s, dir, catalogue.ImportOptions{Workers: o.workers, Memory: memoryBudget(o.memory)})
		},
	}
}

// printSoFar says how many slices or files an import, an export or a manual came to before an
// error that may have left some, and what does the others. A fault is to be mended first.
func printSoFar(w io.Writer, args []string, done, all int, noun, where, how string, err error) {
	switch {
	case errors.Is(err, context.Canceled) && all > 0:
	case done == 0:
		return
	default:
		how = "once what is wrong is mended, " + how
	}
	fmt.Fprintf(w, "paika: %d of %s %s; %s: %s\n", done, count(uint64(all), noun), where, how, catalogue.CommandLine(args...))
}

func importFlat(cmd *cobra.Command, s session, from string, o catalogue.ImportOptions) error {
	bar := s.startProgress(cmd.ErrOrStderr())
	o.Progress = func(slice string, done, total uint64) { bar.set("importing "+slice, "index", done, total) }
	i, err := s.instance.Import(cmd.Context(), s.dir(), from, o)
	bar.close()
	if err != nil {
		printSoFar(cmd.ErrOrStderr(), s.args, len(i.Slices), i.Files, "slice", "stored in "+catalogue.ShownName(s.dir()), "go on with", err)
	}
	switch {
	case errors.As(err, new(*flat.FileError)), errors.Is(err, flat.ErrOtherValues):
		return err // a repair of the tables mends no file
	case err != nil:
		return s.hint(err)
	}
	return s.print(cmd, i, func(w io.Writer) error {
		if err := printFlat(w, i.Slices); err != nil {
			return err
		}
		_, err := fmt.Fprintf(w, "\n%s: %s, %s of them new\n", catalogue.ShownName(s.dir()), count(uint64(len(i.Slices)), "slice"), thousands(uint64(i.Stored)))
		return err
	})
}
