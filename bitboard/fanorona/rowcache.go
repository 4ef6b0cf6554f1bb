package fanorona

import "paika/bitboard/ranking"

// A rowCache keeps rows of one slice that captures lead to, for as many classes of keys as
// it has slots. Where these are fewer than classes, rows make way, and are read again when
// they are needed.
//
// Leading sets are taken up in order, and which classes each needs can be told beforehand. So
// a survey looks ahead, to where all slots but a few have been found to be needed. Those few
// may be emptied: what is in them is not needed for longest. When they have been, there is
// another survey.
type rowCache struct {
	rows
	most uint64 // classes that one leading set needs, at the most
	room []uint64

	slots   []uint64 // by class, one more than the slot that its rows are in, or 0
	classes []uint64 // by slot, the class whose rows are there
	needed  []uint64 // by slot, the last survey that found it needed

	used   uint64 // slots that have rows
	survey uint64 // number of the last one
	from   uint64 // leading set that it began with
	far    uint64 // leading set that it came to: what those from there on need may be emptied
	spare  uint64 // slots that have no rows, or may be emptied
	next   uint64 // slot from which on these are
}

// spareShare is one in so many slots that a survey leaves to be emptied.
const spareShare = 16

// cacheWords is what a rowCache takes for each class that it keeps, and for each class that
// there is, in words.
func (x *index) cacheWords(key, rest int, words uint64) (slot, class uint64) {
	return ranking.Sum(x.rowWords(key, rest, words), 2), 1
}

// newRowCache has so many slots. It takes them from room, and tells what is left of that.
func newRowCache(r rows, most, slots uint64, room []uint64) (rowCache, []uint64) {
	c := rowCache{rows: r, most: most, far: nowhere, spare: slots}
	take := func(words uint64) (taken []uint64) {
		taken, room = room[:words:words], room[words:]
		return taken
	}
	c.room = take(slots * c.words * c.per)
	c.slots = take(uint64(len(c.keys.Representatives)))
	c.classes, c.needed = take(slots), take(slots)
	return c, room
}

// complete tells whether it has all rows.
func (c *rowCache) complete() bool { return c.used == uint64(len(c.slots)) }

// ready tells whether a leading set can have slots for all that it needs.
func (c *rowCache) ready(leading uint64) bool {
	return c.from <= leading && leading < c.far && c.spare >= c.most
}

// begin begins a survey with a leading set.
func (c *rowCache) begin(leading uint64) {
	c.survey++
	c.from, c.far = leading, leading
	c.spare, c.next = uint64(len(c.classes)), 0
}

// find takes in that a class is needed.
func (c *rowCache) find(class uint64) {
	if slot := c.slots[class] - 1; slot != ^uint64(0) && c.needed[slot] != c.survey {
		c.needed[slot] = c.survey
		c.spare--
	}
}

// done tells whether a survey has found enough.
func (c *rowCache) done() bool {
	return c.spare <= uint64(len(c.classes))/spareShare+2*c.most
}

// need lets a class have a slot, one of those to spare if it has none. It tells the slot,
// and whether the rows of the class are still to be read.
func (c *rowCache) need(class uint64) (slot uint64, missing bool) {
	slot = c.slots[class] - 1
	if missing = slot == ^uint64(0); missing {
		slot = c.free()
		c.slots[class], c.classes[slot] = slot+1, class
	}
	return slot, missing
}

// free finds a slot to spare, and empties it.
func (c *rowCache) free() (slot uint64) {
	c.spare--
	if c.used < uint64(len(c.classes)) {
		c.used++
		return c.used - 1
	}
	for c.needed[c.next] == c.survey {
		c.next++
	}
	slot = c.next
	c.next++
	c.slots[c.classes[slot]] = 0
	return slot
}
