package bitboard

// AllPieces is the limit of GroupsWithin that leaves no group out.
const AllPieces = 0

// Grouped is the part of Space that tells how the slices of a board hang
// together.
type Grouped interface {
	Groups() ([]Group, error)
	Pieces(s Slice) int
}

// GroupsWithin lists, in the game's order, the groups whose slices have at most
// that many pieces. What they need may have more, and no table may hold them: who builds
// asks lookup.GroupsUpTo of package tablebase. It fails where Groups does.
func GroupsWithin(game Grouped, pieces int) ([]Group, error) {
	all, err := game.Groups()
	if err != nil || pieces == AllPieces {
		return all, err
	}
	var within []Group
	for _, g := range all {
		if PiecesOf(game, g) <= pieces {
			within = append(within, g)
		}
	}
	return within, nil
}

// PiecesOf is the most pieces that a position of a group has.
func PiecesOf(game Grouped, g Group) (most int) {
	for _, s := range g.Slices {
		most = max(most, game.Pieces(s))
	}
	return most
}

// Closure picks from all groups, and keeps in order, those that hold the slices
// wanted or that these need, directly or not.
func Closure(all []Group, wanted []Slice) []Group {
	need := make(map[Slice]bool)
	for _, s := range wanted {
		need[s] = true
	}
	var picked []Group
	for i := len(all) - 1; i >= 0; i-- {
		for _, s := range all[i].Slices {
			if need[s] {
				picked = append(picked, all[i])
				for _, below := range all[i].Needs {
					need[below] = true
				}
				break
			}
		}
	}
	for i, j := 0, len(picked)-1; i < j; i, j = i+1, j-1 {
		picked[i], picked[j] = picked[j], picked[i]
	}
	return picked
}
