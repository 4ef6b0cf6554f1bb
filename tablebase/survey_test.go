package tablebase

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"paika/bitboard"
	"paika/tablebase/internal/graphgame"
)

// naiveSurvey counts the slow way, from the solution.
func naiveSurvey(sol *graphgame.Solution, m bitboard.Metric, s bitboard.Slice) Survey[graphgame.Position] {
	found := Survey[graphgame.Position]{Metric: m, Zugzwang: new(Zugzwang)}
	score := map[bitboard.Value]int{bitboard.Win: 1, bitboard.Loss: -1}
	for i, n := range sol.Game.Nodes[s] {
		if n.Weight == 0 {
			continue
		}
		p, weight := graphgame.Position{Slice: s, Index: uint32(i)}, uint64(n.Weight)
		outcome := outcomeOf(sol, m, p)
		v := outcome.Value
		if m == bitboard.DTW && v != bitboard.Draw {
			if outcome.Distance >= len(found.Distances[v]) {
				longer := make([]uint64, outcome.Distance+1)
				copy(longer, found.Distances[v])
				found.Distances[v], found.Longest[v] = longer, &p
			}
			found.Distances[v][outcome.Distance] += weight
		}
		q, exists := sol.Game.Pass(p)
		if !exists {
			found.Zugzwang.Unpassed += weight
			continue
		}
		var kind ZugzwangKind
		switch w := outcomeOf(sol, m, q).Value; {
		case score[v] >= -score[w]:
			continue
		case v == bitboard.Draw:
			found.Zugzwang.DrawForWin += weight
			kind = DrawForWin
		case w == bitboard.Draw:
			found.Zugzwang.LossForDraw += weight
			kind = LossForDraw
		default:
			found.Zugzwang.LossForWin += weight
			kind = LossForWin
		}
		if found.Zugzwangs[kind] == nil {
			found.Zugzwangs[kind] = &p
		}
	}
	return found
}

// However many workers share it, and in whatever portions, a survey finds what
// the slow one does.
func TestSurveyAgreesWithTheSolution(t *testing.T) {
	game := graphgame.New(31, 2, 50_000)
	sol := game.Solve()
	teams := []int{-1, 0, 1, 2, 8}
	if testing.Short() {
		teams = []int{8}
	}
	for _, m := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		prober := NewProber(openTest(t, storedTest(t, sol, m), Options{ReadOnly: true}), game, 0)
		for s := range bitboard.Slice(2 * game.Pairs) {
			want := naiveSurvey(sol, m, s)
			if z := want.Zugzwang; z.LossForWin == 0 || z.LossForDraw == 0 || z.DrawForWin == 0 || z.Unpassed == 0 {
				t.Fatalf("%v %s: %+v: want some of every kind", m, game.SliceName(s), *z)
			}
			for _, workers := range teams {
				for _, memory := range []uint64{0, 1 << 30} {
					var done, total uint64
					got, err := prober.Survey(context.Background(), s, SurveyOptions{
						Zugzwang: true, Workers: workers, Memory: memory, Progress: func(d, n uint64) { done, total = d, n },
					})
					if err != nil || !reflect.DeepEqual(got, want) {
						t.Errorf("%v %s, %d workers, %d bytes:\ngot  %+v, %v\nwant %+v", m, game.SliceName(s), workers, memory, got, err, want)
					}
					if done != game.Indices(s) || total != done {
						t.Errorf("progress ended at %d of %d, want %d", done, total, game.Indices(s))
					}
				}
			}
		}
	}
}

// A zugzwang is one from both sides: what the two slices of a pair count
// belongs together.
func TestZugzwangsComeInPairs(t *testing.T) {
	game := graphgame.New(33, 1, 20_000)
	for s := range game.Nodes {
		for i := range game.Nodes[s] {
			game.Nodes[s][i].Weight = 1
		}
	}
	prober := NewProber(openTest(t, storedTest(t, game.Solve(), bitboard.WDL), Options{ReadOnly: true}), game, 0)
	var z [2]Zugzwang
	for s := range z {
		found, err := prober.Survey(context.Background(), bitboard.Slice(s), SurveyOptions{Zugzwang: true, Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		z[s] = *found.Zugzwang
	}
	if z[0].LossForWin != z[1].LossForWin || z[0].LossForDraw != z[1].DrawForWin || z[0].DrawForWin != z[1].LossForDraw {
		t.Errorf("%+v in one slice, %+v in the other", z[0], z[1])
	}
}

// Where the slice of the passed positions is not stored, it is named, and the
// rest is found all the same.
func TestSurveyWithoutThePassedSlice(t *testing.T) {
	game := graphgame.New(35, 1, 2_000)
	sol := game.Solve()
	s := openTest(t, t.TempDir(), Options{Version: "test"})
	if err := saveOne(context.Background(), s, sol, bitboard.DTW, 0); err != nil {
		t.Fatal(err)
	}
	got, err := NewProber(s, game, 0).Survey(context.Background(), 0, SurveyOptions{Zugzwang: true, Workers: 2})
	want := naiveSurvey(sol, bitboard.DTW, 0)
	want.Zugzwang, want.Missing, want.Zugzwangs = nil, game.SliceName(1), [3]*graphgame.Position{}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	_, err = NewProber(s, game, 0).Survey(context.Background(), 1, SurveyOptions{Workers: 1})
	wantError(t, err, ErrNotStored)
}

// A table of the passed positions that is wrong is no table that is not stored.
func TestSurveyTellsWhatIsWrongWithThePassedSlice(t *testing.T) {
	game := graphgame.New(35, 1, 2_000)
	s := openTest(t, storedTest(t, game.Solve(), bitboard.WDL), Options{ReadOnly: true})
	got, err := NewProber(s, longer{game, 1}, 0).Survey(t.Context(), 0, SurveyOptions{Zugzwang: true, Workers: 2})
	var wrong *SliceError
	if !errors.As(err, &wrong) || wrong.Slice != game.SliceName(1) {
		t.Errorf("%+v, error %v", got, err)
	}
}

// longer is a game with an index more in one slice.
type longer struct {
	*graphgame.Game
	slice bitboard.Slice
}

func (g longer) Indices(s bitboard.Slice) uint64 {
	indices := g.Game.Indices(s)
	if s == g.slice {
		indices++
	}
	return indices
}

func TestSurveyStopsWithItsContext(t *testing.T) {
	game := graphgame.New(37, 1, 2_000)
	prober := NewProber(openTest(t, storedTest(t, game.Solve(), bitboard.WDL), Options{ReadOnly: true}), game, 0)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := prober.Survey(ctx, 0, SurveyOptions{Workers: 2}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
