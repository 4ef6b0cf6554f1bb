package konane

import "math/bits"

// Jumps generates the jumps on a board of at most 64 points, with nothing
// between it and the two words of a position. It knows no opening: a full
// board has no jumps. It is safe for concurrent use.
type Jumps struct {
	points uint64
	rank   uint               // steps from a point to the one above
	room   [directions]uint64 // points with two more ahead of them in a direction
}

// NewJumps makes the generator for a game's board.
func NewJumps(g *Game[Word]) Jumps {
	j := Jumps{points: uint64(g.points), rank: uint(g.board.Width)}
	for d, room := range g.room {
		j.room[d] = uint64(room)
	}
	return j
}

// Empty is the points without a stone.
func (j *Jumps) Empty(own, opp uint64) uint64 { return j.points &^ (own | opp) }

// movers gives the own stones that can jump right, left, up and down.
func (j *Jumps) movers(own, opp uint64) (right, left, up, down uint64) {
	return j.Ahead(own, opp, j.Empty(own, opp))
}

// Ahead gives the points of a set that have one of over right ahead of them and
// one of onto behind that, to the right, to the left, up and down.
func (j *Jumps) Ahead(set, over, onto uint64) (right, left, up, down uint64) {
	s := j.rank & 31
	return set & j.room[0] & (over >> 1) & (onto >> 2),
		set & j.room[1] & (over << 1) & (onto << 2),
		set & j.room[2] & (over >> s) & (onto >> (2 * s)),
		set & j.room[3] & (over << s) & (onto << (2 * s))
}

// Turns appends the position after each turn: by direction (right, left, up,
// down), stones in the order of their points, and each stop before its
// continuations.
func (j *Jumps) Turns(dst []Position[Word], p Position[Word]) []Position[Word] {
	own, opp := uint64(p.Own), uint64(p.Opp)
	empty := j.Empty(own, opp)
	right, left, up, down := j.movers(own, opp)
	dst = j.turnsUp(dst, own, opp, empty, right, j.room[0], 1)
	dst = j.turnsDown(dst, own, opp, empty, left, j.room[1], 1)
	dst = j.turnsUp(dst, own, opp, empty, up, j.room[2], j.rank)
	return j.turnsDown(dst, own, opp, empty, down, j.room[3], j.rank)
}

// turnsUp appends the turns of the movers to higher points, turnsDown those to
// lower ones.
func (j *Jumps) turnsUp(dst []Position[Word], own, opp, empty, movers, room uint64, s uint) []Position[Word] {
	s &= 31
	for ; movers != 0; movers &= movers - 1 {
		from := movers & -movers
		others, left := own^from, opp
		for at := from; at != 0; at &= room & (opp >> s) & (empty >> (2 * s)) {
			left &^= at << s
			at <<= 2 * s
			dst = append(dst, Position[Word]{Word(left), Word(others | at)})
		}
	}
	return dst
}

func (j *Jumps) turnsDown(dst []Position[Word], own, opp, empty, movers, room uint64, s uint) []Position[Word] {
	s &= 31
	for ; movers != 0; movers &= movers - 1 {
		from := movers & -movers
		others, left := own^from, opp
		for at := from; at != 0; at &= room & (opp << s) & (empty << (2 * s)) {
			left &^= at >> s
			at >>= 2 * s
			dst = append(dst, Position[Word]{Word(left), Word(others | at)})
		}
	}
	return dst
}

// Count is the number of positions that Turns would append.
func (j *Jumps) Count(p Position[Word]) int {
	own, opp := uint64(p.Own), uint64(p.Opp)
	empty := j.Empty(own, opp)
	right, left, up, down := j.movers(own, opp)
	s := j.rank & 31
	n := 0
	for ; right != 0; right = right << 2 & j.room[0] & (opp >> 1) & (empty >> 2) {
		n += bits.OnesCount64(right)
	}
	for ; left != 0; left = left >> 2 & j.room[1] & (opp << 1) & (empty << 2) {
		n += bits.OnesCount64(left)
	}
	for ; up != 0; up = up << (2 * s) & j.room[2] & (opp >> s) & (empty >> (2 * s)) {
		n += bits.OnesCount64(up)
	}
	for ; down != 0; down = down >> (2 * s) & j.room[3] & (opp << s) & (empty << (2 * s)) {
		n += bits.OnesCount64(down)
	}
	return n
}
