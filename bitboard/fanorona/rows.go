package fanorona

import (
	"math/bits"

	"paika/bitboard"
	"paika/bitboard/ranking"
)

// Rows answer for many positions at once.
//
// A row is the positions that differ in one stone, the loose one: they have all stones
// of one side in common, the key, and all but the loose one of the other side, the rest.
// Two words tell of a row, a bit for each place of the loose stone: in which the side to
// move has lost, and in which it has drawn.
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

// rows are the rows of one slice, or those of some classes of keys. Keys are taken up to
// symmetry; rests are numbered on the points that the key's representative leaves.
type rows struct {
	keys  *ranking.Classes[uint64]
	rest  int      // stones in a rest
	per   uint64   // rests to a class of keys
	first uint64   // class that words begin with
	words []uint64 // by class and rest, two to a row: lost, drawn
}

// rowsOf is rows without words.
func (x *index) rowsOf(key, rest int) rows {
	return rows{keys: x.sets(key), rest: rest, per: x.ways(x.size-key, rest)}
}

// rowWords is what the rows of one class of keys take, in words.
func (x *index) rowWords(key, rest int) uint64 { return ranking.Product(2, x.ways(x.size-key, rest)) }

// of is the words of a class.
func (r *rows) of(class uint64) []uint64 { return r.words[2*(class-r.first)*r.per:][:2*r.per] }

// fill sets the rows of a class from the table of their slice. The side to move is that
// of the loose stone, or that of the key.
func (r *rows) fill(g *Game, class uint64, table bitboard.Packed, looseMoves bool) {
	x, words := &g.index, r.of(class)
	clear(words)
	key := r.keys.Representatives[class]
	c := x.walker(r.keys, bits.OnesCount64(key), r.rest+1)
	c.enter(class)
	c.first()
	var ranks [64]uint64
	for more := true; more; more = c.step() {
		v := table.At(g.rankWithKey(&c, key, looseMoves))
		if v == bitboard.Win {
			continue
		}
		c.ranksWithout(&ranks, c.trailing)
		for j := range c.trailing {
			at := 2 * ranks[j&63]
			if v == bitboard.Draw {
				at++
			}
			words[at] |= c.free[c.subset.At(j)&63].points
		}
	}
}

// rankWithKey is the index of the position where the cursor stands: a key that is its
// class's representative, and a trailing set.
func (g *Game) rankWithKey(c *cursor, key uint64, trailingMoves bool) uint64 {
	x, many := &g.index, bits.OnesCount64(key)
	switch {
	case trailingMoves && leads(c.trailing, many):
		return x.rankPosition(Position{c.set(), key}, c.trailing, many)
	case c.frame.fixers != 0:
		return x.rank(&c.frame, c.set())
	}
	return c.frame.base + c.rank
}
