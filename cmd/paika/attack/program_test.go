package attack

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// Exit statuses that trials tell apart.
const (
	statusDone      = 0
	statusFailed    = 1
	statusMisused   = 2
	statusUndecided = 3
	statusMissing   = 4
	statusStopped   = 130
	statusKilled    = -1 // a signal ended it
)

// said is what one run of the program came to.
type said struct {
	status         int
	stdout, stderr string
	timedOut       bool
}

// paika runs the program in a folder.
func paika(t *testing.T, dir, stdin string, args ...string) said {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, "paika", args...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, strings.NewReader(stdin), &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return said{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String(), ctx.Err() != nil}
}

// must runs the program where nothing may go wrong.
func must(t *testing.T, dir, stdin string, args ...string) string {
	t.Helper()
	s := paika(t, dir, stdin, args...)
	if s.status != statusDone {
		t.Fatalf("paika %s: status %d: %s%s", strings.Join(args, " "), s.status, s.stdout, s.stderr)
	}
	return s.stdout
}

// broken tells a run that crashed or hung.
func (s said) broken() (verdict, bool) {
	text := s.stderr
	switch {
	case s.timedOut:
		return verdict{hung, "no end in " + patience.String()}, true
	case s.status == statusKilled || strings.Contains(text, "goroutine ") || strings.Contains(text, "panic:"):
		return verdict{crashed, last(text, 2000)}, true
	}
	return verdict{}, false
}

// last is the end of a text.
func last(text string, bytes int) string { return text[max(0, len(text)-bytes):] }

// runAndKill runs the program and kills it after some time. It tells whether the
// program came to its end before.
func runAndKill(t *testing.T, dir string, after time.Duration, args ...string) (ended bool) {
	t.Helper()
	var stderr strings.Builder
	cmd := exec.Command("paika", args...)
	cmd.Dir, cmd.Stderr = dir, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(after, func() { cmd.Process.Kill() })
	defer timer.Stop()
	err := cmd.Wait()
	if err != nil && cmd.ProcessState.ExitCode() != statusKilled {
		t.Fatalf("paika %s: %v: %s", strings.Join(args, " "), err, stderr.String())
	}
	return err == nil
}
