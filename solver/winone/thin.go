package winone

import (
	"slices"

	"paika/bitboard/phutball"
)

// Of the edges that relaxation leaves on a hard board no winning series jumps a quarter: they
// have no support, or some man would be jumped twice for them. Once they are banned all that
// is done afterwards is about a smaller board. To find them takes milliseconds, and what
// follows takes ten and more.

// thinShare is the share of the edges that a round must ban for another to be worth it.
const thinShare = 1.0 / 64

// thin bans edges of the root's relaxation and relaxes anew, by turns, and tells whether the
// goal may still be within reach. Where a limit is met it tells true.
func (s *Solver) thin(ball phutball.Place) bool {
	for {
		edges := len(s.root.edges)
		banned := s.banUnsupported(ball)
		if banned > 0 && !s.root.run(s.men, ball) {
			return false
		}
		doubled := s.banDoubled(ball)
		if doubled > 0 && !s.root.run(s.men, ball) {
			return false
		}
		if s.clock.stopped() || float64(banned+doubled) < thinShare*float64(edges) {
			return true
		}
	}
}

// banUnsupported bans the edges of the root's relaxation that have no support and tells
// how many it has banned. Where a limit is met it is none.
func (s *Solver) banUnsupported(ball phutball.Place) int {
	g := s.graph()
	if g == nil {
		return 0
	}
	supported := newSupport(g, &s.clock, ball)
	if s.clock.stopped() {
		return 0
	}
	return s.banBut(g, func(e int32) bool { return supported.done[e] })
}

// banDoubled bans the edges for which a man would be jumped twice, in the same way.
func (s *Solver) banDoubled(ball phutball.Place) int {
	g := s.graph()
	if g == nil {
		return 0
	}
	marks := newLandmarks(g, &s.clock, slices.Repeat([]int64{1}, len(g.edges)), make([]bool, g.grid.Places()))
	marks.mark(ball, g.goals(), 1)
	if s.clock.stopped() {
		return 0
	}
	return s.banBut(g, marks.fits)
}

// banBut bans the edges of a graph that are not kept, and tells how many.
func (s *Solver) banBut(g *graph, keep func(e int32) bool) (banned int) {
	for i, e := range g.edges {
		if !keep(int32(i)) && s.bans.add(e.from, int(e.direction), len(g.jumped(int32(i)))+1) {
			banned++
		}
	}
	return banned
}
