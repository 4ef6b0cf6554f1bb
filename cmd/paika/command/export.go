package command

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
)

const defaultVectors = 200

func newExport(o *options) *cobra.Command {
	format, metric, vectors := "", "", defaultVectors
	var chosen names
	cmd := &cobra.Command{
		Use:   "export [GAME] DIR",
		Short: "Write tables as files that other programs read",
		Long: `Export writes the tables into the folder DIR, a file a slice: 3v2.wdl.flat. The
format is documented in tablebase/FORMAT.md, and readers in C and in Python lie in
tablebase/readers. Every value is written out, so that a reader needs no rules. The
same tables give the same files, byte for byte, wherever and however they were built.

Beside them it writes vectors.txt: positions with their values, by which a reader
is tested. It comes last: an export without it was stopped, or made with --vectors 0.
Paika import takes the files back. Files of an earlier export are replaced, but not
those of another game, board or rules: each has a folder of its own, which one export
at a time writes to. Nor is a file replaced that only has the name of one.

With --format csv it writes small slices, of at most 16,777,216 indices, as rows:
index, position, how many positions are its images under symmetries, value for the
side to move, and distance, which is empty in draws and without dtw. With --format
parquet the same rows are columns of Apache Parquet, for databases and data frames. The
file _rows.json beside them tells of which game, board and rules they are.`,
		Example: `  paika export fanorona --format flat flat
  paika export konane --board 6x6 --metric dtw --format flat flat
  paika export --slices 3v2,2v3 --format flat --vectors 0 flat
  paika export --board telo --format csv rows
  paika export --board telo --format parquet rows`,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, dir, err := o.openFolder(cmd.Name(), args)
			if err != nil {
				return err
			}
			e := catalogue.ExportOptions{Format: catalogue.ExportFormat(format), Slices: chosen, Vectors: vectors, Workers: o.workers, Memory: memoryBudget(o.memory)}
			if formats := catalogue.ExportFormats(); !slices.Contains(formats, format) {
				return misuse("format", "--format %s: want one of %s", bitboard.Quote(format), strings.Join(formats, ", "))
			}
			if cmd.Flags().Changed("vectors") && format != string(catalogue.FlatFormat) {
				return misuse("vectors", "--vectors: rows have no test positions beside them, they are for --format %s", catalogue.FlatFormat)
			}
			if metric != "" {
				m, err := parseMetric(metric)
				if err != nil {
					return err
				}
				e.Metrics, s.metric = []bitboard.Metric{m}, metric
			}
			return export(cmd, s, dir, e)
		},
	}
	cmd.Flags().StringVar(&format, "format", string(catalogue.FlatFormat), "format of the files: `flat|csv|parquet`")
	cmd.Flags().StringVar(&metric, "metric", "", "export this metric alone, `wdl|dtw` (default all that is stored)")
	cmd.Flags().Var(&chosen, "slices", "export these alone, such as `3v2,2v3` (default all that is stored)")
	cmd.Flags().IntVar(&vectors, "vectors", defaultVectors, "test `N` positions a slice in vectors.txt, none with 0; for --format flat")
	return cmd
}

func export(cmd *cobra.Command, s session, to string, o catalogue.ExportOptions) error {
	bar := s.startProgress(cmd.ErrOrStderr())
	o.Progress = func(doing string, done, total uint64) { bar.set(doing, "index", done, total) }
	e, err := s.instance.Export(cmd.Context(), s.dir(), to, o)
	bar.close()
	if err != nil {
		printSoFar(cmd.ErrOrStderr(), s.args, len(e.Slices), e.Files, "file", "written to "+catalogue.ShownName(to), "write all with", err)
		return s.hint(err)
	}
	return s.print(cmd, e, func(w io.Writer) error { return printFlat(w, e.Slices) })
}

// printFlat lists files.
func printFlat(w io.Writer, files []catalogue.FlatSlice) error {
	t := table{left: 3}
	t.add("slice", "metric", "file", "bytes", "fingerprint")
	var sum int64
	for _, f := range files {
		t.add(f.Slice, f.Metric, catalogue.ShownName(f.File), thousands(uint64(f.Bytes)), f.Fingerprint[:min(shownDigits, len(f.Fingerprint))])
		sum += f.Bytes
	}
	t.add("total", "", "", thousands(uint64(sum)), "")
	return t.print(w)
}
