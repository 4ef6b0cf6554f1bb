package record

import (
	"context"
	"fmt"

	"paika/bitboard"
)

// Played is a turn of a record as a game understands it.
type Played[P comparable] struct {
	Node   *Node
	Number int           // from 1
	Parent int           // index of the turn before it in the list, -1 for none
	Side   bitboard.Side // that makes it, as the text of From names it
	Next   bitboard.Side // that moves next
	From   P             // the position, seen from Side
	To     P             // the position after it, seen from Next
	Turn   string        // in the game's own notation
}

// Replayed is a record that was played by a game's rules.
type Replayed[P comparable] struct {
	Start P
	Side  bitboard.Side // to move there
	Turns []Played[P]   // each behind the one before it; of those that replace each other the game's own first
}

// Replay plays a record from its position tag, or from the game's start, and all its
// variations. Errors are those of the game's Start, the context's, that of a root with a turn, or of
// type *Error, which wraps ErrTooLarge behind MostTurns turns.
func Replay[P comparable](ctx context.Context, game bitboard.Notation[P], r *Record) (*Replayed[P], error) {
	all := &Replayed[P]{}
	err := r.checkRoot()
	if err != nil {
		return nil, err
	}
	if all.Start, all.Side, err = start(game, r); err != nil {
		return nil, err
	}
	type point struct {
		node   *Node
		p      P
		side   bitboard.Side
		number int // of the turns that follow
		index  int // of the node in the list
	}
	// The last of the stack is the next to go on from.
	stack := []point{{r.root(), all.Start, all.Side, 1, -1}}
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		first := len(all.Turns)
		for _, next := range at.node.Next {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if len(all.Turns) == MostTurns {
				return nil, &Error{next.At, fmt.Errorf("turn %d, %s: %w", at.number, bitboard.Shorten(next.Turn), ErrTooLarge)}
			}
			made, err := game.ParseTurn(at.p, at.side, next.Turn)
			if err != nil {
				return nil, &Error{next.At, fmt.Errorf("turn %d, %s: %w", at.number, bitboard.Shorten(next.Turn), err)}
			}
			all.Turns = append(all.Turns, Played[P]{
				Node: next, Number: at.number, Parent: at.index, Turn: made.Notation,
				Side: at.side, Next: bitboard.SideAfter(game, made.To, at.side), From: at.p, To: made.To,
			})
		}
		for i := len(all.Turns) - 1; i >= first; i-- {
			t := all.Turns[i]
			stack = append(stack, point{t.Node, t.To, t.Next, at.number + 1, i})
		}
	}
	return all, nil
}

// start is the position that a record begins from.
func start[P comparable](game bitboard.Notation[P], r *Record) (P, bitboard.Side, error) {
	tag, given := r.Tag(TagPosition)
	if !given {
		return game.Start()
	}
	p, side, err := bitboard.ParsePlayed(game, tag.Text)
	if err != nil {
		return p, side, &Error{tag.At, err}
	}
	return p, side, nil
}
