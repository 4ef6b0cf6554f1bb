package fanorona

import (
	"math/bits"
	"unsafe"

	"paika/bitboard"
	"paika/bitboard/ranking"
)

// The ranks of what one step leads to.
//
// A step moves one stone, and the rank of a trailing set is a sum over its stones.
// So the rank after a step is the rank before it and a difference, and what goes
// into the differences is summed up once for a position. There are two kinds of
// steps.
//
// A stone of the trailing set steps. The leading set stays, and so do the points
// that it leaves free. The stone counts for something else, and so does every stone
// that it passes, which becomes the next lower or the next higher of its set.
//
// A stone of the leading set steps. The point that it comes from is free then, and
// the one that it goes to is not. A trailing stone between the two has one free
// point more or one less below it. The symmetry that takes the new leading set to
// its representative follows from the leading sets alone: it is found once for all
// positions.
//
// Where symmetries fix the representative, ranks must be compared, and each is
// summed up anew.

// passing is a trailing set whose own stones step.
type passing struct {
	frame  *frame
	set    uint64
	rank   uint64
	counts [64]uint64 // what each stone counts for, from the lowest
	lower  [65]uint64 // by number of stones: what the lowest of them count for more, each as the next lower one of its set
	higher [65]uint64 // the same, each as the next higher one
}

// place takes up a set on the frame's free points.
func (p *passing) place(x *index, f *frame, set uint64) {
	p.frame, p.set = f, set
	var rank, lower, higher uint64
	j := 0
	for rest := set; rest != 0; rest &= rest - 1 {
		ways := &x.pascal[bits.OnesCount64(f.free&(rest&-rest-1))&63]
		count := ways[(j+1)&63]
		p.counts[j&63] = count
		rank += count
		lower += ways[j&63] - count
		higher += ways[(j+2)&63] - count
		j++
		p.lower[j], p.higher[j] = lower, higher
	}
	p.rank = f.base + rank
}

// passes appends a reference for every step of the set's stones.
func (g *Game) passes(refs []bitboard.Ref, slice bitboard.Slice, p *passing) []bitboard.Ref {
	j := 0
	for rest := p.set; rest != 0; rest &= rest - 1 {
		refs = g.stonePasses(refs, slice, p, j, rest&-rest, g.passTargets(p, rest&-rest))
		j++
	}
	return refs
}

// quietPasses is passes for the cursor's set, whose targets are marked, and only where its
// side has no capture after the step.
func (g *Game) quietPasses(refs []bitboard.Ref, slice bitboard.Slice, p *passing, c *cursor) []bitboard.Ref {
	var lower marked
	for j := range c.trailing {
		stone := &c.free[c.subset.At(j)&63]
		targets := c.quietAfter(lower.with(&c.upper[j+1]), g.passTargets(p, stone.points))
		refs = g.stonePasses(refs, slice, p, j, stone.points, targets)
		lower = lower.with(stone)
	}
	return refs
}

// passTargets is where a stone of the set can step to.
func (g *Game) passTargets(p *passing, from uint64) uint64 {
	return g.adjacent[bits.TrailingZeros64(from)&63] & p.frame.free &^ p.set
}

// stonePasses appends a reference for every target of the set's stone j.
func (g *Game) stonePasses(refs []bitboard.Ref, slice bitboard.Slice, p *passing, j int, from, targets uint64) []bitboard.Ref {
	set, free := p.set, p.frame.free
	if p.frame.fixers != 0 {
		return g.fixedPasses(refs, slice, p.frame, set^from, targets)
	}
	others := p.rank - p.counts[j&63]
	up, down := others-p.lower[(j+1)&63], others+p.higher[j&63]
	for upper := targets &^ (from - 1); upper != 0; upper &= upper - 1 {
		under := upper&-upper - 1
		below := bits.OnesCount64(set & under) // the stone itself among them
		count := g.index.pascal[bits.OnesCount64(free&under)&63][below&63]
		refs = append(refs, bitboard.MakeRef(slice, up+p.lower[below]+count))
	}
	for lower := targets & (from - 1); lower != 0; lower &= lower - 1 {
		under := lower&-lower - 1
		below := bits.OnesCount64(set & under)
		count := g.index.pascal[bits.OnesCount64(free&under)&63][(below+1)&63]
		refs = append(refs, bitboard.MakeRef(slice, down-p.higher[below]+count))
	}
	return refs
}

// fixedPasses appends a reference for every target of a stone in a frame that
// symmetries fix.
func (g *Game) fixedPasses(refs []bitboard.Ref, slice bitboard.Slice, f *frame, others, targets uint64) []bitboard.Ref {
	for ; targets != 0; targets &= targets - 1 {
		refs = append(refs, bitboard.MakeRef(slice, g.index.rank(f, others|targets&-targets)))
	}
	return refs
}

// quietAfter is the targets of a stone at which its side has no capture, by what these and
// the other stones mark.
func (c *cursor) quietAfter(others marked, targets uint64) (quiet uint64) {
	for ; targets != 0; targets &= targets - 1 {
		at := others.with(&c.free[bits.OnesCount64(c.frame.free&(targets&-targets-1))&63])
		if at.marks&^at.points == 0 {
			quiet |= targets & -targets
		}
	}
	return quiet
}

// A leadingStep is a step of a stone of a representative, and the same moved through the
// symmetry that takes the set after it to a representative.
type leadingStep struct {
	class          uint32 // of the set after it
	origin, target uint8
	from, to       uint8 // moved
}

// A turning is the steps from a representative that share their symmetry.
type turning struct {
	symmetry int
	free     uint64 // what the representative leaves free, moved through it
	steps    []leadingStep
}

// turnings returns the steps of leading sets of k points, by class, found on first
// use.
func (g *Game) turnings(k int) [][]turning {
	x := &g.index
	if t := x.turnings[k&63].Load(); t != nil {
		return *t
	}
	sets := x.sets(k)
	x.making.Lock()
	defer x.making.Unlock()
	if t := x.turnings[k].Load(); t != nil {
		return *t
	}
	all := make([][]turning, 0, len(sets.Representatives))
	for _, set := range sets.Representatives {
		var turnings []turning
		for symmetry := range x.spreads {
			if t := g.turning(sets, set, symmetry); len(t.steps) > 0 {
				turnings = append(turnings, t)
			}
		}
		all = append(all, turnings)
	}
	x.turnings[k].Store(&all)
	return all
}

// turningsBytes is about what the steps of leading sets of k points take, in bytes: an
// array of steps grows to at most twice what it holds.
func (g *Game) turningsBytes(k int) uint64 {
	joined := 0
	for rest := g.points; rest != 0; rest &= rest - 1 {
		joined += bits.OnesCount64(g.adjacent[bits.TrailingZeros64(rest)&63])
	}
	x := &g.index
	const array, step = uint64(unsafe.Sizeof([]turning(nil))), uint64(unsafe.Sizeof(leadingStep{}))
	steps := uint64(2*k*joined/x.size) * step
	turnings := uint64(len(x.spreads)) * uint64(unsafe.Sizeof(turning{}))
	return ranking.Product(x.classes[k], array+turnings+steps)
}

// turning is the steps from a representative that share a symmetry.
func (g *Game) turning(sets *ranking.Classes[uint64], set uint64, symmetry int) turning {
	x := &g.index
	t := turning{symmetry: symmetry, free: x.apply(symmetry, x.points&^set)}
	to := func(point int) uint8 { return uint8(bits.TrailingZeros64(x.images[symmetry][point])) }
	for rest := set; rest != 0; rest &= rest - 1 {
		from := bits.TrailingZeros64(rest)
		for targets := g.adjacent[from] &^ set; targets != 0; targets &= targets - 1 {
			target := bits.TrailingZeros64(targets)
			entry := sets.Entries[0][x.rankSet(set^1<<from^1<<target, x.points)]
			if class := entry >> 3; int(entry&7) == symmetry {
				t.steps = append(t.steps, leadingStep{class, uint8(from), uint8(target), to(from), to(target)})
			}
		}
	}
	return t
}

// passed is a trailing set that stones of the leading set step past.
type passed struct {
	set     uint64
	rank    uint64
	more    [65]uint64 // by number of stones: what the lowest of them count for more with a free point more below each
	fewer   [65]uint64 // the same with one less
	quietTo [64]uint64 // by point of a leading stone: where it steps to have no capture, see findQuiet

	quiet [mostSteps]leadingStep // room for these steps
}

// mostSteps is a power of two, and more than any set has steps: a board has 60 points, with
// eight lines at most, and a step takes up one line of two points.
const mostSteps = 1 << 8

// place takes up a set on free points.
func (p *passed) place(x *index, set, free uint64) {
	p.set = set
	var rank, more, fewer uint64
	j := 0
	for rest := set; rest != 0; rest &= rest - 1 {
		below := bits.OnesCount64(free & (rest&-rest - 1))
		ways := &x.pascal[below&63]
		rank += ways[(j+1)&63]
		more += ways[j&63]
		fewer -= x.pascal[(below-1)&63][j&63]
		j++
		p.more[j], p.fewer[j] = more, fewer
	}
	p.rank = rank
}

// stepsPast appends a reference for every step from a representative of the cursor's leading
// sets past a trailing set, and with quiet only where findQuiet found no capture after it.
func (g *Game) stepsPast(refs []bitboard.Ref, slice bitboard.Slice, c *cursor, turnings []turning, trailing uint64, p *passed, quiet bool) []bitboard.Ref {
	for i := range turnings {
		t := &turnings[i]
		steps := t.steps
		if quiet {
			if steps = p.quietSteps(steps); len(steps) == 0 {
				continue
			}
		}
		g.placePast(trailing, t, p)
		refs = g.stepsPastSet(refs, slice, c, steps, p)
	}
	return refs
}

// placePast takes up a trailing set as the steps of a turning pass it.
func (g *Game) placePast(set uint64, t *turning, p *passed) {
	if t.symmetry != 0 {
		set = g.index.apply(t.symmetry, set)
	}
	p.place(&g.index, set, t.free)
}

// stepsPastSet appends a reference for each of some steps whose target has no stone of
// the set.
func (g *Game) stepsPastSet(refs []bitboard.Ref, slice bitboard.Slice, c *cursor, steps []leadingStep, p *passed) []bitboard.Ref {
	x := &g.index
	for j := range steps {
		s := &steps[j]
		if p.set>>(s.to&63)&1 != 0 {
			continue
		}
		base := uint64(s.class) * c.per
		if fixers := c.leading.Fixers[s.class]; fixers != 0 {
			f := frame{base: base, free: x.points &^ c.leading.Representatives[s.class], fixers: fixers}
			refs = append(refs, bitboard.MakeRef(slice, x.rank(&f, p.set)))
			continue
		}
		rank := p.rank
		from := bits.OnesCount64(p.set & (1<<(s.from&63) - 1))
		to := bits.OnesCount64(p.set & (1<<(s.to&63) - 1))
		if s.from < s.to {
			rank += p.more[to] - p.more[from]
		} else {
			rank += p.fewer[from] - p.fewer[to]
		}
		refs = append(refs, bitboard.MakeRef(slice, base+rank))
	}
	return refs
}

// findQuiet finds where the stones of a leading set can step such that their side has no
// capture then. Whether a stone has one where it comes to is told for all points at once. The
// others are looked at target by target where one of them has a capture: the stone may block it.
func (g *Game) findQuiet(lead, trailing uint64, p *passed) {
	for rest := lead; rest != 0; rest &= rest - 1 {
		from, others := bits.TrailingZeros64(rest)&63, lead^rest&-rest
		capturing := g.couldCapture(others, trailing)
		targets := g.adjacent[from] &^ (lead | trailing | capturing)
		if others&capturing != 0 {
			for left := targets; left != 0; left &= left - 1 {
				if g.captures(others|left&-left, trailing) {
					targets ^= left & -left
				}
			}
		}
		p.quietTo[from] = targets
	}
}

// quietSteps picks the steps after which there is no capture.
func (p *passed) quietSteps(steps []leadingStep) []leadingStep {
	many := 0
	for i := range steps {
		s := &steps[i]
		p.quiet[many&(mostSteps-1)] = *s
		many += int(p.quietTo[s.origin&63] >> (s.target & 63) & 1)
	}
	return p.quiet[:many]
}
