package tablebase

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"paika/bitboard"
	"paika/tablebase/internal/graphgame"
)

func TestProbeAgreesWithTheSolution(t *testing.T) {
	for _, sparse := range []int{0, 1} {
		game := graphgame.New(21, 2, 20_000)
		game.Sparse = sparse
		probeAgrees(t, game)
	}
}

func probeAgrees(t *testing.T, game *graphgame.Game) {
	sol := game.Solve()
	for _, m := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		s := openTest(t, storedTest(t, sol, m), Options{ReadOnly: true})
		prober := NewProber(s, game, 1) // a chunk a shard
		positions, want := probes(sol, m, 5_000)
		var group sync.WaitGroup
		for range 3 {
			group.Go(func() {
				for i, p := range positions {
					if got, err := prober.Probe(p); err != nil || got != want[i] {
						t.Errorf("%v %v: %v, %v, want %v", m, p, got, err, want[i])
						return
					}
				}
			})
		}
		group.Wait()
		got := make([]bitboard.Outcome, len(positions))
		if err := prober.ProbeAll(context.Background(), positions, got); err != nil {
			t.Fatal(err)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%v %v: %v, want %v", m, positions[i], got[i], want[i])
			}
		}
	}
}

// probes draws positions, and looks their outcomes up in the solution.
func probes(sol *graphgame.Solution, m bitboard.Metric, n int) (positions []graphgame.Position, want []bitboard.Outcome) {
	random := rand.New(rand.NewPCG(1, 2))
	for range n {
		p := sol.Game.Random(random, bitboard.Slice(random.IntN(len(sol.Depths))))
		if random.IntN(50) == 0 {
			p = graphgame.Position{Slice: graphgame.Outside, Index: uint32(random.IntN(2))}
		}
		positions = append(positions, p)
		want = append(want, outcomeOf(sol, m, p))
	}
	return positions, want
}

func outcomeOf(sol *graphgame.Solution, m bitboard.Metric, p graphgame.Position) bitboard.Outcome {
	if len(sol.Game.Turns(nil, p)) == 0 {
		return bitboard.Outcome{Value: sol.Game.Ended(p), Distance: 0}
	}
	o := sol.Depths[p.Slice][p.Index].Outcome()
	if m == bitboard.WDL {
		o.Distance = bitboard.UnknownDistance
	}
	return o
}

func TestProbePrefersDistances(t *testing.T) {
	game := graphgame.New(22, 1, 100)
	sol := game.Solve()
	s := openTest(t, storedTest(t, sol, bitboard.WDL, bitboard.DTW), Options{ReadOnly: true})
	positions, want := probes(sol, bitboard.DTW, 100)
	for i, p := range positions {
		if got, err := NewProber(s, game, 0).Probe(p); err != nil || got != want[i] {
			t.Errorf("%v: %v, %v, want %v", p, got, err, want[i])
		}
	}
}

func TestProbeNamesTheMissingSlice(t *testing.T) {
	game := graphgame.New(23, 2, 100)
	sol := game.Solve()
	s := openTest(t, t.TempDir(), Options{})
	if err := saveOne(context.Background(), s, sol, bitboard.WDL, 0); err != nil {
		t.Fatal(err)
	}
	_, err := NewProber(s, game, 0).Probe(openPosition(game, 3))
	var missing *MissingError
	if !errors.As(err, &missing) || missing.Slice != "2v3" || !errors.Is(err, ErrNotStored) {
		t.Errorf("error %v", err)
	}
}

// indexless is a game in which a position may have more pieces than any slice with indices.
type indexless struct {
	*graphgame.Game
	slice bitboard.Slice // that has none
}

func (g indexless) Indices(s bitboard.Slice) uint64 {
	if s == g.slice {
		return 0
	}
	return g.Game.Indices(s)
}

func (g indexless) Rank(p graphgame.Position) (bitboard.Slice, uint64) {
	if p.Slice == g.slice {
		panic("a position without an index is ranked")
	}
	return g.Game.Rank(p)
}

// Positions of no slice that has indices must not be ranked, whatever they or their turns are probed by.
func TestProbesOfPositionsWithoutAnIndexFail(t *testing.T) {
	sol := graphgame.New(22, 2, 100).Solve()
	last := bitboard.Slice(len(sol.Depths) - 1)
	game := indexless{sol.Game, last}
	s := openTest(t, t.TempDir(), Options{})
	if err := saveOne(context.Background(), s, sol, bitboard.WDL, 0); err != nil {
		t.Fatal(err)
	}
	p := openPosition(sol.Game, last)
	prober := NewProber(s, game, 0)
	var missing *MissingError
	if _, err := prober.Probe(p); !errors.As(err, &missing) {
		t.Errorf("Probe: %v", err)
	}
	outcomes := make([]bitboard.Outcome, 2)
	if err := prober.ProbeAll(t.Context(), []graphgame.Position{openPosition(sol.Game, 0), p}, outcomes); !errors.As(err, &missing) {
		t.Errorf("ProbeAll: %v", err)
	}
	if err := prober.ProbeAll(t.Context(), []graphgame.Position{openPosition(sol.Game, 0), p}, outcomes[:1]); err == nil || errors.As(err, &missing) {
		t.Errorf("ProbeAll with too few outcomes: %v", err)
	}
}

// openPosition is one that has turns.
func openPosition(g *graphgame.Game, s bitboard.Slice) graphgame.Position {
	p := graphgame.Position{Slice: s}
	for len(g.Turns(nil, p)) == 0 || g.Nodes[s][p.Index].Weight == 0 {
		p.Index++
	}
	return p
}

func TestWarmProbesAllocateNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector makes pools allocate")
	}
	game := graphgame.New(24, 1, 30_000)
	sol := game.Solve()
	for _, m := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		prober, positions := warmProber(t, sol, m)
		i := 0
		if n := testing.AllocsPerRun(1000, func() {
			if _, err := prober.Probe(positions[i%len(positions)]); err != nil {
				t.Fatal(err)
			}
			i++
		}); n != 0 {
			t.Errorf("%v: %v allocations a probe", m, n)
		}
	}
}

func warmProber(t testing.TB, sol *graphgame.Solution, m bitboard.Metric) (*Prober[graphgame.Position], []graphgame.Position) {
	s := openTest(t, storedTest(t, sol, m), Options{ReadOnly: true})
	prober := NewProber(s, sol.Game, 0)
	positions, _ := probes(sol, m, 1000)
	for _, p := range positions {
		if _, err := prober.Probe(p); err != nil {
			t.Fatal(err)
		}
	}
	return prober, positions
}

func BenchmarkProbe(b *testing.B) {
	sol := graphgame.New(24, 1, 30_000).Solve()
	for _, m := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		b.Run(m.String(), func(b *testing.B) {
			prober, positions := warmProber(b, sol, m)
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				if _, err := prober.Probe(positions[i%len(positions)]); err != nil {
					b.Fatal(err)
				}
				i++
			}
		})
	}
}

func TestCacheStaysWithinItsBytes(t *testing.T) {
	const limit = cacheShards * 10_000
	c := newChunkCache(limit)
	for n := range uint64(10_000) {
		c.keep(chunkKey{number: n}, &chunk{packed: make([]byte, 1000)})
	}
	var sum int64
	for i := range c.shards {
		sum += c.shards[i].bytes
	}
	if sum > limit || sum < limit/2 {
		t.Errorf("%d bytes, limit %d", sum, limit)
	}
}

// Find must give the positions of an outcome in the order of indices, of those that
// the table holds, and stop when it is told.
func TestFindGivesAllInOrder(t *testing.T) {
	for _, sparse := range []int{0, 1} {
		game := graphgame.New(24, 2, 5_000)
		game.Sparse = sparse
		sol := game.Solve()
		for _, m := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
			s := openTest(t, storedTest(t, sol, m), Options{ReadOnly: true})
			prober := NewProber(s, game, 0)
			slice := bitboard.Slice(len(sol.Depths) - 1)
			all := map[bitboard.Outcome][]graphgame.Position{{Value: bitboard.Win, Distance: 7777}: nil}
			for index := range uint32(game.Indices(slice)) {
				p, weight := game.Unrank(slice, uint64(index))
				held := m == bitboard.DTW || !game.LeavesOut(slice) || game.Holds(p)
				o := sol.Depths[slice][index].Outcome()
				if m == bitboard.WDL {
					o.Distance = bitboard.UnknownDistance
				}
				if weight > 0 && held {
					all[o] = append(all[o], p)
				}
			}
			for o, want := range all {
				for _, most := range []int{0, 1, len(want) / 2, len(want)} {
					var got []graphgame.Position
					err := prober.Find(t.Context(), slice, o, func(p graphgame.Position) bool {
						got = append(got, p)
						return len(got) <= most
					})
					if err != nil || !slices.Equal(got, want[:min(len(want), most+1)]) {
						t.Errorf("%v %v: %v, %v, want the first %d of %v", m, o, got, err, most+1, want)
					}
				}
			}
		}
	}
}
