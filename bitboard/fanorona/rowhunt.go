package fanorona

import "math/bits"

// A rowHunt finds where the captures of a row lead, a row at a time. It follows those
// that are there without the loose stone. With it on the board such a capture is another
// one, or none:
//
//   - where the loose stone stands on a point that is entered;
//   - where it is the opponent's, and stands next to the stones that are taken, at
//     their end: then it is taken as well.
//
// These points are shut. What captures the loose stone itself is for other rows, unless
// it is the last stone that the opponent has: that wins.
//
// A capture is looked up in one row of a position alone: in that where the loose stone is
// the lowest one that it has nothing to do with. In other rows its places are shut, too.
type rowHunt struct {
	finder     *rowFinder
	game       *Game
	won, drawn uint64             // places of the loose stone
	places     uint64             // of the loose stone
	best       [mostPlanes]uint64 // where distances are asked for: the best captures, see depthScale
	kept       [][64]keptFrame    // by the number of stones left; their class is a slot
}

// row tells in which places of the loose stone a capture wins and in which one draws, or
// what the best capture is in each. Of points where other stones stand it tells nothing.
func (h *rowHunt) row(words []uint64, own, opp uint64) {
	h.won, h.drawn, h.places = 0, 0, h.game.points&^(own|opp)
	h.begin(len(words))
	for rest := own; rest != 0; rest &= rest - 1 {
		from, shut := rest&-rest, uint64(0)
		if !h.finder.ownLeads {
			shut = above(own ^ own&-own&from)
		}
		h.sequences(own^from, opp, from, from, shut, 0)
	}
	if h.finder.depths != nil {
		h.end(words)
		return
	}
	words[0], words[1] = h.won, h.drawn
}

// above is the lowest point of a set and those above it, or none where it is empty.
func above(set uint64) uint64 { return set | -set }

// sequences follows the stone at a point, as Game.sequences does.
func (h *rowHunt) sequences(others, opp, at, visited, shut uint64, barred uint8) {
	g := h.game
	targets := g.capturing(opp, at) &^ (others | opp | visited)
	for ; targets != 0; targets &= targets - 1 {
		to := targets & -targets
		d := g.direction(at, to)
		if barred>>(d&7)&1 != 0 {
			continue
		}
		approach, withdrawal := g.captured(opp, at, d)
		ahead, behind := g.ends(opp, at, d)
		bars := barred&g.keepBars | g.bars[d&7]
		if approach != 0 {
			h.capture(others, opp&^approach, to, visited|to, shut|to, ahead, bars)
		}
		if withdrawal != 0 {
			h.capture(others, opp&^withdrawal, to, visited|to, shut|to, behind, bars)
		}
	}
}

// capture takes in where a capture leads that leaves some of the opponent's stones, once it
// has gone on from there: longer captures win most often. end is the point next to those that
// it takes.
func (h *rowHunt) capture(others, left, at, visited, shut, end uint64, barred uint8) {
	many := bits.OnesCount64(left)
	switch {
	case h.finder.ownLeads:
		if left == 0 {
			h.won |= (end | h.game.lastTaken(at, others|visited, barred)) &^ shut
		}
		shut |= end
		h.sequences(others, left, at, visited, shut, barred)
		h.look(many+1, others|at, left, shut|above(left))
	case left == 0:
		h.won |= ^shut
	default:
		h.sequences(others, left, at, visited, shut, barred)
		h.look(many, left, others|at, shut)
	}
}

// look takes in the row that a capture leads to, but for places that are shut.
func (h *rowHunt) look(left int, key, rest, shut uint64) {
	if h.places&^shut == 0 {
		return
	}
	x, r, kept := &h.game.index, &h.finder.below[left&63], &h.kept[left][key*0x9e3779b97f4a7c15>>58]
	if kept.set != key {
		kept.keep(x, r.keys, key)
		kept.class = uint32(r.slots[kept.class] - 1)
	}
	if kept.symmetry != 0 {
		rest = x.apply(int(kept.symmetry), rest)
	}
	words := r.room[r.words*(uint64(kept.class)*r.per+x.rankSet(rest, kept.free)):][:r.words]
	if h.finder.depths != nil {
		h.compare(words, x.inverses[kept.symmetry&7], shut)
		return
	}
	lost, drawn := words[0], words[1]
	if kept.symmetry != 0 {
		back := x.inverses[kept.symmetry&7]
		lost, drawn = x.apply(back, lost), x.apply(back, drawn)
	}
	h.won |= lost &^ shut
	h.drawn |= drawn &^ shut
}

// lastTaken is the points on which the opponent's last stone would be taken by a step
// from a point.
func (g *Game) lastTaken(at, blocked uint64, barred uint8) (points uint64) {
	for d := range uint8(directions) {
		s := &g.steps[bits.TrailingZeros64(at)&63][d]
		if barred>>d&1 == 0 && s.to&^blocked != 0 {
			points |= s.hits
		}
	}
	return points
}

// ends gives the points next to those that a step takes by approach and by withdrawal,
// at their end, where the board does not end there.
func (g *Game) ends(opp, from uint64, d uint8) (approach, withdrawal uint64) {
	s := &g.steps[bits.TrailingZeros64(from)&63][d&7]
	above, below := s.upper&^opp, s.lower&^opp
	approach = above & -above
	withdrawal = 1 << (bits.Len64(below) & 63) >> 1
	swap := (approach ^ withdrawal) & -uint64(d&1)
	return approach ^ swap, withdrawal ^ swap
}
