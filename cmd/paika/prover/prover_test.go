package prover_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/cmd/paika/prover"
	"paika/internal/lasting"
	"paika/proofs"
	"paika/solver/naive"
	"paika/solver/proofnumber"
	"paika/solver/retrograde"
	"paika/tablebase"
	"paika/tablebase/lookup"
)

type (
	position = fanorona.Position
	subject  = prover.Subject[position]
)

func newSubject(t *testing.T) subject {
	return subjectOn(t, bitboard.Board{Width: 3, Height: 3}, fanorona.Rules{})
}

func subjectOn(t *testing.T, board bitboard.Board, rules fanorona.Rules) subject {
	t.Helper()
	game, err := fanorona.New(board, rules)
	if err != nil {
		t.Fatal(err)
	}
	return subject{Game: game, Board: board, Identity: tablebase.Identity{Game: "fanorona", Board: board.String(), Rules: rules.String()}}
}

// build makes tables of at most that many pieces, in both metrics.
func build(t *testing.T, of subject, pieces int) (dir string) {
	t.Helper()
	return buildIn(t, of, pieces, func(tables *tablebase.Tables, _ []bitboard.Group) *tablebase.Tables { return tables }, bitboard.WDL, bitboard.DTW)
}

// buildSparse is build in wdl alone, where the largest tables leave values out.
func buildSparse(t *testing.T, of subject, pieces int) (dir string) {
	t.Helper()
	return buildIn(t, of, pieces, (*tablebase.Tables).ForBuild, bitboard.WDL)
}

func buildIn(t *testing.T, of subject, pieces int, with func(*tablebase.Tables, []bitboard.Group) *tablebase.Tables, metrics ...bitboard.Metric) (dir string) {
	t.Helper()
	dir = t.TempDir()
	groups, err := bitboard.GroupsWithin(of.Game, pieces)
	if err != nil {
		t.Fatal(err)
	}
	store, err := tablebase.Open(dir, of.Identity, tablebase.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range metrics {
		if _, err := retrograde.Build(t.Context(), of.Game, groups, with(store.Tables(m, of.Game), groups), retrograde.Options{Metric: m, Memory: 1 << 30}); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func load(t *testing.T, of subject, dir string, pick prover.Pick) *prover.Shelf[position] {
	t.Helper()
	shelf, err := prover.Load(t.Context(), of, dir, pick, prover.LoadOptions{Workers: 2, Memory: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(shelf.Free)
	return shelf
}

// loadAhead loads all tables for searches alone.
func loadAhead(t *testing.T, of subject, dir string, pick prover.Pick) *prover.Shelf[position] {
	t.Helper()
	shelf, err := prover.Load(t.Context(), of, dir, pick, prover.LoadOptions{Workers: 2, Memory: 1 << 30, Ahead: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(shelf.Free)
	if len(shelf.Whole()) == len(shelf.Tables()) {
		t.Fatalf("all of %v are whole", shelf.Named())
	}
	return shelf
}

// solved is the start, and what all positions that play reaches from there are worth by the
// definition.
func solved(t *testing.T, of subject) (start position, outcomes map[position]bitboard.Outcome) {
	t.Helper()
	start, _, err := of.Game.Start()
	if err != nil {
		t.Fatal(err)
	}
	outcomes, err = naive.Solve(t.Context(), of.Game, start)
	if err != nil {
		t.Fatal(err)
	}
	return start, outcomes
}

// sample is some of the positions that play from the start reaches, with their values
// by the definition.
func sample(t *testing.T, of subject, most int) map[position]bitboard.Value {
	t.Helper()
	start, outcomes := solved(t, of)
	values := map[position]bitboard.Value{start: outcomes[start].Value}
	for p, o := range outcomes {
		if len(values) < most {
			values[p] = o.Value
		}
	}
	return values
}

// firstPositions is sample of the positions that come first, which are the same at every call.
func firstPositions(t *testing.T, of subject, most int) map[position]bitboard.Value {
	t.Helper()
	start, outcomes := solved(t, of)
	values := make(map[position]bitboard.Value)
	for queue := []position{start}; len(queue) > 0 && len(values) < most; queue = queue[1:] {
		p := queue[0]
		if _, seen := values[p]; !seen {
			values[p] = outcomes[p].Value
			queue = of.Game.Turns(queue, p)
		}
	}
	return values
}

var claims = []proofs.Claim{{Side: 0, Wins: true}, {Side: 0}, {Side: 1, Wins: true}, {Side: 1}}

// holds tells whether a claim holds at a position of that value with side 0 to move.
func holds(c proofs.Claim, v bitboard.Value) proofnumber.Verdict {
	if c.Side == 1 {
		v = v.Reply()
	}
	if v == bitboard.Win || v == bitboard.Draw && !c.Wins {
		return proofnumber.Proved
	}
	return proofnumber.Refuted
}

// What is proved is true, with tables, whole or not, without and with some that are hints,
// and its certificate is valid and rests on no hint; what is refuted is false.
func TestAnswersAreThoseOfTheDefinition(t *testing.T) {
	of := newSubject(t)
	dir, sparse := build(t, of, 3), buildSparse(t, of, 4)
	relied, all := 0, prover.UpTo(of, bitboard.AllPieces)
	picked := prover.Then(prover.UpTo(of, 2), all, &relied)
	none, whole, wholeToo := prover.NewShelf(of), load(t, of, dir, all), load(t, of, sparse, all)
	guided, ahead := load(t, of, dir, picked), loadAhead(t, of, sparse, picked)
	hints, hintsAhead := guided.Split(relied), ahead.Split(relied)
	t.Cleanup(hints.Free)
	t.Cleanup(hintsAhead.Free)
	for _, shelf := range []*prover.Shelf[position]{guided, hints, ahead, hintsAhead} {
		if len(shelf.Named()) == 0 {
			t.Fatal("an empty shelf")
		}
	}
	for _, c := range []struct{ shelf, hints, checked *prover.Shelf[position] }{
		{none, nil, none}, {whole, nil, whole}, {loadAhead(t, of, sparse, all), nil, wholeToo},
		{guided, hints, guided}, {ahead, hintsAhead, ahead},
	} {
		p := prover.New(of, c.shelf, prover.Options{Workers: 1, Memory: 64 << 20, Table: 1 << 20})
		if c.hints != nil {
			p.Hint(c.hints)
		}
		chain := prover.NewChain(of, c.checked, 1, 128<<20, nil)
		for root, value := range sample(t, of, 12) {
			for _, claim := range claims {
				file, err := lasting.CreateRegular(filepath.Join(t.TempDir(), "proof"))
				if err != nil {
					t.Fatal(err)
				}
				answer, err := p.Prove(t.Context(), prover.Question[position]{Root: root, Claims: []proofs.Claim{claim}, Files: []*lasting.File{file}})
				if err != nil || answer.Verdict != holds(claim, value) {
					t.Fatalf("%s, %v: %+v, %v", of.Game.Format(root, 0), claim, answer, err)
				}
				if answer.Verdict == proofnumber.Proved {
					checkFile(t, chain, file.Path(), len(c.shelf.Named()))
				}
				file.Discard()
			}
		}
	}
}

// What tables were stored without is found by a look ahead, and is what completed tables
// have, at every position: for checks that take the store's word for what tables are named.
func TestStoredTablesTellWhatCompletedOnesDo(t *testing.T) {
	for _, rules := range []fanorona.Rules{{}, {StalemateDraws: true}} {
		for board, most := range map[bitboard.Board]int{{Width: 3, Height: 3}: 8, {Width: 5, Height: 3}: 6} {
			of := subjectOn(t, board, rules)
			for pieces := 2; pieces <= most; pieces++ {
				dir := buildSparse(t, of, pieces)
				all := prover.UpTo(of, bitboard.AllPieces)
				sameValues(t, of, load(t, of, dir, all), loadAhead(t, of, dir, all).Stored())
			}
		}
	}
}

// forgetful is a game that does not know what its slices need.
type forgetful struct{ *fanorona.Game }

func (g forgetful) Groups() ([]bitboard.Group, error) {
	groups, err := g.Game.Groups()
	for i := range groups {
		groups[i].Needs = nil
	}
	return groups, err
}

// Where tables lack what rests on what others lack, as no build leaves them, it is found, too.
func TestStoredTablesLookAheadAsFarAsItTakes(t *testing.T) {
	of := newSubject(t)
	all := prover.UpTo(of, bitboard.AllPieces)
	whole := load(t, of, build(t, of, 6), all)
	space := forgetful{of.Game.(*fanorona.Game)}
	groups, err := space.Groups()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	store, err := tablebase.Open(dir, of.Identity, tablebase.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range whole.Tables() {
		sum := bitboard.Summary{Slice: table.Slice, Draw: of.Game.Positions(table.Slice)} // which nobody looks at
		if err := store.Tables(bitboard.WDL, space).ForBuild(groups).Save(t.Context(), table, sum); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	sameValues(t, of, whole, loadAhead(t, of, dir, all).Stored())
}

// sameValues wants tables to tell of all positions what the whole ones of a shelf do.
func sameValues(t *testing.T, of subject, whole *prover.Shelf[position], got proofs.NamedTables[position]) {
	t.Helper()
	for i, table := range whole.Tables() {
		named := whole.Named()[i]
		if sum, found := got.Checksum(bitboard.WDL, named.Slice); !found || sum != named.Checksum {
			t.Errorf("table %s is named %s, want %s", named.Slice, sum, named.Checksum)
		}
		var positions []position
		of.Game.Walk(table.Slice, 0, of.Game.Indices(table.Slice), func(_ uint64, p position, _ int) bool {
			positions = append(positions, p)
			return true
		})
		found, want := make([]bitboard.Outcome, len(positions)), make([]bitboard.Outcome, len(positions))
		if err := errors.Join(got.ProbeAll(t.Context(), bitboard.WDL, positions, found), whole.ProbeAll(t.Context(), bitboard.WDL, positions, want)); err != nil {
			t.Fatal(err)
		}
		for i, p := range positions {
			if found[i] != want[i] {
				t.Fatalf("%v: %s is %v, want %v", of.Board, of.Game.Format(p, 0), found[i], want[i])
			}
		}
	}
}

// A shelf for searches alone names tables as one where they are whole, takes no more room,
// and gives no checker a value that it does not have.
func TestSearchesAloneGetWhatIsStored(t *testing.T) {
	of := newSubject(t)
	dir := buildSparse(t, of, 7)
	all := prover.UpTo(of, bitboard.AllPieces)
	whole, ahead := load(t, of, dir, all), loadAhead(t, of, dir, all)
	if !slices.Equal(whole.Named(), ahead.Named()) || whole.Bytes() != ahead.Bytes() || len(whole.Whole()) != len(whole.Tables()) {
		t.Errorf("%v, %d bytes; want %v, %d", ahead.Named(), ahead.Bytes(), whole.Named(), whole.Bytes())
	}
	refused := 0
	for _, table := range ahead.Tables() {
		p, _ := of.Game.Unrank(table.Slice, 0)
		var o [1]bitboard.Outcome
		if err := ahead.ProbeAll(t.Context(), bitboard.WDL, []position{p}, o[:]); err != nil {
			refused++
		}
	}
	if refused != len(ahead.Tables())-len(ahead.Whole()) {
		t.Errorf("%d tables refuse, %d of %d are whole", refused, len(ahead.Whole()), len(ahead.Tables()))
	}

	// 2v5 rests on 4v2, which is larger: a bound can leave room for the one alone.
	store, err := tablebase.Open(dir, of.Identity, tablebase.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	for most := uint64(0); most <= whole.Bytes(); most += 8 {
		small, err := prover.LoadSmall(t.Context(), of, store, most)
		if err != nil {
			t.Fatalf("%d bytes: %v", most, err)
		}
		if small.Bytes() > most {
			t.Errorf("%d bytes of %d", small.Bytes(), most)
		}
		small.Free()
	}
}

func checkFile(t *testing.T, chain *proofs.Chain[position], path string, tables int) {
	t.Helper()
	certificate := opened(t, path)
	report, err := chain.Check(t.Context(), proofs.Source{Name: path, File: certificate, Setting: certificate.Header.Setting})
	if err != nil || !report.Valid() || len(report.Header.Tables) != tables {
		t.Errorf("%+v, %v, want it valid, with %d tables", report, err, tables)
	}
}

// What came before the search is in its seconds, and not in those that it searched.
func TestLoadingIsNoPartOfTheSearch(t *testing.T) {
	of := newSubject(t)
	root, side, err := of.Game.Start()
	if err != nil {
		t.Fatal(err)
	}
	p := prover.New(of, prover.NewShelf(of), prover.Options{Memory: 1 << 28, Workers: 1})
	answer, err := p.Prove(t.Context(), prover.Question[position]{
		Root: root, Side: side, Claims: []proofs.Claim{{Side: side, Wins: true}}, Began: time.Now().Add(-24 * time.Hour),
	})
	if err != nil {
		t.Fatal(err)
	}
	if day := (24 * time.Hour).Seconds(); answer.Seconds < day || answer.Searched <= 0 || answer.Searched > answer.Seconds-day+1e-6 {
		t.Errorf("%v s, %v of them searched, a day after the work began", answer.Seconds, answer.Searched)
	}
}

// A search for the value agrees with the definition, and with the search for proofs
// that starts afresh.
func TestValuesAreThoseOfTheDefinition(t *testing.T) {
	of := newSubject(t)
	store, err := tablebase.Open(build(t, of, 2), of.Identity, tablebase.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	small, err := prover.LoadSmall(t.Context(), of, store, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	defer small.Free()
	for tables, shelf := range map[*lookup.Lookup[position]]*prover.Shelf[position]{
		lookup.New(of.Game, of.Board, nil): prover.NewShelf(of), lookup.New(of.Game, of.Board, store): small,
	} {
		for p, want := range sample(t, of, 20) {
			o := prover.ValueOptions{Nodes: 1 << 30, Table: 1 << 20, Workers: 1}
			if got, _, err := prover.Value(t.Context(), of.Game, tables, p, o); err != nil || got != want {
				t.Fatalf("%s: %v, %v; want %v", of.Game.Format(p, 0), got, err, want)
			}
			if got, _, err := prover.ValueInMemory(t.Context(), of, shelf, p, o); err != nil || got != want {
				t.Fatalf("%s: %v in memory, %v; want %v", of.Game.Format(p, 0), got, err, want)
			}
			q := prover.Question[position]{Root: p, Claims: claims[:1]}
			d, err := prover.Decide(t.Context(), of, q, 1<<20, of.Search(prover.NewShelf(of), proofnumber.DFPN, 1<<20))
			if err != nil || d.Verdict != holds(claims[0], want) {
				t.Fatalf("%s: %+v, %v", of.Game.Format(p, 0), d, err)
			}
		}
	}
}

func TestValueKeepsToItsLimits(t *testing.T) {
	of := newSubject(t)
	start, _, _ := of.Game.Start()
	none := lookup.New(of.Game, of.Board, nil)
	if _, nodes, err := prover.Value(t.Context(), of.Game, none, start, prover.ValueOptions{Nodes: 10, Table: 1 << 20, Workers: 1}); !errors.Is(err, prover.ErrUndecided) || nodes == 0 {
		t.Errorf("%d nodes, %v, want %v", nodes, err, prover.ErrUndecided)
	}
	if _, _, err := prover.Value(t.Context(), of.Game, none.Bounded(1), start, prover.ValueOptions{Nodes: 1 << 30, Table: 1 << 20, Workers: 1}); !errors.Is(err, bitboard.ErrTooManyTurns) {
		t.Errorf("%v, want %v", err, bitboard.ErrTooManyTurns)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := prover.Value(ctx, of.Game, none, start, prover.ValueOptions{Nodes: 1 << 30, Table: 1 << 20, Workers: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want %v", err, context.Canceled)
	}
}

// A shelf names each slice once, by the fingerprint that the store has for it.
func TestShelvesHoldWhatIsPicked(t *testing.T) {
	of := newSubject(t)
	dir := build(t, of, 4)
	all := load(t, of, dir, prover.UpTo(of, bitboard.AllPieces))
	few := load(t, of, dir, prover.UpTo(of, 2))
	if len(few.Named()) != 1 || few.Named()[0].Slice != "1v1" || len(all.Named()) <= 1 || all.Bytes() <= few.Bytes() {
		t.Errorf("%v and %v", few.Named(), all.Named())
	}
	dtw := few.Named()[0]
	dtw.Metric = bitboard.DTW.String()
	var need *proofs.NeedError
	if _, err := prover.Load(t.Context(), of, dir, prover.Wanted([]proofs.Table{dtw}), prover.LoadOptions{Memory: 1 << 30}); !errors.As(err, &need) {
		t.Errorf("%v, want that the table has another checksum", err)
	}
	again := load(t, of, dir, prover.Wanted(all.Named()))
	if len(again.Named()) != len(all.Named()) {
		t.Errorf("%d tables, want %d", len(again.Named()), len(all.Named()))
	}
	again.Keep(1)
	if sum, found := again.Checksum(bitboard.WDL, all.Named()[0].Slice); len(again.Tables()) != 1 || !found || sum != all.Named()[0].Checksum {
		t.Errorf("%v is left, want the first", again.Named())
	}
}

// A table that was stored without values can be picked alone: what it rests on is loaded beside it,
// and is not on the shelf.
func TestASparseTableIsPickedAlone(t *testing.T) {
	of := newSubject(t)
	dir := buildSparse(t, of, 4)
	all := load(t, of, dir, prover.UpTo(of, bitboard.AllPieces))
	for i, table := range all.Named() {
		alone := load(t, of, dir, prover.Wanted([]proofs.Table{table}))
		if !slices.Equal(alone.Named(), []proofs.Table{table}) || len(alone.Whole()) != 1 || !slices.Equal(alone.Tables()[0].WDL, all.Tables()[i].WDL) {
			t.Errorf("%v is on the shelf, want %v alone, whole", alone.Named(), table)
		}
	}
}

// A pick that fails has picked nothing, alone and with another.
func TestPicksThatFailPickNothing(t *testing.T) {
	of := newSubject(t)
	dir := build(t, of, 2)
	all, tooFew, relied := prover.UpTo(of, bitboard.AllPieces), prover.UpTo(of, 1), 0
	for name, pick := range map[string]prover.Pick{
		"alone": tooFew, "first": prover.Then(tooFew, all, &relied), "second": prover.Then(all, tooFew, &relied),
	} {
		if shelf, err := prover.Load(t.Context(), of, dir, pick, prover.LoadOptions{Workers: 1, Memory: 1 << 30}); err == nil {
			t.Errorf("%s: %v is loaded, of tables with one stone", name, shelf.Named())
			shelf.Free()
		}
	}
}

// A slice may be on a shelf in both metrics: each is asked about by itself.
func TestMetricsAreKeptApart(t *testing.T) {
	of := newSubject(t)
	metrics := []bitboard.Metric{bitboard.WDL, bitboard.DTW}
	shelf := load(t, of, build(t, of, 3), func(store *tablebase.Store) (named []proofs.Table, err error) {
		for _, m := range metrics {
			info, _ := store.Slice(m, "2v1")
			named = append(named, proofs.Table{Slice: info.Name, Metric: m.String(), Checksum: info.Fingerprint})
		}
		return named, nil
	})
	slice, err := of.Game.ParseSlice("2v1")
	if err != nil {
		t.Fatal(err)
	}
	dated := make(map[bitboard.Metric]bool)
	of.Game.Walk(slice, 0, of.Game.Indices(slice), func(_ uint64, p position, _ int) bool {
		for _, m := range metrics {
			var o [1]bitboard.Outcome
			if err := shelf.ProbeAll(t.Context(), m, []position{p}, o[:]); err != nil {
				t.Fatal(err)
			}
			dated[m] = dated[m] || o[0].Distance != bitboard.UnknownDistance
		}
		return true
	})
	if dated[bitboard.WDL] || !dated[bitboard.DTW] {
		t.Errorf("distances are known in %v, want in dtw alone", dated)
	}
}

func TestShelvesTakeNoMoreThanIsAllowed(t *testing.T) {
	of := newSubject(t)
	dir := build(t, of, 3)
	var memory *prover.MemoryError
	if _, err := prover.Load(t.Context(), of, dir, prover.UpTo(of, 3), prover.LoadOptions{Memory: 8}); !errors.As(err, &memory) || memory.Tables == 0 {
		t.Errorf("%v, want that memory is too little", err)
	}
	if empty := load(t, of, t.TempDir(), prover.UpTo(of, 3)); len(empty.Tables()) != 0 {
		t.Errorf("%v from an empty folder", empty.Named())
	}
}

// TestShelvesShareWhatALookAheadNeeds: tables that one of them no longer names are there for the
// other, until both are freed.
func TestShelvesShareWhatALookAheadNeeds(t *testing.T) {
	of := newSubject(t)
	dir := buildSparse(t, of, 4)
	largestFirst := func(store *tablebase.Store) ([]proofs.Table, error) {
		named, err := prover.UpTo(of, bitboard.AllPieces)(store)
		slices.Reverse(named)
		return named, err
	}
	whole, kept := load(t, of, dir, largestFirst), loadAhead(t, of, dir, largestFirst)
	whole.Keep(3)
	kept.Keep(3)
	sameValues(t, of, whole, kept.Stored())

	largest := loadAhead(t, of, dir, largestFirst)
	others := largest.Split(3)
	others.Free()
	sameValues(t, of, whole, largest.Stored())
}
