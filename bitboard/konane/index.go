package konane

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"paika/bitboard"
	"paika/bitboard/ranking"
)

// The numbering of a slice. Stones stay on the points of their colour, so that
// a position is a set of Black's points and one of White's. Call the set of the
// player with fewer stones (of the side to move, where both have as many) the
// leading set, the other stones the trailing set. Symmetries of the board sort
// the leading sets in classes, each with a representative (package ranking): the
// first of its class in the order of Set.rank.
//
//	index = class of the leading set × ways to place the trailing set
//	      + rank of the trailing set, moved as the leading set is moved to its
//	        representative, among the sets of its size
//
// Where symmetries other than the identity fix the representative, several
// movements lead there and the least rank counts; the indices of the others are
// gaps.
//
// On a board with a side of even length some symmetries exchange the colours of
// the points. They move every position to one with Black to move, and only
// those are numbered. On other boards the positions with Black to move come
// first, those with White to move behind them.

// maxColour is the number of points of one colour on the largest board.
const maxColour = ranking.MaxElements

// index is the part of the numbering that all slices share, and the tables of
// leading sets made so far.
type index[S Set[S]] struct {
	board      bitboard.Board
	colours    [2]S
	numbers    [2][]int // the points of a colour, rising
	ranks      ranks
	symmetries []symmetry
	inverses   []int                    // by symmetry, the one that undoes it
	keeping    int                      // symmetries that keep the colours; they come first
	keepers    keepers                  // these again
	classes    [2][maxColour + 1]uint64 // by colour and number of stones
	shapes     []shape                  // by slice

	making  sync.Mutex
	leading [2][maxColour + 1]atomic.Pointer[ranking.Classes[S]] // by colour of the representatives and number of stones
}

// ranks is what sets are ranked by.
type ranks struct {
	choose ranking.Binomials
	dense  *denseSets // on boards of one word
}

// shape is what the indices of a slice are made of.
type shape struct {
	parts   [2]part // by side to move
	indices uint64
}

// part is the positions of a slice with one side to move. Where symmetries
// exchange the colours, White's part is Black's.
type part struct {
	mover    bitboard.Side // in the representatives
	ownLeads bool          // the leading set is the mover's
	leader   bitboard.Side // whose the leading set is
	lead     int           // stones in the leading set
	trail    int           // stones in the trailing set
	per      uint64        // trailing sets to a class
	base     uint64        // index of the first position
	size     uint64        // indices
}

func (x *index[S]) init(g *Game[S]) {
	x.board, x.colours = g.board, g.colours
	for n := range g.board.Points() {
		c := g.colourOf(n)
		x.numbers[c] = append(x.numbers[c], n)
	}
	x.ranks.choose.Fill()
	x.symmetries = g.symmetries()
	permutations := make([]ranking.Permutation, len(x.symmetries))
	for i := range x.symmetries {
		permutations[i] = x.symmetries[i].permutation(g.board.Points())
	}
	for i := range x.symmetries {
		x.inverses = append(x.inverses, ranking.Inverse(permutations, permutations[i]))
	}
	for i := range x.symmetries {
		if !x.symmetries[i].exchanges {
			x.keeping++
		}
		if _, oneWord := any(g).(*Game[Word]); oneWord {
			x.symmetries[i].spread(g.board.Points())
		}
	}
	if one, oneWord := any(x).(*index[Word]); oneWord {
		x.ranks.dense = newDenseSets(one)
	}
	x.halve()
	for c, numbers := range x.numbers {
		copy(x.classes[c][:], ranking.Count(permutations[:x.keeping], numbers))
	}
	x.shapes = make([]shape, manyStones)
	for s := range x.shapes {
		x.shapes[s] = x.shape(counts(bitboard.Slice(s)))
	}
}

// folds tells whether symmetries exchange the colours.
func (x *index[S]) folds() bool { return x.keeping < len(x.symmetries) }

// shape works out a slice.
func (x *index[S]) shape(own, opp int) shape {
	var s shape
	for mover := range bitboard.Side(2) {
		if mover == white && (x.folds() || own+opp == 0) {
			break // folded into Black's part; the empty board is Black's by convention
		}
		p := part{mover: mover, ownLeads: own <= opp, base: s.indices}
		p.leader, p.lead, p.trail = mover, own, opp
		if !p.ownLeads {
			p.leader, p.lead, p.trail = mover.Other(), opp, own
		}
		p.per = x.ranks.choose.Ways(len(x.numbers[p.leader.Other()]), p.trail)
		p.size = ranking.Product(x.classes[p.leader][p.lead], p.per)
		s.indices = ranking.Sum(s.indices, p.size)
		s.parts[mover] = p
	}
	if x.folds() {
		s.parts[white] = s.parts[black]
	}
	return s
}

// sets returns the classes of leading sets of k points with representatives of a
// colour, found on first use.
func (x *index[S]) sets(colour bitboard.Side, k int) *ranking.Classes[S] {
	if t := x.leading[colour][k].Load(); t != nil {
		return t
	}
	return x.makeSets(colour, k)
}

func (x *index[S]) makeSets(colour bitboard.Side, k int) *ranking.Classes[S] {
	x.making.Lock()
	defer x.making.Unlock()
	if t := x.leading[colour][k].Load(); t != nil {
		return t
	}
	t := ranking.NewClasses(ranking.Sets[S]{
		Many:     x.ranks.choose.Ways(len(x.numbers[colour]), k),
		Classes:  x.classes[colour][k],
		Inverses: x.inverses,
		TwoKinds: x.folds(),
		Each: func(yield func(S) bool) {
			c := cursor[S]{index: x, part: part{leader: colour.Other(), trail: k}}
			c.place()
			c.subset.First()
			c.unite(k - 1)
			for more := true; more && yield(c.set()); more = c.step() {
			}
		},
		Image: func(set S, i int) (image S, kind int) {
			m := &x.symmetries[i]
			if m.exchanges {
				kind = 1
			}
			return set.image(m), kind
		},
		Rank: func(set S) uint64 { return set.rank(&x.ranks) },
	})
	x.leading[colour][k].Store(t)
	return t
}

// setsBytes is what the classes of sets of k points of a colour take, in bytes.
func (x *index[S]) setsBytes(colour bitboard.Side, k int) uint64 {
	var set S
	kinds := uint64(1)
	if x.folds() {
		kinds = 2
	}
	entries := ranking.Product(4*kinds, x.ranks.choose.Ways(len(x.numbers[colour]), k))
	return ranking.Sum(entries, ranking.Product(uint64(unsafe.Sizeof(set))+1, x.classes[colour][k]))
}

// rank is the index of a position in its slice.
func (x *index[S]) rank(p Position[S], mover bitboard.Side, s *shape) uint64 {
	if one, oneWord := any(x).(*index[Word]); oneWord {
		return rankDense(one, any(p).(Position[Word]), mover, s)
	}
	return x.rankSets(p, mover, s)
}

// rankSets is rank for sets of any size.
func (x *index[S]) rankSets(p Position[S], mover bitboard.Side, s *shape) uint64 {
	part := &s.parts[mover&1]
	lead, trail, leader := p.Own, p.Opp, mover
	if !part.ownLeads {
		lead, trail, leader = p.Opp, p.Own, mover.Other()
	}
	t := x.sets(part.leader, part.lead)
	entry := t.Entries[(leader^part.leader)&1][lead.rank(&x.ranks)]
	class := entry >> 3
	if m := entry & 7; m != 0 {
		trail = trail.image(&x.symmetries[m])
	}
	rank := trail.rank(&x.ranks)
	for fixers := t.Fixers[class]; fixers != 0; fixers &= fixers - 1 {
		image := trail.image(&x.symmetries[bits.TrailingZeros8(fixers)])
		rank = min(rank, image.rank(&x.ranks))
	}
	return part.base + uint64(class)*part.per + rank
}

// weight is the number of positions that an index stands for, or 0 if another
// index stands for them. rank is that of the trailing set, and fixers those of the
// leading set's class.
func (x *index[S]) weight(p *part, fixers uint8, trail S, rank uint64) int {
	switch {
	case p.lead+p.trail == 0:
		return 1 // every symmetry fixes the empty board
	case fixers == 0:
		return len(x.symmetries)
	}
	if one, oneWord := any(x).(*index[Word]); oneWord {
		return weightDense(one, p, fixers, densely(any(trail).(Word)))
	}
	fixing := 1
	for ; fixers != 0; fixers &= fixers - 1 {
		image := trail.image(&x.symmetries[bits.TrailingZeros8(fixers)])
		if image == trail {
			fixing++
		} else if image.rank(&x.ranks) < rank {
			return 0
		}
	}
	return len(x.symmetries) / fixing
}

// part is that of an index.
func (x *index[S]) part(s *shape, i uint64) *part {
	if !x.folds() && i >= s.parts[white].base && s.parts[white].size > 0 {
		return &s.parts[white]
	}
	return &s.parts[black]
}

// unrank gives the canonical position of an index, and the index's weight.
func (x *index[S]) unrank(s *shape, i uint64) (Position[S], int) {
	p := x.part(s, i)
	t := x.sets(p.leader, p.lead)
	i -= p.base
	class, rank := i/p.per, i%p.per
	lead, trail := t.Representatives[class], x.unrankSet(rank, p.trail, x.numbers[p.leader.Other()])
	weight := x.weight(p, t.Fixers[class], trail, rank)
	if p.ownLeads {
		return Position[S]{lead, trail}, weight
	}
	return Position[S]{trail, lead}, weight
}

// unrankSet is the set of that rank among those of so many of the points.
func (x *index[S]) unrankSet(rank uint64, size int, points []int) (set S) {
	const mask = maxColour - 1
	top := len(points)
	for j := size - 1; j >= 0; j-- {
		ways := &x.ranks.choose[j&mask]
		for top--; ways[top&mask] > rank; top-- {
		}
		rank -= ways[top&mask]
		set = set.with(points[top])
	}
	return set
}

// A cursor walks the trailing sets in the order of their ranks, and the classes
// of leading sets above them.
type cursor[S Set[S]] struct {
	index   *index[S]
	shape   *shape
	part    part
	leading *ranking.Classes[S] // nil while leading sets themselves are numbered

	class  uint64
	rank   uint64
	fixers uint8
	free   []int            // the points that trailing stones may stand on, rising
	subset ranking.Subset   // the trailing set, as positions in free
	upper  [maxColour + 1]S // union of the trailing set's points from each one on
}

func (x *index[S]) cursor(s bitboard.Slice) *cursor[S] {
	return &cursor[S]{index: x, shape: &x.shapes[s]}
}

// place takes up the part's points.
func (c *cursor[S]) place() {
	c.free = c.index.numbers[c.part.leader.Other()]
	c.subset.Start(len(c.free), c.part.trail)
}

// unite puts the trailing set's points together anew, from point j down.
func (c *cursor[S]) unite(j int) {
	for ; j >= 0; j-- {
		c.upper[j] = c.upper[j+1].with(c.free[c.subset.At(j)])
	}
}

// set is the trailing set.
func (c *cursor[S]) set() S { return c.upper[0] }

// weight is that of the index where the cursor stands.
func (c *cursor[S]) weight() int { return c.index.weight(&c.part, c.fixers, c.set(), c.rank) }

// step goes to the next trailing set. After the last it tells false.
func (c *cursor[S]) step() bool {
	c.rank++
	if c.subset.Rise() {
		c.upper[0] = c.upper[1].with(c.free[c.subset.At(0)])
		return true
	}
	changed := c.subset.Next()
	if changed == c.part.trail {
		return false
	}
	c.unite(changed)
	return true
}

// seek goes to an index of the slice.
func (c *cursor[S]) seek(i uint64) {
	c.part = *c.index.part(c.shape, i)
	c.place()
	c.leading = c.index.sets(c.part.leader, c.part.lead)
	i -= c.part.base
	c.class, c.rank = i/c.part.per, i%c.part.per
	c.fixers = c.leading.Fixers[c.class]
	c.subset.Seek(&c.index.ranks.choose, c.rank)
	c.unite(c.part.trail - 1)
}

// advance goes to an index of the slice, none before that where the cursor stands, if it
// does.
func (c *cursor[S]) advance(i uint64) {
	if here := c.part.base + c.class*c.part.per + c.rank; c.leading != nil && i-here < c.part.per-c.rank {
		c.rank += i - here
		c.unite(c.subset.Skip(int(i - here)))
		return
	}
	c.seek(i)
}

// next goes to the index that follows, which must be in the slice.
func (c *cursor[S]) next() {
	if !c.step() {
		c.seek(c.part.base + (c.class+1)*c.part.per)
	}
}

// position is where the cursor stands.
func (c *cursor[S]) position() Position[S] {
	lead, trail := c.leading.Representatives[c.class], c.set()
	if c.part.ownLeads {
		return Position[S]{lead, trail}
	}
	return Position[S]{trail, lead}
}

// Slices are numbered by rising number of stones n and, with the same number,
// by own stones: n(n+1)/2 + own. That reaches to maxStones; positions with
// more share the slice manyStones, which has no indices.
const (
	maxStones  = 89
	manyStones = bitboard.Slice((maxStones + 1) * (maxStones + 2) / 2)
)

func slice(own, opp int) bitboard.Slice {
	n := own + opp
	if n > maxStones {
		return manyStones
	}
	return bitboard.Slice(n*(n+1)/2 + own)
}

func counts(s bitboard.Slice) (own, opp int) {
	n := int(math.Sqrt(float64(8*int(s)+1))-1) / 2
	own = int(s) - n*(n+1)/2
	return own, n - own
}

// Groups lists the slices by rising number of stones, each a group of its own.
// Positions with more than maxStones stones are in none: long before that many,
// slices have more than bitboard.MaxIndices indices. It never fails.
func (g *Game[S]) Groups() ([]bitboard.Group, error) {
	var groups []bitboard.Group
	for n := range min(g.board.Points(), maxStones) + 1 {
		for own := range n + 1 {
			if s := slice(own, n-own); g.Indices(s) > 0 {
				groups = append(groups, bitboard.Group{Slices: []bitboard.Slice{s}, Needs: g.needs(own, n-own)})
			}
		}
	}
	return groups, nil
}

// Pieces is the number of stones of each position of a slice, or of the fullest
// board for the slice that has no indices.
func (g *Game[S]) Pieces(s bitboard.Slice) int {
	if s >= manyStones {
		return g.board.Points()
	}
	own, opp := counts(s)
	return own + opp
}

// KernelBytes is what the classes of leading sets take, in bytes, and dense sets, where
// there are any.
func (g *Game[S]) KernelBytes(s bitboard.Slice) (bytes uint64) {
	own, opp := counts(s)
	if g.index.ranks.dense != nil {
		bytes = denseSetsBytes(len(g.index.symmetries))
	}
	for k := 0; k <= min(own, opp); k++ {
		for colour := range bitboard.Side(2) {
			if colour == white && g.index.folds() {
				break
			}
			bytes = ranking.Sum(bytes, g.index.setsBytes(colour, k))
		}
	}
	return bytes
}

// needs lists the slices that the turns of one lead to: a turn takes as many
// stones as it jumps, or is a removal, which leaves the players' colours open.
func (g *Game[S]) needs(own, opp int) []bitboard.Slice {
	var needs []bitboard.Slice
	add := func(own, opp int) {
		if s := slice(own, opp); g.Indices(s) > 0 && !slices.Contains(needs, s) {
			needs = append(needs, s)
		}
	}
	if n := own + opp; g.opens(n) {
		for left := range n {
			add(left, n-1-left)
		}
		return needs
	}
	jumps := (max(g.board.Width, g.board.Height) - 1) / 2
	for taken := 1; taken <= min(jumps, opp) && own > 0; taken++ {
		add(opp-taken, own)
	}
	return needs
}

// SliceName is "3v2": own stones, opponent's stones.
func (g *Game[S]) SliceName(s bitboard.Slice) string {
	if s >= manyStones {
		return fmt.Sprintf("over-%d", maxStones)
	}
	own, opp := counts(s)
	return fmt.Sprintf("%dv%d", own, opp)
}

// ParseSlice reads what SliceName writes, for slices that have positions.
func (g *Game[S]) ParseSlice(name string) (bitboard.Slice, error) {
	var own, opp int
	_, err := fmt.Sscanf(name, "%dv%d", &own, &opp)
	bad := err != nil || own < 0 || opp < 0 || own > maxStones || opp > maxStones // so that they can be added
	if bad || name != fmt.Sprintf("%dv%d", own, opp) {
		return 0, fmt.Errorf("slice %s: want own stones, v, opponent's stones, such as 3v2, at most %d together", bitboard.Quote(name), maxStones)
	}
	s := slice(own, opp)
	switch {
	case s == manyStones:
		return 0, fmt.Errorf("slice %s: want at most %d stones together", name, maxStones)
	case g.Indices(s) == 0:
		return 0, fmt.Errorf("slice %s: %v has no such positions", name, g.board)
	}
	return s, nil
}

// Indices is the size of a slice's index space, or the highest number of 64
// bits where that is less.
func (g *Game[S]) Indices(s bitboard.Slice) uint64 {
	if s >= manyStones {
		return 0
	}
	return g.index.shapes[s].indices
}

// Positions is the number of positions in a slice with no symmetry taken out,
// or the highest number of 64 bits where that is less.
func (g *Game[S]) Positions(s bitboard.Slice) uint64 {
	if s >= manyStones {
		return 0
	}
	own, opp := counts(s)
	x := &g.index
	blackMoves := ranking.Product(x.ranks.choose.Ways(len(x.numbers[black]), own), x.ranks.choose.Ways(len(x.numbers[white]), opp))
	if own+opp == 0 {
		return blackMoves // nobody's stones tell whose turn it is
	}
	return ranking.Sum(blackMoves, ranking.Product(x.ranks.choose.Ways(len(x.numbers[white]), own), x.ranks.choose.Ways(len(x.numbers[black]), opp)))
}

// SliceOf tells where p belongs.
func (g *Game[S]) SliceOf(p Position[S]) bitboard.Slice { return slice(p.Own.size(), p.Opp.size()) }

// Rank is the slice of a position and its index there, which is 0 in a slice
// that has no indices.
func (g *Game[S]) Rank(p Position[S]) (bitboard.Slice, uint64) {
	s := g.SliceOf(p)
	if s == manyStones {
		return s, 0
	}
	return s, g.index.rank(p, g.Mover(p), &g.index.shapes[s])
}

// Unrank gives the canonical position of an index and how many it stands for.
func (g *Game[S]) Unrank(s bitboard.Slice, i uint64) (Position[S], int) {
	return g.index.unrank(&g.index.shapes[s], i)
}

// Walk yields the positions of [lo, hi) that are no gaps.
func (g *Game[S]) Walk(s bitboard.Slice, lo, hi uint64, yield func(uint64, Position[S], int) bool) {
	if lo >= hi {
		return
	}
	c := g.index.cursor(s)
	c.seek(lo)
	for i := lo; ; c.next() {
		if w := c.weight(); w != 0 && !yield(i, c.position(), w) {
			return
		}
		if i++; i == hi {
			return
		}
	}
}

// Tally counts whole words of values where no symmetry fixes the leading set.
func (g *Game[S]) Tally(s bitboard.Slice, values bitboard.Packed, lo, hi uint64) (positions [3]uint64, filled uint64) {
	first := lo &^ 31
	for c := g.index.cursor(s); lo < hi; {
		c.seek(lo)
		end := min(hi, lo+c.part.per-c.rank)
		if weight := uint64(c.weight()); c.fixers == 0 {
			many := values.Count(lo-first, end-first)
			for v := range positions {
				positions[v] += many[v] * weight
			}
			lo = end
			continue
		}
		for ; lo < end; lo++ {
			weight, v := c.weight(), values.At(lo-first)
			if weight == 0 && v != bitboard.Draw {
				filled++
			}
			positions[v] += uint64(weight)
			c.step()
		}
	}
	return positions, filled
}

// WalkChosen yields the positions of [lo, hi) that are chosen and no gaps.
func (g *Game[S]) WalkChosen(s bitboard.Slice, lo, hi uint64, chosen []uint64, yield func(uint64, Position[S], int) bool) {
	c := g.index.cursor(s)
	for i := range bitboard.Chosen(lo, hi, chosen) {
		c.advance(i)
		if w := c.weight(); w != 0 && !yield(i, c.position(), w) {
			return
		}
	}
}
