package checkpoint

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/klauspost/compress/zstd"

	"paika/internal/lasting"
)

// format is that of the searches here.
const format = 3

// entries yields the first n of an endless row.
func entries(n uint64) func(func(uint64, uint64) bool) {
	return func(yield func(uint64, uint64) bool) {
		for i := uint64(1); i <= n; i++ {
			if !yield(i*0x9e3779b97f4a7c15|1, i) {
				return
			}
		}
	}
}

func open(t *testing.T, path string) *File {
	t.Helper()
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	return f
}

func TestLoadGivesWhatWasSaved(t *testing.T) {
	for _, n := range []uint64{0, 1, block - 1, block, 3*block + 7} {
		f := open(t, filepath.Join(t.TempDir(), "search"))
		want := Header{Format: format, About: "a search", Nodes: 12, Work: map[uint64]uint64{3: 4}}
		if err := f.Save(t.Context(), want, entries(n)); err != nil {
			t.Fatal(err)
		}
		var sum, count uint64
		got, err := f.Load(t.Context(), format, want.About, func(first, second uint64) bool {
			sum, count = sum+first^second, count+1
			return true
		})
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%d entries: %v, %v", n, got, err)
		}
		var wantSum uint64
		for first, second := range entries(n) {
			wantSum = wantSum + first ^ second
		}
		if count != n || sum != wantSum {
			t.Errorf("%d entries, want %d, or others", count, n)
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	f := open(t, filepath.Join(t.TempDir(), "search"))
	load := func(about string) (sum uint64, err error) {
		_, err = f.Load(t.Context(), format, about, func(first, second uint64) bool {
			sum = 31*sum + first ^ second
			return true
		})
		return sum, err
	}
	if _, err := load("a search"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if err := f.Save(t.Context(), Header{Format: format, About: "a search"}, entries(1000)); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(f.Path())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := load("another"); !errors.Is(err, ErrOther) {
		t.Errorf("another search: %v", err)
	}
	if _, err := f.Load(t.Context(), format, "a search", func(first, second uint64) bool { return second < 500 }); !errors.Is(err, ErrFormat) {
		t.Errorf("an entry that is none: %v", err)
	}
	want, err := load("a search")
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; n < len(whole); n += 1 + n/16 {
		if err := os.WriteFile(f.Path(), whole[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := load("a search"); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), f.Path()) {
			t.Errorf("cut to %d of %d bytes: %v", n, len(whole), err)
		}
	}
	for at := 0; at < len(whole); at += 97 {
		changed := bytes.Clone(whole)
		changed[at] ^= 0x10
		if err := os.WriteFile(f.Path(), changed, 0o600); err != nil {
			t.Fatal(err)
		}
		// A bit that decompression does not look at may be any.
		if got, err := load("a search"); err == nil && got != want {
			t.Errorf("byte %d changed: other entries, and no error", at)
		}
	}
}

// TestFilesOfOthersAreNotToBeRemoved: only of a checkpoint does the error advise that.
func TestFilesOfOthersAreNotToBeRemoved(t *testing.T) {
	f := open(t, filepath.Join(t.TempDir(), "search"))
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	for content, ours := range map[string]bool{
		"a letter\n": false,
		string(z.EncodeAll([]byte(`{"format":1,"claim":"draw"}`+"\n"), nil)):                     false,
		string(z.EncodeAll([]byte(`{"format":1000000,"about":"a search","nodes":1}`+"\n"), nil)): true,
	} {
		if err := os.WriteFile(f.Path(), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := f.Load(t.Context(), format, "a search", func(first, second uint64) bool { return true })
		if !errors.Is(err, ErrFormat) || strings.Contains(err.Error(), "remove") != ours {
			t.Errorf("%q: %v", content, err)
		}
	}
	if err := f.Save(t.Context(), Header{Format: format, About: "another search"}, entries(1)); err != nil {
		t.Fatal(err)
	}
	_, err = f.Load(t.Context(), format, "a search", func(first, second uint64) bool { return true })
	if !errors.Is(err, ErrOther) || strings.Contains(err.Error(), "remove") || !strings.Contains(err.Error(), "name another file") {
		t.Errorf("another search's: %v", err)
	}
	whole := string(z.EncodeAll([]byte(`{"format":1,"about":"a search","nodes":1}`+"\n"), nil))
	for _, content := range []string{"", "a", "abc", whole[:4], whole[:6], whole[:9]} { // which may be the beginning of anything
		if err := os.WriteFile(f.Path(), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := f.Load(t.Context(), format, "a search", func(first, second uint64) bool { return true })
		if !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "name another file or, if it was a checkpoint, remove") {
			t.Errorf("%q: %v", content, err)
		}
	}
}

// A file that can't be read is not one to remove: it may be read tomorrow.
func TestWhatCannotBeReadIsNotDamaged(t *testing.T) {
	f := open(t, filepath.Join(t.TempDir(), "search"))
	if err := f.Save(t.Context(), Header{Format: format, About: "a search"}, entries(1000)); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(f.Path())
	if err != nil {
		t.Fatal(err)
	}
	disk := errors.New("the disk fails")
	for n := range len(whole) {
		failing := io.MultiReader(bytes.NewReader(whole[:n]), iotest.ErrReader(disk))
		_, err := read(t.Context(), failing, format, "a search", func(uint64, uint64) bool { return true })
		if !errors.Is(err, disk) || errors.Is(err, ErrFormat) {
			t.Fatalf("after %d of %d bytes: %v", n, len(whole), err)
		}
	}
}

// A search that changes its entries refuses those from before. One of another kind
// reads on what it wrote.
func TestEachKindOfSearchHasAFormatOfItsOwn(t *testing.T) {
	f := open(t, filepath.Join(t.TempDir(), "search"))
	var packed bytes.Buffer
	z, err := zstd.NewWriter(&packed)
	if err != nil {
		t.Fatal(err)
	}
	_, err = z.Write(append2([]byte(`{"format":2,"about":"a search","nodes":1}`+"\n"), 0, 0))
	if err = errors.Join(err, z.Close(), os.WriteFile(f.Path(), packed.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
	load := func(format int) (Header, error) {
		return f.Load(t.Context(), format, "a search", func(uint64, uint64) bool { return true })
	}
	if _, err := load(3); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "format 2, want 3") {
		t.Errorf("error %v, want one with the formats", err)
	}
	if h, err := load(2); err != nil || h.Format != 2 || h.Nodes != 1 {
		t.Errorf("%v, %v, want the header", h, err)
	}
}

// A few kilobytes of compressed zeros, blanks or digits unpack to gigabytes. A
// header of that length takes no more memory than a real one.
func TestAHeaderIsBounded(t *testing.T) {
	for name, text := range map[string]string{
		"one long line":    strings.Repeat(" ", 1<<28),
		"a long number":    `{"format":3,"nodes":` + strings.Repeat("1", 1<<26) + "}\n",
		"many turns":       `{"format":3,"work":{` + strings.Repeat(`"1":1,`, 1<<22) + `"1":1}}` + "\n",
		"too many nodes":   `{"format":3,"about":"a search","nodes":18446744073709551615}` + "\n",
		"too long a time":  `{"format":3,"about":"a search","nodes":1,"seconds":1e300}` + "\n",
		"too much work":    `{"format":3,"about":"a search","nodes":1,"work":{"1":18446744073709551615}}` + "\n",
		"work that sums":   `{"format":3,"about":"a search","nodes":1,"work":{"1":72057594037927935,"2":1}}` + "\n",
		"too much room":    `{"format":3,"about":"a search","nodes":1,"room":18446744073709551615}` + "\n",
		"time before time": `{"format":3,"about":"a search","nodes":1,"seconds":-1}` + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			var packed bytes.Buffer
			z, err := zstd.NewWriter(&packed, zstd.WithEncoderConcurrency(1))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := z.Write([]byte(text)); err != nil {
				t.Fatal(err)
			}
			if err := z.Close(); err != nil {
				t.Fatal(err)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err = read(t.Context(), &packed, format, "a search", func(uint64, uint64) bool { return true })
			runtime.ReadMemStats(&after)
			if !errors.Is(err, ErrFormat) || len(err.Error()) > 1000 {
				t.Errorf("%.1000v", err)
			}
			if taken := after.TotalAlloc - before.TotalAlloc; taken > 64<<20 {
				t.Errorf("%d bytes of memory", taken)
			}
		})
	}
}

func TestAHeaderThatIsTooLongLosesTheWorkBelowTurns(t *testing.T) {
	h := Header{Format: format, About: "a search", Nodes: 1, Work: make(map[uint64]uint64)}
	for i := range uint64(maxHeaderBytes / 8) {
		h.Work[i] = i
	}
	f := open(t, filepath.Join(t.TempDir(), "search"))
	if err := f.Save(t.Context(), h, entries(1)); err != nil {
		t.Fatal(err)
	}
	got, err := f.Load(t.Context(), format, h.About, func(uint64, uint64) bool { return true })
	if err != nil || got.Nodes != 1 || got.Work != nil {
		t.Errorf("%d nodes, %d turns, %v", got.Nodes, len(got.Work), err)
	}
}

func TestTwoSearchesNeverHaveOneCheckpoint(t *testing.T) {
	path := filepath.Join(t.TempDir(), "search")
	first := open(t, path)
	if _, err := Open(path); !errors.Is(err, lasting.ErrLocked) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "another search") {
		t.Errorf("a second search: %v", err)
	}
	if err := first.Save(t.Context(), Header{Format: format}, entries(1)); err != nil {
		t.Fatal(err)
	}
	first.Close()
	open(t, path)
	first.Close() // once more, which another search is spared
	if _, err := Open(path); !errors.Is(err, lasting.ErrLocked) {
		t.Errorf("a third search, where the first one ends twice: %v", err)
	}
}

// A link is another name of the checkpoint that it leads to, and stays when that is removed.
func TestTwoSearchesNeverHaveOneCheckpointByTwoNames(t *testing.T) {
	dir := t.TempDir()
	kept, other := filepath.Join(dir, "kept.search"), filepath.Join(dir, "other.search")
	if err := os.Symlink("kept.search", other); err != nil {
		t.Skip(err)
	}
	first := open(t, other)
	if f, err := Open(kept); !errors.Is(err, lasting.ErrLocked) {
		t.Errorf("a second search, by the other name: %v", err)
		if err == nil {
			f.Close()
		}
	}
	if err := first.Save(t.Context(), Header{Format: format}, entries(1)); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(kept); err != nil {
		t.Error(err)
	}
	if err := first.Remove(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(kept); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what is removed is there still, error %v", err)
	}
	if _, err := os.Lstat(other); err != nil {
		t.Errorf("the link of the user is gone: %v", err)
	}
	if _, err := first.Load(t.Context(), format, "", nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("loading what was removed: %v", err)
	}
}

// A folder that one search removes is made again for another, whenever that happens.
func TestOwnCheckpointsAreOpenedWhileOthersEnd(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "db", "5x5.search")
	var searches sync.WaitGroup
	for n := range 4 {
		searches.Go(func() {
			for range 100 {
				f, err := OpenOwn(folder, strconv.Itoa(n))
				if err != nil {
					t.Error(err)
					return
				}
				f.Close()
			}
		})
	}
	searches.Wait()
}

// The folder of a checkpoint goes with the last one in it, and what was made above it as well. What
// others have made stays, a link to a folder, too.
func TestFoldersGoWithTheirLastCheckpoint(t *testing.T) {
	db := filepath.Join(t.TempDir(), "db")
	folder := filepath.Join(db, "5x5.search")
	openOwn := func(folder, name string) *File {
		t.Helper()
		f, err := OpenOwn(folder, name)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	there := func(when, path string, want bool) {
		t.Helper()
		if _, err := os.Lstat(path); (err == nil) != want {
			t.Errorf("%s: %v, want it there: %v", when, err, want)
		}
	}
	first, second := openOwn(folder, "first"), openOwn(folder+"/", "second")
	if err := second.Save(t.Context(), Header{Format: format}, entries(1)); err != nil {
		t.Fatal(err)
	}
	first.Close()
	second.Close()
	there("with a checkpoint saved", second.Path(), true)
	second = openOwn(folder, "second")
	if err := second.Remove(); err != nil {
		t.Fatal(err)
	}
	second.Close()
	there("without one", folder, false)
	there("a folder of another run", db, true)
	if err := os.Remove(db); err != nil {
		t.Fatal(err)
	}
	openOwn(folder, "first").Close()
	there("a folder of this run", db, false)

	real := t.TempDir()
	link := filepath.Join(t.TempDir(), "5x5.search")
	if err := os.Symlink(real, link); err != nil {
		t.Skip(err)
	}
	for _, spelling := range []string{link, link + "/"} {
		openOwn(spelling, "first").Close()
		there("a link", link, true)
		there("where it leads", real, true)
	}
}

// What can't be written is refused before a search, and nothing is harmed.
func TestOpenRefusesWhatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{dir, filepath.Join(dir, "missing", "search"), os.DevNull} {
		if f, err := Open(path); err == nil {
			f.Close()
			t.Errorf("%s: no error", path)
		} else if !strings.Contains(err.Error(), path) {
			t.Errorf("%s is not named: %v", path, err)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left in the folder: %v, %v", left, err)
	}
	t.Run("a folder that may not be written", func(t *testing.T) {
		if runtime.GOOS == "windows" || os.Geteuid() == 0 {
			t.Skip("all may be written here")
		}
		if err := os.Chmod(dir, 0o500); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(filepath.Join(dir, "search")); !errors.Is(err, fs.ErrPermission) {
			t.Error(err)
		}
	})
}

// The folder of a file is the one that its name is in, by links as the system follows them.
func TestACheckpointBehindALinkAndBack(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there, .. is taken away before any link is followed")
	}
	top := t.TempDir()
	if err := os.MkdirAll(filepath.Join(top, "far", "below"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Mkdir(filepath.Join(top, "far", "there"), 0o777), os.Symlink(filepath.Join(top, "far", "below"), filepath.Join(top, "link"))); err != nil {
		t.Skip(err)
	}
	separator := string(filepath.Separator)
	f := open(t, strings.Join([]string{top, "link", "..", "there", "search"}, separator))
	if err := f.Save(t.Context(), Header{Format: format}, entries(1)); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(top, "far", "there", "search")); err != nil {
		t.Error(err)
	}
	if err := f.Remove(); err != nil {
		t.Error(err)
	}
}

func TestAnErrorOfSavingNamesTheFileOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.search")
	err := &SaveError{path, errors.New(path + ": no space left")}
	if want := "the search could not be saved in " + path + ": no space left"; err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	f, opened := Open(path)
	if opened != nil {
		t.Fatal(opened)
	}
	defer f.Close()
	if err := os.RemoveAll(filepath.Dir(path)); err != nil {
		t.Skip(err) // a file that is open keeps its folder
	}
	if err := f.Save(t.Context(), Header{Format: format}, entries(block)); err == nil || strings.Count(err.Error(), path+": ") != 1 {
		t.Errorf("%v, want an error that names %s once", err, path)
	}
}

func TestAFailedSaveIsToldAndKeepsWhatWasSaved(t *testing.T) {
	f := open(t, filepath.Join(t.TempDir(), "search"))
	if err := f.Save(t.Context(), Header{Format: format, About: "a search", Nodes: 7}, entries(3)); err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	var unsaved *SaveError
	if err := f.Save(ended, Header{Format: format, Nodes: 8}, entries(2*block)); !errors.As(err, &unsaved) || unsaved.Path != f.Path() {
		t.Errorf("%v, want a SaveError", err)
	}
	got, err := f.Load(t.Context(), format, "a search", func(uint64, uint64) bool { return true })
	if err != nil || got.Nodes != 7 {
		t.Errorf("%v, %v, want what was saved first", got, err)
	}
	if err := f.Remove(); err != nil {
		t.Fatal(err)
	}
	if err := f.Remove(); err != nil {
		t.Errorf("removing nothing: %v", err)
	}
}

// TestWhatIsPreservedIsNeverWrittenOver, be it the file or one that has a name of that kind. Once
// the work is over both go. Where a file can have no second name it is the same.
func TestWhatIsPreservedIsNeverWrittenOver(t *testing.T) {
	for name, link := range map[string]func(from, to string) error{
		"by a second name": os.Link,
		"by another name": func(from, to string) error {
			return &os.LinkError{Op: "link", Old: from, New: to, Err: errors.ErrUnsupported}
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := open(t, filepath.Join(t.TempDir(), "search"))
			f.link = link
			preserves(t, f)
		})
	}
}

func preserves(t *testing.T, f *File) {
	t.Helper()
	var kept []string
	f.Preserve(func(path string) { kept = append(kept, path) })
	save := func(nodes uint64) {
		t.Helper()
		if err := f.Save(t.Context(), Header{Format: format, Nodes: nodes}, entries(nodes)); err != nil {
			t.Fatal(err)
		}
	}
	holds := func(path string) uint64 {
		t.Helper()
		h, err := open(t, path).Load(t.Context(), format, "", func(uint64, uint64) bool { return true })
		if err != nil {
			t.Fatal(err)
		}
		return h.Nodes
	}
	save(7) // where nothing is there is nothing to preserve
	if err := os.WriteFile(f.Path()+".1", []byte("a letter"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, about := range map[string]string{".7": "", ".8": "another search", ".old": ""} { // of runs before
		if err := open(t, f.Path()+name).Save(t.Context(), Header{Format: format, About: about}, entries(1)); err != nil {
			t.Fatal(err)
		}
	}
	f.Preserve(func(path string) { kept = append(kept, path) })
	save(2)
	save(3)
	if want := []string{f.Path() + ".2"}; !slices.Equal(kept, want) {
		t.Fatalf("kept in %q, want %q", kept, want)
	}
	if h, err := f.Load(t.Context(), format, "", func(uint64, uint64) bool { return true }); err != nil || h.Nodes != 3 || holds(kept[0]) != 7 {
		t.Errorf("%v, %v", h, err)
	}
	if err := f.Remove(); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(f.Path() + "*")
	left = slices.DeleteFunc(left, func(path string) bool { return strings.HasSuffix(path, lasting.LockSuffix) })
	if want := []string{f.Path() + ".1", f.Path() + ".8", f.Path() + ".old"}; err != nil || !slices.Equal(left, want) {
		t.Errorf("left: %q, %v, want %q", left, err, want)
	}
}

func TestEverySavesUntilItIsStopped(t *testing.T) {
	saved := make(chan bool, 1)
	stop := Every(t.Context(), time.Millisecond, func(context.Context) error {
		select {
		case saved <- true:
		default:
		}
		return errors.New("the disk is full")
	}, nil)
	<-saved
	<-saved // one that fails does not end it
	stop()
	Every(t.Context(), 0, func(context.Context) error { panic("never") }, nil)()
}

// TestEveryTellsTheFirstOfFailures, and the next one behind a time that it went well; not that it was stopped.
func TestEveryTellsTheFirstOfFailures(t *testing.T) {
	full, gone := errors.New("the disk is full"), errors.New("the disk is gone")
	synctest.Test(t, func(t *testing.T) {
		var told []error
		fails := []error{nil, full, gone, nil, gone, gone}
		stop := Every(t.Context(), time.Minute, func(ctx context.Context) error {
			if len(fails) == 0 {
				<-ctx.Done()
				return ctx.Err()
			}
			err := fails[0]
			fails = fails[1:]
			return err
		}, func(err error) { told = append(told, err) })
		time.Sleep(time.Hour)
		stop()
		if want := []error{full, gone}; !slices.Equal(told, want) {
			t.Errorf("told %v, want %v", told, want)
		}
	})
}

// TestRewordChangesTheHeaderAlone, and nothing where what stands there can't be read to its end.
func TestRewordChangesTheHeaderAlone(t *testing.T) {
	f := open(t, filepath.Join(t.TempDir(), "search"))
	const about = "a search"
	certify := func(h *Header) { h.Certificates = []string{"0123456789abcdef"} }
	if err := f.Reword(t.Context(), format, about, certify); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v, want that there is nothing", err)
	}
	written := Header{Format: format, About: about, Nodes: 7, Seconds: 1.5, Room: 100, Work: map[uint64]uint64{3: 4}}
	if err := f.Save(t.Context(), written, entries(100_000)); err != nil {
		t.Fatal(err)
	}
	if err := f.Reword(t.Context(), format, about, certify); err != nil {
		t.Fatal(err)
	}
	certify(&written)
	head, err := f.Head(t.Context(), format, about)
	if err != nil || !reflect.DeepEqual(head, written) {
		t.Errorf("%+v, %v, want %+v", head, err, written)
	}
	var got [][2]uint64
	if _, err := f.Load(t.Context(), format, about, func(first, second uint64) bool {
		got = append(got, [2]uint64{first, second})
		return true
	}); err != nil {
		t.Fatal(err)
	}
	i := 0
	for first, second := range entries(100_000) {
		if i >= len(got) || got[i] != [2]uint64{first, second} {
			t.Fatalf("entry %d of %d differs", i, len(got))
		}
		i++
	}
	if i != len(got) {
		t.Errorf("%d entries, want %d", len(got), i)
	}

	whole, err := os.ReadFile(f.Path())
	if err != nil {
		t.Fatal(err)
	}
	cut := whole[:len(whole)-1]
	if err := os.WriteFile(f.Path(), cut, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Head(t.Context(), format, about); err != nil {
		t.Errorf("the header is there: %v", err)
	}
	if err := f.Reword(t.Context(), format, about, certify); !errors.Is(err, ErrFormat) {
		t.Errorf("%v, want %v", err, ErrFormat)
	}
	if err := f.Reword(t.Context(), format, "another search", certify); !errors.Is(err, ErrOther) {
		t.Errorf("%v, want %v", err, ErrOther)
	}
	if left, err := os.ReadFile(f.Path()); err != nil || !bytes.Equal(left, cut) {
		t.Errorf("it was changed: %v", err)
	}
}

// FuzzRead reads what anyone may have written: it fails, or gives entries that
// the same file gives again.
func FuzzRead(f *testing.F) {
	for _, n := range []uint64{0, 1, 5, 1000} {
		var file bytes.Buffer
		if err := write(f.Context(), &file, Header{Format: format, About: "a search", Nodes: n, Seconds: 1.5, Work: map[uint64]uint64{n: n}}, entries(n)); err != nil {
			f.Fatal(err)
		}
		f.Add(file.Bytes())
		f.Add(file.Bytes()[:file.Len()/2])
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		var got [2]uint64
		for i := range got {
			h, err := read(t.Context(), bytes.NewReader(file), format, "a search", func(first, second uint64) bool {
				got[i] = 31*got[i] + first ^ second
				return true
			})
			if err != nil && !errors.Is(err, ErrFormat) && !errors.Is(err, ErrOther) {
				t.Fatalf("an error of no kind: %v", err)
			}
			if err == nil && (h.About != "a search" || h.Nodes > maxNodes) {
				t.Fatalf("%v", h)
			}
		}
		if got[0] != got[1] {
			t.Fatal("two readings differ")
		}
	})
}
