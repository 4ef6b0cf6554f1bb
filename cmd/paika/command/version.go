package command

import (
	"crypto/sha256"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"sync"

	"github.com/spf13/cobra"

	"paika/bitboard/record"
	"paika/cmd/paika/bench"
	"paika/proofs"
	"paika/proofs/complete"
	"paika/proofs/walk"
	"paika/solver/mobility"
	"paika/solver/proofnumber"
	"paika/tablebase"
	"paika/tablebase/flat"
	verification "paika/tablebase/verify"
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

// formats are those of files that are read and written, and of fingerprints.
type formats struct {
	Tables       int               `json:"tables"`
	Certificates int               `json:"certificates"`
	Flat         int               `json:"flat"`
	Fingerprints int               `json:"fingerprints"`
	Records      int               `json:"records"`  // of games
	Extracts     int               `json:"extracts"` // of certificates
	Walks        int               `json:"walks"`    // indexes of certificates
	Checkpoints  checkpointFormats `json:"checkpoints"`
}

// checkpointFormats are those of unfinished work, by the command that goes on with
// it: it refuses one that does not fit, and does not replace it.
type checkpointFormats struct {
	Build    int `json:"build"`
	Verify   int `json:"verify"`
	Prove    int `json:"prove"`
	Value    int `json:"value"`
	Complete int `json:"complete"`
}

// thisFormats asks each package for its own.
func thisFormats() formats {
	return formats{
		Tables: tablebase.FormatVersion, Certificates: proofs.FormatVersion, Flat: flat.FormatVersion,
		Fingerprints: tablebase.FingerprintVersion, Records: record.FormatVersion,
		Extracts: proofs.ExtractFormat, Walks: walk.FormatVersion,
		Checkpoints: checkpointFormats{
			Build: tablebase.CheckpointFormat, Verify: verification.RecordFormat,
			Prove: proofnumber.CheckpointFormat, Value: mobility.CheckpointFormat,
			Complete: complete.ChoicesFormat,
		},
	}
}

func newVersion(o *options) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Tell version, commit and the formats of files",
		Long: `Version tells what the program was built from and with, and the formats of the
files that it reads and writes, each counted for itself: a file of a format that it does
not read is refused, and said to be of one.

Tables, certificates and flat tables are made to be kept, and fingerprints to be
compared. Checkpoints are work that was stopped: one of another format is refused, too,
and no command replaces it.`,
		Example: `  paika version
  paika version --json`,
		Args: wantsNone(),
		RunE: func(cmd *cobra.Command, _ []string) error { return o.tellVersion(cmd) },
	}
}

// versionFlag gives a command a flag that tells what the command version does. Without it, it shows
// help.
func (o *options) versionFlag(root *cobra.Command) {
	asked := false
	root.Flags().BoolVarP(&asked, "version", "v", false, "tell version, commit and the formats of files")
	root.RunE = func(cmd *cobra.Command, _ []string) error {
		if asked {
			return o.tellVersion(cmd)
		}
		return cmd.Help()
	}
}

func (o *options) tellVersion(cmd *cobra.Command) error {
	p := bench.ThisProgram()
	info := programInfo{
		Version: moduleVersion(), Commit: p.Commit, Modified: p.Modified, Go: p.Go, GOAMD64: p.GOAMD64,
		Formats: thisFormats(),
	}
	return o.print(cmd, info, func(w io.Writer) error { return printVersion(w, info) })
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
	f := info.Formats
	_, err := fmt.Fprintf(w, `version       %s
commit        %s
built with    %s
tables        format %d
certificates  format %d
flat tables   format %d
fingerprints  version %d
game records  format %d
extracts      format %d
walk indexes  format %d
checkpoints   format %d of build, %d of verify, %d of prove, %d of value, %d of complete
`,
		info.Version, commit, compiler, f.Tables, f.Certificates, f.Flat, f.Fingerprints, f.Records, f.Extracts, f.Walks,
		f.Checkpoints.Build, f.Checkpoints.Verify, f.Checkpoints.Prove, f.Checkpoints.Value, f.Checkpoints.Complete)
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

// exactVersion is the version of this program and of no other: where no commit tells what
// it was built from, the SHA-256 of the program does, which is computed once.
var exactVersion = sync.OnceValues(func() (string, error) {
	if p := bench.ThisProgram(); p.Commit != "" && !p.Modified {
		return version(), nil
	}
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s program %x", version(), hash.Sum(nil)[:8]), nil
})

// ownVersion is exactVersion, for what only the program that wrote it goes on from: checkpoints of
// builds, records of verifications, indexes of proofs. Where that can't be told, no other run has it.
func ownVersion() string {
	if version, err := exactVersion(); err == nil {
		return version
	}
	return fmt.Sprintf("%s run %x", version(), rand.Uint64())
}

// moduleVersion is "(devel)" for what is built from a checkout without a tag.
func moduleVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "unknown"
}
