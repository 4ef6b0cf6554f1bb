//go:build unix

package tablebase

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"paika/bitboard"
	"paika/tablebase/internal/graphgame"
)

// openWithin lowers a limit, and opens a store to read and to write. The answers
// go to standard output, which is all that may be open.
func openWithin(limit, dir string) error {
	resource, to := unix.RLIMIT_NOFILE, uint64(14)
	if limit == "size" {
		resource, to = unix.RLIMIT_FSIZE, 1<<20
	}
	if err := unix.Setrlimit(resource, &unix.Rlimit{Cur: to, Max: to}); err != nil {
		return err
	}
	for _, readOnly := range []bool{true, false} {
		s, err := Open(dir, testIdentity, Options{ReadOnly: readOnly})
		fmt.Println(errors.Is(err, ErrTooManyFiles), errors.Is(err, ErrFileTooLarge), errors.Is(err, ErrDamaged), err)
		if err == nil {
			s.Close()
		}
	}
	return nil
}

// A limit of the system is named for what it is, and takes nothing away.
func TestLimitsOfTheSystemAreNoDamage(t *testing.T) {
	stored := takeSnapshot(t, storedTest(t, graphgame.New(61, 1, 1000).Solve(), bothMetrics...))
	for _, c := range []struct {
		limit string
		want  []string // of a reader, of a writer
	}{
		{"files", []string{"true false false", "true false false"}},
		{"size", []string{"false false false", "false true false"}},
	} {
		dir := stored.write(t)
		work := exec.Command(os.Args[0])
		work.Env = append(os.Environ(), limitVariable+"="+c.limit, crashVariable+"="+dir)
		out, err := work.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		said := strings.Split(string(out), "\n")
		for i, want := range c.want {
			if !strings.HasPrefix(said[i], want) {
				t.Errorf("limit of %s: %q, want %q", c.limit, said[i], want)
			}
		}
		openTest(t, dir, Options{ReadOnly: true})
	}
}

// A file that is cut short under a reader ends no process: what is gone is an
// error, and the rest can still be read.
func TestAFileCutShortUnderAReaderIsAnError(t *testing.T) {
	sol := graphgame.New(62, 1, 50_000).Solve()
	dir := storedTest(t, sol, bothMetrics...)
	s := openTest(t, dir, Options{ReadOnly: true})
	if err := os.Truncate(firstLog(t, dir), 4096); err != nil {
		t.Fatal(err)
	}
	failed := 0
	for _, m := range bothMetrics {
		for slice := range bitboard.Slice(len(sol.Depths)) {
			err := s.Tables(m, sol.Game).Load(context.Background(), bitboard.NewTable(m, slice, sol.Game.Indices(slice)))
			var chunk *ChunkError
			if err != nil && (!errors.As(err, &chunk) || !errors.Is(err, ErrDamaged)) {
				t.Errorf("%v %d: %v", m, slice, err)
			}
			if err != nil {
				failed++
			}
		}
	}
	if failed == 0 {
		t.Error("everything can still be read")
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if _, err := Open(dir, testIdentity, Options{ReadOnly: true}); !errors.Is(err, ErrDamaged) {
		t.Errorf("opened again: %v", err)
	}
}

// A writer that finds a file cut short under it stops, and leaves the store as a
// killed one does.
func TestAFileCutShortUnderAWriterIsAnError(t *testing.T) {
	sol := graphgame.New(63, 1, 50_000).Solve()
	dir := storedTest(t, sol, bitboard.WDL)
	s := openTest(t, dir, Options{})
	if err := os.Truncate(firstLog(t, dir), logHeaderBytes); err != nil {
		t.Fatal(err)
	}
	wantError(t, s.Tables(bitboard.WDL, sol.Game).Load(context.Background(), bitboard.NewTable(bitboard.WDL, 0, sol.Game.Indices(0))), ErrDamaged)
	if err := s.Close(); err == nil {
		t.Error("closed as if nothing had happened")
	}
	if _, err := os.Stat(filepath.Join(dir, closedFile)); err == nil {
		t.Error("marked as closed")
	}
}
