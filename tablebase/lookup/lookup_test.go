package lookup_test

import (
	"cmp"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/solver/naive"
	"paika/solver/retrograde"
	"paika/tablebase"
	"paika/tablebase/lookup"
)

var board3x3 = bitboard.Board{Width: 3, Height: 3}

func newGame(t *testing.T) *fanorona.Game {
	t.Helper()
	game, err := fanorona.New(board3x3, fanorona.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	return game
}

// inTables is a lookup in tables of at most that many pieces of a board.
func inTables[P comparable](t *testing.T, game bitboard.Game[P], board bitboard.Board, pieces int, metric bitboard.Metric) *lookup.Lookup[P] {
	t.Helper()
	groups, err := bitboard.GroupsWithin(game, pieces)
	if err != nil {
		t.Fatal(err)
	}
	store, err := tablebase.Open(t.TempDir(), tablebase.Identity{Game: "test", Board: board.String()}, tablebase.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	o := retrograde.Options{Metric: metric, Workers: 2, Memory: 1 << 30}
	if _, err := retrograde.Build(t.Context(), game, groups, store.Tables(metric, game), o); err != nil {
		t.Fatal(err)
	}
	return lookup.New(game, board, store)
}

// built is one in those of 3x3.
func built(t *testing.T, game *fanorona.Game, pieces int, metric bitboard.Metric) *lookup.Lookup[fanorona.Position] {
	t.Helper()
	return inTables[fanorona.Position](t, game, board3x3, pieces, metric)
}

// solved is every position that play from the start reaches, with its value by the
// definition; of the positions every eighth in short runs.
func solved(t *testing.T, game *fanorona.Game) (positions []fanorona.Position, outcomes map[fanorona.Position]bitboard.Outcome) {
	t.Helper()
	start, _, err := game.Start()
	if err != nil {
		t.Fatal(err)
	}
	if outcomes, err = naive.Solve(t.Context(), game, start); err != nil {
		t.Fatal(err)
	}
	positions = slices.SortedFunc(maps.Keys(outcomes), func(a, b fanorona.Position) int {
		return cmp.Or(cmp.Compare(a.Own, b.Own), cmp.Compare(a.Opp, b.Opp))
	})
	if !testing.Short() {
		return positions, outcomes
	}
	var some []fanorona.Position
	for i := 0; i < len(positions); i += 8 {
		some = append(some, positions[i])
	}
	return some, outcomes
}

func slice(t *testing.T, game *fanorona.Game, name string) bitboard.Slice {
	t.Helper()
	s, err := game.ParseSlice(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Every position, over or not, has the value of the definition, and its distance in
// dtw.
func TestRatingsAreThoseOfTheDefinition(t *testing.T) {
	game := newGame(t)
	positions, want := solved(t, game)
	for _, metric := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		rated, err := built(t, game, bitboard.AllPieces, metric).Rate(t.Context(), positions)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range rated {
			expected := want[positions[i]]
			if expected.Value == bitboard.Draw || metric == bitboard.WDL && !r.Over {
				expected.Distance = bitboard.UnknownDistance
			}
			if !r.Rating.Known || r.Rating.Outcome != expected || r.Position != positions[i] {
				t.Fatalf("%v: %s: %+v, want %+v", metric, game.Format(positions[i], 0), r, expected)
			}
			if !r.Over && (r.Metric != metric || r.Slice != game.SliceOf(positions[i])) {
				t.Fatalf("%v: %+v", metric, r)
			}
		}
	}
}

// Turns stand best first, carry their number among the game's turns, and the best is
// worth what the position is.
func TestTurnsStandBestFirst(t *testing.T) {
	game := newGame(t)
	positions, want := solved(t, game)
	all, err := built(t, game, bitboard.AllPieces, bitboard.DTW).Turns(t.Context(), positions)
	if err != nil {
		t.Fatal(err)
	}
	for i, q := range all {
		legal := game.Turns(nil, positions[i])
		if len(q.Turns) != len(legal) || q.Over != (len(legal) == 0) {
			t.Fatalf("%d turns, want %d", len(q.Turns), len(legal))
		}
		for k, turn := range q.Turns {
			if turn.To != legal[turn.Number] || turn.Ends != (len(game.Turns(nil, turn.To)) == 0) {
				t.Fatalf("turn %d is %+v", k, turn)
			}
			if k == 0 && turn.Worth().Value != want[positions[i]].Value {
				t.Fatalf("the best turn is worth %v, the position %v", turn.Worth(), q.Rating)
			}
			if k > 0 && lookup.Compare(q.Turns[k-1].Worth(), turn.Worth()) > 0 {
				t.Fatalf("turn %d stands too low", k)
			}
		}
	}
}

// A line is legal, keeps the value and repeats nothing. By distances it is as long as
// they say, and ends the game.
func TestLinesAreBestPlay(t *testing.T) {
	game := newGame(t)
	positions, want := solved(t, game)
	for _, metric := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		queries, err := built(t, game, bitboard.AllPieces, metric).Query(t.Context(), positions)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range queries {
			at, value := q.Position, q.Rating.Value
			seen := map[fanorona.Position]bool{at: true}
			for _, turn := range q.Line.Turns {
				at, value = game.Turns(nil, at)[turn.Number], value.Reply()
				if at != turn.To || seen[at] || want[at].Value != value {
					t.Fatalf("%v: the line of %s goes wrong at %s", metric, game.Format(q.Position, 0), game.Format(at, 0))
				}
				seen[at] = true
			}
			if over := len(game.Turns(nil, at)) == 0; over != q.Line.Complete {
				t.Fatalf("%v: complete is %v", metric, q.Line.Complete)
			}
			if d := q.Rating.Distance; d != bitboard.UnknownDistance && (len(q.Line.Turns) != d || !q.Line.Complete) {
				t.Fatalf("%v: a line of %d turns for a distance of %d", metric, len(q.Line.Turns), d)
			}
		}
	}
}

// What one call answers for many positions it answers for each alone.
func TestAnswersDoNotDependOnTheBatch(t *testing.T) {
	game := newGame(t)
	positions, _ := solved(t, game)
	positions = positions[:min(100, len(positions))]
	l := built(t, game, 4, bitboard.DTW)
	together, err := l.Query(t.Context(), positions)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range positions {
		alone, err := l.Query(t.Context(), []fanorona.Position{p})
		if err != nil {
			t.Fatal(err)
		}
		a, b := together[i], alone[0]
		if a.Rating != b.Rating || len(a.Line.Turns) != len(b.Line.Turns) || (a.Err == nil) != (b.Err == nil) {
			t.Errorf("%s: %+v together, %+v alone", game.Format(p, 0), a, b)
		}
	}
}

// A chunk that can't be read is the error of the positions that need it, and of no others.
func TestADamagedChunkIsAnErrorOfItsPositions(t *testing.T) {
	game, dir := newGame(t), t.TempDir()
	positions, _ := solved(t, game)
	id := tablebase.Identity{Game: "test", Board: board3x3.String()}
	open := func(o tablebase.Options) *tablebase.Store {
		store, err := tablebase.Open(dir, id, o)
		if err != nil {
			t.Fatal(err)
		}
		return store
	}
	groups, err := bitboard.GroupsWithin(game, 5)
	if err != nil {
		t.Fatal(err)
	}
	store := open(tablebase.Options{Workers: 1})
	if _, err := retrograde.Build(t.Context(), game, groups, store.Tables(bitboard.DTW, game), retrograde.Options{Metric: bitboard.DTW, Workers: 1, Memory: 1 << 30}); err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(dir, "000001.vlog")
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	text[300] ^= 1 // of the second group's chunks
	if err := os.WriteFile(log, text, 0o666); err != nil {
		t.Fatal(err)
	}
	store = open(tablebase.Options{ReadOnly: true})
	l := lookup.New(game, board3x3, store)
	rated, err := l.Rate(t.Context(), positions)
	if err != nil {
		t.Fatal(err)
	}
	listed, err := l.Turns(t.Context(), positions)
	if err != nil {
		t.Fatal(err)
	}
	queries, err := l.Query(t.Context(), positions)
	if err != nil {
		t.Fatal(err)
	}
	var damaged [3]int
	unread := make(map[bitboard.Slice]bool)
	for i, p := range positions {
		for k, err := range []error{rated[i].Err, listed[i].Err, queries[i].Err} {
			if errors.As(err, new(*tablebase.ChunkError)) {
				damaged[k]++
			}
		}
		r := rated[i]
		if r.Err != nil && (r.Rating.Known || r.Over) || errors.Is(r.Err, tablebase.ErrNotStored) {
			t.Errorf("%+v", r)
		}
		if r.Err != nil {
			unread[game.SliceOf(p)] = true
		} else if unread[game.SliceOf(p)] && !r.Over {
			t.Errorf("%s is read of a slice that can't be", game.Format(p, 0))
		}
		if lines := queries[i].Line.Turns; queries[i].Err == nil && !r.Over && len(lines) == 0 {
			t.Errorf("%s: no line", game.Format(p, 0))
		}
	}
	if len(unread) != 1 || damaged[0] == 0 || damaged[1] <= damaged[0] || damaged[2] <= damaged[1] {
		t.Errorf("%d slices, %v positions have the error", len(unread), damaged)
	}
	for i := range positions {
		if rated[i].Err == nil || len(game.Turns(nil, positions[i])) == 0 {
			continue
		}
		if _, err := l.Judge(t.Context(), []lookup.Made[fanorona.Position]{{From: positions[i], To: game.Turns(nil, positions[i])[0]}}); !errors.Is(err, tablebase.ErrDamaged) {
			t.Errorf("a turn is judged: %v", err)
		}
		break
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := lookup.New(game, board3x3, store).Rate(t.Context(), positions); !errors.Is(err, tablebase.ErrClosed) {
		t.Errorf("tables that are closed: %v", err)
	}
}

func TestWhatIsNotStoredIsUnknown(t *testing.T) {
	game := newGame(t)
	start, _, _ := game.Start()
	for _, l := range []*lookup.Lookup[fanorona.Position]{built(t, game, 3, bitboard.WDL), lookup.New(game, board3x3, nil)} {
		rated, err := l.Rate(t.Context(), []fanorona.Position{start})
		if err != nil || rated[0].Rating.Known || rated[0].Over {
			t.Errorf("%+v, %v", rated, err)
		}
		var missing *tablebase.MissingError
		if err := l.Missing(start); !errors.As(err, &missing) || missing.Slice != "4v4" {
			t.Errorf("%v, want that 4v4 is missing", err)
		}
		queries, err := l.Query(t.Context(), []fanorona.Position{start})
		if err != nil || !errors.As(queries[0].Err, &missing) || len(queries[0].Line.Turns) > 0 {
			t.Errorf("%+v, %v", queries, err)
		}
		if _, err := l.Random(t.Context(), slice(t, game, "4v4")); !errors.As(err, &missing) {
			t.Errorf("%v, want that 4v4 is missing", err)
		}
	}
}

func TestWhatNoTableCanHoldIsOutOfReach(t *testing.T) {
	board := bitboard.Board{Width: 9, Height: 5}
	game, err := fanorona.New(board, fanorona.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	start, _, _ := game.Start()
	var reach *lookup.ReachError
	if err := lookup.New(game, board, nil).Missing(start); !errors.As(err, &reach) || !errors.Is(err, lookup.ErrOutOfReach) || reach.Pieces != 44 || reach.Stored != 0 {
		t.Errorf("%v, want that 44 stones are out of reach", err)
	}
}

// The bound is on all turns of a call together. What is past it gets the error alone.
func TestBoundedTurns(t *testing.T) {
	game := newGame(t)
	start, _, _ := game.Start()
	positions := []fanorona.Position{start, start, start}
	each := len(game.Turns(nil, start))
	for bound, want := range map[int]int{0: 3, each - 1: 0, each: 1, 3*each - 1: 2, 3 * each: 3} {
		l := lookup.New(game, board3x3, nil).Bounded(bound)
		all, err := l.Turns(t.Context(), positions)
		if err != nil {
			t.Fatal(err)
		}
		listed := 0
		for _, q := range all {
			if q.Err == nil && len(q.Turns) == each {
				listed++
			} else if !errors.Is(q.Err, bitboard.ErrTooManyTurns) || len(q.Turns) > 0 {
				t.Errorf("at most %d: %+v", bound, q)
			}
		}
		if listed != want {
			t.Errorf("at most %d: %d are listed, want %d", bound, listed, want)
		}
		if err := l.Admit(start); (err == nil) != (want > 0) {
			t.Errorf("at most %d: %v", bound, err)
		}
	}
}

func TestPositionsThatStandOut(t *testing.T) {
	game := newGame(t)
	_, want := solved(t, game)
	l, s := built(t, game, 4, bitboard.DTW), slice(t, game, "2v1")
	for range 20 {
		if r, err := l.Random(t.Context(), s); err != nil || r.Slice != s || !r.Rating.Known {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	longest, err := l.Longest(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	for p, o := range want {
		if o.Value == bitboard.Win && game.SliceOf(p) == s && o.Distance > longest.Rating.Distance {
			t.Errorf("%s is won in %d turns, the longest in %d", game.Format(p, 0), o.Distance, longest.Rating.Distance)
		}
	}
	drawn, err := l.Drawn(t.Context(), s, 3)
	if err != nil || len(drawn) != 3 {
		t.Fatalf("%v, %v", drawn, err)
	}
	for _, r := range drawn {
		if r.Rating.Value != bitboard.Draw || r.Slice != s {
			t.Errorf("%+v is no draw", r)
		}
	}
	if _, err := built(t, game, 3, bitboard.WDL).Longest(t.Context(), s); !errors.Is(err, lookup.ErrNoDistances) {
		t.Errorf("%v, want %v", err, lookup.ErrNoDistances)
	}
}

// A survey counts every position once, and plays the longest win and loss out.
func TestSurveysPlayTheLongestOut(t *testing.T) {
	game := newGame(t)
	l := built(t, game, 4, bitboard.DTW)
	asked := []bitboard.Slice{slice(t, game, "2v1"), slice(t, game, "2v2"), slice(t, game, "1v1")}
	var done, total uint64
	surveys, err := l.Survey(t.Context(), asked, lookup.SurveyOptions{
		Lines: true, Workers: 2, Memory: 1 << 28, Progress: func(d, of uint64) { done, total = max(done, d), of },
	})
	if err != nil || len(surveys) != len(asked) || done != total || total == 0 {
		t.Fatalf("%d surveys, %d of %d, %v", len(surveys), done, total, err)
	}
	for i, s := range surveys {
		for _, v := range []bitboard.Value{bitboard.Win, bitboard.Loss} {
			counts, line := s.Distances[v], s.Lines[v]
			if line == nil {
				if len(counts) > 0 {
					t.Errorf("%s: no line for the longest %v", game.SliceName(asked[i]), v)
				}
				continue
			}
			if !line.Line.Complete || len(line.Line.Turns) != len(counts)-1 || line.Rating.Value != v {
				t.Errorf("%s: %+v is not the longest %v", game.SliceName(asked[i]), line, v)
			}
		}
	}
}
