package benchmarks

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/solver/retrograde"
	"paika/tablebase"
	"paika/tablebase/verify"
)

// stones is the size of the tables that are built: all of 9x5 with up to this
// many stones, 10 slices with 38,825,820 positions.
const stones = 5

// Win, loss and draw of those tables for the side to move.
const wins, losses, draws = 21283596, 10483127, 7059097

func tsivy(b *testing.B) *fanorona.Game {
	b.Helper()
	g, err := fanorona.New(bitboard.Board{Width: 9, Height: 5}, fanorona.Rules{})
	if err != nil {
		b.Fatal(err)
	}
	return g
}

func openStore(b *testing.B, dir string, g *fanorona.Game) *tablebase.Store {
	b.Helper()
	id := tablebase.Identity{Game: "fanorona", Board: g.Board().String(), Rules: g.Rules().String()}
	store, err := tablebase.Open(dir, id, tablebase.Options{Version: "benchmark", Workers: 1})
	if err != nil {
		b.Fatal(err)
	}
	return store
}

// build fills the store and returns the number of indices solved.
func build(b *testing.B, g *fanorona.Game, store *tablebase.Store, metric bitboard.Metric, workers int) (indices uint64) {
	b.Helper()
	groups, err := bitboard.GroupsWithin(g, stones)
	if err != nil {
		b.Fatal(err)
	}
	result, err := retrograde.Build(context.Background(), g, groups, store.Tables(metric, g).ForBuild(groups),
		retrograde.Options{Metric: metric, Workers: workers, Memory: 4 << 30})
	if err != nil {
		b.Fatal(err)
	}
	var sum bitboard.Summary
	for _, s := range result.Built {
		sum.Win, sum.Loss, sum.Draw = sum.Win+s.Win, sum.Loss+s.Loss, sum.Draw+s.Draw
		indices += g.Indices(s.Slice)
	}
	if sum.Win != wins || sum.Loss != losses || sum.Draw != draws {
		b.Fatalf("%d win, %d loss, %d draw; want %d, %d, %d", sum.Win, sum.Loss, sum.Draw, wins, losses, draws)
	}
	return indices
}

// BenchmarkBuild solves and stores the tables. bits/position is what they take
// on disk, with symmetry undone.
func BenchmarkBuild(b *testing.B) {
	for _, metric := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		for workers := 1; workers <= runtime.GOMAXPROCS(0); workers *= 2 {
			b.Run(fmt.Sprintf("%v/workers=%d", metric, workers), func(b *testing.B) {
				g := tsivy(b)
				var indices, bytes uint64
				for b.Loop() {
					store := openStore(b, b.TempDir(), g)
					indices += build(b, g, store, metric, workers)
					bytes = 0
					for _, s := range store.Slices(metric) {
						bytes += s.Bytes
					}
					if err := store.Close(); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(indices)/b.Elapsed().Seconds(), "indices/s")
				b.ReportMetric(float64(b.N)*(wins+losses+draws)/b.Elapsed().Seconds(), "positions/s")
				b.ReportMetric(8*float64(bytes)/(wins+losses+draws), "bits/position")
			})
		}
	}
}

// BenchmarkVerify derives every value of the tables anew.
func BenchmarkVerify(b *testing.B) {
	for _, metric := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		b.Run(fmt.Sprint(metric), func(b *testing.B) {
			g := tsivy(b)
			store := openStore(b, b.TempDir(), g)
			defer store.Close()
			build(b, g, store, metric, runtime.GOMAXPROCS(0))
			for b.Loop() {
				report, err := verify.Run(context.Background(), g, store, verify.Options{Workers: 1})
				if err != nil || report.Total != 0 || report.Positions != wins+losses+draws {
					b.Fatalf("%d findings in %d positions, %v", report.Total, report.Positions, err)
				}
			}
			b.ReportMetric(float64(b.N)*(wins+losses+draws)/b.Elapsed().Seconds(), "positions/s")
		})
	}
}

// probes is how many random positions BenchmarkProbe looks up in turn, and
// probeWins how many of them the side to move wins.
const probes, probeWins = 1 << 16, 35998

// BenchmarkProbe looks up random positions of 5 stones: with every chunk
// decompressed in the cache, and with room there for one chunk in 64.
func BenchmarkProbe(b *testing.B) {
	for _, c := range []struct {
		name  string
		cache int64
	}{{"cached", 64 << 20}, {"decompressing", 64}} {
		b.Run(c.name, func(b *testing.B) {
			g := tsivy(b)
			store := openStore(b, b.TempDir(), g)
			defer store.Close()
			build(b, g, store, bitboard.WDL, runtime.GOMAXPROCS(0))
			positions := randomPositions(g, stones, probes)
			prober := tablebase.NewProber(store, g, c.cache)
			won := probe(b, prober, positions)
			if won != probeWins {
				b.Fatalf("%d wins among the random positions, want %d", won, probeWins)
			}
			for b.Loop() {
				won += probe(b, prober, positions)
			}
			if won != probeWins*(b.N+1) {
				b.Fatal("the same positions have other values at another time")
			}
			b.ReportMetric(float64(b.N)*probes/b.Elapsed().Seconds(), "probes/s")
		})
	}
}

func probe(b *testing.B, prober *tablebase.Prober[fanorona.Position], positions []fanorona.Position) (won int) {
	for _, p := range positions {
		outcome, err := prober.Probe(p)
		if err != nil {
			b.Fatal(err)
		}
		if outcome.Value == bitboard.Win {
			won++
		}
	}
	return won
}

// randomPositions draws positions with that many stones, every one of a slice
// equally likely and slices by their size.
func randomPositions(g *fanorona.Game, stones, n int) []fanorona.Position {
	random := rand.New(rand.NewPCG(1, 2))
	var slices []bitboard.Slice
	var total uint64
	for own := 1; own < stones; own++ {
		s, err := g.ParseSlice(fmt.Sprintf("%dv%d", own, stones-own))
		if err != nil {
			panic(err) // the names are right
		}
		slices = append(slices, s)
		total += g.Indices(s)
	}
	var positions []fanorona.Position
	for len(positions) < n {
		i := random.Uint64N(total)
		for _, s := range slices {
			if size := g.Indices(s); i >= size {
				i -= size
				continue
			}
			if p, weight := g.Unrank(s, i); weight > 0 {
				positions = append(positions, p)
			}
			break
		}
	}
	return positions
}
