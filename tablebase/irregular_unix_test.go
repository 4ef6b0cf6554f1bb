//go:build unix

package tablebase

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"paika/bitboard"
	"paika/tablebase/internal/graphgame"
)

// Who makes a folder of tables for others can put anything under the names of their files.
// Nobody waits for a pipe, or reads a device to an end that never comes.
func TestWhatIsNoFileIsRefused(t *testing.T) {
	sol := graphgame.New(32, 1, 1000).Solve()
	whole := storedTest(t, sol, bitboard.WDL)
	open := map[string]func(dir string) (interface{ Close() error }, error){
		"to read": func(dir string) (interface{ Close() error }, error) {
			return Open(dir, testIdentity, Options{ReadOnly: true})
		},
		"to write": func(dir string) (interface{ Close() error }, error) { return Open(dir, testIdentity, Options{}) },
		"to repair": func(dir string) (interface{ Close() error }, error) {
			return OpenWreck(t.Context(), dir, testIdentity, sol.Game, Options{})
		},
	}
	put := map[string]func(path string) error{
		"pipe":   func(path string) error { return syscall.Mkfifo(path, 0o666) },
		"device": func(path string) error { return os.Symlink(os.DevNull, path) },
		"folder": func(path string) error { return os.Mkdir(path, 0o777) },
	}
	for _, name := range []string{identityFile, closedFile, "manifest-wdl", "manifest-dtw.copy", "MANIFEST", "000001.sst", "000001.vlog", "000009.mem"} {
		for kind, put := range put {
			for how, open := range open {
				dir := copyFolder(t, whole)
				path := filepath.Join(dir, name)
				if err := errors.Join(os.RemoveAll(path), put(path)); err != nil {
					t.Fatal(err)
				}
				err := withinSeconds(func() error {
					opened, err := open(dir)
					if err == nil {
						opened.Close()
					}
					return err
				})
				if !errors.Is(err, ErrNotFile) {
					t.Errorf("%s as a %s, opened %s: error %v, want ErrNotFile", name, kind, how, err)
				}
			}
		}
	}
}

// A checkpoint is looked for where work goes on, and a pipe in its place holds up nobody.
func TestNobodyWaitsForACheckpoint(t *testing.T) {
	m, dir := bitboard.WDL, t.TempDir()
	space := sectionsSpace(m)
	created, _ := checkpointsOf(t, dir, m, space)
	if err := errors.Join(created.Close(), syscall.Mkfifo(checkpointPath(dir, m), 0o666)); err != nil {
		t.Fatal(err)
	}
	err := withinSeconds(func() error {
		store, err := Open(dir, testIdentity, Options{})
		if err == nil {
			_, err = store.Tables(m, space).LoadCheckpoint(space.blank(m, 0, 1))
			store.Close()
		}
		return err
	})
	if !errors.Is(err, ErrNotFile) {
		t.Errorf("error %v, want ErrNotFile", err)
	}
}

// withinSeconds does what may wait for a pipe for ever. Its error then says so.
func withinSeconds(do func() error) error {
	done := make(chan error, 1)
	go func() { done <- do() }()
	select {
	case err := <-done:
		return err
	case <-time.After(5 * time.Second):
		return errors.New("it waits")
	}
}

// A link to a file is a file.
func TestLinksToFilesAreRead(t *testing.T) {
	sol := graphgame.New(32, 1, 1000).Solve()
	dir := storedTest(t, sol, bitboard.WDL)
	path, elsewhere := filepath.Join(dir, "manifest-wdl"), filepath.Join(t.TempDir(), "manifest")
	if err := errors.Join(os.Rename(path, elsewhere), os.Symlink(elsewhere, path)); err != nil {
		t.Fatal(err)
	}
	openTest(t, dir, Options{ReadOnly: true})
}

// A file without contents can have any size, and is not read to its end.
func TestLargeFilesAreDamage(t *testing.T) {
	sol := graphgame.New(32, 1, 1000).Solve()
	whole := storedTest(t, sol, bitboard.WDL)
	for _, name := range []string{identityFile, closedFile, "manifest-wdl", "manifest-dtw.copy", "MANIFEST", "000001.sst"} {
		dir := copyFolder(t, whole)
		if err := os.Truncate(filepath.Join(dir, name), 1<<29); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if s, err := Open(dir, testIdentity, Options{ReadOnly: true}); err == nil {
			s.Close()
			t.Errorf("%s of 512 MiB is read", name)
		}
		runtime.ReadMemStats(&after)
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 1<<28 {
			t.Errorf("%s of 512 MiB: %d MiB were taken", name, taken>>20)
		}
	}
}
