package catalogue_test

import (
	"testing"

	"paika/bitboard"
	"paika/bitboard/record"
	"paika/cmd/paika/catalogue"
)

// The record of every ending is legal, takes the turns that it is said to take, and
// ends the game; its slices are those of the board.
func TestEndgamesArePlayedOut(t *testing.T) {
	for _, game := range catalogue.Games() {
		for _, ending := range game.Look.Endgames {
			r, err := record.Parse(ending.Record)
			if err != nil {
				t.Fatalf("%s: %v", ending.Name, err)
			}
			instance, err := catalogue.OpenRecord(r, game.Name, ending.Board, nil)
			if err != nil {
				t.Fatalf("%s: %v", ending.Name, err)
			}
			tables, err := instance.Open("", 1)
			if err != nil {
				t.Fatal(err)
			}
			played, err := tables.Annotate(t.Context(), r)
			if err != nil {
				t.Fatalf("%s: %v", ending.Name, err)
			}
			last := played.Turns[len(played.Turns)-1]
			if len(played.Turns) != ending.Turns || last.Value == nil || *last.Value != bitboard.Win.String() {
				t.Errorf("%s: %d turns, want %d; the last is %+v", ending.Name, len(played.Turns), ending.Turns, last)
			}
			for _, slice := range ending.Slices {
				if _, err := instance.BuildCost(catalogue.BuildOptions{Slices: []string{slice}}); err != nil {
					t.Errorf("%s: %v", ending.Name, err)
				}
			}
		}
	}
}
