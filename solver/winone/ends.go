package winone

// ends guides the solver of a formula: it lets a series grow from its ends, as the
// pincer does, and at the end with fewer ways to go on. So no jumps are supposed that
// nothing leads to; they would have to be brought into the series at any price. Of the
// ways it chooses the most active.
type ends struct{ *formula }

// openings are the variables that an end of the series can go on by.
type openings struct {
	best int // the most active, or none
	many int
}

// Choose gives a way to go on by, or none where the series is whole.
func (n ends) Choose() (variable int) {
	head, tail := n.head(), n.tail()
	if head.many == 0 || tail.many > 0 && tail.many < head.many {
		return tail.best
	}
	return head.best
}

// head gives the ways from where the jumps that are certain lead from the ball.
func (n ends) head() openings {
	var w openings
	at := int32(noEdge)
	for e, end := n.from(n.ball); e < end; e++ {
		if n.meet(&w, n.begins[e]) {
			at = e
		}
	}
	for at != noEdge {
		next := int32(noEdge)
		w = openings{}
		for _, l := range n.out[at] {
			if n.meet(&w, n.linkVariable(l)) {
				next = n.links[l].after
			}
		}
		at = next
	}
	return w
}

// tail gives the ways to where the jumps begin that are certain to lead to the goal.
func (n ends) tail() openings {
	var w openings
	at := int32(noEdge)
	for _, e := range n.endings {
		if n.meet(&w, n.edgeVariable(e)) {
			at = e
		}
	}
	for at != noEdge {
		next := int32(noEdge)
		w = openings{}
		if v := n.begins[at]; v != none {
			n.meet(&w, v)
		}
		for _, l := range n.in[at] {
			if n.meet(&w, n.linkVariable(l)) {
				next = n.links[l].before
			}
		}
		at = next
	}
	return w
}

// meet counts a variable as a way if it is open, and tells whether it is true.
func (n ends) meet(w *openings, v int) bool {
	if n.solver.True(v) {
		return true
	}
	if !n.solver.False(v) {
		if w.many++; w.best == none || n.solver.Activity(v) > n.solver.Activity(w.best) {
			w.best = v
		}
	}
	return false
}
