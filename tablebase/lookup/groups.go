package lookup

import (
	"errors"
	"fmt"
	"math"

	"paika/bitboard"
)

// ErrWholeBoards says that tables with few pieces are asked for where a game has none: with
// bitboard.AllPieces there is one.
var ErrWholeBoards = errors.New("this game has one table for a whole board, not one for so many pieces")

// GroupsUpTo lists the groups of a board with at most that many pieces, or all with
// bitboard.AllPieces, and all that these need, in order. It fails where the board
// has no such positions, with ErrWholeBoards where it has tables of all positions alone,
// and where a slice has too many indices for a table.
func GroupsUpTo[P comparable](game bitboard.Space[P], board bitboard.Board, pieces int) ([]bitboard.Group, error) {
	if pieces != bitboard.AllPieces && pieces != board.Points() && WholeBoards(game) {
		return nil, fmt.Errorf("%s on %v: %w", bitboard.Count(pieces, "piece"), board, ErrWholeBoards)
	}
	all, err := game.Groups()
	if err != nil {
		return nil, err
	}
	if least := leastPieces(game, all); pieces != bitboard.AllPieces && (pieces < least || pieces > board.Points()) {
		return nil, fmt.Errorf("%s on %v: want %d to %d", bitboard.Count(pieces, "piece"), board, least, board.Points())
	}
	var wanted []bitboard.Slice
	for _, g := range all {
		if pieces == bitboard.AllPieces || bitboard.PiecesOf(game, g) <= pieces {
			wanted = append(wanted, g.Slices...)
		}
	}
	groups := bitboard.Closure(all, wanted)
	for _, g := range groups {
		for _, s := range g.Slices {
			if game.Indices(s) >= bitboard.MaxIndices {
				most := bitboard.Count(MostPieces(game, all), "piece")
				return nil, fmt.Errorf("slice %s of %v has more than 2^48 indices: tables hold up to %s there", game.SliceName(s), board, most)
			}
		}
	}
	return groups, nil
}

// GroupsWith is GroupsUpTo with as few pieces as hold the slices. Where tables of the board do
// not hold so many, the error names one of these slices.
func GroupsWith[P comparable](game bitboard.Space[P], board bitboard.Board, wanted []bitboard.Slice) ([]bitboard.Group, error) {
	all, err := game.Groups()
	if err != nil {
		return nil, err
	}
	most := MostPieces(game, all)
	for _, s := range wanted {
		if pieces := game.Pieces(s); pieces > most {
			return nil, fmt.Errorf("slice %s of %v has %s: tables hold up to %s there",
				game.SliceName(s), board, bitboard.Count(pieces, "piece"), bitboard.Count(most, "piece"))
		}
	}
	pieces := bitboard.PiecesOf(game, bitboard.Group{Slices: wanted})
	return GroupsUpTo(game, board, max(pieces, leastPieces(game, all))) // none would be AllPieces
}

// GroupsOf lists the groups that a build of the slices solves: theirs, and those that
// these need.
func GroupsOf[P comparable](game bitboard.Space[P], board bitboard.Board, wanted []bitboard.Slice) ([]bitboard.Group, error) {
	all, err := GroupsWith(game, board, wanted)
	return bitboard.Closure(all, wanted), err
}

// GroupsByMetric is GroupsOf for the slices of each metric: what a build stores of one
// does not depend on the other.
func GroupsByMetric[P comparable](game bitboard.Space[P], board bitboard.Board, wanted map[bitboard.Metric][]bitboard.Slice) (map[bitboard.Metric][]bitboard.Group, error) {
	groups := make(map[bitboard.Metric][]bitboard.Group)
	for metric, slices := range wanted {
		of, err := GroupsOf(game, board, slices)
		if err != nil {
			return nil, err
		}
		groups[metric] = of
	}
	return groups, nil
}

// WholeBoards tells whether tables of a game hold all positions of a board or none.
func WholeBoards[P comparable](game bitboard.Space[P]) bool {
	groups, err := game.Groups()
	return err != nil || len(groups) == 1
}

// leastPieces is the least number of pieces, at least one, that all positions of
// some group have room for.
func leastPieces[P comparable](game bitboard.Space[P], groups []bitboard.Group) int {
	least := math.MaxInt
	for _, g := range groups {
		least = min(least, bitboard.PiecesOf(game, g))
	}
	return max(1, least)
}

// MostPieces is the highest number such that every slice with at most that many
// pieces can have a table. The groups are all of the game's.
func MostPieces[P comparable](game bitboard.Space[P], groups []bitboard.Group) int {
	most, tooMany := 0, math.MaxInt
	for _, g := range groups {
		for _, s := range g.Slices {
			pieces := game.Pieces(s)
			if most = max(most, pieces); game.Indices(s) >= bitboard.MaxIndices {
				tooMany = min(tooMany, pieces)
			}
		}
	}
	return min(most, tooMany-1)
}
