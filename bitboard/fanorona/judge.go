package fanorona

import "paika/bitboard"

// Judge tells what the turns of open positions come to, by the values that the table
// of the slice they lead to has so far. It looks at the turns of one stone or a few
// at a time, and stops when they tell enough.
func (g *Game) Judge(dst []bitboard.Value, s bitboard.Slice, indices []uint64, known *[bitboard.MaxSlices]bitboard.Packed, enough bitboard.Values) []bitboard.Value {
	own, opp := counts(s)
	to := slice(opp, own)
	j := judge{game: g, slice: to, table: known[to], enough: enough}
	switch {
	case own < opp:
		return j.leading(dst, g.cursor(own, opp), indices)
	case own > opp:
		return j.trailing(dst, g.cursor(own, opp), indices)
	}
	return j.even(dst, g.cursor(own, opp), indices)
}

// A judge looks at the turns of one position after the other.
type judge struct {
	game   *Game
	slice  bitboard.Slice // that turns lead to
	table  bitboard.Packed
	enough bitboard.Values
	seen   bitboard.Values // the values that turns of the present position lead to
	refs   [64]bitboard.Ref
}

// leading judges positions in which the leading set is to move.
func (j *judge) leading(dst []bitboard.Value, c cursor, indices []uint64) []bitboard.Value {
	turnings := j.game.turnings(min(counts(j.slice)))
	var p passed
	for _, i := range indices {
		c.seek(i)
		j.seen = 0
		for t := range turnings[c.class] {
			if j.steps(&c, &turnings[c.class][t], &p) {
				break
			}
		}
		dst = append(dst, j.seen.Verdict())
	}
	return dst
}

// stepsAtOnce is how many steps of a leading set are looked at together.
const stepsAtOnce = 4

// steps looks at those of a turning.
func (j *judge) steps(c *cursor, t *turning, p *passed) (enough bool) {
	j.game.placePast(c.set(), t, p)
	for rest := t.steps; len(rest) > 0; {
		few := rest[:min(stepsAtOnce, len(rest))]
		if j.look(j.game.stepsPastSet(j.refs[:0], j.slice, c, few, p)) {
			return true
		}
		rest = rest[len(few):]
	}
	return false
}

// trailing judges positions in which the trailing set is to move.
func (j *judge) trailing(dst []bitboard.Value, c cursor, indices []uint64) []bitboard.Value {
	var p passing
	for _, i := range indices {
		c.seek(i)
		dst = append(dst, j.passes(&p, &c.frame, c.set()))
	}
	return dst
}

// even judges positions with as many stones on both sides: the trailing set leads
// what follows.
func (j *judge) even(dst []bitboard.Value, c cursor, indices []uint64) []bitboard.Value {
	x, many := &j.game.index, c.trailing
	var p passing
	for _, i := range indices {
		c.seek(i)
		f := x.frame(c.set(), many, many)
		dst = append(dst, j.passes(&p, &f, x.apply(f.symmetry, c.leading.Representatives[c.class])))
	}
	return dst
}

// passes judges a position by the steps of a set's stones.
func (j *judge) passes(p *passing, f *frame, set uint64) bitboard.Value {
	p.place(&j.game.index, f, set)
	j.seen = 0
	stone := 0
	for rest := set; rest != 0; rest &= rest - 1 {
		from := rest & -rest
		if j.look(j.game.stonePasses(j.refs[:0], j.slice, p, stone, from, j.game.passTargets(p, from))) {
			break
		}
		stone++
	}
	return j.seen.Verdict()
}

// look takes in the values at references, and tells whether it has seen enough.
func (j *judge) look(refs []bitboard.Ref) (enough bool) {
	for _, r := range refs {
		j.seen |= 1 << j.table.Load(r.Index())
	}
	return j.seen&j.enough != 0
}
