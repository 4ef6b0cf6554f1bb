package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/hub/inspection"
)

// fullDisk is a standard output that takes nothing.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// A result that nobody could read was not given.
func TestFailedWritesToStandardOutputAreTold(t *testing.T) {
	for _, args := range [][]string{
		{"games"}, {"games", "--json"}, {"help"}, {"help", "build", "--json"}, {"--version"},
		{"perft", "--board", "telo", "--depth", "1"}, {"completion", "bash"},
		{"turns", "--board", "telo", "-"},
	} {
		var stderr bytes.Buffer
		status := Run(t.Context(), args, strings.NewReader("start\n"), fullDisk{}, &stderr)
		if want := "paika: standard output: no space left on device\n"; status != unavailable || stderr.String() != want {
			t.Errorf("%v: exit status %d, %q, want %q", args, status, stderr.String(), want)
		}
	}
}

// TestAnAnswerThatNobodyCouldReadIsNotLost: what was saved of it stays until it was printed.
func TestAnAnswerThatNobodyCouldReadIsNotLost(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "6x5.search")
	value := []string{"value", "konane", "--board", "6x5", "--rules", "opening=middle-h", "--db", filepath.Join(dir, "none"), "--checkpoint", file, "--workers", "1"}
	prove := []string{"prove", "--board", "5x3", "--claim", "white-wins", "--db", filepath.Join(dir, "none"), "--workers", "1"}
	for _, c := range []struct {
		args  []string
		nodes string // at which it is saved first
		saved string // a pattern of the file
	}{
		{value, "1000", file}, {append(slices.Clone(value), "--cgt"), "1000", file},
		{prove, "100", filepath.Join(dir, "none.search", "*.search")}, {append(slices.Clone(prove), "-"), "100", filepath.Join(dir, "none.search", "*.search")},
	} {
		if status, printed, _ := runWith(t, "start\n", append([]string{c.args[0], "--nodes", c.nodes}, c.args[1:]...)...); status != undecided {
			t.Fatalf("%v: status %d: %s", c.args, status, printed)
		}
		var stderr bytes.Buffer
		if status := Run(t.Context(), c.args, strings.NewReader("start\n"), fullDisk{}, &stderr); status == done || !strings.Contains(stderr.String(), "standard output: no space left on device") {
			t.Errorf("%v: status %d: %s", c.args, status, stderr.String())
		}
		if found, err := filepath.Glob(c.saved); err != nil || len(found) != 1 {
			t.Errorf("%v: %q is saved, error %v", c.args, found, err)
		}
		status, printed, faults := runWith(t, "start\n", append([]string{c.args[0], "--json"}, c.args[1:]...)...)
		var answer struct{ Resumed uint64 }
		if err := json.Unmarshal([]byte(printed), &answer); err != nil || answer.Resumed == 0 {
			t.Errorf("%v: status %d, %s%s: want it to go on", c.args, status, printed, faults)
		}
		if left, err := filepath.Glob(c.saved); status == done && (err != nil || len(left) != 0) {
			t.Errorf("%v: %q is left, error %v", c.args, left, err)
		}
		_ = os.Remove(file)
		_ = os.Remove(file + ".swapped")
	}
}

// TestAReportThatNobodyCouldReadIsNotLost: what a verification has shown stays until it was printed, here and at
// a hub.
func TestAReportThatNobodyCouldReadIsNotLost(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tables")
	if status, _, faults := runQuietly(t, "build", "--board", "3x3", "--pieces", "5", "--db", dir); status != done {
		t.Fatal(faults)
	}
	for _, c := range []struct {
		args  []string
		saved string // a file, or a folder
	}{{[]string{"verify"}, dir + recordSuffix}, {[]string{"verify", "--hub", "embedded"}, dir + hubSuffix}} {
		args := append(c.args, "--board", "3x3", "--db", dir)
		var stderr bytes.Buffer
		if status := Run(t.Context(), args, strings.NewReader(""), fullDisk{}, &stderr); status == done || !strings.Contains(stderr.String(), "standard output: no space left on device") {
			t.Errorf("%v: status %d: %s", args, status, stderr.String())
		}
		if _, err := os.Stat(c.saved); err != nil {
			t.Errorf("%v: %v", args, err)
		}
		before := ledger(dir)
		status, printed, faults := runQuietly(t, append(args, "--json")...)
		var answer struct {
			Derived int
			Seconds json.Number
			Earlier *catalogue.Earlier
			Shared  *inspection.Shared
		}
		if err := json.Unmarshal([]byte(printed), &answer); status != done || err != nil || answer.Earlier == nil && answer.Shared == nil {
			t.Fatalf("%v: status %d, %s%s", args, status, printed, faults)
		}
		if answer.Earlier != nil && answer.Derived > 0 || answer.Shared != nil && !strings.Contains(before, `"seconds":`+answer.Seconds.String()) {
			t.Errorf("%v: %s: want what was known: %s", args, printed, before)
		}
		if _, err := os.Stat(c.saved); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%v: what was saved is left: %v", args, err)
		}
	}
}

// With --json what was stopped has an object, too.
func TestStoppedCommandsAnswerInJSON(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stdout, stderr bytes.Buffer
	status := Run(ctx, []string{"build", "--board", "telo", "--pieces", "3", "--db", t.TempDir(), "--json"}, strings.NewReader(""), &stdout, &stderr)
	if want := `{"error":{"code":"stopped","message":"stopped"}}` + "\n"; status != stopped || stdout.String() != want {
		t.Errorf("exit status %d, %q, want %q", status, stdout.String(), want)
	}
}

// TestTextsAnswerInJSON, also those of commands that are for scripts: the same text, in one object.
func TestTextsAnswerInJSON(t *testing.T) {
	for _, args := range [][]string{{"problems", "--board", "telo"}, {"results", "../../../benchmarks/results"}} {
		status, want, faults := runQuietly(t, args...)
		if status != done || want == "" {
			t.Fatalf("%v: status %d: %s", args, status, faults)
		}
		status, said, faults := runQuietly(t, append(args, "--json")...)
		var got struct{ Text string }
		if err := json.Unmarshal([]byte(said), &got); status != done || err != nil || got.Text != want {
			t.Errorf("%v: status %d: %v: %s%s", args, status, err, said, faults)
		}
	}
}

// endless is dots without an end, but for the one that limit sets.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '.'
	}
	return len(p), nil
}

// A line without an end takes little memory and does not keep the next one from
// its answer.
func TestLinesAreBounded(t *testing.T) {
	input := io.MultiReader(io.LimitReader(endless{}, mostLine+1), strings.NewReader("\nstart\n"), io.LimitReader(endless{}, 5*mostLine))
	var stdout, stderr bytes.Buffer
	status := Run(t.Context(), []string{"turns", "--board", "telo", "-"}, input, &stdout, &stderr)
	lines := strings.Split(stdout.String(), "\n")
	if status != misused || len(lines) != 4 {
		t.Fatalf("exit status %d, %d lines", status, len(lines))
	}
	for i, want := range []string{`{"error":{"code":"limit",`, `{"position":"BBB/B.W/WWW w"`, `{"error":{"code":"limit",`, ""} {
		if !strings.HasPrefix(lines[i], want) || len(lines[i]) > 4096 {
			t.Errorf("line %d is %.100s, want %s", i+1, lines[i], want)
		}
	}
}

// What a search could not save is told beside that it was stopped.
func TestStoppedErrorsTellTheirReason(t *testing.T) {
	fault := faultOf(errors.Join(context.Canceled, errors.New("saving: the disk is full")), nil)
	if fault.Message != "stopped; saving: the disk is full" {
		t.Errorf("%q", fault.Message)
	}
}

// The share of zugzwangs in the total is that of the slices in which they were counted.
func TestTheShareOfZugzwangsIsOfWhatWasCounted(t *testing.T) {
	stats := catalogue.Stats{
		Slices: []catalogue.SliceStats{
			{Slice: "1v1", Metric: "wdl", Positions: 100, Zugzwang: &catalogue.Zugzwang{Positions: 10, LossForWin: 10}},
			{Slice: "2v1", Metric: "wdl", Positions: 900},
			{Slice: "1v1", Metric: "dtw", Positions: 100, Zugzwang: &catalogue.Zugzwang{Positions: 10, LossForWin: 10}},
		},
		Totals: []catalogue.SliceStats{
			{Metric: "wdl", Positions: 1000, Zugzwang: &catalogue.Zugzwang{Positions: 10, LossForWin: 10}},
			{Metric: "dtw", Positions: 100, Zugzwang: &catalogue.Zugzwang{Positions: 10, LossForWin: 10}},
		},
	}
	for _, row := range zugzwangTable(stats).rows {
		if len(row) > 0 && row[0] == "total" && row[2] != "10.0000" {
			t.Errorf("%q, want 10 %%", row)
		}
	}
}

// --json is heard however it is written, even where something else can't be read.
func TestEveryWayToAskForJSONIsHeard(t *testing.T) {
	for flag, want := range map[string]bool{
		"--json": true, "--json=true": true, "--json=TRUE": true, "--json=True": true, "--json=t": true, "--json=T": true, "--json=1": true,
		"--json=false": false, "--json=0": false, "--json=maybe": false, "--json=": false, "--jsonl": false,
	} {
		status, said, _ := runQuietly(t, "perft", flag, "--nosuch")
		if told := strings.HasPrefix(said, `{"error":{"code":"parameter"`); status != misused || told != want {
			t.Errorf("%s: status %d, %q", flag, status, said)
		}
	}
}
