package winone

import "paika/bitboard/phutball"

// graph is the edges of a relaxation, and what they have to do with each other.
// It stands for the board from then on: whatever a winning series does, it jumps
// some of these edges.
type graph struct {
	grid  *phutball.Grid
	edges []edge
	first []int32          // by place, and one more: its edges begin here
	begin []int32          // by edge, and one more: its men begin here in runs
	runs  []phutball.Place // by edge: the men jumped
	over  [][]int32        // by point: the edges that jump the man there
	into  [][]int32        // by place: the edges that end there
	lands []bool           // by edge: a man stands where it ends
}

// graphBytes is what the graph of a relaxation takes with what searches it.
func graphBytes(r *relaxation) uint64 {
	return graphPlaceBytes*uint64(r.grid.Places()) + graphEdgeBytes*uint64(len(r.edges)) + graphManBytes*r.jumped
}

// newGraph takes the edges of a relaxation of the men. These are in the order of
// the places where they begin. It is nil where the relaxation's clock stops it.
func newGraph(r *relaxation, men []uint64) *graph {
	n := r.grid.Places()
	g := &graph{
		grid: r.grid, first: make([]int32, n+1), begin: make([]int32, 1, len(r.edges)+1),
		over: make([][]int32, n), into: make([][]int32, n), lands: make([]bool, len(r.edges)),
	}
	for _, e := range r.edges {
		g.first[e.from+1]++
	}
	for p := range n {
		g.first[p+1] += g.first[p]
	}
	g.edges = make([]edge, len(r.edges))
	at := append([]int32(nil), g.first...)
	for _, e := range r.edges {
		g.edges[at[e.from]] = e
		at[e.from]++
	}
	for i, e := range g.edges {
		d := int(e.direction)
		for at := g.grid.Next(e.from, d); at != e.to; at = g.grid.Next(at, d) {
			g.runs = append(g.runs, at)
			g.over[at] = append(g.over[at], int32(i))
		}
		g.begin = append(g.begin, int32(len(g.runs)))
		g.into[e.to] = append(g.into[e.to], int32(i))
		g.lands[i] = g.grid.Man(men, e.to)
		if r.clock.spend(len(g.jumped(int32(i)))) {
			return nil
		}
	}
	return g
}

// from gives the range of edges that begin at a place.
func (g *graph) from(p phutball.Place) (lo, hi int32) { return g.first[p], g.first[p+1] }

// goals lists the places in the goal to which edges lead.
func (g *graph) goals() (places []phutball.Place) {
	for p, into := range g.into {
		if len(into) > 0 && g.grid.Goal(phutball.Place(p)) > 0 {
			places = append(places, phutball.Place(p))
		}
	}
	return places
}

// list lists edges that are numbered.
func (g *graph) list(numbers []int32) (edges []edge) {
	for _, i := range numbers {
		edges = append(edges, g.edges[i])
	}
	return edges
}

// jumped lists the men that an edge jumps.
func (g *graph) jumped(i int32) []phutball.Place { return g.runs[g.begin[i]:g.begin[i+1]] }

// axis is the line on which an edge goes, either way: 0 to 3.
func (g *graph) axis(i int32) uint8 { return uint8(g.edges[i].direction) & 3 }

// spares tells whether an edge that jumps the man where another lands leaves the men
// standing that this other jumps, and neither begins nor ends in the place of one of
// them, where he would have to be gone. It does exactly if the two are not in line:
// else the man before the landing is jumped by both, or is where the first begins or
// ends; and lines that cross have only the landing in common.
func (g *graph) spares(first, second int32) bool { return g.axis(first) != g.axis(second) }

// axes are lines, a bit each.
type axes uint8

// but tells whether there is a line other than one.
func (a axes) but(axis uint8) bool { return a&^(1<<axis) != 0 }
