package fanorona

import (
	"math/bits"

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
	known    *[bitboard.MaxSlices]bitboard.Packed  // or nil
	depths   *[bitboard.MaxSlices][]bitboard.Depth // where distances are asked for
	scale    depthScale                            // of these
	words    uint64                                // to a row

	below   [64]rowCache // that captures lead to, by the number of stones that they leave
	keys    []rowKey     // of one leading set
	missing []missingRows
	found   foundRows
}

// foundRows are the rows of some leading sets, one class after the other.
type foundRows struct {
	rows
	most  uint64   // classes that there is room for
	first uint64   // class that room begins with
	room  []uint64 // by class and rest; for wdl two words to a row: won, drawn
}

// A rowKey is a class of keys, where captures leave so many stones.
type rowKey struct {
	left  int
	class uint64
}

// missingRows are to be read into a slot.
type missingRows struct {
	left int
	slot uint64
}

const (
	// roomOfRows is what the rows found may take, in words, where those of one class
	// do not take more.
	roomOfRows = 1 << 19

	// foundShare is one in so many words of the room, for the rows found where room is
	// short.
	foundShare = 16

	// rowsPerPart is how many rows are found in one piece of work.
	rowsPerPart = 1 << 12

	// wdlWords is how many words a row has where only who wins is asked for.
	wdlWords = 2

	// leastPlaces is how many places of the loose stone make a row pay, for each stone
	// of its side.
	leastPlaces = 2
)

// SettleRoom is 0 where rows do not pay: on boards that are rather full. The least room is
// for the rows that one leading set needs, the most for all.
func (g *Game) SettleRoom(s bitboard.Slice) (least, most uint64) {
	return g.newRowFinder(s, wdlWords).bounds()
}

func (g *Game) newRowFinder(s bitboard.Slice, words uint64) *rowFinder {
	own, opp := counts(s)
	return &rowFinder{game: g, own: own, opp: opp, ownLeads: leads(own, opp), words: words}
}

// bounds is the room that rows need, and the most that they have use for, in words.
func (f *rowFinder) bounds() (least, most uint64) {
	key, rest := f.shape(f.opp)
	if places := f.game.index.size - key - rest; f.opp == 1 || places < leastPlaces*(rest+1) {
		return 0, 0
	}
	return f.take(f.least()), f.take(f.most())
}

// A rowPlan says how many classes rows are kept of.
type rowPlan struct {
	found uint64     // of leading sets
	slots [64]uint64 // of keys, by the number of stones that captures leave
}

// least is the plan for one leading set at a time.
func (f *rowFinder) least() (p rowPlan) {
	p.found = 1
	for left := 1; left < f.opp; left++ {
		p.slots[left] = f.needs(left)
	}
	return p
}

// most is the plan for all keys, and as many leading sets as pay.
func (f *rowFinder) most() (p rowPlan) {
	x := &f.game.index
	key, rest := f.shape(f.opp)
	p.found = max(1, min(x.classes[key], roomOfRows/x.rowWords(key, rest, f.words)))
	for left := 1; left < f.opp; left++ {
		key, _ := f.shape(left)
		p.slots[left] = x.classes[key]
	}
	return p
}

// take is what a plan takes, in words.
func (f *rowFinder) take(p rowPlan) uint64 {
	x := &f.game.index
	key, rest := f.shape(f.opp)
	words := ranking.Product(p.found, x.rowWords(key, rest, f.words))
	for left := 1; left < f.opp; left++ {
		key, rest := f.shape(left)
		slot, class := x.cacheWords(key, rest, f.words)
		words = ranking.Sum(words, ranking.Sum(ranking.Product(p.slots[left], slot), ranking.Product(x.classes[key], class)))
	}
	return words
}

// plan is the plan for so much room: for leading sets a part of it, where that does. Then
// keys get it, those first that leave fewest stones: they are needed most often for what
// their rows take.
func (f *rowFinder) plan(words uint64) rowPlan {
	least, most := f.least(), f.most()
	if words >= f.take(most) {
		return most
	}
	x := &f.game.index
	key, rest := f.shape(f.opp)
	p, one := least, x.rowWords(key, rest, f.words)
	p.found += min(most.found-1, (words-f.take(least))/(foundShare*one))
	words -= f.take(p)
	for left := 1; left < f.opp; left++ {
		key, rest := f.shape(left)
		slot, _ := x.cacheWords(key, rest, f.words)
		more := min(most.slots[left]-least.slots[left], words/slot)
		p.slots[left] += more
		words -= more * slot
	}
	return p
}

// shape is the number of stones in keys and rests where the opponent has so many.
func (f *rowFinder) shape(opp int) (key, rest int) {
	if f.ownLeads {
		return f.own, opp - 1
	}
	return opp, f.own - 1
}

// needs is how many classes of keys captures from one leading set come to, at the most,
// that leave so many stones. A stone that steps n times is no more than n points away.
func (f *rowFinder) needs(left int) uint64 {
	x := &f.game.index
	key, _ := f.shape(left)
	if !f.ownLeads {
		return min(x.classes[key], x.ways(f.opp, left))
	}
	across := 2*(f.opp-left) + 1
	return min(x.classes[key], uint64(f.own*min(x.size-f.own, across*across-1)))
}

// open divides the room.
func (f *rowFinder) open(room []uint64) { f.divide(room, f.plan(uint64(len(room)))) }

// divide divides the room by a plan.
func (f *rowFinder) divide(room []uint64, p rowPlan) {
	x := &f.game.index
	for left := 1; left < f.opp; left++ {
		key, rest := f.shape(left)
		f.below[left], room = newRowCache(x.rowsOf(key, rest, f.words), f.needs(left), p.slots[left], room)
	}
	key, rest := f.shape(f.opp)
	f.found.rows, f.found.most = x.rowsOf(key, rest, f.words), p.found
	f.found.room = room[:p.found*f.words*f.found.per]
}

// find finds the rows of as many classes as there is room for, and tells the class after
// them.
func (f *rowFinder) find(class uint64, run bitboard.Run) (next uint64, err error) {
	next = f.gather(class)
	err = run(uint64(len(f.missing)), func(part uint64) { f.read(f.missing[part]) })
	if err != nil {
		return 0, err
	}
	r := &f.found
	r.first = class
	lo, hi := class*r.per, next*r.per
	return next, run((hi-lo+rowsPerPart-1)/rowsPerPart, func(part uint64) {
		from := lo + part*rowsPerPart
		f.findPart(from, min(from+rowsPerPart, hi))
	})
}

// gather takes up a portion of leading sets, and tells the class after it: lists the
// rows that they need and that are missing.
func (f *rowFinder) gather(class uint64) (next uint64) {
	f.missing = f.missing[:0]
	end := min(f.leading(), class+f.found.most)
	if f.complete() {
		return end
	}
	for next = class; next < end && f.admits(class, next); next++ {
		for _, k := range f.keysOf(next, 0) {
			if slot, missing := f.below[k.left&63].need(k.class); missing {
				f.missing = append(f.missing, missingRows{k.left, slot})
			}
		}
	}
	return next
}

// leading is how many leading sets there are.
func (f *rowFinder) leading() uint64 { return uint64(len(f.found.keys.Representatives)) }

// complete tells whether all rows are there.
func (f *rowFinder) complete() bool {
	for left := 1; left < f.opp; left++ {
		if !f.below[left].complete() {
			return false
		}
	}
	return true
}

// admits tells whether a portion that begins with a class can have another one. The first one
// it can always have: there are slots for all that one class needs.
func (f *rowFinder) admits(first, class uint64) bool {
	for left := 1; left < f.opp; left++ {
		if c := &f.below[left]; !c.ready(class) {
			f.survey(left, first)
			if class != first && !c.ready(class) {
				return false
			}
		}
	}
	return true
}

// survey finds what classes from one on need of the rows where so many stones are left.
func (f *rowFinder) survey(left int, class uint64) {
	c := &f.below[left]
	c.begin(class)
	for ; c.far < f.leading() && (c.far == class || !c.done()); c.far++ {
		for _, k := range f.keysOf(c.far, left) {
			c.find(k.class)
		}
	}
}

// keysOf lists the keys that captures of a class of leading sets lead to, some more than once:
// those where so many stones are left, or all if that is 0. Those of caches that are complete
// are left out. The list holds until the next one.
func (f *rowFinder) keysOf(class uint64, left int) []rowKey {
	f.keys = f.keys[:0]
	lead := f.found.keys.Representatives[class]
	if f.ownLeads {
		f.listSteps(lead, left)
	} else {
		f.listSubsets(lead, left)
	}
	return f.keys
}

// listSubsets lists the keys that captures leave of a leading set.
func (f *rowFinder) listSubsets(lead uint64, only int) {
	for set := (lead - 1) & lead; set != 0; set = (set - 1) & lead {
		if left := bits.OnesCount64(set); only == 0 || left == only {
			f.list(left, set)
		}
	}
}

// listSteps lists the keys that a leading set becomes by captures. Each step of a capture
// takes a stone at least.
func (f *rowFinder) listSteps(lead uint64, only int) {
	for stones := lead; stones != 0; stones &= stones - 1 {
		from := stones & -stones
		for left, reached := f.opp-1, from; left >= max(1, only); left-- {
			reached |= f.game.capturedFrom(f.game.points&^lead, reached) &^ lead
			if only != 0 && left != only {
				continue
			}
			for points := reached &^ from; points != 0; points &= points - 1 {
				f.list(left, lead^from|points&-points)
			}
		}
	}
}

// list lists a key.
func (f *rowFinder) list(left int, key uint64) {
	c := &f.below[left&63]
	if c.complete() {
		return
	}
	x := &f.game.index
	f.keys = append(f.keys, rowKey{left, uint64(c.rows.keys.Entries[0][x.rankSet(key, x.points)] >> 3)})
}

// read reads missing rows.
func (f *rowFinder) read(m missingRows) {
	c := &f.below[m.left]
	class := c.classes[m.slot]
	reader := f.newRowReader(&c.rows, class, slice(m.left, f.own))
	reader.read(c.of(c.room, m.slot), &c.rows, class)
}

// findPart finds the rows numbered from lo on and below hi.
func (f *rowFinder) findPart(lo, hi uint64) {
	r, h := &f.found, rowHunt{finder: f, game: f.game, kept: make([][64]keptFrame, f.opp)}
	key, _ := f.shape(f.opp)
	c := f.game.index.walker(r.keys, key, r.rest)
	c.seek(lo)
	for words := r.room[r.words*(lo-r.first*r.per):]; ; c.next() {
		p := c.position(f.ownLeads)
		h.row(words[:r.words], p.Own, p.Opp)
		if lo++; lo == hi {
			return
		}
		words = words[r.words:]
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
	found := &n.finder.found
	words, lowest := found.of(found.room, c.class-found.first), uint64(c.subset.At(0))
	n.words[0] = words[found.words*ranks[0]:]
	for j := 1; j < n.many; j++ {
		n.words[j&63] = words[found.words*(ranks[j&63]-lowest):]
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
		words, loose := n.words[j&63][wdlWords*lowest:], n.loose[j&63]
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
