package tablebase

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"paika/bitboard"
	"paika/internal/lasting"
	"paika/tablebase/internal/badgerdir"
	"paika/tablebase/internal/graphgame"
)

// Tests on a disk of their own, which root alone can mount.

// smallDisk mounts a disk of that many MiB, or skips the test.
func smallDisk(t *testing.T, mebibytes int) string {
	t.Helper()
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%dm", mebibytes)); err != nil {
		t.Skipf("no disk of our own: %v", err)
	}
	t.Cleanup(func() { unix.Unmount(dir, unix.MNT_DETACH) })
	return dir
}

func TestReadersNeedNoWritableFolder(t *testing.T) {
	game := graphgame.New(1, 1, 100)
	sol := game.Solve()
	stored := storedTest(t, sol, bitboard.WDL)
	dir := filepath.Join(smallDisk(t, 64), "db")
	if err := os.CopyFS(dir, os.DirFS(stored)); err != nil {
		t.Fatal(err)
	}
	unclean := filepath.Join(filepath.Dir(dir), "unclean")
	if err := os.CopyFS(unclean, os.DirFS(stored)); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(unclean, closedFile)); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("", filepath.Dir(dir), "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Skipf("cannot make the disk read-only: %v", err)
	}
	s := openTest(t, dir, Options{ReadOnly: true})
	openTest(t, dir, Options{ReadOnly: true})
	if kept := wantKept(t, s, sol); kept != 2 {
		t.Errorf("%d slices are read, want 2", kept)
	}
	_, err := Open(dir, testIdentity, Options{})
	wantError(t, err, ErrNotWritable)
	_, err = Open(unclean, testIdentity, Options{ReadOnly: true})
	wantError(t, err, ErrUnclean)
}

// A repair of a folder at which a disk is mounted is refused before there is anything beside it.
func TestAMountIsNotReplaced(t *testing.T) {
	sol := graphgame.New(3, 1, 100).Solve()
	dir := smallDisk(t, 64)
	if err := os.CopyFS(dir, os.DirFS(storedTest(t, sol, bitboard.WDL))); err != nil {
		t.Fatal(err)
	}
	_, err := openWreck(t, dir, sol).BeginReplacement()
	wantError(t, err, ErrNotMovable)
	if exists(ReplacementFolder(dir)) {
		t.Error("a folder was made beside it")
	}
}

// In /proc no folder can be made, though the error is that of a path that leads nowhere.
func TestNoStoreIsMadeWhereNoFolderCanBe(t *testing.T) {
	_, err := Open("/proc/paika", testIdentity, Options{})
	wantError(t, err, ErrNotWritable)
	if got, want := err.Error(), "/proc/paika can't be made: /proc: the folder is not writable"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestSmallDiskFills(t *testing.T) {
	if testing.Short() {
		t.Skip("fills a disk")
	}
	dir := smallDisk(t, 17)
	space := noiseSpace{slices: 2, indices: 100_000}
	s := openTest(t, dir, Options{})
	err := space.build(s)
	for other := space; err == nil && other.other < 1000; other.other++ { // what is replaced still takes space
		err = other.save(s, bitboard.DTW, 0)
	}
	wantError(t, err, ErrDiskFull)
	space.check(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	space.checkFolder(t, dir)
}

// The look at the free space says what it likes: a disk that is full in the
// middle of a checkpoint leaves the one before, and no half of the new one.
func TestDiskThatFillsKeepsTheCheckpoint(t *testing.T) {
	const m = bitboard.DTW
	space := sectionsSpace(m)
	dir := smallDisk(t, 16)
	store, err := open(dir, testIdentity, Options{Version: "test"}, badgerdir.System{Free: func(string) (uint64, error) { return 1 << 40, nil }, Sync: lasting.SyncFile})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	tables := store.Tables(m, space)
	saveCheckpoint(t, tables, "first", space.unfinished(m, 1, 0, 1, 2, 3))
	wantError(t, tables.SaveCheckpoint([]byte("second"), space.unfinished(m, 2, 0, 1, 2, 3)), ErrDiskFull)
	if _, err := os.Stat(checkpointPath(dir, m, 0, 1, 2, 3) + lasting.PartSuffix); err == nil {
		t.Error("half a checkpoint is left")
	}
	wantCheckpoint(t, tables, "first", space.unfinished(m, 1, 0, 1, 2, 3))
}

// The look at the free space says what it likes: a disk that is full in the middle
// of a slice ends no process. What was listed before is there.
func TestADiskThatFillsUnderAWriterIsAnError(t *testing.T) {
	if testing.Short() {
		t.Skip("fills a disk")
	}
	dir := smallDisk(t, 5)
	store, err := open(dir, testIdentity, Options{Version: "test"}, badgerdir.System{Free: func(string) (uint64, error) { return 1 << 40, nil }, Sync: lasting.SyncFile})
	if err != nil {
		t.Fatal(err)
	}
	space := noiseSpace{slices: 2, indices: 300_000}
	if err := space.save(store, bitboard.WDL, 0); err != nil {
		t.Fatal(err)
	}
	for other := space; err == nil && other.other < 1000; other.other++ {
		err = other.save(store, bitboard.DTW, 1)
	}
	wantError(t, err, ErrDiskFull)
	if err := store.Close(); err != nil {
		wantError(t, err, ErrDiskFull)
	}
	again := openTest(t, takeSnapshot(t, dir).write(t), Options{})
	if !again.Tables(bitboard.WDL, space).Has(0) {
		t.Error("what was stored before is gone")
	}
	space.check(t, again)
}

// TestAStoreIsClosedOnceThereIsRoom: until then it is open and locked, and what is in it can be
// read. After that the folder is as any that was closed.
func TestAStoreIsClosedOnceThereIsRoom(t *testing.T) {
	dir := smallDisk(t, 32)
	store := openTest(t, dir, Options{})
	space := noiseSpace{slices: 1, indices: 1000}
	if err := space.save(store, bitboard.WDL, 0); err != nil {
		t.Fatal(err)
	}
	filler := filepath.Join(dir, "filler")
	if err := os.WriteFile(filler, make([]byte, 32<<20), 0o666); !errors.Is(err, unix.ENOSPC) {
		t.Fatal(err)
	}
	for range 2 {
		wantError(t, store.Close(), ErrDiskFull)
		space.check(t, store)
		_, err := Open(dir, testIdentity, Options{ReadOnly: true})
		wantError(t, err, ErrLocked)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(store.Close(), store.Close()); err != nil {
		t.Fatal(err)
	}
	space.check(t, openTest(t, dir, Options{ReadOnly: true}))
}
