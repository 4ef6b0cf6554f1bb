package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const (
	kills    = 20
	killSeed = 7
)

// paika runs the program, as TestMain has put it on the path, in a folder.
func paika(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "paika", args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			out = append(out, exit.Stderr...)
		}
		t.Fatalf("paika %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// runAndKill runs the program and kills it after some time. It tells whether
// the program came to its end before.
func runAndKill(t *testing.T, dir string, after time.Duration, args ...string) (ended bool) {
	t.Helper()
	var log strings.Builder
	cmd := exec.Command("paika", args...)
	cmd.Dir, cmd.Stderr = dir, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(after, func() { cmd.Process.Kill() })
	defer timer.Stop()
	err := cmd.Wait()
	if err != nil && cmd.ProcessState.Exited() {
		t.Fatalf("paika %s: %v\n%s", strings.Join(args, " "), err, log.String())
	}
	return err == nil
}

// killedBuild is the folder of a build that is killed time and again, and goes
// on where it was.
type killedBuild struct {
	dir    string
	db     string
	metric string
}

func (b killedBuild) build() []string {
	return []string{"build", "--board", "5x3", "--pieces", "7", "--metric", b.metric, "--db", b.db, "--workers", "2"}
}

// check wants a manifest, byte for byte, and every value right.
func (b killedBuild) check(t *testing.T, want string) {
	t.Helper()
	if got := paika(t, b.dir, "stats", "--board", "5x3", "--db", b.db, "--manifest"); got != want {
		t.Errorf("%s: manifest\n%s\nwant\n%s", b.db, got, want)
	}
	if said := paika(t, b.dir, "verify", "--board", "5x3", "--db", b.db); !strings.Contains(said, "all is well") {
		t.Errorf("%s: verify says %s", b.db, said)
	}
}

// Builds that are killed at any moment, each of which goes on where the last one
// was, come to the manifest of a build that nobody disturbed, and to tables in
// which every value is right.
func TestKilledBuildsComeToTheSameTables(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes for some seconds")
	}
	random := rand.New(rand.NewPCG(killSeed, 1))
	for _, metric := range []string{"wdl", "dtw"} {
		b := killedBuild{t.TempDir(), "whole", metric}
		began := time.Now()
		paika(t, b.dir, b.build()...)
		undisturbed := time.Since(began)
		want := paika(t, b.dir, "stats", "--board", "5x3", "--db", b.db, "--manifest")

		finished := 0
		for killed := 0; killed < kills/2; {
			b.db = fmt.Sprintf("killed-%d", finished)
			after := time.Duration(random.Int64N(int64(undisturbed) * 2 / 3))
			if runAndKill(t, b.dir, after, b.build()...) {
				b.check(t, want)
				finished++
				undisturbed = min(undisturbed, after+time.Millisecond) // the machine was busier before
				continue
			}
			killed++
			t.Logf("seed %d: %s in %s, kill %d after %v", killSeed, metric, b.db, killed, after)
		}
		paika(t, b.dir, b.build()...)
		b.check(t, want)
	}
}

// A search that is killed at any moment, each time to go on from what it saved
// last, comes to a proof that holds.
func TestKilledProofsGoOn(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes for some seconds")
	}
	dir := t.TempDir()
	paika(t, dir, "build", "--board", "dimy", "--pieces", "4", "--quiet")
	prove := []string{"prove", "--board", "dimy", "--claim", "draw", "--out", "draw.proof", "--memory", "96MiB", "--save-every", "20ms", "--json"}
	began := time.Now()
	paika(t, dir, prove...)
	undisturbed := time.Since(began)

	type answer struct {
		Result, Checkpoint string
		Resumed            uint64
	}
	// The first run ends at its limit, so that there is a checkpoint for certain.
	var limited answer
	exit := exec.CommandContext(t.Context(), "paika", append(prove, "--nodes", "5000")...)
	exit.Dir = dir
	if said, err := exit.Output(); exit.ProcessState.ExitCode() != undecided {
		t.Fatalf("a limit of 5000 nodes: %v", err)
	} else if err := json.Unmarshal(said, &limited); err != nil {
		t.Fatal(err)
	}
	saved := filepath.Join(dir, limited.Checkpoint)
	if _, err := os.Stat(saved); err != nil || limited.Checkpoint == "" {
		t.Fatalf("%+v: %v", limited, err)
	}
	check := func() {
		t.Helper()
		for _, side := range []string{"white", "black"} {
			if said := paika(t, dir, "check", "draw.proof."+side); !strings.Contains(said, "valid") {
				t.Error(said)
			}
		}
	}
	random := rand.New(rand.NewPCG(killSeed, 2))
	for killed := 0; killed < kills/2; killed++ {
		for _, side := range []string{"white", "black"} {
			if err := os.Remove(filepath.Join(dir, "draw.proof."+side)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
		}
		ended := runAndKill(t, dir, time.Duration(random.Int64N(int64(undisturbed))), prove...)
		if _, err := os.Stat(saved); ended || errors.Is(err, fs.ErrNotExist) {
			check() // it came to its end: what it saved goes last, when its certificates are there
			return
		}
	}
	var got answer
	if err := json.Unmarshal([]byte(paika(t, dir, prove...)), &got); err != nil {
		t.Fatal(err)
	}
	if got.Result != "proved" || got.Checkpoint != "" || got.Resumed < 5000 {
		t.Errorf("%+v", got)
	}
	check()
}
