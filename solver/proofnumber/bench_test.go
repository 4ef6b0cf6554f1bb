package proofnumber_test

import (
	"fmt"
	"testing"

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
