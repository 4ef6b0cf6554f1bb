package winone

import (
	"testing"

	"paika/bitboard"
	"paika/bitboard/phutball"
)

func TestSolversOfManyBoardsAreKeptWithinBounds(t *testing.T) {
	const bytes = 1 << 20
	s := NewSolvers(phutball.Rules{}, bytes)
	for range 2 {
		for width := 1; width <= 20; width++ {
			for height := 5; height <= 25; height += 4 {
				board := bitboard.Board{Width: width, Height: height}
				on, err := s.On(t.Context(), board)
				if err != nil || on.Grid().Board() != board {
					t.Fatalf("%v: a solver on %v, %v", board, on.Grid().Board(), err)
				}
				if again, err := s.On(t.Context(), board); again != on || err != nil {
					t.Errorf("%v: another solver, %v", board, err)
				}
				held := uint64(0)
				for _, k := range s.kept[:len(s.kept)-1] {
					held += Bytes(k.grid.Board())
				}
				if len(s.kept) > mostSolvers || held > bytes {
					t.Fatalf("%d solvers, %d bytes beside the last", len(s.kept), held)
				}
			}
		}
	}
}
