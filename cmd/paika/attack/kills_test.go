package attack

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// work is a command that is killed time and again, each time to go on, until it
// comes to its end.
type work struct {
	dir   string
	args  []string
	takes time.Duration                                  // undisturbed
	check func(t *testing.T, dir, stdout string) verdict // by what the last run said
}

// kills is how often it is killed at most; after that it may go on to its end.
const kills = 3

// disturb runs the work, with signals at random moments.
func (w work) disturb(t *testing.T, r *rand.Rand) (what string, v verdict) {
	t.Helper()
	for range kills {
		after := time.Duration(r.Int64N(int64(w.takes)))
		signals := []os.Signal{os.Kill, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}
		signal := signals[r.IntN(len(signals))]
		what += signal.String() + " after " + after.String() + ", "
		done, v := w.signalled(t, after, signal)
		if v.defect() {
			return what, v
		}
		if done {
			break
		}
	}
	s := paika(t, w.dir, "", w.args...)
	if v, broken := s.broken(); broken {
		return what, v
	}
	if s.status != statusDone {
		return what, verdict{lost, "it does not go on: " + s.stderr}
	}
	return what, w.check(t, w.dir, s.stdout)
}

// signalled runs the work, and tells whether it is done in spite of a signal, or before it.
func (w work) signalled(t *testing.T, after time.Duration, signal os.Signal) (done bool, v verdict) {
	t.Helper()
	begun := filepath.Join(t.TempDir(), "listens")
	var stderr strings.Builder
	cmd := exec.Command("paika", w.args...)
	cmd.Dir, cmd.Stderr, cmd.Env = w.dir, &stderr, append(os.Environ(), listens+"="+begun)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	var fitting []int // statuses other than that of work that is done
	select {
	case err := <-ended:
		ended <- err
	case <-time.After(after):
		_, err := os.Stat(begun)
		fitting = statusesAfter(signal, err == nil)
		cmd.Process.Signal(signal)
	}
	select {
	case <-ended:
	case <-time.After(patience):
		cmd.Process.Kill()
		<-ended
		return false, verdict{hung, "no end after " + signal.String()}
	}
	status := cmd.ProcessState.ExitCode()
	switch {
	case strings.Contains(stderr.String(), "goroutine "):
		return false, verdict{crashed, last(stderr.String(), 2000)}
	case status != statusDone && !slices.Contains(fitting, status):
		return false, verdict{wrong, fmt.Sprintf("status %d, and after %v it may be %v: %s", status, signal, fitting, stderr.String())}
	}
	return status == statusDone, verdict{}
}

// statusesAfter is what a signal may end the program with. One that listens stops at a
// checkpoint, unless it is killed.
func statusesAfter(signal os.Signal, listened bool) []int {
	switch {
	case signal == os.Kill:
		return []int{statusKilled}
	case listened:
		return []int{statusStopped}
	}
	return []int{statusStopped, statusKilled}
}

// timed tells how long a command takes that nobody disturbs.
func timed(t *testing.T, dir string, args ...string) time.Duration {
	t.Helper()
	began := time.Now()
	must(t, dir, "", args...)
	return time.Since(began)
}

// small is the board whose builds are killed: tables of some tenths of a second.
func small(command, db string, more ...string) []string {
	return append([]string{command, "--board", "5x3", "--db", db}, more...)
}

// counts is what a store lists, without what it takes on disk.
func counts(t *testing.T, dir, db string) string {
	t.Helper()
	var stats struct{ Slices []map[string]any }
	if err := json.Unmarshal([]byte(must(t, dir, "", small("stats", db, "--json")...)), &stats); err != nil {
		t.Fatal(err)
	}
	for _, s := range stats.Slices {
		delete(s, "disk_bytes")
	}
	text, err := json.Marshal(stats.Slices)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestKilledWorkGoesOn(t *testing.T) {
	dir := t.TempDir()
	build := small("build", "db", "--pieces", "6", "--metric", "dtw", "--workers", "2")
	takes := timed(t, dir, build...)
	want := counts(t, dir, "db")
	campaign{"kills of builds", 20, 60, 3}.run(t, func(t *testing.T, r *rand.Rand) (string, verdict) {
		return work{t.TempDir(), build, takes, func(t *testing.T, dir, _ string) verdict {
			if got := counts(t, dir, "db"); got != want {
				return verdict{wrong, got}
			}
			if s := paika(t, dir, "", small("verify", "db")...); s.status != statusDone {
				return verdict{wrong, s.stdout + s.stderr}
			}
			return verdict{}
		}}.disturb(t, r)
	})

	verify := small("verify", "db")
	takes = timed(t, dir, verify...)
	before := contents(t, filepath.Join(dir, "db"))
	campaign{"kills of verifications", 21, 30, 2}.run(t, func(t *testing.T, r *rand.Rand) (string, verdict) {
		again := t.TempDir()
		copyFolder(t, filepath.Join(dir, "db"), filepath.Join(again, "db"))
		return work{again, verify, takes, func(t *testing.T, again, _ string) verdict {
			if contents(t, filepath.Join(again, "db")) != before {
				return verdict{lost, "verify changed the store"}
			}
			return verdict{}
		}}.disturb(t, r)
	})

	must(t, dir, "", "build", "--board", "dimy", "--pieces", "4", "--db", "dimy")
	prove := []string{"prove", "--board", "dimy", "--db", filepath.Join(dir, "dimy"), "--claim", "white-not-lost", "--out", "half.proof", "--save-every", "20ms"}
	takes = timed(t, dir, prove...)
	campaign{"kills of proofs", 22, 30, 2}.run(t, func(t *testing.T, r *rand.Rand) (string, verdict) {
		again := t.TempDir()
		copyFolder(t, filepath.Join(dir, "dimy"), filepath.Join(again, "dimy"))
		args := append([]string(nil), prove...)
		args[4] = "dimy"
		return work{again, args, takes, func(t *testing.T, dir, _ string) verdict {
			if s := paika(t, dir, "", "check", "half.proof", "--db", "dimy"); s.status != statusDone {
				return verdict{wrong, s.stdout + s.stderr}
			}
			return verdict{}
		}}.disturb(t, r)
	})

	completing := []string{"complete", filepath.Join(dir, "half.proof"), "--db", "dimy", "--out", "whole.proof", "--save-every", "5ms"}
	takes = timed(t, dir, completing...)
	whole := contents(t, filepath.Join(dir, "whole.proof"))
	campaign{"kills of completions", 24, 30, 2}.run(t, func(t *testing.T, r *rand.Rand) (string, verdict) {
		again := t.TempDir()
		copyFolder(t, filepath.Join(dir, "dimy"), filepath.Join(again, "dimy"))
		return work{again, completing, takes, func(t *testing.T, again, _ string) verdict {
			if contents(t, filepath.Join(again, "whole.proof")) != whole {
				return verdict{wrong, "another certificate"}
			}
			return verdict{}
		}}.disturb(t, r)
	})

	value := []string{"value", "konane", "--board", "7x6", "--opening", "centre-or-corner", "--json"}
	began := time.Now()
	right := winner(t, must(t, dir, "", value...))
	takes = time.Since(began)
	campaign{"kills of searches", 23, 30, 2}.run(t, func(t *testing.T, r *rand.Rand) (string, verdict) {
		return work{t.TempDir(), append(value, "--checkpoint", "kept.search"), takes, func(t *testing.T, _, stdout string) verdict {
			if got := winner(t, stdout); got != right {
				return verdict{wrong, got}
			}
			return verdict{}
		}}.disturb(t, r)
	})
}
