package foreign_test

import (
	"context"
	"fmt"
	"log"

	"paika/bitboard"
	"paika/bitboard/konane"
	"paika/bitboard/record"
	"paika/bitboard/record/foreign"
)

// A game of Konane goes from one program's text into another's, and is played by the
// rules on the way.
func Example() {
	board := bitboard.Board{Width: 6, Height: 6}
	setting := foreign.Setting{Game: "konane", Board: board}
	r, err := foreign.Read(foreign.AbstractPlay, `[["c3","d3"],["c5-c3","b3-d3"]]`, setting)
	check(err)
	game, err := konane.New[konane.Word](board, konane.Rules{Opening: konane.Opening{Kind: konane.CentreOrCorner}})
	check(err)
	played, err := record.Replay(context.Background(), game, r)
	check(err)
	last := played.Turns[len(played.Turns)-1]
	fmt.Println(game.Format(last.To, last.Next))

	text, err := foreign.Write(foreign.OpenSpiel, r, setting)
	check(err)
	fmt.Print(text)
	// Output:
	// oxoxox/xo.oxo/ox.xox/x..oxo/oxoxox/xoxoxo b
	// 14, 15, 244, 142
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
