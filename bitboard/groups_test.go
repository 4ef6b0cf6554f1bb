package bitboard

import (
	"errors"
	"reflect"
	"testing"
)

// adding is a game in which every turn adds a piece: slice n holds the positions
// with n pieces, and needs those with one more.
type adding struct{ points int }

func (g adding) Groups() ([]Group, error) {
	if g.points == 0 {
		return nil, errors.New("no points")
	}
	groups := []Group{{Slices: []Slice{Slice(g.points)}}}
	for n := g.points - 1; n >= 0; n-- {
		groups = append(groups, Group{Slices: []Slice{Slice(n)}, Needs: []Slice{Slice(n + 1)}})
	}
	return groups, nil
}

func (g adding) Pieces(s Slice) int { return int(s) }

// Groups within a limit keep the game's order, whichever way that runs.
func TestGroupsWithin(t *testing.T) {
	for pieces, want := range map[int][]Slice{
		AllPieces: {4, 3, 2, 1, 0},
		1:         {1, 0},
		3:         {3, 2, 1, 0},
		9:         {4, 3, 2, 1, 0},
	} {
		groups, err := GroupsWithin(adding{4}, pieces)
		if err != nil {
			t.Fatal(err)
		}
		var got []Slice
		for _, g := range groups {
			got = append(got, g.Slices...)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("up to %d pieces: slices %v, want %v", pieces, got, want)
		}
	}
	if _, err := GroupsWithin(adding{}, 1); err == nil {
		t.Error("a board without tables: no error")
	}
}
