package command

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"paika/bitboard"
	"paika/bitboard/catalogue"
)

func newStats(o *options) *cobra.Command {
	manifest, metric := false, ""
	cmd := &cobra.Command{
		Use:   "stats [GAME]",
		Short: "Show the tables in figures",
		Long: `Stats counts the wins, losses and draws of every slice for the side to move, with
symmetry undone, and tells the longest win and loss in turns (with the metric
dtw) and the size as stored.

With --manifest it prints instead the manifest, byte for byte as it is stored:
it is the same for the same tables, wherever and however they were built.`,
		Example: `  paika stats
  paika stats fanorona --board 5x5 --json
  paika stats --metric dtw --manifest | sha256sum`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return withTables(o, args, func(s session, tables catalogue.Tables) error {
				if err := s.noPosition(); err != nil {
					return err
				}
				if manifest {
					return s.hint(printManifest(cmd, tables, metric))
				}
				return s.hint(printStats(cmd, s, tables, metric))
			})
		},
	}
	cmd.Flags().BoolVar(&manifest, "manifest", false, "print the manifest of --metric as it is stored")
	cmd.Flags().StringVar(&metric, "metric", "", "only the tables of this metric: wdl or dtw")
	return cmd
}

// printManifest prints the manifest of the metric asked for, or of the only
// one there is.
func printManifest(cmd *cobra.Command, tables catalogue.Tables, metric string) error {
	stats, err := tables.Stats()
	if err != nil {
		return err
	}
	switch {
	case metric != "":
	case len(stats.Totals) == 1:
		metric = stats.Totals[0].Metric
	default:
		return fmt.Errorf("--manifest: the tables have %d manifests: name one by --metric wdl or --metric dtw", len(stats.Totals))
	}
	m, err := bitboard.ParseMetric(metric)
	if err != nil {
		return fmt.Errorf("--metric: %w", err)
	}
	text, err := tables.Manifest(m)
	if err != nil {
		return err
	}
	_, err = cmd.OutOrStdout().Write(text)
	return err
}

func printStats(cmd *cobra.Command, s session, tables catalogue.Tables, metric string) error {
	stats, err := tables.Stats()
	if err != nil {
		return err
	}
	if metric != "" {
		m, err := bitboard.ParseMetric(metric)
		if err != nil {
			return fmt.Errorf("--metric: %w", err)
		}
		stats = stats.Only(m)
	}
	return s.print(cmd, stats, func(w io.Writer) error {
		if len(stats.Slices) == 0 {
			_, err := fmt.Fprintf(w, "%s: no slices of that kind are stored\n", s.dir())
			return err
		}
		return statsTable(stats).print(w)
	})
}

// statsTable lists slices metric by metric, each with its total.
func statsTable(stats catalogue.Stats) *table {
	t := &table{left: 1}
	for i, total := range stats.Totals {
		if i > 0 {
			t.add()
		}
		t.add(total.Metric, "positions", "win", "loss", "draw", "quiet", "longest win", "loss", "bytes", "bits/position")
		for _, slice := range stats.Slices {
			if slice.Metric == total.Metric {
				t.add(statsRow(slice.Slice, slice)...)
			}
		}
		t.add(statsRow("total", total)...)
	}
	return t
}

func statsRow(name string, s catalogue.SliceStats) []string {
	return []string{name, thousands(s.Positions), thousands(s.Win), thousands(s.Loss), thousands(s.Draw), thousands(s.Quiet),
		orDash(s.LongestWin), orDash(s.LongestLoss), thousands(s.Bytes), fmt.Sprintf("%.3f", s.BitsPerPosition)}
}
