package prover_test

import (
	"context"
	"errors"
	"testing"

	"paika/bitboard"
	"paika/cmd/paika/prover"
	"paika/proofs"
	"paika/tablebase"
	"paika/tablebase/lookup"
)

// Every search is shorter where tables tell how play ends, on disk or in memory, whole or
// not, or where hints do.
func TestTablesMakeSearchesShorter(t *testing.T) {
	of := newSubject(t)
	dir, all := buildSparse(t, of, 6), prover.UpTo(of, bitboard.AllPieces)
	store, err := tablebase.Open(dir, of.Identity, tablebase.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	none, whole, ahead := prover.NewShelf(of), load(t, of, dir, all), loadAhead(t, of, dir, all)
	o := prover.ValueOptions{Nodes: 1 << 30, Table: 1 << 20, Workers: 1}
	value := func(l *lookup.Lookup[position]) func(position) (uint64, error) {
		return func(p position) (uint64, error) {
			_, nodes, err := prover.Value(t.Context(), of.Game, l, p, o)
			return nodes, err
		}
	}
	inMemory := func(s *prover.Shelf[position]) func(position) (uint64, error) {
		return func(p position) (uint64, error) {
			_, nodes, err := prover.ValueInMemory(t.Context(), of, s, p, o)
			return nodes, err
		}
	}
	prove := func(shelf, hints *prover.Shelf[position]) func(position) (uint64, error) {
		return func(p position) (uint64, error) {
			q := prover.New(of, shelf, prover.Options{Workers: 1, Memory: 64 << 20, Table: 1 << 20})
			q.Hint(hints)
			answer, err := q.Prove(t.Context(), prover.Question[position]{Root: p, Claims: []proofs.Claim{{Side: 0}}})
			if err != nil {
				return 0, err
			}
			return answer.Nodes, nil
		}
	}
	openings := firstPositions(t, of, 60)
	nodes := func(search func(position) (uint64, error)) (total uint64) {
		for p := range openings {
			n, err := search(p)
			if err != nil {
				t.Fatal(err)
			}
			total += n
		}
		return total
	}
	for name, searches := range map[string][2]func(position) (uint64, error){
		"a value by tables on disk":            {value(lookup.New(of.Game, of.Board, store)), value(lookup.New(of.Game, of.Board, nil))},
		"a value by whole tables":              {inMemory(whole), inMemory(none)},
		"a value by tables that lack values":   {inMemory(ahead), inMemory(none)},
		"a proof over whole tables":            {prove(whole, none), prove(none, none)},
		"a proof by hints":                     {prove(none, whole), prove(none, none)},
		"a proof by hints that lack values":    {prove(none, ahead), prove(none, none)},
		"a proof over tables that lack values": {prove(ahead, none), prove(none, none)},
	} {
		if with, without := nodes(searches[0]), nodes(searches[1]); with*2 > without {
			t.Errorf("%s takes %d nodes, and %d without", name, with, without)
		}
	}
}

// A search ends where tables can't be read: it is not answered without them.
func TestValueEndsAtTablesThatCannotBeRead(t *testing.T) {
	of := newSubject(t)
	store, err := tablebase.Open(build(t, of, 4), of.Identity, tablebase.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	start, _, _ := of.Game.Start()
	o := prover.ValueOptions{Nodes: 1 << 30, Table: 1 << 20, Workers: 1}
	if v, _, err := prover.Value(t.Context(), of.Game, lookup.New(of.Game, of.Board, store), start, o); !errors.Is(err, tablebase.ErrClosed) {
		t.Errorf("%v, %v, want %v", v, err, tablebase.ErrClosed)
	}
}

// What a check sees is what tables are named by: a table is not loaded whose values in memory are
// others, also where those that were left out follow from others than when it was stored.
func TestTablesAreWhatTheyAreNamedBy(t *testing.T) {
	of := newSubject(t)
	dir, all := buildSparse(t, of, 4), prover.UpTo(of, bitboard.AllPieces)
	store, err := tablebase.Open(dir, of.Identity, tablebase.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	slice, err := of.Game.ParseSlice("2v1")
	if err != nil {
		t.Fatal(err)
	}
	tables := store.Tables(bitboard.WDL, of.Game)
	drawn := bitboard.NewTable(bitboard.WDL, slice, of.Game.Indices(slice))
	if err := tables.Save(t.Context(), drawn, bitboard.Summary{Slice: slice, Draw: of.Game.Positions(slice)}); err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	shelf, err := prover.Load(t.Context(), of, dir, all, prover.LoadOptions{Workers: 1, Memory: 1 << 30})
	if !errors.Is(err, tablebase.ErrStoredSo) || shelf != nil {
		t.Errorf("%v, want %v", err, tablebase.ErrStoredSo)
	}
}

// A shelf whose loading was stopped is none.
func TestShelvesThatWereNotLoadedAreNone(t *testing.T) {
	of := newSubject(t)
	dir, all := buildSparse(t, of, 4), prover.UpTo(of, bitboard.AllPieces)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, ahead := range []bool{false, true} {
		if shelf, err := prover.Load(ctx, of, dir, all, prover.LoadOptions{Workers: 1, Memory: 1 << 30, Ahead: ahead}); !errors.Is(err, context.Canceled) || shelf != nil {
			t.Errorf("ahead %v: %v, want %v", ahead, err, context.Canceled)
		}
	}
	store, err := tablebase.Open(dir, of.Identity, tablebase.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if shelf, err := prover.LoadSmall(ctx, of, store, 1<<30); !errors.Is(err, context.Canceled) || shelf != nil {
		t.Errorf("small tables: %v, want %v", err, context.Canceled)
	}
}
