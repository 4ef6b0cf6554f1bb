package winone

import (
	"paika/bitboard"
	"paika/bitboard/phutball"
)

// naive answers by going through all series of jumps, by files and ranks.
type naive struct {
	board bitboard.Board
	rules phutball.Rules
	men   map[bitboard.Point]bool
	jumps int // that may still be made
}

func naiveOf(l phutball.Layout, rules phutball.Rules, jumps int) *naive {
	n := &naive{l.Board, rules, map[bitboard.Point]bool{}, jumps}
	for rank := range l.Board.Height {
		for file := range l.Board.Width {
			if p := (bitboard.Point{File: file, Rank: rank}); l.Man(p) {
				n.men[p] = true
			}
		}
	}
	return n
}

// fewest is the number of jumps of the shortest series to the goal, 0 if there
// is none. It gives up, and tells so, when the jumps it may make are used up.
func (n *naive) fewest(ball bitboard.Point, up bool) (jumps int, ended bool) {
	on := ball.File >= 0 && ball.File < n.board.Width && ball.Rank >= 0 && ball.Rank < n.board.Height
	if !on && !n.rules.ReturnFromOff || on && n.rules.GoalStop && (ball.Rank == 0 || ball.Rank == n.board.Height-1) {
		return 0, true
	}
	for file := -1; file <= 1; file++ {
		for rank := -1; rank <= 1; rank++ {
			to, jumped := n.jump(ball, file, rank)
			if len(jumped) == 0 {
				continue
			}
			if n.jumps--; n.jumps < 0 {
				return 0, false
			}
			if up && to.Rank >= n.board.Height-1 || !up && to.Rank <= 0 {
				n.put(jumped)
				return 1, true
			}
			more, ended := n.fewest(to, up)
			n.put(jumped)
			if !ended {
				return 0, false
			}
			if more > 0 && (jumps == 0 || more+1 < jumps) {
				jumps = more + 1
			}
		}
	}
	return jumps, true
}

// jump takes the men away that a legal jump passes over and lists them; there
// are none if there is no such jump.
func (n *naive) jump(from bitboard.Point, file, rank int) (to bitboard.Point, jumped []bitboard.Point) {
	to = bitboard.Point{File: from.File + file, Rank: from.Rank + rank}
	for n.men[to] && (file != 0 || rank != 0) {
		jumped = append(jumped, to)
		to.File, to.Rank = to.File+file, to.Rank+rank
	}
	pastSide := to.File < 0 || to.File >= n.board.Width
	pastEnd := to.Rank < 0 || to.Rank >= n.board.Height
	if pastSide && !(pastEnd && n.rules.CornerExit) {
		return to, nil
	}
	for _, p := range jumped {
		delete(n.men, p)
	}
	return to, jumped
}

func (n *naive) put(men []bitboard.Point) {
	for _, p := range men {
		n.men[p] = true
	}
}
