package catalogue

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"paika/bitboard"
	"paika/solver/retrograde"
)

// ErrOutOfReach says that no tables can hold a position.
var ErrOutOfReach = errors.New("no tables can hold it")

// ReachError says how far tables of a board go. It is an ErrOutOfReach.
type ReachError struct {
	Board  string
	Pieces int // of the position
	Most   int // pieces that tables of the board hold
	Stored int // pieces of the largest slices that are stored; 0 if none is
}

func (e *ReachError) Error() string {
	stored := "none are stored here"
	if e.Stored > 0 {
		stored = fmt.Sprintf("those with up to %d are stored here", e.Stored)
	}
	return fmt.Sprintf("%v: %d stones; tables of %s hold up to %d stones, and %s", ErrOutOfReach, e.Pieces, e.Board, e.Most, stored)
}

// Is makes the error match ErrOutOfReach.
func (e *ReachError) Is(target error) bool { return target == ErrOutOfReach }

// outOfReach says why no tables can hold the positions of a slice that can't be
// built.
func (t *tables[P]) outOfReach(why error) error {
	if _, ok := t.game.(bitboard.PieceCounter[P]); !ok {
		return fmt.Errorf("%w: %w", ErrOutOfReach, why)
	}
	e := &ReachError{Board: t.identity.Board}
	e.Most, e.Stored = t.reach()
	return e
}

// reachOf names the position's own pieces in the error that its slice has.
func (t *tables[P]) reachOf(p P, err error) error {
	reach, ok := err.(*ReachError)
	if !ok {
		return err
	}
	its := *reach
	its.Pieces = t.game.(bitboard.PieceCounter[P]).CountPieces(p)
	return &its
}

// reach is the most pieces that tables of the board can hold, and those of the
// slices that are stored.
func (t *tables[P]) reach() (most, stored int) {
	var names []string
	if t.store != nil {
		for _, m := range metrics {
			for _, s := range t.store.Slices(m) {
				names = append(names, s.Name)
			}
		}
	}
	groups, err := t.game.Groups()
	if err != nil {
		return 0, 0
	}
	most = t.mostPieces(groups)
	for _, g := range groups {
		for _, s := range g.Slices {
			if pieces := t.game.Pieces(s); pieces <= most && slices.Contains(names, t.game.SliceName(s)) {
				stored = max(stored, pieces)
			}
		}
	}
	return most, stored
}

// mostPieces is the highest number such that every slice with at most that many
// pieces can have a table.
func (n *instance[P]) mostPieces(groups []bitboard.Group) int {
	most, tooMany := 0, math.MaxInt
	for _, g := range groups {
		for _, s := range g.Slices {
			pieces := n.game.Pieces(s)
			if most = max(most, pieces); n.game.Indices(s) >= bitboard.MaxIndices {
				tooMany = min(tooMany, pieces)
			}
		}
	}
	return min(most, tooMany-1)
}

// BuildCost is what a build takes, by counting alone.
type BuildCost struct {
	Positions uint64 // of all slices, with symmetry undone
	Memory    uint64 // bytes, at the most
}

// BuildCost counts what Build would solve in an empty folder. Errors are those of
// Build for slices that there are not.
func (n *instance[P]) BuildCost(o BuildOptions) (BuildCost, error) {
	groups, err := n.plan(o)
	if err != nil {
		return BuildCost{}, err
	}
	var cost BuildCost
	for _, need := range retrograde.Needs(n.game, groups, o.retrograde()) {
		cost.Memory = max(cost.Memory, need.Memory)
		if sum := cost.Positions + need.Positions; sum >= cost.Positions {
			cost.Positions = sum
		} else {
			cost.Positions = math.MaxUint64
		}
	}
	return cost, nil
}

// WholeBoards tells whether tables hold all positions of a board or none.
func (n *instance[P]) WholeBoards() bool {
	groups, err := n.game.Groups()
	return err != nil || len(groups) == 1
}
