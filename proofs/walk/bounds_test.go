package walk

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/proofs"
)

// entry is what a tail says of a block.
type entry struct {
	length uint64
	sum    []byte
	chars  uint64 // of the first position
	first  string
}

func (e entry) append(text []byte) []byte {
	text = append(binary.AppendUvarint(text, e.length), e.sum...)
	return append(binary.AppendUvarint(text, e.chars), e.first...)
}

// at is an entry of a block that begins with a position.
func at(length uint64, first string) entry {
	return entry{length, make([]byte, sumBytes), uint64(len(first)), first}
}

func heading(t *testing.T, blocks uint64, format int) []byte {
	t.Helper()
	line, err := json.Marshal(tail{Format: format, Blocks: blocks})
	if err != nil {
		t.Fatal(err)
	}
	return append(line, '\n')
}

// A tail is read where all of it fits: its blocks, and the file before it.
func TestTailsKeepToTheirBounds(t *testing.T) {
	endless := bytes.Repeat([]byte{0xff}, 11) // no number ends
	most := strings.Repeat("x", mostLine)
	for _, c := range []struct {
		name   string
		blocks uint64
		text   []byte // behind the first line
		begins int64
		want   error
	}{
		{"no blocks", 0, nil, 0, nil},
		{"no blocks, and something before", 0, nil, 1, ErrTorn},
		{"one block", 1, at(7, "a").append(nil), 7, nil},
		{"two blocks", 2, at(5, "b").append(at(7, "a").append(nil)), 12, nil},
		{"a gap before the tail", 1, at(7, "a").append(nil), 8, ErrTorn},
		{"the tail within a block", 1, at(7, "a").append(nil), 6, ErrTorn},
		{"a block that is not counted", 1, at(5, "b").append(at(7, "a").append(nil)), 12, ErrTorn},
		{"such a block, and the file before it", 1, at(5, "b").append(at(7, "a").append(nil)), 7, ErrTorn},
		{"a block less than are counted", 2, at(7, "a").append(nil), 7, ErrTorn},
		{"more blocks than bytes", 1 << 50, at(7, "a").append(nil), 7, ErrTorn},
		{"a byte more", 1, append(at(7, "a").append(nil), 0), 7, ErrTorn},
		{"blocks in another order", 2, at(5, "a").append(at(7, "b").append(nil)), 12, ErrTorn},
		{"two blocks of one position", 2, at(5, "a").append(at(7, "a").append(nil)), 12, ErrTorn},
		{"an empty block", 1, at(0, "a").append(nil), 0, ErrTorn},
		{"the longest block", 1, at(2*mostBlock, "a").append(nil), 2 * mostBlock, nil},
		{"a longer one", 1, at(2*mostBlock+1, "a").append(nil), 2*mostBlock + 1, ErrTorn},
		{"an endless one", 1, at(math.MaxUint64, "a").append(nil), -1, ErrTorn},
		{"a length without an end", 1, append(slices.Clone(endless), at(7, "a").append(nil)...), 7, ErrTorn},
		{"a length that is cut", 1, []byte{0xff}, 7, ErrTorn},
		{"a sum that is cut", 1, append([]byte{7}, make([]byte, sumBytes-1)...), 7, ErrTorn},
		{"a sum without a position", 1, append([]byte{7}, make([]byte, sumBytes)...), 7, ErrTorn},
		{"the longest position", 1, at(7, most).append(nil), 7, nil},
		{"a longer one", 1, at(7, most+"x").append(nil), 7, ErrTorn},
		{"a position that is cut", 1, entry{7, make([]byte, sumBytes), 3, "ab"}.append(nil), 7, ErrTorn},
		{"a position of any length", 1, entry{7, make([]byte, sumBytes), math.MaxUint64, "ab"}.append(nil), 7, ErrTorn},
		{"a position of endless length", 1, append(at(7, "").append(nil)[:1+sumBytes], endless...), 7, ErrTorn},
	} {
		got, blocks, err := parseTail(append(heading(t, c.blocks, FormatVersion), c.text...), c.begins)
		if !errors.Is(err, c.want) || err == nil && (got.Blocks != c.blocks || uint64(len(blocks)) != c.blocks) {
			t.Errorf("%s: %d blocks, %v, want %v", c.name, len(blocks), err, c.want)
		}
	}
	for text, want := range map[string]error{
		"": ErrTorn, "{}": ErrTorn, "[]\n": ErrTorn, "{\n": ErrTorn, string(heading(t, 0, FormatVersion)[1:]): ErrTorn,
		"{}\n": ErrStale, string(heading(t, 0, FormatVersion+1)): ErrStale,
	} {
		if _, _, err := parseTail([]byte(text), 0); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", text, err, want)
		}
	}
}

// sealed is a file that ends with the seal of a text at a place, though another stands there.
func sealed(before string, offset, length uint64, text []byte) []byte {
	seal := binary.LittleEndian.AppendUint64(nil, offset)
	seal = binary.LittleEndian.AppendUint64(seal, length)
	return append(append(append([]byte(before), seal...), sign(Key{}, offset, text)...), magic...)
}

// A seal says where the tail is, and is there right behind it: who says otherwise gets no
// memory for it, and nothing is read elsewhere.
func TestSealsKeepToTheirFile(t *testing.T) {
	const all = 8 // bytes before the seal
	for _, c := range []struct {
		offset, length uint64
		want           error
	}{
		{3, 5, nil},
		{0, 8, nil},
		{8, 0, nil},
		{4, 5, ErrTorn},
		{3, 4, ErrTorn},
		{9, math.MaxUint64, ErrTorn}, // together they are 8
		{math.MaxUint64, 9, ErrTorn},
		{math.MaxUint64 - 1<<20, 9 + 1<<20, ErrTorn},
		{all + uint64(sealBytes), math.MaxUint64 - uint64(sealBytes) + 1, ErrTorn},
		{1, 1 << 62, ErrTorn},
	} {
		before := "abcdefgh"
		text := []byte(before[min(all, c.offset):min(all, min(all, c.offset)+min(all, c.length))])
		file := sealed(before, c.offset, c.length, text)
		got, begins, err := readTail(bytes.NewReader(file), int64(len(file)), Key{})
		if !errors.Is(err, c.want) || err == nil && (uint64(begins) != c.offset || !bytes.Equal(got, text)) {
			t.Errorf("%d bytes at %d: %q at %d, %v, want %v", c.length, c.offset, got, begins, err, c.want)
		}
	}
	const tooLong = mostTail + 1
	file := sealed("", 0, tooLong, nil)
	if _, _, err := readTail(vast{file, tooLong}, tooLong+int64(sealBytes), Key{}); !errors.Is(err, ErrTorn) {
		t.Errorf("a tail of %d bytes: %v", tooLong, err)
	}
	if bytes.Equal(sign(Key{}, 1, []byte("a")), sign(Key{}, 2, []byte("a"))) {
		t.Error("a seal is good for any place")
	}
}

// vast is a file of which nothing can be read but the end.
type vast struct {
	end []byte
	at  int64
}

func (v vast) ReadAt(p []byte, offset int64) (int, error) {
	if offset != v.at {
		return 0, errSketch
	}
	return copy(p, v.end), nil
}

// What can't be read is neither forged nor torn: the error is the system's.
func TestAnIndexThatCantBeReadIsNotRefused(t *testing.T) {
	file := sealed("abcdefgh", 0, 8, []byte("abcdefgh"))
	for what, readable := range map[string]vast{"nothing": {nil, -1}, "the seal alone": {file[8:], 8}} {
		if _, _, err := readTail(readable, int64(len(file)), Key{}); !errors.Is(err, errSketch) {
			t.Errorf("%s can be read: %v", what, err)
		}
	}
	x := made(t, false, "a w\t*")
	if err := x.file.Close(); err != nil {
		t.Fatal(err)
	}
	if rec, found, err := x.Find("a w"); found || !errors.Is(err, os.ErrClosed) || errors.Is(err, ErrTorn) {
		t.Errorf("%v, %v, %v", rec, found, err)
	}
}

// An index is refused whichever of its blocks was changed.
func TestAChangeOfAnyBlockIsRefused(t *testing.T) {
	f := newFixture(t, 6000)
	path, key := f.index(t, 0)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	blocks := slices.Clone(open(t, path, key, f.origin(t)).blocks)
	if len(blocks) < 3 {
		t.Fatalf("%d blocks: want some", len(blocks))
	}
	for i, b := range blocks {
		for _, at := range []int64{b.at, b.at + int64(b.length) - 1} {
			changed := slices.Clone(text)
			changed[at] ^= 1
			other := filepath.Join(t.TempDir(), "index")
			if err := os.WriteFile(other, changed, 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := Open(t.Context(), other, key, f.origin(t)); !errors.Is(err, ErrTorn) {
				t.Errorf("block %d of %d, byte %d: %v", i, len(blocks), at-b.at, err)
			}
		}
	}
}

// Who is not waited for any more opens nothing.
func TestOpeningEndsWithItsContext(t *testing.T) {
	f := newFixture(t, 300)
	path, key := f.index(t, 0)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := Open(ctx, path, key, f.origin(t)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// What is closed, or was never opened, holds no file.
func TestAClosedIndexHoldsNoFile(t *testing.T) {
	f := newFixture(t, 300)
	path, key := f.index(t, 0)
	x := open(t, path, key, f.origin(t))
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := x.file.Stat(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("its file: %v", err)
	}
}

func TestThereIsNoIndexWhereNoneIs(t *testing.T) {
	if _, err := Open(t.Context(), filepath.Join(t.TempDir(), "index"), Key{}, Origin{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

// made is an index of lines as they are given.
func made(t *testing.T, wins bool, lines ...string) *Index {
	t.Helper()
	var out bytes.Buffer
	err := write(&out, Key{}, tail{Format: FormatVersion, Wins: wins}, func(do func([]byte) error) error {
		for _, line := range lines {
			if err := do([]byte(line)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "index")
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return open(t, path, Key{}, Origin{})
}

// Lines that fill their blocks to the last byte make no empty one behind these, nor do none.
func TestFullBlocksAreTheLast(t *testing.T) {
	for blocks := range 3 {
		var lines []string
		for i := range blocks * blockBytes / 16 {
			lines = append(lines, fmt.Sprintf("%011d w\t*", i)) // and the end of the line
		}
		x := made(t, false, lines...)
		if len(x.blocks) != blocks {
			t.Errorf("%d blocks, want %d", len(x.blocks), blocks)
		}
		for i, line := range lines {
			position, _, _ := strings.Cut(line, "\t")
			if i%501 == 0 {
				if rec, found, err := x.Find(position); rec.Position != position || !found || err != nil {
					t.Errorf("%s: %v, %v, %v", position, rec, found, err)
				}
			}
		}
		if rec, found, err := x.Find("1"); found || err != nil {
			t.Errorf("%v, %v", rec, err)
		}
	}
}

// A line that is no record is an error, and no answer.
func TestALineThatIsNoRecordIsNoAnswer(t *testing.T) {
	x := made(t, true, "a w\t*\t1", "b w\t*", "c w\t*\t-1", "d w\tturn\t7")
	for position, want := range map[string]proofs.Record{"a w": {Position: "a w", Turn: "*", Rank: 1}, "d w": {Position: "d w", Turn: "turn", Rank: 7}} {
		if rec, found, err := x.Find(position); rec != want || !found || err != nil {
			t.Errorf("%s: %v, %v, %v", position, rec, found, err)
		}
	}
	for _, position := range []string{"b w", "c w"} {
		if rec, found, err := x.Find(position); found || !errors.Is(err, ErrTorn) {
			t.Errorf("%s: %v, %v, %v", position, rec, found, err)
		}
	}
}

// A block that is no zstd frame is an error, though its sum is right.
func TestABlockThatCantBeUnpackedIsNoAnswer(t *testing.T) {
	x := made(t, false, "a w\t*")
	junk := bytes.Repeat([]byte("x"), x.blocks[0].length)
	if err := os.WriteFile(x.file.Name(), junk, 0o600); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(junk)
	copy(x.blocks[0].sum[:], sum[:])
	if rec, found, err := x.Find("a w"); found || !errors.Is(err, ErrTorn) {
		t.Errorf("%v, %v, %v", rec, found, err)
	}
}

// full is a file on a disk that is full after so many bytes.
type full struct{ left int }

func (f *full) Write(p []byte) (int, error) {
	n := min(len(p), f.left)
	f.left -= n
	if n < len(p) {
		return n, errSketch
	}
	return n, nil
}

// Wherever the disk is full, there is an error.
func TestAnIndexThatDoesNotFitIsAnError(t *testing.T) {
	lines := func(do func([]byte) error) error {
		for i := range 3000 { // more than a block
			if err := do(fmt.Appendf(nil, "%08d w\t*", i)); err != nil {
				return err
			}
		}
		return nil
	}
	var whole bytes.Buffer
	if err := write(&whole, Key{}, tail{}, lines); err != nil {
		t.Fatal(err)
	}
	for _, room := range []int{0, 1, whole.Len() / 2, whole.Len() - sealBytes, whole.Len() - 1} {
		if err := write(&full{room}, Key{}, tail{}, lines); !errors.Is(err, errSketch) {
			t.Errorf("%d of %d bytes fit: %v", room, whole.Len(), err)
		}
	}
}

// A run that is cut or changed in its file, while it waits there, is an error: what is left
// of it is not taken for all.
func TestARunThatIsDamagedIsNoShorterOne(t *testing.T) {
	for name, damage := range map[string]func(file *os.File, size int64) error{
		"cut by a byte": func(file *os.File, size int64) error { return file.Truncate(size - 1) },
		"cut in half":   func(file *os.File, size int64) error { return file.Truncate(size / 2) },
		"changed":       func(file *os.File, size int64) error { _, err := file.WriteAt([]byte("x"), size/2); return err },
		"closed":        func(file *os.File, _ int64) error { return file.Close() },
	} {
		s := &sorter{folder: t.TempDir(), most: 4000}
		defer s.close()
		for i := range 1000 {
			if err := s.add(t.Context(), fmt.Appendf(nil, "%x", sha256.Sum256([]byte{byte(i), byte(i >> 8)}))); err != nil {
				t.Fatal(err)
			}
		}
		if len(s.runs) < 3 {
			t.Fatalf("%d runs: want some", len(s.runs))
		}
		file := s.runs[1].file
		info, err := file.Stat()
		if err != nil {
			t.Fatal(err)
		}
		if err := damage(file, info.Size()); err != nil {
			t.Fatal(err)
		}
		lines := 0
		if err := s.sorted(t.Context(), func([]byte) error { lines++; return nil }); err == nil {
			t.Errorf("%s: %d lines of 1000, and no error", name, lines)
		}
	}
}

// So is one that is cut so far from its beginning that lines were taken from it before.
func TestARunThatEndsEarlyIsNoShorterOne(t *testing.T) {
	for name, short := range map[string]int64{"by a byte": 1, "by the last of its blocks": 1 << 10} {
		s := &sorter{folder: t.TempDir(), most: 1 << 20}
		defer s.close()
		for i := 0; len(s.runs) == 0; i++ {
			if err := s.add(t.Context(), fmt.Appendf(nil, "%x", sha256.Sum256([]byte{byte(i), byte(i >> 8)}))); err != nil {
				t.Fatal(err)
			}
		}
		file := s.runs[0].file
		info, err := file.Stat()
		if err != nil {
			t.Fatal(err)
		}
		if err := file.Truncate(info.Size() - short); err != nil {
			t.Fatal(err)
		}
		lines := 0
		if err := s.sorted(t.Context(), func([]byte) error { lines++; return nil }); err == nil || lines == 0 {
			t.Errorf("cut %s: %d lines, %v", name, lines, err)
		}
	}
}

// A run of which only the end does not fit is an error, too.
func TestARunThatCantBeEndedIsAnError(t *testing.T) {
	s := &sorter{folder: t.TempDir()}
	defer s.close()
	err := s.keep(0, func(do func([]byte) error) error {
		return errors.Join(do([]byte("line")), s.runs[0].file.Close()) // the line waits in memory
	})
	if !errors.Is(err, os.ErrClosed) {
		t.Errorf("error %v", err)
	}
}

// Runs that have nowhere to go are an error, the last one too.
func TestASorterWithoutAFolderFails(t *testing.T) {
	s := &sorter{folder: t.TempDir(), most: 30}
	defer s.close()
	if err := errors.Join(s.add(t.Context(), []byte("a line")), s.add(t.Context(), []byte("another"))); err != nil || len(s.runs) != 1 {
		t.Fatalf("%d runs, %v", len(s.runs), err)
	}
	s.folder, s.most = filepath.Join(s.folder, "none"), 1000
	if err := s.add(t.Context(), []byte("the last")); err != nil {
		t.Fatal(err)
	}
	if err := s.sorted(t.Context(), func([]byte) error { return nil }); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

// The folder has nothing of a sorter any more once it is closed, on any system.
func TestASorterLeavesNoFiles(t *testing.T) {
	folder := t.TempDir()
	s := &sorter{folder: folder, most: 1}
	if err := s.add(t.Context(), []byte("line")); err != nil {
		t.Fatal(err)
	}
	s.close()
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}

// A win's records have ranks in an index, and it says how far it is made.
func TestAnIndexOfAWinHasRanks(t *testing.T) {
	file := certificate(t, "white-wins", reportEvery+1, func(i int) proofs.Record {
		return proofs.Record{Position: fmt.Sprintf("%d w", i), Turn: "turn", Rank: uint32(i)}
	})
	path := filepath.Join(t.TempDir(), "index")
	var reports []uint64
	tell := func(n uint64) { reports = append(reports, n) }
	if err := Make(t.Context(), path, Key{}, Origin{}, Checked{}, sketched, file, MakeOptions{Progress: tell}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(reports, []uint64{reportEvery}) {
		t.Errorf("it told of %v positions", reports)
	}
	if err := Make(t.Context(), path, Key{}, Origin{}, Checked{}, sketched, file, MakeOptions{}); err != nil { // nobody asks
		t.Fatal(err)
	}
	x := open(t, path, Key{}, Origin{})
	for _, i := range []uint32{0, 1, 9999, reportEvery} {
		want := proofs.Record{Position: fmt.Sprintf("%d w", i), Turn: "turn", Rank: i}
		if rec, found, err := x.Find(want.Position); rec != want || !found || err != nil {
			t.Errorf("%v, %v, %v, want %v", rec, found, err, want)
		}
	}
}

// reading counts the positions that are read.
type reading struct {
	sketch
	read func()
}

func (r reading) Parse(text string) (spot, bitboard.Side, error) {
	r.read()
	return r.sketch.Parse(text)
}

// Who is not waited for any more reads no certificate to its end.
func TestMakingEndsWithItsContext(t *testing.T) {
	file := certificate(t, "white-not-lost", 100, unranked)
	ctx, stop := context.WithCancel(t.Context())
	read := 0
	game := reading{sketched, func() {
		if read++; read == 5 {
			stop()
		}
	}}
	err := Make(ctx, filepath.Join(t.TempDir(), "index"), Key{}, Origin{}, Checked{}, game, file, MakeOptions{})
	if read != 5 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d positions were read, %v", read, err)
	}
}

// A certificate that says what its game has no word for has no index.
func TestNoIndexIsMadeOfWhatCantBeRead(t *testing.T) {
	for _, c := range []struct{ claim, position string }{{"white-draws", "1 w"}, {"white-not-lost", "x w"}} {
		file := certificate(t, "white-not-lost", 1, func(int) proofs.Record { return proofs.Record{Position: c.position, Turn: "turn"} })
		file.Header.Claim = c.claim
		path := filepath.Join(t.TempDir(), "index")
		if err := Make(t.Context(), path, Key{}, Origin{}, Checked{}, sketched, file, MakeOptions{}); err == nil {
			t.Errorf("%v: there is an index", c)
		}
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%v: %v", c, err)
		}
	}
}

// A key that can't be read is not replaced: the indexes that it sealed would be lost.
func TestAKeyThatCantBeReadStays(t *testing.T) {
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, keyFile), 0o700); err != nil {
		t.Fatal(err)
	}
	if key, err := LoadKey(folder); err == nil {
		t.Errorf("key %v", key)
	}
	if _, err := LoadKey(filepath.Join(folder, keyFile, "\x00")); err == nil {
		t.Error("there is a folder that can't be")
	}
}
