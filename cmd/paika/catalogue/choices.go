package catalogue

import (
	"slices"

	"paika/bitboard"
	"paika/tablebase/lookup"
)

// SliceNames lists the slices of the board that can be built, those with few pieces
// first: up to the most pieces that tables hold. A board that can't have tables has none.
func (n *instance[P]) SliceNames() []string {
	groups, err := n.game.Groups()
	if err != nil {
		return nil
	}
	most := lookup.MostPieces(n.game, groups)
	var built []bitboard.Slice
	for _, g := range groups {
		for _, s := range g.Slices {
			if n.game.Pieces(s) <= most {
				built = append(built, s)
			}
		}
	}
	slices.SortStableFunc(built, func(a, b bitboard.Slice) int { return n.game.Pieces(a) - n.game.Pieces(b) })
	var names []string
	for _, s := range built {
		names = append(names, n.game.SliceName(s))
	}
	return names
}

// Sides are the words for the sides in claims about a position.
func (n *instance[P]) Sides(position string) ([]string, error) {
	p, s, err := n.parse(position)
	if err != nil {
		return nil, err
	}
	named, _ := n.claiming(p, s)
	return []string{named.game.SideName(0), named.game.SideName(1)}, nil
}

// Claims lists what can be claimed about a position, draws only in games that have some.
func (n *instance[P]) Claims(position string) ([]string, error) {
	p, s, err := n.parse(position)
	if err != nil {
		return nil, err
	}
	named, _ := n.claiming(p, s)
	return named.claimTexts(), nil
}
