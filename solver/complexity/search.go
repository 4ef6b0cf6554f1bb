package complexity

import (
	"cmp"
	"slices"
	"unsafe"

	"paika/bitboard"
)

// best is the turn that alpha-beta search to a depth in turns likes best, and
// the first of them in the order of search.
func (p *player[P]) best(at P, depth int) (best P) {
	for len(p.plies) <= depth {
		p.plies = append(p.plies, nil)
	}
	high := -2 * bitboard.Sure
	for _, c := range p.ordered(at, depth) {
		if worth := -p.search(c, depth-1, -2*bitboard.Sure, -high); worth > high {
			best, high = c.to, worth
		}
	}
	return best
}

// search is the worth of a candidate as far as it lies between low and high,
// for the side that moves there.
func (p *player[P]) search(c candidate[P], depth, low, high int) int {
	p.nodes++
	if depth == 0 || c.worth >= bitboard.Sure || c.worth <= -bitboard.Sure {
		return sooner(c.worth, depth)
	}
	turns := p.ordered(c.to, depth)
	if p.err != nil {
		return 0
	}
	if len(turns) == 0 {
		switch p.game.Ended(c.to) {
		case bitboard.Win:
			return sooner(bitboard.Sure, depth)
		case bitboard.Loss:
			return sooner(-bitboard.Sure, depth)
		}
		return 0
	}
	for _, next := range turns {
		low = max(low, -p.search(next, depth-1, -high, -low))
		if low >= high {
			break
		}
	}
	return low
}

// sooner adds to the worth of a position that is over the turns that are left
// to look ahead.
func sooner(worth, depth int) int {
	switch {
	case worth >= bitboard.Sure:
		return worth + depth
	case worth <= -bitboard.Sure:
		return worth - depth
	}
	return worth
}

// ordered lists the turns of a position, those that look worst for the opponent
// first; none where p.err says why the game cannot go on.
func (p *player[P]) ordered(at P, depth int) []candidate[P] {
	all := p.plies[depth][:0]
	before := cap(all)
	for _, to := range p.list(at) {
		all = append(all, candidate[P]{to, p.game.Evaluate(to)})
	}
	slices.SortStableFunc(all, func(a, b candidate[P]) int { return cmp.Compare(a.worth, b.worth) })
	p.plies[depth] = all
	p.take(uint64(cap(all)-before) * uint64(unsafe.Sizeof(candidate[P]{})))
	return all
}
