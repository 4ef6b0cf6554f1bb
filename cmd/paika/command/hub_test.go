package command

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/spf13/cobra"

	"paika/cmd/paika/hub"
	"paika/proofs"
)

// TestProgramsWithoutACommitAreToldApart, as test programs are.
func TestProgramsWithoutACommitAreToldApart(t *testing.T) {
	got, err := exactVersion()
	if err != nil || !regexp.MustCompile(`^.+ program [0-9a-f]{16}$`).MatchString(got) {
		t.Errorf("%q, %v", got, err)
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
	c, err := hub.Dial(hub.Access{Inside: h})
	if err != nil {
		t.Fatal(err)
	}
	long := hub.Question{
		Setting: proofs.Setting{Game: "fanorona", Board: "5x5", Rules: "stalemate=loss,direction-rule=no-repeat"}, Claim: "white-wins",
		Position: "BBBBB/BBBBB/BW.BW/WWWWW/WWWWW w",
	}
	ctx, enough := context.WithCancel(t.Context())
	_, err = c.Wait(ctx, long, func(s hub.State) {
		if s.Stage == hub.Searching {
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
