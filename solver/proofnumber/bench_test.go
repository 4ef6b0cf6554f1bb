package proofnumber_test

import (
	"fmt"
	"math"
	"runtime"
	"testing"
	"time"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/solver/proofnumber"
)

// BenchmarkSearch measures nodes a second from the start of 9x5.
func BenchmarkSearch(b *testing.B) {
	const nodes = 2_000_000
	g := newFanorona(b, 9, 5)
	m := proofnumber.NewMemory[fanorona.Position](g, tables[fanorona.Position](b, g, 5))
	p, _, err := g.Start()
	if err != nil {
		b.Fatal(err)
	}
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			s, err := proofnumber.New(g, newTable(b, 1<<28), proofnumber.Options[fanorona.Position]{Tables: m, Nodes: nodes, Workers: workers})
			if err != nil {
				b.Fatal(err)
			}
			var done uint64
			for b.Loop() {
				r, err := s.Solve(b.Context(), p, true)
				if err != nil {
					b.Fatal(err)
				}
				done += r.Nodes
			}
			b.ReportMetric(float64(done)/b.Elapsed().Seconds(), "nodes/s")
		})
	}
}

// hardQuestions are those about 7x5 that take one worker, which leaves turns in the
// game's order, between one and ten million nodes with tables of six stones: all there
// are of the start and of the positions after one turn or two, one of each pair of
// mirror images.
var hardQuestions = []struct {
	position string
	attacker bitboard.Side
	verdict  proofnumber.Verdict
}{
	{"BBBBBBB/BBBBBBB/BWB.WBW/WWWWWWW/WWWWWWW w", 0, proofnumber.Refuted},
	{"BBB.BBB/BBB.BBB/BWBWWBW/WWW.WWW/WWWWWWW b", 0, proofnumber.Refuted},
	{"BBBBBBB/BBBBBBB/BW.W.BW/WWWWWWW/WWWWWWW b", 0, proofnumber.Refuted},
	{"BBBBBBB/BBBBBBB/BW.W.BW/WWWWWWW/WWWWWWW b", 1, proofnumber.Refuted},
	{"BBBBBBB/BBBBBBB/BWBW..W/WWWWWWW/WWWWWWW b", 1, proofnumber.Refuted},
	{"BB..BBB/BBBBBBB/BWBW.BW/WWW.W.W/WWWWWW. w", 0, proofnumber.Refuted},
	{"BBBBBBB/B.BBBBB/BWBW.BW/WWW.WWW/WWWW.WW w", 0, proofnumber.Refuted},
	{"BBBBBBB/BBB.BBB/BW.WBBW/WWWWW.W/WWWWWW. w", 0, proofnumber.Proved},
	{"BBBBBBB/BBB.BBB/BWBW.../WWWWWBW/WWWWW.. w", 0, proofnumber.Proved},
	{"BBBBBBB/BBB.BBB/BWB...W/WWWWWBW/WWWWW.. w", 0, proofnumber.Refuted},
}

// BenchmarkEfficiency measures how well searches use GOMAXPROCS workers. It answers
// every question with one worker and with all of them, once for each seed (of which
// -benchtime 3x takes three), and tells the efficiency, which is the time of one
// over the time of N times N, and nodes/node, those of N over those of one. The
// geometric means over the questions come last.
func BenchmarkEfficiency(b *testing.B) {
	many := runtime.GOMAXPROCS(0)
	g := newFanorona(b, 7, 5)
	known := proofnumber.NewMemory[fanorona.Position](g, tables[fanorona.Position](b, g, 6))
	var efficiency, overhead float64 // logarithms, added up
	for i, q := range hardQuestions {
		b.Run(fmt.Sprintf("question=%d", i+1), func(b *testing.B) {
			p, mover, err := g.Parse(q.position)
			if err != nil {
				b.Fatal(err)
			}
			var one, all effort
			for seed := uint64(1); b.Loop(); seed++ {
				for _, w := range []struct {
					workers int
					*effort
				}{{1, &one}, {many, &all}} {
					o := proofnumber.Options[fanorona.Position]{Tables: known, Workers: w.workers, Seed: seed}
					if v := w.add(b, g, o, p, mover == q.attacker); v != q.verdict {
						b.Fatalf("%s: %v, want %v", q.position, v, q.verdict)
					}
				}
			}
			used := one.seconds / (all.seconds * float64(many))
			more := all.nodes / one.nodes
			efficiency += math.Log(used)
			overhead += math.Log(more)
			b.ReportMetric(one.seconds/float64(b.N), "s-of-one")
			b.ReportMetric(used, "efficiency")
			b.ReportMetric(more, "nodes/node")
		})
	}
	b.Run("mean", func(b *testing.B) {
		for b.Loop() {
		}
		n := float64(len(hardQuestions))
		b.ReportMetric(math.Exp(efficiency/n), "efficiency")
		b.ReportMetric(math.Exp(overhead/n), "nodes/node")
	})
}

// effort is what searches took.
type effort struct{ seconds, nodes float64 }

// add answers a question from nothing and adds what it took.
func (e *effort) add(b *testing.B, g *fanorona.Game, o proofnumber.Options[fanorona.Position], p fanorona.Position, attackerMoves bool) proofnumber.Verdict {
	table, err := proofnumber.NewTable(1 << 30)
	if err != nil {
		b.Fatal(err)
	}
	defer table.Close()
	s, err := proofnumber.New(g, table, o)
	if err != nil {
		b.Fatal(err)
	}
	start := time.Now()
	r, err := s.Solve(b.Context(), p, attackerMoves)
	if err != nil {
		b.Fatal(err)
	}
	e.seconds += time.Since(start).Seconds()
	e.nodes += float64(r.Nodes)
	return r.Verdict
}
