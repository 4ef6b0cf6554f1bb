//go:build unix

package command

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// started is the program at work, in a folder.
type started struct {
	*exec.Cmd
	log *strings.Builder
}

// start runs the program until it has a checkpoint locked, which is after it
// listens to signals.
func start(t *testing.T, dir, lock string, args ...string) started {
	t.Helper()
	s := started{exec.Command("paika", args...), new(strings.Builder)}
	s.Dir, s.Stderr = dir, s.log
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Process.Kill() })
	for range 12_000 { // two minutes
		if found, _ := filepath.Glob(filepath.Join(dir, lock)); len(found) > 0 {
			return s
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("paika %s did not begin: %s", strings.Join(args, " "), s.log)
	return s
}

// searches are commands that take longer than a test.
func searches() map[string]struct {
	lock string
	args []string
} {
	return map[string]struct {
		lock string
		args []string
	}{
		"prove": {"db.search/*.lock", []string{"prove", "--claim", "draw", "--memory", "192MiB", "--db", "db"}},
		"value": {"8x8.lock", []string{"value", "konane", "--memory", "256MiB", "--checkpoint", "8x8"}},
	}
}

func TestEverySignalSaves(t *testing.T) {
	for name, search := range searches() {
		for _, sent := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
			t.Run(fmt.Sprint(name, sent), func(t *testing.T) {
				if signal.Ignored(sent) {
					t.Skip("it is ignored here, as under nohup, and so it is by the program")
				}
				dir := t.TempDir()
				s := start(t, dir, search.lock, search.args...)
				time.Sleep(50 * time.Millisecond) // so that most of them are at work; one that has not begun says the same
				if err := s.Process.Signal(sent); err != nil {
					t.Fatal(err)
				}
				s.Wait()
				if status := s.ProcessState.ExitCode(); status != stopped || !strings.Contains(s.log.String(), " saved in ") {
					t.Errorf("status %d: %s", status, s.log)
				}
				if left, _ := filepath.Glob(filepath.Join(dir, search.lock)); len(left) > 0 {
					t.Errorf("%s is left", left)
				}
			})
		}
	}
}

// timeout(1) sends two signals, one right after the other, when it ends what it runs. That
// saves, as one signal does.
func TestSignalsThatComeTogetherSave(t *testing.T) {
	for name, search := range searches() {
		t.Run(name, func(t *testing.T) {
			s := start(t, t.TempDir(), search.lock, search.args...)
			for range 2 {
				if err := s.Process.Signal(syscall.SIGTERM); err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Millisecond)
			}
			s.Wait()
			if status := s.ProcessState.ExitCode(); status != stopped || !strings.Contains(s.log.String(), " saved in ") {
				t.Errorf("status %d: %s", status, s.log)
			}
		})
	}
}

func TestASecondSignalEndsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		received := make(chan os.Signal)
		stopping, ended := false, false
		go heed(received, func() { stopping = true }, func() { ended = true })
		for i, c := range []struct {
			after           time.Duration
			stopping, ended bool
		}{{0, true, false}, {0, true, false}, {oneStop, true, false}, {time.Nanosecond, true, true}} {
			time.Sleep(c.after)
			received <- syscall.SIGINT
			synctest.Wait()
			if stopping != c.stopping || ended != c.ended {
				t.Fatalf("after signal %d: stopping %t, ended %t", i+1, stopping, ended)
			}
		}
	})
}

func TestTwoSearchesNeverWriteOneCheckpoint(t *testing.T) {
	for name, search := range searches() {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			start(t, dir, search.lock, search.args...)
			second := exec.Command("paika", search.args...)
			second.Dir = dir
			out, err := second.CombinedOutput()
			if err == nil || !strings.Contains(string(out), "another search has the checkpoint: ") {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}

// A save that fails at the end is told, with the reason. A folder stands in its
// way, which must not come before the search has looked for what is saved there:
// where it did, the next attempt waits longer.
func TestAFailedSaveIsTold(t *testing.T) {
	search := searches()["value"]
	for wait := 50 * time.Millisecond; ; wait *= 2 {
		dir := t.TempDir()
		s := start(t, dir, search.lock, search.args...)
		time.Sleep(wait)
		if err := os.Mkdir(filepath.Join(dir, "8x8"), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := s.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		s.Wait()
		said := s.log.String()
		if strings.Contains(said, "not a checkpoint") && wait < 2*time.Minute {
			continue
		}
		if s.ProcessState.ExitCode() == stopped || !strings.Contains(said, "could not be saved in 8x8: ") || strings.Contains(said, " saved in 8x8; ") {
			t.Errorf("status %d: %s", s.ProcessState.ExitCode(), said)
		}
		return
	}
}

// A search for a winner that is killed at any moment goes on from what it saved
// last.
func TestKilledSearchesGoOn(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes for some seconds")
	}
	dir := t.TempDir()
	value := []string{"value", "konane", "--board", "6x6", "--opening", "middle-h", "--memory", "256MiB", "--checkpoint", "6x6", "--json"}
	exit := exec.CommandContext(t.Context(), "paika", append(value, "--nodes", "50000")...)
	exit.Dir = dir
	if err := exit.Run(); exit.ProcessState.ExitCode() != undecided {
		t.Fatalf("a limit of 50000 nodes: %v", err)
	}
	for after := time.Millisecond; after < 100*time.Millisecond; after += 9 * time.Millisecond {
		if runAndKill(t, dir, after, value...) {
			return // it came to its end
		}
	}
	var got struct {
		Winner string
		Nodes  uint64
	}
	if err := json.Unmarshal([]byte(paika(t, dir, value...)), &got); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); got.Winner != "white" || got.Nodes < 50000 || len(left) > 0 {
		t.Errorf("%+v, left: %v", got, left)
	}
}
