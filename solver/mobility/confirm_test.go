package mobility

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"paika/bitboard"
	"paika/bitboard/konane"
	"paika/solver/checkpoint"
)

// save writes a table as the checkpoint of a search.
func save(t testing.TB, path string, g *game, p position, nodes uint64, table *table) {
	t.Helper()
	f, err := checkpoint.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Save(t.Context(), checkpoint.Header{Format: CheckpointFormat, About: about(g, p), Nodes: nodes}, table.entries); err != nil {
		t.Fatal(err)
	}
}

func nodeOf(g *game, p position) node {
	return node{uint64(p.Own), uint64(p.Opp), uint64(g.Mover(p))}
}

// Checkpoints come from anywhere. Whatever one claims, alone or beside what is
// true, the winner is the right one.
func TestForgedClaimsAreNeverBelieved(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	anew, kept := 0, 0
	board, all := "5x4", append(setups(), removals...)
	if testing.Short() {
		board, all = "4x4", []konane.Rules{setups()[0], removals[0]}
	}
	for _, rules := range all {
		g := newGame(t, board, rules)
		known := make(map[position]bitboard.Value)
		want := plain(g, start(t, g), known)
		for _, share := range []float64{0, 0.001, 0.01, 0.5, 1} { // of the claims is false
			for _, workers := range []int{1, 2, 8} {
				o := Options{Memory: 1 << 20, Workers: workers, Checkpoint: filepath.Join(t.TempDir(), "search")}
				forged, err := newTable(1 << 20)
				if err != nil {
					t.Fatal(err)
				}
				for p, value := range known {
					v := won
					if (value == bitboard.Loss) != (rng.Float64() < share) {
						v = lost
					}
					forged.store(nodeOf(g, p), v, 1)
				}
				save(t, o.Checkpoint, g, start(t, g), 1_000_000, forged)
				forged.free()
				o.unfinished = rng.IntN(2) == 0
				result, err := Solve(t.Context(), g, start(t, g), o)
				if err != nil || result.Value != want {
					t.Errorf("%v, %g of the claims false, %d workers: %v, %v, want %v", rules, share, workers, result.Value, err, want)
				}
				if result.Anew {
					anew++
				} else {
					kept++
				}
				if share == 0 && result.Anew || result.Anew != (result.Nodes < 1_000_000) {
					t.Errorf("%v, %g of the claims false: anew %v after %d nodes", rules, share, result.Anew, result.Nodes)
				}
			}
		}
	}
	if anew == 0 || kept == 0 {
		t.Errorf("%d searches began anew, %d did not: want some of each", anew, kept)
	}
}

// A real checkpoint is never thrown away, however small the table was or is, and
// to confirm what it claims costs few nodes beside the search.
func TestRealClaimsAreConfirmed(t *testing.T) {
	board := "6x5"
	if testing.Short() {
		board = "5x5"
	}
	for _, rules := range append(setups()[:2], removals[0]) {
		g := newGame(t, board, rules)
		for _, memory := range []uint64{1 << 12, 1 << 16, 1 << 24} {
			for _, workers := range []int{1, 2, 8} {
				o := Options{Memory: memory, Workers: workers}
				whole, parted := wholeAndParted(t, g, o)
				if memory < 1<<24 {
					continue
				}
				for again := 1; again < workers && parted > 2*whole; again++ { // many workers differ from run to run
					whole, parted = wholeAndParted(t, g, o)
				}
				if parted > 2*whole {
					t.Errorf("%v, %d workers: %d nodes in two runs, %d in one", rules, workers, parted, whole)
				}
			}
		}
	}
}

// wholeAndParted tells the nodes of a search, and those of one that is saved halfway.
func wholeAndParted(t *testing.T, g *game, o Options) (whole, parted uint64) {
	t.Helper()
	told := func() string { return fmt.Sprintf("%v, %d bytes, %d workers", g.Rules(), o.Memory, o.Workers) }
	want, err := Solve(t.Context(), g, start(t, g), o)
	if err != nil {
		t.Fatal(err)
	}
	o.Checkpoint = filepath.Join(t.TempDir(), "search")
	o.Nodes = want.Nodes / 2
	if half, err := Solve(t.Context(), g, start(t, g), o); err != nil && !errors.Is(err, ErrUndecided) || half.Anew {
		t.Fatalf("%s: %v, %v", told(), half, err)
	}
	o.Nodes = 0
	got, err := Solve(t.Context(), g, start(t, g), o)
	if err != nil || got.Value != want.Value || got.Anew {
		t.Errorf("%s: %v, %v, want %v", told(), got, err, want)
	}
	return want.Nodes, got.Nodes
}

// Entries that no search writes are damage.
func TestClaimsAreInRange(t *testing.T) {
	for _, v := range []uint64{
		pack(numbers{0, 0}), pack(numbers{0, 7}), pack(numbers{7, 0}), pack(numbers{7, infinite}), pack(numbers{infinite, 7}),
		pack(numbers{7, 7}) | packedMask, pack(numbers{7, 7}) | packedMask<<numberBits,
		pack(won) | 64<<filedWorkBit,
	} {
		table, err := newTable(1 << 10)
		if err != nil {
			t.Fatal(err)
		}
		if table.add(v, 1) {
			t.Errorf("%x is taken", v)
		}
		table.free()
	}
	for _, v := range []numbers{won, lost, {1, 1}, {most, most}} {
		table, err := newTable(1 << 10)
		if err != nil {
			t.Fatal(err)
		}
		if !table.add(pack(v)|63<<filedWorkBit, 1) {
			t.Errorf("%v is refused", v)
		}
		table.free()
	}
}

// appendEntry writes what a search knows of a position as a file holds it.
func appendEntry(entries []byte, n node, v numbers) []byte {
	entries = binary.LittleEndian.AppendUint64(entries, pack(v)|n.side<<sideBit)
	return binary.LittleEndian.AppendUint64(entries, n.own|n.opp)
}

// FuzzClaims has a small position searched over whatever a checkpoint may hold.
func FuzzClaims(f *testing.F) {
	g := newGame(f, "4x4", setups()[0])
	p := start(f, g)
	known := make(map[position]bitboard.Value)
	want := won
	if plain(g, p, known) == bitboard.Loss {
		want = lost
	}
	var real, forged []byte
	for p, value := range known {
		v, no := won, lost
		if value == bitboard.Loss {
			v, no = lost, won
		}
		n := nodeOf(g, p)
		real = appendEntry(real, n, v)
		forged = appendEntry(forged, n, no)
	}
	f.Add(real, false)
	f.Add(forged, false)
	f.Add(forged[:len(forged)/2], true)
	f.Fuzz(func(t *testing.T, entries []byte, unfinished bool) {
		table, err := newTable(1 << 14)
		if err != nil {
			t.Fatal(err)
		}
		defer table.free()
		for ; len(entries) >= entryBytes; entries = entries[entryBytes:] {
			if data := binary.LittleEndian.Uint64(entries); data != 0 {
				table.add(data, binary.LittleEndian.Uint64(entries[8:]))
			}
		}
		s := newSearch(g, table, Options{unfinished: unfinished})
		if got, _ := s.decide(nodeOf(g, p)); got != want {
			t.Errorf("%v, want %v", got, want)
		}
	})
}

// A limit of nodes may end a search anywhere, also once the root is decided and is being confirmed.
// What a true checkpoint holds is kept then.
func TestALimitLeavesATrueCheckpoint(t *testing.T) {
	g := newGame(t, "5x5", setups()[0])
	for _, workers := range []int{1, 2, 8} {
		path := filepath.Join(t.TempDir(), "search")
		o := Options{Memory: 1 << 12, Workers: workers, Checkpoint: path, Nodes: 200}
		if _, err := Solve(t.Context(), g, start(t, g), o); !errors.Is(err, ErrUndecided) {
			t.Fatal(err)
		}
		half, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		o.Nodes = 0
		all, err := Solve(t.Context(), g, start(t, g), o)
		if err != nil {
			t.Fatal(err)
		}
		for o.Nodes = all.Nodes - 300; ; o.Nodes++ { // about the end of the search
			if err := os.WriteFile(path, half, 0o666); err != nil {
				t.Fatal(err)
			}
			got, err := Solve(t.Context(), g, start(t, g), o)
			if got.Anew || err != nil && !errors.Is(err, ErrUndecided) {
				t.Fatalf("%d workers, %d nodes more: %+v, %v", workers, o.Nodes, got, err)
			}
			if err == nil {
				break
			}
		}
	}
}

// A worker for whom no node is left takes nothing from the one who decided with the last.
func TestTheLastNodeDecides(t *testing.T) {
	g := newGame(t, "5x5", setups()[0])
	p := start(t, g)
	p.Own = 0 // no stone, no jump: a loss in one node
	for range 200 {
		if got, err := Solve(t.Context(), g, p, Options{Nodes: 1, Workers: 8}); err != nil || got.Value != bitboard.Loss {
			t.Fatalf("%+v, %v", got, err)
		}
	}
}
