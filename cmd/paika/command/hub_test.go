package command

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"paika/cmd/paika/hub"
	"paika/cmd/paika/hub/client"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/proofs"
)

// TestProgramsWithoutACommitAreToldApart, as test programs are.
func TestProgramsWithoutACommitAreToldApart(t *testing.T) {
	got, err := exactVersion()
	if err != nil || !regexp.MustCompile(`^.+ program [0-9a-f]{16}$`).MatchString(got) {
		t.Errorf("%q, %v", got, err)
	}
}

// TestEveryMachineHasAWorkerThatAHubLists, whatever the machine is called.
func TestEveryMachineHasAWorkerThatAHubLists(t *testing.T) {
	for host, want := range map[string]string{"ann.example.org": "ann.example.org-7", "": "worker-7", "BÜRO": "worker-7", "a b": "worker-7", strings.Repeat("x", wire.MostName): "worker-7"} {
		if got := workerName(host, 7); got != want {
			t.Errorf("%q: %q, want %q", host, got, want)
		}
	}
}

// TestAnEmbeddedHubKeepsTheWorkOfOtherQuestions in its folder.
func TestAnEmbeddedHubKeepsTheWorkOfOtherQuestions(t *testing.T) {
	db := filepath.Join(t.TempDir(), "db")
	build, err := exactVersion()
	if err != nil {
		t.Fatal(err)
	}
	h, err := hub.Start(t.Context(), hub.Options{Dir: db + hubSuffix, Version: build, Open: (&options{workers: 1, quiet: true}).openSite(new(cobra.Command), 1<<30)})
	if err != nil {
		t.Fatal(err)
	}
	c, err := client.Dial(h.Inside())
	if err != nil {
		t.Fatal(err)
	}
	long := wire.Question{
		Setting: proofs.Setting{Game: "fanorona", Board: "5x5", Rules: "stalemate=loss,direction-rule=no-repeat"}, Claim: "white-wins",
		Position: "BBBBB/BBBBB/BW.BW/WWWWW/WWWWW w",
	}
	ctx, enough := context.WithCancel(t.Context())
	_, err = c.Wait(ctx, long, func(s wire.State) {
		if s.Stage == wire.Searching {
			enough()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	c.Close()
	h.Close()
	out := new(bytes.Buffer)
	args := []string{"prove", "--board", "3x3", "--claim", "white-wins", "--hub", "embedded", "--memory", "256M", "--workers", "1", "--db", db}
	if status := Run(t.Context(), args, nil, out, out); status != 0 {
		t.Fatalf("status %d: %s", status, out)
	}
	if _, err := os.Stat(filepath.Join(db+hubSuffix, "ledger")); err != nil {
		t.Errorf("the work of the other question is gone: %v", err)
	}
}

// TestAnEmbeddedHubWithoutAWorkerEnds, with what ended the worker: nobody else will answer.
func TestAnEmbeddedHubWithoutAWorkerEnds(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	out := new(bytes.Buffer)
	args := []string{"prove", "--board", "3x3", "--claim", "white-wins", "--hub", "embedded", "--memory", "1000000G", "--db", filepath.Join(t.TempDir(), "db")}
	if status := Run(ctx, args, nil, out, out); ctx.Err() != nil || status != misused || !strings.Contains(out.String(), "transposition table") {
		t.Errorf("status %d: %s", status, out)
	}
}

// TestAHubKnowsWhatTablesTakeBeforeTheyAreLoaded: two bits a position, in whole words, for
// every table that a site has.
func TestAHubKnowsWhatTablesTakeBeforeTheyAreLoaded(t *testing.T) {
	t.Setenv(dataVariable, t.TempDir())
	o := &options{workers: 1, quiet: true}
	setting := proofs.Setting{Game: "fanorona", Board: "3x3", Rules: "stalemate=loss,direction-rule=no-repeat"}
	if named, bytes, err := o.measureSite(setting); len(named) != 0 || bytes != 0 || err != nil {
		t.Errorf("without tables: %d bytes, %v", bytes, err)
	}
	if status, _, faults := runQuietly(t, "build", "--board", "3x3", "--pieces", "2"); status != done {
		t.Fatal(faults)
	}
	shelf, err := o.openSite(new(cobra.Command), 1<<30)(t.Context(), setting, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer shelf.Close()
	if named, bytes, err := o.measureSite(setting); share.Fingerprint(named) != shelf.Tables() || bytes == 0 || bytes%8 != 0 || shelf.Slices() != 1 || err != nil {
		t.Errorf("%d bytes of %d tables, %v", bytes, shelf.Slices(), err)
	}
	if _, _, err := o.measureSite(proofs.Setting{Game: "chess"}); err == nil {
		t.Error("a game that there is not is measured")
	}
}

// TestAWorkerWaitsForAHubThatIsNotThereYet, until Ctrl-C, and says so.
func TestAWorkerWaitsForAHubThatIsNotThereYet(t *testing.T) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "nats://" + free.Addr().String()
	free.Close()
	ctx, stop := context.WithCancel(t.Context())
	want := "paika: the hub at " + url + " is away, and is waited for\n"
	said := &stopAt{text: want, cancel: stop}
	if status := Run(ctx, []string{"work", url, "--workers", "1", "--memory", "256M"}, nil, said, said); status != stopped || !strings.HasPrefix(said.String(), want) || strings.Count(said.String(), "away") != 1 {
		t.Errorf("status %d, %s", status, said)
	}
}
