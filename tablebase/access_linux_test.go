package tablebase

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"paika/bitboard"
	"paika/tablebase/internal/badgerdir"
	"paika/tablebase/internal/graphgame"
)

// byModes calls do on a thread of its own, on which root, too, may do with a file what the mode of
// the file says and no more.
func byModes(t *testing.T, do func() error) (err error) {
	t.Helper()
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		self := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
		var has [2]unix.CapUserData
		err := unix.Capget(&self, &has[0])
		has[0].Effective &^= 1<<unix.CAP_DAC_OVERRIDE | 1<<unix.CAP_DAC_READ_SEARCH
		if err = errors.Join(err, unix.Capset(&self, &has[0])); err == nil {
			err = do()
		}
		done <- err
	}()
	return <-done
}

// Tables that may not be opened are not damaged: nobody is to repair them.
func TestFilesThatMayNotBeOpened(t *testing.T) {
	sol := graphgame.New(5, 1, 1000).Solve()
	whole := storedTest(t, sol, bitboard.WDL)
	open := func(o Options) func(dir string) (interface{ Close() error }, error) {
		return func(dir string) (interface{ Close() error }, error) { return Open(dir, testIdentity, o) }
	}
	wreck := func(o Options) func(dir string) (interface{ Close() error }, error) {
		return func(dir string) (interface{ Close() error }, error) {
			return OpenWreck(t.Context(), dir, testIdentity, sol.Game, o)
		}
	}
	entries, err := os.ReadDir(whole)
	if err != nil {
		t.Fatal(err)
	}
	for how, c := range map[string]struct {
		open func(dir string) (interface{ Close() error }, error)
		mode os.FileMode
		want error
	}{
		"to read":    {open(Options{ReadOnly: true}), 0, ErrNotReadable},
		"to examine": {wreck(Options{ReadOnly: true}), 0, ErrNotReadable},
		"to repair":  {wreck(Options{}), 0, ErrNotReadable},
		"to write":   {open(Options{}), 0o444, ErrNotWritable},
	} {
		for _, e := range entries {
			if e.Name() == badgerdir.LockFile || c.want == ErrNotWritable && (recorded(e.Name()) || e.Name() == closedFile) {
				continue // readers go without, and these are replaced and not written to
			}
			dir := copyFolder(t, whole)
			path := filepath.Join(dir, e.Name())
			if err := os.Chmod(path, c.mode); err != nil {
				t.Fatal(err)
			}
			err := byModes(t, func() error {
				opened, err := c.open(dir)
				if err == nil {
					opened.Close()
				}
				return err
			})
			if !errors.Is(err, c.want) || errors.Is(err, ErrDamaged) {
				t.Errorf("%s, opened %s: error %v, want %v", e.Name(), how, err, c.want)
			}
			if err := os.Chmod(path, 0o644); err != nil {
				t.Fatal(err)
			}
			openTest(t, dir, Options{ReadOnly: true}) // it is as it was
		}
	}
}

// So is a folder that may not be looked into.
func TestAFolderThatMayNotBeSearched(t *testing.T) {
	dir := storedTest(t, graphgame.New(5, 1, 1000).Solve(), bitboard.WDL)
	above := filepath.Dir(dir)
	for _, shut := range []string{dir, above} {
		if err := os.Chmod(shut, 0o600); err != nil {
			t.Fatal(err)
		}
		err := byModes(t, func() error {
			_, err := Open(dir, testIdentity, Options{ReadOnly: true})
			return err
		})
		if err := os.Chmod(shut, 0o755); err != nil {
			t.Fatal(err)
		}
		wantError(t, err, ErrNotReadable)
	}
}
