package winone

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"paika/bitboard"
	"paika/bitboard/phutball"
)

var large = bitboard.Board{Width: 19, Height: 21}

// BenchmarkRandom answers for random boards of 5 to 60 % men, the ball in the
// centre or anywhere, with either side to move, and reports how long the slowest
// take. Every board must be decided. The number of answers that are yes is the
// fingerprint of boards and answers. FACTS.md, Phutball, has the shares for a ball
// in the centre of 15x19: 5 % at 15 % men, 51 % at 25 %, 93 % at 35 %.
func BenchmarkRandom(b *testing.B) {
	const boards = 10_000
	for _, c := range []struct {
		board    bitboard.Board
		anywhere bool
		won      [12]int // by density, 5 % apart
	}{
		{phutball.Default, false, [12]int{4, 119, 1144, 4514, 10310, 15847, 18548, 19478, 19735, 19869, 19952, 19977}},
		{phutball.Default, true, [12]int{381, 999, 2257, 4787, 9369, 14072, 16907, 18330, 19068, 19495, 19694, 19841}},
		{large, false, [12]int{4, 118, 1052, 4678, 11472, 16909, 18845, 19524, 19788, 19887, 19960, 19994}},
		{large, true, [12]int{343, 972, 2182, 4903, 10029, 15165, 17566, 18649, 19272, 19501, 19778, 19872}},
	} {
		for i, won := range c.won {
			percent := 5 * (i + 1)
			ball := "centre"
			if c.anywhere {
				ball = "anywhere"
			}
			b.Run(fmt.Sprintf("%v/%s/%02d", c.board, ball, percent), func(b *testing.B) {
				rng := rand.New(rand.NewPCG(uint64(percent), 0))
				var layouts []phutball.Layout
				for range boards {
					l := Random(c.board, rng, percent, c.anywhere)
					layouts = append(layouts, l)
					l.Side = 1
					layouts = append(layouts, l)
				}
				measure(b, c.board, layouts, won, 0)
			})
		}
	}
}

// BenchmarkHard does the same with boards that are hard. One in a thousand may
// stay undecided.
func BenchmarkHard(b *testing.B) {
	const boards = 1000
	won := map[string]int{"funnel": 553, "bands": 338, "lattice": 373}
	for _, family := range Hard() {
		b.Run(family.Name, func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 0))
			layouts := make([]phutball.Layout, boards)
			for i := range layouts {
				layouts[i] = family.Make(phutball.Default, rng)
			}
			measure(b, phutball.Default, layouts, won[family.Name], boards/1000)
		})
	}
}

// measure answers for boards, of which some number is won and few may stay
// undecided for ten seconds. Times are those of the thread on the processor, so
// that others on the machine count for little.
func measure(b *testing.B, board bitboard.Board, layouts []phutball.Layout, want, undecided int) {
	s := NewSolver(phutball.NewGrid(board, phutball.Rules{}))
	var times []time.Duration
	var nodes uint64
	won, open := 0, 0
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for b.Loop() {
		won, open = 0, 0
		for _, l := range layouts {
			had, start := cpuTime(), time.Now()
			r, err := s.Layout(b.Context(), l, Options{Time: 10 * time.Second})
			passed := time.Since(start) // finer for short times
			times = append(times, min(passed, cpuTime()-had))
			switch {
			case err != nil:
				b.Fatal(err)
			case r.Win:
				won++
			case !r.Decided:
				b.Logf("not decided: %v", l)
				open++
			}
			nodes += r.Nodes
		}
		if won > want || won+open < want || open > undecided {
			b.Errorf("%d boards are won and %d not decided: want %d won, at most %d not decided", won, open, want, undecided)
		}
	}
	slices.Sort(times)
	at := func(share float64) float64 {
		return float64(times[int(share*float64(len(times)-1))].Nanoseconds()) / 1e3
	}
	b.ReportMetric(at(0.5), "µs/median")
	b.ReportMetric(at(0.999), "µs/p99.9")
	b.ReportMetric(at(1), "µs/max")
	b.ReportMetric(100*float64(won)/float64(len(layouts)), "%yes")
	b.ReportMetric(float64(open), "undecided")
	b.ReportMetric(float64(nodes)/float64(len(times)), "nodes/board")
}
