package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paika/cmd/paika/hub"
)

// TestMetricsWriteNothingToTheTerminal, whatever becomes of a request.
func TestMetricsWriteNothingToTheTerminal(t *testing.T) {
	listener, err := listenMetrics(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	written := new(bytes.Buffer)
	log.SetOutput(written)
	defer log.SetOutput(os.Stderr)
	stop := serveMetrics(listener, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("broken") }))
	if answer, err := http.Get("http://" + address + "/metrics"); err == nil {
		answer.Body.Close()
		t.Error("a broken handler answers")
	}
	stop()
	if written.Len() > 0 {
		t.Errorf("%s", written)
	}
}

// TestAHubWhoseMetricsHaveNoPlaceBeginsNothing: its folder is not made.
func TestAHubWhoseMetricsHaveNoPlaceBeginsNothing(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	dir := filepath.Join(t.TempDir(), "hub")
	status, _, faults := runQuietly(t, "hub", "--data", dir, "--addr", "127.0.0.1:0", "--metrics", taken.Addr().String())
	if status == done || !strings.Contains(faults, "--metrics "+taken.Addr().String()) {
		t.Errorf("status %d: %s", status, faults)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("its folder: %v", err)
	}
}

// TestAHubThatCannotListenLeavesNoNewFolder, and one that was there as it was, with its credentials.
func TestAHubThatCannotListenLeavesNoNewFolder(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	fresh, old := filepath.Join(t.TempDir(), "fresh"), filepath.Join(t.TempDir(), "old")
	h, err := hub.Start(t.Context(), hub.Options{Dir: old, Address: "127.0.0.1:0", Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	credentials := h.Credentials()
	h.Close()
	before, err := os.ReadFile(credentials)
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{fresh, old} {
		status, _, faults := runQuietly(t, "hub", "--data", dir, "--addr", taken.Addr().String())
		if status != unavailable || !strings.Contains(faults, "--addr "+taken.Addr().String()+": address already in use") {
			t.Errorf("status %d: %s", status, faults)
		}
	}
	if _, err := os.Stat(fresh); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("its folder: %v", err)
	}
	if after, err := os.ReadFile(credentials); err != nil || !bytes.Equal(after, before) {
		t.Errorf("the credentials that were there: %v", err)
	}
}

// TestMetricsMayHaveThePortBehindTheHubs: tables are offered at another one.
func TestMetricsMayHaveThePortBehindTheHubs(t *testing.T) {
	var address, behind string
	for address == "" {
		free, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		port := free.Addr().(*net.TCPAddr).Port
		if second, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port+1)); err == nil {
			second.Close()
			address, behind = free.Addr().String(), second.Addr().String()
		}
		free.Close()
	}
	ctx, cancel := context.WithCancel(t.Context())
	out, faults := &stopAfter{writes: 1, cancel: cancel}, new(bytes.Buffer)
	status := Run(ctx, []string{"hub", "--data", filepath.Join(t.TempDir(), "hub"), "--addr", address, "--metrics", behind}, nil, out, faults)
	if status != stopped || !strings.Contains(faults.String(), "is taken: tables are offered at port ") {
		t.Errorf("status %d: %s%s", status, out, faults)
	}
}
