package benchmarks

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"paika/benchmarks/plot"
)

// chart is a chart of benchmarks: a series for each of the patterns, whose group
// is the number along the X axis.
type chart struct {
	file   string
	labels plot.Labels
	series []series
}

type series struct {
	name    string
	pattern string
}

var charts = []chart{
	{
		file:   "cost-by-stones.svg",
		labels: plot.Labels{Title: "Fanorona 9x5: time to build all tables, one worker", X: "stones, at most", Y: "seconds"},
		series: []series{
			{"wdl", `^build/fanorona-9x5/wdl/pieces=(\d+)/workers=1/time$`},
			{"dtw", `^build/fanorona-9x5/dtw/pieces=(\d+)/workers=1/time$`},
		},
	},
	{
		file:   "nodes-by-table-size.svg",
		labels: plot.Labels{Title: "Fanorona 5x5, proof of the draw by df-pn: nodes by table size", X: "table size, KiB", Y: "nodes (k = 1,000)", XDoubles: true},
		series: []series{{"df-pn", `^search/fanorona-5x5/start/table=(\d+)KiB/nodes$`}},
	},
	{
		file:   "rate-by-workers.svg",
		labels: plot.Labels{Title: "Fanorona 9x5: rate by workers", X: "workers", Y: "a second (M = 1,000,000)"},
		series: []series{
			{"perft, nodes", `^perft/fanorona-9x5/depth=\d+/workers=(\d+)$`},
			{"build, positions", `^build/fanorona-9x5/wdl/pieces=5/workers=(\d+)$`},
		},
	},
	{
		file:   "win-in-one-by-density.svg",
		labels: plot.Labels{Title: "Phutball 15x19: win in one on random boards", X: "men, % of the points", Y: "microseconds a board"},
		series: []series{
			{"median", `^win-in-one/phutball-15x19/density=(\d+)/median$`},
			{"mean", `^win-in-one/phutball-15x19/density=(\d+)/mean$`},
			{"slowest", `^win-in-one/phutball-15x19/density=(\d+)/slowest$`},
		},
	},
}

// Plot draws the charts for which a report has figures into a folder
// (plot.MakeFolder), and lists the files.
func Plot(r Report, folder string) ([]string, error) {
	var files []string
	for _, c := range charts {
		points := c.points(r)
		if len(points) == 0 {
			continue
		}
		drawn, err := plot.Lines(c.labels, points...)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.file, err)
		}
		file := filepath.Join(folder, c.file)
		if err := drawn.Save(file); err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	if len(files) == 0 {
		return nil, errors.New("nothing that was measured is in a chart")
	}
	return files, nil
}

// points lists the series that have any, with X rising.
func (c chart) points(r Report) []plot.Points {
	var all []plot.Points
	for _, s := range c.series {
		pattern := regexp.MustCompile(s.pattern)
		p := plot.Points{Name: s.name}
		for _, b := range r.Benchmarks {
			match := pattern.FindStringSubmatch(b.Name)
			if match == nil {
				continue
			}
			x, err := strconv.ParseFloat(match[1], 64)
			if err != nil {
				continue // more digits than any figure has
			}
			p.XY = append(p.XY, plot.XY{X: x, Y: b.Value})
		}
		if len(p.XY) > 0 {
			slices.SortFunc(p.XY, func(a, b plot.XY) int { return int(math.Copysign(1, a.X-b.X)) })
			all = append(all, p)
		}
	}
	return all
}
