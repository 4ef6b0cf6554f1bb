package lookup

import (
	"errors"
	"fmt"
	"slices"

	"paika/bitboard"
	"paika/tablebase"
)

// ErrOutOfReach says that no tables can hold a position.
var ErrOutOfReach = errors.New("no tables can hold it")

// ReachError says how far tables of a board go. It is an ErrOutOfReach.
type ReachError struct {
	Board  bitboard.Board
	Pieces int // of the position
	Most   int // pieces that tables of the board hold
	Stored int // pieces of the largest slices that are stored; 0 if none is
}

func (e *ReachError) Error() string {
	stored := "none are stored here"
	if e.Stored > 0 {
		stored = fmt.Sprintf("those with up to %d are stored here", e.Stored)
	}
	return fmt.Sprintf("%v: %s; tables of %v hold up to %s, and %s", ErrOutOfReach, bitboard.Count(e.Pieces, "stone"), e.Board, bitboard.Count(e.Most, "stone"), stored)
}

// Is makes the error match ErrOutOfReach.
func (e *ReachError) Is(target error) bool { return target == ErrOutOfReach }

// Missing is the error for a position that the tables say nothing of: that its
// slice is not stored, a *tablebase.MissingError, or that it cannot be, an
// ErrOutOfReach.
func (l *Lookup[P]) Missing(p P) error {
	s := l.game.SliceOf(p)
	if err, known := l.missing.Load(s); known {
		return l.reachOf(p, err.(error))
	}
	name := l.game.SliceName(s)
	var err error = &tablebase.MissingError{Slice: name}
	if why := l.buildable(name); why != nil {
		err = l.outOfReach(why)
	}
	l.missing.Store(s, err)
	return l.reachOf(p, err)
}

// buildable says why there can be no table of a slice of that name, if there can't.
func (l *Lookup[P]) buildable(name string) error {
	s, err := l.game.ParseSlice(name)
	if err == nil {
		_, err = GroupsWith(l.game, l.board, []bitboard.Slice{s})
	}
	return err
}

// outOfReach says why no tables can hold the positions of a slice that can't be
// built.
func (l *Lookup[P]) outOfReach(why error) error {
	if _, ok := l.game.(bitboard.PieceCounter[P]); !ok {
		return fmt.Errorf("%w: %w", ErrOutOfReach, why)
	}
	e := &ReachError{Board: l.board}
	e.Most, e.Stored = l.reach()
	return e
}

// reachOf names the position's own pieces in the error that its slice has.
func (l *Lookup[P]) reachOf(p P, err error) error {
	reach, ok := err.(*ReachError)
	if !ok {
		return err
	}
	its := *reach
	its.Pieces = l.game.(bitboard.PieceCounter[P]).CountPieces(p)
	return &its
}

// reach is the most pieces that tables of the board can hold, and those of the
// slices that are stored.
func (l *Lookup[P]) reach() (most, stored int) {
	var names []string
	if l.store != nil {
		for _, m := range [...]bitboard.Metric{bitboard.WDL, bitboard.DTW} {
			for _, s := range l.store.Slices(m) {
				names = append(names, s.Name)
			}
		}
	}
	groups, err := l.game.Groups()
	if err != nil {
		return 0, 0
	}
	most = MostPieces(l.game, groups)
	for _, g := range groups {
		for _, s := range g.Slices {
			if pieces := l.game.Pieces(s); pieces <= most && slices.Contains(names, l.game.SliceName(s)) {
				stored = max(stored, pieces)
			}
		}
	}
	return most, stored
}
