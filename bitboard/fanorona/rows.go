package fanorona

import "paika/bitboard/ranking"

// Rows answer for many positions at once.
//
// A row is the positions that differ in one stone, the loose one: they have all stones
// of one side in common, the key, and all but the loose one of the other side, the rest.
// Two words tell of a row, a bit for each place of the loose stone: in which the side to
// move has lost, and in which it has drawn. Where distances are asked for, more words do;
// see depthScale.
//
// A capture that has nothing to do with the loose stone leads from a row to a row. So
// captures are followed, and where they lead is ranked, once for a row and not for each
// of its positions. See rowHunt for those that have to do with it.
//
// A position lies in as many rows as the side of the loose stone has stones, and a
// capture has nothing to do with the loose stone in one of them at least:
//
//   - If the loose stone is one of the side to move, a capture by any other stone.
//     So two rows of a position show all its captures.
//   - If it is one of the opponent's, a capture that leaves it where it is. Then it
//     takes all rows to show all captures, but for those that take every stone. These
//     are found as what they are, wins, in the row where the last one taken is loose.
//
// The rows that captures lead to are read from the table of their slice, all those of a key
// at once, and kept while there is room for them. See rowCache.

// rows is how the rows of one slice are numbered. Keys are taken up to symmetry; rests are
// numbered on the points that the key's representative leaves.
type rows struct {
	keys  *ranking.Classes[uint64]
	rest  int    // stones in a rest
	per   uint64 // rests to a class of keys
	words uint64 // to a row
}

// rowsOf is the rows with so many stones in keys and rests, and so many words to a row.
func (x *index) rowsOf(key, rest int, words uint64) rows {
	return rows{keys: x.sets(key), rest: rest, per: x.ways(x.size-key, rest), words: words}
}

// of is the rows of one class among those of several.
func (r *rows) of(all []uint64, class uint64) []uint64 {
	many := r.words * r.per
	return all[class*many:][:many]
}

// rowWords is what the rows of one class of keys take, with so many words to a row.
func (x *index) rowWords(key, rest int, words uint64) uint64 {
	return ranking.Product(words, x.ways(x.size-key, rest))
}
