package command

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/manual"
	"paika/internal/lasting"
)

// written is what manual and man print.
type written struct {
	Folder string `json:"folder"`
	Files  int    `json:"files"`
}

// newManual writes the manual as HTML.
func newManual(o *options) *cobra.Command {
	return &cobra.Command{
		Use:   "manual DIR",
		Short: "Write the manual as HTML",
		Long: `Manual writes the pages that paika serve shows at /doc into a folder, for any web
server.`,
		Example: `  paika manual html`,
		Args:    wantsFolder(),
		RunE: func(cmd *cobra.Command, args []string) error {
			files, err := manual.Render(manual.Folder)
			if err != nil {
				return err
			}
			if err := lasting.MakeFolder(args[0], 0o777); err != nil {
				return err
			}
			for n, f := range files {
				if err := lasting.WriteFile(filepath.Join(args[0], f.Name), f.Body); err != nil {
					printSoFar(cmd.ErrOrStderr(), o.args, n, len(files), "file", "written to "+catalogue.ShownName(args[0]), "write all with", err)
					return err
				}
			}
			return o.print(cmd, written{args[0], len(files)}, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "%s: %s\n", catalogue.ShownName(args[0]), count(uint64(len(files)), "file"))
				return err
			})
		},
	}
}
