package fanorona

import (
	"math/bits"

	"paika/bitboard"
	"paika/bitboard/ranking"
)

// Values that stored tables leave out are derived for all trailing sets below a leading
// set at once. It is another way than that of kernels, and shares the numbering with them
// and the rules.
//
// A pattern is a capture, and all that it asks of the trailing set: stones that must be
// there, and points that must be free of it. The rest of the set makes no difference to
// the capture. So the patterns of a leading set are found once. Each is then laid over all
// places of the rest, but for one stone of it, whose places are the bits of a word: values
// of what follows are kept so, too.

// valueRows are the values of a slice as bits. Its positions are sorted by a key, which is
// the stones of one side up to symmetry, and those of the other but for one, the rest. A
// row has a bit for each point where that one can stand.
type valueRows struct {
	keys  *ranking.Classes[uint64]
	rest  int      // stones in a rest
	per   uint64   // rests to a class of keys
	words []uint64 // by class and rest; two to a row, lost and drawn, or those of replies
}

// A lookahead derives the values of positions of one slice that have a capture, or their
// depths.
type lookahead struct {
	game     *Game
	own, opp int
	ownLeads bool
	replies  *replies      // where there are depths
	width    uint64        // words to a row
	after    [64]valueRows // what captures lead to, by the number of stones that they leave
}

const (
	// leastFree is how many free points make a lookahead pay, for each stone that trails.
	leastFree = 2

	// mostFound is how many words the rows of a foresight may take. Without depths it
	// does for one stone against seven on 9x5.
	mostFound = 1 << 24

	// valueWidth is the words of a row where there are no depths.
	valueWidth = 2
)

// newLookahead is a slice's, with so many words to a row and no values yet, or nil where it
// does not pay: on boards that are rather full, and where one leading set has very many
// trailing ones.
func (g *Game) newLookahead(s bitboard.Slice, width uint64) *lookahead {
	own, opp := counts(s)
	l := &lookahead{game: g, own: own, opp: opp, ownLeads: leads(own, opp), width: width}
	if places := g.index.size - own - opp + 1; places < leastFree*max(own, opp) || l.foundWords() > mostFound {
		return nil
	}
	return l
}

// rowsAfter is the number of stones in keys and rests where a capture leaves so many.
func (l *lookahead) rowsAfter(left int) (key, rest int) {
	if l.ownLeads {
		return l.own, left - 1
	}
	return left, l.own - 1
}

// foundWords is what the rows of a leading set take, in words: none where each capture takes
// the last stone.
func (l *lookahead) foundWords() uint64 {
	if l.opp == 1 {
		return 0
	}
	return l.width * l.game.index.ways(l.game.index.size-min(l.own, l.opp), max(l.own, l.opp)-1)
}

// room counts the rows of all slices that captures lead to, and those of a leading set.
func (l *lookahead) room() (shared, each uint64) {
	if l == nil {
		return 0, 0
	}
	x := &l.game.index
	for left := 1; left < l.opp; left++ {
		key, rest := l.rowsAfter(left)
		shared = ranking.Sum(shared, ranking.Product(l.width*x.classes[key], x.ways(x.size-key, rest)))
	}
	return shared, l.foundWords()
}

// SparseRoom is the room for rows of values.
func (g *Game) SparseRoom(s bitboard.Slice) (shared, each uint64) {
	return g.newLookahead(s, valueWidth).room()
}

// ValueSparse derives by patterns, where that pays.
func (g *Game) ValueSparse(s bitboard.Slice, known *[bitboard.MaxSlices]bitboard.Packed, run bitboard.Run) (func() bitboard.SparseDeriver, error) {
	l := g.newLookahead(s, valueWidth)
	if l == nil {
		return nil, nil
	}
	err := l.open(run, func(r *valueRows, left int, class uint64) { l.read(r, class, known[slice(left, l.own)]) })
	if err != nil {
		return nil, err
	}
	return func() bitboard.SparseDeriver { return newForesight(l).derive }, nil
}

// open makes the rows of all slices that captures lead to. read fills those of a class.
func (l *lookahead) open(run bitboard.Run, read func(r *valueRows, left int, class uint64)) error {
	x := &l.game.index
	for left := 1; left < l.opp; left++ {
		key, rest := l.rowsAfter(left)
		r := &l.after[left]
		*r = valueRows{keys: x.sets(key), rest: rest, per: x.ways(x.size-key, rest)}
		classes := uint64(len(r.keys.Representatives))
		r.words = make([]uint64, l.width*classes*r.per)
		if err := run(classes, func(class uint64) { read(r, left, class) }); err != nil {
			return err
		}
	}
	return nil
}

// read fills the rows of a class from a table, in which the opponent is to move.
func (l *lookahead) read(r *valueRows, class uint64, table bitboard.Packed) {
	x, key := &l.game.index, r.keys.Representatives[class]
	words := r.words[2*class*r.per:][:2*r.per]
	c := x.walker(r.keys, bits.OnesCount64(key), r.rest+1)
	c.enter(class)
	c.first()
	var ranks [64]uint64
	for more := true; more; more = c.step() {
		v := table.At(l.indexAfter(&c, key))
		if v == bitboard.Win {
			continue
		}
		c.ranksWithout(&ranks, c.trailing)
		for j := range c.trailing {
			at := 2 * ranks[j&63]
			if v != bitboard.Loss {
				at++
			}
			words[at] |= c.free[c.subset.At(j)&63].points
		}
	}
}

// indexAfter is the index of a position after a capture, of a key and the cursor's set.
func (l *lookahead) indexAfter(c *cursor, key uint64) uint64 {
	switch x := &l.game.index; {
	case l.ownLeads && leads(c.trailing, l.own):
		return x.rankPosition(Position{Own: c.set(), Opp: key}, c.trailing, l.own)
	case c.frame.fixers != 0:
		return x.rank(&c.frame, c.set())
	}
	return c.frame.base + c.rank
}

// A pattern is a capture, and what it asks of the trailing set.
type pattern struct {
	stones uint64 // that must be there
	shut   uint64 // points that must be free of it
	moved  uint64 // where the stones are that are still there afterwards
	rows   *valueRows
	frame  frame // of the key afterwards, with rows for positions
}

// A foresight lays the patterns of one leading set after the other. It is for one
// goroutine.
type foresight struct {
	*lookahead
	trailing int
	class    uint64 // of the leading set in hand
	free     uint64
	found    []uint64 // by trailing set without one stone; two to a row, won and drawn, or those of replies
	sums     rankSums // of the pattern in hand
	squeeze  squeeze  // of the free points
	ranks    [64]uint64

	// Of the positions that differ in their lowest trailing stone, where there are depths: the
	// others of these stones, and the best reply by place.
	upper uint64
	best  [64]uint8
}

func newForesight(l *lookahead) *foresight {
	return &foresight{lookahead: l, trailing: max(l.own, l.opp), class: nowhere, found: make([]uint64, l.foundWords())}
}

// derive is a bitboard.SparseDeriver. What is left out has turns.
func (f *foresight) derive(values bitboard.Packed, held []uint64, lo, hi uint64) (over uint64) {
	c, first, word := f.game.cursor(f.own, f.opp), lo, lo&^31
	clear(held)
	for lo < hi {
		c.enter(lo / c.per)
		f.game.markTargets(&c, f.ownLeads)
		f.take(&c)
		end := min(hi, c.frame.base+c.per)
		for c.seek(lo); ; {
			many, lowest := min(end-lo, uint64(c.stretch())), c.subset.At(0)&63
			all := ^uint64(0) >> (64 - many) << lowest
			won, lost, quiet := f.values(&c, all)
			values.SetBits(lo-word, all&^quiet>>lowest, won>>lowest, lost>>lowest)
			orBits(held, lo-first, quiet>>lowest)
			if lo += many; lo == end {
				break
			}
			c.skip(many)
		}
	}
	return 0
}

// orBits sets 64 bits from a place on where they are set. Zeros may reach beyond the array.
func orBits(dst []uint64, at, word uint64) {
	if word == 0 {
		return
	}
	dst[at/64] |= word << (at % 64)
	if rest := word >> 1 >> (63 - at%64); rest != 0 {
		dst[at/64+1] |= rest
	}
}

// values are those of the cursor's position and of others in its stretch, a bit for each
// place of the lowest trailing stone, by its number among the free points. What is neither is
// a draw, and so is a gap. Quiet positions are not left out. Marks tell them fast, as they tell
// kernels; where no pattern was found, the rules have the last word.
func (f *foresight) values(c *cursor, places uint64) (won, lost, quiet uint64) {
	places = c.withoutGaps(places)
	quiet = c.quietAmong(places)
	places &^= quiet
	if f.opp == 1 {
		still := f.quietByRules(c, places)
		return places &^ still, 0, quiet | still // a capture takes the last stone
	}
	won, drawn := f.gather(c, places)
	lost = places &^ (won | drawn)
	still := f.quietByRules(c, lost)
	return won, lost &^ still, quiet | still
}

// quietByRules picks the places of the cursor's lowest stone without a capture.
func (f *foresight) quietByRules(c *cursor, places uint64) (quiet uint64) {
	lead := c.leading.Representatives[c.class]
	for ; places != 0; places &= places - 1 {
		p := Position{lead, c.setWith(places)}
		if !f.ownLeads {
			p.Own, p.Opp = p.Opp, p.Own
		}
		if f.game.Quiet(p) {
			quiet |= places & -places
		}
	}
	return quiet
}

// gather collects what patterns have found for places of the lowest trailing stone. In the row
// without it that is the row itself. Those without another stone follow each other as the
// lowest one rises; they are looked at for places that do not win so far.
func (f *foresight) gather(c *cursor, places uint64) (won, drawn uint64) {
	many := 2 // one of two rows has the stone that captures
	if f.ownLeads {
		many = c.trailing // one of all has a stone that is not taken, or the last one taken
	}
	c.ranksWithout(&f.ranks, many)
	row := f.found[2*f.ranks[0]:][:2]
	won, drawn = f.squeeze.apply(row[0])&places, f.squeeze.apply(row[1])&places
	lowest := uint64(c.subset.At(0))
	for j := 1; j < many; j++ {
		open := places &^ won
		if open == 0 {
			break
		}
		stone := bits.TrailingZeros64(c.free[c.subset.At(j)&63].points)
		rows := f.found[2*(f.ranks[j&63]-lowest):][:2*bits.Len64(open)]
		for ; open != 0; open &= open - 1 {
			k := bits.TrailingZeros64(open)
			won |= rows[2*k] >> (stone & 63) & 1 << (k & 63)
			drawn |= rows[2*k+1] >> (stone & 63) & 1 << (k & 63)
		}
	}
	return won, drawn
}

// take takes up the cursor's leading set, unless it is in hand.
func (f *foresight) take(c *cursor) {
	f.upper = nowhere
	if f.class == c.class || f.opp == 1 {
		return
	}
	f.class, f.free, f.squeeze = c.class, c.frame.free, newSqueeze(c.frame.free)
	f.empty()
	lead := f.game.points &^ f.free
	if f.ownLeads {
		for rest := lead; rest != 0; rest &= rest - 1 {
			from := rest & -rest
			f.chase(lead^from, from, from, 0, 0, 0)
		}
		return
	}
	for rest := f.free; rest != 0; rest &= rest - 1 {
		from := rest & -rest
		f.roam(from, from, from, lead, 0)
	}
}

// chase finds the patterns of a stone of the leading set, which has come to a point. The
// points that it has stood on are given, the trailing stones that it has taken, and the
// points that have to be empty for that.
func (f *foresight) chase(others, at, stood, taken, empty uint64, barred uint8) {
	g := f.game
	for d := range uint8(directions) {
		to := g.steps[bits.TrailingZeros64(at)&63][d].to
		if to == 0 || to&(others|stood) != 0 || barred>>d&1 != 0 {
			continue
		}
		bars := barred&g.keepBars | g.bars[d]
		f.runs(to, d, others, to, stood|to, taken, empty|to&^taken, bars)
		f.runs(at, d^1, others, to, stood|to, taken, empty|to&^taken, bars)
	}
}

// runs lays a pattern for each length of the run of stones that a step to a point takes,
// next to the point from and on in a direction. It goes on from there.
func (f *foresight) runs(from uint64, d uint8, others, to, stood, taken, empty uint64, bars uint8) {
	g := f.game
	none := others | stood | taken | empty // no stone can be taken there
	next := g.steps[bits.TrailingZeros64(from)&63][d].to
	for many := bits.OnesCount64(taken); next&^none != 0 && many < f.trailing; {
		taken |= next
		many++
		next = g.steps[bits.TrailingZeros64(next)&63][d].to
		ends := empty | next&^none
		if many == f.trailing {
			first := taken & -taken
			f.noteWon(g.index.rankSet(taken^first, f.free), first)
			return
		}
		p := pattern{stones: taken, shut: ends, rows: &f.after[f.trailing-many]}
		p.frame = g.index.frame(others|to, f.own, p.rows.rest)
		f.lay(&p, f.free&^(taken|ends), p.rows.rest)
		f.chase(others, to, stood, taken, ends, bars)
	}
}

// noteWon notes captures that take all stones.
func (f *foresight) noteWon(rank, places uint64) {
	if f.replies != nil {
		f.noteLast(rank, places)
		return
	}
	f.found[2*rank] |= places
}

// roam finds the patterns of a trailing stone that began at a point and has come to
// another. The points that it has stood on are given, and what is left of the leading set.
func (f *foresight) roam(from, at, stood, left uint64, barred uint8) {
	g := f.game
	for d := range uint8(directions) {
		s := &g.steps[bits.TrailingZeros64(at)&63][d]
		if s.hits&left == 0 || s.to&(left|stood) != 0 || barred>>d&1 != 0 {
			continue
		}
		approach, withdrawal := g.captured(left, at, d)
		for _, taken := range [...]uint64{approach, withdrawal} {
			if taken == 0 {
				continue
			}
			f.arrive(from, s.to, stood|s.to, left&^taken)
			f.roam(from, s.to, stood|s.to, left&^taken, barred&g.keepBars|g.bars[d])
		}
	}
}

// arrive lays the pattern of a trailing stone that has taken all but those left.
func (f *foresight) arrive(from, to, stood, left uint64) {
	p := pattern{stones: from, shut: stood &^ from, moved: to}
	if many := bits.OnesCount64(left); many > 0 {
		p.rows = &f.after[many]
		p.frame = f.game.index.frame(left, many, p.rows.rest)
	}
	f.lay(&p, f.free&^stood, f.trailing-2)
}

// empty has nothing found.
func (f *foresight) empty() {
	if f.replies == nil {
		clear(f.found)
		return
	}
	for k := range f.found {
		f.found[k] = ^uint64(0)
	}
}

// lay lays a pattern over all places of so many more stones.
func (f *foresight) lay(p *pattern, places uint64, more int) {
	x := &f.game.index
	if more == 0 {
		f.note(p, 0, x.rankSet(p.stones, f.free))
		return
	}
	f.layOver(p, places, 0, f.sums.begin(x, f.free, p.stones, more), more)
}

// layOver lays a pattern with some stones beside it, which have a rank with its own but for
// what more add. The highest go first: then rows follow each other, as far as can be.
func (f *foresight) layOver(p *pattern, places, stones, rank uint64, more int) {
	adds := &f.sums.adds[more&63]
	for places != 0 {
		at := (bits.Len64(places) - 1) & 63
		places ^= 1 << at
		if more == 1 {
			f.note(p, stones|1<<at, rank+adds[at])
		} else {
			f.layOver(p, places, stones|1<<at, rank+adds[at], more-1)
		}
	}
}

// note notes what a pattern comes to beside some stones, wherever one more stands.
func (f *foresight) note(p *pattern, stones, rank uint64) {
	if f.replies != nil {
		f.noteReplies(p, stones, rank)
		return
	}
	x := &f.game.index
	lost, drawn := ^uint64(0), uint64(0) // where no stone is left
	if p.rows != nil {
		after := x.apply(p.frame.symmetry, p.moved|stones)
		at := 2 * (p.frame.base + x.rankSet(after, p.frame.free))
		lost, drawn = p.rows.words[at], p.rows.words[at+1]
		if lost|drawn == 0 {
			return
		}
		back := x.inverses[p.frame.symmetry&7]
		lost, drawn = x.apply(back, lost), x.apply(back, drawn)
	}
	f.found[2*rank] |= lost &^ p.shut
	f.found[2*rank+1] |= drawn &^ p.shut
}

// rankSums rank sets of the same stones and some more, by what each of these adds. A stone
// adds what itself counts for, and what those of the same stones that lie above it count for
// more with one more below.
type rankSums struct {
	free, same uint64
	more       int
	none       uint64         // the rank but for what is added
	adds       [64][64]uint64 // by the number of stones up to it, itself among them, and by point
}

// begin takes up stones that are the same in all sets, and tells what the ranks have without
// so many more.
func (r *rankSums) begin(x *index, free, same uint64, more int) (none uint64) {
	if free == r.free && same == r.same && more == r.more {
		return r.none
	}
	r.free, r.same, r.more = free, same, more
	var counts [65]uint64 // of the same stones so far, by the number of others below them
	below, stones := 0, 0
	for rest := free; rest != 0; rest &= rest - 1 {
		ways := &x.pascal[below&63]
		if same&rest&-rest != 0 {
			stones++
			for others := range more + 1 {
				counts[others] += ways[(others+stones)&63]
			}
		} else {
			at := bits.TrailingZeros64(rest)
			for others := range more {
				r.adds[(others+1)&63][at&63] = ways[(others+stones+1)&63] + counts[others] - counts[others+1]
			}
		}
		below++
	}
	r.none = counts[more]
	return r.none
}
