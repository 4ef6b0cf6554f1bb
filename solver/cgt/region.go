package cgt

import "iter"

// region is a part of a position that play outside does not touch: its points,
// and the stones of Black and White that stand on them.
type region[S plane[S]] struct {
	points S
	stones [2]S
}

// turns yields the region after each turn of a colour.
func (r region[S]) turns(colour int) iter.Seq[region[S]] {
	return func(yield func(region[S]) bool) {
		own, opp := r.stones[colour], r.stones[colour^1]
		empty := r.points.without(own).without(opp)
		var none S
		for d := range directions {
			first, _, _ := own.jumps(opp, empty, d)
			for first != none {
				after, at := r, first.lowest()
				first = first.without(at)
				for _, over, onto := at.jumps(opp, empty, d); onto != none; _, over, onto = at.jumps(opp, empty, d) {
					after.stones[colour] = after.stones[colour].without(at).or(onto)
					after.stones[colour^1] = after.stones[colour^1].without(over)
					if !yield(after) {
						return
					}
					at = onto
				}
			}
		}
	}
}

// regions takes a position apart. A jump is possible some time only if its
// three points can come to hold the right stones, were each player free to make
// all the jumps of either colour: that bounds what play can touch. Jumps that
// share a point belong to one region.
func (r region[S]) regions() []region[S] {
	reached := r.stones
	vacant := r.points.without(reached[0]).without(reached[1])
	for grows := true; grows; {
		grows = false
		for colour := range reached {
			for d := range directions {
				first, second, third := reached[colour].jumps(reached[colour^1], vacant, d)
				reach, vacate := reached[colour].or(third), vacant.or(first).or(second)
				grows = grows || reach != reached[colour] || vacate != vacant
				reached[colour], vacant = reach, vacate
			}
		}
	}
	var jumps [directions]S // possible ones, by direction, as their first points
	var rest, none S
	for d := range directions {
		for colour := range reached {
			first, second, third := reached[colour].jumps(reached[colour^1], vacant, d)
			jumps[d] = jumps[d].or(first)
			rest = rest.or(first).or(second).or(third)
		}
	}
	var parts []region[S]
	for rest != none {
		part := flood(rest.lowest(), &jumps)
		rest = rest.without(part)
		parts = append(parts, region[S]{part, [2]S{r.stones[0].and(part), r.stones[1].and(part)}})
	}
	return parts
}

// flood is the points connected by jumps to those of a set.
func flood[S plane[S]](set S, jumps *[directions]S) S {
	for {
		grown := set
		for d, first := range jumps {
			grown = grown.grown(first, d)
		}
		if grown == set {
			return set
		}
		set = grown
	}
}

// normal is the region, moved to the lower left corner, in the one of its eight
// orientations that comes first in order.
func (r region[S]) normal() region[S] {
	best := r.oriented(0)
	for orientation := 1; orientation < 8; orientation++ {
		points := r.points.image(orientation)
		if best.points.before(points.toCorner(points.corner())) {
			continue // as it is mostly
		}
		if image := r.oriented(orientation); image.before(&best) {
			best = image
		}
	}
	return best
}

// oriented mirrors files, ranks and the diagonal by the bits of orientation and
// moves the region to the lower left corner.
func (r region[S]) oriented(orientation int) region[S] {
	points := r.points.image(orientation)
	file, rank := points.corner()
	return region[S]{points.toCorner(file, rank), [2]S{
		r.stones[0].image(orientation).toCorner(file, rank), r.stones[1].image(orientation).toCorner(file, rank),
	}}
}

// before is the order that normal chooses by.
func (r *region[S]) before(s *region[S]) bool {
	switch {
	case r.points != s.points:
		return r.points.before(s.points)
	case r.stones[0] != s.stones[0]:
		return r.stones[0].before(s.stones[0])
	}
	return r.stones[1].before(s.stones[1])
}
