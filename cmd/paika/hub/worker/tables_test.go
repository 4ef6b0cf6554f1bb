package worker

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/cmd/paika/hub/tables"
	"paika/proofs"
	"paika/tablebase/verify"
)

// TestTheHostOfAHub is taken out of its URL, whatever form that has.
func TestTheHostOfAHub(t *testing.T) {
	for text, want := range map[string]string{
		"nats://127.0.0.1:4222": "127.0.0.1", "tls://hub.example.org:4222": "hub.example.org", "hub:4222": "hub", "tls://[::1]:4222": "::1",
		"tls://a:1, tls://b:2": "a",
	} {
		if host, err := hostOf(text); err != nil || host != want {
			t.Errorf("%s: %q, %v", text, host, err)
		}
	}
}

// TestATableThatComesInPartLeavesNothing: nobody goes on with it.
func TestATableThatComesInPartLeavesNothing(t *testing.T) {
	s, err := tables.Listen(filepath.Join(t.TempDir(), "tables"), "127.0.0.1", 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	name := strings.Repeat("0a", 32)
	err = s.Make(name, func(out io.Writer) error {
		_, err := out.Write(make([]byte, 1<<20))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	c := tables.NewClient("127.0.0.1", nil)
	defer c.Close()
	ctx, cancel := context.WithCancel(t.Context())
	w := &worker{Options: Options{Dir: t.TempDir()}}
	load := w.fetched(func(ctx context.Context, _ proofs.Table, path string, _ int64, _ func(done, total int64)) error {
		ask := func(context.Context) (tables.Ticket, error) {
			ticket, _ := s.Ticket(name)
			return ticket, nil
		}
		return c.Fetch(ctx, ask, path, 1<<20, func(int64, int64) { cancel() }) // the hub wants the job no more
	})
	if err := load(ctx, verify.Table{}, new(bitboard.Table)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if left, err := os.ReadDir(w.Dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
