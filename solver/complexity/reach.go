package complexity

import (
	"context"

	"paika/bitboard"
)

// Reachable counts the positions that play can reach from one, itself among
// them, each with the side that is to move, no symmetry taken out. whole tells
// that there are no more than most; otherwise count means nothing. Errors: the
// context's.
func Reachable[P comparable](ctx context.Context, rules bitboard.Rules[P], start P, most int) (count int, whole bool, err error) {
	type node struct {
		position P
		side     bitboard.Side
	}
	first := node{position: start}
	seen := map[node]bool{first: true}
	var turns []P
	for waiting := []node{first}; len(waiting) > 0; {
		if err := ctx.Err(); err != nil {
			return 0, false, err
		}
		at := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		turns = rules.Turns(turns[:0], at.position)
		for _, to := range turns {
			next := node{to, at.side.Other()}
			if !seen[next] {
				seen[next] = true
				waiting = append(waiting, next)
			}
		}
		if len(seen) > most {
			return 0, false, nil
		}
	}
	return len(seen), true, nil
}
