package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/zeebo/xxh3"

	"paika/cmd/paika/hub/construction"
	"paika/cmd/paika/hub/inspection"
	"paika/internal/lasting"
)

var errDisk = errors.New("the disk fails")

// failing is a file on a disk that fails.
type failing struct {
	*os.File
	room     int   // bytes that still fit; less than 0 is any number
	truncate error // of every Truncate
	stat     error // of every Stat
	sync     error // of the next Sync; those after it succeed, as those of Linux do
	syncs    int
	during   func() // if any, what happens while the next Sync is under way
	read     int    // bytes
}

func (f *failing) ReadAt(to []byte, at int64) (int, error) {
	n, err := f.File.ReadAt(to, at)
	f.read += n
	return n, err
}

func (f *failing) WriteString(text string) (int, error) {
	if f.room < 0 || len(text) <= f.room {
		return f.File.WriteString(text)
	}
	n, err := f.File.WriteString(text[:f.room])
	return n, errors.Join(err, errDisk)
}

func (f *failing) Truncate(size int64) error {
	if f.truncate != nil {
		return f.truncate
	}
	return f.File.Truncate(size)
}

func (f *failing) Stat() (os.FileInfo, error) {
	if f.stat != nil {
		return nil, f.stat
	}
	return f.File.Stat()
}

func (f *failing) Sync() error {
	f.syncs++
	if during := f.during; during != nil {
		f.during = nil
		during()
	}
	err := f.sync
	f.sync = nil
	return err
}

// openFailing is a ledger with a line, on a disk that does not fail yet.
func openFailing(t *testing.T) (l *Ledger, disk *failing, path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "ledger")
	l, err := open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	disk = &failing{File: l.file.(*os.File), room: -1}
	l.file = disk
	if err := l.Add(begun("first")); err != nil {
		t.Fatal(err)
	}
	return l, disk, path
}

func begun(version string) Entry { return Entry{Start: &Start{Version: version}} }

// versions reads the ledger at a path, all of whose lines begin hubs.
func versions(t *testing.T, path string) (names []string, torn int) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	entries, torn := linesOf(t, text)
	for _, e := range entries {
		names = append(names, e.Start.Version)
	}
	return names, torn
}

// TestALineThatDoesNotFitLeavesNothing, wherever the disk is full, and the next one counts.
func TestALineThatDoesNotFitLeavesNothing(t *testing.T) {
	length := func() int {
		line, err := Entry{At: time.Now().UTC().Truncate(time.Millisecond), Start: &Start{Version: "lost"}}.line()
		if err != nil {
			t.Fatal(err)
		}
		return len(line)
	}()
	for room := range length - 10 { // times have few digits now and then
		l, disk, path := openFailing(t)
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		disk.room = room
		if err := l.Add(begun("lost")); !errors.Is(err, errDisk) {
			t.Fatalf("%d bytes fit: %v", room, err)
		}
		if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, before) {
			t.Fatalf("%d bytes fit: the file is %q, %v, and was %q", room, after, err, before)
		}
		if l.Lines() != 1 {
			t.Errorf("%d bytes fit: %d lines count, want 1", room, l.Lines())
		}
		disk.room = -1
		if err := l.Add(begun("next")); err != nil {
			t.Fatal(err)
		}
		if got, torn := versions(t, path); torn != 0 || strings.Join(got, " ") != "first next" {
			t.Errorf("%d bytes fit: %q, %d torn", room, got, torn)
		}
	}
}

// TestALineBehindOneThatStaysTornCounts, and one behind that: what could not be taken back is
// ended by the next line that fits.
func TestALineBehindOneThatStaysTornCounts(t *testing.T) {
	for _, room := range []int{1, hashDigits, 40} {
		l, disk, path := openFailing(t)
		disk.truncate = errDisk
		for range 2 {
			disk.room = room
			if err := l.Add(begun("lost")); !errors.Is(err, errDisk) {
				t.Fatalf("%d bytes fit: %v", room, err)
			}
		}
		disk.room = -1
		for _, version := range []string{"next", "later"} {
			if err := l.Add(begun(version)); err != nil {
				t.Fatal(err)
			}
		}
		got, torn := versions(t, path)
		if torn == 0 || strings.Join(got, " ") != "first next later" {
			t.Errorf("%d bytes fit: %q, %d torn", room, got, torn)
		}
		l.Close()
		if l, err := open(path); err != nil || l.broken {
			t.Errorf("opened again: %v", err)
		} else {
			l.Close()
		}
	}
}

// TestALineIsNotAddedToAFileOfUnknownSize: nobody could take it back.
func TestALineIsNotAddedToAFileOfUnknownSize(t *testing.T) {
	l, disk, path := openFailing(t)
	disk.stat = errDisk
	if err := l.Add(begun("lost")); !errors.Is(err, errDisk) {
		t.Errorf("added: %v", err)
	}
	if _, err := l.readAll(func(Entry) { t.Error("an entry is read") }); !errors.Is(err, errDisk) {
		t.Errorf("read: %v", err)
	}
	if got, torn := versions(t, path); torn != 0 || len(got) != 1 {
		t.Errorf("%q, %d torn", got, torn)
	}
}

// TestASyncThatFailedIsNoSuccessLater: the system may have dropped the lines, and call the next
// sync a success.
func TestASyncThatFailedIsNoSuccessLater(t *testing.T) {
	l, disk, _ := openFailing(t)
	if err := l.Sync(); err != nil {
		t.Fatal(err)
	}
	if err := l.Add(begun("unsynced")); err != nil {
		t.Fatal(err)
	}
	disk.sync = errDisk
	if err := l.Sync(); !errors.Is(err, errDisk) {
		t.Errorf("a sync that fails: %v", err)
	}
	for range 2 {
		if err := l.Sync(); !errors.Is(err, ErrUnsynced) {
			t.Errorf("a sync after one that failed: %v", err)
		}
		if err := l.Add(begun("later")); err != nil {
			t.Fatal(err)
		}
	}
}

// TestEveryLineIsSyncedOnce, those that were added since the sync before.
func TestEveryLineIsSyncedOnce(t *testing.T) {
	l, disk, _ := openFailing(t)
	for want := range 3 {
		for range 2 {
			if err := l.Sync(); err != nil || disk.syncs != want+1 {
				t.Fatalf("%d syncs, %v, want %d", disk.syncs, err, want+1)
			}
		}
		if err := l.Add(begun("next")); err != nil {
			t.Fatal(err)
		}
	}
}

// TestALineThatComesDuringASyncIsSyncedByTheNext: the system may have begun without it. Those who
// wait for that sync share it.
func TestALineThatComesDuringASyncIsSyncedByTheNext(t *testing.T) {
	l, disk, _ := openFailing(t)
	var waiting sync.WaitGroup
	disk.during = func() {
		for range 2 {
			if err := l.Add(begun("next")); err != nil {
				t.Error(err)
			}
		}
		for range 2 {
			waiting.Go(func() {
				if err := l.Sync(); err != nil {
					t.Error(err)
				}
			})
		}
	}
	if err := l.Sync(); err != nil {
		t.Fatal(err)
	}
	waiting.Wait()
	if disk.syncs != 2 {
		t.Errorf("%d syncs, want 2: one without the lines that came meanwhile, one with them", disk.syncs)
	}
}

// TestAWholeLedgerGoesOnAsItEnded: no line is torn by opening it, and each has its time.
func TestAWholeLedgerGoesOnAsItEnded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger")
	before := time.Now().Add(-time.Second)
	for _, version := range []string{"a", "b", "c"} {
		l, err := open(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Add(begun(version)); err != nil {
			t.Fatal(err)
		}
		l.Close()
		if err := l.Add(begun("closed")); !errors.Is(err, os.ErrClosed) {
			t.Errorf("added to a ledger that is closed: %v", err)
		}
	}
	if got, torn := versions(t, path); torn != 0 || strings.Join(got, " ") != "a b c" {
		t.Errorf("%q, %d torn", got, torn)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	entries, _ := linesOf(t, text)
	for _, e := range entries {
		if e.At.Before(before) || e.At.After(time.Now()) {
			t.Errorf("it says that it was added at %v", e.At)
		}
	}
}

// TestALedgerThatCantBeOpenedIsLeft to who can.
func TestALedgerThatCantBeOpenedIsLeft(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger")
	if err := os.Mkdir(path, 0o777); err != nil {
		t.Fatal(err)
	}
	if l, err := open(path); err == nil || errors.Is(err, lasting.ErrLocked) {
		t.Fatalf("a folder is opened: %v, %v", l, err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	l, err := open(path)
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
}

// TestWhatCantBeReadIsNoEnd: who can't read the rest of a ledger does not take what came
// before for all of it.
func TestWhatCantBeReadIsNoEnd(t *testing.T) {
	line, err := begun("v").line()
	if err != nil {
		t.Fatal(err)
	}
	for _, whole := range []string{"", line, line + line[:20]} {
		if _, err := Read(iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader(whole+line))), func(Entry) {}); err == nil {
			t.Errorf("behind %d bytes nothing can be read, and there is no error", len(whole))
		}
	}
	if _, err := Read(iotest.ErrReader(errDisk), func(Entry) {}); !errors.Is(err, errDisk) {
		t.Errorf("nothing can be read: %v", err)
	}
}

// TestTheLongestLineIsRead: what is written can be read, and no more is written.
func TestTheLongestLineIsRead(t *testing.T) {
	for _, longer := range []int{0, 1} {
		text := Entry{At: time.Now().UTC().Truncate(time.Millisecond), Start: &Start{}}
		empty, err := text.line()
		if err != nil {
			t.Fatal(err)
		}
		text.Start.Version = strings.Repeat("v", mostLine-len(empty)+longer)
		line, err := text.line()
		if err != nil || len(line) != mostLine+longer {
			t.Fatalf("a line of %d bytes, %v", len(line), err)
		}
		if entries, torn := linesOf(t, []byte(line)); len(entries) != 1-longer || torn != longer {
			t.Errorf("a line of %d bytes: %d entries, %d torn", len(line), len(entries), torn)
		}
	}
}

// TestAnswersWithACertificate are those to searches.
func TestAnswersWithACertificate(t *testing.T) {
	for _, c := range []struct {
		answer Answer
		want   bool
	}{
		{Answer{}, true},
		{Answer{Report: &inspection.Report{}}, false},
		{Answer{Built: &construction.Tally{}}, false},
	} {
		if got := c.answer.Certified(); got != c.want {
			t.Errorf("%+v: %v, want %v", c.answer, got, c.want)
		}
	}
}

// TestWhatIsNoEntryIsNone, though its hash is right.
func TestWhatIsNoEntryIsNone(t *testing.T) {
	for _, text := range []string{"", "x", "{", "[]", `{"at":1}`} {
		if _, whole := parseLine(fmt.Sprintf("%016x %s\n", xxh3.HashString(text), text)); whole {
			t.Errorf("%q is an entry", text)
		}
	}
}
