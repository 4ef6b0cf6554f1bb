package record_test

import (
	"context"
	"fmt"
	"log"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/bitboard/record"
)

// The record of the package's front page is read, played by the rules, and written
// again with another turn in it.
func Example() {
	r, err := record.Parse(`[Game "fanorona"]
[Board "3x3"]

{The smallest board.} 1. a1-b2A {Takes c3.} (1. c1-b2A {Takes a3.} 2. a2-a3W)
2. b3-c3`)
	if err != nil {
		log.Fatal(err)
	}
	game, err := fanorona.New(bitboard.Board{Width: 3, Height: 3}, fanorona.Rules{})
	if err != nil {
		log.Fatal(err)
	}
	played, err := record.Replay(context.Background(), game, r)
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range played.Turns {
		fmt.Printf("%d. %s by %s leads to %s\n", t.Number, t.Turn, game.SideName(t.Side), game.Format(t.To, t.Next))
	}
	last := r.Root.Next[0].Next[0]
	last.Next = append(last.Next, &record.Node{Turn: "c2-c1", Comment: "Not yet looked at."})
	text, err := r.Format()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print("\n", text)
	// Output:
	// 1. a1-b2A by white leads to BB./BWW/.WW b
	// 1. c1-b2A by white leads to .BB/BWW/WW. b
	// 2. b3-c3 by black leads to B.B/BWW/.WW w
	// 2. a2-a3W by black leads to BBB/.WW/.W. w
	//
	// [Game "fanorona"]
	// [Board "3x3"]
	//
	// {The smallest board.} 1. a1-b2A {Takes c3.} (1. c1-b2A {Takes a3.} 2. a2-a3W)
	// 2. b3-c3 3. c2-c1 {Not yet looked at.}
}
