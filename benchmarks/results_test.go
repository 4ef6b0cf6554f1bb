package benchmarks

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// RESULTS.md is what the recorded reports say, and nobody has edited it.
func TestResultsAreThoseRecorded(t *testing.T) {
	var want bytes.Buffer
	if err := WriteResults(&want, "results"); err != nil {
		t.Fatal(err)
	}
	if got := lines(t, "RESULTS.md"); !bytes.Equal(got, want.Bytes()) {
		t.Errorf("benchmarks/RESULTS.md is not what scripts/results --write makes of benchmarks/results")
	}
}

// The charts are those of the recorded reports.
func TestChartsAreThoseOfTheResults(t *testing.T) {
	r, err := load("results")
	if err != nil {
		t.Fatal(err)
	}
	files, err := Plot(t.Context(), r.suites, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	recorded, err := filepath.Glob("results/*.svg")
	if err != nil || len(recorded) != len(files) {
		t.Errorf("%d charts are recorded, and %d of these reports; error %v", len(recorded), len(files), err)
	}
	for _, file := range files {
		name := filepath.Join("results", filepath.Base(file))
		if !bytes.Equal(lines(t, name), lines(t, file)) {
			t.Errorf("benchmarks/%s is not what scripts/results --write draws of benchmarks/results", name)
		}
	}
}

// lines is the text of a file as it is on all systems.
func lines(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
}

// Results are of one machine, one program and whole work: what else lies in the folder is not
// made to look so.
func TestResultsAreOfOneMachineAndProgram(t *testing.T) {
	for _, c := range []struct {
		file   string
		change func(keys map[string]any)
		want   string
	}{
		{"build.json", func(keys map[string]any) { keys["machine"].(map[string]any)["cpu"] = "another" }, "build.json: reports of different work"},
		{"win-in-one.json", func(keys map[string]any) { keys["program"].(map[string]any)["go"] = "go1.1" }, "win-in-one.json: reports of different work"},
		{"probe.json", func(keys map[string]any) { keys["program"].(map[string]any)["commit"] = "another" }, "probe.json: reports of different work"},
		{"search-tables.json", func(keys map[string]any) { keys["limit"] = 1_000_000 }, "search-tables.json: reports of different work"},
		{"perft.json", func(keys map[string]any) { delete(keys, "began") }, `perft.json: the key "began"`},
		{"seven.json", func(keys map[string]any) { keys["positions_solved"] = 317657340 }, "seven.json: 317,657,340 of 6,261,651,660 positions"},
		{"seven.json", func(keys map[string]any) { keys["positions_solved"] = 0 }, "seven.json: 0 of"},
		{"seven.json", func(keys map[string]any) { delete(keys, "totals") }, `seven.json: no output of paika build --json: the key "totals"`},
	} {
		folder := t.TempDir()
		if err := os.CopyFS(folder, os.DirFS("results")); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(folder, c.file)
		var keys map[string]any
		if err := json.Unmarshal(lines(t, path), &keys); err != nil {
			t.Fatal(err)
		}
		c.change(keys)
		text, err := json.Marshal(keys)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := WriteResults(new(bytes.Buffer), folder); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s changed: error %v, want %s", c.file, err, c.want)
		}
	}
}
