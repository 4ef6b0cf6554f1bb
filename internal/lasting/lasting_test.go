package lasting

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := Write(t.Context(), path, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// onlyFiles fails where a folder holds anything else.
func onlyFiles(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if fmt.Sprint(names) != fmt.Sprint(want) {
		t.Errorf("the folder holds %v, want %v", names, want)
	}
}

func TestAFileIsThereWholeOrNotAtAll(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	write(t, path, "old")
	f, err := Create(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(f, "new")
	if err := f.Flush(); err != nil {
		t.Fatal(err)
	}
	if got := read(t, path); got != "old" {
		t.Errorf("%q before the file is kept, want the old one", got)
	}
	f.Discard()
	if got := read(t, path); got != "old" {
		t.Errorf("%q after the new file was discarded, want the old one", got)
	}
	onlyFiles(t, dir, "f")
	write(t, path, "newer")
	if got := read(t, path); got != "newer" {
		t.Errorf("%q, want the new file", got)
	}
	onlyFiles(t, dir, "f")
}

func TestKeepTellsTheSize(t *testing.T) {
	f, err := Create(t.Context(), filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(f, "12345")
	if size, err := f.Keep(); size != 5 || err != nil {
		t.Errorf("size %d, %v, want 5 bytes", size, err)
	}
	f.Discard() // after Keep it must do nothing
	if got := read(t, f.Path()); got != "12345" {
		t.Errorf("%q, want what was kept", got)
	}
}

// What is in a file is on disk before it has its name, and then its name is. What fails to come to
// disk replaces nothing.
func TestAFileComesToDiskBeforeItsName(t *testing.T) {
	fails := errors.New("the disk fails")
	for _, c := range []struct {
		file, folder error // of syncing
		steps        string
		left         string
	}{
		{nil, nil, "part new, folder new", "new"},
		{fails, nil, "part new", "old"},
		{nil, fails, "part new, folder new", "new"},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "f")
		write(t, path, "old")
		f, err := Create(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(f, "new")
		var steps []string
		_, err = f.keep(func(part *os.File) error {
			if got := read(t, path); got != "old" {
				t.Errorf("it has %q under its name before that is on disk", got)
			}
			text, err := io.ReadAll(io.NewSectionReader(part, 0, 1<<10))
			if err != nil {
				t.Error(err)
			}
			steps = append(steps, "part "+string(text))
			return c.file
		}, func(of string) error {
			if filepath.Clean(of) != dir {
				t.Errorf("%s is synced, want %s", of, dir)
			}
			steps = append(steps, "folder "+read(t, path))
			return c.folder
		})
		if want := errors.Join(c.file, c.folder) != nil; errors.Is(err, fails) != want || strings.Join(steps, ", ") != c.steps || read(t, path) != c.left {
			t.Errorf("%v after %q, it has %q; want %q and %q", err, steps, read(t, path), c.steps, c.left)
		}
		onlyFiles(t, dir, "f")
	}
}

// What was for its owner alone stays so, and what was for others too, whatever a process
// that was killed has left of it.
func TestTheModeOfAFileStays(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no such modes there")
	}
	for _, mode := range []os.FileMode{0o600, 0o640, 0o664, 0o666, 0o755} {
		for _, left := range []os.FileMode{0, 0o600, 0o644, 0o666} { // 0: nothing is left
			path := filepath.Join(t.TempDir(), "f")
			write(t, path, "old")
			if err := os.Chmod(path, mode); err != nil {
				t.Fatal(err)
			}
			if left != 0 {
				if err := errors.Join(os.WriteFile(path+PartSuffix, nil, 0o666), os.Chmod(path+PartSuffix, left)); err != nil {
					t.Fatal(err)
				}
			}
			write(t, path, "new")
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if got := info.Mode().Perm(); got != mode {
				t.Errorf("mode %o with a part of %o: then %o", mode, left, got)
			}
		}
	}
}

// No one reads of a file what nobody could read of the one before, not while it is written.
func TestThePartOfAPrivateFileIsPrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no such modes there")
	}
	path := filepath.Join(t.TempDir(), "f")
	if err := errors.Join(os.WriteFile(path, nil, 0o600), os.WriteFile(path+PartSuffix, nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	f, err := Create(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Discard()
	if info, err := os.Stat(path + PartSuffix); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v while it is written, error %v", info.Mode(), err)
	}
}

func TestSymbolicLinksStay(t *testing.T) {
	for _, there := range []bool{true, false} {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, "sub"), 0o777); err != nil {
			t.Fatal(err)
		}
		target := filepath.Join(dir, "sub", "target")
		if there {
			write(t, target, "old")
		}
		link := filepath.Join(dir, "link")
		if err := os.Symlink(filepath.Join("sub", "target"), link); err != nil {
			t.Skip(err)
		}
		write(t, link, "new")
		if got := read(t, target); got != "new" {
			t.Errorf("target there %v: it holds %q", there, got)
		}
		if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("target there %v: the link is gone (%v)", there, err)
		}
	}
}

// A link behind a linked folder leads on from where that folder is, not from where the text
// would have it.
func TestALinkBehindALinkedFolder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there, .. is taken away before any link is followed")
	}
	for _, there := range []bool{true, false} {
		top := t.TempDir()
		runs, work := filepath.Join(top, "data", "runs"), filepath.Join(top, "work")
		if err := errors.Join(os.MkdirAll(filepath.Join(runs, "1"), 0o777), os.Mkdir(work, 0o777)); err != nil {
			t.Fatal(err)
		}
		real := filepath.Join("..", "real")
		if err := errors.Join(os.Symlink(real, filepath.Join(runs, "1", "f")), os.Symlink(filepath.Join(runs, "1"), filepath.Join(work, "out"))); err != nil {
			t.Skip(err)
		}
		if there {
			write(t, filepath.Join(runs, "real"), "old")
		}
		stranger := filepath.Join(work, "real")
		write(t, stranger, "of somebody else")
		write(t, filepath.Join(work, "out", "f"), "new")
		if got := read(t, stranger); got != "of somebody else" {
			t.Errorf("target there %v: the file where the text leads has %q", there, got)
		}
		if got := read(t, filepath.Join(runs, "1", "f")); got != "new" {
			t.Errorf("target there %v: by its name it has %q", there, got)
		}
		onlyFiles(t, runs, "1", "real")
		onlyFiles(t, filepath.Join(runs, "1"), "f")
	}
}

func TestALinkToItselfIsAnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink("link", path); err != nil {
		t.Skip(err)
	}
	if f, err := Create(t.Context(), path); err == nil {
		f.Discard()
		t.Error("no error")
	}
}

func TestAFolderIsAnError(t *testing.T) {
	if _, err := Create(t.Context(), t.TempDir()); !errors.Is(err, errFolder) {
		t.Errorf("%v, want %v", err, errFolder)
	}
	if _, err := Create(t.Context(), filepath.Join(t.TempDir(), "missing", "f")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v, want %v", err, os.ErrNotExist)
	}
}

func TestOneWriterAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	first, err := Create(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Create(t.Context(), path); !errors.Is(err, ErrLocked) {
		t.Errorf("a second writer: %v, want %v", err, ErrLocked)
	}
	if _, err := first.Keep(); err != nil {
		t.Fatal(err)
	}
	write(t, path, "second")
}

func TestALeftPartGoes(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	if err := os.WriteFile(path+PartSuffix, []byte("left by a process that was killed"), 0o600); err != nil {
		t.Fatal(err)
	}
	write(t, path, "new")
	if got := read(t, path); got != "new" {
		t.Errorf("%q, want nothing of what was left", got)
	}
	onlyFiles(t, dir, "f")
}

// A file that a user has named OUT.part, as many name theirs, is no part of this program.
func TestAFileOfTheUserIsNoPart(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	for _, name := range []string{path + ".part", path + ".tmp", path + "~"} {
		if err := os.WriteFile(name, []byte("of the user"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(t, path, "new")
	if err := RemovePart(path); err != nil {
		t.Error(err)
	}
	for _, name := range []string{path + ".part", path + ".tmp", path + "~"} {
		if text, err := os.ReadFile(name); string(text) != "of the user" {
			t.Errorf("%s holds %q (%v)", filepath.Base(name), text, err)
		}
	}
}

// A part that was left may have another name besides, and be open to others.
func TestALeftPartIsNotWrittenTo(t *testing.T) {
	dir := t.TempDir()
	path, other := filepath.Join(dir, "f"), filepath.Join(dir, "other")
	write(t, other, "of the user")
	if err := os.Link(other, path+PartSuffix); err != nil {
		t.Skip(err)
	}
	write(t, path, "new")
	if got := read(t, other); got != "of the user" {
		t.Errorf("the other name has %q", got)
	}
	onlyFiles(t, dir, "f", "other")
}

func TestALockIsForOne(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	unlock, err := Lock(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Lock(path); !errors.Is(err, ErrLocked) {
		t.Errorf("a second lock: %v, want %v", err, ErrLocked)
	}
	write(t, path, "the owner may write")
	unlock()
	onlyFiles(t, dir, "f")
	again, err := Lock(path)
	if err != nil {
		t.Fatal(err)
	}
	unlock() // whose lock it was no longer is
	if _, err := Lock(path); !errors.Is(err, ErrLocked) {
		t.Errorf("a lock that was given back twice, and is another's by then: %v, want %v", err, ErrLocked)
	}
	again()
	onlyFiles(t, dir, "f")
}

// A file has one lock, whatever links lead to it.
func TestALockIsForAllNamesOfAFile(t *testing.T) {
	for _, there := range []bool{true, false} {
		dir := t.TempDir()
		file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
		if err := os.Symlink("file", link); err != nil {
			t.Skip(err)
		}
		if there {
			write(t, file, "")
		}
		for _, names := range [][2]string{{file, link}, {link, file}, {link, link}} {
			unlock, err := Lock(names[0])
			if err != nil {
				t.Fatal(err)
			}
			if second, err := Lock(names[1]); !errors.Is(err, ErrLocked) {
				t.Errorf("there %v: locked as %s, then as %s: %v, want %v", there, filepath.Base(names[0]), filepath.Base(names[1]), err, ErrLocked)
				if err == nil {
					second()
				}
			}
			unlock()
		}
	}
}

// Of many who want a lock one at a time has it, though each may be about to remove what the
// last one left.
func TestALockIsForOneOfMany(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path+LockSuffix, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	var have, had atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 100 {
				unlock, err := Lock(path)
				if errors.Is(err, ErrLocked) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				if n := have.Add(1); n > 1 {
					t.Errorf("%d have it", n)
				}
				had.Add(1)
				have.Add(-1)
				unlock()
			}
		})
	}
	all.Wait()
	if had.Load() == 0 {
		t.Error("nobody ever had it")
	}
}

// TestAFileTakesAllOfAReader, which need not give its text in pieces.
func TestAFileTakesAllOfAReader(t *testing.T) {
	path, text := filepath.Join(t.TempDir(), "file"), strings.Repeat("text ", 1<<15)
	err := Write(t.Context(), path, func(out io.Writer) error {
		_, err := io.Copy(out, struct{ io.Reader }{strings.NewReader(text)})
		return err
	})
	if err != nil || read(t, path) != text {
		t.Errorf("%d bytes, %v; want %d", len(read(t, path)), err, len(text))
	}
}

// A lock is empty: what holds something and has the name of one is somebody else's, and stays.
func TestAFileWithTheNameOfALockStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	write(t, path+LockSuffix, "a letter")
	for name, lock := range map[string]func(string) (func(), error){"Lock": Lock, "LockFolder": LockFolder} {
		unlock, err := lock(path)
		if err == nil {
			unlock()
		}
		var named *fs.PathError
		if !errors.As(err, &named) || named.Path != path+LockSuffix {
			t.Errorf("%s: %v, want an error about %s", name, err, path+LockSuffix)
		}
	}
	if text, err := os.ReadFile(path + LockSuffix); string(text) != "a letter" {
		t.Errorf("it holds %q (%v)", text, err)
	}
}
