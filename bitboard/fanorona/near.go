package fanorona

import "paika/bitboard"

// Where both sides have as many stones, paikas lead to positions that the set which did not move
// leads: all those of one such set lead to the same class of indices. In the order of indices
// each position's lead to another one, and in a large slice that is a miss for every turn. Here
// quiet positions are gone to class by class, for builds and for the verifier.

// NearParts is the number of classes of sets that do not move, where both sides have as many
// stones, and else 0.
func (g *Game) NearParts(s bitboard.Slice) uint64 {
	own, opp := counts(s)
	if own != opp {
		return 0
	}
	return g.index.classes[own]
}

// WalkNear goes to the quiet positions in which a class of sets does not move. It is a walk
// over a class of leading sets with the other side to move.
func (g *Game) WalkNear(s bitboard.Slice, class uint64, yield func(uint64, Position, int)) {
	w := g.nearWalk(s, class)
	for w.next() {
		for i, set := range w.sets {
			yield(w.indices[i], Position{set, w.still}, w.weights[i])
		}
	}
}

// JudgeNear judges the open positions that WalkNear yields.
func (g *Game) JudgeNear(indices []uint64, dst []bitboard.Value, s bitboard.Slice, class uint64, known *[bitboard.MaxSlices]bitboard.Packed, enough bitboard.Values) ([]uint64, []bitboard.Value) {
	j := judge{game: g, slice: s, table: known[s], enough: enough}
	var p passing
	w := g.nearWalk(s, class)
	for w.next() {
		w.values = w.values[:0]
		for _, i := range w.indices {
			w.values = append(w.values, j.table.Load(i))
		}
		for i, v := range w.values {
			if v == bitboard.Draw {
				indices = append(indices, w.indices[i])
				dst = append(dst, j.passes(&p, &w.cursor.frame, w.sets[i]))
			}
		}
	}
	return indices, dst
}

// nearWalk is a walk over the quiet positions in which a class of sets does not move, some at a
// time.
type nearWalk struct {
	cursor cursor // over leading sets that do not move
	still  uint64
	images [8]uint64 // of the set that does not move, by symmetry
	ended  bool

	sets    []uint64 // that move
	indices []uint64 // of the positions
	weights []int
	values  []bitboard.Value // of these, for who asks
}

// nearBatch is how many positions are enough at a time. Their indices lie far apart, and are
// looked up one right after the other, so that the processor waits for all of them at once.
const nearBatch = 128

func (g *Game) nearWalk(s bitboard.Slice, class uint64) *nearWalk {
	own, opp := counts(s)
	w := &nearWalk{cursor: g.cursor(own, opp)}
	c := &w.cursor
	c.enter(class)
	g.markTargets(c, false)
	w.still = c.leading.Representatives[class]
	for symmetry := range g.index.spreads {
		w.images[symmetry&7] = g.index.apply(symmetry, w.still)
	}
	c.seek(c.frame.base)
	return w
}

// next finds the next positions. It tells false where there are none any more.
func (w *nearWalk) next() bool {
	w.sets, w.indices, w.weights = w.sets[:0], w.indices[:0], w.weights[:0]
	c := &w.cursor
	x := c.index
	for len(w.sets) < nearBatch && !w.ended {
		many, lowest := uint64(c.stretch()), c.subset.At(0)&63
		for places := c.quietAmong(^uint64(0) >> (64 - many) << lowest); places != 0; places &= places - 1 {
			set := c.setWith(places)
			if weight := x.weight(&c.frame, set); weight != 0 {
				f := x.frame(set, c.trailing, c.trailing)
				w.sets = append(w.sets, set)
				w.indices = append(w.indices, x.rank(&f, w.images[f.symmetry&7]))
				w.weights = append(w.weights, weight)
			}
		}
		if w.ended = c.rank+many == c.per; !w.ended {
			c.skip(many)
		}
	}
	return len(w.sets) > 0
}
