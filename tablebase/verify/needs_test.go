package verify

import (
	"errors"
	"math/rand/v2"
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

// What is wrong with a slice that leaves values out is found with its own group, and not once more
// with a group that rests on it and is stored whole: not by pieces of that either, for which it is
// completed anew. Nothing is found where all is sound.
func TestWhatIsLeftOutIsFoundWithItsOwnGroup(t *testing.T) {
	game := graphgame.New(111, 4, 3_000)
	sol := game.Solve()
	for _, c := range []struct {
		space tablebase.Space
		build []bitboard.Slice // its slices leave values out
		sound bool
	}{{game, []bitboard.Slice{2, 3}, true}, {apart{game}, []bitboard.Slice{2, 3, 4, 5}, false}} {
		groups, err := c.space.Groups()
		if err != nil {
			t.Fatal(err)
		}
		groups = slices.DeleteFunc(groups, func(g bitboard.Group) bool { return !slices.Contains(c.build, g.Slices[0]) })
		s := openTest(t, t.TempDir(), tablebase.Options{})
		tables := s.Tables(bitboard.WDL, c.space).ForBuild(groups)
		save := func(lo, hi bitboard.Slice) Report {
			for slice := lo; slice < hi; slice++ {
				table := sol.Table(bitboard.WDL, slice)
				if slice == 4 && !c.sound {
					damageHeld(game, table)
				}
				if err := tables.Save(t.Context(), table, sol.Summary(bitboard.WDL, slice)); err != nil {
					t.Fatal(err)
				}
			}
			return verify(t, s, game, Options{Workers: 1})
		}
		alone := save(0, 6)
		for slice := range bitboard.Slice(6) {
			if got, want := tables.LeavesOut(slice), slices.Contains(c.build, slice); got != want {
				t.Fatalf("%T: slice %d leaves values out: %v", c.space, slice, got)
			}
		}
		_, _, alonePieces := inPieces(t, s, game, rand.New(rand.NewPCG(117, 1)))
		beneath := save(6, 8)
		_, _, beneathPieces := inPieces(t, s, game, rand.New(rand.NewPCG(117, 1)))
		if tables.LeavesOut(6) || tables.LeavesOut(7) {
			t.Fatalf("%T: the last slices are not whole", c.space)
		}
		if alone.OK() != c.sound || beneath.Total != alone.Total || !slices.Equal(beneath.Findings, alone.Findings) {
			t.Errorf("%T: with a group above %d findings %v, without it %d: %v", c.space, beneath.Total, beneath.Findings, alone.Total, alone.Findings)
		}
		if beneathPieces != alonePieces {
			t.Errorf("%T: pieces with a group above have %d findings, without it %d", c.space, beneathPieces, alonePieces)
		}
	}
}

// damageHeld changes the first value of a table that is not left out, and does not stand at once.
func damageHeld(game *graphgame.Game, table *bitboard.Table) {
	for i := range game.Indices(table.Slice) {
		p, weight := game.Unrank(table.Slice, i)
		if weight == 0 || !game.Holds(p) || len(game.Turns(nil, p)) == 0 {
			continue
		}
		table.WDL.Set(i, (table.WDL.At(i)+1)%3)
		return
	}
}
