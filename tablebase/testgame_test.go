package tablebase

import (
	"fmt"
	"math/rand/v2"

	"paika/bitboard"
)

// graphGame is a game on a random graph, seen from the side to move. Slices
// come in pairs that are solved together, "2v1" with "1v2" and so on; turns stay
// in the pair, go to an earlier one, or end the game outside of all slices.
// An index stands for up to four positions, or is a gap.
type graphGame struct {
	pairs   int
	indices uint64
	nodes   [][]graphNode // by slice and index
	sparse  int           // the pair stored with values left out; 0, which never is, for none
}

type graphNode struct {
	weight uint8
	ended  bitboard.Value // where there are no turns
	turns  []graphPos
}

// graphPos is image number Image of a node.
type graphPos struct {
	Slice bitboard.Slice
	Index uint32
	Image uint8
}

// outside is the slice of positions that no table has.
const outside bitboard.Slice = 99

func newGraphGame(seed uint64, pairs int, indices uint64) *graphGame {
	g := &graphGame{pairs: pairs, indices: indices}
	random := rand.New(rand.NewPCG(seed, 1))
	for s := range bitboard.Slice(2 * pairs) {
		nodes := make([]graphNode, g.Indices(s))
		for i := range nodes {
			nodes[i].weight = uint8(random.IntN(5))
		}
		g.nodes = append(g.nodes, nodes)
	}
	for s := range g.nodes {
		for i := range g.nodes[s] {
			g.connect(random, bitboard.Slice(s), &g.nodes[s][i])
		}
	}
	return g
}

// connect gives a node its turns: mostly few, so that long lines arise.
func (g *graphGame) connect(random *rand.Rand, s bitboard.Slice, n *graphNode) {
	count := random.IntN(4)
	if random.IntN(8) == 0 {
		count = 8
	}
	n.ended = []bitboard.Value{bitboard.Loss, bitboard.Loss, bitboard.Draw, bitboard.Win}[random.IntN(4)]
	for range count {
		switch random.IntN(20) {
		case 0:
			n.turns = append(n.turns, graphPos{Slice: outside, Index: uint32(random.IntN(2))})
		case 1, 2, 3:
			n.turns = append(n.turns, g.random(random, bitboard.Slice(random.IntN(int(s|1)+1))))
		default:
			n.turns = append(n.turns, g.random(random, s^1))
		}
	}
}

// random is a position of a slice that is no gap.
func (g *graphGame) random(random *rand.Rand, s bitboard.Slice) graphPos {
	for {
		i := random.IntN(len(g.nodes[s]))
		if w := g.nodes[s][i].weight; w > 0 {
			return graphPos{s, uint32(i), uint8(random.IntN(int(w)))}
		}
	}
}

func (g *graphGame) Turns(dst []graphPos, p graphPos) []graphPos {
	if p.Slice == outside {
		return dst
	}
	for _, q := range g.nodes[p.Slice][p.Index].turns {
		if q.Slice != outside {
			q.Image = (q.Image + p.Image) % g.nodes[q.Slice][q.Index].weight
		}
		dst = append(dst, q)
	}
	return dst
}

func (g *graphGame) Ended(p graphPos) bitboard.Value {
	if p.Slice == outside {
		return []bitboard.Value{bitboard.Loss, bitboard.Draw}[p.Index]
	}
	return g.nodes[p.Slice][p.Index].ended
}

// LeavesOut tells of the slices of one pair that they are stored without the
// positions whose turns all lead to what is held.
func (g *graphGame) LeavesOut(s bitboard.Slice) bool {
	return g.sparse > 0 && s < outside && int(s/2) == g.sparse
}

func (g *graphGame) Holds(p graphPos) bool {
	turns := g.Turns(nil, p)
	if !g.LeavesOut(p.Slice) || len(turns) == 0 {
		return true
	}
	for _, q := range turns {
		if g.LeavesOut(q.Slice) {
			return true
		}
	}
	return false
}

func (g *graphGame) Held(dst []uint64, s bitboard.Slice, lo, hi uint64) {
	clear(dst)
	for i := lo; i < hi; i++ {
		if p, weight := g.Unrank(s, i); weight > 0 && g.Holds(p) {
			dst[(i-lo)/64] |= 1 << ((i - lo) % 64)
		}
	}
}

func (g *graphGame) Groups() ([]bitboard.Group, error) {
	var groups []bitboard.Group
	for pair := range g.pairs {
		a := bitboard.Slice(2 * pair)
		group := bitboard.Group{Slices: []bitboard.Slice{a, a + 1}}
		for need := range a {
			group.Needs = append(group.Needs, need)
		}
		groups = append(groups, group)
	}
	return groups, nil
}

func (g *graphGame) Pieces(s bitboard.Slice) int { return 2*int(s/2) + 3 }

func (g *graphGame) SliceName(s bitboard.Slice) string {
	n := int(s / 2)
	if s%2 == 0 {
		return fmt.Sprintf("%dv%d", n+2, n+1)
	}
	return fmt.Sprintf("%dv%d", n+1, n+2)
}

func (g *graphGame) ParseSlice(name string) (bitboard.Slice, error) {
	for s := range bitboard.Slice(2 * g.pairs) {
		if g.SliceName(s) == name {
			return s, nil
		}
	}
	return 0, fmt.Errorf("no slice %q", name)
}

func (g *graphGame) Indices(s bitboard.Slice) uint64 { return g.indices + uint64(s) }

func (g *graphGame) Positions(s bitboard.Slice) (sum uint64) {
	for _, n := range g.nodes[s] {
		sum += uint64(n.weight)
	}
	return sum
}

func (g *graphGame) SliceOf(p graphPos) bitboard.Slice { return p.Slice }

func (g *graphGame) Rank(p graphPos) (bitboard.Slice, uint64) { return p.Slice, uint64(p.Index) }

func (g *graphGame) Unrank(s bitboard.Slice, index uint64) (graphPos, int) {
	return graphPos{Slice: s, Index: uint32(index)}, int(g.nodes[s][index].weight)
}

func (g *graphGame) Walk(s bitboard.Slice, lo, hi uint64, yield func(uint64, graphPos, int) bool) {
	for i := lo; i < hi; i++ {
		if p, weight := g.Unrank(s, i); weight > 0 && !yield(i, p, weight) {
			return
		}
	}
}

func (g *graphGame) Format(p graphPos, _ bitboard.Side) string {
	return fmt.Sprintf("%s/%d.%d", g.SliceName(p.Slice), p.Index, p.Image)
}

// Pass leads to the same index of the other slice of the pair, where that has
// one that is no gap.
func (g *graphGame) Pass(p graphPos) (passed graphPos, exists bool) {
	other := g.nodes[p.Slice^1]
	if int(p.Index) >= len(other) || other[p.Index].weight == 0 {
		return p, false
	}
	return graphPos{Slice: p.Slice ^ 1, Index: p.Index}, true
}

// solution is the game solved the slow way: by distance, one pass each.
type solution struct {
	game   *graphGame
	solved [][]bool
	depths [][]bitboard.Depth // draws where not solved
}

func (g *graphGame) solve() *solution {
	sol := &solution{game: g}
	for s := range g.nodes {
		sol.solved = append(sol.solved, make([]bool, len(g.nodes[s])))
		sol.depths = append(sol.depths, make([]bitboard.Depth, len(g.nodes[s])))
	}
	for pair := range g.pairs {
		for distance := 0; ; distance++ {
			first := sol.pass(bitboard.Slice(2*pair), distance)
			second := sol.pass(bitboard.Slice(2*pair+1), distance)
			if !first && !second && distance > sol.longest() {
				break
			}
		}
	}
	return sol
}

func (sol *solution) longest() (most int) {
	for _, depths := range sol.depths {
		for _, d := range depths {
			most = max(most, d.Distance())
		}
	}
	return most + 1
}

// pass finds the wins and losses of one distance.
func (sol *solution) pass(s bitboard.Slice, distance int) (found bool) {
	for i := range sol.solved[s] {
		p, weight := sol.game.Unrank(s, uint64(i))
		if weight == 0 || sol.solved[s][i] {
			continue
		}
		if d, ok := sol.derive(p); ok && d.Distance() == distance {
			sol.depths[s][i], sol.solved[s][i], found = d, true, true
		}
	}
	return found
}

func (sol *solution) derive(p graphPos) (bitboard.Depth, bool) {
	turns := sol.game.Turns(nil, p)
	if len(turns) == 0 {
		return bitboard.MakeDepth(sol.game.Ended(p), 0), sol.game.Ended(p) != bitboard.Draw
	}
	best, worst, lost := bitboard.MaxDistance, 0, true
	for _, q := range turns {
		d, known := sol.at(q)
		switch {
		case known && d.Value() == bitboard.Loss:
			best = min(best, d.Distance())
		case known && d.Value() == bitboard.Win:
			worst = max(worst, d.Distance())
		default:
			lost = false
		}
	}
	if best < bitboard.MaxDistance {
		return bitboard.MakeDepth(bitboard.Win, best+1), true
	}
	if lost {
		return bitboard.MakeDepth(bitboard.Loss, worst+1), true
	}
	return 0, false
}

func (sol *solution) at(q graphPos) (bitboard.Depth, bool) {
	if q.Slice == outside {
		v := sol.game.Ended(q)
		return bitboard.MakeDepth(v, 0), v != bitboard.Draw
	}
	return sol.depths[q.Slice][q.Index], sol.solved[q.Slice][q.Index]
}

// table is a slice as a solver hands it to Save.
func (sol *solution) table(m bitboard.Metric, s bitboard.Slice) *bitboard.Table {
	if m == bitboard.DTW {
		return &bitboard.Table{Slice: s, DTW: append([]bitboard.Depth(nil), sol.depths[s]...)}
	}
	t := newTable(m, s, uint64(len(sol.depths[s])))
	for i, d := range sol.depths[s] {
		t.WDL.Or(uint64(i), d.Value())
	}
	return t
}

// quiet tells whether play inside the pair decides an index: it does where the
// game is over, and where a turn stays in the pair, unless a turn out of all
// slices wins.
func (g *graphGame) quiet(s bitboard.Slice, index uint64) bool {
	n := g.nodes[s][index]
	stays := len(n.turns) == 0
	for _, q := range n.turns {
		if q.Slice == outside && g.Ended(q) == bitboard.Loss {
			return false
		}
		stays = stays || q.Slice/2 == s/2
	}
	return stays
}

// summary counts a slice.
func (sol *solution) summary(m bitboard.Metric, s bitboard.Slice) bitboard.Summary {
	sum := bitboard.Summary{Slice: s, LongestWin: bitboard.UnknownDistance, LongestLoss: bitboard.UnknownDistance}
	for i, d := range sol.depths[s] {
		weight := uint64(sol.game.nodes[s][i].weight)
		if weight == 0 {
			continue
		}
		if sol.game.quiet(s, uint64(i)) {
			sum.Inside += weight
		}
		switch d.Value() {
		case bitboard.Win:
			sum.Win += weight
			sum.LongestWin = max(sum.LongestWin, d.Distance())
		case bitboard.Loss:
			sum.Loss += weight
			sum.LongestLoss = max(sum.LongestLoss, d.Distance())
		default:
			sum.Draw += weight
		}
	}
	if m == bitboard.WDL {
		sum.LongestWin, sum.LongestLoss = bitboard.UnknownDistance, bitboard.UnknownDistance
	}
	return sum
}
