package catalogue

import (
	"slices"

	"paika/bitboard"
)

// SliceNames lists the slices of the board that a table can be made of, those with
// few pieces first. A board that can't have tables has none.
func (n *instance[P]) SliceNames() []string {
	groups, err := n.game.Groups()
	if err != nil {
		return nil
	}
	var all []bitboard.Slice
	for _, g := range groups {
		all = append(all, g.Slices...)
	}
	slices.SortStableFunc(all, func(a, b bitboard.Slice) int { return n.game.Pieces(a) - n.game.Pieces(b) })
	var names []string
	for _, s := range all {
		if n.game.Indices(s) < bitboard.MaxIndices {
			names = append(names, n.game.SliceName(s))
		}
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
