package flat_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/solver/retrograde"
	"paika/tablebase"
	"paika/tablebase/flat"
	"paika/tablebase/lookup"
)

// A slice goes from a store into a flat file. Whoever gets the file checks it, loads the
// values, and looks positions up by their indices.
func Example() {
	ctx := context.Background()
	game, err := fanorona.New(bitboard.Board{Width: 3, Height: 3}, fanorona.Rules{})
	check(err)
	slice, err := game.ParseSlice("2v1")
	check(err)
	file := write(ctx, game, slice)

	received, err := flat.Read(ctx, flat.FileName("2v1", bitboard.DTW), bytes.NewReader(file), int64(len(file)))
	check(err)
	h := received.Header
	fmt.Printf("%s on %s, slice %s: %d positions, the longest win in %d turns\n",
		h.Identity.Game, h.Identity.Board, h.Slice, h.Positions, h.LongestWin)

	table := &bitboard.Table{Slice: slice, DTW: make([]bitboard.Depth, h.Indices)}
	check(received.Load(ctx, table, 1, nil))

	game.Walk(slice, 0, h.Indices, func(index uint64, p fanorona.Position, images int) bool {
		o := table.Outcome(index)
		if o.Value == bitboard.Win && o.Distance == h.LongestWin {
			fmt.Println("index", index, "and", images, "positions alike:", game.Format(p, 0))
		}
		return true
	})
	// Output:
	// fanorona on 3x3, slice 2v1: 252 positions, the longest win in 7 turns
	// index 54 and 4 positions alike: W.W/.../.B. w
}

// write builds the tables of a slice and gives the bytes of its file.
func write(ctx context.Context, game *fanorona.Game, slice bitboard.Slice) []byte {
	dir, err := os.MkdirTemp("", "tables")
	check(err)
	defer os.RemoveAll(dir)
	id := tablebase.Identity{Game: "fanorona", Board: game.Board().String(), Rules: game.Rules().String()}
	store, err := tablebase.Open(dir, id, tablebase.Options{})
	check(err)
	defer store.Close()
	groups, err := lookup.GroupsOf(game, game.Board(), []bitboard.Slice{slice})
	check(err)
	tables := store.Tables(bitboard.DTW, game)
	_, err = retrograde.Build(ctx, game, groups, tables, retrograde.Options{Metric: bitboard.DTW, Memory: 1 << 28})
	check(err)

	info, _ := store.Slice(bitboard.DTW, game.SliceName(slice))
	table := &bitboard.Table{Slice: slice, DTW: make([]bitboard.Depth, info.Indices)}
	check(tables.Load(ctx, table))
	var file bytes.Buffer
	check(flat.Write(ctx, &file, flat.NewHeader(id, bitboard.DTW, info), table, 1, nil))
	return file.Bytes()
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
