package command

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/hub"
	"paika/cmd/paika/hub/hubtest"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/solver/proofnumber"
)

// TestACertificateThatComesTooLateIsNone, as where no hub is asked: what was proved is said.
func TestACertificateThatComesTooLateIsNone(t *testing.T) {
	const content, bound = "certificate", 50 * time.Millisecond
	s := hubtest.Start(t)
	s.Answer(wire.SubjectAsk, func(m *nats.Msg) {
		var asked wire.Ask
		if err := json.Unmarshal(m.Data, &asked); err != nil {
			t.Error(err)
		}
		sum := sha256.Sum256([]byte(content))
		_ = m.Respond([]byte(hubtest.JSON(t, wire.State{
			ID: asked.ID(), Question: asked.Question, Stage: wire.Done, Result: proofnumber.Proved,
			Proof: share.Part{Digest: hex.EncodeToString(sum[:]), Bytes: int64(len(content))},
		})))
	})
	s.Answer(wire.SubjectFetch, func(m *nats.Msg) {
		time.Sleep(2 * bound)
		_ = m.Respond([]byte(content))
	})
	access, file := s.Access(), filepath.Join(t.TempDir(), "proof")
	status, out, faults := runQuietly(t, "prove", "--board", "3x3", "--claim", "white-wins", "--time", bound.String(), "--hub", access.URL, "--creds", access.Credentials, "--out", file)
	if status != undecided || out != "" || !strings.Contains(faults, "white-wins is proved, its certificate takes more") {
		t.Errorf("status %d: %s%s", status, out, faults)
	}
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// TestAClaimHasItsNameThoughNoHubAnswers before the time is over.
func TestAClaimHasItsNameThoughNoHubAnswers(t *testing.T) {
	access := hubtest.Start(t).Access()
	for claim, first := range map[string]string{"white-wins": "white-wins", "draw": "white-not-lost"} {
		status, out, faults := runQuietly(t, "prove", "--board", "3x3", "--claim", claim, "--time", "10ms", "--hub", access.URL, "--creds", access.Credentials, "--json")
		var proved catalogue.Proved
		if err := json.Unmarshal([]byte(out), &proved); err != nil {
			t.Fatal(err, out, faults)
		}
		if status != undecided || len(proved.Claims) != 1 || proved.Claims[0].Claim != first {
			t.Errorf("%s: status %d: %s", claim, status, out)
		}
	}
}

// TestAHubHelpsWithAPositionAsTheCommandDoes: it is told of which board it should be.
func TestAHubHelpsWithAPositionAsTheCommandDoes(t *testing.T) {
	for _, args := range [][]string{{"prove", "--claim", "white-wins"}, {"prove", "--claim", "draw"}, {"value"}} {
		args = append(args, "--board", "3x3", "--db", filepath.Join(t.TempDir(), "db"), "WWW/... w")
		want, _, told := runQuietly(t, args...)
		status, _, faults := runQuietly(t, append(args, "--hub", "embedded")...)
		if status != want || faults != told || !strings.Contains(faults, "(on board 3x3; --board names another)") {
			t.Errorf("%v: status %d: %s\nwant %d: %s", args, status, faults, want, told)
		}
	}
}

// TestWhatAnEmbeddedHubSearchedIsSaved with the tables of its worker, whether Ctrl-C or --time ends it. No machine
// settles 8x8 before.
func TestWhatAnEmbeddedHubSearchedIsSaved(t *testing.T) {
	const want = " nodes searched, what is done is saved in "
	for how, run := range map[string]func(db string, args []string) (int, string, string){
		"Ctrl-C": func(db string, args []string) (int, string, string) {
			return runUntil(t, func() bool { return results(db) > 0 }, args...)
		},
		"--time": func(_ string, args []string) (int, string, string) {
			return runQuietly(t, append(args, "--time", "1s")...)
		},
	} {
		db := filepath.Join(t.TempDir(), "db") // what one has found ends no other early
		args := []string{"prove", "konane", "--board", "8x8", "--claim", "first-wins", "--hub", "embedded", "--quiet", "--workers", "1", "--memory", "256M", "--db", db}
		status, _, faults := run(db, args)
		if status != stopped && status != undecided || !strings.Contains(faults, want) || !strings.Contains(faults, "; come back with: paika prove konane ") || strings.Contains(faults, "nodes saved") {
			t.Errorf("%s: status %d: %s", how, status, faults)
		}
		saved, err := filepath.Glob(filepath.Join(db+hubSuffix, hub.SearchFolder, "*.search"))
		if err != nil || len(saved) != 1 {
			t.Errorf("%s: saved: %v, %v", how, saved, err)
		}
	}
}
