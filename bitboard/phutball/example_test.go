package phutball_test

import (
	"fmt"
	"log"

	"paika/bitboard"
	"paika/bitboard/phutball"
)

// Two jumps win for Ohs: the ball leaves the board over the top row. Placing a man would
// be a turn as well, and so would stopping behind the first jump.
func Example() {
	game, err := phutball.New(bitboard.Board{Width: 5, Height: 5}, phutball.Rules{})
	if err != nil {
		log.Fatal(err)
	}
	p, side, err := game.Parse("ball=C2 men=C3,D5 to=ohs")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(game.Format(p, side))
	for _, turn := range game.Notated(p, side)[:3] {
		fmt.Printf("%-8s %s\n", turn.Notation, game.Format(turn.To, side.Other()))
	}
	_, err = game.ParseTurn(p, side, "C2-D3")
	fmt.Println(err)
	// Output:
	// ...*./...../..*../..@../..... ohs
	// C2-C4    ...*./..@../...../...../..... eks
	// C2-C4-E6 @E6 ...../...../...../...../..... eks
	// A5       *..*./...../..*../..@../..... eks
	// turn "C2-D3": jump 1, C2-D3: there is no man on D3 to jump
}

// Start has the ball in the middle.
func ExampleGame_Start() {
	game, err := phutball.New(bitboard.Board{Width: 3, Height: 5}, phutball.Rules{})
	if err != nil {
		log.Fatal(err)
	}
	p, side, err := game.Start()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(game.Format(p, side))
	fmt.Println(game.Rules())
	// Output:
	// .../.../.@./.../... ohs
	// goal-stop=false,corner-exit=false,return-from-off=false
}
