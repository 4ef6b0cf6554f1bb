package fanorona

import (
	"math/bits"

	"paika/bitboard"
	"paika/bitboard/ranking"
)

// A rowReader reads the rows of one class of keys from the table of their slice. Positions
// that differ in the lowest stone beside the key are taken together: that is one row, and
// one after the other in each of the rows that have another loose stone.
type rowReader struct {
	index *index
	table bitboard.Packed
	key   uint64 // the representative
	many  int    // its stones
	rest  int
	frame frame // of positions that the key leads
	sets  *ranking.Classes[uint64]

	// Where the other stones lead, sets are theirs, and the key follows them.
	leads  bool
	images [8]uint64 // of the key, by symmetry
}

// lostWords and drawnWords tell, by value, whether it is a loss or a draw, in all bits.
var (
	lostWords  = [4]uint64{bitboard.Loss: ^uint64(0)}
	drawnWords = [4]uint64{bitboard.Draw: ^uint64(0)}
)

// newRowReader is for a class of keys. The side to move has the loose stone, or the key.
func (x *index) newRowReader(r *rows, class uint64, table bitboard.Packed, looseMoves bool) *rowReader {
	key := r.keys.Representatives[class]
	many, others := bits.OnesCount64(key), r.rest+1
	d := &rowReader{index: x, table: table, key: key, many: many, rest: r.rest, leads: looseMoves && leads(others, many)}
	d.frame = frame{base: class * x.ways(x.size-many, others), free: x.points &^ key, fixers: r.keys.Fixers[class]}
	if d.leads {
		d.sets = x.sets(others)
		for symmetry := range x.spreads {
			d.images[symmetry&7] = x.apply(symmetry, key)
		}
	}
	return d
}

// read sets the rows, by rest, two words to a row: lost, drawn.
func (d *rowReader) read(words []uint64, r *rows, class uint64) {
	clear(words)
	c := d.index.walker(r.keys, d.many, d.rest)
	c.enter(class)
	c.first()
	var seen [2 * 64]uint64
	first := uint64(0) // rank of the first position with the rest in hand
	for more := true; more; more = c.step() {
		lowest := c.subset.At(0)
		if lowest == 0 {
			continue
		}
		values := seen[:2*lowest]
		d.look(values, &c, first)
		first += uint64(lowest)
		row := words[2*c.rank:][:2]
		for k := 0; k < len(values); k += 2 {
			point := c.free[k/2&63].points
			row[0] |= values[k] & point
			row[1] |= values[k+1] & point
		}
		d.spread(words, &c, values)
	}
}

// spread enters values in the rows in which a stone of the cursor's rest is loose.
func (d *rowReader) spread(words []uint64, c *cursor, values []uint64) {
	ways := &d.index.pascal
	var rank uint64 // of the rest with one stone less, and a lowest one more
	for j := 1; j < d.rest; j++ {
		rank += ways[c.subset.At(j)&63][(j+1)&63]
	}
	for j := range d.rest {
		if j > 0 {
			rank += ways[c.subset.At(j-1)&63][(j+1)&63] - ways[c.subset.At(j)&63][(j+1)&63]
		}
		loose, near := c.free[c.subset.At(j)&63].points, words[2*rank:][:len(values)]
		for k, v := range values {
			near[k] |= v & loose
		}
	}
}

// look looks up the values of the cursor's rest with each stone below it: two words for
// each, lost and drawn.
func (d *rowReader) look(values []uint64, c *cursor, first uint64) {
	var indices [64]uint64
	many := len(values) / 2
	d.rank(indices[:many], c, first)
	for k, i := range indices[:many] {
		v := d.table.At(i)
		values[2*k], values[2*k+1] = lostWords[v&3], drawnWords[v&3]
	}
}

// rank tells the indices of these positions.
func (d *rowReader) rank(indices []uint64, c *cursor, first uint64) {
	switch {
	case d.leads:
		for k := range indices {
			indices[k] = d.rankLeading(c.set() | c.free[k&63].points)
		}
	case d.frame.fixers != 0:
		for k := range indices {
			indices[k] = d.index.rank(&d.frame, c.set()|c.free[k&63].points)
		}
	default:
		for k := range indices {
			indices[k] = d.frame.base + first + uint64(k)
		}
	}
}

// rankLeading is the index of a position whose leading set is not the key.
func (d *rowReader) rankLeading(lead uint64) uint64 {
	x := d.index
	entry := d.sets.Entries[0][x.rankSet(lead, x.points)]
	class, image := entry>>3, d.images[entry&7]
	f := frame{
		base:   uint64(class) * x.pascal[(x.size-d.rest-1)&63][d.many&63],
		free:   x.points &^ d.sets.Representatives[class],
		fixers: d.sets.Fixers[class],
	}
	if f.fixers != 0 {
		return x.rank(&f, image)
	}
	return f.base + x.rankSet(image, f.free)
}
