package tablebase

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"paika/bitboard"
	"paika/tablebase/internal/graphgame"
)

// weighed is a game that tells the weights of its indices.
type weighed struct{ *graphgame.Game }

func (g weighed) Weights(dst []uint8, s bitboard.Slice, lo, hi uint64) []uint8 {
	for i := lo; i < hi; i++ {
		_, weight := g.Unrank(s, i)
		dst = append(dst, uint8(weight))
	}
	return dst
}

// sliceFile is the file of a stored slice.
func sliceFile(t testing.TB, s *Store, game *graphgame.Game, m bitboard.Metric, slice bitboard.Slice) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := s.Tables(m, game).WriteSlice(t.Context(), slice, &file); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// importSlice takes a file into a store.
func importSlice(ctx context.Context, s *Store, game *graphgame.Game, m bitboard.Metric, slice bitboard.Slice, file []byte) error {
	f, err := s.Tables(m, game).OpenSlice(slice, bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return err
	}
	return f.Import(ctx, weighed{game}, func(uint64) {})
}

// A store that is made of the files of another is the same: each slice has the chunks and the
// line that it has there, whatever it leaves out. Of the values that it has, none is derived.
func TestSlicesComeAsTheyAreStored(t *testing.T) {
	game := graphgame.New(121, 3, 70_000) // two chunks in wdl, five in dtw
	game.Sparse = 2
	sol := game.Solve()
	from := openTest(t, storedTest(t, sol, bitboard.WDL, bitboard.DTW), Options{ReadOnly: true})
	for _, workers := range []int{1, 3} {
		to := openTest(t, t.TempDir(), Options{Workers: workers})
		for _, m := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
			for s := range bitboard.Slice(6) {
				file := sliceFile(t, from, game, m, s)
				if info, _ := from.Slice(m, game.SliceName(s)); uint64(len(file)) > info.Bytes+maxDocument {
					t.Errorf("%s has %d bytes, its file %d", info.Name, info.Bytes, len(file))
				}
				if err := importSlice(t.Context(), to, game, m, s, file); err != nil {
					t.Fatal(err)
				}
				if got, want := to.Tables(m, game).LeavesOut(s), from.Tables(m, game).LeavesOut(s); got != want || want != (m == bitboard.WDL && game.LeavesOut(s)) {
					t.Errorf("%v %s leaves values out: %v, want %v", m, game.SliceName(s), got, want)
				}
				if again := sliceFile(t, to, game, m, s); !bytes.Equal(again, file) {
					t.Errorf("%v %s is stored otherwise", m, game.SliceName(s))
				}
			}
			if got, want := manifestOf(t, to, m), manifestOf(t, from, m); got != want {
				t.Errorf("%s\nwant\n%s", got, want)
			}
		}
	}
}

// Chunks that have another length than the manifest says are a repair's where they are not those
// that were saved. Where the manifest was wrong from the beginning, a repair would keep that.
func TestALengthThatIsWrongIsTold(t *testing.T) {
	game := graphgame.New(123, 1, 300)
	sol := game.Solve()
	for name, c := range map[string]struct {
		spoil    func(info *SliceInfo)
		storedSo bool
	}{
		"the length alone":       {func(info *SliceInfo) { info.Bytes++ }, true},
		"the checksum with them": {func(info *SliceInfo) { info.Bytes++; info.Checksum = "0123456789abcdef" }, false},
	} {
		dir := storedTest(t, sol, bitboard.WDL)
		s := openTest(t, dir, Options{})
		info, _ := s.Slice(bitboard.WDL, game.SliceName(1))
		c.spoil(&info)
		if err := s.writeManifest(bitboard.WDL, s.manifests[bitboard.WDL].without(info.Name).with(info)); err != nil {
			t.Fatal(err)
		}
		err := s.Tables(bitboard.WDL, game).WriteSlice(t.Context(), 1, io.Discard)
		if !errors.Is(err, ErrDamaged) || errors.Is(err, ErrStoredSo) != c.storedSo {
			t.Errorf("%s: error %v", name, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		_, lost, err := openWreck(t, dir, sol).Check(t.Context(), func(_, _ uint64) {})
		if err != nil || (len(lost) == 0) != c.storedSo {
			t.Errorf("%s: a repair finds %v lost, error %v", name, lost, err)
		}
	}
}

// A file that was changed, wherever it was, is told, with its name, and nothing of it is
// stored; so is one that ends early or goes on. Of the numbers in its document, that of quiet
// positions alone is not found again.
func TestChangedFilesOfSlicesAreTold(t *testing.T) {
	game := graphgame.New(122, 1, 300)
	sol := game.Solve()
	from := openTest(t, storedTest(t, sol, bitboard.WDL, bitboard.DTW), Options{ReadOnly: true})
	for _, m := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		to := openTest(t, t.TempDir(), Options{})
		file := sliceFile(t, from, game, m, 1)
		quiet := bytes.Index(file, []byte(`"quiet"`))
		refused := func(what string, at int, file []byte) {
			t.Helper()
			err := importSlice(t.Context(), to, game, m, 1, file)
			var wrong *SliceFileError
			if !errors.As(err, &wrong) || !errors.Is(err, ErrDamaged) || !strings.HasPrefix(err.Error(), SliceFileName(game.SliceName(1), m)) {
				t.Errorf("%v, %s at %d of %d bytes: %v", m, what, at, len(file), err)
			}
			if to.Tables(m, game).Has(1) {
				t.Fatalf("%v, %s at %d of %d bytes: it is stored", m, what, at, len(file))
			}
		}
		for at := range file {
			if at >= quiet && at < quiet+14 {
				continue
			}
			for _, flip := range []byte{1, 0x80} {
				changed := slices.Clone(file)
				changed[at] ^= flip
				refused("changed", at, changed)
			}
			refused("cut", at, file[:at])
		}
		refused("longer", len(file), append(slices.Clone(file), 0))
	}
}

// A chunk belongs to its place, slice, metric, game, board and rules.
func TestFilesOfOtherSlicesAreRefused(t *testing.T) {
	game := graphgame.New(123, 1, 70_000)
	sol := game.Solve()
	from := openTest(t, storedTest(t, sol, bitboard.WDL, bitboard.DTW), Options{ReadOnly: true})
	to := openTest(t, t.TempDir(), Options{})
	file := sliceFile(t, from, game, bitboard.WDL, 1)

	elsewhere, err := Open(t.TempDir(), Identity{Game: "graph", Board: "1x1", Rules: "gaps=false"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer elsewhere.Close()
	small := graphgame.New(124, 1, 100)

	document := lengthBytes + int(binary.LittleEndian.Uint32(file))
	info, _ := from.Slice(bitboard.WDL, game.SliceName(1))
	lengths := document + int(info.Bytes)
	first := int(binary.LittleEndian.Uint32(file[lengths:]))
	swapped := slices.Concat(file[:document], file[document+first:lengths], file[document:document+first], file[lengths+4:], file[lengths:lengths+4])

	for what, err := range map[string]error{
		"another slice":   importSlice(t.Context(), to, game, bitboard.WDL, 0, file),
		"another metric":  importSlice(t.Context(), to, game, bitboard.DTW, 1, file),
		"other rules":     importSlice(t.Context(), elsewhere, game, bitboard.WDL, 1, file),
		"another board":   importSlice(t.Context(), to, small, bitboard.WDL, 1, file),
		"nothing":         importSlice(t.Context(), to, game, bitboard.WDL, 1, nil),
		"swapped chunks":  importSlice(t.Context(), to, game, bitboard.WDL, 1, swapped),
		"values left out": importSlice(t.Context(), to, game, bitboard.WDL, 1, leftOut(t, game, sol)),
	} {
		if !errors.As(err, new(*SliceFileError)) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if len(to.Slices(bitboard.WDL))+len(to.Slices(bitboard.DTW))+len(elsewhere.Slices(bitboard.WDL)) > 0 {
		t.Error("something is stored")
	}
}

// The longest win and the longest loss of a file are distances that there can be: none in wdl, where
// nobody counts those of a slice that leaves values out.
func TestFilesWithLongestLinesThatCannotBeAreRefused(t *testing.T) {
	game := graphgame.New(125, 2, 300)
	game.Sparse = 1
	from := openTest(t, storedTest(t, game.Solve(), bitboard.WDL, bitboard.DTW), Options{ReadOnly: true})
	to := openTest(t, t.TempDir(), Options{})
	for _, c := range []struct {
		metric   bitboard.Metric
		distance int
		wrong    bool
	}{
		{bitboard.WDL, bitboard.UnknownDistance, false}, {bitboard.WDL, 0, true}, {bitboard.WDL, 7, true},
		{bitboard.DTW, bitboard.UnknownDistance, false}, {bitboard.DTW, 0, false}, {bitboard.DTW, bitboard.MaxDistance, false},
		{bitboard.DTW, bitboard.MaxDistance + 1, true}, {bitboard.DTW, -2, true},
	} {
		for what, change := range map[string]func(info *SliceInfo){
			"win":  func(info *SliceInfo) { info.LongestWin = c.distance },
			"loss": func(info *SliceInfo) { info.LongestLoss = c.distance },
		} {
			file := sliceFile(t, from, game, c.metric, 2)
			info, _ := from.Slice(c.metric, game.SliceName(2))
			if from.Tables(c.metric, game).LeavesOut(2) != (c.metric == bitboard.WDL) {
				t.Fatal("the slice is stored otherwise")
			}
			change(&info)
			document, err := newManifest(testIdentity, c.metric, []SliceInfo{info})
			if err != nil {
				t.Fatal(err)
			}
			rest := file[lengthBytes+binary.LittleEndian.Uint32(file):]
			file = slices.Concat(binary.LittleEndian.AppendUint32(nil, uint32(len(document.text))), document.text, rest)
			_, err = to.Tables(c.metric, game).OpenSlice(2, bytes.NewReader(file), int64(len(file)))
			if errors.As(err, new(*SliceFileError)) != c.wrong || err == nil == c.wrong {
				t.Errorf("%v, longest %s %d: %v", c.metric, what, c.distance, err)
			}
		}
	}
}

// leftOut is a file of slice 1 that lies: some of its chunks leave values out, others don't.
func leftOut(t *testing.T, game *graphgame.Game, sol *graphgame.Solution) []byte {
	t.Helper()
	s := openTest(t, t.TempDir(), Options{})
	if err := s.Tables(bitboard.WDL, game).Save(t.Context(), sol.Table(bitboard.WDL, 1), sol.Summary(bitboard.WDL, 1)); err != nil {
		t.Fatal(err)
	}
	file := sliceFile(t, s, game, bitboard.WDL, 1)
	document := lengthBytes + int(binary.LittleEndian.Uint32(file))
	info, _ := s.Slice(bitboard.WDL, game.SliceName(1))
	first := int(binary.LittleEndian.Uint32(file[document+int(info.Bytes):]))
	value := file[document : document+first]
	value[sealBytes] = byte(wdlHeldZstd)
	s.codec.seal(newChunkKeys(bitboard.WDL, info.Name).key(nil, 0), value)
	return file
}

// A file whose checksums and fingerprint are made anew, with a win behind the last value, is no
// slice: its values have another fingerprint.
func TestFilesWithMoreThanTheirValuesAreRefused(t *testing.T) {
	game := graphgame.New(129, 1, 210)
	from := openTest(t, storedTest(t, game.Solve(), bitboard.WDL), Options{ReadOnly: true})
	info, _ := from.Slice(bitboard.WDL, game.SliceName(0))
	key := newChunkKeys(bitboard.WDL, info.Name).key(nil, 0)
	var value []byte
	if err := from.copyValue(key, &value); err != nil {
		t.Fatal(err)
	}
	kind, packed, err := from.codec.decode(key, value, 210, nil)
	if err != nil {
		t.Fatal(err)
	}
	packed[210/4] |= byte(bitboard.Win) << (210 % 4 * 2)
	value = from.codec.encode(from.codec.better, key, kind, 210, packed)
	fingerprint := newFingerprint(testIdentity, bitboard.WDL, info.Name, info.Indices)
	fingerprint.add([]digest{sha256.Sum256(packed[:wdlValueBytes(210)])})
	info.Bytes, info.Checksum, info.Fingerprint = uint64(len(value)), fmt.Sprintf("%016x", xxh3.Hash(packed)), fingerprint.String()
	document, err := newManifest(testIdentity, bitboard.WDL, []SliceInfo{info})
	if err != nil {
		t.Fatal(err)
	}
	file := binary.LittleEndian.AppendUint32(nil, uint32(len(document.text)))
	file = slices.Concat(file, document.text, value)
	file = binary.LittleEndian.AppendUint32(file, uint32(len(value)))

	to := openTest(t, t.TempDir(), Options{})
	if err := importSlice(t.Context(), to, game, bitboard.WDL, 0, file); !errors.As(err, new(*SliceFileError)) {
		t.Errorf("it is stored: %v", err)
	}
}

// What takes two looks ahead is not stored, whichever of the two slices comes last; and one
// that leaves values out makes way for the same that does not.
func TestFilesOfSlicesKeepToOneLookAhead(t *testing.T) {
	from := newSparseTest(t)
	from.save(0, 2)
	from.save(1, 2)
	game := from.sol.Game
	files := func(n int) (of [2][]byte) {
		for i, s := range from.groups[n].Slices {
			of[i] = sliceFile(t, from.store, game, bitboard.WDL, s)
		}
		return of
	}
	lower, sparse := files(0), files(1)
	from.complete(1)
	whole := files(1)
	from.save(2, 3)
	upper := files(2)

	to := &sparseTest{t, openTest(t, t.TempDir(), Options{}), from.sol, from.groups}
	take := func(n int, files [2][]byte, want error) {
		t.Helper()
		for i, s := range to.groups[n].Slices {
			if err := importSlice(t.Context(), to.store, game, bitboard.WDL, s, files[i]); !errors.Is(err, want) {
				t.Fatalf("group %d: %v, want %v", n, err, want)
			}
		}
	}
	take(1, sparse, ErrLookTwice) // what it needs is not there
	take(0, lower, nil)
	take(1, sparse, nil)
	to.check(2, 1)
	take(2, upper, ErrLookTwice)
	to.check(2, 1)
	take(1, whole, nil)
	to.check(2)
	take(2, upper, nil)
	to.check(3, 2)
	take(1, sparse, ErrLookTwice)
	to.check(3, 2)
}

// Who breaks off, or may not write, stores nothing, and whoever comes next does.
func TestImportsThatBreakOffStoreNothing(t *testing.T) {
	game := graphgame.New(125, 1, 70_000)
	dir := storedTest(t, game.Solve(), bitboard.WDL)
	from := openTest(t, dir, Options{ReadOnly: true})
	file := sliceFile(t, from, game, bitboard.WDL, 0)
	wantError(t, importSlice(t.Context(), from, game, bitboard.WDL, 0, file), ErrReadOnly)

	to := openTest(t, t.TempDir(), Options{})
	ctx, cancel := context.WithCancel(t.Context())
	f, err := to.Tables(bitboard.WDL, game).OpenSlice(0, bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	err = f.Import(ctx, weighed{game}, func(uint64) { cancel() })
	if !errors.Is(err, context.Canceled) || to.Tables(bitboard.WDL, game).Has(0) {
		t.Errorf("%v, the slice is there: %v", err, to.Tables(bitboard.WDL, game).Has(0))
	}
	if err := importSlice(t.Context(), to, game, bitboard.WDL, 0, file); err != nil {
		t.Fatal(err)
	}
}

// Whatever bytes a file has, it is refused, or is what is written of the slice then, but for
// what only the verifier can tell.
func FuzzSliceFile(f *testing.F) {
	game := graphgame.New(128, 2, 200)
	game.Sparse = 1
	sol := game.Solve()
	from := openTest(f, storedTest(f, sol, bitboard.WDL, bitboard.DTW), Options{ReadOnly: true})
	for _, m := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		for s := range bitboard.Slice(4) {
			file := sliceFile(f, from, game, m, s)
			f.Add(uint8(m), uint8(s), file)
			f.Add(uint8(m), uint8(s), file[:len(file)/2])
			f.Add(uint8(m), uint8(s), bytes.Replace(file, []byte(`"chunks": 1`), []byte(`"chunks": 9`), 1))
		}
	}
	to := openTest(f, f.TempDir(), Options{Workers: 1})
	for s := range bitboard.Slice(2) { // what others rest on
		if err := importSlice(f.Context(), to, game, bitboard.WDL, s, sliceFile(f, from, game, bitboard.WDL, s)); err != nil {
			f.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, metric, number uint8, file []byte) {
		m, s := bitboard.Metric(metric)%bitboard.MetricCount, bitboard.Slice(number%4)
		err := importSlice(t.Context(), to, game, m, s, file)
		switch {
		case errors.As(err, new(*SliceFileError)), errors.Is(err, ErrLookTwice):
		case err != nil:
			t.Error(err)
		case !bytes.Equal(sliceFile(t, to, game, m, s), file):
			t.Error("it is stored otherwise")
		}
	})
}

// A process that is killed while it stores a slice leaves chunks that nothing lists, and the
// next one stores the slice.
func TestKilledImportsLeaveNoSlice(t *testing.T) {
	game := graphgame.New(127, 1, 200_000) // four chunks
	sol := game.Solve()
	from := openTest(t, storedTest(t, sol, bitboard.WDL), Options{ReadOnly: true})
	file := sliceFile(t, from, game, bitboard.WDL, 0)
	dir := t.TempDir()
	to := openTest(t, dir, Options{})
	f, err := to.Tables(bitboard.WDL, game).OpenSlice(0, bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	if err := to.takeChunks(t.Context(), f.from.store, newChunkKeys(bitboard.WDL, f.info.Name), 2); err != nil {
		t.Fatal(err)
	}
	next := openTest(t, copyFolder(t, dir), Options{}) // of one that was not closed
	if next.Tables(bitboard.WDL, game).Has(0) {
		t.Error("half a slice is listed")
	}
	if err := importSlice(t.Context(), next, game, bitboard.WDL, 0, file); err != nil {
		t.Fatal(err)
	}
	if again := sliceFile(t, next, game, bitboard.WDL, 0); !bytes.Equal(again, file) {
		t.Error("the slice is another")
	}
}

// A slice that is damaged where it lies is not written as a file.
func TestDamagedSlicesAreNotLent(t *testing.T) {
	game := graphgame.New(126, 1, 50_000)
	dir := storedTest(t, game.Solve(), bitboard.WDL)
	s := openTest(t, dir, Options{ReadOnly: true})
	wantError(t, s.Tables(bitboard.DTW, game).WriteSlice(t.Context(), 0, io.Discard), ErrNotStored)
	if err := os.Truncate(firstLog(t, dir), 4096); err != nil {
		t.Fatal(err)
	}
	failed := 0
	for slice := range bitboard.Slice(2) {
		if err := s.Tables(bitboard.WDL, game).WriteSlice(t.Context(), slice, io.Discard); errors.Is(err, ErrDamaged) {
			failed++
		}
	}
	if failed == 0 {
		t.Error("both are written")
	}
}
