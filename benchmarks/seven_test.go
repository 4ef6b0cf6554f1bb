package benchmarks

import (
	"context"
	"flag"
	"runtime"
	"testing"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/internal/offheap"
	"paika/solver/proofnumber"
	"paika/solver/retrograde"
	"paika/tablebase"
)

// tables is a folder with all tables of up to seven stones, which take too long
// to be built for a benchmark.
var tables = flag.String("tables", "", "`folder` of 9x5 tables in wdl with up to seven stones, for the benchmarks on them")

// sevenStones opens those tables, or skips the benchmark.
func sevenStones(b *testing.B) (*fanorona.Game, *tablebase.Store) {
	b.Helper()
	if *tables == "" {
		b.Skip("needs the tables that paika build --pieces 7 makes: -args -tables paika-data/fanorona-9x5")
	}
	g := tsivy(b)
	id := tablebase.Identity{Game: "fanorona", Board: g.Board().String(), Rules: g.Rules().String()}
	store, err := tablebase.Open(*tables, id, tablebase.Options{ReadOnly: true})
	if err != nil {
		b.Fatal(err)
	}
	return g, store
}

// sevenWins is how many of the random positions with seven stones the side to
// move wins.
const sevenWins = 38027

// BenchmarkProbeSevenInMemory looks random positions of seven stones up in
// tables that are in memory whole.
func BenchmarkProbeSevenInMemory(b *testing.B) {
	g, store := sevenStones(b)
	defer store.Close()
	loaded := loadAll(b, g, store.Tables(bitboard.WDL, g), 7)
	memory := proofnumber.NewMemory(g, loaded)
	positions := randomPositions(g, 7, probes)
	values := make([]bitboard.Value, probes)
	for b.Loop() {
		memory.Probe(positions, values)
	}
	b.ReportMetric(float64(b.N)*probes/b.Elapsed().Seconds(), "probes/s")
	won := 0
	for _, v := range values {
		if v == bitboard.Win {
			won++
		}
	}
	if won != sevenWins {
		b.Fatalf("%d wins among the random positions, want %d", won, sevenWins)
	}
}

// BenchmarkProbeSevenStored looks them up in the store, through a cache that
// holds all of six stones and a tenth of the chunks of seven.
func BenchmarkProbeSevenStored(b *testing.B) {
	g, store := sevenStones(b)
	defer store.Close()
	prober := tablebase.NewProber(store, g, 80<<20)
	positions := randomPositions(g, 7, probes)
	if won := probe(b, prober, positions); won != sevenWins {
		b.Fatalf("%d wins among the random positions, want %d", won, sevenWins)
	}
	for b.Loop() {
		probe(b, prober, positions)
	}
	b.ReportMetric(float64(b.N)*probes/b.Elapsed().Seconds(), "probes/s")
}

// loadAll brings all tables with up to that many stones into memory, and frees
// them with the benchmark.
func loadAll(b *testing.B, g *fanorona.Game, storage *tablebase.Tables, stones int) (list []*bitboard.Table) {
	b.Helper()
	groups, err := bitboard.GroupsWithin(g, stones)
	if err != nil {
		b.Fatal(err)
	}
	known := make(map[bitboard.Slice]*bitboard.Table)
	for _, group := range groups {
		for _, s := range group.Slices {
			words, err := offheap.Make[uint64](bitboard.PackedWords(g.Indices(s)))
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { offheap.Free(words) })
			t := &bitboard.Table{Slice: s, WDL: words}
			if err := storage.Load(context.Background(), t); err != nil {
				b.Fatal(err)
			}
			if storage.LeavesOut(s) {
				if err := retrograde.Complete(context.Background(), g, t, known, retrograde.CompleteOptions{Workers: runtime.GOMAXPROCS(0), Room: 4 << 30}); err != nil {
					b.Fatal(err)
				}
			}
			known[s] = t
			list = append(list, t)
		}
	}
	return list
}
