package walk

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/bitboard/phutball"
	"paika/proofs"
)

// fixture is a certificate of positions that play from the start comes to. Whether it
// proves anything is nothing to an index.
type fixture struct {
	game    *fanorona.Game
	header  proofs.Header
	text    []byte // of the file
	records []proofs.Record
}

func newFixture(t testing.TB, positions int) *fixture {
	t.Helper()
	board := bitboard.Board{Width: 5, Height: 5}
	game, err := fanorona.New(board, fanorona.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	root, side, err := game.Start()
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{game: game, header: proofs.Header{
		Setting: proofs.Setting{Game: "fanorona", Board: board.String(), Rules: game.Rules().String()},
		Claim:   "white-not-lost", Root: game.Format(root, side),
	}}
	var out bytes.Buffer
	w, err := proofs.NewWriter(&out, game, f.header, 1)
	if err != nil {
		t.Fatal(err)
	}
	type node struct {
		p    fanorona.Position
		side bitboard.Side
	}
	seen, next := map[node]bool{{root, side}: true}, []node{{root, side}}
	for len(next) > 0 && len(f.records) < positions {
		n := next[0]
		next = next[1:]
		turns := game.Notated(n.p, n.side)
		if len(turns) == 0 {
			continue
		}
		step := proofs.Step[fanorona.Position]{Position: n.p, Side: n.side, Chosen: n.side == 0, To: turns[0].To}
		if err := w.Add(step); err != nil {
			t.Fatal(err)
		}
		rec := proofs.Record{Position: game.Format(n.p, n.side), Turn: proofs.AllTurns}
		if step.Chosen {
			rec.Turn = turns[0].Notation
		}
		f.records = append(f.records, rec)
		for _, turn := range turns {
			if to := (node{turn.To, n.side.Other()}); !seen[to] {
				seen[to] = true
				next = append(next, to)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f.text = out.Bytes()
	return f
}

func (f *fixture) file(t testing.TB) *proofs.File {
	t.Helper()
	file, err := proofs.Open(bytes.NewReader(f.text), int64(len(f.text)))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func (f *fixture) origin(t testing.TB) Origin {
	t.Helper()
	digest, err := f.file(t).Digest(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return Origin{Checker: proofs.CheckerVersion, Program: "test", SHA256: digest, Parts: []string{}}
}

// index makes one, and gives its path and key.
func (f *fixture) index(t testing.TB, memory uint64) (path string, key Key) {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "proofs")
	key, err := LoadKey(folder)
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(folder, "index")
	checked := Checked{Positions: uint64(len(f.records)), At: time.Unix(0, 0).UTC()}
	if err := Make(t.Context(), path, key, f.origin(t), checked, f.game, f.file(t), MakeOptions{Memory: memory}); err != nil {
		t.Fatal(err)
	}
	return path, key
}

func open(t testing.TB, path string, key Key, origin Origin) *Index {
	t.Helper()
	x, err := Open(t.Context(), path, key, origin)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	return x
}

// A record that is longer in an index than in its certificate, where the position is
// spelled shorter, is refused before anything is written.
func TestARecordThatOutgrowsALineIsRefused(t *testing.T) {
	game, err := phutball.New(bitboard.Board{Width: 15, Height: 19}, phutball.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	short := "ball=A1 to=ohs"
	header := proofs.Header{Setting: proofs.Setting{Game: "phutball", Board: "15x19"}, Claim: "eks-not-lost", Root: short}
	for _, memory := range []uint64{64 << 20, 1 << 10} {
		var out bytes.Buffer
		w, err := proofs.NewWriter(&out, game, header, 1)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(w.Copy(proofs.Record{Position: short, Turn: strings.Repeat("-", 65_500)}), w.Close()); err != nil {
			t.Fatal(err)
		}
		file, err := proofs.Open(bytes.NewReader(out.Bytes()), int64(out.Len()))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "index")
		if err := Make(t.Context(), path, Key{}, Origin{}, Checked{}, game, file, MakeOptions{Memory: memory}); !errors.Is(err, ErrLong) {
			t.Errorf("%d bytes of memory: %v", memory, err)
		}
		if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) > 0 {
			t.Errorf("%v is left, %v", left, err)
		}
	}
}

// The longest line that there can be is indexed, from memory and from a run, and one that is a byte
// longer is not.
func TestTheLongestLineIsIndexed(t *testing.T) {
	game, err := phutball.New(bitboard.Board{Width: 15, Height: 19}, phutball.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	short := "ball=A1 to=ohs"
	p, side, err := game.Parse(short)
	if err != nil {
		t.Fatal(err)
	}
	position := game.Format(p, side)
	for _, memory := range []uint64{64 << 20, 1 << 10} {
		for length, want := range map[int]error{mostLine: nil, mostLine + 1: ErrLong} {
			turn := strings.Repeat("-", length-len(position)-len("\t"))
			var out bytes.Buffer
			w, err := proofs.NewWriter(&out, game, proofs.Header{Setting: proofs.Setting{Game: "phutball", Board: "15x19"}, Claim: "eks-not-lost", Root: short}, 1)
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(w.Copy(proofs.Record{Position: short, Turn: turn}), w.Close()); err != nil {
				t.Fatal(err)
			}
			file, err := proofs.Open(bytes.NewReader(out.Bytes()), int64(out.Len()))
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "index")
			if err := Make(t.Context(), path, Key{}, Origin{}, Checked{}, game, file, MakeOptions{Memory: memory}); !errors.Is(err, want) {
				t.Errorf("a line of %d bytes, %d bytes of memory: %v, want %v", length, memory, err, want)
			}
			if want != nil {
				continue
			}
			if rec, found, err := open(t, path, Key{}, Origin{}).Find(position); rec.Turn != turn || !found || err != nil {
				t.Errorf("a line of %d bytes, %d bytes of memory: found %v, a turn of %d bytes, %v", length, memory, found, len(rec.Turn), err)
			}
		}
	}
}

// Every record is found, sorted in memory or in runs on disk, and nothing else is.
func TestAnIndexHasTheRecordsOfItsCertificate(t *testing.T) {
	f := newFixture(t, 6000)
	for _, memory := range []uint64{64 << 20, 100 << 10} {
		path, key := f.index(t, memory)
		x := open(t, path, key, f.origin(t))
		if len(x.blocks) < 5 {
			t.Fatalf("%d blocks: want some", len(x.blocks))
		}
		for i := 0; i < len(f.records); i += 7 {
			want := f.records[i]
			got, found, err := x.Find(want.Position)
			if err != nil || !found || got != want {
				t.Fatalf("%s: %v, %v, error %v, want %v", want.Position, got, found, err, want)
			}
			for _, other := range []string{want.Position + " ", want.Position[:len(want.Position)-1], want.Position[1:], ""} {
				if got, found, err := x.Find(other); found || err != nil {
					t.Fatalf("%q: found %v, error %v", other, got, err)
				}
			}
		}
		if got := x.Checked(); got.Positions != uint64(len(f.records)) {
			t.Errorf("of %d positions, want %d", got.Positions, len(f.records))
		}
		entries, err := os.ReadDir(filepath.Dir(path))
		if err != nil || len(entries) != 2 {
			t.Errorf("%d files are left, want key and index; error %v", len(entries), err)
		}
	}
}

func TestTwoIndexesOfOneCertificateAreTheSame(t *testing.T) {
	f := newFixture(t, 3000)
	key := Key{1}
	var texts [][]byte
	for _, memory := range []uint64{64 << 20, 50 << 10, 2 << 10} { // in memory, merged at once, and in rounds
		path := filepath.Join(t.TempDir(), "index")
		if err := Make(t.Context(), path, key, f.origin(t), Checked{}, f.game, f.file(t), MakeOptions{Memory: memory}); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text)
	}
	if !bytes.Equal(texts[0], texts[1]) || !bytes.Equal(texts[0], texts[2]) {
		t.Error("the memory of the sort shows in the file")
	}
}

// An index is refused for another certificate, checker, program or part.
func TestAStaleIndexIsRefused(t *testing.T) {
	f := newFixture(t, 300)
	path, key := f.index(t, 0)
	for name, change := range map[string]func(*Origin){
		"certificate": func(o *Origin) { o.SHA256 = strings.Repeat("0", 64) },
		"checker":     func(o *Origin) { o.Checker++ },
		"program":     func(o *Origin) { o.Program += "x" },
		"parts":       func(o *Origin) { o.Parts = []string{o.SHA256} },
	} {
		origin := f.origin(t)
		change(&origin)
		if _, err := Open(t.Context(), path, key, origin); !errors.Is(err, ErrStale) {
			t.Errorf("another %s: error %v, want ErrStale", name, err)
		}
	}
}

// An index that somebody made who lacks the key is refused, though all sums in it fit.
func TestAForgedIndexIsRefused(t *testing.T) {
	f := newFixture(t, 300)
	path := filepath.Join(t.TempDir(), "index")
	if err := Make(t.Context(), path, Key{1}, f.origin(t), Checked{}, f.game, f.file(t), MakeOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), path, Key{2}, f.origin(t)); !errors.Is(err, ErrForged) {
		t.Errorf("error %v, want ErrForged", err)
	}
}

// Wherever a byte is changed or the file cut, it is refused before anything is found.
func TestATornIndexIsRefused(t *testing.T) {
	f := newFixture(t, 1500)
	path, key := f.index(t, 0)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(name string, changed []byte) {
		t.Helper()
		other := filepath.Join(t.TempDir(), "index")
		if err := os.WriteFile(other, changed, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(t.Context(), other, key, f.origin(t)); !errors.Is(err, ErrTorn) && !errors.Is(err, ErrForged) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	for _, at := range []int{0, 1, 100, len(text) / 2, len(text) - sealBytes - 1, len(text) - sealBytes, len(text) - 40, len(text) - 1} {
		changed := slices.Clone(text)
		changed[at] ^= 1
		refused(fmt.Sprintf("byte %d changed", at), changed)
	}
	for _, length := range []int{0, 1, sealBytes - 1, sealBytes, len(text) / 2, len(text) - 1} {
		refused(fmt.Sprintf("cut to %d bytes", length), text[:length])
	}
	refused("more behind it", append(slices.Clone(text), 0))
	refused("more before it", append([]byte{0}, text...))
}

// A file that is changed while it is open is an error, and no answer.
func TestAChangeUnderAnOpenIndexIsNoAnswer(t *testing.T) {
	f := newFixture(t, 300)
	path, key := f.index(t, 0)
	x := open(t, path, key, f.origin(t))
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.WriteAt([]byte("something else"), 20); err != nil {
		t.Fatal(err)
	}
	if _, found, err := x.Find(f.records[0].Position); found || !errors.Is(err, ErrTorn) {
		t.Errorf("found %v, error %v", found, err)
	}
	if err := os.Truncate(path, 10); err != nil {
		t.Fatal(err)
	}
	if _, found, err := x.Find(f.records[0].Position); found || !errors.Is(err, ErrTorn) {
		t.Errorf("found %v, error %v", found, err)
	}
}

func TestAPositionThatStandsThereTwiceIsRefused(t *testing.T) {
	lines := []string{"a w\t*", "a w\tx"}
	err := write(&bytes.Buffer{}, Key{}, tail{}, func(do func([]byte) error) error {
		for _, line := range lines {
			if err := do([]byte(line)); err != nil {
				return err
			}
		}
		return nil
	})
	if !errors.Is(err, ErrTwice) {
		t.Errorf("error %v, want ErrTwice", err)
	}
}

// What is made of a damaged certificate, or not to the end, leaves nothing behind.
func TestAnIndexIsMadeWholeOrNotAtAll(t *testing.T) {
	f := newFixture(t, 2000)
	stopped, stop := context.WithCancel(t.Context())
	stop()
	damaged := *f
	damaged.text = slices.Clone(f.text)
	damaged.text[len(f.text)-1] ^= 1 // of its seal
	for name, try := range map[string]func(path string) error{
		"stopped": func(path string) error {
			return Make(stopped, path, Key{}, f.origin(t), Checked{}, f.game, f.file(t), MakeOptions{})
		},
		"damaged": func(path string) error {
			return Make(t.Context(), path, Key{}, f.origin(t), Checked{}, f.game, damaged.file(t), MakeOptions{Memory: 50 << 10})
		},
	} {
		folder := t.TempDir()
		if err := try(filepath.Join(folder, "index")); err == nil {
			t.Errorf("%s: no error", name)
		}
		if entries, _ := os.ReadDir(folder); len(entries) > 0 {
			t.Errorf("%s: %v is left", name, entries)
		}
	}
}

func TestTheKeyStays(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new", "proofs")
	first, err := LoadKey(folder)
	if err != nil || first == (Key{}) {
		t.Fatalf("key %v, error %v", first, err)
	}
	if again, err := LoadKey(folder); err != nil || again != first {
		t.Errorf("another key, error %v", err)
	}
	if info, err := os.Stat(folder); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others can read the folder: %v, error %v", info.Mode(), err)
	}
}

// A file of another size is no key, which would be one that others can guess.
func TestAKeyOfAnotherSizeIsReplaced(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, keyFile)
	for _, size := range []int{0, 5, len(Key{}) - 1, len(Key{}) + 1} {
		there := bytes.Repeat([]byte{7}, size)
		if err := os.WriteFile(path, there, 0o600); err != nil {
			t.Fatal(err)
		}
		var guessed Key
		copy(guessed[:], there)
		key, err := LoadKey(folder)
		if err != nil || key == guessed {
			t.Errorf("%d bytes: the key is %x, error %v, want a new one", size, key, err)
		}
		if text, err := os.ReadFile(path); err != nil || !bytes.Equal(text, key[:]) {
			t.Errorf("%d bytes: the file holds %x, error %v, want the key %x", size, text, err, key)
		}
	}
}

// The tail is a claim: whatever stands there is refused or fits the file.
func FuzzTail(f *testing.F) {
	fixture := newFixture(f, 200)
	path, _ := fixture.index(f, 0)
	text, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	seal := text[len(text)-sealBytes:]
	begins := binary.LittleEndian.Uint64(seal)
	f.Add(text[begins:len(text)-sealBytes], int64(begins))
	f.Add([]byte("{}\n"), int64(0))
	f.Fuzz(func(t *testing.T, text []byte, begins int64) {
		_, blocks, err := parseTail(text, begins)
		if err != nil {
			return
		}
		at := int64(0)
		for _, b := range blocks {
			if b.at != at || b.length <= 0 {
				t.Fatalf("a block at %d of %d bytes, want one at %d", b.at, b.length, at)
			}
			at += int64(b.length)
		}
		if at != begins {
			t.Fatalf("the blocks end at %d, the tail begins at %d", at, begins)
		}
	})
}

// Whatever a file holds, opening it ends, and who lacks the key gets nothing from it.
func FuzzOpen(f *testing.F) {
	fixture := newFixture(f, 200)
	path, _ := fixture.index(f, 0)
	text, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add(text[len(text)-sealBytes:])
	f.Fuzz(func(t *testing.T, text []byte) {
		if _, _, err := readTail(bytes.NewReader(text), int64(len(text)), Key(sha256.Sum256([]byte("secret")))); err == nil {
			t.Fatal("a file without the seal of the key is opened")
		}
	})
}

// A line is anything.
func TestTheSorterSortsWhatItIsGiven(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, most := range []int{1 << 30, 1000} {
		s := &sorter{folder: t.TempDir(), most: most}
		var want []string
		for range 300 {
			line := strings.Repeat(string(rune('a'+random.IntN(26))), random.IntN(40)) + fmt.Sprint(random.Uint32())
			want = append(want, line)
			if err := s.add(t.Context(), []byte(line)); err != nil {
				t.Fatal(err)
			}
		}
		slices.Sort(want)
		var got []string
		if err := s.sorted(t.Context(), func(line []byte) error { got = append(got, string(line)); return nil }); err != nil {
			t.Fatal(err)
		}
		s.close()
		if !slices.Equal(got, want) {
			t.Errorf("with %d bytes in memory: another order", most)
		}
	}
}

// However many runs there are, few are kept, and few are read at a time. Here each has one line.
func TestFewRunsAreMergedAtATime(t *testing.T) {
	for _, lines := range []int{1, 32, 33, 2*32 + 31, 32*32 + 7} {
		s := &sorter{folder: t.TempDir(), most: 1}
		defer s.close()
		var want []string
		kept, level, gone := 0, 0, make(map[*run]bool)
		for i := range lines {
			line := fmt.Sprint(uint32(i) * 2_654_435_761)
			want = append(want, line)
			if err := s.add(t.Context(), []byte(line)); err != nil {
				t.Fatal(err)
			}
			kept = max(kept, len(s.runs))
			for r := range gone {
				gone[r] = true
			}
			for _, r := range s.runs {
				level, gone[r] = max(level, r.level), false
			}
		}
		for r := range gone {
			if _, err := r.file.Stat(); gone[r] != errors.Is(err, os.ErrClosed) {
				t.Fatalf("%d runs: one was merged: %v, and its file: %v", lines, gone[r], err)
			}
		}
		if cap(s.text) > 1000 {
			t.Errorf("%d runs: there is room for %d bytes in memory", lines, cap(s.text))
		}
		slices.Sort(want)
		read := 0
		var got []string
		err := s.sorted(t.Context(), func(line []byte) error {
			open := 0
			for _, r := range s.runs {
				if r.zstd != nil {
					open++
				}
			}
			read = max(read, open)
			got = append(got, string(line))
			if s.text != nil || s.starts != nil {
				t.Fatal("the room of a run is held while runs are merged")
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d runs: another order", lines)
		}
		if kept > 3*32 || read > 32 {
			t.Errorf("%d runs: %d were kept and %d read at a time, want at most %d and %d", lines, kept, read, 3*32, 32)
		}
		if level > 2 {
			t.Errorf("%d runs: some lines were merged %d times, want at most %d", lines, level, 2)
		}
	}
}

// Who is not waited for any more is not given all lines, from memory as from runs.
func TestSortingEndsWithItsContext(t *testing.T) {
	for _, most := range []int{1 << 20, 1} {
		s := &sorter{folder: t.TempDir(), most: most}
		defer s.close()
		for line := range 10 {
			if err := s.add(t.Context(), fmt.Append(nil, line)); err != nil {
				t.Fatal(err)
			}
		}
		ctx, stop := context.WithCancel(t.Context())
		lines := 0
		err := s.sorted(ctx, func([]byte) error {
			lines++
			stop()
			return nil
		})
		if lines > 2 || !errors.Is(err, context.Canceled) {
			t.Errorf("%d bytes in memory: %d lines, %v", most, lines, err)
		}
	}
}

func BenchmarkFind(b *testing.B) {
	f := newFixture(b, 20_000)
	path, key := f.index(b, 0)
	x, err := Open(b.Context(), path, key, f.origin(b))
	if err != nil {
		b.Fatal(err)
	}
	defer x.Close()
	for i := 0; b.Loop(); i++ {
		if _, found, err := x.Find(f.records[i*7919%len(f.records)].Position); err != nil || !found {
			b.Fatal(found, err)
		}
	}
}
