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
	index  *index
	table  bitboard.Packed  // or
	depths []bitboard.Depth // where distances are asked for
	scale  *depthScale      // of these
	words  int              // to a row
	key    uint64           // the representative
	many   int              // its stones
	rest   int
	frame  frame // of positions that the key leads
	sets   *ranking.Classes[uint64]

	// Where the other stones lead, sets are theirs, and the key follows them.
	leads  bool
	images [8]uint64 // of the key, by symmetry
}

// lostWords and drawnWords tell, by value, whether it is a loss or a draw, in all bits.
var (
	lostWords  = [4]uint64{bitboard.Loss: ^uint64(0)}
	drawnWords = [4]uint64{bitboard.Draw: ^uint64(0)}
)

// newRowReader is for a class of keys of a slice.
func (f *rowFinder) newRowReader(r *rows, class uint64, s bitboard.Slice) *rowReader {
	x, key := &f.game.index, r.keys.Representatives[class]
	many, others := bits.OnesCount64(key), r.rest+1
	d := &rowReader{index: x, scale: &f.scale, words: int(f.words), key: key, many: many, rest: r.rest}
	d.leads = f.ownLeads && leads(others, many) // the loose stone moves next
	if f.depths != nil {
		d.depths = f.depths[s]
	} else {
		d.table = f.known[s]
	}
	d.frame = frame{base: class * x.ways(x.size-many, others), free: x.points &^ key, fixers: r.keys.Fixers[class]}
	if d.leads {
		d.sets = x.sets(others)
		for symmetry := range x.spreads {
			d.images[symmetry&7] = x.apply(symmetry, key)
		}
	}
	return d
}

// read sets the rows, by rest; for wdl two words to a row: lost, drawn.
func (d *rowReader) read(words []uint64, r *rows, class uint64) {
	clear(words)
	c := d.index.walker(r.keys, d.many, d.rest)
	c.enter(class)
	c.first()
	var seen [mostPlanes * 64]uint64
	first := uint64(0) // rank of the first position with the rest in hand
	for more := true; more; more = c.step() {
		lowest := c.subset.At(0)
		if lowest == 0 {
			continue
		}
		values := seen[:d.words*lowest]
		d.look(values, &c, first)
		first += uint64(lowest)
		row := words[uint64(d.words)*c.rank:][:d.words]
		for k := range lowest {
			point := c.free[k&63].points
			for w, v := range values[d.words*k:][:len(row)] {
				row[w] |= v & point
			}
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
		loose, near := c.free[c.subset.At(j)&63].points, words[uint64(d.words)*rank:][:len(values)]
		for k, v := range values {
			near[k] |= v & loose
		}
	}
}

// look looks up the values of the cursor's rest with each stone below it: the words of a
// row for each, with all bits alike.
func (d *rowReader) look(values []uint64, c *cursor, first uint64) {
	var indices [64]uint64
	many := len(values) / d.words
	d.rank(indices[:many], c, first)
	if d.depths != nil {
		for k, i := range indices[:many] {
			d.scale.fill(values[d.words*k:][:d.words], d.depths[i])
		}
		return
	}
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
