package lookup

import (
	"fmt"

	"paika/bitboard"
	"paika/tablebase"
)

// Bounded is the same lookup with a bound on the turns that the positions of one
// call have together; 0 is no bound.
func (l *Lookup[P]) Bounded(turns int) *Lookup[P] {
	bounded := *l
	bounded.most = turns
	return &bounded
}

// Cached is the same lookup with another cache of the tables, which is empty, of so many bytes.
func (l *Lookup[P]) Cached(bytes int64) *Lookup[P] {
	cached := *l
	if l.prober != nil {
		cached.prober = tablebase.NewProber(l.store, l.game, bytes)
	}
	return &cached
}

// Admit fails with bitboard.ErrTooManyTurns where one position has more turns than the bound
// allows.
func (l *Lookup[P]) Admit(p P) error {
	if l.most > 0 && bitboard.CountTurns(l.game, p, l.most+1) > l.most {
		return l.tooMany()
	}
	return nil
}

// listable is the first of the positions, as many as keep to the bound together.
// The others get the error.
func (l *Lookup[P]) listable(all []*Listed[P]) []*Listed[P] {
	if l.most == 0 {
		return all
	}
	within := 0
	for left := l.most; within < len(all); within++ {
		if left -= bitboard.CountTurns(l.game, all[within].Position, left+1); left < 0 {
			break
		}
	}
	for _, t := range all[within:] {
		t.Err = l.tooMany()
	}
	return all[:within]
}

func (l *Lookup[P]) tooMany() error {
	return fmt.Errorf("%w: want at most %d together", bitboard.ErrTooManyTurns, l.most)
}
