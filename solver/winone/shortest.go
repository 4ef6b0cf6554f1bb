package winone

import "paika/bitboard/phutball"

// shorten looks for a winning series with fewer jumps than the one found until there
// is none. It tells how many jumps every winning series has at the least: where a
// limit ends it, that may be fewer than the best one found.
//
// It deepens step by step from the relaxed distance, which no series undercuts
// (Korf, "Depth-first iterative-deepening", Artificial Intelligence 27, 1985).
func (s *Solver) shorten(ball phutball.Place) (least int) {
	s.root.run(s.men, ball)
	if s.ended() {
		return 1
	}
	least = int(s.root.distance[ball])
	if len(s.series) > deepest {
		s.clock.met = MemoryLimit
		return least
	}
	for ; least < len(s.series)-1; least++ {
		s.failedEnds.reset()
		s.path = s.path[:0]
		switch (deepening{&s.mover, s.root, &s.failedEnds}).search(ball, least, key{}) {
		case won:
			s.series = append(s.series[:1], s.path...)
			return least
		case undecided:
			s.ended()
			return least
		}
	}
	return least
}

// deepening searches for series of a bounded number of jumps.
type deepening struct {
	*mover
	root   *relaxation
	failed *memory // states with the number of jumps left
}

func (d deepening) search(ball phutball.Place, left int, gone key) verdict {
	state := gone.xor(fact(ballHere, uint64(ball))).xor(fact(jumpsLeft, uint64(left)))
	if d.failed.has(state) {
		return lost
	}
	var c children
	d.expand(&c, ball, d.root.distance)
	for _, next := range c.list[:c.n] {
		if int(next.distance) >= left {
			break
		}
		if d.nodes >= d.most || d.clock.spend(searchWork+d.reach) {
			return undecided
		}
		d.nodes++
		d.path = append(d.path, next.to)
		if next.distance == 0 {
			return won
		}
		direction := int(next.direction)
		after := gone.xor(d.goneBy(ball, next.to, direction))
		d.grid.Clear(d.men, ball, next.to, direction)
		v := d.search(next.to, left-1, after)
		d.grid.Clear(d.men, ball, next.to, direction)
		if v == won {
			return won
		}
		d.path = d.path[:len(d.path)-1]
		if v == undecided {
			return undecided
		}
	}
	d.failed.add(state)
	return lost
}
