package command

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"

	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/hub/hubtest"
	"paika/cmd/paika/hub/wire"
	"paika/proofs"
	"paika/tablebase"
)

// faultBy runs a command that fails, and gives its status and the error that it prints with --json.
func faultBy(t *testing.T, args ...string) (int, catalogue.Fault) {
	t.Helper()
	status, out, faults := runQuietly(t, append(args, "--json")...)
	var printed struct{ Error catalogue.Fault }
	if err := json.Unmarshal([]byte(out), &printed); err != nil || printed.Error.Code == "" {
		t.Fatalf("%v: status %d: %s%s%v", args, status, out, faults, err)
	}
	return status, printed.Error
}

// TestAnEmbeddedHubFailsAsTheCommandDoes, with the same status, code and advice, and says so once.
func TestAnEmbeddedHubFailsAsTheCommandDoes(t *testing.T) {
	tables := func(name string) string {
		dir := filepath.Join(t.TempDir(), name)
		if status, _, faults := runQuietly(t, "build", "--board", "telo", "--pieces", "3", "--db", dir); status != done {
			t.Fatal(faults)
		}
		return dir
	}
	locked, damaged, none := tables("locked"), tables("damaged"), filepath.Join(t.TempDir(), "none")
	lockStore(t, locked)
	files, err := filepath.Glob(filepath.Join(damaged, "*.sst"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	if err := os.Truncate(files[0], 10); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		db   string
		want catalogue.Code
		args []string
	}{
		{locked, catalogue.CodeLocked, []string{"build", "--pieces", "4"}},
		{locked, catalogue.CodeLocked, []string{"verify"}},
		{locked, catalogue.CodeLocked, []string{"prove", "--claim", "white-wins"}},
		{damaged, catalogue.CodeDamaged, []string{"build", "--pieces", "4"}},
		{damaged, catalogue.CodeDamaged, []string{"prove", "--claim", "white-wins"}},
		{none, catalogue.CodeNotStored, []string{"verify"}},
	} {
		args := append(c.args, "--board", "telo", "--db", c.db, "--workers", "1")
		wantStatus, want := faultBy(t, args...)
		args = append(args, "--hub", "embedded")
		status, got := faultBy(t, args...)
		const by = "the hub can't answer: "
		if want.Code != c.want || status != wantStatus || got.Code != want.Code || got.Build != want.Build || got.Message != by+want.Message {
			t.Errorf("%v: status %d, %+v\nwant %d, %+v", args, status, got, wantStatus, want)
		}
		if _, _, faults := runQuietly(t, args...); strings.Count(faults, want.Message) != 1 {
			t.Errorf("%v: want the error once: %s", args, faults)
		}
	}
}

// TestWhatAHubFailsForIsTold by the code that it says, as far as this program knows that.
func TestWhatAHubFailsForIsTold(t *testing.T) {
	for _, c := range []struct {
		said   string
		want   catalogue.Code
		status int
	}{
		{"locked", catalogue.CodeLocked, unavailable}, {"damaged", catalogue.CodeDamaged, unavailable},
		{"file", catalogue.CodeFile, unavailable}, {"not-stored", catalogue.CodeNotStored, unavailable},
		{"memory", catalogue.CodeMemory, undecided}, {"undecided", catalogue.CodeUndecided, undecided},
		{"", catalogue.CodeMissing, unavailable}, {"refused", catalogue.CodeMissing, unavailable},
		{"position", catalogue.CodeMissing, unavailable}, {"stopped", catalogue.CodeMissing, unavailable},
		{"of a later version", catalogue.CodeMissing, unavailable},
	} {
		s := hubtest.Start(t)
		s.Answer(wire.SubjectAsk, func(m *nats.Msg) {
			var asked wire.Ask
			if err := json.Unmarshal(m.Data, &asked); err != nil {
				t.Error(err)
			}
			_ = m.Respond([]byte(hubtest.JSON(t, wire.State{ID: asked.ID(), Question: asked.Question, Stage: wire.Failed, Error: "why", Code: c.said})))
		})
		access := s.Access()
		there := []string{"--hub", access.URL, "--creds", access.Credentials}
		status, got := faultBy(t, append([]string{"verify", "--board", "3x3"}, there...)...)
		if status != c.status || got.Code != c.want || !strings.Contains(got.Message, "why") {
			t.Errorf("%q: status %d, %+v, want %d, %s", c.said, status, got, c.status, c.want)
		}
		build := ""
		if c.want == catalogue.CodeNotStored {
			build = "paika build fanorona --board 3x3" + strings.TrimPrefix(catalogue.CommandLine(there...), "paika")
		}
		if got.Build != build {
			t.Errorf("%q: build with %q, want %q", c.said, got.Build, build)
		}
	}
}

// TestAHubSaysWhereToRepairItsTables: who asks may be on another machine.
func TestAHubSaysWhereToRepairItsTables(t *testing.T) {
	o := &options{db: "tables"}
	of := proofs.Setting{Game: "fanorona", Board: "3x3", Rules: "stalemate=loss,direction-rule=no-repeat"}
	for _, c := range []struct {
		err        error
		code, text string
	}{
		{fmt.Errorf("a test: %w", tablebase.ErrDamaged), "damaged", ": repair them with: paika repair fanorona --board 3x3 --db tables (where the hub is)"},
		{fmt.Errorf("a test: %w", tablebase.ErrLocked), "locked", "a test: locked"},
	} {
		if code, text := o.questionFault(of, c.err); code != c.code || !strings.HasSuffix(text, c.text) {
			t.Errorf("%v: %s, %s", c.err, code, text)
		}
	}
	if code, text := o.questionFault(proofs.Setting{Game: "chess"}, tablebase.ErrDamaged); code != "damaged" || text != tablebase.ErrDamaged.Error() {
		t.Errorf("of no game: %s, %s", code, text)
	}
}
