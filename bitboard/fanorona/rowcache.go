package fanorona

import "paika/bitboard/ranking"

// A rowCache keeps rows of one slice that captures lead to, for as many classes of keys as
// it has slots. Where these are fewer than classes, rows that have been there for longest
// make way, and are read again when they are needed.
//
// Leading sets are taken up in portions. Before one is, all classes of keys that captures
// of its positions can come to get slots; while it is in hand, rows do not change.
type rowCache struct {
	rows
	most uint64 // classes that one leading set needs, at the most
	room []uint64

	slots   []uint64 // by class, one more than the slot that its rows are in, or 0
	classes []uint64 // by slot, the class whose rows are there
	needed  []uint64 // by slot, the last portion that needs it

	portion uint64 // that is being taken up
	taken   uint64 // slots that it needs
	used    uint64 // slots that have rows
	oldest  uint64 // slot to be given away next, where all have rows
}

// cacheWords is what a rowCache takes for each class that it keeps, and for each class that
// there is, in words.
func (x *index) cacheWords(key, rest int, words uint64) (slot, class uint64) {
	return ranking.Sum(x.rowWords(key, rest, words), 2), 1
}

// newRowCache has so many slots. It takes them from room, and tells what is left of that.
func newRowCache(r rows, most, slots uint64, room []uint64) (rowCache, []uint64) {
	c := rowCache{rows: r, most: most}
	take := func(words uint64) (taken []uint64) {
		taken, room = room[:words:words], room[words:]
		return taken
	}
	c.room = take(slots * c.words * c.per)
	c.slots = take(uint64(len(c.keys.Representatives)))
	c.classes, c.needed = take(slots), take(slots)
	return c, room
}

// begin begins a portion.
func (c *rowCache) begin() { c.portion, c.taken = c.portion+1, 0 }

// complete tells whether it has all rows.
func (c *rowCache) complete() bool { return c.used == uint64(len(c.slots)) }

// fits tells whether slots do for another leading set in the portion.
func (c *rowCache) fits() bool {
	return uint64(len(c.classes)) == uint64(len(c.slots)) || c.taken+c.most <= uint64(len(c.classes))
}

// need lets a class have a slot while the portion is in hand. It tells the slot, and whether
// the rows of the class are still to be read.
func (c *rowCache) need(class uint64) (slot uint64, missing bool) {
	slot = c.slots[class] - 1
	if missing = slot == ^uint64(0); missing {
		slot = c.free()
		c.slots[class], c.classes[slot] = slot+1, class
	}
	if c.needed[slot] != c.portion {
		c.needed[slot] = c.portion
		c.taken++
	}
	return slot, missing
}

// free finds a slot that the portion does not need, and empties it.
func (c *rowCache) free() (slot uint64) {
	many := uint64(len(c.classes))
	if c.used < many {
		c.used++
		return c.used - 1
	}
	for c.needed[c.oldest] == c.portion {
		c.oldest = (c.oldest + 1) % many
	}
	slot = c.oldest
	c.oldest = (slot + 1) % many
	c.slots[c.classes[slot]] = 0
	return slot
}
