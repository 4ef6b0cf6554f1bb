package tablebase

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"paika/bitboard"
	"paika/internal/lasting"
	"paika/tablebase/internal/badgerdir"
)

// sectionsSpace has slices of three sections in a metric.
func sectionsSpace(m bitboard.Metric) noiseSpace {
	if m == bitboard.DTW {
		return noiseSpace{slices: 4, indices: sectionBytes + 77}
	}
	return noiseSpace{slices: 4, indices: 8*sectionBytes + 77}
}

// shortSpace has slices of one short section.
var shortSpace = noiseSpace{slices: 4, indices: 1000}

// unfinished is a group as a solver leaves it: any bits at all.
func (n noiseSpace) unfinished(m bitboard.Metric, seed uint64, group ...bitboard.Slice) []*bitboard.Table {
	tables := n.blank(m, group...)
	random := rand.New(rand.NewPCG(seed, 51))
	for _, t := range tables {
		for i := range t.WDL {
			t.WDL[i] = random.Uint64()
		}
		for i := range t.DTW {
			t.DTW[i] = bitboard.Depth(random.Uint32())
		}
	}
	return tables
}

func (n noiseSpace) blank(m bitboard.Metric, group ...bitboard.Slice) (tables []*bitboard.Table) {
	for _, s := range group {
		tables = append(tables, bitboard.NewTable(m, s, n.Indices(s)))
	}
	return tables
}

func sameTables(a, b []*bitboard.Table) bool {
	return slices.EqualFunc(a, b, func(t, u *bitboard.Table) bool {
		return t.Slice == u.Slice && slices.Equal(t.WDL, u.WDL) && slices.Equal(t.DTW, u.DTW)
	})
}

// checkpointsOf opens a store with the tables of a metric.
func checkpointsOf(t testing.TB, dir string, m bitboard.Metric, space noiseSpace) (*Store, *Tables) {
	t.Helper()
	s := openTest(t, dir, Options{Version: "test"})
	return s, s.Tables(m, space)
}

// wantCheckpoint loads the checkpoint of a group; with no text, there must be
// none.
func wantCheckpoint(t testing.TB, tables *Tables, text string, want []*bitboard.Table) {
	t.Helper()
	space := tables.space.(noiseSpace)
	var group []bitboard.Slice
	for _, table := range want {
		group = append(group, table.Slice)
	}
	if text == "" {
		want = space.blank(tables.metric, group...)
	}
	got := space.blank(tables.metric, group...)
	read, _, err := tables.LoadCheckpoint(t.Context(), got)
	if err != nil {
		t.Fatal(err)
	}
	if string(read) != text || text == "" && read != nil {
		t.Errorf("text %q, want %q", read, text)
	}
	if !sameTables(got, want) {
		t.Errorf("with text %q, tables differ from those saved, or are not zero", read)
	}
}

// checkpointPath is that of a group of a noiseSpace.
func checkpointPath(dir string, m bitboard.Metric, group ...bitboard.Slice) string {
	h := checkpointHeader{Metric: m.String()}
	for _, s := range group {
		h.Slices = append(h.Slices, noiseSpace{}.SliceName(s))
	}
	return h.path(dir)
}

func saveCheckpoint(t testing.TB, tables *Tables, text string, group []*bitboard.Table) {
	t.Helper()
	if err := tables.SaveCheckpoint([]byte(text), group); err != nil {
		t.Fatal(err)
	}
}

func TestCheckpointsLoadAgain(t *testing.T) {
	for _, m := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		space := sectionsSpace(m)
		dir := t.TempDir()
		store, tables := checkpointsOf(t, dir, m, space)
		manifest := manifestOf(t, store, m)
		wantCheckpoint(t, tables, "", space.unfinished(m, 1, 0, 1))
		saveCheckpoint(t, tables, "first", space.unfinished(m, 1, 0, 1))
		wantCheckpoint(t, tables, "first", space.unfinished(m, 1, 0, 1))
		saveCheckpoint(t, tables, "second", space.unfinished(m, 2, 2, 3))
		wantCheckpoint(t, tables, "first", space.unfinished(m, 1, 0, 1)) // each group has its own
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
		openTest(t, dir, Options{ReadOnly: true}).Close()
		store, tables = checkpointsOf(t, dir, m, space)
		if got := manifestOf(t, store, m); got != manifest {
			t.Errorf("manifest %s, want %s", got, manifest)
		}
		wantCheckpoint(t, tables, "second", space.unfinished(m, 2, 2, 3))
		for range 2 {
			if err := tables.DropCheckpoint(space.blank(m, 2, 3)); err != nil {
				t.Fatal(err)
			}
			wantCheckpoint(t, tables, "", space.unfinished(m, 2, 2, 3))
			wantCheckpoint(t, tables, "first", space.unfinished(m, 1, 0, 1))
		}
	}
}

// A checkpoint that can't be read stays where it is, and work does not begin anew
// without it. A folder of its name can be opened and not read.
func TestACheckpointThatCannotBeReadStays(t *testing.T) {
	m, dir := bitboard.WDL, t.TempDir()
	space := sectionsSpace(m)
	store, _ := checkpointsOf(t, dir, m, space)
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	path := checkpointPath(dir, m, 0, 1)
	if err := os.Mkdir(path, 0o777); err != nil {
		t.Fatal(err)
	}
	_, tables := checkpointsOf(t, dir, m, space)
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
	if text, _, err := tables.LoadCheckpoint(t.Context(), space.blank(m, 0, 1)); text != nil || err == nil {
		t.Errorf("text %q, error %v", text, err)
	}
	disk := errors.New("the disk fails")
	whole := new(bytes.Buffer)
	header, err := tables.checkpointHeader(space.unfinished(m, 1, 0))
	if err != nil {
		t.Fatal(err)
	}
	if err := writeCheckpoint(whole, header, nil); err != nil {
		t.Fatal(err)
	}
	for n := range whole.Len() {
		failing := io.MultiReader(bytes.NewReader(whole.Bytes()[:n]), iotest.ErrReader(disk))
		if _, _, err := readHeader(bufio.NewReader(failing)); !errors.Is(err, disk) || errors.Is(err, errNoCheckpoint) {
			t.Fatalf("after %d bytes: %v", n, err)
		}
	}
}

// A checkpoint that is gone, changed or cut short since the store was closed
// says nothing about the store, and counts as absent.
func TestDamagedCheckpointsAreAbsent(t *testing.T) {
	random := rand.New(rand.NewPCG(52, 1))
	for _, m := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		space := sectionsSpace(m)
		dir := t.TempDir()
		store, tables := checkpointsOf(t, dir, m, space)
		group := space.unfinished(m, 1, 0, 1)
		saveCheckpoint(t, tables, "text", group)
		path := checkpointPath(dir, m, 0, 1)
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		damage := func(name string, text []byte) {
			t.Helper()
			if err := os.WriteFile(path, text, 0o666); err != nil {
				t.Fatal(err)
			}
			read, refused, err := tables.LoadCheckpoint(t.Context(), space.blank(m, 0, 1))
			if read != nil || refused == nil || err != nil {
				t.Errorf("%v, %s: text %q, refused %v, error %v", m, name, read, refused, err)
			}
		}
		sizes := []int{0, 1, 17, 100, sectionBytes, len(whole) - sectionBytes, len(whole) - 9, len(whole) - 8, len(whole) - 1}
		places := []int{0, 16, 17, 40, random.IntN(len(whole)), random.IntN(len(whole)), len(whole) - 9, len(whole) - 1}
		if testing.Short() { // each takes reading some megabytes
			sizes, places = sizes[len(sizes)-1:], places[len(places)-2:]
		}
		for _, size := range sizes {
			damage(fmt.Sprintf("%d of %d bytes", size, len(whole)), whole[:size])
		}
		damage("a byte more", append(slices.Clone(whole), 0))
		for _, at := range places {
			flipped := slices.Clone(whole)
			flipped[at] ^= 1 << random.IntN(8)
			damage(fmt.Sprintf("byte %d flipped", at), flipped)
		}
		swapped := slices.Clone(whole)
		first := slices.Index(swapped, '\n') + 1
		section := sectionBytes + sealBytes
		copy(swapped[first:], whole[first+section:first+2*section])
		copy(swapped[first+section:], whole[first:first+section])
		damage("sections in another order", swapped)
		wantCheckpoint(t, tables, "", group) // zero, though its first sections were read
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
		checkpointsOf(t, dir, m, space)
	}
}

// wantOther wants a checkpoint to be refused that nothing replaces.
func wantOther(t testing.TB, tables *Tables, group []*bitboard.Table, path, what string) {
	t.Helper()
	text, refused, err := tables.LoadCheckpoint(t.Context(), group)
	var other *CheckpointError
	if text != nil || refused != nil || !errors.As(err, &other) || !errors.Is(err, ErrOtherCheckpoint) || other.Path != path || !strings.Contains(err.Error(), what) {
		t.Errorf("text %q, refused %v, error %v, want %s", text, refused, err, what)
	}
	for _, table := range group {
		if slices.ContainsFunc(table.WDL, func(word uint64) bool { return word != 0 }) || slices.ContainsFunc(table.DTW, func(d bitboard.Depth) bool { return d != 0 }) {
			t.Error("tables are not zero")
		}
	}
}

func TestCheckpointsOfOthersAreAbsent(t *testing.T) {
	space := shortSpace
	for _, m := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		dir := t.TempDir()
		store, tables := checkpointsOf(t, dir, m, space)
		saveCheckpoint(t, tables, "text", space.unfinished(m, 1, 0, 1))
		for _, group := range [][]bitboard.Slice{{0}, {1, 0}, {0, 2}, {0, 1, 2}, {2, 3}, {}} {
			wantCheckpoint(t, tables, "", space.unfinished(m, 1, group...))
		}
		other := bitboard.DTW - m
		wantCheckpoint(t, store.Tables(other, space), "", space.unfinished(other, 1, 0, 1))
		larger := store.Tables(m, noiseSpace{slices: 4, indices: space.indices + 32})
		table := []*bitboard.Table{bitboard.NewTable(m, 0, larger.space.Indices(0)), bitboard.NewTable(m, 1, larger.space.Indices(1))}
		wantOther(t, larger, table, checkpointPath(dir, m, 0, 1), " of [1032 1033]")
		wantCheckpoint(t, tables, "text", space.unfinished(m, 1, 0, 1))
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
		wantOthersRefused(t, dir, m, space)
		newer := openTest(t, dir, Options{Version: "newer"})
		wantOther(t, newer.Tables(m, space), space.blank(m, 0, 1), checkpointPath(dir, m, 0, 1), "version test, and this is version newer")
		newer.Close()
		_, tables = checkpointsOf(t, dir, m, space)
		wantCheckpoint(t, tables, "text", space.unfinished(m, 1, 0, 1))
	}
}

// wantOthersRefused wants whole checkpoints to be refused that have the name of the one of slices 0
// and 1, and are of other tables of the same size.
func wantOthersRefused(t *testing.T, dir string, m bitboard.Metric, space noiseSpace) {
	t.Helper()
	path := checkpointPath(dir, m, 0, 1)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, tables := checkpointsOf(t, dir, m, space)
	for what, change := range map[string]func(h *checkpointHeader){
		"another format": func(h *checkpointHeader) { h.Format++ },
		"another game":   func(h *checkpointHeader) { h.Game += "x" },
		"another board":  func(h *checkpointHeader) { h.Board = "1x2" },
		"other rules":    func(h *checkpointHeader) { h.Rules = "gaps=false" },
		"another metric": func(h *checkpointHeader) { h.Metric = (bitboard.DTW - m).String() },
		"other slices":   func(h *checkpointHeader) { h.Slices = []string{space.SliceName(2), space.SliceName(3)} },
		"another order":  func(h *checkpointHeader) { slices.Reverse(h.Slices) },
		"fewer indices":  func(h *checkpointHeader) { h.Indices[1]-- },
	} {
		group := space.unfinished(m, 1, 0, 1)
		header, err := tables.checkpointHeader(group)
		if err != nil {
			t.Fatal(err)
		}
		change(&header)
		text := new(bytes.Buffer)
		if err := errors.Join(writeCheckpoint(text, header, group), os.WriteFile(path, text.Bytes(), 0o666)); err != nil {
			t.Fatal(err)
		}
		said := fmt.Sprintf("it is of %q, want ", fmt.Sprintf("%s on %s, rules %s, %s %v of %v", header.Game, header.Board, header.Rules, header.Metric, header.Slices, header.Indices))
		if header.Format != CheckpointFormat {
			said = fmt.Sprintf("its format is %d, and this program's %d", header.Format, CheckpointFormat)
		}
		t.Run(what, func(t *testing.T) { wantOther(t, tables, space.blank(m, 0, 1), path, said) })
	}
	if err := errors.Join(tables.store.Close(), os.WriteFile(path, whole, 0o666)); err != nil {
		t.Fatal(err)
	}
}

// What was set aside is as it was, whatever is saved after it, as long as work may go on from it.
func TestCheckpointsThatAreSetAsideStay(t *testing.T) {
	m, space, dir := bitboard.WDL, shortSpace, t.TempDir()
	store, tables := checkpointsOf(t, dir, m, space)
	path := checkpointPath(dir, m, 0, 1)
	want := make(map[string]string) // text by name
	for _, name := range []string{path + ".aside", path + ".aside-2", path + ".aside-3"} {
		saveCheckpoint(t, tables, name, space.unfinished(m, 1, 0, 1))
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want[name] = string(text)
		if aside, err := tables.SetCheckpointAside(space.blank(m, 0, 1)); aside != name || err != nil {
			t.Errorf("set aside as %s, want %s, error %v", aside, name, err)
		}
		wantCheckpoint(t, tables, "", space.unfinished(m, 1, 0, 1))
	}
	check := func(dir string) {
		t.Helper()
		for name, text := range want {
			if got, err := os.ReadFile(filepath.Join(dir, filepath.Base(name))); string(got) != text {
				t.Errorf("%s is another, %v", name, err)
			}
		}
	}
	saveCheckpoint(t, tables, "text", space.unfinished(m, 2, 0, 1))
	if err := errors.Join(store.Close(), os.WriteFile(path+".aside"+lasting.PartSuffix, nil, 0o666)); err != nil {
		t.Fatal(err)
	}
	store, _ = checkpointsOf(t, dir, m, space)
	check(dir)
	if err := errors.Join(os.Rename(path+".aside", path), store.Close()); err != nil { // as the user may
		t.Fatal(err)
	}
	store, tables = checkpointsOf(t, dir, m, space)
	wantCheckpoint(t, tables, path+".aside", space.unfinished(m, 1, 0, 1))
	if err := errors.Join(space.save(store, m, 0), space.save(store, m, 1), store.Close()); err != nil {
		t.Fatal(err)
	}
	checkpointsOf(t, dir, m, space)
	if left, err := filepath.Glob(filepath.Join(dir, checkpointFile+"*")); len(left) > 0 || err != nil {
		t.Errorf("all of the group is stored: %q, %v", left, err)
	}
}

func TestCheckpointsNeedAWriter(t *testing.T) {
	m := bitboard.WDL
	space := shortSpace
	dir := t.TempDir()
	store, tables := checkpointsOf(t, dir, m, space)
	group := space.unfinished(m, 1, 0, 1)
	saveCheckpoint(t, tables, "text", group)
	store.Close()
	_, _, err := tables.LoadCheckpoint(t.Context(), group)
	wantError(t, err, ErrClosed)
	wantError(t, tables.SaveCheckpoint(nil, group), ErrClosed)
	wantError(t, tables.DropCheckpoint(group), ErrClosed)
	reader := openTest(t, dir, Options{ReadOnly: true}).Tables(m, space)
	wantError(t, reader.SaveCheckpoint(nil, group), ErrReadOnly)
	if err := tables.SaveCheckpoint(nil, []*bitboard.Table{{}}); err == nil {
		t.Error("saved a table that is too short")
	}
}

// asked is a context that ends once its error has been asked for so many times.
type asked struct {
	context.Context
	left int
}

func (c *asked) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// Who loads a checkpoint can be stopped in the middle. It stays as it is, and the tables are zero.
func TestLoadingACheckpointCanBeStopped(t *testing.T) {
	m := bitboard.DTW
	space := sectionsSpace(m)
	_, tables := checkpointsOf(t, t.TempDir(), m, space)
	group := space.unfinished(m, 1, 0, 1)
	saveCheckpoint(t, tables, "text", group)
	for sections := range 6 {
		got := space.blank(m, 0, 1)
		text, refused, err := tables.LoadCheckpoint(&asked{t.Context(), sections}, got)
		if text != nil || refused != nil || !errors.Is(err, context.Canceled) || !sameTables(got, space.blank(m, 0, 1)) {
			t.Errorf("stopped after %d sections: text %q, refused %v, error %v", sections, text, refused, err)
		}
	}
	wantCheckpoint(t, tables, "text", group)
}

// A checkpoint for which there is no room leaves the one before.
func TestFullDiskKeepsTheCheckpoint(t *testing.T) {
	m := bitboard.DTW
	space := sectionsSpace(m)
	room := uint64(1 << 40)
	store, err := open(t.TempDir(), testIdentity, Options{Version: "test"}, badgerdir.System{Free: func(string) (uint64, error) { return room, nil }, Sync: lasting.SyncFile})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	tables := store.Tables(m, space)
	saveCheckpoint(t, tables, "first", space.unfinished(m, 1, 0, 1))
	room = headroomBytes + 4*space.indices // for the values, and not for all beside
	wantError(t, tables.SaveCheckpoint([]byte("second"), space.unfinished(m, 2, 0, 1)), ErrDiskFull)
	wantCheckpoint(t, tables, "first", space.unfinished(m, 1, 0, 1))
}

// A repaired store has the unfinished work of the damaged one, that of every group.
func TestARepairedStoreHasAllCheckpoints(t *testing.T) {
	m, space, dir := bitboard.WDL, shortSpace, t.TempDir()
	store, tables := checkpointsOf(t, dir, m, space)
	saveCheckpoint(t, tables, "first", space.unfinished(m, 1, 0, 1))
	saveCheckpoint(t, tables, "second", space.unfinished(m, 2, 2, 3))
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	wreck, err := OpenWreck(t.Context(), dir, testIdentity, space, Options{Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	defer wreck.Close()
	_, into := checkpointsOf(t, t.TempDir(), m, space)
	var copied, total uint64
	watch := func(done, all uint64) { copied, total = done, all }
	ctx, stop := context.WithCancel(t.Context())
	err = wreck.CopyCheckpoints(ctx, into.store, func(done, all uint64) {
		watch(done, all)
		stop()
	})
	if left, _ := filepath.Glob(filepath.Join(into.store.dir, checkpointFile+"*")); !errors.Is(err, context.Canceled) || copied == 0 || copied >= total || len(left) > 1 {
		t.Errorf("stopped at %d bytes of %d: %q is there, error %v", copied, total, left, err)
	}
	if err := wreck.CopyCheckpoints(t.Context(), into.store, watch); err != nil || copied != total {
		t.Fatalf("%d bytes of %d, error %v", copied, total, err)
	}
	wantCheckpoint(t, into, "first", space.unfinished(m, 1, 0, 1))
	wantCheckpoint(t, into, "second", space.unfinished(m, 2, 2, 3))
}

// Who opens a store to write throws away what no build goes on from.
func TestCheckpointsThatNobodyNeedsGo(t *testing.T) {
	m := bitboard.WDL
	dir := t.TempDir()
	space := shortSpace
	path := checkpointPath(dir, m, 0, 1)
	reopen := func(store *Store) (*Store, *Tables) {
		t.Helper()
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
		return checkpointsOf(t, dir, m, space)
	}
	there := func(path string) bool {
		_, err := os.Stat(path)
		return err == nil
	}
	store, tables := checkpointsOf(t, dir, m, space)
	saveCheckpoint(t, tables, "text", space.unfinished(m, 1, 0, 1))
	if err := space.save(store, m, 0); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path+lasting.PartSuffix, []byte("half"), 0o666); err != nil {
		t.Fatal(err)
	}
	store, tables = reopen(store)
	if !there(path) || there(path+lasting.PartSuffix) {
		t.Error("half the group is stored: want the checkpoint, and no unfinished one")
	}
	wantCheckpoint(t, tables, "text", space.unfinished(m, 1, 0, 1))
	if err := space.save(store, m, 1); err != nil {
		t.Fatal(err)
	}
	store, _ = reopen(store)
	if there(path) {
		t.Error("all of the group is stored: want no checkpoint")
	}
	if err := os.WriteFile(filepath.Join(dir, "checkpoint-wdl"), []byte("torn"), 0o666); err != nil {
		t.Fatal(err)
	}
	reopen(store)
	if there(filepath.Join(dir, "checkpoint-wdl")) {
		t.Error("a damaged checkpoint of an earlier program is left")
	}
}

// One whose first line is damaged is told to whoever builds its slices, as any other damage is. No
// other writer takes it away before.
func TestACheckpointWithADamagedHeaderIsTold(t *testing.T) {
	m, space := bitboard.WDL, shortSpace
	for name, damage := range map[string]func(text []byte) []byte{
		"a byte flipped":     func(text []byte) []byte { text[40] ^= 1; return text },
		"another checksum":   func(text []byte) []byte { text[0] ^= 1; return text },
		"an empty file":      func([]byte) []byte { return nil },
		"cut in the header":  func(text []byte) []byte { return text[:20] },
		"a line without end": func([]byte) []byte { return bytes.Repeat([]byte{'x'}, 2*sectionBytes) },
		"another's":          func([]byte) []byte { return []byte("PNG\nand so on") },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			store, tables := checkpointsOf(t, dir, m, space)
			saveCheckpoint(t, tables, "text", space.unfinished(m, 1, 0, 1))
			path := checkpointPath(dir, m, 0, 1)
			text, err := os.ReadFile(path)
			if err := errors.Join(err, store.Close(), os.WriteFile(path, damage(text), 0o666)); err != nil {
				t.Fatal(err)
			}
			store, _ = checkpointsOf(t, dir, m, space) // of somebody who builds others
			if err := errors.Join(space.save(store, m, 2), store.Close()); err != nil {
				t.Fatal(err)
			}
			_, tables = checkpointsOf(t, dir, m, space)
			group := space.unfinished(m, 1, 0, 1)
			read, refused, err := tables.LoadCheckpoint(t.Context(), space.blank(m, 0, 1))
			if read != nil || !errors.Is(refused, errNoCheckpoint) || err != nil {
				t.Errorf("text %q, refused %v, error %v", read, refused, err)
			}
			saveCheckpoint(t, tables, "again", group)
			wantCheckpoint(t, tables, "again", group)
		})
	}
}

// What has a name much like that of a checkpoint is somebody else's. One of an earlier program,
// that nobody goes on from, goes.
func TestFilesNamedLikeCheckpointsStay(t *testing.T) {
	m, space, dir := bitboard.WDL, shortSpace, t.TempDir()
	store, tables := checkpointsOf(t, dir, m, space)
	saveCheckpoint(t, tables, "text", space.unfinished(m, 1, 0, 1))
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	foreign := []string{"checkpoint-7x7", "checkpoint-7x7.lock", "checkpoint-notes.txt", "checkpoint-wdl-0123", "checkpoint-wdl.mine"}
	for _, name := range foreign {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	early, folder := filepath.Join(dir, "checkpoint-wdl"), filepath.Join(dir, "checkpoint-x"+lasting.PartSuffix)
	text, err := os.ReadFile(checkpointPath(dir, m, 0, 1))
	if err := errors.Join(err, os.WriteFile(early, text, 0o666), os.Mkdir(folder, 0o777)); err != nil {
		t.Fatal(err)
	}
	_, tables = checkpointsOf(t, dir, m, space)
	wantCheckpoint(t, tables, "text", space.unfinished(m, 1, 0, 1))
	for _, name := range append(foreign, filepath.Base(folder)) {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(early); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("that of an earlier program: %v", err)
	}
}

// saveCheckpointsToBeKilled saves one checkpoint after the other, numbered by
// its text, from the one on that is there.
func saveCheckpointsToBeKilled(dir string) error {
	const m = bitboard.DTW
	space := sectionsSpace(m)
	s, err := Open(dir, testIdentity, Options{Version: "test"})
	if err != nil {
		return err
	}
	tables := s.Tables(m, space)
	text, _, err := tables.LoadCheckpoint(context.Background(), space.blank(m, 0, 1))
	for seed, _ := strconv.Atoi(string(text)); err == nil; {
		seed++
		err = tables.SaveCheckpoint([]byte(strconv.Itoa(seed)), space.unfinished(m, uint64(seed), 0, 1))
	}
	return err
}

// However the process ends, what is there is the last checkpoint or the one
// before.
func TestKilledCheckpointsAreWhole(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes for some seconds")
	}
	const m = bitboard.DTW
	space := sectionsSpace(m)
	random := rand.New(rand.NewPCG(53, 1))
	dir := t.TempDir()
	last, half := 0, 0
	// Where none of the first kills met one that is whole, or half-written, later ones wait
	// until it is there.
	for kills := 0; kills < 12 || (last == 0 || half == 0) && kills < 120; kills++ {
		due := time.After(time.Duration(100+random.IntN(200)) * time.Millisecond)
		if kills >= 12 {
			path := checkpointPath(dir, m, 0, 1)
			if last > 0 {
				path += lasting.PartSuffix
			}
			due = cameToBe(t, path)
		}
		killWhen(t, checkpointVariable, dir, due)
		if _, err := os.Stat(checkpointPath(dir, m, 0, 1) + lasting.PartSuffix); err == nil {
			half++
		}
		store, err := Open(dir, testIdentity, Options{Version: "test"})
		if errors.Is(err, ErrForeignFiles) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		got := space.blank(m, 0, 1)
		text, _, err := store.Tables(m, space).LoadCheckpoint(t.Context(), got)
		if err != nil {
			t.Fatal(err)
		}
		seed, _ := strconv.Atoi(string(text))
		if seed < last || text == nil && last > 0 {
			t.Errorf("checkpoint %d after %d", seed, last)
		}
		if text != nil && !sameTables(got, space.unfinished(m, uint64(seed), 0, 1)) {
			t.Errorf("checkpoint %d is changed", seed)
		}
		last = seed
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d checkpoints, %d cut off", last, half)
	if last == 0 || half == 0 {
		t.Error("no checkpoint was saved, or none was killed")
	}
}
