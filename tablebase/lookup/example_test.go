package lookup_test

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
)

// Tables of up to four stones on 3x3 are built, opened and asked: who wins with two
// stones against one, and how does best play go?
func Example() {
	ctx := context.Background()
	board := bitboard.Board{Width: 3, Height: 3}
	game, err := fanorona.New(board, fanorona.Rules{})
	check(err)
	dir, err := os.MkdirTemp("", "tables")
	check(err)
	defer os.RemoveAll(dir)
	id := tablebase.Identity{Game: "fanorona", Board: board.String()}

	store, err := tablebase.Open(dir, id, tablebase.Options{})
	check(err)
	groups, err := lookup.GroupsUpTo(game, board, 4)
	check(err)
	_, err = retrograde.Build(ctx, game, groups, store.Tables(bitboard.DTW, game), retrograde.Options{Metric: bitboard.DTW, Memory: 1 << 30})
	check(err)
	check(store.Close())

	store, err = tablebase.Open(dir, id, tablebase.Options{ReadOnly: true})
	check(err)
	defer store.Close()
	l := lookup.New(game, board, store)
	slice, err := game.ParseSlice("2v1") // the side to move has two stones
	check(err)
	longest, err := l.Longest(ctx, slice)
	check(err)
	queries, err := l.Query(ctx, []fanorona.Position{longest.Position})
	check(err)
	q := queries[0]
	fmt.Printf("%v in %d turns; %d turns to choose from, the best worth a %v\n",
		q.Rating.Value, q.Rating.Distance, len(q.Turns), q.Turns[0].Worth().Value)
	for i, turn := range q.Line.Turns {
		fmt.Printf("turn %d of the line leaves %d answers\n", i+1, len(game.Turns(nil, turn.To)))
	}
	// Output:
	// win in 7 turns; 6 turns to choose from, the best worth a win
	// turn 1 of the line leaves 3 answers
	// turn 2 of the line leaves 4 answers
	// turn 3 of the line leaves 6 answers
	// turn 4 of the line leaves 5 answers
	// turn 5 of the line leaves 1 answers
	// turn 6 of the line leaves 1 answers
	// turn 7 of the line leaves 0 answers
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
