package konane_test

import (
	"fmt"
	"log"

	"paika/bitboard"
	"paika/bitboard/konane"
)

// A game on 4x4 begins: two removals and a jump. Then White can choose.
func Example() {
	game, err := konane.New[konane.Word](bitboard.Board{Width: 4, Height: 4}, konane.Rules{})
	if err != nil {
		log.Fatal(err)
	}
	p, side, err := game.Start()
	if err != nil {
		log.Fatal(err)
	}
	for _, text := range []string{"-b2", "-c2", "b4-b2"} {
		turn, err := game.ParseTurn(p, side, text)
		if err != nil {
			log.Fatal(err)
		}
		p, side = turn.To, game.Mover(turn.To)
		fmt.Printf("%-6s %s\n", text, game.Format(p, side))
	}
	for _, turn := range game.Notated(p, side) {
		fmt.Println("next:", turn.Notation)
	}
	// Output:
	// -b2    oxox/xoxo/o.ox/xoxo w
	// -c2    oxox/xoxo/o..x/xoxo b
	// b4-b2  o.ox/x.xo/ox.x/xoxo w
	// next: a2-c2
	// next: d3-b3
	// next: b1-b3
	// next: c4-c2
}

// While stones are removed nobody has a colour. Claims are then about the first and the
// second player, and positions name the one to move.
func ExampleByPlayers() {
	game, err := konane.New[konane.Word](bitboard.Board{Width: 3, Height: 3}, konane.Rules{})
	if err != nil {
		log.Fatal(err)
	}
	players := game.ByPlayers()
	p, player, err := players.Start()
	if err != nil {
		log.Fatal(err)
	}
	for _, text := range []string{"-b2", "-b3"} {
		fmt.Println(players.Format(p, player))
		turn, err := players.ParseTurn(p, player, text)
		if err != nil {
			log.Fatal(err)
		}
		p, player = turn.To, player.Other()
	}
	fmt.Println(players.Format(p, player))
	// Output:
	// xox/oxo/xox b first
	// xox/o.o/xox w second
	// x.x/o.o/xox b first
}
