//go:build unix

package verify

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"paika/bitboard"
	"paika/tablebase/internal/graphgame"
)

// A record lies beside tables that others may have made, and is written where it lies.
func TestALinkIsNoRecord(t *testing.T) {
	game := graphgame.New(103, 2, 500)
	s := openTest(t, storedTest(t, game.Solve(), bitboard.WDL), toRead)
	path, nothing := filepath.Join(t.TempDir(), "record"), filepath.Join(t.TempDir(), "nothing")
	if err := os.Symlink(nothing, path); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), game, s, Options{Record: path}); !errors.Is(err, ErrRecord) {
		t.Errorf("error %v, want ErrRecord", err)
	}
	if _, err := os.Lstat(nothing); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file was made where the link leads, error %v", err)
	}
}

// Nobody waits for a pipe in the place of a record.
func TestAPipeIsNoRecord(t *testing.T) {
	game := graphgame.New(103, 2, 500)
	s := openTest(t, storedTest(t, game.Solve(), bitboard.WDL), toRead)
	path := filepath.Join(t.TempDir(), "record")
	if err := syscall.Mkfifo(path, 0o666); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := Run(t.Context(), game, s, Options{Record: path})
		done <- err
	}()
	select {
	case err := <-done:
		if !errors.Is(err, ErrRecord) {
			t.Errorf("error %v, want ErrRecord", err)
		}
	case <-time.After(5 * time.Second):
		t.Error("it waits")
	}
}
