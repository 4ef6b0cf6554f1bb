package verify

import (
	"errors"
	"slices"
	"testing"

	"paika/bitboard"
	"paika/tablebase"
	"paika/tablebase/internal/graphgame"
)

// apart is a game that does not know what its slices need: a build stores them with values left
// out where others follow from these.
type apart struct{ *graphgame.Game }

func (g apart) Groups() ([]bitboard.Group, error) {
	groups, err := g.Game.Groups()
	for i := range groups {
		groups[i].Needs = nil
	}
	return groups, err
}

// A position that is in no table and not over has no value, whatever its game would say of it.
func TestATurnThatLeavesTheTablesIsFound(t *testing.T) {
	game := graphgame.New(115, 2, 200)
	s := openTest(t, storedTest(t, game.Solve(), bitboard.WDL), toRead)
	deep := openTest(t, storedTest(t, game.Solve(), bitboard.DTW), toRead)
	for _, store := range []Store{s, deep} {
		if report, err := Run(t.Context(), apart{game}, store, Options{}); err != nil || !finds(report, "successor") {
			t.Errorf("%v, %v", report.Findings, err)
		}
	}
}

// trusting is a game that derives many values at once, by tables that it takes for whole.
type trusting struct{ *graphgame.Game }

func (g trusting) ValueTurns(known *[bitboard.MaxSlices]bitboard.Packed) func(p graphgame.Position, enough bitboard.Values) (seen bitboard.Values, inside bool) {
	return func(p graphgame.Position, _ bitboard.Values) (seen bitboard.Values, inside bool) {
		wins, leaves := false, false
		for _, q := range g.Turns(nil, p) {
			if q.Slice == graphgame.Outside {
				v := g.Ended(q)
				seen, wins = seen|1<<v, wins || v == bitboard.Loss
				continue
			}
			s, i := g.Rank(q)
			here := q.Slice/2 == p.Slice/2
			seen, inside, leaves = seen|1<<known[s].Load(i), inside || here, leaves || !here
		}
		return seen, inside && !wins || !leaves // what leads to ends alone counts as quiet here
	}
}

var errTrusting = errors.New("it was asked for values that follow from some that are left out")

func (g trusting) SparseRoom(bitboard.Slice) (shared, each uint64) { return 0, 0 }

func (g trusting) ValueSparse(s bitboard.Slice, _ *[bitboard.MaxSlices]bitboard.Packed, _ bitboard.Run) (func() bitboard.SparseDeriver, error) {
	if s/2 == 2 {
		return nil, errTrusting
	}
	return nil, nil
}

// What follows from tables that leave values out is told, where the game could derive it, too: it
// would take what is missing there for values.
func TestNothingIsDerivedFromWhatIsLeftOut(t *testing.T) {
	game := graphgame.New(111, 3, 3_000)
	sol := game.Solve()
	dir := t.TempDir()
	s := openTest(t, dir, tablebase.Options{})
	for _, c := range []struct {
		space tablebase.Space
		twice bool
	}{{game, false}, {apart{game}, true}} {
		groups, err := c.space.Groups()
		if err != nil {
			t.Fatal(err)
		}
		for slice := range bitboard.Slice(len(sol.Depths)) {
			tables := s.Tables(bitboard.WDL, c.space).ForBuild(groups)
			if err := tables.Save(t.Context(), sol.Table(bitboard.WDL, slice), sol.Summary(bitboard.WDL, slice)); err != nil {
				t.Fatal(err)
			}
		}
		games := []Game[graphgame.Position]{game}
		if c.twice {
			games = append(games, trusting{game})
		}
		for _, derives := range games {
			report, err := Run(t.Context(), derives, s, Options{})
			if err != nil {
				t.Errorf("two looks ahead %v, %T: %v", c.twice, derives, err)
			}
			if finds(report, "successor") != c.twice || !c.twice && !report.OK() {
				t.Errorf("two looks ahead %v, %T: %v", c.twice, derives, report.Findings)
			}
		}
	}
}

// Values in wdl that take two looks ahead are found beside dtw, too, by which they are completed:
// who probes wdl has no dtw to look into.
func TestTwoLooksAheadAreFoundBesideDistances(t *testing.T) {
	game := graphgame.New(116, 3, 500)
	sol := game.Solve()
	for _, c := range []struct {
		space tablebase.Space
		want  []string // slices that take two looks
	}{{game, nil}, {apart{game}, []string{"3v2", "2v3", "4v3", "3v4"}}} {
		groups, err := c.space.Groups()
		if err != nil {
			t.Fatal(err)
		}
		s := openTest(t, storedTest(t, sol, bitboard.DTW), tablebase.Options{})
		tables := s.Tables(bitboard.WDL, c.space).ForBuild(groups)
		for slice := range bitboard.Slice(len(sol.Depths)) {
			if err := tables.Save(t.Context(), sol.Table(bitboard.WDL, slice), sol.Summary(bitboard.WDL, slice)); err != nil {
				t.Fatal(err)
			}
		}
		var got []string
		for _, f := range verify(t, s, game, Options{}).Findings {
			if f.Metric != bitboard.WDL || f.What != "successor" {
				t.Errorf("%T: %v", c.space, f)
			}
			got = append(got, f.Slice)
		}
		slices.Sort(got)
		slices.Sort(c.want)
		if !slices.Equal(got, c.want) {
			t.Errorf("%T: %q take two looks, want %q", c.space, got, c.want)
		}
	}
}

// Where the distances of a group are damaged, its values in wdl are not derived, and that is said.
func TestWhatIsNotDerivedBesideDamagedDistancesIsNamed(t *testing.T) {
	game := graphgame.New(124, 2, 500)
	s := openTest(t, storedTest(t, game.Solve(), bitboard.WDL, bitboard.DTW), toRead)
	report := verify(t, damagedStore{s, bitboard.DTW}, game, Options{})
	named := map[bitboard.Metric]int{}
	for _, f := range report.Findings {
		if f.What == "values" {
			named[f.Metric]++
		}
	}
	if missing := report.Slices - report.Derived; missing == 0 || named[bitboard.DTW]+named[bitboard.WDL] != missing || named[bitboard.WDL] == 0 {
		t.Errorf("%d slices are not derived, and %v are named: %v", missing, named, report.Findings)
	}
}
