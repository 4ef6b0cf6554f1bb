package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"

	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/prover"
	"paika/internal/lasting"
)

func newComplete(o *options) *cobra.Command {
	out, every := "", time.Duration(0)
	cmd := &cobra.Command{
		Use:   "complete FILE --out FILE",
		Short: "Make a certificate rest on the rules alone",
		Long: `Complete reads a certificate that ends in endgame tables, goes on from there to the
end of the game, and writes one that needs no tables: its header lists none, and
anyone who has the rules can check it. The game, the board and the rules are those of
the certificate. A FILE to read can be a pipe, and "-" is standard input.

The tables only tell where to look. What is written is checked with the rules alone
before it gets its name, so that neither a wrong table nor a wrong certificate to begin
with can make a false one. Of a certificate that a side wins the tables must have
distances: build them with --metric dtw. Parts can't be completed.

The positions are held in memory, 21 to 26 bytes each for Fanorona, beside the tables of
one group of slices and of what follows from it. What was chosen is saved beside the
tables when it is stopped, and every --save-every, and the same command goes on from
there. The file comes out the same. It is one file, whatever its size: a check of it
takes at most 31 bytes a position for Fanorona, or goes over it several times within
--memory.

The exit status is 1 if what the certificate says, or a table, turns out wrong, 3 if
--memory is too little, and 4 if tables are missing or the file is no whole certificate.`,
		Example: `  paika build --board telo --pieces 4 --metric dtw
  paika prove --board telo --pieces 4 --claim white-wins --out telo.proof
  paika complete telo.proof --out telo.whole && paika check telo.whole --db nowhere`,
		Args: wants(1, 1, "file", aCertificate),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cmp.Or(o.noSetting(), checkNames(cmd, aCertificate, args...)); err != nil {
				return err
			}
			if err := cmp.Or(fileToWrite(cmd, out, args[0]), fileToReadAgain(out)); err != nil {
				return err
			}
			file, err := catalogue.OpenCertificate(cmd.Context(), args[0], cmd.InOrStdin())
			if errors.Is(err, fs.ErrNotExist) {
				return halfHint(args[0], err)
			} else if err != nil {
				return err
			}
			defer file.Close()
			return completeFile(cmd, o, file, catalogue.CompleteOptions{Out: out, SaveEvery: every})
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "`FILE` to write")
	cmd.Flags().DurationVar(&every, "save-every", saveEvery, "`TIME` between two checkpoints; 0 for none but at the end")
	return cmd
}

// halfHint says, of a file that is not there, if a half of a draw of that name is.
func halfHint(path string, err error) error {
	if half, _, there := catalogue.FirstHalf(path); there {
		return fmt.Errorf("%w: it is a draw, whose halves are completed one by one: %s is one", err, half)
	}
	return err
}

func completeFile(cmd *cobra.Command, o *options, file *catalogue.CertificateFile, limits catalogue.CompleteOptions) error {
	s := o.on(file.Instance)
	bar := s.startProgress(cmd.ErrOrStderr())
	limits.Workers, limits.Memory, limits.Notice = o.workers, memoryBudget(o.memory), notices(cmd)
	limits.Checkpoints = s.beside(searchSuffix)
	limits.Progress = func(w prover.Work) { bar.set(w.Doing, w.Unit, w.Done, w.Total) }
	made, err := s.instance.Complete(cmd.Context(), s.dir(), file, limits)
	bar.close()
	if err != nil {
		var stopped *prover.StoppedError
		if errors.As(err, &stopped) {
			printSaved(cmd.ErrOrStderr(), s, stopped.Positions, "position", catalogue.ShownName(stopped.Checkpoint), err)
		}
		return s.completeHint(err)
	}
	return s.print(cmd, made, func(w io.Writer) error { return printCompleted(w, made) })
}

// completeHint adds to an error what would help to complete a certificate, and marks one
// that is an answer.
func (s session) completeHint(err error) error {
	var (
		lacking     *prover.LackingError
		uncompleted *catalogue.UncompletedError
	)
	switch {
	case errors.As(err, &lacking):
		s.metric = lacking.Metric.String()
		return s.buildHint(fmt.Errorf("%w in %s", err, s.dir()), lacking.Slices...)
	case errors.As(err, &uncompleted):
		return fmt.Errorf("%w; find it with: %s", err, catalogue.CommandLine(s.tablesCommand("verify")...))
	case prover.Unfounded(err):
		return fmt.Errorf("%w: %w", errFailed, err)
	case errors.Is(err, context.Canceled):
		return err
	}
	return s.hint(err)
}

func printCompleted(w io.Writer, c catalogue.Completed) error {
	_, err := fmt.Fprintf(w, "%s: %s on %s%s, from %s\n%s: valid by the rules alone; %s (%s of %s, %s added), %s, in %s\n",
		catalogue.ShownName(c.File), c.Game, c.Board, withRules(c.Rules), c.Root, c.Claim, count(c.Positions, "position"), thousands(c.Kept), catalogue.ShownName(c.Given), thousands(c.Added),
		formatBytes(uint64(c.Bytes)), inAll(c.Seconds, c.Before))
	return err
}

// fileToWrite refuses what --out can't be: missing, standard output, or a file that is read.
func fileToWrite(cmd *cobra.Command, out string, read ...string) error {
	switch out {
	case "":
		return misuse("out", "--out is missing: want the file to write")
	case "-":
		return misuse("out", "--out -: want a file, for what is written has to be read again")
	}
	if err := lasting.NoInput(out, read...); err != nil {
		return misuse("out", "--out: %w", err)
	}
	if err := notStandardOutput(cmd, out); err != nil {
		return misuse("out", "--out: %w", err)
	}
	return nil
}

// notStandardOutput refuses the file, pipe or device that standard output is, by whatever name: the
// answer goes there. Nobody reads the null device.
func notStandardOutput(cmd *cobra.Command, out string) error {
	standard := layer[*os.File](cmd.OutOrStdout())
	if standard == nil {
		return nil
	}
	answer, err := standard.Stat()
	if err != nil {
		return nil // who writes there is told
	}
	null, _ := os.Stat(os.DevNull)
	if file, err := os.Stat(out); err == nil && os.SameFile(file, answer) && !os.SameFile(file, null) {
		return fmt.Errorf("%s: it is standard output, where the answer goes: want another file", out)
	}
	return nil
}

// fileToReadAgain refuses what can't be read once it is written: a pipe or a device.
func fileToReadAgain(files ...string) error {
	for _, file := range files {
		if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
			return misuse("out", "--out %s: it is a pipe or a device: %w, for what is written is read again", file, lasting.ErrIrregular)
		}
	}
	return nil
}
