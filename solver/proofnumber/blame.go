package proofnumber

import (
	"context"
	"errors"
	"fmt"
)

// A contradiction is a position of which the table says what turns out otherwise.
type contradiction[P comparable] struct {
	position P
	attacker bool // has the move
	says     Verdict
}

func (c *contradiction[P]) Error() string {
	return fmt.Sprintf("%v: at %v", ErrContradiction, c.position)
}
func (c *contradiction[P]) Unwrap() error { return ErrContradiction }

// judgeNodes bounds the search that tells who was wrong about a position.
const judgeNodes = 1 << 18

// blame finds out who was wrong, where the table has turned out to be and is empty, and has the
// others heard again. What the search finds on the way is found here, since nobody is heard.
// Where it is not to be told, because it takes much, or because nobody is known to have said it,
// all remain unheard.
func (s *Search[P]) blame(ctx context.Context, err error) {
	var c *contradiction[P]
	if !errors.As(err, &c) {
		return
	}
	name := s.options.Exchange.sayer(s.key(&c.position, c.attacker))
	if name == 0 {
		return
	}
	r := &run{budget: newBudget(judgeNodes), total: &s.searched}
	stop := context.AfterFunc(ctx, func() { r.ended.Store(true) })
	defer stop()
	if v, err := s.decide(r, c.position, c.attacker); err == nil && v != Undecided && v != c.says {
		s.options.Exchange.hearOthers(name)
	}
}
