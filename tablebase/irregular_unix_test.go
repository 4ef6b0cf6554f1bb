//go:build unix

package tablebase

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"paika/bitboard"
	"paika/internal/lasting"
	"paika/tablebase/internal/badgerdir"
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
	for _, name := range []string{identityFile, closedFile, "manifest-wdl", "manifest-dtw.copy", "MANIFEST", "000001.sst", "000001.vlog", "000009.mem", badgerdir.LockFile} {
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
				if !errors.Is(err, ErrNotFile) || !strings.Contains(err.Error(), path+": ") || !strings.HasSuffix(err.Error(), ": move it away") {
					t.Errorf("%s as a %s, opened %s: error %v, want ErrNotFile, and what to do", name, kind, how, err)
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
	if err := errors.Join(created.Close(), syscall.Mkfifo(checkpointPath(dir, m, 0, 1), 0o666)); err != nil {
		t.Fatal(err)
	}
	err := withinSeconds(func() error {
		store, err := Open(dir, testIdentity, Options{})
		if err == nil {
			_, _, err = store.Tables(m, space).LoadCheckpoint(t.Context(), space.blank(m, 0, 1))
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

// A link to a file is a file to who reads it.
func TestLinksToFilesAreRead(t *testing.T) {
	sol := graphgame.New(32, 1, 1000).Solve()
	elsewhere, dir := storedTest(t, sol, bitboard.WDL), t.TempDir()
	for _, file := range files(t, elsewhere) {
		if err := os.Symlink(file, filepath.Join(dir, filepath.Base(file))); err != nil {
			t.Fatal(err)
		}
	}
	s := openTest(t, dir, Options{ReadOnly: true})
	for slice := range bitboard.Slice(len(sol.Depths)) {
		if err := s.Tables(bitboard.WDL, sol.Game).Load(t.Context(), bitboard.NewTable(bitboard.WDL, slice, sol.Game.Indices(slice))); err != nil {
			t.Error(err)
		}
	}
	s.Close()
	w, err := OpenWreck(t.Context(), dir, testIdentity, sol.Game, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if whole, lost, err := w.Check(t.Context(), func(uint64, uint64) {}); err != nil || len(lost) > 0 || len(whole) != len(sol.Depths) || len(w.Faults()) > 0 {
		t.Errorf("a repair finds %d slices whole, lost %v, faults %v, error %v", len(whole), lost, w.Faults(), err)
	}
}

// Who writes in a folder of tables that somebody else made writes nowhere else: what a link
// leads to is a file of the user, or is made by who follows the link.
func TestWritersFollowNoLinks(t *testing.T) {
	sol := graphgame.New(32, 1, 1000).Solve()
	whole := storedTest(t, sol, bitboard.WDL)
	folders := map[string]func() string{
		"closed": func() string { return copyFolder(t, whole) },
		"as its maker leaves it that is killed": func() string {
			dir := t.TempDir()
			s := newStore(dir, testIdentity, Options{})
			if err := errors.Join(s.createManifests(), writeIdentity(dir, testIdentity)); err != nil {
				t.Fatal(err)
			}
			return dir
		},
	}
	names := []string{
		identityFile, closedFile, "manifest-wdl", "manifest-wdl.copy", "manifest-dtw", "manifest-dtw.copy", "MANIFEST", "MANIFEST-REWRITE",
		"KEYREGISTRY", "REWRITE-KEYREGISTRY", "DISCARD", "000001.sst", "000001.vlog", "00001.mem", "000077.vlog", "00077.mem", "-0001.mem", badgerdir.LockFile,
	}
	for state, folder := range folders {
		for _, name := range names {
			for _, dangling := range []bool{false, true} {
				dir, outside := folder(), t.TempDir()
				path, target := filepath.Join(dir, name), filepath.Join(outside, "target")
				var held []byte
				if !dangling {
					var err error
					if held, err = os.ReadFile(path); err != nil { // the store has no such file
						held = make([]byte, 64)
					}
					if err := os.WriteFile(target, held, 0o666); err != nil {
						t.Fatal(err)
					}
				}
				if err := errors.Join(os.RemoveAll(path), os.Symlink(target, path)); err != nil {
					t.Fatal(err)
				}
				if err := writeAndClose(t, dir, sol); !errors.Is(err, ErrNotFile) {
					t.Errorf("%s as a link, in a store %s: error %v, want ErrNotFile", name, state, err)
				}
				now, err := os.ReadFile(target)
				switch {
				case dangling && !errors.Is(err, fs.ErrNotExist):
					t.Errorf("%s as a link, in a store %s: where it leads a file was made", name, state)
				case !dangling && !bytes.Equal(now, held):
					t.Errorf("%s as a link, in a store %s: the file that it leads to was changed, error %v", name, state, err)
				}
			}
		}
	}
}

// A checkpoint that is a link stays one, and nobody goes on from it or begins anew: only its owner knows
// whether what it leads to may be replaced.
func TestACheckpointBehindALinkStays(t *testing.T) {
	m, dir := bitboard.WDL, t.TempDir()
	space := sectionsSpace(m)
	created, tables := checkpointsOf(t, dir, m, space)
	path, target := checkpointPath(dir, m, 0, 1), filepath.Join(t.TempDir(), "target")
	if err := errors.Join(tables.SaveCheckpoint([]byte("of the user"), space.blank(m, 0, 1)), created.Close(), os.Rename(path, target), os.Symlink(target, path)); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(target)
	if err != nil {
		t.Fatal(err)
	}
	store, tables := checkpointsOf(t, dir, m, space)
	var refused *CheckpointError
	if text, why, err := tables.LoadCheckpoint(t.Context(), space.blank(m, 0, 1)); text != nil || why != nil || !errors.As(err, &refused) || refused.Path != path || !errors.Is(err, ErrOtherCheckpoint) {
		t.Errorf("%q, %v, %v: want a refusal that names the link", text, why, err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	if leads, err := os.Readlink(path); err != nil || leads != target {
		t.Errorf("the link leads to %q, error %v", leads, err)
	}
	if after, err := os.ReadFile(target); err != nil || !bytes.Equal(after, before) {
		t.Errorf("the checkpoint that the link led to was changed, error %v", err)
	}
}

// What a killed writer leaves is never a link. One under such a name goes, and its file stays.
func TestPartsThatAreLinksGo(t *testing.T) {
	sol := graphgame.New(32, 1, 1000).Solve()
	whole, target := storedTest(t, sol, bitboard.WDL), filepath.Join(t.TempDir(), "target")
	for _, name := range []string{identityFile, closedFile, "manifest-wdl", "manifest-wdl.copy", "checkpoint-wdl"} {
		dir := copyFolder(t, whole)
		link := filepath.Join(dir, name+lasting.PartSuffix)
		if err := errors.Join(os.WriteFile(target, []byte("of the user"), 0o666), os.Symlink(target, link)); err != nil {
			t.Fatal(err)
		}
		if err := withinSeconds(func() error { return writeAndClose(t, dir, sol) }); err != nil {
			t.Errorf("the part of %s as a link: %v", name, err)
		}
		if _, err := os.Lstat(link); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the part of %s is there still (%v)", name, err)
		}
		if text, err := os.ReadFile(target); string(text) != "of the user" {
			t.Errorf("the part of %s as a link: its file has %q, error %v", name, text, err)
		}
	}
}

// writeAndClose does in a folder what writes all of its files.
func writeAndClose(t *testing.T, dir string, sol *graphgame.Solution) error {
	s, err := Open(dir, testIdentity, Options{Version: "test"})
	if err != nil {
		return err
	}
	tables := s.Tables(bitboard.WDL, sol.Game)
	err = errors.Join(tables.SaveCheckpoint(nil, []*bitboard.Table{sol.Table(bitboard.WDL, 0)}), tables.forget(sol.Game.SliceName(0)))
	return errors.Join(err, saveOne(t.Context(), s, sol, bitboard.WDL, 0), s.Close())
}

// The folder itself may be a link: that is the user's.
func TestAFolderBehindALinkIsWrittenTo(t *testing.T) {
	sol := graphgame.New(32, 1, 1000).Solve()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(t.TempDir(), link); err != nil {
		t.Fatal(err)
	}
	for range 2 { // made, and opened again
		if err := writeAndClose(t, link, sol); err != nil {
			t.Fatal(err)
		}
	}
	openTest(t, link, Options{ReadOnly: true})
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone (%v)", err)
	}
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
