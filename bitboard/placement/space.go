package placement

import (
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
	"sync"

	"paika/bitboard"
)

// MaxKinds bounds the kinds of a game.
const MaxKinds = 8

// Kind is pieces that look alike: the points that they may stand on, a bit a
// point, and how many there can be while play goes on.
type Kind struct {
	Region       uint64
	Fewest, Most int
}

// Sets is the points of the pieces, by kind.
type Sets [MaxKinds]uint64

// Counts is the number of pieces, by kind.
type Counts [MaxKinds]int

// Config says what the positions of a game are. Functions must be safe for
// concurrent use.
type Config[P comparable] struct {
	Kinds []Kind

	// Symmetries lists the maps of the board onto itself that take positions to
	// positions of the same worth: by point, the point that it goes to. They form
	// a group with the identity, which is left out, and keep the kinds' regions.
	Symmetries [][]int

	// After lists the counts after each sort of turn, seen from the side that
	// moves next. Those that no kind's bounds allow end the game.
	After func(c Counts) []Counts

	// Sets takes a position apart, Position puts one together.
	Sets     func(p P) Sets
	Position func(s Sets) P
}

// Space numbers positions. It is the bitboard.Space of a game, safe for concurrent
// use. A position of which a piece stands outside its kind's region, or with more
// or fewer of a kind than there can be, is in a slice of no group.
type Space[P comparable] struct {
	config     Config[P]
	symmetries []symmetry // the identity first
	parts      []part
	slices     []slice
	groups     []bitboard.Group // by rising pieces, each behind its needs

	making  sync.Mutex
	classes map[classesKey]*classes
}

// New makes the numbering. It fails on too many kinds, slices or zones, and on
// symmetries that are none.
func New[P comparable](c Config[P]) (*Space[P], error) {
	x := &Space[P]{config: c, classes: make(map[classesKey]*classes)}
	if len(c.Kinds) < 1 || len(c.Kinds) > MaxKinds {
		return nil, fmt.Errorf("%d kinds of pieces: want 1 to %d", len(c.Kinds), MaxKinds)
	}
	slices := 1
	for _, k := range c.Kinds {
		if k.Fewest < 0 || k.Most < k.Fewest || bits.OnesCount64(k.Region) < k.Most {
			return nil, fmt.Errorf("%d to %d pieces on %d points", k.Fewest, k.Most, bits.OnesCount64(k.Region))
		}
		if slices *= k.Most - k.Fewest + 1; slices >= bitboard.MaxSlices {
			return nil, fmt.Errorf("%d slices or more: want fewer than %d", slices, bitboard.MaxSlices)
		}
	}
	var err error
	if x.symmetries, err = newSymmetries(c.Symmetries, c.Kinds); err != nil {
		return nil, err
	}
	if x.parts = zones(c.Kinds); len(x.parts) > maxParts {
		return nil, errors.New("the kinds' regions have too many zones")
	}
	x.slices = make([]slice, slices)
	x.groups = x.order()
	return x, nil
}

// number of a slice; the one behind the last where the kinds' bounds are passed.
func (x *Space[P]) number(c Counts) bitboard.Slice {
	n := 0
	for i := range x.config.Kinds {
		k := &x.config.Kinds[i]
		if !k.allows(c[i]) {
			return x.outside()
		}
		n = k.extend(n, c[i])
	}
	return bitboard.Slice(n)
}

// allows tells whether there can be so many.
func (k *Kind) allows(count int) bool { return count >= k.Fewest && count <= k.Most }

// extend numbers the counts up to this kind's, by the number of those before it.
func (k *Kind) extend(n, count int) int { return n*(k.Most-k.Fewest+1) + count - k.Fewest }

// outside is the slice, of no group, of all positions that have no index.
func (x *Space[P]) outside() bitboard.Slice { return bitboard.Slice(len(x.slices)) }

func (x *Space[P]) counts(s bitboard.Slice) (c Counts) {
	n := int(s)
	for i := len(x.config.Kinds) - 1; i >= 0; i-- {
		k := x.config.Kinds[i]
		c[i] = k.Fewest + n%(k.Most-k.Fewest+1)
		n /= k.Most - k.Fewest + 1
	}
	return c
}

func (c Counts) total() (n int) {
	for _, count := range c {
		n += count
	}
	return n
}

// Groups lists all groups, each behind those that it leads to. It never fails.
func (x *Space[P]) Groups() ([]bitboard.Group, error) { return x.groups, nil }

// Pieces is the number of pieces of all kinds in a slice's positions, 0 for a slice of no group.
func (x *Space[P]) Pieces(s bitboard.Slice) int {
	if s >= x.outside() {
		return 0
	}
	return x.counts(s).total()
}

// SliceName is the number of pieces of each kind, "3v2".
func (x *Space[P]) SliceName(s bitboard.Slice) string {
	if s >= x.outside() {
		return "over"
	}
	counts := x.counts(s)
	names := make([]string, len(x.config.Kinds))
	for i := range names {
		names[i] = strconv.Itoa(counts[i])
	}
	return strings.Join(names, "v")
}

// ParseSlice reads what SliceName writes.
func (x *Space[P]) ParseSlice(name string) (bitboard.Slice, error) {
	var counts Counts
	for i, text := range strings.SplitN(name, "v", len(x.config.Kinds)) {
		counts[i], _ = strconv.Atoi(text) // what is no number is not read as it is written
	}
	s := x.number(counts)
	if s == x.outside() || x.SliceName(s) != name {
		return 0, fmt.Errorf("slice %s: want the number of pieces of each kind, such as %s", bitboard.Quote(name), x.SliceName(x.outside()-1))
	}
	return s, nil
}

// Indices is the size of a slice's index space, Positions the number of positions
// in it, or the highest number of 64 bits where that is less. A slice of no group has none.
func (x *Space[P]) Indices(s bitboard.Slice) uint64 {
	if s >= x.outside() {
		return 0
	}
	return x.slice(s).indices
}

// Positions counts with no symmetry taken out.
func (x *Space[P]) Positions(s bitboard.Slice) uint64 {
	if s >= x.outside() {
		return 0
	}
	return x.slice(s).positions
}

// Total is the number of positions of all slices, no symmetry taken out.
func (x *Space[P]) Total() *big.Int {
	sum := new(big.Int)
	for s := range x.outside() {
		for _, b := range x.slice(s).blocks {
			product := new(big.Int).SetUint64(ways(bits.OnesCount64(b.lead.zone), b.lead.count))
			for _, p := range b.rest {
				product.Mul(product, new(big.Int).SetUint64(p.ways))
			}
			sum.Add(sum, product)
		}
	}
	return sum
}

// SliceOf tells where p belongs: to a slice of no group where it has no index.
func (x *Space[P]) SliceOf(p P) bitboard.Slice { return x.sliceOf(x.config.Sets(p)) }

// sliceOf is asked of each turn: it numbers as it counts.
func (x *Space[P]) sliceOf(sets Sets) bitboard.Slice {
	n := 0
	for i := range x.config.Kinds {
		k := &x.config.Kinds[i]
		count := bits.OnesCount64(sets[i])
		if sets[i]&^k.Region != 0 || !k.allows(count) {
			return x.outside()
		}
		n = k.extend(n, count)
	}
	return bitboard.Slice(n)
}

// Rank is the slice and the index of a position that has one.
func (x *Space[P]) Rank(p P) (bitboard.Slice, uint64) {
	sets := x.config.Sets(p)
	s := x.sliceOf(sets)
	return s, x.rank(x.slice(s), sets)
}

// Numbered is the slice of so many pieces of each kind, or one of no group where there can't
// be as many.
func (x *Space[P]) Numbered(c Counts) bitboard.Slice { return x.number(c) }

// RankIn is the index of a position in its slice, for those who know which that is.
func (x *Space[P]) RankIn(s bitboard.Slice, p P) uint64 {
	return x.rank(x.slice(s), x.config.Sets(p))
}

// Unrank gives the position of an index and how many it stands for.
func (x *Space[P]) Unrank(s bitboard.Slice, index uint64) (P, int) {
	c := cursor{slice: x.slice(s)}
	c.seek(index)
	return x.config.Position(c.sets), x.weight(&c)
}

// Walk yields the positions of [lo, hi) that are no gaps.
func (x *Space[P]) Walk(s bitboard.Slice, lo, hi uint64, yield func(uint64, P, int) bool) {
	c := cursor{slice: x.slice(s)}
	for i := lo; i < hi; i++ {
		c.seek(i)
		if w := x.weight(&c); w != 0 && !yield(i, x.config.Position(c.sets), w) {
			return
		}
	}
}
