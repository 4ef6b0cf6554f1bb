// Package placement numbers the positions of games in which pieces stand on
// points: each kind of piece on a region of the board, so many of it at least and
// at most, with the symmetries of the board taken out. A game embeds a [Space]
// and has the index that tables need (bitboard.Space):
//
//	space, err := placement.New(placement.Config[Position]{
//		Kinds:      []placement.Kind{{Region: own, Fewest: 1, Most: 10}, {Region: theirs, Fewest: 1, Most: 10}},
//		Symmetries: [][]int{mirror},
//		After:      func(c placement.Counts) []placement.Counts { ... },
//		Sets:       func(p Position) placement.Sets { return placement.Sets{p.Own, p.Opp} },
//		Position:   func(s placement.Sets) Position { return Position{s[0], s[1]} },
//	})
//
// # Slices
//
// A slice is the positions with the same number of pieces of each kind, "3v2". The
// game tells which slices its turns lead to; slices between which play can go back
// and forth are then a group, and groups stand behind those that they lead to.
//
// # The numbering
//
// Regions overlap in part: a pawn never stands on the rank behind it, and that
// rank is another one for either side. Points that the same kinds may stand on
// form a zone. A block is the positions of a slice with the same number of each
// kind in each zone: there, a kind's pieces in a zone are a set of so many of the
// points that others leave free, of which there are always as many. The index is
// the block's first one plus a number with a digit for each of these sets, and
// stands for a position each.
//
// One of the sets, the leading one, has no digit of its own. Symmetries sort the
// leading sets in classes, and the number of its class is the first digit; the
// position is moved as takes the leading set to the first of its class. Where
// symmetries leave that one as it is, several movements lead there: the least
// number counts, and the others are gaps. The leading set is the one with the most
// classes, so that gaps are few.
//
// # Limits
//
// Boards have at most 64 points. A game's own index can be faster: it can know
// what a turn leaves in place.
package placement
