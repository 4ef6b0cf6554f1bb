package bench

import (
	"context"
	"errors"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"paika/benchmarks"
	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/prover"
)

// What is asked for is told by the name of a benchmark alone, also by that of one which the
// program has no more.
func TestOptionsSelectBenchmarksByName(t *testing.T) {
	for _, c := range []struct {
		suites []string
		only   string
		name   string
		want   bool
	}{
		{benchmarks.Suites(), "", "perft/fanorona-9x5", true},
		{[]string{"perft"}, "", "perft/fanorona-9x5", true},
		{[]string{"perft"}, "", "perfect/fanorona-9x5", false},
		{[]string{"build"}, "", "perft/fanorona-9x5", false},
		{[]string{"build"}, "workers=1$", "build/any/workers=1/size", true},
		{[]string{"build"}, "workers=1$", "build/any/workers=1", true},
		{[]string{"build"}, "workers=1$", "build/any/workers=12/size", false},
		{[]string{"build"}, "size", "build/any/workers=1/time", false},
	} {
		o := Options{Suites: c.suites}
		if c.only != "" {
			o.Only = regexp.MustCompile(c.only)
		}
		if got := o.Selects(c.name); got != c.want {
			t.Errorf("%v --only %q: %s: %v, want %v", c.suites, c.only, c.name, got, c.want)
		}
	}
}

// BenchmarkSuites runs the tasks of paika bench as Go benchmarks, for benchstat
// and for profiles. Every run must give the counts of the first.
func BenchmarkSuites(b *testing.B) {
	shared := &bench{
		Options: Options{Suites: benchmarks.Suites(), Runs: 1, Nodes: 5000, Pieces: mostMade, Workers: 2, Memory: 2 << 30},
		table:   benchmarks.SearchTable, folder: b.TempDir(), built: make(map[string]bool),
	}
	tasks, err := shared.tasks()
	if err != nil {
		b.Fatal(err)
	}
	for _, t := range tasks {
		b.Run(t.name, func(b *testing.B) {
			var report benchmarks.Report
			places := make(map[string]int)
			for b.Loop() {
				figures, err := t.run(b.Context())
				if err == nil {
					err = add(&report, figures, places)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
			for _, f := range report.Benchmarks {
				f.Summarise()
				b.ReportMetric(f.Value, metric(t.name, f))
			}
		})
	}
}

// metric is the unit of a figure for go test: with what it is about, where that is
// more than the task's name, and without blanks.
func metric(task string, f benchmarks.Benchmark) string {
	unit := strings.ReplaceAll(f.Unit, " ", "-")
	if about := strings.TrimPrefix(strings.TrimPrefix(f.Name, task), "/"); about != "" {
		return about + "-" + unit
	}
	return unit
}

// undecided answers for no position.
type undecided struct{ catalogue.WinsInOne }

func (undecided) WinInOne(_ context.Context, positions []string, _ catalogue.WinInOneOptions) ([]catalogue.Answer[catalogue.WinInOne], error) {
	return make([]catalogue.Answer[catalogue.WinInOne], len(positions)), nil
}

func TestBoardsThatAreNotDecidedAreNotMeasured(t *testing.T) {
	if figures, err := new(bench).winInOneTask("some", undecided{}, []string{"a"}).run(t.Context()); !errors.Is(err, prover.ErrUndecided) {
		t.Errorf("%v, %v, want %v", figures, err, prover.ErrUndecided)
	}
}

// recorder builds nothing, and keeps what it was told.
type recorder struct {
	catalogue.Instance
	dirs  []string
	asked []catalogue.BuildOptions
}

func (r *recorder) Folder() string { return "fanorona-9x5" }

func (r *recorder) Build(_ context.Context, dir string, o catalogue.BuildOptions) (catalogue.Built, error) {
	r.dirs, r.asked = append(r.dirs, dir), append(r.asked, o)
	return catalogue.Built{Stats: catalogue.Stats{Totals: []catalogue.SliceStats{{}}}, Seconds: 1}, nil
}

// An unfinished table among the user's own is of the program that runs, be it built or measured:
// another one may mean something else by it, and the same one goes on with it.
func TestTablesAreBuiltByTheVersionThatRuns(t *testing.T) {
	const version = "v9 of a test"
	b := &bench{Options: Options{Data: t.TempDir(), Workers: 1, Version: version}, folder: t.TempDir(), built: make(map[string]bool)}
	r := &recorder{}
	for _, pieces := range []int{mostMade, mostMade + 1} {
		if _, err := b.tables(t.Context(), r, pieces); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.buildTask(r, catalogue.BenchBuild{Pieces: 2}, 1).run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(r.asked) != 3 || r.dirs[1] != filepath.Join(b.Data, r.Folder()) {
		t.Fatalf("built in %q, want three builds, the second among the user's own", r.dirs)
	}
	for i, o := range r.asked {
		if o.Version != version {
			t.Errorf("%s is built by version %q, want %q", r.dirs[i], o.Version, version)
		}
	}
}

// Whatever the suite, work that does not fit the memory allowed is refused, but for counts of turns.
func TestEverySuiteKeepsToTheMemory(t *testing.T) {
	o := Options{Suites: benchmarks.Suites(), Runs: 1, Nodes: 100, Pieces: mostMade, Workers: 1, Memory: 16 << 20}
	tasks, err := Tasks(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range tasks {
		if strings.HasPrefix(name, "perft/") {
			continue
		}
		o.Only = regexp.MustCompile("^" + regexp.QuoteMeta(name) + "$")
		if _, err := Run(t.Context(), o); err == nil || catalogue.FaultOf(err).Code != catalogue.CodeMemory {
			t.Errorf("%s: %v, want an error of memory", name, err)
		}
	}
}
