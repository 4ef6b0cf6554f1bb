package complete_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/proofs"
	"paika/proofs/complete"
	"paika/solver/proofnumber"
	"paika/solver/retrograde"
	"paika/tablebase"
	"paika/tablebase/lookup"
)

// That White wins Fanorona on 3x3 is proved down to tables of four stones. The certificate
// is completed down to the end of the game, and then checked with no table at hand.
func Example() {
	ctx := context.Background()
	game, err := fanorona.New(bitboard.Board{Width: 3, Height: 3}, fanorona.Rules{})
	must(err)
	setting := proofs.Setting{Game: "fanorona", Board: game.Board().String(), Rules: game.Rules().String()}
	dir, err := os.MkdirTemp("", "tables")
	must(err)
	defer os.RemoveAll(dir)
	store := build(ctx, dir, setting, game)
	defer store.Close()

	relying := prove(ctx, setting, game, store)
	given, err := proofs.Open(bytes.NewReader(relying), int64(len(relying)))
	must(err)
	fmt.Println(given.Header.Claim, "by tables of", len(given.Header.Tables), "slices")

	var file bytes.Buffer
	tables := hints{store.Tables(bitboard.DTW, game), tablebase.NewProber(store, game, 0)}
	result, err := complete.Write(ctx, &file, game, given, tables, complete.Options{})
	must(err)
	fmt.Println(result.Kept, "positions kept,", result.Added, "added")

	certificate, err := proofs.Open(bytes.NewReader(file.Bytes()), int64(file.Len()))
	must(err)
	report, err := proofs.Check(ctx, setting, game, nil, certificate, proofs.Options{})
	must(err)
	fmt.Println(report.Header.Claim, "by", len(certificate.Header.Tables), "tables:", report.Valid())
	// Output:
	// white-wins by tables of 6 slices
	// 6 positions kept, 22 added
	// white-wins by 0 tables: true
}

// hints are tables of a store.
type hints struct {
	*tablebase.Tables // that has them
	prober            *tablebase.Prober[fanorona.Position]
}

// Ready has nothing to do: the prober reads what it is asked for.
func (hints) Ready(context.Context, bitboard.Group) error { return nil }

func (h hints) Hint(p fanorona.Position) (bitboard.Outcome, bool) {
	outcome, err := h.prober.Probe(p)
	return outcome, err == nil
}

// build makes tables of up to four stones, with distances: a win is completed by them.
func build(ctx context.Context, dir string, setting proofs.Setting, game *fanorona.Game) *tablebase.Store {
	store, err := tablebase.Open(dir, tablebase.Identity(setting), tablebase.Options{})
	must(err)
	groups, err := lookup.GroupsUpTo(game, game.Board(), 4)
	must(err)
	_, err = retrograde.Build(ctx, game, groups, store.Tables(bitboard.DTW, game), retrograde.Options{Metric: bitboard.DTW, Memory: 1 << 28})
	must(err)
	return store
}

// prove searches for a win of White that ends at the tables, and gives its certificate.
func prove(ctx context.Context, setting proofs.Setting, game *fanorona.Game, store *tablebase.Store) []byte {
	root, white, err := game.Start()
	must(err)
	h := proofs.Header{Setting: setting, Claim: proofs.Claim{Side: white, Wins: true}.Text(game.SideName), Root: game.Format(root, white)}
	var known []*bitboard.Table
	for _, info := range store.Slices(bitboard.DTW) {
		h.Tables = append(h.Tables, proofs.Table{Slice: info.Name, Metric: bitboard.DTW.String(), Checksum: info.Fingerprint})
		slice, err := game.ParseSlice(info.Name)
		must(err)
		table := bitboard.NewTable(bitboard.DTW, slice, info.Indices)
		must(store.Tables(bitboard.DTW, game).Load(ctx, table))
		known = append(known, table)
	}
	entries, err := proofnumber.NewTable(1 << 20) // bytes
	must(err)
	defer entries.Close()
	search, err := proofnumber.New(game, entries, proofnumber.Options[fanorona.Position]{Tables: proofnumber.NewMemory(game, known)})
	must(err)
	const whiteMoves = true // and attacks
	result, err := search.Solve(ctx, root, whiteMoves)
	must(err)
	if result.Verdict != proofnumber.Proved {
		log.Fatal(result.Verdict)
	}
	var file bytes.Buffer
	w, err := proofs.NewWriter(&file, game, h, 1)
	must(err)
	_, err = search.Extract(ctx, root, whiteMoves, func(s proofnumber.Step[fanorona.Position]) error {
		mover := white
		if !s.AttackerMoves {
			mover = white.Other()
		}
		return w.Add(proofs.Step[fanorona.Position]{Position: s.Position, Side: mover, Chosen: s.Chosen, To: s.To, Rank: s.Rank})
	})
	must(err)
	must(w.Close())
	return file.Bytes()
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
