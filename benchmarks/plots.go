package benchmarks

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"

	"paika/benchmarks/plot"
)

// Plot draws the charts for which a report has figures into a folder
// (plot.MakeFolder), and lists the files. The context is for pipes that stand in their
// place.
func Plot(ctx context.Context, r Report, folder string) ([]string, error) {
	all, err := charts()
	if err != nil {
		return nil, err
	}
	var files []string
	for _, c := range all {
		points := c.points(r)
		if len(points) == 0 {
			continue
		}
		drawn, err := plot.Lines(plot.Labels{Title: c.Title, X: c.X, Y: c.Y, XDoubles: c.Doubles}, points...)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.File, err)
		}
		file := filepath.Join(folder, c.File)
		if err := drawn.Save(ctx, file); err != nil {
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
	for _, s := range c.Series {
		p := plot.Points{Name: s.Name}
		for _, b := range r.Benchmarks {
			match := s.Pattern.FindStringSubmatch(b.Name)
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
