package tablebase

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/tablebase/internal/graphgame"
)

// naiveFingerprint is the definition in the package comment, word by word.
func naiveFingerprint(sol *graphgame.Solution, m bitboard.Metric, s bitboard.Slice) string {
	all := fmt.Appendf(nil, "paika fingerprint 1\ngame graph\nboard 1x1\nrules gaps=true\nmetric %v\nslice %s\nindices %d\n",
		m, sol.Game.SliceName(s), len(sol.Depths[s]))
	for section := range slices.Chunk(sol.Depths[s], 16384) {
		var text []byte
		for i, d := range section {
			switch {
			case m == bitboard.DTW:
				text = append(text, byte(d), byte(d>>8))
			case i%4 == 0:
				text = append(text, byte(d.Value()))
			default:
				text[i/4] |= byte(d.Value()) << (i % 4 * 2)
			}
		}
		sum := sha256.Sum256(text)
		all = append(all, sum[:]...)
	}
	sum := sha256.Sum256(all)
	return hex.EncodeToString(sum[:])
}

// A fingerprint is what the definition says, whether values are left out or not.
func TestFingerprintsAreOfTheValues(t *testing.T) {
	sizes := []uint64{21, 16383, 16384, 40_001}
	if testing.Short() {
		sizes = []uint64{21, 16384} // a part of a chunk, and a whole one
	}
	for _, indices := range sizes {
		game := graphgame.New(91, 2, indices)
		sol := game.Solve()
		for _, m := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
			var checksums [2]string
			for sparse := range checksums {
				game.Sparse = sparse
				s := openTest(t, storedTest(t, sol, m), Options{ReadOnly: true})
				for slice := range bitboard.Slice(4) {
					info, _ := s.Slice(m, game.SliceName(slice))
					if want := naiveFingerprint(sol, m, slice); info.Fingerprint != want {
						t.Errorf("%v %s of %d indices, sparse %d: %s, want %s", m, info.Name, info.Indices, sparse, info.Fingerprint, want)
					}
					if slice == 2 {
						checksums[sparse] = info.Checksum
					}
				}
			}
			if m == bitboard.WDL && indices > 1000 && checksums[0] == checksums[1] {
				t.Errorf("%d indices: nothing was left out", indices)
			}
		}
	}
}

// The definition never changes: these are the fingerprints of a game of three
// positions, computed by hand with sha256sum.
func TestFingerprintsStayWhatTheyAre(t *testing.T) {
	id := Identity{Game: "toy", Board: "3x1", Rules: "a=b"}
	hasher := new(sectionHasher)
	for m, c := range map[bitboard.Metric]struct {
		table *bitboard.Table
		want  string
	}{
		bitboard.WDL: {&bitboard.Table{WDL: bitboard.Packed{2 | 1<<2 | 0<<4}}, "64bd8c1fa7afd3413426de0ddf927f9246280ef3f5b58eb0bf88d4c52e1d726a"},
		bitboard.DTW: {&bitboard.Table{DTW: []bitboard.Depth{bitboard.MakeDepth(bitboard.Loss, 0), bitboard.MakeDepth(bitboard.Win, 100), 0}}, "b9d0ef993d0ae5cbf2d3517dd4ae799d57eee5cfe7ab06aa5c11a5a3d5e86f4c"},
	} {
		sections, err := hasher.table(nil, c.table, 0, 3)
		if err != nil {
			t.Fatal(err)
		}
		f := newFingerprint(id, m, "1v1", 3)
		f.add(sections)
		if got := f.String(); got != c.want {
			t.Errorf("%v: %s, want %s", m, got, c.want)
		}
	}
	infos := []SliceInfo{{Name: "2v1", Fingerprint: "22"}, {Name: "1v2", Fingerprint: "12"}}
	if got, want := id.Fingerprint(bitboard.WDL, infos), "e10ba9bc4f29d23e52c83046008d9035a441377d422c56e1fa1dd48312363e9a"; got != want {
		t.Errorf("of slices: %s, want %s", got, want)
	}
	slices.Reverse(infos)
	if got, want := id.Fingerprint(bitboard.WDL, infos), "e10ba9bc4f29d23e52c83046008d9035a441377d422c56e1fa1dd48312363e9a"; got != want {
		t.Errorf("of slices in another order: %s, want %s", got, want)
	}
}

// The pages that define fingerprints have the same lines as an example, and they are what is
// hashed.
func TestTheExampleOfAFingerprintIsWhatIsHashed(t *testing.T) {
	board := bitboard.Board{Width: 3, Height: 3}
	game, err := fanorona.New(board, fanorona.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	slice, err := game.ParseSlice("2v1")
	if err != nil {
		t.Fatal(err)
	}
	id := Identity{Game: "fanorona", Board: board.String(), Rules: game.Rules().String()}
	hashed := sliceHeading(id, bitboard.WDL, "2v1", game.Indices(slice))
	for name, indent := range map[string]string{"doc.go": "//\t", "FORMAT.md": "    "} {
		page, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		want := indent + strings.ReplaceAll(strings.TrimSuffix(hashed, "\n"), "\n", "\n"+indent) + "\n"
		if !strings.Contains(string(page), want) {
			t.Errorf("%s lacks\n%s", name, want)
		}
	}
}

// A fingerprint is of game, board, rules, metric and slice too.
func TestFingerprintsAreOfOneTable(t *testing.T) {
	seen := make(map[string]string)
	base := Identity{Game: "a", Board: "b", Rules: "c"}
	for _, id := range []Identity{base, {"x", "b", "c"}, {"a", "x", "c"}, {"a", "b", "x"}} {
		for _, m := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
			for _, slice := range []string{"1v1", "2v1"} {
				for _, indices := range []uint64{3, 4} {
					about := fmt.Sprint(id, m, slice, indices)
					sum := newFingerprint(id, m, slice, indices).String()
					if other, found := seen[sum]; found {
						t.Errorf("%s and %s have the same", about, other)
					}
					seen[sum] = about
				}
			}
		}
	}
}

// A fourth value is refused where values are left out, too.
func TestSaveRefusesWhatHasNoFingerprint(t *testing.T) {
	game := graphgame.New(92, 2, 200)
	game.Sparse = 1
	sol := game.Solve()
	table := sol.Table(bitboard.WDL, 2)
	for i := range game.Nodes[2] {
		if p, weight := game.Unrank(2, uint64(i)); weight > 0 && !game.Holds(p) {
			table.WDL.Set(uint64(i), 3)
		}
	}
	s := openTest(t, t.TempDir(), Options{})
	for below := range bitboard.Slice(2) {
		if err := saveOne(t.Context(), s, sol, bitboard.WDL, below); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Tables(bitboard.WDL, game).ForBuild(game.Build()).Save(t.Context(), table, sol.Summary(bitboard.WDL, 2)); err == nil {
		t.Error("saved a value that is none")
	}
}

// Nothing that is no value has a fingerprint, wherever in a table it stands.
func TestWhatIsNoValueHasNoFingerprint(t *testing.T) {
	const indices = 2*wdlChunkIndices + 21
	for _, m := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		for _, at := range []uint64{0, indices / 2, indices - 1} {
			table := bitboard.NewTable(m, 0, indices)
			if m == bitboard.WDL {
				table.WDL.Set(at, 3)
			} else {
				table.DTW[at] = bitboard.MakeDepth(bitboard.Win, bitboard.MaxDistance+1)
			}
			if f, err := testIdentity.TableFingerprint(t.Context(), m, "1v1", indices, table, 2); err == nil {
				t.Errorf("%v, no value at %d: %s", m, at, f)
			}
		}
	}
}

// However many workers find it, a fingerprint is the same; without workers there is one.
func TestFingerprintsDependOnNoWorkers(t *testing.T) {
	const indices = 2*wdlChunkIndices + 21
	table := bitboard.NewTable(bitboard.WDL, 0, indices)
	table.WDL.Set(indices-1, bitboard.Win)
	want, err := testIdentity.TableFingerprint(t.Context(), bitboard.WDL, "1v1", indices, table, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{-1, 0, 2, 8} {
		got, err := testIdentity.TableFingerprint(t.Context(), bitboard.WDL, "1v1", indices, table, workers)
		if err != nil || got != want {
			t.Errorf("%d workers: %s, %v, want %s", workers, got, err, want)
		}
	}
}
