package command

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"

	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/hub/hubtest"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/solver/proofnumber"
)

// proveShown is what prove tells in JSON.
func proveShown(t *testing.T, args ...string) (p catalogue.Proved, status int, faults string) {
	t.Helper()
	status, out, faults := runQuietly(t, append([]string{"prove", "--json", "--memory", "256M"}, args...)...)
	if err := json.Unmarshal([]byte(out), &p); err != nil {
		t.Fatalf("%v: %s%s", err, out, faults)
	}
	return p, status, faults
}

// TestAHubTellsOfTurnsAsASearchDoes once the claim is decided: which one shows that, or that all do, and
// what was searched below each.
func TestAHubTellsOfTurnsAsASearchDoes(t *testing.T) {
	t.Setenv(dataVariable, t.TempDir())
	for _, args := range [][]string{
		{"konane", "--board", "4x4", "--opening", "corner-h", "--claim", "black-wins"},
		{"konane", "--board", "4x4", "--opening", "corner-h", "--claim", "white-wins"},
		{"konane", "--board", "4x4", "--opening", "corner-h", "--to-move", "white", "--claim", "white-wins"},
		{"fanorona", "--board", "3x3", "--claim", "white-wins"},
		{"fanorona", "--board", "3x3", "--claim", "black-not-lost"},
		{"fanorona", "--board", "5x3", "--claim", "white-not-lost"},
	} {
		want, status, _ := proveShown(t, args...)
		got, by, faults := proveShown(t, append(args, "--hub", "embedded")...)
		if status != by || len(got.Claims) != 1 || len(got.Claims[0].Openings) != len(want.Claims[0].Openings) {
			t.Fatalf("%v: by a hub %d %+v, want %d %+v; %s", args, by, got, status, want, faults)
		}
		shown, expected, nodes := got.Claims[0], want.Claims[0], uint64(0)
		for i, o := range shown.Openings {
			if o.Turn != expected.Openings[i].Turn || o.Position != expected.Openings[i].Position || o.Nodes == nil || o.Share == nil {
				t.Errorf("%v: %+v, want %+v", args, o, expected.Openings[i])
				continue
			}
			if o.Result == proofnumber.Undecided && (o.Proof == nil || o.Disproof == nil || *o.Proof == 0 || *o.Disproof == 0) {
				t.Errorf("%v: of %s, which is open, no numbers", args, o.Turn)
			}
			nodes += *o.Nodes
		}
		if nodes == 0 && got.Nodes > 1 {
			t.Errorf("%v: of %d nodes, none below a turn", args, got.Nodes)
		}
		if shown.Count(expected.Result) == 0 && expected.Count(expected.Result) > 0 {
			t.Errorf("%v: no turn is %v of %+v", args, expected.Result, shown.Openings)
		}
	}
}

// TestAHubGoesOnWithAProof where Ctrl-C stopped it: it says with how much, tells that from what it did now,
// and tells the nodes of both by the turns that they are below.
func TestAHubGoesOnWithAProof(t *testing.T) {
	db := filepath.Join(t.TempDir(), "db")
	args := []string{"konane", "--board", "8x8", "--claim", "first-wins", "--hub", "embedded", "--workers", "2", "--memory", "256M", "--db", db}
	status, _, faults := runUntil(t, func() bool { return results(db) > 0 }, append([]string{"prove", "--quiet"}, args...)...)
	if status != 130 || strings.Contains(faults, "going on") {
		t.Fatalf("status %d: %s", status, faults)
	}
	p, status, faults := proveShown(t, append(args, "--time", "10ms")...)
	for p.Nodes == 0 && status == undecided { // the time was over before the ledger was read
		p, status, faults = proveShown(t, append(args, "--time", "1s")...)
	}
	if status != undecided || p.Resumed == 0 || p.Resumed > p.Nodes {
		t.Errorf("status %d: %d of %d nodes were known", status, p.Resumed, p.Nodes)
	}
	if want := fmt.Sprintf("paika: going on: %s nodes were searched before, as %s tells\n", thousands(p.Resumed), db+hubSuffix); !strings.Contains(faults, want) {
		t.Errorf("%q, want %q", faults, want)
	}
	below := uint64(0)
	for _, o := range p.Claims[0].Openings { // images have the same nodes, as without a hub
		below = max(below, *o.Nodes)
	}
	if below == 0 || below > p.Nodes {
		t.Errorf("%d of %d nodes are below one turn", below, p.Nodes)
	}
}

// TestARateIsOfThisRun, with nodes that were known before and took none of its time.
func TestARateIsOfThisRun(t *testing.T) {
	s := hubtest.Start(t)
	s.Answer(wire.SubjectAsk, func(m *nats.Msg) {
		var asked wire.Ask
		if err := json.Unmarshal(m.Data, &asked); err != nil {
			t.Error(err)
		}
		_ = m.Respond([]byte(hubtest.JSON(t, wire.State{
			ID: asked.ID(), Question: asked.Question, Stage: wire.Done, Result: proofnumber.Refuted, Seconds: 100, Resumed: 5_000_000,
			Standing: wire.Standing{Progress: share.Progress{Nodes: 5_200_000}},
		})))
	})
	access := s.Access()
	args := []string{"prove", "--board", "3x3", "--claim", "white-wins", "--hub", access.URL, "--creds", access.Credentials}
	_, out, _ := runQuietly(t, args...)
	if want := "5,200,000 nodes, 5,000,000 of them before it was stopped, in 100.00 s with no tables, 2,000 nodes/s"; !strings.Contains(out, want) {
		t.Errorf("%s, want %s", out, want)
	}
}
