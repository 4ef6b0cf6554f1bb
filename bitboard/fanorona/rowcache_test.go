package fanorona

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"paika/bitboard"
)

// dryFinder finds no rows: they have no words. It has the slots that a share of all room
// allows.
func dryFinder(g *Game, s bitboard.Slice, share float64) *rowFinder {
	f := g.newRowFinder(s, wdlWords)
	least, most := f.bounds()
	p := f.plan(max(least, uint64(share*float64(most))))
	dry := g.newRowFinder(s, 0)
	dry.divide(make([]uint64, dry.take(p)), p)
	return dry
}

// Every leading set of a portion has all that it needs in slots of their own, once what is
// missing has been read: with few slots and many, and when a settler starts anywhere.
func TestPortionsHaveTheirRows(t *testing.T) {
	random, again := rand.New(rand.NewPCG(7, 8)), 0
	for _, size := range [][2]int{{5, 3}, {5, 5}, {7, 5}} {
		g := testGame(t, size[0], size[1])
		for _, s := range []bitboard.Slice{slice(2, 2), slice(4, 2), slice(2, 4), slice(3, 3), slice(4, 3), slice(3, 4)} {
			if _, most := g.SettleRoom(s); most == 0 {
				continue
			}
			for _, share := range []float64{0, 0.1, 0.3, 0.6, 0.9, 1} {
				f := dryFinder(g, s, share)
				var read [64][]uint64 // what slots have, by the number of stones left
				for left := 1; left < f.opp; left++ {
					read[left] = make([]uint64, len(f.below[left].classes))
					for slot := range read[left] {
						read[left][slot] = nowhere
					}
				}
				for class, jumps := uint64(0), 0; class < f.leading(); {
					next := f.gather(class)
					if next <= class {
						t.Fatalf("%v %v, %v of the room: the portion from %d on is empty", g.board, s, share, class)
					}
					for _, m := range f.missing {
						read[m.left][m.slot] = f.below[m.left].classes[m.slot]
					}
					for _, lead := range f.found.keys.Representatives[class:next] {
						for _, k := range naiveKeys(f, lead) {
							c := &f.below[k.left]
							if slot := c.slots[k.class] - 1; slot >= uint64(len(c.classes)) || read[k.left][slot] != k.class {
								t.Fatalf("%v %v, %v of the room: class %d has no rows of %d where %d are left", g.board, s, share, class, k.class, k.left)
							}
						}
					}
					class = next
					if jumps < 3 && random.IntN(20) == 0 {
						class = random.Uint64N(f.leading())
						jumps++
						again++
					}
				}
			}
		}
	}
	if again < 20 {
		t.Errorf("%d jumps", again)
	}
}

// naiveKeys are the keys that captures of a leading set lead to, found by asking all ways in
// which it can change.
func naiveKeys(f *rowFinder, lead uint64) (keys []rowKey) {
	add := func(left int, key uint64) {
		c := &f.below[left]
		keys = append(keys, rowKey{left, uint64(c.rows.keys.Entries[0][f.game.index.rankSet(key, f.game.points)] >> 3)})
	}
	points := pointsOf(lead)
	if !f.ownLeads {
		for some := 1; some < 1<<len(points)-1; some++ {
			set := uint64(0)
			for i, p := range points {
				set |= uint64(some>>i&1) << p
			}
			add(len(pointsOf(set)), set)
		}
		return keys
	}
	for _, from := range points {
		reached := map[int]bool{from: true}
		for left := f.opp - 1; left >= 1; left-- {
			for _, at := range slices.Collect(maps.Keys(reached)) {
				for _, to := range pointsOf(f.game.capturedFrom(f.game.points&^lead, 1<<at) &^ lead) {
					reached[to] = true
				}
			}
			for to := range reached {
				if to != from {
					add(left, lead&^(1<<from)|1<<to)
				}
			}
		}
	}
	return keys
}

// Rows are read again hardly more often than they must be: than by someone who knows all that
// is to come, and lets those make way that are needed again last.
func TestRowsAreReadAgainSeldom(t *testing.T) {
	g := testGame(t, 9, 5)
	for _, c := range []struct {
		s     bitboard.Slice
		share float64
		most  float64 // times the least number of reads
	}{
		{slice(4, 3), 0.2, 1.25}, {slice(4, 3), 0.5, 1.25},
		{slice(3, 4), 0.2, 1.25}, {slice(3, 4), 0.5, 1.25},
	} {
		f := dryFinder(g, c.s, c.share)
		var reads [64]int
		for class := uint64(0); class < f.leading(); {
			class = f.gather(class)
			for _, m := range f.missing {
				reads[m.left]++
			}
		}
		last := f.opp - 1
		for left := 1; left < last; left++ {
			if classes := len(f.below[left].slots); len(f.below[left].classes) < classes {
				t.Errorf("%s, %v of the room: %d of %d classes have slots where %d stones are left", g.SliceName(c.s), c.share, len(f.below[left].classes), classes, left)
			} else if reads[left] > classes {
				t.Errorf("%s, %v of the room: %d reads of %d classes where %d stones are left", g.SliceName(c.s), c.share, reads[left], classes, left)
			}
		}
		least := leastReads(f, last)
		t.Logf("%s, %v of the room: %d reads of %d classes, %d at least", g.SliceName(c.s), c.share, reads[last], len(f.below[last].slots), least)
		if times := float64(reads[last]) / float64(least); times < 1 || times > c.most {
			t.Errorf("%s, %v of the room: %.2f times as many reads as must be", g.SliceName(c.s), c.share, times)
		}
	}
}

// leastReads is how often rows must be read where so many stones are left: Belady's count.
func leastReads(f *rowFinder, left int) (reads int) {
	c := &f.below[left]
	uses := make([][]int, len(c.slots)) // by class, the leading sets that need it, the last first
	for i, lead := range slices.Backward(f.found.keys.Representatives) {
		for _, k := range naiveKeys(f, lead) {
			if k.left == left && (len(uses[k.class]) == 0 || uses[k.class][len(uses[k.class])-1] != i) {
				uses[k.class] = append(uses[k.class], i)
			}
		}
	}
	next := func(class uint64) int { // leading set that needs it next
		if u := uses[class]; len(u) > 0 {
			return u[len(u)-1]
		}
		return math.MaxInt
	}
	kept := make(map[uint64]bool)
	for i, lead := range f.found.keys.Representatives {
		for _, k := range naiveKeys(f, lead) {
			if k.left != left || next(k.class) != i {
				continue // of other rows, or seen
			}
			uses[k.class] = uses[k.class][:len(uses[k.class])-1]
			if kept[k.class] {
				continue
			}
			reads++
			if len(kept) == len(c.classes) {
				latest, at := uint64(0), -1
				for class := range kept {
					if n := next(class); n > at {
						latest, at = class, n
					}
				}
				delete(kept, latest)
			}
			kept[k.class] = true
		}
	}
	return reads
}
