package tablebase_test

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

// toySpace is the space of a game with one slice of three positions.
type toySpace struct{}

func (toySpace) SliceName(bitboard.Slice) string           { return "1v1" }
func (toySpace) ParseSlice(string) (bitboard.Slice, error) { return 0, nil }
func (toySpace) Indices(bitboard.Slice) uint64             { return 3 }
func (toySpace) Positions(bitboard.Slice) uint64           { return 3 }
func (toySpace) Groups() ([]bitboard.Group, error)         { return nil, nil }

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

// Tables of up to four stones on 3x3 are built into a folder, and many positions looked
// up there, by thousands: no position becomes text.
func ExampleProber() {
	ctx := context.Background()
	board := bitboard.Board{Width: 3, Height: 3}
	game, err := fanorona.New(board, fanorona.Rules{})
	check(err)
	dir, err := os.MkdirTemp("", "tables")
	check(err)
	defer os.RemoveAll(dir)
	id := tablebase.Identity{Game: "fanorona", Board: board.String(), Rules: game.Rules().String()}
	store, err := tablebase.Open(dir, id, tablebase.Options{})
	check(err)
	defer store.Close()

	const pieces = 4
	groups, err := lookup.GroupsUpTo(game, board, pieces)
	check(err)
	tables := store.Tables(bitboard.WDL, game)
	_, err = retrograde.Build(ctx, game, groups, tables, retrograde.Options{Metric: bitboard.WDL, Memory: 1 << 28})
	check(err)

	var all []fanorona.Position
	for _, info := range store.Slices(bitboard.WDL) {
		slice, err := game.ParseSlice(info.Name)
		check(err)
		game.Walk(slice, 0, info.Indices, func(_ uint64, p fanorona.Position, _ int) bool {
			all = append(all, p)
			return true
		})
	}
	prober := tablebase.NewProber(store, game, 0)
	const batch = 1 << 12
	positions, outcomes := make([]fanorona.Position, batch), make([]bitboard.Outcome, batch)
	var counts [3]int
	for done := 0; done < 100_000; done += batch {
		for i := range positions {
			positions[i] = all[(done+i)%len(all)]
		}
		check(prober.ProbeAll(ctx, positions, outcomes))
		for _, o := range outcomes {
			counts[o.Value]++
		}
	}
	fmt.Println(len(all), "positions, up to symmetry")
	fmt.Printf("won %d, lost %d, drawn %d\n", counts[bitboard.Win], counts[bitboard.Loss], counts[bitboard.Draw])
	// Output:
	// 340 positions, up to symmetry
	// won 69263, lost 29222, drawn 3915
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
