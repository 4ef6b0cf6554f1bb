package fanorona

import (
	"testing"

	"paika/bitboard"
)

// The kernel on runs of 1,024 indices of seven stones on 9x5.
func BenchmarkKernel(b *testing.B) {
	g := testGame(b, 9, 5)
	const run = 1 << 10
	for _, s := range []bitboard.Slice{slice(4, 3), slice(3, 4), slice(5, 2), slice(2, 5), slice(3, 3)} {
		lo := g.Indices(s) / 3
		var e bitboard.Edges
		b.Run("Settle/"+g.SliceName(s), func(b *testing.B) {
			for b.Loop() {
				g.Settle(s, lo, lo+run, &e)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/run, "ns/index")
			b.ReportMetric(float64(len(e.Refs))/run, "refs/index")
		})
		var open []uint64
		g.Settle(s, lo, lo+run, &e)
		for k, fate := range e.Fates {
			if fate == bitboard.Open {
				open = append(open, lo+uint64(k))
			}
		}
		b.Run("Forward/"+g.SliceName(s), func(b *testing.B) {
			for b.Loop() {
				g.Forward(s, open, &e)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(open)), "ns/index")
			b.ReportMetric(float64(len(e.Refs))/float64(len(open)), "refs/index")
			b.ReportMetric(float64(len(open))/run, "open/index")
		})
	}
}
