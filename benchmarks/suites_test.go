package benchmarks

import (
	"strings"
	"testing"
)

// BenchmarkSuites runs the tasks of paika bench as Go benchmarks, for benchstat
// and for profiles. Every run must give the counts of the first.
func BenchmarkSuites(b *testing.B) {
	shared := &bench{
		Options: Options{Suites: Suites(), Runs: 1, Nodes: 5000, Pieces: largest, Workers: 2, Memory: 2 << 30},
		table:   searchTable, folder: b.TempDir(), built: make(map[string]bool),
	}
	tasks, err := shared.tasks()
	if err != nil {
		b.Fatal(err)
	}
	for _, t := range tasks {
		b.Run(t.name, func(b *testing.B) {
			var report Report
			places := make(map[string]int)
			for b.Loop() {
				figures, err := t.run(b.Context())
				if err == nil {
					err = report.add(figures, places)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
			for _, f := range report.Benchmarks {
				f.summarise()
				b.ReportMetric(f.Value, metric(t.name, f))
			}
		})
	}
}

// metric is the unit of a figure for go test: with what it is about, where that is
// more than the task's name, and without blanks.
func metric(task string, f Benchmark) string {
	unit := strings.ReplaceAll(f.Unit, " ", "-")
	if about := strings.TrimPrefix(strings.TrimPrefix(f.Name, task), "/"); about != "" {
		return about + "-" + unit
	}
	return unit
}
