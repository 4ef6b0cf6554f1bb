package badgerdir

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"testing"

	"golang.org/x/sys/unix"
)

// folderVariable names a folder that another process of this test opens within a limit.
const folderVariable = "PAIKA_TEST_FOLDER"

// Where Badger fails, what was closed before stays closed, and nothing of what Badger made is left.
// It makes a log of a memtable first, and then a value log.
func TestAFolderThatBadgerCannotOpenStaysClosed(t *testing.T) {
	if dir := os.Getenv(folderVariable); dir != "" {
		openWithinLimits(t, dir)
		return
	}
	dir := unchangedByAnother(t)
	f, err := Lock(dir, Reading, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := errors.Join(f.CheckClosed(), f.Open()); err != nil {
		t.Error(err)
	}
}

// openWithinLimits opens a folder past what asks for the limits beforehand.
func openWithinLimits(t *testing.T, dir string) {
	for _, limit := range []uint64{2 * valueLogBytes / 4, memTableBytes} {
		if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: limit, Max: limit}); err != nil {
			t.Fatal(err)
		}
		f, err := Lock(dir, Writing, testOptions())
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Prepare(wantedKeys(4)); err != nil {
			t.Fatal(err)
		}
		if err := f.Open(); err == nil || errors.Is(err, ErrDamaged) {
			t.Errorf("files of at most %d bytes: %v", limit, err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Memory that is not given is told as that, before Badger changes anything.
func TestMemoryThatIsNotGiven(t *testing.T) {
	if dir := os.Getenv(folderVariable); dir != "" {
		var pages uint64
		if text, err := os.ReadFile("/proc/self/statm"); err != nil {
			t.Fatal(err)
		} else if _, err := fmt.Sscan(string(text), &pages); err != nil {
			t.Fatal(err)
		}
		limit := pages*uint64(os.Getpagesize()) + valueLogBytes
		if err := unix.Setrlimit(unix.RLIMIT_AS, &unix.Rlimit{Cur: limit, Max: limit}); err != nil {
			t.Fatal(err)
		}
		for access, want := range map[Access]error{Reading: nil, Writing: ErrNoMemory} {
			f, err := Lock(dir, access, testOptions())
			if err != nil {
				t.Fatal(err)
			}
			if err := f.CheckLimits(); !errors.Is(err, want) {
				t.Errorf("access %d: %v, want %v", access, err, want)
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
		}
		return
	}
	unchangedByAnother(t)
}

// unchangedByAnother fills a folder, has another process run the test on it, and wants the same files
// there afterwards.
func unchangedByAnother(t *testing.T) (dir string) {
	t.Helper()
	dir = filled(t, 4)
	before := contents(t, dir)
	work := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	work.Env = append(os.Environ(), folderVariable+"="+dir)
	if out, err := work.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if after := contents(t, dir); !maps.Equal(before, after) {
		t.Errorf("%d files, were %d, or others", len(after), len(before))
	}
	return dir
}
