package command

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"paika/cmd/paika/hub"
	"paika/cmd/paika/hub/construction"
	"paika/cmd/paika/hub/inspection"
	"paika/cmd/paika/hub/wire"
	"paika/proofs"
)

// stopAfter cancels once so many writes came.
type stopAfter struct {
	bytes.Buffer
	writes int
	cancel context.CancelFunc
}

func (s *stopAfter) Write(p []byte) (int, error) {
	if s.writes--; s.writes == 0 {
		s.cancel()
	}
	return s.Buffer.Write(p)
}

// TestJobsAreWatchedUntilStopped: each look is a line of JSON.
func TestJobsAreWatchedUntilStopped(t *testing.T) {
	h, err := hub.Start(t.Context(), hub.Options{Dir: t.TempDir(), Address: "127.0.0.1:0", Version: version()})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	ctx, cancel := context.WithCancel(t.Context())
	out, faults := &stopAfter{writes: 2, cancel: cancel}, new(bytes.Buffer)
	status := Run(ctx, []string{"jobs", "--hub", h.URL(), "--creds", h.Credentials(), "--watch", "--json"}, nil, out, faults)
	if lines := strings.Count(out.String(), `"questions":[]`); status != stopped || lines != 2 {
		t.Errorf("status %d, %d lines: %s%s", status, lines, out, faults)
	}
}

// stopAt cancels once a text came.
type stopAt struct {
	bytes.Buffer
	text   string
	cancel context.CancelFunc
}

func (s *stopAt) Write(p []byte) (int, error) {
	n, err := s.Buffer.Write(p)
	if strings.Contains(string(p), s.text) {
		s.cancel()
	}
	return n, err
}

// TestWhoAsksIsToldThatTheHubIsAway, and does not wait without a word.
func TestWhoAsksIsToldThatTheHubIsAway(t *testing.T) {
	h, err := hub.Start(t.Context(), hub.Options{Dir: t.TempDir(), Address: "127.0.0.1:0", Version: version(), Open: (&options{workers: 1, quiet: true}).openSite(new(cobra.Command), 1<<30)})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	go func() {
		for h.Unanswered() == 0 && ctx.Err() == nil {
			time.Sleep(time.Millisecond)
		}
		h.Close()
	}()
	out, faults := new(bytes.Buffer), &stopAt{text: "is away", cancel: cancel}
	args := []string{"value", "konane", "--board", "4x4", "--hub", h.URL(), "--creds", h.Credentials(), "--db", t.TempDir(), "--quiet"}
	if status := Run(ctx, args, nil, out, faults); status != stopped || !strings.Contains(faults.String(), h.URL()+" is away") {
		t.Errorf("status %d: %s%s", status, out, faults.String())
	}
}

// TestAQuestionThatWaitsSaysForWhat, of whatever kind it is.
func TestAQuestionThatWaitsSaysForWhat(t *testing.T) {
	for _, kind := range []wire.Kind{wire.Proof, wire.Construction} {
		out := new(bytes.Buffer)
		q := wire.State{Question: wire.Question{Kind: kind}, Stage: wire.Waiting}
		if err := printStatus(out, wire.Status{Questions: []wire.State{q}}); err != nil || !strings.Contains(out.String(), ": waiting for memory") {
			t.Errorf("%q: %v: %s", kind, err, out)
		}
	}
}

// TestWhatAHubThatIsWellHasNoneOfIsListed where there is any.
func TestWhatAHubThatIsWellHasNoneOfIsListed(t *testing.T) {
	last := func(j wire.Jobs) (lines string) {
		out := new(bytes.Buffer)
		if err := printStatus(out, wire.Status{Jobs: j}); err != nil {
			t.Error(err)
		}
		_, lines, _ = strings.Cut(out.String(), "given up\n")
		return lines
	}
	for j, want := range map[wire.Jobs]string{
		{}:              "",
		{Refuted: 2}:    "workers whose accepted results the hub found wrong: 2\n",
		{Unknown: 1000}: "results of questions or jobs that the hub does not know: 1,000\n",
		{Torn: 3}:       "lines of the ledger that are not whole, and are left out: 3\n",
	} {
		if got := last(j); got != want {
			t.Errorf("%+v: %q, want %q", j, got, want)
		}
	}
}

// TestAFullDiskIsListed, whatever kind of question waits for it, beside how far that is.
func TestAFullDiskIsListed(t *testing.T) {
	for _, kind := range []wire.Kind{wire.Proof, wire.Verification, wire.Construction} {
		out := new(bytes.Buffer)
		q := wire.State{Question: wire.Question{Kind: kind}, Stage: wire.Searching, Full: "tables for workers (hub/tables: full)"}
		q.Pieces, q.Groups = &inspection.Progress{}, &construction.Progress{}
		err := printStatus(out, wire.Status{Questions: []wire.State{q}})
		if line, _, _ := strings.Cut(out.String(), "\n"); err != nil || !strings.HasSuffix(line, " s; the hub has no room on its disk for tables for workers (hub/tables: full)") {
			t.Errorf("%q: %v: %s", kind, err, line)
		}
	}
}

// TestAQueueThatTakesNoJobsIsListed beside how far a question is.
func TestAQueueThatTakesNoJobsIsListed(t *testing.T) {
	out := new(bytes.Buffer)
	q := wire.State{Stage: wire.Searching, Unsent: "nats: no response"}
	err := printStatus(out, wire.Status{Questions: []wire.State{q}})
	if line, _, _ := strings.Cut(out.String(), "\n"); err != nil || !strings.HasSuffix(line, " s; the hub can't give out jobs, for NATS does not take them (nats: no response)") {
		t.Errorf("%v: %s", err, line)
	}
}

// TestQuestionsAreListedWithTheirRules, of whatever kind: those about one board may differ by these alone.
func TestQuestionsAreListedWithTheirRules(t *testing.T) {
	for _, kind := range []wire.Kind{wire.Proof, wire.Verification, wire.Construction} {
		for rules, want := range map[string]string{"goal-stop=true": "phutball on 3x7, rules goal-stop=true, ", "": "phutball on 3x7, ", "x=\x1b[2J": `phutball on 3x7, rules x=\x1b[2J, `} {
			out := new(bytes.Buffer)
			q := wire.State{Question: wire.Question{Kind: kind, Setting: proofs.Setting{Game: "phutball", Board: "3x7", Rules: rules}, Claim: "ohs-wins"}, Stage: wire.Searching}
			if err := printStatus(out, wire.Status{Questions: []wire.State{q}}); err != nil || !strings.HasPrefix(out.String(), want) || strings.Contains(out.String(), ", rules ,") {
				t.Errorf("%q: %v: %s\nwant %s", kind, err, out, want)
			}
		}
	}
}

// TestLooksAreParted by an empty line, where they are for people.
func TestLooksAreParted(t *testing.T) {
	h, err := hub.Start(t.Context(), hub.Options{Dir: t.TempDir(), Address: "127.0.0.1:0", Version: version()})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	ctx, cancel := context.WithCancel(t.Context())
	out, faults := &stopAfter{writes: 4, cancel: cancel}, new(bytes.Buffer)
	status := Run(ctx, []string{"jobs", "--hub", h.URL(), "--creds", h.Credentials(), "--watch"}, nil, out, faults)
	looks := strings.Split(out.String(), "\n\n")
	if status != stopped || len(looks) < 2 || !strings.HasPrefix(looks[1], "worker ") {
		t.Errorf("status %d: %s%s", status, out, faults)
	}
}

// TestAQuestionSaysWhatIsDoneAndThatNoWorkerIsThere, of whatever kind it is.
func TestAQuestionSaysWhatIsDoneAndThatNoWorkerIsThere(t *testing.T) {
	for kind, doing := range map[wire.Kind]string{wire.Proof: ": searching, ", wire.Verification: ": verifying, ", wire.Construction: ": building, "} {
		q := wire.State{Question: wire.Question{Kind: kind}, Stage: wire.Searching, NoWorker: true}
		q.Pieces, q.Groups = &inspection.Progress{}, &construction.Progress{}
		if text := tellQuestion(q); !strings.Contains(text, doing) || !strings.HasSuffix(text, " s; no worker is there") {
			t.Error(text)
		}
	}
}
