package fanorona

import (
	"testing"

	"paika/bitboard"
)

// The more room the less it costs to settle, and what has more stones costs more.
func TestSettleCostFallsWithRoom(t *testing.T) {
	g := testGame(t, 9, 5)
	for _, m := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		for _, s := range []bitboard.Slice{slice(3, 2), slice(2, 3), slice(4, 3), slice(3, 4)} {
			room := g.SettleRoom
			if m == bitboard.DTW {
				room = g.DepthRoom
			}
			least, most := room(s)
			before := g.SettleCost(s, m, least-1)
			for _, words := range []uint64{least, least + (most-least)/5, least + (most-least)/2, most, 10 * most} {
				cost := g.SettleCost(s, m, words)
				if cost > before || cost < indexCost || words <= least && cost == before {
					t.Errorf("%s, %v: it costs %v with %d words, and %v with fewer", g.SliceName(s), m, cost, words, before)
				}
				before = cost
			}
			own, opp := counts(s)
			if more := g.SettleCost(slice(own+1, opp+1), m, 10*most); more <= before {
				t.Errorf("%s, %v: it costs %v, and %v with two stones more", g.SliceName(s), m, before, more)
			}
		}
	}
}
