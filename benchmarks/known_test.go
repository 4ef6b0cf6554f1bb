package benchmarks

import (
	"path/filepath"
	"testing"
)

func TestEveryChartHasBenchmarks(t *testing.T) {
	all, err := charts()
	if err != nil {
		t.Fatal(err)
	}
	recorded, err := load("results")
	if err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Error("there is no chart")
	}
	for _, c := range all {
		if got := len(c.points(recorded.suites)); got != len(c.Series) {
			t.Errorf("%s: %d of %d series have benchmarks", c.File, got, len(c.Series))
		}
		if filepath.Base(c.File) != c.File || c.Title == "" || c.X == "" || c.Y == "" {
			t.Errorf("%+v: something is missing", c)
		}
	}
}

func TestChartsAndFiguresAreReadStrictly(t *testing.T) {
	var all []chart
	for _, wrong := range []string{
		`[{"file": "a.svg", "colour": "red"}]`,
		`[{"series": [{"task": "pieces=\\d+"}]}]`,
		`[{"series": [{"task": "("}]}]`,
	} {
		if err := strictly("charts.json", []byte(wrong), &all); err == nil {
			t.Errorf("%s is read as %+v", wrong, all)
		}
	}
}
