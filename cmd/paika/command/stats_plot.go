package command

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"paika/benchmarks/plot"
	"paika/cmd/paika/catalogue"
)

// makePlotFolder makes the folder for plotStats.
func makePlotFolder(dir string) error {
	if err := plot.MakeFolder(dir); err != nil {
		return fmt.Errorf("--plot: %w", err)
	}
	return nil
}

// plotStats draws what the figures tell into a folder, and lists the files. about
// names game and board.
func plotStats(ctx context.Context, stats catalogue.Stats, about, dir string) ([]string, error) {
	var files []string
	for _, c := range []struct {
		file string
		draw func(catalogue.Stats, string) (*plot.Chart, error)
	}{{"values.svg", valuesChart}, {"bytes.svg", bytesChart}, {"distances.svg", distancesChart}} {
		chart, err := c.draw(stats, about)
		if err != nil {
			return nil, err
		}
		if chart == nil {
			continue
		}
		file := filepath.Join(dir, c.file)
		if err := chart.Save(ctx, file); err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

// sliceNames lists the slices, each once, though stored in two metrics.
func sliceNames(stats catalogue.Stats) []string {
	var names []string
	for _, s := range stats.Slices {
		if !slices.Contains(names, s.Slice) {
			names = append(names, s.Slice)
		}
	}
	return names
}

// bySlice is a number of each slice, in the order of the names; 0 for those that
// have none.
func bySlice(stats catalogue.Stats, names []string, number func(catalogue.SliceStats) float64) []float64 {
	numbers := make([]float64, len(names))
	for _, s := range stats.Slices {
		if n := number(s); n != 0 {
			numbers[slices.Index(names, s.Slice)] = n
		}
	}
	return numbers
}

func valuesChart(stats catalogue.Stats, about string) (*plot.Chart, error) {
	names := sliceNames(stats)
	share := func(name string, of func(catalogue.SliceStats) uint64) plot.Series {
		return plot.Series{Name: name, Values: bySlice(stats, names, func(s catalogue.SliceStats) float64 {
			return 100 * float64(of(s)) / float64(s.Positions)
		})}
	}
	return plot.StackedBars(plot.Labels{
		Title: about + ": value for the side to move, by slice",
		X:     "slice",
		Y:     "share of positions, %",
	}, names,
		share("win", func(s catalogue.SliceStats) uint64 { return s.Win }),
		share("loss", func(s catalogue.SliceStats) uint64 { return s.Loss }),
		share("draw", func(s catalogue.SliceStats) uint64 { return s.Draw }),
	)
}

func bytesChart(stats catalogue.Stats, about string) (*plot.Chart, error) {
	names := sliceNames(stats)
	var series []plot.Series
	for _, total := range stats.Totals {
		series = append(series, plot.Series{Name: total.Metric, Values: bySlice(stats, names, func(s catalogue.SliceStats) float64 {
			if s.Metric != total.Metric {
				return 0
			}
			return float64(s.Bytes)
		})})
	}
	return plot.Dots(plot.Labels{
		Title: about + ": size as stored, by slice",
		X:     "slice",
		Y:     "bytes (k = 1,000)",
	}, names, series...)
}

// distancesChart is nil where there are no distances.
func distancesChart(stats catalogue.Stats, about string) (*plot.Chart, error) {
	win, loss := make(map[int]uint64), make(map[int]uint64)
	longest := 0
	for _, s := range stats.Slices {
		for _, d := range s.Distances {
			win[d.Turns] += d.Win
			loss[d.Turns] += d.Loss
			longest = max(longest, d.Turns)
		}
	}
	if len(win) == 0 {
		return nil, nil
	}
	points := func(name string, count map[int]uint64) plot.Points {
		p := plot.Points{Name: name}
		for turns := range longest + 1 {
			p.XY = append(p.XY, plot.XY{X: float64(turns), Y: float64(count[turns])})
		}
		return p
	}
	return plot.Lines(plot.Labels{
		Title: about + ": distance to the end of the game, all slices",
		X:     "turns",
		Y:     "positions (k = 1,000)",
	}, points("win", win), points("loss", loss))
}
