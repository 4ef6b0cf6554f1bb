package retrograde_test

import (
	"context"
	"fmt"
	"log"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/solver/retrograde"
	"paika/tablebase/lookup"
)

// shelf keeps solved tables in memory. Package tablebase has a Storage on disk.
type shelf map[bitboard.Slice]*bitboard.Table

func (s shelf) Has(slice bitboard.Slice) bool { return s[slice] != nil }

func (s shelf) Load(_ context.Context, t *bitboard.Table) error {
	copy(t.DTW, s[t.Slice].DTW)
	return nil
}

func (s shelf) Save(_ context.Context, t *bitboard.Table, _ bitboard.Summary) error {
	kept := bitboard.NewTable(bitboard.DTW, t.Slice, uint64(len(t.DTW)))
	copy(kept.DTW, t.DTW) // whose memory is used again
	s[t.Slice] = kept
	return nil
}

// Fanorona on 3x3 is solved with up to five stones, and a position looked up.
func Example() {
	game, err := fanorona.New(bitboard.Board{Width: 3, Height: 3}, fanorona.Rules{})
	check(err)
	groups, err := lookup.GroupsUpTo(game, game.Board(), 5)
	check(err)
	tables := make(shelf)
	result, err := retrograde.Build(context.Background(), game, groups, tables, retrograde.Options{Metric: bitboard.DTW, Memory: 1 << 28})
	check(err)
	for _, sum := range result.Built {
		if sum.LongestWin >= 9 {
			fmt.Printf("%s: %d won, %d lost, %d drawn, the longest win in %d turns\n",
				game.SliceName(sum.Slice), sum.Win, sum.Loss, sum.Draw, sum.LongestWin)
		}
	}

	p, _, err := game.Parse("W.W/.../.B. w")
	check(err)
	slice, index := game.Rank(p)
	fmt.Println(tables[slice].Outcome(index))
	// Output:
	// 3v2: 1126 won, 108 lost, 26 drawn, the longest win in 9 turns
	// 2v3: 680 won, 524 lost, 56 drawn, the longest win in 9 turns
	// {win 7}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
