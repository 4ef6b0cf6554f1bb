package command

import (
	"fmt"
	"io"
	"runtime/debug"

	"github.com/spf13/cobra"

	"paika/cmd/paika/bench"
	"paika/proofs"
	"paika/tablebase"
	"paika/tablebase/flat"
)

// programInfo is what paika version prints.
type programInfo struct {
	Version  string  `json:"version"`
	Commit   string  `json:"commit"`   // empty where the build does not know it
	Modified bool    `json:"modified"` // since that commit
	Go       string  `json:"go"`
	GOAMD64  string  `json:"goamd64,omitempty"`
	Formats  formats `json:"formats"`
}

// formats are those of files that are read and written.
type formats struct {
	Tables       int `json:"tables"`
	Certificates int `json:"certificates"`
	Flat         int `json:"flat"`
}

func newVersion(o *options) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Tell version, commit and the formats of files",
		Long: `Version tells what the program was built from and with, and the formats of the
tables, certificates and flat tables that it reads and writes.`,
		Example: `  paika version
  paika version --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p := bench.ThisProgram()
			info := programInfo{
				Version: moduleVersion(), Commit: p.Commit, Modified: p.Modified, Go: p.Go, GOAMD64: p.GOAMD64,
				Formats: formats{tablebase.FormatVersion, proofs.FormatVersion, flat.FormatVersion},
			}
			return o.print(cmd, info, func(w io.Writer) error { return printVersion(w, info) })
		},
	}
}

func printVersion(w io.Writer, info programInfo) error {
	commit := info.Commit
	switch {
	case commit == "":
		commit = "unknown"
	case info.Modified:
		commit += ", modified since"
	}
	compiler := info.Go
	if info.GOAMD64 != "" {
		compiler += ", GOAMD64=" + info.GOAMD64
	}
	_, err := fmt.Fprintf(w, "version       %s\ncommit        %s\nbuilt with    %s\ntables        format %d\ncertificates  format %d\nflat tables   format %d\n",
		info.Version, commit, compiler, info.Formats.Tables, info.Formats.Certificates, info.Formats.Flat)
	return err
}

// version is the module's version, with the commit where the build knows it.
func version() string {
	version := moduleVersion()
	if commit := bench.ThisProgram().Commit; commit != "" {
		version += " " + commit
	}
	return version
}

// moduleVersion is "(devel)" for what is built from a checkout without a tag.
func moduleVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "unknown"
}
