package proofs_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"

	"paika/bitboard"
	"paika/bitboard/phutball"
	"paika/proofs"
)

// counting are tables of draws alone, which count how much they are asked.
type counting struct{ most, all atomic.Int64 }

func (c *counting) Checksum(bitboard.Metric, string) (string, bool) { return "00", true }

func (c *counting) ProbeAll(_ context.Context, _ bitboard.Metric, positions []phutball.Position, outcomes []bitboard.Outcome) error {
	n := int64(len(positions))
	c.all.Add(n)
	for most := c.most.Load(); n > most && !c.most.CompareAndSwap(most, n); most = c.most.Load() {
	}
	for i := range outcomes {
		outcomes[i] = bitboard.Outcome{Value: bitboard.Draw, Distance: bitboard.UnknownDistance}
	}
	return nil
}

// However many turns of a record lead into tables, few are held at a time. Here men stand between
// all points of the even lattice, and jumps come to 116,654 positions of the table.
func TestTurnsIntoTablesAreLookedUpAsTheyCome(t *testing.T) {
	board := bitboard.Board{Width: 5, Height: 5}
	game, err := phutball.New(board, phutball.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	var men []string
	for rank := range 5 {
		for file := range 5 {
			if file%2 == 1 || rank%2 == 1 {
				men = append(men, phutballPoint(file, rank))
			}
		}
	}
	root := "ball=C3 men=" + strings.Join(men, ",") + " to=ohs"
	p, _, err := game.Parse(root)
	if err != nil {
		t.Fatal(err)
	}
	stored, err := game.ParseSlice("all")
	if err != nil {
		t.Fatal(err)
	}
	want := int64(0)
	for _, to := range game.Turns(nil, p) {
		if game.SliceOf(to) == stored {
			want++
		}
	}
	const most = 1 << 14
	if want <= most {
		t.Fatalf("%d turns lead into tables: too few for a test", want)
	}
	setting := proofs.Setting{Game: "phutball", Board: board.String()}
	h := proofs.Header{Format: 1, Setting: setting, Claim: "eks-not-lost", Root: root, Tables: []proofs.Table{{Slice: "all", Metric: "wdl", Checksum: "00"}}}
	line, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	file, err := open(packText(t, withEnd(string(line)+"\n"+root+"\t*\n")))
	if err != nil {
		t.Fatal(err)
	}
	tables := new(counting)
	r, err := proofs.Check(t.Context(), setting, game, tables, file, proofs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	// The first that is wrong has the record read again.
	if asked := tables.all.Load(); int64(r.Leaves) != want || asked < want || asked > want+most || tables.most.Load() > most {
		t.Errorf("%d leaves, %d asked for, at most %d together, want %d, at most %d", r.Leaves, asked, tables.most.Load(), want, most)
	}
}
