package catalogue

import (
	"math"

	"paika/bitboard"
	"paika/solver/retrograde"
	"paika/tablebase/lookup"
)

// BuildCost is what a build takes, by counting alone.
type BuildCost struct {
	Positions uint64 // of all slices, with symmetry undone
	Indices   uint64
	Memory    uint64  // bytes, at the most
	Rate      float64 // indices a second and worker, about, without distances
}

// What builds came to, for a guess where nothing is measured. Of the bytes boards differ by a
// factor of five.
const (
	positionsPerByte  = 32  // as stored
	distancesPerByte  = 16  // likewise, with distances
	distancesRate     = 0.5 // of that without
	leastBuildSeconds = 1
)

// Guess is about the time and the bytes on disk that a build takes.
func (c BuildCost) Guess(m bitboard.Metric, workers int) (seconds float64, bytes uint64) {
	rate, each := c.Rate*float64(max(1, workers)), uint64(positionsPerByte)
	if m == bitboard.DTW {
		rate, each = distancesRate*rate, distancesPerByte
	}
	return max(leastBuildSeconds, float64(c.Indices)/rate), c.Positions / each
}

// BuildCost counts what Build would solve in an empty folder. Errors are those of
// Build for slices that there are not.
func (n *instance[P]) BuildCost(o BuildOptions) (BuildCost, error) {
	groups, err := n.plan(o)
	if err != nil {
		return BuildCost{}, err
	}
	cost := BuildCost{Rate: n.rate}
	for _, need := range retrograde.Needs(n.game, groups, n.retrograde(groups, o)) {
		cost.Memory = max(cost.Memory, need.Memory)
		cost.Positions = saturated(cost.Positions, need.Positions)
		cost.Indices = saturated(cost.Indices, need.Indices)
	}
	return cost, nil
}

// saturated is a sum, or the highest number where that is less.
func saturated(a, b uint64) uint64 {
	if sum := a + b; sum >= a {
		return sum
	}
	return math.MaxUint64
}

// SlicePieces is the most pieces that a position of a slice has.
func (n *instance[P]) SlicePieces(slice string) int {
	s, err := n.slice(slice)
	if err != nil {
		return 0
	}
	return n.game.Pieces(s)
}

// WholeBoards tells whether tables hold all positions of a board or none.
func (n *instance[P]) WholeBoards() bool { return lookup.WholeBoards(n.game) }
