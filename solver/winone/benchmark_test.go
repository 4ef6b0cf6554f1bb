package winone

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"paika/bitboard"
	"paika/bitboard/phutball"
)

// BenchmarkRandom solves random boards, the ball in the centre or anywhere, and
// reports how long the slowest of them take. The number of boards that are won
// is the fingerprint of the boards and the answers. FACTS.md, Phutball, has the
// shares for a ball in the centre: 5 % at 15 % men, 51 % at 25 %, 93 % at 35 %.
func BenchmarkRandom(b *testing.B) {
	const boards = 10_000
	for _, c := range []struct {
		percent  int
		anywhere bool
		won      int
	}{
		{15, false, 591}, {15, true, 1131}, {25, false, 5157}, {25, true, 4706}, {30, false, 7914},
		{30, true, 7044}, {35, false, 9272}, {35, true, 8436}, {45, false, 9869}, {60, true, 9919},
	} {
		name := strconv.Itoa(c.percent) + "%"
		if c.anywhere {
			name += " anywhere"
		}
		b.Run(name, func(b *testing.B) {
			rng := rand.New(rand.NewPCG(uint64(c.percent), 0))
			layouts := make([]phutball.Layout, boards)
			for i := range layouts {
				layouts[i] = Random(phutball.Default, rng, c.percent, c.anywhere)
			}
			measure(b, phutball.Default, layouts, c.won)
		})
	}
}

// BenchmarkHard does the same with boards that are hard.
func BenchmarkHard(b *testing.B) {
	const boards = 500
	won := map[string]int{"funnel": 287, "bands": 158, "lattice": 187}
	for _, family := range Hard() {
		b.Run(family.Name, func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 0))
			layouts := make([]phutball.Layout, boards)
			for i := range layouts {
				layouts[i] = family.Make(phutball.Default, rng)
			}
			measure(b, phutball.Default, layouts, won[family.Name])
		})
	}
}

func measure(b *testing.B, board bitboard.Board, layouts []phutball.Layout, want int) {
	s := NewSolver(phutball.NewGrid(board, phutball.Rules{}))
	var times []time.Duration
	var nodes uint64
	for b.Loop() {
		won := 0
		for _, l := range layouts {
			start := time.Now()
			r, err := s.Layout(b.Context(), l, Options{Time: 10 * time.Second})
			times = append(times, time.Since(start))
			if err != nil || !r.Decided {
				b.Fatalf("%v: %+v, %v", l, r, err)
			}
			if r.Win {
				won++
			}
			nodes += r.Nodes
		}
		if won != want {
			b.Fatalf("%d boards are won, want %d", won, want)
		}
	}
	slices.Sort(times)
	at := func(share float64) float64 {
		return float64(times[int(share*float64(len(times)-1))].Nanoseconds()) / 1e3
	}
	b.ReportMetric(at(0.5), "µs/median")
	b.ReportMetric(at(0.999), "µs/p99.9")
	b.ReportMetric(at(1), "µs/max")
	b.ReportMetric(float64(nodes)/float64(len(times)), "nodes/board")
	b.ReportMetric(float64(len(times))/b.Elapsed().Seconds(), "boards/s")
}
