package verify_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/solver/retrograde"
	"paika/tablebase"
	"paika/tablebase/lookup"
	"paika/tablebase/verify"
)

// Tables of up to four stones on 3x3 are built, and every value in them is derived again
// by the rules.
func Example() {
	ctx := context.Background()
	game, err := fanorona.New(bitboard.Board{Width: 3, Height: 3}, fanorona.Rules{})
	check(err)
	dir, err := os.MkdirTemp("", "tables")
	check(err)
	defer os.RemoveAll(dir)
	id := tablebase.Identity{Game: "fanorona", Board: game.Board().String(), Rules: game.Rules().String()}
	store, err := tablebase.Open(dir, id, tablebase.Options{})
	check(err)
	defer store.Close()
	groups, err := lookup.GroupsUpTo(game, game.Board(), 4)
	check(err)
	_, err = retrograde.Build(ctx, game, groups, store.Tables(bitboard.WDL, game), retrograde.Options{Memory: 1 << 28})
	check(err)

	report, err := verify.Run(ctx, game, store, verify.Options{})
	check(err)
	for _, finding := range report.Findings {
		fmt.Println(finding)
	}
	fmt.Printf("%d slices, %d positions: all is well: %v\n", report.Derived, report.Positions, report.OK())
	// Output:
	// 6 slices, 2340 positions: all is well: true
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
