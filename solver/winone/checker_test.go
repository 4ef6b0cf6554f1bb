package winone

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"paika/bitboard"
	"paika/bitboard/phutball"
)

// checker checks why no series wins, step by step. It shares nothing with the solver:
// it has its jumps from the board, by files and ranks, and its own propagation, in
// which it looks at everything each time. It knows the rules that are the default, and
// Ohs to move.
//
// Variables from 1: a hop is made; one of the hops is that come to a point from one side,
// or leave it there, or jump the man on it on one line. A clause is accepted if what it forbids leads to a contradiction by
// propagation alone, of the rules for series and of the clauses accepted before; or if
// going through all that the ball can do without it does not lead to the goal.
type checker struct {
	layout   phutball.Layout
	hops     []hop
	byEnds   map[[2]bitboard.Point]int
	sides    map[bitboard.Point]*sides
	in, out  [][]int // by hop: those that can come before it, and after
	clears   [][]int // by hop: hops for which it takes a man away
	clearers [][]int // by hop: those that do so for it
	own      []men   // by hop
	lands    []bool  // by hop: on a man
	groups   [][]int // of variables, at most one true
	inGroups [][]int // by variable
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

// sides are the variables of a point: by side, that the ball comes from there, that it
// leaves to there, and that it jumps the man there on the line to that side, which has its
// variable at one of its two ends.
type sides struct{ comes, leaves, takes [9]int }

// lineOf is the end of a line through a point at which the line's variable is.
func lineOf(p, other bitboard.Point) int { return min(sideOf(p, other), 8-sideOf(p, other)) }

// sideOf is the side of a point on which another is.
func sideOf(p, other bitboard.Point) int {
	return 4 + 3*cmp.Compare(other.File, p.File) + cmp.Compare(other.Rank, p.Rank)
}

func newChecker(l phutball.Layout) *checker {
	c := &checker{layout: l, byEnds: map[[2]bitboard.Point]int{}, sides: map[bitboard.Point]*sides{}}
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
	c.in, c.out = make([][]int, len(c.hops)), make([][]int, len(c.hops))
	c.clears, c.clearers = make([][]int, len(c.hops)), make([][]int, len(c.hops))
	c.link()
	c.values = make([]int8, len(c.hops)+1+3*9*len(c.sides))
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

// link lists what can follow what, and the points that hops come to and leave.
func (c *checker) link() {
	from := map[bitboard.Point][]int{}
	for i, h := range c.hops {
		from[h.from] = append(from[h.from], i)
		c.sides[h.from] = &sides{}
		if !h.goal {
			c.sides[h.to] = &sides{}
		}
		for _, man := range h.men {
			c.sides[man] = &sides{}
		}
	}
	for i, h := range c.hops {
		for _, j := range from[h.to] {
			if !h.goal && !share(h, c.hops[j]) {
				c.out[i], c.in[j] = append(c.out[i], j), append(c.in[j], i)
			}
		}
	}
}

// series says that one hop ends in the goal, on which side a hop leaves its beginning and
// comes to its end, and on which line it jumps its men.
func (c *checker) series() {
	var goals []int
	by := map[int][]int{} // by variable of a side: hops
	next := len(c.hops)
	side := func(variable *int, hop int) {
		if *variable == 0 {
			next++
			*variable = next
		}
		c.add(-(hop + 1), *variable)
		by[*variable] = append(by[*variable], hop)
	}
	for i, h := range c.hops {
		side(&c.sides[h.from].leaves[sideOf(h.from, h.to)], i)
		for _, man := range h.men {
			side(&c.sides[man].takes[lineOf(man, h.to)], i)
		}
		if h.goal {
			goals = append(goals, i+1)
		} else {
			side(&c.sides[h.to].comes[sideOf(h.to, h.from)], i)
		}
	}
	for variable, hops := range by {
		c.add(append(numbers(hops), -variable)...)
	}
	for _, s := range c.sides {
		for i, comes := range s.comes {
			if comes > 0 && s.leaves[i] > 0 {
				c.add(-comes, -s.leaves[i]) // the man beside the point goes once
			}
		}
	}
	c.add(goals...)
	c.atMostOne(goals)
}

// balance makes true what follows since the ball leaves a point as often as it comes
// there, once more where it begins. It tells false if that is a contradiction.
func (c *checker) balance() bool {
	for p, s := range c.sides {
		more := 0
		if p == c.layout.Ball {
			more = 1
		}
		if !c.matches(s.comes, s.leaves, more) || !c.matches(s.leaves, s.comes, -more) {
			return false
		}
	}
	return true
}

// matches makes true what follows for sides of which the ball takes so many more the other
// way than one way, or more. It tells false if that is a contradiction.
func (c *checker) matches(one, other [9]int, more int) bool {
	need, room := more, 0
	can := func(i int) bool { return c.values[one[i]] <= 0 && other[i] > 0 && c.values[other[i]] >= 0 }
	for i := range one {
		if c.values[one[i]] > 0 {
			need++
		}
		if can(i) {
			room++
		}
	}
	if need > room {
		return false
	}
	for i := range one {
		left := room
		if can(i) {
			left--
		}
		if one[i] > 0 && c.values[one[i]] == 0 && need+1 > left && !c.set(-one[i]) {
			return false
		}
		if need > 0 && need == room && can(i) && !c.set(other[i]) {
			return false
		}
	}
	return true
}

// acceptExits tells whether no series wins without some hops, since the ball can do little
// without them and does not come to the goal. It adds the clause then.
func (c *checker) acceptExits(hops []int) bool {
	exits, seen := map[[2]bitboard.Point]bool{}, map[string]bool{}
	for _, h := range hops {
		exits[[2]bitboard.Point{c.hops[h].from, c.hops[h].to}] = true
	}
	n := naiveOf(c.layout, phutball.Rules{}, 0)
	var wins func(ball bitboard.Point, gone map[bitboard.Point]bool) bool
	wins = func(ball bitboard.Point, gone map[bitboard.Point]bool) bool {
		state := fmt.Sprint(ball, gone) // fmt sorts maps
		if seen[state] || ball.Rank < 0 {
			return false
		}
		seen[state] = true
		for file := -1; file <= 1; file++ {
			for rank := -1; rank <= 1; rank++ {
				to, jumped := n.jump(ball, file, rank)
				if len(jumped) == 0 {
					continue
				}
				after := maps.Clone(gone)
				for _, man := range jumped {
					after[man] = true
				}
				if !exits[[2]bitboard.Point{ball, to}] && (to.Rank >= n.board.Height-1 || wins(to, after)) {
					return true
				}
				n.put(jumped)
			}
		}
		return false
	}
	if wins(c.layout.Ball, map[bitboard.Point]bool{}) {
		return false
	}
	c.add(numbers(hops)...)
	c.refuted = c.refuted || !c.look(len(c.clauses)-1) || !c.root()
	return true
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
		c.refuted = !c.look(len(c.clauses)-1) || len(c.trail) > base && !c.root()
	}
	return follows
}

// root settles what follows for good. It tells false if that is a contradiction.
func (c *checker) root() bool { return c.settle(0) && c.settleTwice() }

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
	return c.root()
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
		if !c.balance() || !c.exclude(c.founded()) || !c.exclude(c.useful()) {
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
	for i, h := range c.hops {
		reached[i] = h.from == c.layout.Ball
		try(i)
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, i := range c.out[queue[0]] {
			reached[i] = true
			try(i)
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
		for _, i := range c.in[queue[0]] {
			if !useful[i] && c.values[i+1] >= 0 {
				useful[i] = true
				queue = append(queue, i)
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
			for _, j := range c.out[i] {
				if c.values[j+1] >= 0 && once(j) {
					then = then.and(c.own[j].or(ahead[j]))
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
			if c.hops[i].from == c.layout.Ball {
				when = make(men, len(c.own[i]))
			}
			for _, j := range c.in[i] {
				if c.values[j+1] >= 0 {
					when = when.and(gone[j])
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
