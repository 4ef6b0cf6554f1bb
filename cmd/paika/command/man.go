package command

import (
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"paika/cmd/paika/manpage"
)

// newMan writes the manual pages. It is for scripts/release, not for users: they
// find them in what they download.
func newMan(o *options) *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write the manual pages",
		Long: `Man writes a manual page for the program and one for each command into a folder,
dated by the commit that the program was built from.`,
		Example: `  paika man man1`,
		Hidden:  true,
		Args:    wantsFolder(),
		RunE: func(cmd *cobra.Command, args []string) error {
			names, err := manpage.WriteAll(args[0], cmd.Root(), manpage.Edition{Version: moduleVersion(), Date: commitDate()})
			if err != nil {
				return err
			}
			return o.print(cmd, written{args[0], len(names)}, func(w io.Writer) error {
				_, err := fmt.Fprintln(w, strings.Join(names, "\n"))
				return err
			})
		},
	}
}

// commitDate is the day of the commit, or empty where the build does not know it.
func commitDate() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.time" {
			return s.Value[:min(len("2026-01-31"), len(s.Value))]
		}
	}
	return ""
}
