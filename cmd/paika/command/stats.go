package command

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
)

// statsFlags say what stats shows.
type statsFlags struct {
	metric                      string
	manifest, longest, zugzwang bool
	cgt                         bool
	plot                        string // folder
}

func newStats(o *options) *cobra.Command {
	var f statsFlags
	cmd := &cobra.Command{
		Use:   "stats [GAME]",
		Short: "Show the tables in figures",
		Long: `Stats counts the wins, losses and draws of every slice for the side to move, with
symmetry undone, and tells the longest win and loss in turns (with the metric
dtw), the size as stored, and the first digits of its fingerprint. Fingerprints,
whole below each table and with --json, depend on game, board, rules, metric and
values alone: tables that anyone built at any time have the same where they say
the same. Certificates name tables by them, and paika verify finds them anew.

With --longest it shows for every slice stored in dtw a position of its longest
win and of its longest loss, the first in the order of the table, and a line of
best play from it.

With --zugzwang it counts the positions whose side to move does worse than it
would if, with every piece where it is, the other side were to move. The other
side then does worse by moving, too, so that zugzwangs come in pairs, each
counted in the slice of its own side to move. They are of three kinds: loss for
win, where whoever moves loses; loss for draw; and draw for win. A side that has
no turn is to move like any other. In Konane, zugzwangs are the positions whose
combinatorial value is 0, counted with either side to move, where --cgt counts a set
of stones once. Left out are those with the opening to be played and the empty board,
which have no pair.

With --plot it draws into a folder the share of wins, draws and losses by slice
(values.svg), bytes by slice (bytes.svg) and, with dtw, positions by distance
(distances.svg, and the JSON key distances).

With --cgt, for konane, it needs no tables: it counts all sets of stones on the
board, whatever opening leads there, by their canonical form, as paika value --cgt
prints them, Black as Left, and lists the most frequent; with --json all. That takes
one core, and boards of at most 20 points: a moment for 4x4, seconds for 5x4.

A look at every position keeps to --memory: with less of it, fewer cores are at work, and
zugzwangs of big slices take longer.

With --manifest it prints instead the manifest, byte for byte as it is stored, or on one
line with --json. It has sizes and checksums of what is stored, too, which depend on how
this version compresses; wherever and however it built the same tables, it is the same.`,
		Example: `  paika stats
  paika stats fanorona --board 5x5 --json
  paika stats --metric dtw --longest
  paika stats --board dimy --zugzwang
  paika stats --plot charts
  paika stats konane --cgt --board 4x4
  paika stats --metric dtw --manifest | sha256sum`,
		RunE: func(cmd *cobra.Command, args []string) error {
			err := errors.Join(
				checkAlone(cmd, "manifest", "longest", "zugzwang", "plot"),
				checkAlone(cmd, "cgt", append(ruleFlags(), "longest", "zugzwang", "plot", "manifest", "metric", "db", "workers")...),
			)
			if err != nil {
				return err
			}
			if f.cgt {
				s, err := o.openBoard(args)
				if err != nil {
					return err
				}
				return printCensus(cmd, s, memoryBudget(o.memory))
			}
			wanted, err := f.wantedMetric()
			if err != nil {
				return err
			}
			return withTables(o, args, func(s session, tables catalogue.Tables) error {
				s.metric = cmp.Or(wanted, s.metric)
				if err := s.noPosition(); err != nil {
					return err
				}
				if f.manifest {
					return s.hint(o.printManifest(cmd, tables, f.metric))
				}
				return s.hint(printStats(cmd, s, tables, f))
			})
		},
	}
	cmd.Flags().BoolVar(&f.manifest, "manifest", false, "print the manifest of --metric as it is stored")
	cmd.Flags().StringVar(&f.metric, "metric", "", "only the tables of this metric, `wdl|dtw`")
	cmd.Flags().BoolVar(&f.longest, "longest", false, "show the longest win and loss of every slice, with lines (needs dtw)")
	cmd.Flags().BoolVar(&f.zugzwang, "zugzwang", false, "count positions in which it is worse to be the one to move")
	cmd.Flags().StringVar(&f.plot, "plot", "", "draw charts, as SVG, into the folder `DIR`")
	cmd.Flags().BoolVar(&f.cgt, "cgt", false, "count the positions of the board by canonical form, for konane")
	return cmd
}

// wantedMetric is that of the tables without which there is nothing to show; empty for any.
func (f statsFlags) wantedMetric() (string, error) {
	if f.metric != "" {
		if _, err := parseMetric(f.metric); err != nil {
			return "", err
		}
	}
	switch {
	case !f.longest:
		return f.metric, nil
	case f.metric == bitboard.WDL.String():
		return "", misuse("metric", "--longest: %s has no distances: want --metric %s", f.metric, bitboard.DTW)
	}
	return bitboard.DTW.String(), nil
}

// printManifest prints the manifest of the metric asked for, or of the only
// one there is: as it is stored or, as JSON, on one line.
func (o *options) printManifest(cmd *cobra.Command, tables catalogue.Tables, metric string) error {
	stats, err := storedStats(tables, metric)
	if err != nil {
		return err
	}
	if len(stats.Totals) != 1 {
		return fmt.Errorf("--manifest: the tables have %d manifests: name one by --metric wdl or --metric dtw", len(stats.Totals))
	}
	m, err := bitboard.ParseMetric(stats.Totals[0].Metric)
	if err != nil {
		return err
	}
	text, err := tables.Manifest(m)
	if err != nil {
		return err
	}
	return o.print(cmd, json.RawMessage(text), func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// shownStats is what stats prints with --json.
type shownStats struct {
	catalogue.Stats
	Plots []string `json:"plots,omitempty"` // files
}

func printStats(cmd *cobra.Command, s session, tables catalogue.Tables, f statsFlags) error {
	stats, err := storedStats(tables, f.metric)
	if err != nil {
		return err
	}
	if f.plot != "" {
		if err := makePlotFolder(f.plot); err != nil {
			return err
		}
	}
	if err := survey(cmd, s, tables, &stats, f); err != nil {
		return err
	}
	shown := shownStats{Stats: stats}
	if f.plot != "" {
		id := s.instance.Identity()
		if shown.Plots, err = plotStats(cmd.Context(), stats, id.Game+" "+id.Board, f.plot); err != nil {
			return err
		}
	}
	return s.print(cmd, shown, func(w io.Writer) error { return printShown(w, shown) })
}

// storedStats is tables in figures, of the metric that is named or, where none is, of all. It
// fails with a *catalogue.NoSlicesError where there are no such slices.
func storedStats(tables catalogue.Tables, metric string) (catalogue.Stats, error) {
	stats, err := tables.Stats()
	if err != nil {
		return catalogue.Stats{}, err
	}
	if metric != "" {
		m, err := parseMetric(metric)
		if err != nil {
			return catalogue.Stats{}, err
		}
		stats = stats.Only(m)
	}
	if len(stats.Slices) == 0 {
		return catalogue.Stats{}, &catalogue.NoSlicesError{Metric: metric}
	}
	return stats, nil
}

// survey adds to the figures what only a look at every position tells.
func survey(cmd *cobra.Command, s session, tables catalogue.Tables, stats *catalogue.Stats, f statsFlags) error {
	if !f.longest && !f.zugzwang && f.plot == "" {
		return nil
	}
	bar := s.startProgress(cmd.ErrOrStderr())
	defer bar.close()
	return tables.Survey(cmd.Context(), stats, catalogue.SurveyOptions{
		Longest: f.longest, Zugzwang: f.zugzwang, Distances: f.plot != "",
		Workers:  s.workers,
		Progress: func(done, total uint64) { bar.set("looking at every position", "index", done, total) },
	})
}

func printShown(w io.Writer, shown shownStats) error {
	if err := statsTable(shown.Stats).print(w); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, total := range shown.Totals {
		fmt.Fprintf(w, "fingerprint of %s: %s\n", total.Metric, total.Fingerprint)
	}
	fmt.Fprintf(w, "on disk: %s bytes\n", thousands(shown.DiskBytes))
	if t := zugzwangTable(shown.Stats); len(t.rows) > 0 {
		fmt.Fprintln(w)
		if err := t.print(w); err != nil {
			return err
		}
	}
	for _, slice := range shown.Slices {
		if slice.Longest != nil {
			printLongest(w, "win", slice.Slice, slice.Longest.Win)
			printLongest(w, "loss", slice.Slice, slice.Longest.Loss)
		}
	}
	for i, file := range shown.Plots {
		if i == 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "drawn: %s\n", catalogue.ShownName(file))
	}
	return nil
}

func printLongest(w io.Writer, value, slice string, l *catalogue.LongestLine) {
	if l != nil {
		fmt.Fprintf(w, "\nlongest %s of %s, %s:\n%s\n", value, slice, count(uint64(l.Turns), "turn"), l.Position)
		if len(l.Line) > 0 {
			fmt.Fprintln(w, wrap(l.Line, 78))
		}
	}
}

// zugzwangTable lists the slices in which zugzwangs were counted, each once, and
// nothing where none were. Slices in which they could not be counted are no part of the total.
func zugzwangTable(stats catalogue.Stats) *table {
	t := &table{left: 1}
	for _, total := range stats.Totals {
		if total.Zugzwang == nil {
			continue
		}
		if len(t.rows) > 0 {
			t.add()
		}
		t.add(total.Metric, "zugzwangs", "% of positions", "loss for win", "loss for draw", "draw for win")
		counted := uint64(0) // positions
		for _, slice := range stats.Slices {
			if slice.Metric != total.Metric {
				continue
			}
			if slice.Zugzwang != nil {
				counted += slice.Positions
			}
			t.add(zugzwangRow(slice.Slice, slice.Zugzwang, slice.Positions)...)
		}
		t.add(zugzwangRow("total", total.Zugzwang, counted)...)
	}
	return t
}

// zugzwangRow is what was counted among so many positions.
func zugzwangRow(name string, z *catalogue.Zugzwang, positions uint64) []string {
	if z == nil {
		return []string{name, "-", "-", "-", "-", "-"}
	}
	return []string{name, thousands(z.Positions), fmt.Sprintf("%.4f", 100*float64(z.Positions)/float64(positions)),
		thousands(z.LossForWin), thousands(z.LossForDraw), thousands(z.DrawForWin)}
}

// statsTable lists slices metric by metric, each with its total.
func statsTable(stats catalogue.Stats) *table {
	t := &table{left: 1}
	for i, total := range stats.Totals {
		if i > 0 {
			t.add()
		}
		t.add(total.Metric, "positions", "win", "loss", "draw", "quiet", "longest win", "longest loss", "bytes", "bits/position", "fingerprint")
		for _, slice := range stats.Slices {
			if slice.Metric == total.Metric {
				t.add(statsRow(slice.Slice, slice)...)
			}
		}
		t.add(statsRow("total", total)...)
	}
	return t
}

// shownDigits is how much of a fingerprint a table shows.
const shownDigits = 12

func statsRow(name string, s catalogue.SliceStats) []string {
	return []string{name, thousands(s.Positions), thousands(s.Win), thousands(s.Loss), thousands(s.Draw), thousands(s.Quiet),
		orDash(s.LongestWin), orDash(s.LongestLoss), thousands(s.Bytes), fmt.Sprintf("%.3f", s.BitsPerPosition), s.Fingerprint[:min(shownDigits, len(s.Fingerprint))]}
}
