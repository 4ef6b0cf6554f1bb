// Package graphgame is a game on a random graph, solved the slow way: what tables are
// tested on. Nothing of it is fast, and all of it is easy to check.
package graphgame

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"paika/bitboard"
)

// Game is a game on a random graph, seen from the side to move. Slices
// come in pairs that are solved together, "2v1" with "1v2" and so on; turns stay
// in the pair, go to an earlier one, or end the game outside of all slices.
// An index stands for up to four positions, or is a gap.
type Game struct {
	Pairs  int      // of slices
	Size   uint64   // indices of the first slice; each of the others has one more
	Nodes  [][]Node // by slice and index
	Sparse int      // the pair that is stored with values left out; 0, which never is, for none
}

// Node is what stands at an index.
type Node struct {
	Weight uint8          // the number of its positions; 0 for a gap
	Ended  bitboard.Value // where there are no turns
	Turns  []Position
}

// Position is image number Image of a node.
type Position struct {
	Slice bitboard.Slice
	Index uint32
	Image uint8
}

// Outside is the slice of positions that no table has.
const Outside bitboard.Slice = 99

// New makes a game by chance, the same one for the same seed.
func New(seed uint64, pairs int, indices uint64) *Game {
	g := &Game{Pairs: pairs, Size: indices}
	random := rand.New(rand.NewPCG(seed, 1))
	for s := range bitboard.Slice(2 * pairs) {
		nodes := make([]Node, g.Indices(s))
		for i := range nodes {
			nodes[i].Weight = uint8(random.IntN(5))
		}
		g.Nodes = append(g.Nodes, nodes)
	}
	for s := range g.Nodes {
		for i := range g.Nodes[s] {
			g.connect(random, bitboard.Slice(s), &g.Nodes[s][i])
		}
	}
	return g
}

// connect gives a node its turns: mostly few, so that long lines arise.
func (g *Game) connect(random *rand.Rand, s bitboard.Slice, n *Node) {
	count := random.IntN(4)
	if random.IntN(8) == 0 {
		count = 8
	}
	n.Ended = []bitboard.Value{bitboard.Loss, bitboard.Loss, bitboard.Draw, bitboard.Win}[random.IntN(4)]
	for range count {
		switch random.IntN(20) {
		case 0:
			n.Turns = append(n.Turns, Position{Slice: Outside, Index: uint32(random.IntN(2))})
		case 1, 2, 3:
			n.Turns = append(n.Turns, g.Random(random, bitboard.Slice(random.IntN(int(s|1)+1))))
		default:
			n.Turns = append(n.Turns, g.Random(random, s^1))
		}
	}
}

// Random is a position of a slice that is no gap.
func (g *Game) Random(random *rand.Rand, s bitboard.Slice) Position {
	for {
		i := random.IntN(len(g.Nodes[s]))
		if w := g.Nodes[s][i].Weight; w > 0 {
			return Position{s, uint32(i), uint8(random.IntN(int(w)))}
		}
	}
}

func (g *Game) Turns(dst []Position, p Position) []Position {
	if p.Slice == Outside {
		return dst
	}
	for _, q := range g.Nodes[p.Slice][p.Index].Turns {
		if q.Slice != Outside {
			q.Image = (q.Image + p.Image) % g.Nodes[q.Slice][q.Index].Weight
		}
		dst = append(dst, q)
	}
	return dst
}

func (g *Game) Ended(p Position) bitboard.Value {
	if p.Slice == Outside {
		return []bitboard.Value{bitboard.Loss, bitboard.Draw}[p.Index]
	}
	return g.Nodes[p.Slice][p.Index].Ended
}

// Build lists the groups of a build that stores the pair Sparse with values left
// out: all up to it, or none.
func (g *Game) Build() []bitboard.Group {
	if g.Sparse == 0 {
		return nil
	}
	groups, _ := g.Groups()
	return groups[:g.Sparse+1]
}

// LeavesOut tells whether a slice is of the pair Sparse.
func (g *Game) LeavesOut(s bitboard.Slice) bool {
	return g.Sparse > 0 && s < Outside && int(s/2) == g.Sparse
}

// Holds tells of the positions whose turns all leave their pair that tables may be
// without them.
func (g *Game) Holds(p Position) bool {
	turns := g.Turns(nil, p)
	if len(turns) == 0 {
		return true
	}
	return slices.ContainsFunc(turns, func(q Position) bool { return q.Slice/2 == p.Slice/2 })
}

func (g *Game) Held(dst []uint64, s bitboard.Slice, lo, hi uint64) {
	clear(dst)
	for i := lo; i < hi; i++ {
		if p, weight := g.Unrank(s, i); weight > 0 && g.Holds(p) {
			dst[(i-lo)/64] |= 1 << ((i - lo) % 64)
		}
	}
}

func (g *Game) Groups() ([]bitboard.Group, error) {
	var groups []bitboard.Group
	for pair := range g.Pairs {
		a := bitboard.Slice(2 * pair)
		group := bitboard.Group{Slices: []bitboard.Slice{a, a + 1}}
		for need := range a {
			group.Needs = append(group.Needs, need)
		}
		groups = append(groups, group)
	}
	return groups, nil
}

func (g *Game) Pieces(s bitboard.Slice) int { return 2*int(s/2) + 3 }

func (g *Game) SliceName(s bitboard.Slice) string {
	n := int(s / 2)
	if s%2 == 0 {
		return fmt.Sprintf("%dv%d", n+2, n+1)
	}
	return fmt.Sprintf("%dv%d", n+1, n+2)
}

func (g *Game) ParseSlice(name string) (bitboard.Slice, error) {
	for s := range bitboard.Slice(2 * g.Pairs) {
		if g.SliceName(s) == name {
			return s, nil
		}
	}
	return 0, fmt.Errorf("no slice %q", name)
}

func (g *Game) Indices(s bitboard.Slice) uint64 { return g.Size + uint64(s) }

func (g *Game) Positions(s bitboard.Slice) (sum uint64) {
	for _, n := range g.Nodes[s] {
		sum += uint64(n.Weight)
	}
	return sum
}

func (g *Game) SliceOf(p Position) bitboard.Slice { return p.Slice }

func (g *Game) Rank(p Position) (bitboard.Slice, uint64) { return p.Slice, uint64(p.Index) }

func (g *Game) Unrank(s bitboard.Slice, index uint64) (Position, int) {
	return Position{Slice: s, Index: uint32(index)}, int(g.Nodes[s][index].Weight)
}

func (g *Game) Walk(s bitboard.Slice, lo, hi uint64, yield func(uint64, Position, int) bool) {
	for i := lo; i < hi; i++ {
		if p, weight := g.Unrank(s, i); weight > 0 && !yield(i, p, weight) {
			return
		}
	}
}

func (g *Game) Format(p Position, _ bitboard.Side) string {
	return fmt.Sprintf("%s/%d.%d", g.SliceName(p.Slice), p.Index, p.Image)
}

// Pass leads to the same index of the other slice of the pair, where that has
// one that is no gap.
func (g *Game) Pass(p Position) (passed Position, exists bool) {
	other := g.Nodes[p.Slice^1]
	if int(p.Index) >= len(other) || other[p.Index].Weight == 0 {
		return p, false
	}
	return Position{Slice: p.Slice ^ 1, Index: p.Index}, true
}

// Solution is a game solved the slow way: by distance, one pass each. Tests may change
// it.
type Solution struct {
	Game   *Game
	solved [][]bool
	Depths [][]bitboard.Depth // draws where not solved
}

// Solve solves the game.
func (g *Game) Solve() *Solution {
	sol := &Solution{Game: g}
	for s := range g.Nodes {
		sol.solved = append(sol.solved, make([]bool, len(g.Nodes[s])))
		sol.Depths = append(sol.Depths, make([]bitboard.Depth, len(g.Nodes[s])))
	}
	for pair := range g.Pairs {
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

func (sol *Solution) longest() (most int) {
	for _, depths := range sol.Depths {
		for _, d := range depths {
			most = max(most, d.Distance())
		}
	}
	return most + 1
}

// pass finds the wins and losses of one distance.
func (sol *Solution) pass(s bitboard.Slice, distance int) (found bool) {
	for i := range sol.solved[s] {
		p, weight := sol.Game.Unrank(s, uint64(i))
		if weight == 0 || sol.solved[s][i] {
			continue
		}
		if d, ok := sol.derive(p); ok && d.Distance() == distance {
			sol.Depths[s][i], sol.solved[s][i], found = d, true, true
		}
	}
	return found
}

func (sol *Solution) derive(p Position) (bitboard.Depth, bool) {
	turns := sol.Game.Turns(nil, p)
	if len(turns) == 0 {
		return bitboard.MakeDepth(sol.Game.Ended(p), 0), sol.Game.Ended(p) != bitboard.Draw
	}
	const none = bitboard.MaxDistance + 1
	best, worst, lost := none, 0, true
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
	if best < none {
		return bitboard.MakeDepth(bitboard.Win, best+1), true
	}
	if lost {
		return bitboard.MakeDepth(bitboard.Loss, worst+1), true
	}
	return 0, false
}

func (sol *Solution) at(q Position) (bitboard.Depth, bool) {
	if q.Slice == Outside {
		v := sol.Game.Ended(q)
		return bitboard.MakeDepth(v, 0), v != bitboard.Draw
	}
	return sol.Depths[q.Slice][q.Index], sol.solved[q.Slice][q.Index]
}

// Table is a slice as a solver hands it to Save.
func (sol *Solution) Table(m bitboard.Metric, s bitboard.Slice) *bitboard.Table {
	if m == bitboard.DTW {
		return &bitboard.Table{Slice: s, DTW: append([]bitboard.Depth(nil), sol.Depths[s]...)}
	}
	t := bitboard.NewTable(m, s, uint64(len(sol.Depths[s])))
	for i, d := range sol.Depths[s] {
		t.WDL.Or(uint64(i), d.Value())
	}
	return t
}

// quiet tells whether play inside the pair decides an index: it does where the
// game is over, and where a turn stays in the pair, unless a turn out of all
// slices wins.
func (g *Game) quiet(s bitboard.Slice, index uint64) bool {
	n := g.Nodes[s][index]
	stays := len(n.Turns) == 0
	for _, q := range n.Turns {
		if q.Slice == Outside && g.Ended(q) == bitboard.Loss {
			return false
		}
		stays = stays || q.Slice/2 == s/2
	}
	return stays
}

// Summary counts a slice.
func (sol *Solution) Summary(m bitboard.Metric, s bitboard.Slice) bitboard.Summary {
	sum := bitboard.Summary{Slice: s, LongestWin: bitboard.UnknownDistance, LongestLoss: bitboard.UnknownDistance}
	for i, d := range sol.Depths[s] {
		weight := uint64(sol.Game.Nodes[s][i].Weight)
		if weight == 0 {
			continue
		}
		if sol.Game.quiet(s, uint64(i)) {
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
