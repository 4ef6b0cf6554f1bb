package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"paika/cmd/paika/hub"
)

// valued is what value prints, but for what a search takes.
type valued struct {
	Position, By, CGT string
	Winner            *string
	Distance          *int
	Nodes             uint64
	Seconds           float64
}

// valueOf calls value, and tells its exit status.
func valueOf(t *testing.T, args ...string) (v valued, status int, faults string) {
	t.Helper()
	status, out, faults := runQuietly(t, append([]string{"value", "--json", "--memory", "256M", "--workers", "2"}, args...)...)
	if err := json.Unmarshal([]byte(out), &v); err != nil {
		t.Fatalf("%v: %s%s", err, out, faults)
	}
	return v, status, faults
}

// TestAHubTellsWhoWinsAsASearchDoes: the same answer but for the nodes, by one and the
// other, over boards of Konane, all openings, and positions.
func TestAHubTellsWhoWinsAsASearchDoes(t *testing.T) {
	t.Setenv(dataVariable, t.TempDir())
	var all [][]string
	for _, board := range []string{"3x3", "4x4"} {
		all = append(all, []string{"--board", board})
		for _, opening := range []string{"traditional", "centre-or-corner", "any", "corner-h", "corner-v", "middle-h", "middle-v"} {
			all = append(all, []string{"--board", board, "--opening", opening})
		}
		all = append(all, []string{"--board", board, "--opening", "corner-h", "--to-move", "white"})
	}
	all = append(all,
		[]string{"--board", "5x4"},
		[]string{"--board", "4x1", ".BWB w"},                         // not over
		[]string{"--board", "4x1", "..B. w"},                         // over
		[]string{"--board", "5x1", "--opening", "corner-h", "--cgt"}, // its canonical form, too
	)
	for _, args := range all {
		args := append([]string{"konane"}, args...)
		want, status, faults := valueOf(t, args...)
		got, by, faultsOfHub := valueOf(t, append(args, "--hub", "embedded")...)
		if status != by || got.Position != want.Position || got.By != want.By || got.CGT != want.CGT || text(got.Winner) != text(want.Winner) || got.Distance != nil != (want.Distance != nil) {
			t.Errorf("%v: by a hub %d %+v %s, want %d %+v %s", args, by, got, faultsOfHub, status, want, faults)
		}
	}
}

func text(s *string) string {
	if s == nil {
		return "null"
	}
	return *s
}

// TestAHubTellsTheValueInGamesWithoutASearch, draws among them: as tables of all
// positions do, with which it needs none.
func TestAHubTellsTheValueInGamesWithoutASearch(t *testing.T) {
	for _, args := range [][]string{
		{"fanorona", "--board", "3x3"},
		{"fanorona", "--board", "3x3", "W.B/.B./.B. w"}, // a draw,
		{"fanorona", "--board", "3x3", "W../.../..B b"},
		{"breakthrough", "--board", "3x4"},
		{"phutball", "--board", "3x5"},
	} {
		t.Setenv(dataVariable, t.TempDir())
		got, status, faults := valueOf(t, append(args, "--hub", "embedded")...)
		if status != done {
			t.Fatalf("%v: %d %s", args, status, faults)
		}
		if status, _, faults := runQuietly(t, append([]string{"build", args[0], "--pieces", "all"}, args[1:3]...)...); status != done {
			t.Fatal(faults)
		}
		want, _, _ := valueOf(t, args...)
		if text(got.Winner) != text(want.Winner) || got.Position != want.Position || got.By != "search" && got.By != "rules" {
			t.Errorf("%v: by a hub %+v, by tables %+v", args, got, want)
		}
		if by, _, _ := valueOf(t, append(args, "--hub", "embedded")...); by.By != want.By || text(by.Winner) != text(want.Winner) {
			t.Errorf("%v: by a hub beside the tables %+v, want %+v", args, by, want)
		}
	}
}

// TestAHubElsewhereTellsByItsTables what there are none of here, and nothing is searched.
func TestAHubElsewhereTellsByItsTables(t *testing.T) {
	t.Setenv(dataVariable, t.TempDir())
	if status, _, faults := runQuietly(t, "build", "--board", "3x3", "--pieces", "all"); status != done {
		t.Fatal(faults)
	}
	build, err := exactVersion()
	if err != nil {
		t.Fatal(err)
	}
	open := (&options{workers: 1, quiet: true}).openSite(new(cobra.Command), 1<<30)
	h, err := hub.Start(t.Context(), hub.Options{Dir: t.TempDir(), Address: "127.0.0.1:0", Version: build, Open: open})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	for position, winner := range map[string]string{"start": "white", "W.B/.B./.B. w": "draw"} {
		got, status, faults := valueOf(t, "--board", "3x3", position, "--hub", h.URL(), "--creds", h.Credentials(), "--db", t.TempDir())
		if status != done || text(got.Winner) != winner || got.By != "tables" || got.Nodes != 0 || got.Distance != nil {
			t.Errorf("%s: %d %+v %s, want %s", position, status, got, faults, winner)
		}
	}
}

// TestAHubGoesOnWithAValue where Ctrl-C stopped it: what it had found stays until there is
// an answer.
func TestAHubGoesOnWithAValue(t *testing.T) {
	db := filepath.Join(t.TempDir(), "db")
	args := []string{"value", "konane", "--board", "6x5", "--hub", "embedded", "--json", "--quiet", "--workers", "2", "--memory", "256M", "--db", db}
	ledger := filepath.Join(db+hubSuffix, "ledger")
	results := func() int {
		text, _ := os.ReadFile(ledger) // none at first
		return strings.Count(string(text), `"result":{`)
	}
	ctx, cancel := context.WithCancel(t.Context())
	stopped := make(chan int, 1)
	out, faults := new(bytes.Buffer), new(bytes.Buffer)
	go func() { stopped <- Run(ctx, args, nil, out, faults) }()
	for results() == 0 {
		time.Sleep(time.Millisecond)
	}
	cancel()
	if status := <-stopped; status != 130 || !strings.Contains(faults.String(), "go on with: paika value konane") || !strings.Contains(out.String(), `"error"`) {
		t.Fatalf("status %d: %s%s", status, out, faults)
	}
	if results() == 0 {
		t.Fatal("what was found is gone")
	}
	status, text, more := runQuietly(t, args...)
	if status != done || !strings.Contains(text, `"winner":"second"`) {
		t.Errorf("status %d: %s%s", status, text, more)
	}
	if _, err := os.Stat(db + hubSuffix); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder is still there: %v", err)
	}
}
