package fanorona

import (
	"math/bits"
	"slices"

	"paika/bitboard"
)

// Turns appends the position after each legal turn, one for every sequence:
// stones in the order of their bits, and each stop before its continuations.
func (g *Game) Turns(dst []Position, p Position) []Position {
	if p.Own == 0 || p.Opp == 0 {
		return dst
	}
	movers := g.capturers(p.Own, p.Opp)
	if movers == 0 {
		return g.paikas(dst, p)
	}
	for ; movers != 0; movers &= movers - 1 {
		from := movers & -movers
		dst = g.sequences(dst, p.Own^from, p.Opp, from, from, 0)
	}
	return dst
}

// Count is the number of positions that Turns would append.
func (g *Game) Count(p Position) int {
	if p.Own == 0 || p.Opp == 0 {
		return 0
	}
	movers := g.capturers(p.Own, p.Opp)
	if movers == 0 {
		return g.countPaikas(p)
	}
	n := 0
	for ; movers != 0; movers &= movers - 1 {
		from := movers & -movers
		n += g.countSequences(p.Own^from, p.Opp, from, from, 0)
	}
	return n
}

// Ended is the value of a position where Turns appends nothing: a player
// without stones has lost, one without turns has lost or drawn by the rules.
func (g *Game) Ended(p Position) bitboard.Value {
	switch {
	case p.Own == 0:
		return bitboard.Loss
	case p.Opp == 0:
		return bitboard.Win
	case g.rules.StalemateDraws:
		return bitboard.Draw
	}
	return bitboard.Loss
}

// Quiet tells whether the side to move has no capture.
func (g *Game) Quiet(p Position) bool { return !g.captures(p.Own, p.Opp) }

// captures tells whether any own stone can capture. Along each axis it looks at
// the middle of three neighbours: empty between own and enemy is an approach,
// own between enemy and empty a withdrawal.
func (g *Game) captures(own, opp uint64) bool {
	empty := g.points &^ (own | opp)
	var found uint64
	for a, s := range g.shifts {
		s &= 63
		above, below := opp>>s, opp<<s
		found |= g.lines[a] & (empty&(own<<s&above|own>>s&below) | own&(empty>>s&below|empty<<s&above))
	}
	return found != 0
}

// capturers is the set of own stones that can capture.
func (g *Game) capturers(own, opp uint64) uint64 { return g.couldCapture(own, opp) & own }

// couldCapture is the points on which a stone beside the own ones could capture.
func (g *Game) couldCapture(own, opp uint64) uint64 {
	empty := g.points &^ (own | opp)
	var found uint64
	for a, s := range g.shifts {
		s &= 63
		above, below := opp>>s, opp<<s
		found |= g.lines[a] & (empty>>s&(above>>s|below) | empty<<s&(below<<s|above))
	}
	return found
}

// A step is what turn generation looks up of a step from a point in a
// direction. Where no line leads that way it is zero.
type step struct {
	to           uint64
	hits         uint64 // the points next to the step, ahead and behind, where an enemy stone makes it a capture
	upper, lower uint64 // the points on its line above and below it, by bit number
}

func (g *Game) stepFrom(from uint64, d uint8) step {
	to := g.step(from&g.lines[d/2], d) & g.points
	if to == 0 {
		return step{}
	}
	ahead, behind := g.ray(to, d), g.ray(from, d^1)
	s := step{to: to, hits: (g.step(to, d) | g.step(from, d^1)) & g.points, upper: ahead, lower: behind}
	if d&1 == 1 {
		s.upper, s.lower = behind, ahead
	}
	return s
}

// ray is the points that follow a point in a direction.
func (g *Game) ray(from uint64, d uint8) (ray uint64) {
	for x := g.step(from, d) & g.points; x != 0; x = g.step(x, d) & g.points {
		ray |= x
	}
	return ray
}

// captured gives the enemy stones that a step from a point in a direction takes
// by approach and by withdrawal: the unbroken run above the step ends below the
// lowest point without one, that below it above the highest.
func (g *Game) captured(opp, from uint64, d uint8) (approach, withdrawal uint64) {
	s := &g.steps[bits.TrailingZeros64(from)&63][d&7]
	above, below := s.upper&^opp, s.lower&^opp
	approach = s.upper &^ (above | -above)
	withdrawal = s.lower &^ (1<<(bits.Len64(below)&63) - 1)
	swap := (approach ^ withdrawal) & -uint64(d&1)
	return approach ^ swap, withdrawal ^ swap
}

// capturing is the set of points such that a stone that steps there captures,
// one way or the other, if they are empty.
func (g *Game) capturing(opp, at uint64) uint64 {
	s := &g.steps[bits.TrailingZeros64(at)&63]
	return s[0].target(opp) | s[1].target(opp) | s[2].target(opp) | s[3].target(opp) |
		s[4].target(opp) | s[5].target(opp) | s[6].target(opp) | s[7].target(opp)
}

// target is where a step leads if it captures. The compiler makes a conditional
// move of the test: a branch here would be as good as random.
func (s *step) target(opp uint64) uint64 {
	to := s.to
	if s.hits&opp == 0 {
		to = 0
	}
	return to
}

// direction is that of a step between adjacent points.
func (g *Game) direction(from, to uint64) uint8 {
	return g.heading[(64+bits.TrailingZeros64(to)-bits.TrailingZeros64(from))&127]
}

// sequences appends what every capture of the stone at a point, and every
// continuation, leads to. The other own stones and the enemy's left are given,
// with the points that the stone has stood on and the directions barred. Every
// step considered captures; few do both ways, so that one branch is foreseen.
func (g *Game) sequences(dst []Position, others, opp, at, visited uint64, barred uint8) []Position {
	targets := g.capturing(opp, at) &^ (others | opp | visited)
	for ; targets != 0; targets &= targets - 1 {
		to := targets & -targets
		d := g.direction(at, to)
		if barred>>(d&7)&1 != 0 {
			continue
		}
		approach, withdrawal := g.captured(opp, at, d)
		bars := barred&g.keepBars | g.bars[d&7]
		left := opp &^ (approach | withdrawal)
		if approach != 0 && withdrawal != 0 {
			dst = append(dst, Position{opp &^ approach, others | to})
			dst = g.sequences(dst, others, opp&^approach, to, visited|to, bars)
			left = opp &^ withdrawal
		}
		dst = append(dst, Position{left, others | to})
		dst = g.sequences(dst, others, left, to, visited|to, bars)
	}
	return dst
}

// countSequences is the number of positions that sequences would append. It is
// for perft, which counts by it at the last ply: follow, with a call for every
// capture, takes a fifth more time.
func (g *Game) countSequences(others, opp, at, visited uint64, barred uint8) int {
	n := 0
	targets := g.capturing(opp, at) &^ (others | opp | visited)
	for ; targets != 0; targets &= targets - 1 {
		to := targets & -targets
		d := g.direction(at, to)
		if barred>>(d&7)&1 != 0 {
			continue
		}
		approach, withdrawal := g.captured(opp, at, d)
		bars := barred&g.keepBars | g.bars[d&7]
		left := opp &^ (approach | withdrawal)
		if approach != 0 && withdrawal != 0 {
			n += 1 + g.countSequences(others, opp&^approach, to, visited|to, bars)
			left = opp &^ withdrawal
		}
		n += 1 + g.countSequences(others, left, to, visited|to, bars)
	}
	return n
}

// A capture is a step of a turn, and what it leads to if the turn ends there.
type capture struct {
	step   int    // of the turn, from 0
	to     uint64 // where the stone steps
	letter byte   // 'A' for an approach, 'W' for a withdrawal
	left   uint64 // the enemy's stones behind it
}

// follow tells listen of every capture of every turn, in the order of Turns: each
// stands for the turn that ends with it. It stops where listen answers false.
func (g *Game) follow(p Position, movers uint64, listen func(capture) bool) {
	for ; movers != 0; movers &= movers - 1 {
		from := movers & -movers
		if !g.followFrom(0, p.Own^from, p.Opp, from, from, 0, listen) {
			return
		}
	}
}

// followFrom follows the stone at a point, as sequences does, and tells whether
// listen wants more.
func (g *Game) followFrom(step int, others, opp, at, visited uint64, barred uint8, listen func(capture) bool) bool {
	targets := g.capturing(opp, at) &^ (others | opp | visited)
	for ; targets != 0; targets &= targets - 1 {
		to := targets & -targets
		d := g.direction(at, to)
		if barred>>(d&7)&1 != 0 {
			continue
		}
		approach, withdrawal := g.captured(opp, at, d)
		bars := barred&g.keepBars | g.bars[d&7]
		for i, taken := range [...]uint64{approach, withdrawal} {
			if taken == 0 {
				continue
			}
			c := capture{step, to, "AW"[i], opp &^ taken}
			if !listen(c) || !g.followFrom(step+1, others, c.left, to, visited|to, bars, listen) {
				return false
			}
		}
	}
	return true
}

// CountTo is the number of positions that Turns would append, or most if there
// are more. It looks at no more than most of them.
func (g *Game) CountTo(p Position, most int) int {
	if p.Own == 0 || p.Opp == 0 || most <= 0 {
		return 0
	}
	movers := g.capturers(p.Own, p.Opp)
	if movers == 0 {
		return min(g.countPaikas(p), most)
	}
	n := 0
	g.follow(p, movers, func(capture) bool {
		n++
		return n < most
	})
	return n
}

// WalkTurns implements bitboard.TurnWalker.
func (g *Game) WalkTurns(p Position, yield func(Position) bool) {
	if p.Own == 0 || p.Opp == 0 {
		return
	}
	movers, more := g.capturers(p.Own, p.Opp), true
	if movers == 0 {
		slices.Values(g.paikas(nil, p))(yield)
	}
	for ; movers != 0 && more; movers &= movers - 1 {
		from := movers & -movers
		g.follow(p, from, func(c capture) bool {
			more = yield(Position{c.left, p.Own ^ from | c.to})
			return more
		})
	}
}

// countPaikas is the number of positions that paikas would append: the steps that there are,
// be the position quiet or not.
func (g *Game) countPaikas(p Position) (n int) {
	empty := g.points &^ (p.Own | p.Opp)
	for a, s := range g.shifts {
		stones, gaps := p.Own&g.lines[a], empty&g.lines[a]
		n += bits.OnesCount64(stones<<(s&63)&gaps) + bits.OnesCount64(stones>>(s&63)&gaps)
	}
	return n
}

// paikas appends what every step of a quiet position leads to.
func (g *Game) paikas(dst []Position, p Position) []Position {
	empty := g.points &^ (p.Own | p.Opp)
	for rest := p.Own; rest != 0; rest &= rest - 1 {
		from := rest & -rest
		targets := g.adjacent[bits.TrailingZeros64(from)&63] & empty
		for ; targets != 0; targets &= targets - 1 {
			dst = append(dst, Position{p.Opp, p.Own ^ from | targets&-targets})
		}
	}
	return dst
}
