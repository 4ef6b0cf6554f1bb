package verify

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/tablebase/internal/graphgame"
)

// inMemory is a retrograde.Storage.
type inMemory map[bitboard.Slice]bitboard.Packed

func (m inMemory) Has(s bitboard.Slice) bool { return m[s] != nil }

func (m inMemory) Load(_ context.Context, t *bitboard.Table) error {
	copy(t.WDL, m[t.Slice])
	return nil
}

func (m inMemory) Save(_ context.Context, t *bitboard.Table, _ bitboard.Summary) error {
	m[t.Slice] = slices.Clone(t.WDL)
	return nil
}

// solvedFanorona is a board's tables of up to five stones, and its groups.
func solvedFanorona(t *testing.T, rules fanorona.Rules) (*fanorona.Game, []bitboard.Group, inMemory) {
	t.Helper()
	game, err := fanorona.New(bitboard.Board{Width: 5, Height: 3}, rules)
	if err != nil {
		t.Fatal(err)
	}
	groups, tables := solved(t, game, 5)
	return game, groups, tables
}

// deriveFrom derives a group from tables, as Run does. Slices of the group leave values
// out, or not. What is found is the same where the game derives those by itself, and where it
// goes to the others in its own order.
func deriveFrom[P comparable](t *testing.T, game Game[P], g bitboard.Group, tables inMemory, sparse bool, wanted func(bitboard.Slice) string) Report {
	t.Helper()
	c := wdlCheck(g, nil, func(s bitboard.Slice) bool { return sparse && slices.Contains(g.Slices, s) })
	plain := newDerivation(game, c, false)
	plain.near = nil
	found := deriveCheck(t, plain, tables, wanted)
	if hasRoom(game, &c, 2, 0, false) {
		if again := deriveCheck(t, newDerivation(game, c, true), tables, wanted); !reflect.DeepEqual(again, found) {
			t.Errorf("%v: with room %v, without %v", g.Slices, again, found)
		}
	}
	return found.Report
}

// derived is what a group comes to.
type derived struct {
	Report
	sums []Sums // of its slices
}

// fill gives a derivation tables of its own, and the fingerprints that slices are to have which
// leave values out.
func fill[P comparable](d *derivation[P], tables inMemory, wanted func(bitboard.Slice) string) {
	for _, s := range d.loaded() {
		d.add(bitboard.WDL, &bitboard.Table{Slice: s, WDL: slices.Clone(tables[s])})
	}
	for _, s := range d.sparse {
		d.addSparse(s, wanted(s))
	}
	d.fingerprint = func(_ context.Context, _ bitboard.Metric, t *bitboard.Table) (string, error) {
		return fmt.Sprint(t.WDL), nil
	}
}

// deriveCheck is deriveFrom with what is made for it. The quicker way shows the same groups to be
// right, with the same sums, and no others.
func deriveCheck[P comparable](t *testing.T, d *derivation[P], tables inMemory, wanted func(bitboard.Slice) string) derived {
	t.Helper()
	quicker := *d
	to := deriveAll(t, d, tables, wanted)
	shown, sums := deriveAnew(t, &quicker, tables, wanted)
	gaps := slices.ContainsFunc(to.sums, func(sum Sums) bool { return sum.Gaps[bitboard.WDL] > 0 })
	if shown != (to.Total == 0) && !gaps || shown && (to.Total > 0 || !slices.Equal(sums, to.sums)) {
		t.Errorf("%v: shown anew %v with %v, want %v with findings %v", d.group.Slices, shown, sums, to.sums, to.Findings)
	}
	return to
}

// deriveAll holds all values against their neighbours.
func deriveAll[P comparable](t *testing.T, d *derivation[P], tables inMemory, wanted func(bitboard.Slice) string) (to derived) {
	t.Helper()
	fill(d, tables, wanted)
	found := &findings{limit: 1 << 20}
	team := d.team(2, found, func(uint64) {})
	complete := func(s bitboard.Slice) error { return team.complete(t.Context(), s) }
	if err := team.all(t.Context(), complete, func(_ bitboard.Slice, sum Sums) { to.sums = append(to.sums, sum) }); err != nil {
		t.Fatal(err)
	}
	for _, s := range d.compared() {
		if team.spent {
			break
		}
		if !slices.Equal(d.values[s], tables[s]) {
			t.Errorf("%s is another one after it was compared", d.game.SliceName(s))
		}
	}
	to.Report = Report{Findings: found.kept(), Total: found.total}
	return to
}

// deriveAnew derives a group in the quicker way.
func deriveAnew[P comparable](t *testing.T, d *derivation[P], tables inMemory, wanted func(bitboard.Slice) string) (shown bool, sums []Sums) {
	t.Helper()
	d.leftOutQuiet = make(map[bitboard.Slice]uint64)
	fill(d, tables, wanted)
	told := uint64(0)
	team := d.team(2, &findings{limit: 1}, func(indices uint64) { atomic.AddUint64(&told, indices) })
	complete := func(s bitboard.Slice) error { return team.complete(t.Context(), s) }
	stored := func(s bitboard.Slice) string {
		if slices.Contains(d.sparse, s) {
			return wanted(s)
		}
		return fmt.Sprint(tables[s])
	}
	shown, err := team.anew(t.Context(), complete, stored, func(_ bitboard.Slice, sum Sums) { sums = append(sums, sum) })
	if err != nil {
		t.Fatal(err)
	}
	if want := d.work(d.game.Indices); shown && told != want {
		t.Errorf("%v: %d indices were told, want %d", d.group.Slices, told, want)
	}
	return shown, sums
}

// damage is a change of one value.
type damage struct {
	slice    bitboard.Slice
	index    uint64
	position fanorona.Position
	was, now bitboard.Value
}

// randomDamage is one to a slice of a group that is no change of a gap.
func randomDamage(random *rand.Rand, game *fanorona.Game, g bitboard.Group, tables inMemory) damage {
	for {
		d := damage{slice: g.Slices[random.IntN(len(g.Slices))]}
		d.index = random.Uint64N(game.Indices(d.slice))
		p, weight := game.Unrank(d.slice, d.index)
		if weight == 0 {
			continue
		}
		d.position, d.was = p, tables[d.slice].At(d.index)
		d.now = (d.was + 1 + bitboard.Value(random.IntN(2))) % 3
		return d
	}
}

// to makes damaged tables of sound ones.
func (d damage) to(tables inMemory) inMemory {
	damaged := maps.Clone(tables)
	damaged[d.slice] = slices.Clone(tables[d.slice])
	damaged[d.slice].Set(d.index, d.now)
	return damaged
}

// Each wrong value is found where it stands. One that is left out harms nothing, and a
// fingerprint that takes it for right is found.
func TestVerifyFindsRandomDamageOfEachKind(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 5))
	tried, each := make(map[string]bool), 120
	if testing.Short() {
		each = 16
	}
	for _, rules := range []fanorona.Rules{{}, {StalemateDraws: true, Direction: fanorona.NeverTwice}} {
		game, groups, tables := solvedFanorona(t, rules)
		for _, g := range groups {
			for _, sparse := range []bool{false, true} {
				if r := deriveFrom(t, game, g, tables, sparse, fingerprints(tables)); r.Total != 0 {
					t.Fatalf("sound tables: %v", r.Findings[0])
				}
				for range each {
					d := randomDamage(random, game, g, tables)
					held := game.Holds(d.position)
					tried[fmt.Sprintf("%v for %v, held %v, sparse %v", d.now, d.was, held, sparse)] = true
					if sparse && !held {
						d.checkLeftOut(t, game, g, tables)
					} else {
						d.checkHeld(t, game, g, tables, sparse)
					}
				}
			}
		}
	}
	if len(tried) != 3*2*2*2 {
		t.Errorf("%d kinds of damage were tried: %v", len(tried), tried)
	}
}

func fingerprints(tables inMemory) func(bitboard.Slice) string {
	return func(s bitboard.Slice) string { return fmt.Sprint(tables[s]) }
}

func (d damage) checkHeld(t *testing.T, game *fanorona.Game, g bitboard.Group, tables inMemory, sparse bool) {
	t.Helper()
	r := deriveFrom(t, game, g, d.to(tables), sparse, fingerprints(tables))
	if !slices.ContainsFunc(r.Findings, func(f Finding) bool {
		return f.What == "value" && f.Slice == game.SliceName(d.slice) && f.Index == d.index
	}) {
		t.Errorf("%v for %v at %s index %d, sparse %v: found %v", d.now, d.was, game.SliceName(d.slice), d.index, sparse, r.Findings)
	}
}

func (d damage) checkLeftOut(t *testing.T, game *fanorona.Game, g bitboard.Group, tables inMemory) {
	t.Helper()
	name := game.SliceName(d.slice)
	if r := deriveFrom(t, game, g, d.to(tables), true, fingerprints(tables)); r.Total != 0 {
		t.Errorf("what stands at index %d of %s, which is left out: found %v", d.index, name, r.Findings)
	}
	if r := deriveFrom(t, game, g, tables, true, fingerprints(d.to(tables))); r.Total != 1 || !finds(r, "fingerprint") {
		t.Errorf("a fingerprint of %v for %v at index %d of %s: found %v", d.now, d.was, d.index, name, r.Findings)
	}
}

// count counts findings of a kind.
func count(r Report, what string) (n int) {
	for _, f := range r.Findings {
		if f.What == what {
			n++
		}
	}
	return n
}

// Draws become wins of one slice and losses of the other, as many as support each other. Some
// of the wins have turns to draws, and to wins of the other side that are well founded: these
// ground nothing. That holds for a game that tells nothing but its turns, too.
func TestVerifyFindsCirclesOfWinsAndLosses(t *testing.T) {
	lesser := map[string]func(*derivation[fanorona.Position]){
		"by turns that are ranked": func(d *derivation[fanorona.Position]) { d.near, d.turnValuer = nil, nil },
		"by turns alone": func(d *derivation[fanorona.Position]) {
			d.near, d.turnValuer, d.turnRanker, d.chooser = nil, nil, nil, nil
		},
	}
	circles := 0
	for _, rules := range []fanorona.Rules{{}, {StalemateDraws: true, Direction: fanorona.NeverTwice}} {
		game, groups, tables := solvedFanorona(t, rules)
		for _, g := range groups {
			for k, lost := range g.Slices {
				won := g.Slices[(k+1)%len(g.Slices)]
				if won == lost {
					continue
				}
				damaged, changed := supportEachOther(game, tables, won, lost)
				if changed == 0 {
					continue
				}
				circles++
				for _, sparse := range []bool{false, true} {
					found := map[string]Report{"as Run does": deriveFrom(t, game, g, damaged, sparse, fingerprints(damaged))}
					for how, without := range lesser {
						d := newDerivation(game, wdlCheck(g, nil, func(s bitboard.Slice) bool { return sparse && slices.Contains(g.Slices, s) }), false)
						without(d)
						found[how] = deriveCheck(t, d, damaged, fingerprints(damaged)).Report
					}
					for how, r := range found {
						if n := count(r, "grounding"); n != changed {
							t.Errorf("%s and %s, sparse %v, %s: %d of %d values in circles were found", game.SliceName(won), game.SliceName(lost), sparse, how, n, changed)
						}
					}
				}
			}
		}
	}
	if circles == 0 {
		t.Error("no draws can support each other as wins and losses")
	}
}

// supportEachOther changes the most draws to wins of one slice and losses of another such
// that each follows from its successors. It tells how many these are.
func supportEachOther(game *fanorona.Game, tables inMemory, won, lost bitboard.Slice) (inMemory, int) {
	claims := maps.Clone(tables)
	claims[won], claims[lost] = slices.Clone(tables[won]), slices.Clone(tables[lost])
	changed := make(map[bitboard.Ref]bool)
	for s, v := range map[bitboard.Slice]bitboard.Value{won: bitboard.Win, lost: bitboard.Loss} {
		game.Walk(s, 0, game.Indices(s), func(i uint64, p fanorona.Position, _ int) bool {
			if tables[s].At(i) == bitboard.Draw && len(game.Turns(nil, p)) > 0 {
				claims[s].Set(i, v)
				changed[bitboard.MakeRef(s, i)] = true
			}
			return true
		})
	}
	for again := true; again; {
		again = false
		for at := range changed {
			p, _ := game.Unrank(at.Slice(), at.Index())
			var seen bitboard.Values
			for _, q := range game.Turns(nil, p) {
				seen |= 1 << successorValue(game, claims, q)
			}
			if seen.Verdict() != claims[at.Slice()].At(at.Index()) {
				claims[at.Slice()].Set(at.Index(), bitboard.Draw)
				delete(changed, at)
				again = true
			}
		}
	}
	return claims, len(changed)
}

func successorValue(game *fanorona.Game, tables inMemory, q fanorona.Position) bitboard.Value {
	if q.Own == 0 {
		return game.Ended(q)
	}
	s, i := game.Rank(q)
	return tables[s].At(i)
}

// Where more is wrong than is noted, nothing that rests on it is blamed, and what is found depends on
// nobody's pace.
func TestSoMuchIsWrongThatNothingIsGrounded(t *testing.T) {
	game := graphgame.New(113, 1, 40_000)
	groups, err := game.Groups()
	if err != nil {
		t.Fatal(err)
	}
	tables := make(inMemory)
	for s, depths := range game.Solve().Depths {
		table := make(bitboard.Packed, bitboard.PackedWords(uint64(len(depths))))
		for i, d := range depths {
			v := d.Outcome().Value
			if i%4 > 0 && v == bitboard.Draw {
				v = bitboard.Win
			}
			table.Set(uint64(i), v)
		}
		tables[bitboard.Slice(s)] = table
	}
	g := groups[len(groups)-1]
	var want []Finding
	for _, workers := range []int{1, 2, 8} {
		d := newDerivation(game, wdlCheck(g, nil, func(bitboard.Slice) bool { return false }), false)
		d.mostWrong = 100
		fill(d, tables, nil)
		found := &findings{limit: 1 << 20}
		team := d.team(workers, found, func(uint64) {})
		if err := team.all(t.Context(), nil, func(bitboard.Slice, Sums) {}); err != nil {
			t.Fatal(err)
		}
		got := found.kept()
		if want == nil {
			want = got
		}
		grounding := slices.ContainsFunc(got, func(f Finding) bool { return f.What == "grounding" })
		if uint64(len(got)) <= 2*d.mostWrong || grounding || !slices.Equal(got, want) || team.spent {
			t.Errorf("%d workers: %d findings, of what is grounded %v, spent %v; want %d", workers, len(got), grounding, team.spent, len(want))
		}
	}
}

// What takes a group as a whole grounds all values of sound tables, and leaves them as they were.
func TestSoundTablesAreGrounded(t *testing.T) {
	game, groups, tables := solvedFanorona(t, fanorona.Rules{})
	for _, g := range groups {
		for _, sparse := range []bool{false, true} {
			d := newDerivation(game, wdlCheck(g, nil, func(s bitboard.Slice) bool { return sparse && slices.Contains(g.Slices, s) }), true)
			for _, s := range d.loaded() {
				d.add(bitboard.WDL, &bitboard.Table{Slice: s, WDL: slices.Clone(tables[s])})
			}
			for _, s := range d.sparse {
				d.addSparse(s, "")
			}
			found := &findings{limit: 1}
			team, told := d.team(2, found, func(uint64) {}), uint64(0)
			all := func(bitboard.Slice) bool { return true }
			if err := team.groundShown(t.Context(), all, func(indices uint64) { atomic.AddUint64(&told, indices) }); err != nil {
				t.Fatal(err)
			}
			for _, s := range g.Slices {
				told -= game.Indices(s)
				if team.spent || !slices.Equal(d.values[s], tables[s]) {
					t.Errorf("%s is another one after it was grounded, spent %v", game.SliceName(s), team.spent)
				}
			}
			if told != 0 {
				t.Errorf("%v: %d indices too many were told", g.Slices, int64(told))
			}
			if found.total != 0 {
				t.Errorf("%v, sparse %v: %d findings, the first %v", g.Slices, sparse, found.total, found.kept()[0])
			}
		}
	}
}

// A game derives faster where memory does for it, and only there.
func TestRoomIsTakenWhereThereIsSome(t *testing.T) {
	game, groups, _ := solvedFanorona(t, fanorona.Rules{})
	bounded := 0
	for _, g := range groups {
		c := wdlCheck(g, nil, func(s bitboard.Slice) bool { return slices.Contains(g.Slices, s) })
		most, all := uint64(0), uint64(0)
		for _, s := range g.Slices {
			shared, each := game.SparseRoom(s)
			room := 8 * (shared + 2*each)
			most, all = max(most, room), all+room
		}
		if most == 0 {
			continue
		}
		bounded++
		tables := c.memory(game.Indices)
		for pieces, need := range map[bool]uint64{false: tables + most, true: tables + all} {
			for memory, want := range map[uint64]bool{0: true, need - 1: false, need: true} {
				if hasRoom(game, &c, 2, memory, pieces) != want {
					t.Errorf("%v, %d bytes, in pieces %v: want %v", g.Slices, memory, pieces, want)
				}
			}
		}
	}
	if bounded == 0 {
		t.Error("no group takes room")
	}
}
