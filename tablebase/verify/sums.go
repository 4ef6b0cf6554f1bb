package verify

import (
	"fmt"
	"slices"

	"paika/bitboard"
)

// Sums is what is counted of a slice, or of a share of it. Those of shares that make up a
// slice add up to its own. Arrays are by bitboard.Value, or by metric.
type Sums struct {
	Positions [3]uint64                    `json:"positions"` // symmetry undone
	Longest   [3]int                       `json:"longest"`   // turns, or bitboard.UnknownDistance
	Quiet     uint64                       `json:"quiet"`     // of the positions
	Gaps      [bitboard.MetricCount]uint64 `json:"gaps"`      // indices without a position and with a value
}

// NewSums are those of nothing.
func NewSums() Sums {
	const none = bitboard.UnknownDistance
	return Sums{Longest: [3]int{none, none, none}}
}

// Total is the number of positions.
func (s *Sums) Total() uint64 { return s.Positions[0] + s.Positions[1] + s.Positions[2] }

// Add adds those of another share.
func (s *Sums) Add(t Sums) {
	for v := range s.Positions {
		s.Positions[v] += t.Positions[v]
		s.Longest[v] = max(s.Longest[v], t.Longest[v])
	}
	for m := range s.Gaps {
		s.Gaps[m] += t.Gaps[m]
	}
	s.Quiet += t.Quiet
}

// compareGroup holds the manifests against the sums of a slice of a group, in every
// metric that the check is about.
func (v *verifier[P]) compareGroup(c groupCheck, s bitboard.Slice, sum *Sums) []Finding {
	wrong := v.compare(c.metric, s, sum)
	if slices.Contains(c.agree, s) {
		wrong = append(wrong, v.compare(bitboard.WDL, s, sum)...)
	}
	return wrong
}

// compare holds the manifest of a metric against the sums of a slice.
func (v *verifier[P]) compare(m bitboard.Metric, s bitboard.Slice, sum *Sums) (wrong []Finding) {
	info := v.listed[m][s]
	compare := func(what, stored, derived string) {
		if stored != derived {
			wrong = append(wrong, Finding{Metric: m, Slice: info.Name, What: what, Stored: stored, Derived: derived})
		}
	}
	compare("positions", fmt.Sprint(v.game.Positions(s)), fmt.Sprint(sum.Total()))
	compare("win", fmt.Sprint(info.Win), fmt.Sprint(sum.Positions[bitboard.Win]))
	compare("loss", fmt.Sprint(info.Loss), fmt.Sprint(sum.Positions[bitboard.Loss]))
	compare("draw", fmt.Sprint(info.Draw), fmt.Sprint(sum.Positions[bitboard.Draw]))
	compare("quiet", fmt.Sprint(info.Quiet), fmt.Sprint(sum.Quiet))
	compare("values at gaps", fmt.Sprint(sum.Gaps[m]), "0")
	longest := sum.Longest
	if m == bitboard.WDL {
		longest = NewSums().Longest
	}
	compare("longest win", turns(info.LongestWin), turns(longest[bitboard.Win]))
	compare("longest loss", turns(info.LongestLoss), turns(longest[bitboard.Loss]))
	return wrong
}

// turns writes a distance that there may be none of.
func turns(distance int) string {
	if distance == bitboard.UnknownDistance {
		return "none"
	}
	return fmt.Sprint(distance)
}
