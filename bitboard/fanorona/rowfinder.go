package fanorona

import (
	"paika/bitboard"
	"paika/bitboard/ranking"
)

// A rowFinder finds, for the rows of a slice, in which places of the loose stone a
// capture wins and in which one draws. Keys are the leading sets, and the loose stone is
// one of the trailing set.
type rowFinder struct {
	game     *Game
	own, opp int
	ownLeads bool
	below    [64]rows // that captures lead to, by the number of stones that they leave
	found    rows     // those of a few classes; for lost read won
}

const (
	// roomOfRows is what the rows found may take, in words, where those of one class
	// do not take more.
	roomOfRows = 1 << 22

	// rowsPerPart is how many rows are found in one piece of work.
	rowsPerPart = 1 << 12

	// leastPlaces is how many places of the loose stone make a row pay, for each stone
	// of its side.
	leastPlaces = 2
)

// SettleRoom is 0 where rows do not pay: on boards that are rather full.
func (g *Game) SettleRoom(s bitboard.Slice) (words uint64) {
	own, opp := counts(s)
	x, f := &g.index, rowFinder{own: own, opp: opp, ownLeads: leads(own, opp)}
	key, rest := f.shape(opp)
	if places := x.size - key - rest; opp == 1 || places < leastPlaces*(rest+1) {
		return 0
	}
	class := x.rowWords(key, rest)
	words = max(class, min(ranking.Product(x.classes[key], class), roomOfRows))
	for left := 1; left < opp; left++ {
		key, rest := f.shape(left)
		words = ranking.Sum(words, ranking.Product(x.classes[key], x.rowWords(key, rest)))
	}
	return words
}

// shape is the number of stones in keys and rests where the opponent has so many.
func (f *rowFinder) shape(opp int) (key, rest int) {
	if f.ownLeads {
		return f.own, opp - 1
	}
	return opp, f.own - 1
}

// fill makes the rows that captures lead to, and keeps the rest of the room.
func (f *rowFinder) fill(known *[bitboard.MaxSlices]bitboard.Packed, room []uint64, run bitboard.Run) error {
	x := &f.game.index
	for left := 1; left < f.opp; left++ {
		r := &f.below[left]
		*r = x.rowsOf(f.shape(left))
		classes := uint64(len(r.keys.Representatives))
		r.words, room = room[:2*classes*r.per], room[2*classes*r.per:]
		table := known[slice(left, f.own)]
		if err := run(classes, func(class uint64) { r.fill(f.game, class, table, f.ownLeads) }); err != nil {
			return err
		}
	}
	f.found = x.rowsOf(f.shape(f.opp))
	f.found.words = room
	return nil
}

// find finds the rows of as many classes as there is room for, and tells the class after
// them.
func (f *rowFinder) find(class uint64, run bitboard.Run) (next uint64, err error) {
	r := &f.found
	r.first = class
	next = min(uint64(len(r.keys.Representatives)), class+uint64(len(r.words))/(2*r.per))
	lo, hi := class*r.per, next*r.per
	return next, run((hi-lo+rowsPerPart-1)/rowsPerPart, func(part uint64) {
		from := lo + part*rowsPerPart
		f.findPart(from, min(from+rowsPerPart, hi))
	})
}

// findPart finds the rows numbered from lo on and below hi.
func (f *rowFinder) findPart(lo, hi uint64) {
	r, h := &f.found, rowHunt{finder: f, game: f.game}
	key, _ := f.shape(f.opp)
	c := f.game.index.walker(r.keys, key, r.rest)
	c.seek(lo)
	for words := r.words[2*(lo-r.first*r.per):]; ; c.next() {
		p := c.position(f.ownLeads)
		words[0], words[1] = h.row(p.Own, p.Opp)
		if lo++; lo == hi {
			return
		}
		words = words[2:]
	}
}

// nearRows are the rows of the position where a cursor stands. As the lowest stone of
// the trailing set goes on, so do the rows in which another stone is the loose one.
type nearRows struct {
	finder *rowFinder
	upper  uint64 // the trailing set without its lowest stone
	many   int    // rows that are looked at
	words  [64][]uint64
	loose  [64]uint64 // the loose stone of each, but the lowest
}

// leave forgets the rows of a class.
func (n *nearRows) leave() { n.upper = nowhere }

// enter takes up the rows of the cursor's position, and those near.
func (n *nearRows) enter(c *cursor) {
	n.upper = c.upper[1].points
	n.many = c.trailing
	if !n.finder.ownLeads {
		n.many = 2 // the side to move has the loose stone
	}
	var ranks [64]uint64
	c.ranksWithout(&ranks, n.many)
	words, lowest := n.finder.found.of(c.class), uint64(c.subset.At(0))
	n.words[0] = words[2*ranks[0]:]
	for j := 1; j < n.many; j++ {
		n.words[j&63] = words[2*(ranks[j&63]-lowest):]
		n.loose[j&63] = c.free[c.subset.At(j)&63].points
	}
}

// value is that of the cursor's position, which has a capture.
func (n *nearRows) value(c *cursor) bitboard.Value {
	if n.upper != c.upper[1].points {
		n.enter(c)
	}
	lowest := c.subset.At(0)
	loose := c.free[lowest&63].points
	won, drawn := n.words[0][0]&loose, n.words[0][1]&loose
	for j := 1; j < n.many; j++ {
		words, loose := n.words[j&63][2*lowest:], n.loose[j&63]
		won |= words[0] & loose
		drawn |= words[1] & loose
	}
	switch {
	case won != 0:
		return bitboard.Win
	case drawn != 0:
		return bitboard.Settled
	}
	return bitboard.Loss
}
