package command

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/hub/construction"
	"paika/cmd/paika/hub/hubtest"
	"paika/cmd/paika/hub/inspection"
	"paika/cmd/paika/hub/wire"
	"paika/solver/proofnumber"
	verification "paika/tablebase/verify"
)

// TestAReportThatArrivedIsShown, also where another client asks anew before the hub hears that it has.
func TestAReportThatArrivedIsShown(t *testing.T) {
	s := hubtest.Start(t)
	s.Answer(wire.SubjectAsk, func(m *nats.Msg) {
		var asked wire.Ask
		if err := json.Unmarshal(m.Data, &asked); err != nil {
			t.Error(err)
		}
		answer := wire.State{ID: asked.ID(), Question: asked.Question, Stage: wire.Done, Report: &inspection.Report{Slices: 7}}
		if asked.Taken {
			answer = wire.State{Error: "there is no answer to be taken"}
		}
		_ = m.Respond([]byte(hubtest.JSON(t, answer)))
	})
	access := s.Access()
	status, out, faults := runQuietly(t, "verify", "--board", "3x3", "--hub", access.URL, "--creds", access.Credentials)
	if status != done || !strings.Contains(out, "7 slices") {
		t.Errorf("status %d: %s%s", status, out, faults)
	}
}

// TestWhoStopsBeforeTheHubHasAnsweredIsToldThat, and not how far a question is of which nothing is known.
func TestWhoStopsBeforeTheHubHasAnsweredIsToldThat(t *testing.T) {
	asked := wire.Question{Kind: wire.Verification}
	known := wire.State{ID: asked.ID(), Question: asked, Stage: wire.Searching}
	known.Pieces = &inspection.Progress{Pieces: 9, Settled: 4}
	for _, c := range []struct {
		last wire.State
		kept leftover
		want string
	}{
		{wire.State{Question: asked}, leftover{}, "paika: the hub has not answered; come back with: paika verify\n"},
		{known, leftover{}, "paika: 4 of 9 shares done, the hub goes on; come back with: paika verify\n"},
		{known, leftover{folder: "x.hub"}, "paika: 4 of 9 shares done, what is done is saved in x.hub; come back with: paika verify\n"},
		{wire.State{Question: asked}, leftover{folder: "x.hub"}, "paika: what is done is saved in x.hub; come back with: paika verify\n"},
		{wire.State{ID: "1", Stage: wire.Searching, AtHand: 1234}, leftover{"x.hub", true}, "paika: 1,234 nodes searched, what is proved or refuted, and not the tables of workers, is saved in x.hub; come back with: paika verify\n"},
		{wire.State{}, leftover{"x.hub", true}, "paika: what is proved or refuted, and not the tables of workers, is saved in x.hub; come back with: paika verify\n"},
		{wire.State{ID: "1", Stage: wire.Searching, AtHand: 1234}, leftover{folder: "x.hub"}, "paika: 1,234 nodes searched, what is done is saved in x.hub; come back with: paika verify\n"},
		{wire.State{ID: "1", Question: asked, Stage: wire.Waiting}, leftover{}, "paika: it has not begun, the hub goes on; come back with: paika verify\n"},
		{wire.State{ID: "1", Stage: wire.Preparing}, leftover{}, "paika: it has not begun, the hub goes on; come back with: paika verify\n"},
		{wire.State{ID: "1", Stage: wire.Searching, AtHand: 1234}, leftover{}, "paika: 1,234 nodes searched, the hub goes on; come back with: paika verify\n"},
		{wire.State{ID: "1", Stage: wire.Done}, leftover{}, "paika: the hub has the answer; come back with: paika verify\n"},
	} {
		var out strings.Builder
		if (session{options: &options{args: []string{"verify"}}}).printLeft(&out, c.last, c.kept); out.String() != c.want {
			t.Errorf("%q, want %q", out.String(), c.want)
		}
	}
}

// TestWhoStopsIsToldThatTheHubGoesOn, whatever the command, and so is whose time is over.
func TestWhoStopsIsToldThatTheHubGoesOn(t *testing.T) {
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"prove", "--board", "3x3", "--claim", "draw"}, stopped, "7 nodes searched"},
		{[]string{"prove", "--board", "3x3", "--claim", "draw", "--time", "50ms"}, undecided, "7 nodes searched"},
		{[]string{"value", "konane", "--board", "4x4"}, stopped, "7 nodes searched"},
		{[]string{"verify", "--board", "3x3"}, stopped, "it has not begun"},
		{[]string{"build", "--board", "3x3", "--pieces", "4"}, stopped, "it has not begun"},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		s := hubtest.Start(t)
		asks := 0
		s.Answer(wire.SubjectAsk, func(m *nats.Msg) {
			var asked wire.Ask
			if err := json.Unmarshal(m.Data, &asked); err != nil {
				t.Error(err)
			}
			if asks++; asks > 1 && c.status == stopped {
				cancel()
			}
			_ = m.Respond([]byte(hubtest.JSON(t, wire.State{ID: asked.ID(), Question: asked.Question, Stage: wire.Searching, AtHand: 7})))
		})
		access := s.Access()
		args := append(c.args, "--hub", access.URL, "--creds", access.Credentials)
		if args[0] == "value" {
			args = append(args, "--db", t.TempDir())
		}
		var out, faults strings.Builder
		status := Run(ctx, append(args, "--quiet"), nil, &out, &faults)
		cancel()
		if want := "paika: " + c.want + ", the hub goes on; come back with: paika " + args[0] + " "; status != c.status || !strings.Contains(faults.String(), want) {
			t.Errorf("status %d: %s%s\nwant %s", status, &out, &faults, want)
		}
	}
}

// TestABuildOfAHubIsFinishedThere: the tables that a build left unfinished are on its machine.
func TestABuildOfAHubIsFinishedThere(t *testing.T) {
	s := hubtest.Start(t)
	s.Answer(wire.SubjectAsk, func(m *nats.Msg) {
		var asked wire.Ask
		if err := json.Unmarshal(m.Data, &asked); err != nil {
			t.Error(err)
		}
		report := &inspection.Report{Slices: 1, Total: 1, Findings: []verification.Finding{{Metric: bitboard.DTW, Slice: "2v1", What: verification.UnfinishedBuild}}}
		_ = m.Respond([]byte(hubtest.JSON(t, wire.State{ID: asked.ID(), Question: asked.Question, Stage: wire.Done, Report: report})))
	})
	access := s.Access()
	there := []string{"--hub", access.URL, "--creds", access.Credentials}
	for _, c := range []struct{ game, board, slices string }{{"fanorona", "3x3", "--slices 2v1"}, {"phutball", "3x5", "--pieces all"}} {
		status, _, faults := runQuietly(t, append([]string{"verify", c.game, "--board", c.board}, there...)...)
		want := "go on with: paika build " + c.game + " " + c.slices + " --board " + c.board + strings.TrimPrefix(catalogue.CommandLine(there...), "paika") + " --metric dtw\n"
		if status != failed || !strings.Contains(faults, want) {
			t.Errorf("status %d: %s\nwant %s", status, faults, want)
		}
	}
}

// TestWhoBuildsIsToldWhatMemoryIsWanting, once for each group.
func TestWhoBuildsIsToldWhatMemoryIsWanting(t *testing.T) {
	s := hubtest.Start(t)
	small, large := &construction.Short{Group: "2v1 1v2", Need: 3<<20 + 1, Most: 2 << 20}, &construction.Short{Group: "3v1 1v3", Need: 20<<30 + 1, Most: 16 << 30}
	answers := []*construction.Short{nil, small, small, large, nil, large}
	s.Answer(wire.SubjectAsk, func(m *nats.Msg) {
		var asked wire.Ask
		if err := json.Unmarshal(m.Data, &asked); err != nil {
			t.Error(err)
		}
		state := wire.State{ID: asked.ID(), Question: asked.Question, Stage: wire.Done, Built: &construction.Tally{}}
		if len(answers) > 0 {
			state.Stage, state.Built = wire.Searching, nil
			state.Groups, answers = &construction.Progress{Groups: 9, Waiting: 9, Short: answers[0]}, answers[1:]
		}
		_ = m.Respond([]byte(hubtest.JSON(t, state)))
	})
	access := s.Access()
	status, _, faults := runQuietly(t, "build", "--board", "3x3", "--pieces", "4", "--hub", access.URL, "--creds", access.Credentials)
	want := "paika: no worker has the memory for 2v1 1v2, which needs 3.0 MiB, and the most that one has is 2.0 MiB: it waits for a worker with more, such as paika work --memory 4MiB\n" +
		"paika: no worker has the memory for 3v1 1v3, which needs 20.0 GiB, and the most that one has is 16.0 GiB: it waits for a worker with more, such as paika work --memory 21GiB\n"
	if status != done || faults != want {
		t.Errorf("status %d: %s\nwant %s", status, faults, want)
	}
}

// TestWhoAsksIsToldWhatTheQuestionWaitsFor, whatever the command, and once.
func TestWhoAsksIsToldWhatTheQuestionWaitsFor(t *testing.T) {
	for _, args := range [][]string{
		{"prove", "--board", "3x3", "--claim", "white-wins"},
		{"value", "konane", "--board", "4x4"},
		{"verify", "--board", "3x3"},
		{"build", "--board", "3x3", "--pieces", "4"},
	} {
		s := hubtest.Start(t)
		lacks := []wire.State{{Stage: wire.Preparing, Busy: true}, {Stage: wire.Preparing, Busy: true}, {Stage: wire.Searching, NoWorker: true}, {Stage: wire.Searching, NoWorker: true}}
		wrong := wire.State{Stage: wire.Searching}
		wrong.Groups = &construction.Progress{Distrusted: true}
		lacks = append(lacks, wrong, wrong, wire.State{Full: "a line of the ledger (hub: full)"})
		for range 2 {
			lacks = append(lacks, wire.State{Stage: wire.Searching, Full: "tables for workers (hub/tables: full)"})
		}
		lacks = append(lacks, wire.State{Stage: wire.Searching, Unsent: "nats: no response"})
		s.Answer(wire.SubjectAsk, func(m *nats.Msg) {
			var asked wire.Ask
			if err := json.Unmarshal(m.Data, &asked); err != nil {
				t.Error(err)
			}
			state := wire.State{Stage: wire.Done, Result: proofnumber.Proved, Report: &inspection.Report{}, Built: &construction.Tally{}}
			if len(lacks) > 0 {
				state, lacks = lacks[0], lacks[1:]
			}
			state.ID, state.Question = asked.ID(), asked.Question
			_ = m.Respond([]byte(hubtest.JSON(t, state)))
		})
		access := s.Access()
		status, out, faults := runQuietly(t, append(args, "--hub", access.URL, "--creds", access.Credentials, "--json")...)
		want := "paika: the tables are in use, by another question of the hub or by another process: this question waits until they are free\n" +
			"paika: no worker is at the hub: the question waits for one, such as paika work " + access.URL + " --creds FILE\n" +
			"paika: each worker at the hub was found wrong, and is believed no more: it waits for another one, such as paika work " + access.URL + " --creds FILE\n" +
			"paika: the hub has no room on its disk for a line of the ledger (hub: full): the question waits for some\n" +
			"paika: the hub has no room on its disk for tables for workers (hub/tables: full): the question waits for some\n" +
			"paika: the hub can't give out jobs, for NATS does not take them (nats: no response): the question waits until it can\n"
		if status != done || faults != want || !json.Valid([]byte(out)) {
			t.Errorf("%s: status %d: %s%swant %s", args[0], status, out, faults, want)
		}
	}
}

// TestJobsTellsWhatIsWanting beside how far a build is.
func TestJobsTellsWhatIsWanting(t *testing.T) {
	q := wire.State{Question: wire.Question{Kind: wire.Construction}, Stage: wire.Searching}
	q.Groups = &construction.Progress{Groups: 2, Waiting: 2, Short: &construction.Short{Group: "2v1 1v2", Need: 3 << 20, Most: 2 << 20}}
	if text := tellBuilt(q); !strings.HasSuffix(text, "; no worker has the memory for 2v1 1v2, which needs 3.0 MiB, and the most that one has is 2.0 MiB") {
		t.Error(text)
	}
	q.Groups.Distrusted = true
	if text := tellBuilt(q); !strings.HasSuffix(text, "; each worker at the hub was found wrong, and is believed no more") {
		t.Error(text)
	}
}
