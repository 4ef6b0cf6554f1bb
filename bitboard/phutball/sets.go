package phutball

import (
	"math/bits"

	"paika/bitboard"
)

// Sets of positions, for all of which turns are followed at once.
//
// For a ball on one point, a set of positions is a set of sets of men: an array
// of bits with the men as the index. Six points are the index within a word, low,
// the others are the word's number, high. Then a turn is the same few operations
// for all 64 positions of a word: a man placed on a high point reads the word
// with that point's bit, a jump over high men the word without theirs, in the
// array of where the ball lands; on low points both are shifts within the word.
//
// Where the ball may get by the jumps that are left to it is asked of positions
// with fewer men, so that one pass in the order of rising numbers answers it for
// all positions: for each place, from the words of the places a jump away.
//
// Low points come in pairs that the board upside down exchanges, from the rows
// nearest to the goals. With three columns or more the ball starts no turn
// there; where it does, bits of its own point stand for nothing.

// lowPoints is the most points that are numbered within a word.
const lowPoints = 6

// lacking has the bits of a word whose number lacks one of six points.
var lacking = [lowPoints]uint64{
	0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f, 0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff,
}

// sets is the geometry of sets on one board.
type sets struct {
	low, high int                    // points within a word, and of a word's number
	valid     uint64                 // the bits of a word that stand for sets of low points
	swaps     [][2]int               // of low points, that turn the board upside down
	upend     *spread                // of high points, the same
	men       *spread                // from high points to points
	lowMen    [1 << lowPoints]uint64 // from low points to points
	stands    []stand                // those of positions first
	inside    []int                  // the stands with jumps over low men alone
	positions int                    // how many those are
	words     uint64                 // of a set of positions
	room      uint64                 // words of all stands
	chunk     int                    // high points within a chunk of words
}

// stand is a place where the ball can stand during a turn.
type stand struct {
	place Place
	first uint64 // word of its array
	bit   Place  // of its point among the high ones; a number out of their range if it is none of them
	own   uint64 // that bit
	free  uint64 // the bits of a word in which its own point is vacant
	score bool   // a ball that ends its turn there wins
	upend int    // the stand upside down, of a position

	apart  []leap // over men some of whom are high
	within []leap // over low men alone
	exits  []leap // over low men alone off the board, into the goal
}

// leap is a jump. It goes from words with some high men and without others.
type leap struct {
	over  uint64 // high men jumped
	test  uint64 // those and the high point where it lands
	fewer uint64 // the bits of a word that lack all the low men jumped
	shift uint   // the low men jumped, as a number
	to    int    // stand, or -1 where the game is won
}

// noBit is the number of no high point: taking it out of a set changes nothing.
const noBit Place = 62

func newSets(g *Grid, x *index) *sets {
	s := &sets{low: min(g.points, lowPoints)}
	s.high = g.points - s.low
	s.chunk = max(0, s.high-8)
	s.valid = ^uint64(0) >> (64 - 1<<s.low)
	number := s.numberPoints(g)
	s.addStands(g, x, number)
	for i := range s.stands {
		s.addLeaps(g, number, &s.stands[i])
		if len(s.stands[i].within) > 0 {
			s.inside = append(s.inside, i)
		}
	}
	return s
}

// numberPoints numbers the points, low ones first, in pairs that are each
// other upside down.
func (s *sets) numberPoints(g *Grid) (number []Place) {
	number = make([]Place, g.points)
	for p := range number {
		number[p] = -1
	}
	next := Place(0)
	add := func(p Place) {
		number[p] = next
		next++
	}
	for p := Place(0); int(next) < s.low; p++ {
		if q := g.Upended(p); q == p {
			add(p)
		} else if int(next)+2 <= s.low {
			s.swaps = append(s.swaps, [2]int{int(next), int(next) + 1})
			add(p)
			add(q)
		}
	}
	for p := range Place(g.points) {
		if number[p] < 0 {
			add(p)
		}
	}
	points := make([]Place, g.points)
	for p, n := range number {
		points[n] = Place(p)
	}
	s.men = newSpreadOf(s.high, func(i int) Place { return points[s.low+i] })
	s.upend = newSpreadOf(s.high, func(i int) Place { return number[g.Upended(points[s.low+i])] - Place(s.low) })
	for set := range s.lowMen[:1<<s.low] {
		for i, p := range points[:s.low] {
			s.lowMen[set] |= uint64(set) >> i & 1 << p
		}
	}
	return number
}

// addStands lists the places where the ball can stand and play can go on, those
// that a turn can begin on first.
func (s *sets) addStands(g *Grid, x *index, number []Place) {
	for _, playing := range []bool{true, false} {
		for p := range Place(g.Places()) {
			if (g.goals[p] == 0) == playing && (g.onBoard(p) || !g.Halts(p)) {
				s.addStand(g, number, p)
			}
		}
		if playing {
			s.positions, s.words = len(s.stands), s.room
		}
	}
	for i := range s.stands[:s.positions] {
		for j := range s.stands[:s.positions] {
			if s.stands[j].place == x.upended[s.stands[i].place] {
				s.stands[i].upend = j
			}
		}
	}
}

func (s *sets) addStand(g *Grid, number []Place, p Place) {
	n := stand{place: p, first: s.room, bit: noBit, free: s.valid, score: g.goals[p] > 0}
	words := uint64(1) << s.high
	if g.onBoard(p) {
		if bit := number[p]; int(bit) < s.low {
			n.free &= lacking[bit]
		} else {
			n.bit = bit - Place(s.low)
			n.own = 1 << n.bit
			words /= 2
		}
	}
	s.room += words
	s.stands = append(s.stands, n)
}

// addLeaps lists the jumps from a stand.
func (s *sets) addLeaps(g *Grid, number []Place, from *stand) {
	if g.Halts(from.place) {
		return
	}
	for d := range Directions {
		l := leap{fewer: s.valid}
		for at := g.next[from.place][d]; g.onBoard(at); {
			if bit := number[at]; int(bit) < s.low {
				l.fewer &= lacking[bit]
				l.shift += 1 << bit
			} else {
				l.over |= 1 << (int(bit) - s.low)
			}
			if at = g.next[at][d]; at == Nowhere {
				break
			}
			l.test = l.over
			if g.onBoard(at) && int(number[at]) >= s.low {
				l.test |= 1 << (int(number[at]) - s.low)
			}
			s.addLeap(g, from, l, at)
		}
	}
}

func (s *sets) addLeap(g *Grid, from *stand, l leap, to Place) {
	l.to = -1
	for i := range s.stands {
		if s.stands[i].place == to {
			l.to = i
		}
	}
	switch {
	case l.to < 0 && g.goals[to] < 0: // out of play, and lost
	case l.to < 0:
		from.exits = append(from.exits, l)
	case l.over == 0:
		from.within = append(from.within, l)
	default:
		from.apart = append(from.apart, l)
	}
}

// word is the number of a stand's word with some high men.
func (n *stand) word(men uint64) uint64 { return n.first + squeeze(men, n.bit) }

// high undoes word.
func (n *stand) high(word uint64) uint64 { return stretch(word-n.first, n.bit) }

// standOf is the stand that a word belongs to.
func (s *sets) standOf(word uint64) *stand {
	i := 0
	for i+1 < len(s.stands) && s.stands[i+1].first <= word {
		i++
	}
	return &s.stands[i]
}

// end is the number behind a stand's last word.
func (s *sets) end(n *stand) uint64 {
	words := uint64(1) << s.high
	if n.own != 0 {
		words /= 2
	}
	return n.first + words
}

// upended is a word with its low points upside down.
func (s *sets) upended(word uint64) uint64 {
	for _, swap := range s.swaps {
		a, b := swap[0], swap[1]
		shift := uint(1<<b - 1<<a)
		only := lacking[b] &^ lacking[a] // numbers with the first and without the second
		word = word&^(only|only<<shift) | word&only<<shift | word>>shift&only
	}
	return word
}

// Sets tells how long a set is. A board that is too large for an index has none.
func (g *Game) Sets(bitboard.Slice) (set, room uint64) {
	if !g.index.fits() {
		return 0, 0
	}
	return g.sets.words, g.sets.room
}

// Parts is how many there are to a set of positions.
func (g *Game) Parts(bitboard.Slice) uint64 { return g.sets.spans() + g.sets.chunks() }

// FillAll fills a part of the set of all positions.
func (g *Game) FillAll(_ bitboard.Slice, set []uint64, lo, hi uint64) {
	for i := lo; i < hi; i++ {
		set[i] = g.sets.standOf(i).free
	}
}

// Wins fills a set with the positions in which some series ends in the goal.
func (g *Game) Wins(_ bitboard.Slice, dst, room []uint64, run bitboard.Run) error {
	return g.sets.before(dst, nil, room, run)
}

// Before fills a set with the positions from which a turn leads into another. It
// leaves out turns that end the game, as Forward does.
func (g *Game) Before(_ bitboard.Slice, dst, set, room []uint64, run bitboard.Run) error {
	return g.sets.before(dst, set, room, run)
}

// span is how many words of the room are filled at a time.
const span = 1 << 14

func (s *sets) spans() uint64  { return (s.room + span - 1) / span }
func (s *sets) chunks() uint64 { return 1 << (s.high - s.chunk) }

// before asks for the turns that lead into a set, or if it is nil, to a win.
func (s *sets) before(dst, set, room []uint64, run bitboard.Run) error {
	if err := run(s.spans(), func(part uint64) {
		s.begin(room, set, part*span, min((part+1)*span, s.room))
	}); err != nil {
		return err
	}
	// A chunk of words asks those with fewer of the points that tell chunks
	// apart, and itself.
	chunks := s.chunks()
	for n := range s.high - s.chunk + 1 {
		var layer []uint64
		for c := range chunks {
			if bits.OnesCount64(c) == n {
				layer = append(layer, c)
			}
		}
		if err := run(uint64(len(layer)), func(part uint64) {
			s.closeChunk(dst, room, set == nil, layer[part]<<s.chunk)
		}); err != nil {
			return err
		}
	}
	return nil
}

// begin fills words of the room with the positions where a turn may end: those
// in the set, or where the game is won.
func (s *sets) begin(room, set []uint64, lo, hi uint64) {
	for i := lo; i < hi; {
		n := s.standOf(i)
		end := min(hi, s.end(n))
		switch {
		case set == nil && n.score:
			for ; i < end; i++ {
				room[i] = n.free
			}
		case set == nil || i >= s.words:
			clear(room[i:end])
		default:
			from := &s.stands[n.upend]
			for ; i < end; i++ {
				if room[i] = set[from.word(s.upend.apply(n.high(i)))]; room[i] != 0 {
					room[i] = s.upended(room[i])
				}
			}
		}
		i = end
	}
}

// closeChunk follows the turns from the positions of a chunk of words.
func (s *sets) closeChunk(dst, room []uint64, wins bool, men uint64) {
	reach, jumped := make([]uint64, len(s.stands)), make([]uint64, len(s.stands))
	for end := men + 1<<s.chunk; men < end; men++ {
		for i := range s.stands {
			n := &s.stands[i]
			if men&n.own == 0 {
				jumped[i] = s.leaps(n, room, wins, men)
				reach[i] = room[n.word(men)] | jumped[i]
			}
		}
		s.leapWithin(reach, jumped, men)
		for i := range s.stands {
			n := &s.stands[i]
			if men&n.own != 0 {
				continue
			}
			at := n.word(men)
			if i < s.positions {
				// The words with a man more are as they were at the beginning.
				dst[at] = jumped[i]
				if !wins {
					dst[at] |= s.placements(n, room, at)
				}
			}
			room[at] = reach[i]
		}
	}
}

// leaps is what the jumps from a stand reach, those over low men alone left out.
func (s *sets) leaps(n *stand, room []uint64, wins bool, men uint64) uint64 {
	var reached uint64
	for i := range n.apart {
		if l := &n.apart[i]; men&l.test == l.over {
			reached |= room[s.stands[l.to].word(men&^l.over)] & l.fewer << l.shift
		}
	}
	if wins {
		for i := range n.exits {
			if l := &n.exits[i]; men&l.test == l.over {
				reached |= l.fewer << l.shift
			}
		}
	}
	return reached & n.free
}

// leapWithin adds what the jumps over low men alone reach. These lead from one
// position to another of the same word.
func (s *sets) leapWithin(reach, jumped []uint64, men uint64) {
	for again := true; again; {
		again = false
		for _, i := range s.inside {
			n := &s.stands[i]
			if men&n.own != 0 {
				continue
			}
			for k := range n.within {
				if l := &n.within[k]; men&l.test == 0 {
					more := reach[l.to] & l.fewer << l.shift & n.free
					again = again || more&^reach[i] != 0
					reach[i] |= more
					jumped[i] |= more
				}
			}
		}
	}
}

// placements is what placing a man reaches from a word of a stand.
func (s *sets) placements(n *stand, room []uint64, at uint64) uint64 {
	here := room[at]
	var reached uint64
	for v := range s.low {
		reached |= here >> (1 << v) & lacking[v]
	}
	for vacant := (s.end(n) - n.first - 1) &^ (at - n.first); vacant != 0; vacant &= vacant - 1 {
		reached |= room[at+vacant&-vacant]
	}
	return reached & n.free
}

// Members appends the indices of a set's positions.
func (g *Game) Members(_ bitboard.Slice, dst, set []uint64, lo, hi uint64) []uint64 {
	s, x := g.sets, &g.index
	for i := lo; i < hi; i++ {
		if set[i] == 0 {
			continue
		}
		n := s.standOf(i)
		b := &x.balls[n.place]
		if b.mirrors {
			continue
		}
		high := s.men.apply(n.high(i))
		for word := set[i]; word != 0; word &= word - 1 {
			men := high | s.lowMen[bits.TrailingZeros64(word)]
			if !b.centred || x.mirror.apply(men) >= men {
				dst = append(dst, b.base+squeeze(men, n.place))
			}
		}
	}
	return dst
}

// Collect fills a part of a set by the indices.
func (g *Game) Collect(_ bitboard.Slice, set []uint64, lo, hi uint64, chosen func(index uint64) bool) {
	s := g.sets
	for i := lo; i < hi; i++ {
		n := s.standOf(i)
		high := s.men.apply(n.high(i))
		set[i] = 0
		for word := n.free; word != 0; word &= word - 1 {
			if chosen(g.index.rank(high|s.lowMen[bits.TrailingZeros64(word)], n.place)) {
				set[i] |= word & -word
			}
		}
	}
}
