package benchmarks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"paika/benchmarks/plot"
)

// ErrNoChart says that no chart shows anything of a report.
var ErrNoChart = errors.New("nothing that is measured is in a chart")

// CheckCharted fails with ErrNoChart where no chart shows any of the tasks of those names.
func CheckCharted(tasks []string) error {
	all, err := charts()
	if err != nil {
		return err
	}
	for _, c := range all {
		for _, s := range c.Series {
			if slices.ContainsFunc(tasks, func(task string) bool { _, found := s.x(task); return found }) {
				return nil
			}
		}
	}
	return ErrNoChart
}

// CheckCharted fails with ErrNoChart where no chart shows anything of the report.
func (r Report) CheckCharted() error {
	all, err := charts()
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(all, func(c chart) bool { return len(c.points(r)) > 0 }) {
		return ErrNoChart
	}
	return nil
}

// Plot draws the charts for which a report has figures into a folder
// (plot.MakeFolder), and lists the files, also where it fails with some drawn. The context
// is for pipes that stand in their place. It fails with ErrNoChart where there is none.
func Plot(ctx context.Context, r Report, folder string) (files []string, err error) {
	all, err := charts()
	if err != nil {
		return nil, err
	}
	for _, c := range all {
		points := c.points(r)
		if len(points) == 0 {
			continue
		}
		drawn, err := plot.Lines(c.labels(), points...)
		if err != nil {
			return files, fmt.Errorf("%s: %w", c.File, err)
		}
		file := filepath.Join(folder, c.File)
		if err := drawn.Save(ctx, file); err != nil {
			return files, err
		}
		files = append(files, file)
	}
	if len(files) == 0 {
		return nil, ErrNoChart
	}
	return files, nil
}

func (c chart) labels() plot.Labels {
	return plot.Labels{Title: c.Title, X: c.X, Y: c.Y, XDoubles: c.Doubles}
}

// points lists the series that have any to show, with X rising.
func (c chart) points(r Report) []plot.Points {
	var all []plot.Points
	labels := c.labels()
	for _, s := range c.Series {
		p := plot.Points{Name: s.Name}
		for _, b := range r.Benchmarks {
			task, found := s.task(b.Name)
			if !found {
				continue
			}
			x, found := s.x(task)
			if point := (plot.XY{X: x, Y: b.Value}); found && labels.Shows(point) {
				p.XY = append(p.XY, point)
			}
		}
		if len(p.XY) > 0 {
			slices.SortStableFunc(p.XY, func(a, b plot.XY) int { return cmp.Compare(a.X, b.X) })
			all = append(all, p)
		}
	}
	return all
}
