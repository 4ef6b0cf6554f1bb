package bench

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"paika/benchmarks"
)

// Two runs of real work agree in all counts; a chart is drawn of them.
func TestRunsHaveFingerprints(t *testing.T) {
	o := Options{
		Suites: benchmarks.Suites(), Only: regexp.MustCompile(`density=(10|20)$|pieces=2/workers=1$|konane/dfpn/tables=none$|konane-6x6/corner-h$`),
		Runs: 1, Nodes: 100, Pieces: 4, Workers: 2, Memory: 1 << 30, Command: "a test",
	}
	var reports []benchmarks.Report
	for range 2 {
		r, err := Run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		reports = append(reports, r)
	}
	changes, err := benchmarks.Compare(reports[0], reports[1])
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range changes {
		if c.Verdict == benchmarks.Behaviour || c.Verdict == benchmarks.Added || c.Verdict == benchmarks.Missing || c.NewNodes == 0 && !strings.Contains(c.Name, "density=10/wins") {
			t.Errorf("%s: %s, %d and %d nodes", c.Name, c.Verdict, c.OldNodes, c.NewNodes)
		}
	}
	tasks, err := Tasks(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range reports[0].Benchmarks {
		if !slices.ContainsFunc(tasks, func(task string) bool { return b.Name == task || strings.HasPrefix(b.Name, task+"/") }) {
			t.Errorf("%s is of none of the tasks %q", b.Name, tasks)
		}
	}
	for _, name := range []string{"build/fanorona-9x5/wdl/pieces=2/workers=1", "search/konane/dfpn/tables=none/solved", "win-in-one/phutball-15x19/density=20/wins"} {
		if _, found := reports[0].Find(name); !found {
			t.Errorf("no %s", name)
		}
	}
	if b, _ := reports[0].Find("build/fanorona-9x5/wdl/pieces=2/workers=1"); b.Nodes != 592 { // wins of 1v1, which independent solvers agree on
		t.Errorf("%d wins, want 592", b.Nodes)
	}
	files, err := benchmarks.Plot(t.Context(), reports[0], t.TempDir())
	if err != nil || len(files) != 2 {
		t.Errorf("charts %v, %v; want those of stones and of density", files, err)
	}
}

func TestNoTaskIsAnError(t *testing.T) {
	if _, err := Run(t.Context(), Options{Suites: benchmarks.Suites(), Only: regexp.MustCompile("nothing has this name"), Runs: 1, Nodes: 1, Workers: 1}); !errors.Is(err, ErrNoTasks) {
		t.Errorf("got %v", err)
	}
}

// What others took is a share, and is told only of a time that is long beside the ticks in which
// the system counts.
func TestWhatOthersTookIsAShare(t *testing.T) {
	const second = time.Second
	for _, c := range []struct {
		took, all, own time.Duration
		want           float64 // -1 for unknown
	}{
		{10 * second, 15 * second, 10 * second, 0.25},
		{10 * second, 10 * second, 10 * second, 0},
		{10 * second, 9 * second, 10 * second, 0},  // ticks are rounded
		{10 * second, 31 * second, 10 * second, 1}, // likewise
		{second, second, 0, 0.5},                   // a hundred ticks
		{999 * time.Millisecond, second, 0, -1},    // fewer
		{12 * time.Millisecond, 40 * time.Millisecond, 9 * time.Millisecond, -1},
		{0, 0, 0, -1},
	} {
		got := shareOfOthers(c.took, c.all, c.own, 2)
		switch {
		case c.want < 0 && got != nil:
			t.Errorf("%+v: %v, want nothing", c, *got)
		case c.want >= 0 && (got == nil || *got != c.want):
			t.Errorf("%+v: %v, want %v", c, got, c.want)
		}
	}
}
