package lookup_test

import (
	"bytes"
	"context"
	"fmt"
	"os"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/proofs"
	"paika/solver/retrograde"
	"paika/tablebase"
	"paika/tablebase/lookup"
)

// loaded is a table in memory that has every value, for a checker: a proofs.NamedTables.
type loaded struct {
	game        *fanorona.Game
	table       *bitboard.Table
	fingerprint string // of the values that are loaded
}

func (l loaded) Checksum(m bitboard.Metric, slice string) (string, bool) {
	return l.fingerprint, m == bitboard.WDL && slice == l.game.SliceName(l.table.Slice)
}

func (l loaded) ProbeAll(_ context.Context, _ bitboard.Metric, positions []fanorona.Position, outcomes []bitboard.Outcome) error {
	for i, p := range positions {
		_, index := l.game.Rank(p)
		outcomes[i] = l.table.Outcome(index)
	}
	return nil
}

// White has a turn that leads to a lost position of the slice 1v2. The certificate of that rests on
// its table, which a checker has in memory.
func Example_namedTables() {
	ctx := context.Background()
	game, err := fanorona.New(bitboard.Board{Width: 3, Height: 3}, fanorona.Rules{})
	check(err)
	id := tablebase.Identity{Game: "fanorona", Board: game.Board().String(), Rules: game.Rules().String()}
	dir, err := os.MkdirTemp("", "tables")
	check(err)
	defer os.RemoveAll(dir)
	store, err := tablebase.Open(dir, id, tablebase.Options{})
	check(err)
	defer store.Close()
	groups, err := lookup.GroupsUpTo(game, game.Board(), 3)
	check(err)
	tables := store.Tables(bitboard.WDL, game)
	_, err = retrograde.Build(ctx, game, groups, tables, retrograde.Options{Memory: 1 << 28})
	check(err)

	slice, err := game.ParseSlice("1v2") // the side to move has one stone
	check(err)
	named := loaded{game: game, table: bitboard.NewTable(bitboard.WDL, slice, game.Indices(slice))}
	check(tables.Load(ctx, named.table))
	named.fingerprint, err = id.TableFingerprint(ctx, bitboard.WDL, "1v2", game.Indices(slice), named.table, 1)
	check(err)

	root, white, err := game.Parse("W../B../..W w")
	check(err)
	to, _, err := game.Parse("W../B../.W. b")
	check(err)
	var file bytes.Buffer
	w, err := proofs.NewWriter(&file, game, proofs.Header{
		Setting: proofs.Setting(id), Claim: "white-wins", Root: game.Format(root, white),
		Tables: []proofs.Table{{Slice: "1v2", Metric: "wdl", Checksum: named.fingerprint}},
	}, 1)
	check(err)
	check(w.Add(proofs.Step[fanorona.Position]{Position: root, Side: white, Chosen: true, To: to, Rank: 1}))
	check(w.Close())

	certificate, err := proofs.Open(bytes.NewReader(file.Bytes()), int64(file.Len()))
	check(err)
	report, err := proofs.Check(ctx, proofs.Setting(id), game, named, certificate, proofs.Options{})
	check(err)
	fmt.Println(report.Header.Claim, "from", report.Header.Root, "by table", report.Header.Tables[0].Slice, "is proved:", report.Valid())
	// Output: white-wins from W../B../..W w by table 1v2 is proved: true
}
