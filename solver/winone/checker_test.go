package winone

import (
	"slices"

	"paika/bitboard"
	"paika/bitboard/phutball"
)

// checker checks why no series wins, step by step. It shares nothing with the solver:
// it has its jumps from the board, by files and ranks, and its own propagation, in
// which it looks at everything each time. It knows the rules that are the default, and
// Ohs to move.
//
// Variables from 1: a hop is made; a hop is the first; a hop follows another. A clause
// is accepted if what it forbids leads to a contradiction by propagation alone, of the
// rules for series and of the clauses accepted before.
type checker struct {
	hops     []hop
	byEnds   map[[2]bitboard.Point]int
	first    map[int]int    // by hop: the variable
	follow   map[[2]int]int // by hops: the variable
	in, out  [][]pass       // by hop
	clears   [][]int        // by hop: hops for which it takes a man away
	clearers [][]int        // by hop: those that do so for it
	own      []men          // by hop
	lands    []bool         // by hop: on a man
	groups   [][]int        // of variables, at most one true
	inGroups [][]int        // by variable
	clauses  [][]int
	occurs   [][]int // by literal, twice a variable and one more if negated: clauses
	values   []int8  // by variable
	trail    []int
	refuted  bool // no series wins
}

// hop is a jump that the board may allow at some time.
type hop struct {
	from, to bitboard.Point
	men      []bitboard.Point
	goal     bool
}

// pass is a link as one of its hops sees it.
type pass struct{ other, variable int }

func newChecker(l phutball.Layout) *checker {
	c := &checker{byEnds: map[[2]bitboard.Point]int{}, first: map[int]int{}, follow: map[[2]int]int{}}
	n := naiveOf(l, phutball.Rules{}, 0)
	over := map[bitboard.Point][]int{}
	for rank := range l.Board.Height - 1 {
		for file := range l.Board.Width {
			c.hopsFrom(n, bitboard.Point{File: file, Rank: rank})
		}
	}
	numbered := numberedMen(c.hops)
	for i, h := range c.hops {
		c.own = append(c.own, ownMen(h, numbered))
		c.byEnds[[2]bitboard.Point{h.from, h.to}] = i
		c.lands = append(c.lands, n.men[h.to])
		for _, man := range h.men {
			over[man] = append(over[man], i)
		}
	}
	c.in, c.out = make([][]pass, len(c.hops)), make([][]pass, len(c.hops))
	c.clears, c.clearers = make([][]int, len(c.hops)), make([][]int, len(c.hops))
	c.values = make([]int8, len(c.hops)+1)
	c.link(l.Ball)
	c.inGroups, c.occurs = make([][]int, len(c.values)), make([][]int, 2*len(c.values))
	for _, hops := range over {
		c.atMostOne(numbers(hops))
	}
	c.series()
	for i := range c.hops {
		c.landing(i, over)
	}
	c.refuted = !c.begin()
	return c
}

// hopsFrom lists the hops from a point: over any men in line, if all or some of those
// behind them have gone.
func (c *checker) hopsFrom(n *naive, from bitboard.Point) {
	for file := -1; file <= 1; file++ {
		for rank := -1; rank <= 1; rank++ {
			if file == 0 && rank == 0 {
				continue
			}
			to := bitboard.Point{File: from.File + file, Rank: from.Rank + rank}
			for men := []bitboard.Point(nil); n.men[to]; {
				men = append(men, to)
				to.File, to.Rank = to.File+file, to.Rank+rank
				if to.File >= 0 && to.File < n.board.Width && to.Rank >= 0 {
					c.hops = append(c.hops, hop{from, to, slices.Clone(men), to.Rank >= n.board.Height-1})
				}
			}
		}
	}
}

// share tells whether two hops jump the same man.
func share(a, b hop) bool {
	return slices.ContainsFunc(a.men, func(man bitboard.Point) bool { return slices.Contains(b.men, man) })
}

func numbers(hops []int) (variables []int) {
	for _, h := range hops {
		variables = append(variables, h+1)
	}
	return variables
}

func (c *checker) fresh() int {
	c.values = append(c.values, 0)
	return len(c.values) - 1
}

// link makes the variables of what can follow what.
func (c *checker) link(ball bitboard.Point) {
	from := map[bitboard.Point][]int{}
	for i, h := range c.hops {
		from[h.from] = append(from[h.from], i)
		if h.from == ball {
			c.first[i] = c.fresh()
		}
	}
	for i, h := range c.hops {
		for _, j := range from[h.to] {
			if !h.goal && !share(h, c.hops[j]) {
				v := c.fresh()
				c.follow[[2]int{i, j}] = v
				c.out[i] = append(c.out[i], pass{j, v})
				c.in[j] = append(c.in[j], pass{i, v})
			}
		}
	}
}

// series says that hops follow each other from the ball to the goal.
func (c *checker) series() {
	var firsts, goals []int
	for i, h := range c.hops {
		var before, after []int
		for _, p := range c.in[i] {
			before = append(before, p.variable)
			c.add(-p.variable, i+1)
			c.add(-p.variable, p.other+1)
		}
		if v := c.first[i]; v > 0 {
			before = append(before, v)
			firsts = append(firsts, v)
			c.add(-v, i+1)
		}
		for _, p := range c.out[i] {
			after = append(after, p.variable)
		}
		c.atMostOne(before)
		c.add(append(slices.Clone(before), -(i + 1))...)
		if h.goal {
			goals = append(goals, i+1)
			continue
		}
		c.atMostOne(after)
		c.add(append(slices.Clone(after), -(i + 1))...)
	}
	c.add(firsts...)
	c.add(goals...)
	c.atMostOne(firsts)
	c.atMostOne(goals)
}

// landing says that a man on whose place a hop lands is jumped by another, before: one
// that leaves the hop's own men standing and begins and ends in no place of theirs.
func (c *checker) landing(i int, over map[bitboard.Point][]int) {
	if !c.lands[i] {
		return
	}
	clause := []int{-(i + 1)}
	for _, j := range over[c.hops[i].to] {
		if other := c.hops[j]; !share(other, c.hops[i]) && !slices.Contains(c.hops[i].men, other.from) && !slices.Contains(c.hops[i].men, other.to) {
			clause = append(clause, j+1)
			c.clears[j] = append(c.clears[j], i)
			c.clearers[i] = append(c.clearers[i], j)
		}
	}
	c.add(clause...)
}

func (c *checker) atMostOne(variables []int) {
	for _, v := range variables {
		c.inGroups[v] = append(c.inGroups[v], len(c.groups))
	}
	c.groups = append(c.groups, variables)
}

func (c *checker) add(clause ...int) {
	for _, l := range clause {
		c.occurs[at(l)] = append(c.occurs[at(l)], len(c.clauses))
	}
	c.clauses = append(c.clauses, clause)
}

// at is the place of a literal.
func at(l int) int {
	if l < 0 {
		return -2*l + 1
	}
	return 2 * l
}

// accept tells whether a clause follows, and adds it then.
func (c *checker) accept(clause []int) bool {
	if c.refuted {
		return true
	}
	base := len(c.trail)
	follows := false
	for _, l := range clause {
		follows = follows || !c.set(-l)
	}
	follows = follows || !c.settle(base) || !c.settleTwice()
	for _, l := range c.trail[base:] {
		c.values[max(l, -l)] = 0
	}
	c.trail = c.trail[:base]
	if follows {
		c.add(slices.Clone(clause)...)
		c.refuted = !c.look(len(c.clauses)-1) || !c.settle(base)
	}
	return follows
}

// holds is 1 where a literal is true, -1 where it is false.
func (c *checker) holds(l int) int8 {
	if l < 0 {
		return -c.values[-l]
	}
	return c.values[l]
}

// set makes a literal true. It tells false if it is false.
func (c *checker) set(l int) bool {
	switch c.holds(l) {
	case 1:
		return true
	case -1:
		return false
	}
	c.values[max(l, -l)] = 1
	if l < 0 {
		c.values[-l] = -1
	}
	c.trail = append(c.trail, l)
	return true
}

// look makes the last literal of a clause true. It tells false if none is left.
func (c *checker) look(clause int) bool {
	last := 0
	for _, l := range c.clauses[clause] {
		switch c.holds(l) {
		case 1:
			return true
		case 0:
			if last != 0 && last != l {
				return true
			}
			last = l
		}
	}
	return last != 0 && c.set(last)
}

// begin looks at every clause, and settles what follows. It tells false if that is a
// contradiction.
func (c *checker) begin() bool {
	for i := range c.clauses {
		if !c.look(i) {
			return false
		}
	}
	return c.settle(0)
}

// settle makes true what follows from the trail, from a place on. It tells false if
// that is a contradiction.
func (c *checker) settle(from int) bool {
	for {
		for ; from < len(c.trail); from++ {
			if !c.follows(c.trail[from]) {
				return false
			}
		}
		if !c.exclude(c.founded()) || !c.exclude(c.useful()) {
			return false
		}
		if from == len(c.trail) {
			return true
		}
	}
}

// follows makes true what follows from one literal by a clause or group.
func (c *checker) follows(l int) bool {
	for _, clause := range c.occurs[at(-l)] {
		if !c.look(clause) {
			return false
		}
	}
	if l < 0 {
		return true
	}
	for _, group := range c.inGroups[l] {
		for _, v := range c.groups[group] {
			if v != l && !c.set(-v) {
				return false
			}
		}
	}
	return true
}

// exclude makes false all hops but some.
func (c *checker) exclude(kept []bool) bool {
	for i, keep := range kept {
		if !keep && !c.set(-(i + 1)) {
			return false
		}
	}
	return true
}

// founded marks the hops that can be reached, one after the other.
func (c *checker) founded() []bool {
	founded, reached, cleared := make([]bool, len(c.hops)), make([]bool, len(c.hops)), make([]bool, len(c.hops))
	var queue []int
	try := func(i int) {
		if !founded[i] && reached[i] && (cleared[i] || !c.lands[i]) && c.values[i+1] >= 0 {
			founded[i] = true
			queue = append(queue, i)
		}
	}
	for i, v := range c.first {
		reached[i] = c.values[v] >= 0
		try(i)
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, p := range c.out[queue[0]] {
			reached[p.other] = reached[p.other] || c.values[p.variable] >= 0
			try(p.other)
		}
		for _, i := range c.clears[queue[0]] {
			cleared[i] = true
			try(i)
		}
	}
	return founded
}

// useful marks the hops from which a way leads to the goal.
func (c *checker) useful() []bool {
	useful := make([]bool, len(c.hops))
	var queue []int
	for i, h := range c.hops {
		if useful[i] = h.goal && c.values[i+1] >= 0; useful[i] {
			queue = append(queue, i)
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, p := range c.in[queue[0]] {
			if !useful[p.other] && c.values[p.variable] >= 0 && c.values[p.other+1] >= 0 {
				useful[p.other] = true
				queue = append(queue, p.other)
			}
		}
	}
	return useful
}

// men is a set of men, by their numbers; nil stands for all of them.
type men []uint64

// and gives the men of both sets.
func (m men) and(other men) men {
	switch {
	case m == nil:
		return other
	case other == nil:
		return m
	}
	both := make(men, len(m))
	for i := range m {
		both[i] = m[i] & other[i]
	}
	return both
}

// or gives the men of either set, none of which is nil.
func (m men) or(other men) men {
	either := make(men, len(m))
	for i := range m {
		either[i] = m[i] | other[i]
	}
	return either
}

// meets tells whether sets have a man in common, none of which is nil.
func (m men) meets(other men) bool {
	for i := range m {
		if m[i]&other[i] != 0 {
			return true
		}
	}
	return false
}

func numberedMen(hops []hop) map[bitboard.Point]int {
	numbered := map[bitboard.Point]int{}
	for _, h := range hops {
		for _, man := range h.men {
			if _, found := numbered[man]; !found {
				numbered[man] = len(numbered)
			}
		}
	}
	return numbered
}

func ownMen(h hop, numbered map[bitboard.Point]int) men {
	own := make(men, (len(numbered)+63)/64)
	for _, man := range h.men {
		own[numbered[man]/64] |= 1 << (numbered[man] % 64)
	}
	return own
}

// settleTwice makes hops false for which some man would surely be jumped twice, and what
// follows. It tells false if that is a contradiction.
func (c *checker) settleTwice() bool {
	for {
		known := len(c.trail)
		if !c.exclude(c.once()) || !c.settle(known) {
			return false
		}
		if len(c.trail) == known {
			return true
		}
	}
}

// once marks the hops before which, with which and after which no man is jumped twice for
// sure. It is repeated until nothing changes.
func (c *checker) once() []bool {
	gone, ahead := c.surelyGone(), make([]men, len(c.hops))
	once := func(i int) bool { return gone[i] != nil && ahead[i] != nil && !gone[i].meets(ahead[i]) }
	for changed := true; changed; {
		changed = false
		for i := len(c.hops) - 1; i >= 0; i-- {
			if c.values[i+1] < 0 || gone[i] == nil {
				continue
			}
			var then men
			if c.hops[i].goal {
				then = make(men, len(c.own[i]))
			}
			for _, p := range c.out[i] {
				if c.values[p.variable] >= 0 && once(p.other) {
					then = then.and(c.own[p.other].or(ahead[p.other]))
				}
			}
			if then != nil && !slices.Equal(then, ahead[i]) {
				ahead[i], changed = then, true
			}
		}
	}
	kept := make([]bool, len(c.hops))
	for i := range kept {
		kept[i] = once(i)
	}
	return kept
}

// surelyGone gives by hop the men who have surely been jumped once it is made, or nil
// where it is not without a man jumped twice.
func (c *checker) surelyGone() []men {
	gone := make([]men, len(c.hops))
	for changed := true; changed; {
		changed = false
		for i := range c.hops {
			if c.values[i+1] < 0 {
				continue
			}
			var when men
			if v := c.first[i]; v > 0 && c.values[v] >= 0 {
				when = make(men, len(c.own[i]))
			}
			for _, p := range c.in[i] {
				if c.values[p.variable] >= 0 {
					when = when.and(gone[p.other])
				}
			}
			if when != nil && c.lands[i] {
				var cleared men
				for _, j := range c.clearers[i] {
					cleared = cleared.and(gone[j])
				}
				if cleared == nil {
					continue
				}
				when = when.or(cleared)
			}
			if when == nil || when.meets(c.own[i]) {
				continue
			}
			if when = when.or(c.own[i]); !slices.Equal(when, gone[i]) {
				gone[i], changed = when, true
			}
		}
	}
	return gone
}
