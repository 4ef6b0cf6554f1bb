package badgerdir

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"paika/tablebase/internal/textfile"
)

// mine is a file of the owner that CLOSED lists.
const mine = "mine.json"

func testOptions() Options {
	return Options{Recorded: func(name string) bool { return name == mine }, LeastValue: 26, System: RealSystem()}
}

// everything wants every key of a folder, as far as the test names them.
type everything map[string]bool

var errLost = errors.New("lost")

func (e everything) Found(key []byte) { delete(e, string(key)) }

func (e everything) Missing() error {
	if len(e) > 0 {
		return errLost
	}
	return nil
}

// value is what stands at a key.
func value(i int) []byte { return bytes.Repeat([]byte{byte(i), 1}, 200) }

func key(i int) []byte { return fmt.Appendf(nil, "k%04d", i) }

// wantedKeys are the first n.
func wantedKeys(n int) everything {
	keys := make(everything)
	for i := range n {
		keys[string(key(i))] = true
	}
	return keys
}

// openToWrite opens a folder that holds the first n keys.
func openToWrite(t testing.TB, dir string, n int) *Folder {
	t.Helper()
	f, err := Lock(dir, Writing, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if err := errors.Join(f.CheckSpace(0), f.CheckLimits(), f.Prepare(wantedKeys(n)), f.Open()); err != nil {
		t.Fatal(err)
	}
	return f
}

// put adds the keys from lo on and below hi.
func put(t testing.TB, f *Folder, lo, hi int) {
	t.Helper()
	var entries []Entry
	for i := lo; i < hi; i++ {
		entries = append(entries, Entry{key(i), value(i)})
	}
	if err := errors.Join(f.Put(entries), f.Sync()); err != nil {
		t.Fatal(err)
	}
}

// filled is a closed folder with n keys.
func filled(t testing.TB, n int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, mine), []byte("{}"), 0o666); err != nil {
		t.Fatal(err)
	}
	f := openToWrite(t, dir, 0)
	put(t, f, 0, n)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// killed is a folder with n keys as a writer that is killed leaves it, with fewer zeros
// behind its logs.
func killed(t testing.TB, n int) (dir string) {
	t.Helper()
	from := filled(t, n/2)
	f := openToWrite(t, from, n/2)
	put(t, f, n/2, n)
	dir = t.TempDir()
	for name, text := range contents(t, from) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// most is more than the entries of any log here take.
const most = 1 << 17

// contents are the files of a folder, each as far as there is anything in it.
func contents(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		file, err := os.Open(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(io.LimitReader(file, most))
		if err := errors.Join(err, file.Close()); err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(text)
	}
	return files
}

func TestWhatIsPutIsThere(t *testing.T) {
	dir := filled(t, 100)
	f, err := Lock(dir, Reading, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := errors.Join(f.CheckClosed(), f.CheckLimits(), f.Open()); err != nil {
		t.Fatal(err)
	}
	var got []byte
	for i := range 100 {
		if err := f.Get(key(i), &got); err != nil || !bytes.Equal(got, value(i)) {
			t.Errorf("%d: %v, %v", i, got, err)
		}
	}
	if err := f.Get(key(100), &got); !errors.Is(err, ErrNoKey) {
		t.Errorf("no such key: %v", err)
	}
	f.Close()
	if err := f.Get(key(0), &got); !errors.Is(err, ErrClosed) || f.InUse() {
		t.Errorf("closed: %v", err)
	}
}

// Changes to a closed folder are told, those of the owner's files as well, and a
// killed writer is told from damage.
func TestReadersGetAClosedFolderOrNone(t *testing.T) {
	dir := filled(t, 10)
	if err := os.WriteFile(filepath.Join(dir, mine), []byte("[]"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		dir  string
		want error
	}{{dir, ErrDamaged}, {killed(t, 10), ErrUnclean}} {
		f, err := Lock(c.dir, Reading, testOptions())
		if err != nil {
			t.Fatal(err)
		}
		if err := f.CheckClosed(); !errors.Is(err, c.want) {
			t.Errorf("got %v, want %v", err, c.want)
		}
		f.Close()
	}
}

// A writer puts in order what a killed one left, unless something wanted would be
// lost: then nothing is changed.
func TestPrepareLosesNothingThatIsWanted(t *testing.T) {
	dir := killed(t, 60)
	before := contents(t, dir)
	f, err := Lock(dir, Writing, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Prepare(wantedKeys(61)); !errors.Is(err, ErrDamaged) || !errors.Is(err, errLost) {
		t.Errorf("a key that is nowhere: %v", err)
	}
	f.Close()
	if after := contents(t, dir); !maps.Equal(before, after) {
		t.Error("files were changed")
	}
	f = openToWrite(t, dir, 60)
	var got []byte
	for i := range 60 {
		if err := f.Get(key(i), &got); err != nil || !bytes.Equal(got, value(i)) {
			t.Errorf("%d: %v", i, err)
		}
	}
}

// Badger takes numbers with a sign. It would end the process for a table with one, and open
// another file than the one that it has found.
func TestNumbersHaveNoSigns(t *testing.T) {
	closed, unclean := filled(t, 10), killed(t, 10)
	for _, name := range []string{"-1.sst", "+000001.sst", "-0001.mem", "+1.mem", "+000001.vlog"} {
		for _, c := range []struct {
			dir    string
			access Access
		}{{closed, Reading}, {closed, Writing}, {unclean, Writing}} {
			path := filepath.Join(c.dir, name)
			if err := os.WriteFile(path, make([]byte, logHeaderBytes), 0o666); err != nil {
				t.Fatal(err)
			}
			f, err := Lock(c.dir, c.access, testOptions())
			if err != nil {
				t.Fatal(err)
			}
			if c.access == Writing {
				err = f.Prepare(wantedKeys(10))
			}
			if err == nil {
				err = f.Open()
			}
			if !errors.Is(err, ErrDamaged) {
				t.Errorf("%s: error %v, want %v", name, err, ErrDamaged)
			}
			if err := errors.Join(f.Close(), os.Remove(path)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, dir := range []string{closed, unclean} { // nothing was changed
		openToWrite(t, dir, 10).Close()
	}
}

// Whatever Badger knows, values are in the logs with their keys.
func TestSearchLogsFindsAllValues(t *testing.T) {
	dir := filled(t, 50)
	tables, err := filepath.Glob(filepath.Join(dir, "*"+treeSuffix))
	if err != nil || len(tables) == 0 {
		t.Fatalf("no tables, %v", err)
	}
	for _, path := range tables {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	f, err := Lock(dir, Salvaging, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Inspect(everything{}); !errors.Is(err, ErrDamaged) {
		t.Errorf("tables are gone: %v", err)
	}
	places := make(map[string]Place)
	if err := f.SearchLogs(t.Context(), 'k', func(key []byte, at Place) { places[string(key)] = at }); err != nil {
		t.Fatal(err)
	}
	var got []byte
	for i := range 50 {
		if err := f.ReadLog(places[string(key(i))], &got); err != nil || !bytes.Equal(got, value(i)) {
			t.Errorf("%d: %v", i, err)
		}
	}
	if err := f.ReadLog(Place{}, &got); !errors.Is(err, ErrNoKey) {
		t.Errorf("nowhere: %v", err)
	}
}

// What a writer left may find no room to be recorded, once Badger has closed its files. The
// folder is nobody else's until it has.
func TestCloseGoesOnWhereItFoundNoRoom(t *testing.T) {
	dir := filled(t, 1)
	full := true
	options := testOptions()
	options.System.Sync = func(path string) error {
		if full {
			return &os.PathError{Op: "sync", Path: path, Err: syscall.ENOSPC}
		}
		return RealSystem().Sync(path)
	}
	f, err := Lock(dir, Writing, options)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Prepare(wantedKeys(1)), f.Open()); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := f.Close(); !errors.Is(err, ErrDiskFull) {
			t.Errorf("without room: %v", err)
		}
		if _, err := Lock(dir, Writing, testOptions()); !errors.Is(err, ErrLocked) {
			t.Errorf("another writer: %v", err)
		}
	}
	full = false
	if err := errors.Join(f.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	if f, err = Lock(dir, Reading, testOptions()); err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.CheckClosed(); err != nil {
		t.Errorf("with room: %v", err)
	}
}

func TestOneWriterOrManyReaders(t *testing.T) {
	dir := filled(t, 1)
	first, err := Lock(dir, Reading, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	second, err := Lock(dir, Reading, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	second.Close()
	if _, err := Lock(dir, Writing, testOptions()); !errors.Is(err, ErrLocked) {
		t.Errorf("a writer beside a reader: %v", err)
	}
	first.Close()
	openToWrite(t, dir, 1)
	if _, err := Lock(dir, Writing, testOptions()); !errors.Is(err, ErrLocked) {
		t.Errorf("two writers: %v", err)
	}
}

// A list of files names what is in the folder, and nothing outside of it.
func FuzzClosed(f *testing.F) {
	text, err := os.ReadFile(filepath.Join(filled(f, 10), closedFile))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	if body, err := textfile.Parse(closedFile, text); err == nil {
		f.Add(body)
	}
	folder := &Folder{opts: testOptions()}
	f.Fuzz(func(t *testing.T, text []byte) {
		if body, err := textfile.Parse(closedFile, text); err == nil {
			text = body
		}
		left, err := folder.parseClosed(text)
		if err != nil {
			return
		}
		for _, file := range left {
			if filepath.Base(file.Name) != file.Name {
				t.Errorf("CLOSED reaches out of the folder: %q", file.Name)
			}
		}
	})
}

// A log is read past damage of any kind, and what is whole in it is found.
func FuzzLog(f *testing.F) {
	files := contents(f, killed(f, 60))
	for name, text := range files {
		switch filepath.Ext(name) {
		case valueLogSuffix:
			log := bytes.TrimRight([]byte(text), "\x00")
			f.Add(log, []byte{})
			f.Add(log[:100], log[100:])
		case memtableSuffix:
			f.Add(bytes.TrimRight([]byte(text), "\x00"), []byte{0, 0, 0})
		}
	}
	path := filepath.Join(f.TempDir(), "log")
	f.Fuzz(func(t *testing.T, before, after []byte) {
		if err := os.WriteFile(path, append(before, after...), 0o666); err != nil {
			t.Fatal(err)
		}
		log, err := openLog(path)
		if err != nil {
			t.Fatal(err)
		}
		defer log.Close()
		entries := 0
		end, err := log.replay(func(logEntry) { entries++ })
		if err != nil || end < logHeaderBytes {
			t.Errorf("ends at %d, %v", end, err)
		}
		last := int64(logHeaderBytes)
		err = log.search(t.Context(), 'k', func(e logEntry) error {
			if e.at < last || e.end > log.size {
				t.Errorf("an entry from %d to %d behind one to %d", e.at, e.end, last)
			}
			last = e.end
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
}

// Where a disk is full the folder stays open and locked until there is room to close it.
func TestClosingWaitsForRoom(t *testing.T) {
	dir := filled(t, 5)
	f := openToWrite(t, dir, 5)
	free := f.opts.System.Free
	f.opts.System.Free = func(string) (uint64, error) { return reserveStep - 1, nil }
	for range 2 {
		if err := f.Close(); !errors.Is(err, ErrDiskFull) || !f.InUse() {
			t.Fatalf("%v, in use: %v", err, f.InUse())
		}
		if _, err := Lock(dir, Writing, testOptions()); !errors.Is(err, ErrLocked) {
			t.Errorf("another writer: %v, want %v", err, ErrLocked)
		}
	}
	f.opts.System.Free = free
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if err := openToWrite(t, dir, 5).Close(); err != nil {
		t.Error(err)
	}
}

// Tables are for all who may read the folder: Badger keeps two files of it to its user.
func TestOthersMayReadWhatIsClosed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no such modes there")
	}
	dir := filled(t, 5)
	list, err := os.Stat(filepath.Join(dir, closedFile))
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if info, err := e.Info(); err != nil || isBadgers(e.Name()) && info.Mode()&0o444 != list.Mode()&0o444 {
			t.Errorf("%s: %v, and %v of the list; %v", e.Name(), info.Mode(), list.Mode(), err)
		}
	}
}

func TestAFileThatMayNotBeRead(t *testing.T) {
	if runtime.GOOS == "windows" || os.Geteuid() == 0 {
		t.Skip("all may be read here")
	}
	dir := filled(t, 5)
	if err := os.Chmod(filepath.Join(dir, "MANIFEST"), 0); err != nil {
		t.Fatal(err)
	}
	f, err := Lock(dir, Reading, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.CheckClosed(); !errors.Is(err, ErrNotReadable) {
		t.Errorf("%v, want %v", err, ErrNotReadable)
	}
}
