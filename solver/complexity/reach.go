package complexity

import (
	"context"
	"unsafe"

	"paika/bitboard"
)

// node is a position with the side that is to move, where the position does not tell that: in a
// bitboard.Colourless game, whose sides are players, the stones do, and either player may have
// them.
type node[P comparable] struct {
	position P
	side     bitboard.Side
}

// Reachable counts the positions that play can reach from one, itself among
// them, each with the side that is to move, no symmetry taken out. It stops where
// there are more than most, or than fit into some bytes of memory: whole tells
// that it did not, and otherwise there are more than count. Errors: the context's.
func Reachable[P comparable](ctx context.Context, rules bitboard.Rules[P], start P, most int, memory uint64) (count int, whole bool, err error) {
	first := node[P]{position: start}
	each := setBytes(unsafe.Sizeof(first)) + growth*uint64(unsafe.Sizeof(first)) // seen, and waiting
	most = int(min(uint64(most), memory/each))
	if most == 0 { // the start is one
		return 0, false, nil
	}
	seen := map[node[P]]struct{}{first: {}}
	many := prolific(rules)
	_, byPlayers := rules.(bitboard.Colourless[P])
	var turns []P
	for waiting := []node[P]{first}; len(waiting) > 0; {
		if err := ctx.Err(); err != nil {
			return 0, false, err
		}
		at := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		left := memory - min(memory, uint64(len(seen))*each)
		if _, more := outgrows(many, at.position, left, growth*uint64(unsafe.Sizeof(start))); more {
			return len(seen) - 1, false, nil
		}
		turns = rules.Turns(turns[:0], at.position)
		for _, to := range turns {
			next := node[P]{position: to}
			if !byPlayers {
				next.side = at.side.Other()
			}
			if _, known := seen[next]; !known {
				seen[next] = struct{}{}
				waiting = append(waiting, next)
			}
			if len(seen) > most {
				return most, false, nil
			}
		}
	}
	return len(seen), true, nil
}
