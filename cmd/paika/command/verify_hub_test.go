package command

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"paika/proofs"
)

// verifiedBy runs a command that prints JSON, and gives what does not depend on time and on
// who did the work.
func verifiedBy(t *testing.T, want int, args ...string) (printed, shared map[string]any) {
	t.Helper()
	out, log := new(bytes.Buffer), new(bytes.Buffer)
	if status := Run(t.Context(), append(args, "--json"), nil, out, log); status != want {
		t.Fatalf("%v: status %d, want %d: %s%s", args, status, want, out, log)
	}
	if err := json.Unmarshal(out.Bytes(), &printed); err != nil {
		t.Fatal(err)
	}
	shared, _ = printed["shared"].(map[string]any)
	delete(printed, "seconds")
	delete(printed, "shared")
	return printed, shared
}

// TestAnEmbeddedHubVerifiesAsTheCommandDoes: tables that are right and those that are not.
func TestAnEmbeddedHubVerifiesAsTheCommandDoes(t *testing.T) {
	db := filepath.Join(t.TempDir(), "db")
	at := []string{"--board", "3x3", "--db", db, "--workers", "2"}
	if status := Run(t.Context(), append([]string{"build", "--pieces", "4", "--quiet"}, at...), nil, new(bytes.Buffer), new(bytes.Buffer)); status != 0 {
		t.Fatal(status)
	}
	same := func(status int) map[string]any {
		t.Helper()
		alone, none := verifiedBy(t, status, append([]string{"verify"}, at...)...)
		got, shared := verifiedBy(t, status, append([]string{"verify", "--hub", "embedded"}, at...)...)
		if !reflect.DeepEqual(got, alone) || none != nil {
			t.Errorf("%v\nwant %v", got, alone)
		}
		if _, err := os.Stat(db + hubSuffix); !os.IsNotExist(err) {
			t.Errorf("the hub's folder is still there: %v", err)
		}
		return shared
	}
	if shared := same(0); shared["workers"] != 1.0 || shared["pieces"].(float64) < 6 {
		t.Errorf("%v", shared)
	}
	out := new(bytes.Buffer)
	if status := Run(t.Context(), append([]string{"verify", "--hub", "embedded", "--quiet"}, at...), nil, out, out); status != 0 || !strings.HasPrefix(out.String(), db+": 6 slices, 6 chunks: all is well, ") {
		t.Errorf("status %d: %s", status, out)
	}
	files, err := filepath.Glob(filepath.Join(db, "*.sst"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	if err := os.Truncate(files[0], 10); err != nil {
		t.Fatal(err)
	}
	same(1)
}

// TestAHubThatCantVerifySaysWhy, with the statuses of the command without a hub.
func TestAHubThatCantVerifySaysWhy(t *testing.T) {
	there, none := filepath.Join(t.TempDir(), "db"), filepath.Join(t.TempDir(), "db")
	if status, _, faults := runQuietly(t, "build", "--board", "3x3", "--pieces", "2", "--db", there); status != done {
		t.Fatal(faults)
	}
	for want, args := range map[int][]string{
		misused:     {"--db", there, "--checksums-only"},
		undecided:   {"--db", there, "--memory", "1M"},
		unavailable: {"--db", none},
	} {
		status, _, faults := runQuietly(t, append([]string{"verify", "--board", "3x3", "--hub", "embedded"}, args...)...)
		if status != want {
			t.Errorf("%v: status %d, want %d: %s", args, status, want, faults)
		}
		if _, err := os.Stat(args[1] + hubSuffix); !os.IsNotExist(err) {
			t.Errorf("%v: the hub's folder is there, with nothing in it: %v", args, err)
		}
	}
}

// TestWhatAnEmbeddedHubAsksForIsEnough: what it takes, and what was allowed, is told of the whole program.
func TestWhatAnEmbeddedHubAsksForIsEnough(t *testing.T) {
	db := filepath.Join(t.TempDir(), "db")
	for _, args := range [][]string{{"build", "--pieces", "3"}, {"verify"}} {
		args = append(args, "--board", "3x3", "--db", db, "--workers", "1", "--hub", "embedded")
		status, _, faults := runQuietly(t, append(args, "--memory", "260M")...)
		takes := regexp.MustCompile(`takes ([0-9]+) MiB for hub and worker together, and 260 MiB are allowed\n`).FindStringSubmatch(faults)
		if status != undecided || takes == nil {
			t.Fatalf("%s: status %d: %s", args[0], status, faults)
		}
		if _, err := os.Stat(db); args[0] == "build" && !os.IsNotExist(err) {
			t.Errorf("a build that is refused leaves a folder: %v", err)
		}
		if status, _, faults := runQuietly(t, append(args, "--memory", takes[1]+"M")...); status != done {
			t.Errorf("%s with %s MiB: status %d: %s", args[0], takes[1], status, faults)
		}
	}
}

// The setting of no game is asked for like any other. It was once what keepLast took for the
// one that it had opened before there was one, and gave a game that is nil.
func TestASettingOfNoGameIsNotKept(t *testing.T) {
	o := &options{}
	for of, open := range map[string]func() error{
		"verified": func() error { _, err := o.openTables(1<<30, 1)(proofs.Setting{}); return err },
		"built":    func() error { _, err := o.openBuilds(nil, 1<<30, 1, "", false)(proofs.Setting{}); return err },
	} {
		if open() == nil {
			t.Errorf("tables of no game are opened to be %s", of)
		}
	}
}
