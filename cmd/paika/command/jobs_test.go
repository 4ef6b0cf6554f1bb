package command

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"paika/cmd/paika/hub"
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
