package bitboard_test

import (
	"fmt"
	"log"

	"paika/bitboard"
	"paika/bitboard/fanorona"
)

// The slices of a board, in the order in which they can be solved: each group behind what
// its turns lead to.
func ExampleGroupsWithin() {
	board, err := bitboard.ParseBoard("9x5")
	if err != nil {
		log.Fatal(err)
	}
	game, err := fanorona.New(board, fanorona.Rules{})
	if err != nil {
		log.Fatal(err)
	}
	groups, err := bitboard.GroupsWithin(game, 4)
	if err != nil {
		log.Fatal(err)
	}
	for _, g := range groups {
		fmt.Println(names(game, g.Slices), "after", names(game, g.Needs))
	}
	// Output:
	// [1v1] after []
	// [2v1 1v2] after [1v1]
	// [2v2] after [1v2]
	// [3v1 1v3] after [1v1 2v1]
}

func names(game *fanorona.Game, slices []bitboard.Slice) (all []string) {
	for _, s := range slices {
		all = append(all, game.SliceName(s))
	}
	return all
}
