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
	"paika/cmd/paika/hub/client"
	"paika/cmd/paika/hub/wire"
	"paika/cmd/paika/hub/worker"
	"paika/proofs"
)

// valued is what value prints, but for what a search takes.
type valued struct {
	Position, By, CGT string
	Winner            *string
	Distance          *int
	Nodes, Resumed    uint64
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

// TestAHubGoesOnWithAValue where Ctrl-C stopped it: what it had found stays. No machine settles
// 8x8 before.
func TestAHubGoesOnWithAValue(t *testing.T) {
	db := filepath.Join(t.TempDir(), "db")
	args := []string{"value", "konane", "--board", "8x8", "--hub", "embedded", "--json", "--quiet", "--workers", "2", "--memory", "256M", "--db", db}
	found := ""
	for range 2 {
		before := found
		status, out, faults := runUntil(t, func() bool { return results(db) > strings.Count(before, result) }, args...)
		if status != 130 || !strings.Contains(faults, " nodes searched, what is done is saved in ") || !strings.Contains(faults, "; come back with: paika value konane") || !strings.Contains(out, `"error"`) {
			t.Fatalf("status %d: %s%s", status, out, faults)
		}
		if goesOn := strings.Contains(faults, "paika: going on: "); goesOn != (before != "") {
			t.Errorf("it goes on: %v, in %s", goesOn, faults)
		}
		if found = ledger(db); !strings.HasPrefix(found, before) || strings.Count(found, result) <= strings.Count(before, result) {
			t.Fatalf("what was found is gone: %s", found)
		}
	}
}

// result begins what a ledger says of one.
const result = `"result":{`

// ledger is that of the hub embedded beside tables; empty where there is none yet.
func ledger(db string) string {
	text, _ := os.ReadFile(filepath.Join(db+hubSuffix, "ledger"))
	return string(text)
}

func results(db string) int { return strings.Count(ledger(db), result) }

// runUntil runs the program until something has come about, and stops it then.
func runUntil(t *testing.T, come func() bool, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out, faults := new(bytes.Buffer), new(bytes.Buffer)
	ended := make(chan int, 1)
	go func() { ended <- Run(ctx, args, nil, out, faults) }()
	for !come() {
		select {
		case status := <-ended:
			t.Fatalf("it ended by itself, with status %d: %s%s", status, out, faults)
		case <-time.After(time.Millisecond):
		}
	}
	cancel()
	return <-ended, out.String(), faults.String()
}

// TestAValueIsOfWhatAHubFoundBefore: what is answered in the folder counts to the node. Then
// the folder goes.
func TestAValueIsOfWhatAHubFoundBefore(t *testing.T) {
	db := filepath.Join(t.TempDir(), "db")
	build, err := exactVersion()
	if err != nil {
		t.Fatal(err)
	}
	open := (&options{workers: 1, quiet: true}).openSite(new(cobra.Command), 1<<30)
	h, err := hub.Start(t.Context(), hub.Options{Dir: db + hubSuffix, Version: build, Open: open, Least: 20_000, Most: 20_000})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	worked := make(chan struct{})
	go func() {
		defer close(worked)
		cancel(worker.Work(ctx, worker.Options{Access: h.Inside(), Name: "one", Version: build, Lanes: 1, Table: 16 << 20, Sets: 16 << 20, Dir: t.TempDir(), Open: open}))
	}()
	c, err := client.Dial(h.Inside())
	if err != nil {
		t.Fatal(err)
	}
	answer, err := c.Wait(ctx, wire.Question{
		Setting: proofs.Setting{Game: "konane", Board: "6x5", Rules: "opening=traditional"}, Claim: "first-wins", Position: "xoxoxo/oxoxox/xoxoxo/oxoxox/xoxoxo b first",
	}, nil)
	if err != nil {
		t.Fatal(err, context.Cause(ctx))
	}
	c.Close()
	cancel(nil)
	<-worked
	h.Close()
	got, status, faults := valueOf(t, "konane", "--board", "6x5", "--hub", "embedded", "--db", db)
	if status != done || text(got.Winner) != "second" || got.Nodes != answer.Nodes || got.Resumed != answer.Nodes {
		t.Errorf("status %d: %+v, want %+v; %s", status, got, answer, faults)
	}
	if _, err := os.Stat(db + hubSuffix); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder is still there: %v", err)
	}
}
