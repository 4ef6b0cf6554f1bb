package lookup_test

import (
	"errors"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/bitboard/phutball"
	"paika/tablebase/lookup"
)

// Who asks for so many pieces of a game with tables of whole boards is told so, in words of no
// command.
func TestTablesOfWholeBoardsHaveAllPieces(t *testing.T) {
	game, err := phutball.New(board3x3, phutball.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lookup.GroupsUpTo(game, board3x3, 3); !errors.Is(err, lookup.ErrWholeBoards) || strings.Contains(err.Error(), "--") {
		t.Errorf("3 pieces: %v", err)
	}
	for _, pieces := range []int{bitboard.AllPieces, board3x3.Points()} {
		if groups, err := lookup.GroupsUpTo(game, board3x3, pieces); err != nil || len(groups) != 1 {
			t.Errorf("%d pieces: %d groups, %v", pieces, len(groups), err)
		}
	}
}
