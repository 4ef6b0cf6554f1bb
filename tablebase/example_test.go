package tablebase_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"paika/bitboard"
	"paika/tablebase"
)

// toySpace is the space of a game with one slice of three positions.
type toySpace struct{}

func (toySpace) SliceName(bitboard.Slice) string           { return "1v1" }
func (toySpace) ParseSlice(string) (bitboard.Slice, error) { return 0, nil }
func (toySpace) Indices(bitboard.Slice) uint64             { return 3 }
func (toySpace) Positions(bitboard.Slice) uint64           { return 3 }

func Example() {
	dir, err := os.MkdirTemp("", "tables")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	id := tablebase.Identity{Game: "toy", Board: "3x1"}
	store, err := tablebase.Open(dir, id, tablebase.Options{Version: "v1"})
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()

	tables := store.Tables(bitboard.DTW, toySpace{})
	solved := &bitboard.Table{DTW: []bitboard.Depth{
		bitboard.MakeDepth(bitboard.Loss, 0), bitboard.MakeDepth(bitboard.Win, 1), 0,
	}}
	counts := bitboard.Summary{Win: 1, Loss: 1, Draw: 1, LongestWin: 1, LongestLoss: 0}
	if err := tables.Save(context.Background(), solved, counts); err != nil {
		log.Fatal(err)
	}

	loaded := &bitboard.Table{DTW: make([]bitboard.Depth, 3)}
	if err := tables.Load(context.Background(), loaded); err != nil {
		log.Fatal(err)
	}
	for _, info := range store.Slices(bitboard.DTW) {
		fmt.Println(info.Name, info.Positions, loaded.Outcome(1))
	}
	// Output: 1v1 3 {win 1}
}
