package benchmarks

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
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
		{"seven.json", func(keys map[string]any) { keys["machine"] = map[string]any{"cpu": "another"} }, "seven.json: reports of different work"},
		{"seven.json", func(keys map[string]any) { keys["program"] = map[string]any{"commit": "another"} }, "seven.json: reports of different work"},
		{"seven.json", func(keys map[string]any) { delete(keys, "totals") }, `seven.json: no output of paika build --json: the key "totals"`},
	} {
		folder := copyOfResults(t)
		changeKeys(t, filepath.Join(folder, c.file), c.change)
		if err := WriteResults(new(bytes.Buffer), folder); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s changed: error %v, want %s", c.file, err, c.want)
		}
	}
}

// copyOfResults is a folder with what is recorded, to be changed.
func copyOfResults(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	if err := os.CopyFS(folder, os.DirFS("results")); err != nil {
		t.Fatal(err)
	}
	return folder
}

// changeKeys changes an object in a file.
func changeKeys(t *testing.T, path string, change func(keys map[string]any)) {
	t.Helper()
	var keys map[string]any
	if err := json.Unmarshal(lines(t, path), &keys); err != nil {
		t.Fatal(err)
	}
	change(keys)
	text, err := json.Marshal(keys)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
}

// written is RESULTS.md of a folder of reports.
func written(t *testing.T, folder string) string {
	t.Helper()
	var text bytes.Buffer
	if err := WriteResults(&text, folder); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// Figures are said to be of the commit that they were recorded with, and of none where there is
// none on record.
func TestResultsNameTheirCommits(t *testing.T) {
	const (
		sevenUnknown = "The commit behind the time and the size of seven stones was not recorded."
		scaleUnknown = "The commit that was simulated was not recorded."
		modified     = "commit c400af14cfdb, and of changes since that are not committed"
	)
	folder := copyOfResults(t)
	r, err := load(folder)
	if err != nil {
		t.Fatal(err)
	}
	if text := written(t, folder); strings.Contains(text, sevenUnknown) != (r.seven.Program == nil) || strings.Contains(text, scaleUnknown) != (r.scale.Program == nil) {
		t.Errorf("seven stones are of %v, simulations of %v, and that is not what is written:\n%s", r.seven.Program, r.scale.Program, text[:1000])
	}
	var program any
	changeKeys(t, filepath.Join(folder, "build.json"), func(keys map[string]any) { program = keys["program"] })
	changeKeys(t, filepath.Join(folder, sevenFile), func(keys map[string]any) { keys["program"] = program })
	changeKeys(t, filepath.Join(folder, scaleFile), func(keys map[string]any) {
		keys["program"] = map[string]any{"commit": "0123456789abcdef"}
	})
	if text := written(t, folder); strings.Contains(text, sevenUnknown) || !strings.Contains(text, "They are of commit 0123456789ab.") || strings.Contains(text, "not committed") {
		t.Errorf("what is recorded is not written:\n%s", text)
	}
	for _, name := range append(Suites(), largerTables, strings.TrimSuffix(sevenFile, ".json")) {
		changeKeys(t, filepath.Join(folder, name+".json"), func(keys map[string]any) {
			keys["program"].(map[string]any)["modified"] = true
			keys["program"].(map[string]any)["commit"] = "c400af14cfdb96a9ac127d36963ab70228e55229"
		})
	}
	if text := written(t, folder); !strings.Contains(text, modified) {
		t.Errorf("the program was changed since its commit, and that is not written:\n%s", text[:1000])
	}
}

// What was run once has no noise that is known, and what nothing tells is no number.
func TestResultsTellWhatIsNotKnown(t *testing.T) {
	folder := copyOfResults(t)
	path := filepath.Join(folder, largerTables+".json")
	changeKeys(t, path, func(keys map[string]any) {
		keys["benchmarks"] = slices.DeleteFunc(keys["benchmarks"].([]any), func(b any) bool {
			return b.(map[string]any)["name"] == "search/fanorona-5x5-9x5/dfpn/tables=7/effort"
		})
	})
	report, err := LoadReport(path)
	if err != nil || len(report.Benchmarks[1].Samples) != 1 || report.Benchmarks[1].Exact {
		t.Fatalf("%+v, error %v: want a time of one run", report.Benchmarks[1], err)
	}
	text := written(t, folder)
	for _, want := range []string{
		"| search/fanorona-5x5-9x5/dfpn/tables=6/time | 0.025 | - | s |",
		"| dfpn | none | 6 | 116,403 | 1 |",        // what others are held against
		"| dfpn | 6 | 22 | 31,679 | 0.0102 (6) |",  // over the problems that both solve
		"| dfpn | 7 | 24 | 19,938 | - |",           // which is not there
		"\n    " + report.Command + "\n",           // that made the tables so large
		"\n    paika bench search '--only=tables=", // twice: beside the problems, too
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not written", want)
		}
	}
}

// Figures have three digits, or all before the point, and large ones no exponent.
func TestFiguresAreWrittenWithTheDigitsThatMeanSomething(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 0.00764: "0.00764", 0.0123456: "0.0123", 1: "1", 12.345: "12.3", 123.45: "123",
		999.4: "999", 999.49: "999", 999.5: "1,000", 999.99: "1,000", 1000: "1,000", 1000.4: "1,000",
		9999.4: "9,999", 9999.6: "10,000", 10_000: "10,000", 12_345: "12,300", 1_234_567: "1,234,600",
	} {
		if got := number(x); got != want {
			t.Errorf("%v is written as %s, want %s", x, got, want)
		}
	}
}
