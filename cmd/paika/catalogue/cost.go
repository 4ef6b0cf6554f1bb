package catalogue

import (
	"math"

	"paika/solver/retrograde"
	"paika/tablebase/lookup"
)

// BuildCost is what a build takes, by counting alone.
type BuildCost struct {
	Positions uint64 // of all slices, with symmetry undone
	Memory    uint64 // bytes, at the most
}

// BuildCost counts what Build would solve in an empty folder. Errors are those of
// Build for slices that there are not.
func (n *instance[P]) BuildCost(o BuildOptions) (BuildCost, error) {
	groups, err := n.plan(o)
	if err != nil {
		return BuildCost{}, err
	}
	var cost BuildCost
	for _, need := range retrograde.Needs(n.game, groups, o.retrograde()) {
		cost.Memory = max(cost.Memory, need.Memory)
		if sum := cost.Positions + need.Positions; sum >= cost.Positions {
			cost.Positions = sum
		} else {
			cost.Positions = math.MaxUint64
		}
	}
	return cost, nil
}

// WholeBoards tells whether tables hold all positions of a board or none.
func (n *instance[P]) WholeBoards() bool { return lookup.WholeBoards(n.game) }
