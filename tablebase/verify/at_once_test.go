package verify

import (
	"context"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"

	"paika/bitboard"
	"paika/bitboard/breakthrough"
	"paika/bitboard/fanorona"
	"paika/bitboard/konane"
	"paika/bitboard/phutball"
	"paika/solver/retrograde"
)

// oneByOne is a game without all that it may have beside the contracts.
type oneByOne[P comparable] struct{ Game[P] }

// checkAtOnce compares what many positions at once come to with what each does.
func checkAtOnce[P comparable](t *testing.T, game Game[P], g bitboard.Group, tables inMemory) derived {
	t.Helper()
	c := wdlCheck(g, nil, func(bitboard.Slice) bool { return false })
	got := deriveCheck(t, newDerivation(game, c, true), tables, nil)
	want := deriveCheck(t, newDerivation(oneByOne[P]{game}, c, false), tables, nil)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v: at once %v, one by one %v", g.Slices, got, want)
	}
	return got
}

// checkDamage does so for tables that are sound, and for such with some random changes, at
// gaps too. Sound ones have no finding, and one change has one, or is counted at a gap.
func checkDamage[P comparable](t *testing.T, random *rand.Rand, game Game[P], g bitboard.Group, sound inMemory, rounds int) {
	t.Helper()
	if found := checkAtOnce(t, game, g, sound); found.Total != 0 {
		t.Fatalf("sound tables: %v", found.Findings[0])
	}
	for range rounds {
		for _, changes := range []int{1, 1, 3, 40} {
			damaged := make(inMemory)
			for s, table := range sound {
				damaged[s] = slices.Clone(table)
			}
			s := g.Slices[random.IntN(len(g.Slices))]
			i := uint64(0)
			for range changes {
				i = random.Uint64N(game.Indices(s))
				damaged[s].Set(i, (sound[s].At(i)+1+bitboard.Value(random.IntN(2)))%3)
			}
			found := checkAtOnce(t, game, g, damaged)
			_, weight := game.Unrank(s, i)
			if changes > 1 {
				continue
			}
			if weight != 0 && !slices.ContainsFunc(found.Findings, func(f Finding) bool { return f.What == "value" && f.Index == i }) {
				t.Errorf("%v for %v at %s index %d: found %v", damaged[s].At(i), sound[s].At(i), game.SliceName(s), i, found.Findings)
			}
			if weight == 0 && found.sums[slices.Index(g.Slices, s)].Gaps[bitboard.WDL] == 0 {
				t.Errorf("a value at index %d of %s, a gap, is not counted", i, game.SliceName(s))
			}
		}
	}
}

// deepTables is a retrograde.Storage in dtw.
type deepTables map[bitboard.Slice][]bitboard.Depth

func (m deepTables) Has(s bitboard.Slice) bool { return m[s] != nil }

func (m deepTables) Load(_ context.Context, t *bitboard.Table) error {
	copy(t.DTW, m[t.Slice])
	return nil
}

func (m deepTables) Save(_ context.Context, t *bitboard.Table, _ bitboard.Summary) error {
	m[t.Slice] = slices.Clone(t.DTW)
	return nil
}

// values is the same in wdl.
func (m deepTables) values(s bitboard.Slice) bitboard.Packed {
	values := make(bitboard.Packed, bitboard.PackedWords(uint64(len(m[s]))))
	for i, d := range m[s] {
		values.Set(uint64(i), d.Value())
	}
	return values
}

// changed is the tables with another depth at an index.
func (m deepTables) changed(s bitboard.Slice, i uint64, d bitboard.Depth) deepTables {
	c := maps.Clone(m)
	c[s] = slices.Clone(m[s])
	c[s][i] = d
	return c
}

// checkDeepAtOnce is checkAtOnce in dtw, beside which there are tables in wdl.
func checkDeepAtOnce[P comparable](t *testing.T, game Game[P], g bitboard.Group, tables deepTables, wdl inMemory) derived {
	t.Helper()
	never := func(bitboard.Slice) bool { return false }
	derive := func(game Game[P], roomy bool) (to derived) {
		d := newDerivation(game, dtwCheck(g, slices.Sorted(maps.Keys(wdl)), never), roomy)
		for _, s := range d.loaded() {
			d.add(bitboard.DTW, &bitboard.Table{Slice: s, DTW: slices.Clone(tables[s])})
		}
		for s, values := range wdl {
			d.add(bitboard.WDL, &bitboard.Table{Slice: s, WDL: values})
		}
		found := &findings{limit: 1 << 20}
		err := d.team(2, found, func(uint64) {}).all(t.Context(), nil, func(_ bitboard.Slice, sum Sums) { to.sums = append(to.sums, sum) })
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range d.loaded() {
			if !slices.Equal(d.depths[s], tables[s]) {
				t.Errorf("%s is another one after it was derived", game.SliceName(s))
			}
		}
		to.Report = Report{Findings: found.kept(), Total: found.total}
		return to
	}
	got, want := derive(game, true), derive(oneByOne[P]{game}, false)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v: at once %v, one by one %v", g.Slices, got, want)
	}
	return got
}

// checkDeepDamage is checkDamage in dtw: some random depths become others.
func checkDeepDamage[P comparable](t *testing.T, random *rand.Rand, game Game[P], g bitboard.Group, sound deepTables, rounds int) {
	t.Helper()
	if found := checkDeepAtOnce(t, game, g, sound, nil); found.Total != 0 {
		t.Fatalf("sound tables: %v", found.Findings[0])
	}
	for range rounds {
		s := g.Slices[random.IntN(len(g.Slices))]
		damaged, i := sound, uint64(0)
		for range []int{1, 1, 3, 40}[random.IntN(4)] {
			i = random.Uint64N(game.Indices(s))
			was := damaged[s][i]
			other := func() bitboard.Depth {
				if v := bitboard.Value(random.IntN(3)); v != bitboard.Draw {
					return bitboard.MakeDepth(v, random.IntN(9))
				}
				return 0
			}
			now := other()
			for now == was {
				now = other()
			}
			damaged = damaged.changed(s, i, now)
		}
		found := checkDeepAtOnce(t, game, g, damaged, nil)
		if damaged[s][i] == sound[s][i] {
			continue // changed back
		}
		if _, weight := game.Unrank(s, i); weight == 0 {
			if damaged[s][i] != 0 && found.sums[slices.Index(g.Slices, s)].Gaps[bitboard.DTW] == 0 {
				t.Errorf("a depth at index %d of %s, a gap, is not counted", i, game.SliceName(s))
			}
		} else if found.Total == 0 {
			t.Errorf("%v for %v at %s index %d is not found", damaged[s][i].Outcome(), sound[s][i].Outcome(), game.SliceName(s), i)
		}
		wdl := inMemory{s: sound.values(s)}
		checkDeepAtOnce(t, game, g, damaged, wdl)
		wdl[s].Set(i, (wdl[s].At(i)+1)%3)
		checkDeepAtOnce(t, game, g, sound, wdl)
	}
}

// solve puts tables of all groups of a game, up to some pieces, in a storage.
func solve[P comparable](t *testing.T, game bitboard.Game[P], pieces int, m bitboard.Metric, into retrograde.Storage) []bitboard.Group {
	t.Helper()
	groups, err := bitboard.GroupsWithin(game, pieces)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := retrograde.Build(t.Context(), game, groups, into, retrograde.Options{Metric: m, Memory: 1 << 28, Workers: 1}); err != nil {
		t.Fatal(err)
	}
	return groups
}

// solved is such tables in wdl, deeplySolved in dtw.
func solved[P comparable](t *testing.T, game bitboard.Game[P], pieces int) ([]bitboard.Group, inMemory) {
	t.Helper()
	tables := make(inMemory)
	return solve(t, game, pieces, bitboard.WDL, tables), tables
}

func deeplySolved[P comparable](t *testing.T, game bitboard.Game[P], pieces int) ([]bitboard.Group, deepTables) {
	t.Helper()
	tables := make(deepTables)
	return solve(t, game, pieces, bitboard.DTW, tables), tables
}

// Depths below the group count as they are stored, too, though nobody could come to them.
func TestDamageOfFanoronaIsFoundAtOnce(t *testing.T) {
	random := rand.New(rand.NewPCG(10, 1))
	for _, board := range first(1, []bitboard.Board{{Width: 3, Height: 3}, {Width: 5, Height: 3}}) {
		game, err := fanorona.New(board, fanorona.Rules{})
		if err != nil {
			t.Fatal(err)
		}
		groups, deep := deeplySolved(t, game, 5)
		for _, g := range groups {
			checkDeepDamage(t, random, game, g, deep, 2)
			for _, s := range g.Needs {
				i := random.Uint64N(game.Indices(s))
				d := bitboard.MakeDepth(bitboard.Loss-bitboard.Value(random.IntN(2)), random.IntN(bitboard.MaxDistance))
				checkDeepAtOnce(t, game, g, deep.changed(s, i, d), nil)
			}
		}
	}
}

func TestDamageOfKonaneIsFoundAtOnce(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 1))
	for _, c := range first(2, []struct {
		board   string
		opening konane.OpeningKind
		pieces  int
	}{
		{"3x3", konane.Traditional, 9}, {"7x1", konane.CornerH, 7}, {"4x3", konane.AnyStone, 12}, {"5x3", konane.CornerH, 8}, {"4x4", konane.MiddleV, 8}, {"6x6", konane.CornerH, 4},
	}) {
		board, err := bitboard.ParseBoard(c.board)
		if err != nil {
			t.Fatal(err)
		}
		game, err := konane.New[konane.Word](board, konane.Rules{Opening: konane.Opening{Kind: c.opening}})
		if err != nil {
			t.Fatal(err)
		}
		checkDamages(t, random, game, c.pieces)
	}
}

// checkDamages checks what is found in groups of at most so many pieces, in both metrics.
func checkDamages[P comparable](t *testing.T, random *rand.Rand, game bitboard.Game[P], pieces int) {
	t.Helper()
	groups, tables := solved(t, game, pieces)
	for _, g := range groups {
		checkDamage(t, random, game, g, tables, 1)
	}
	groups, deep := deeplySolved(t, game, pieces)
	for _, g := range groups {
		checkDeepDamage(t, random, game, g, deep, 1)
	}
}

// Breakthrough tells the values of turns, some of which stay in the group and some of which
// leave it or end the game, in one call a position. What is found is the same as by turns.
func TestDamageOfBreakthroughIsFoundByTurnsAtOnce(t *testing.T) {
	random := rand.New(rand.NewPCG(17, 1))
	for _, c := range first(1, []struct {
		board  string
		pieces int
	}{{"2x4", 8}, {"3x4", 6}, {"4x5", 3}}) {
		board, err := bitboard.ParseBoard(c.board)
		if err != nil {
			t.Fatal(err)
		}
		game, err := breakthrough.New(board)
		if err != nil {
			t.Fatal(err)
		}
		checkDamages(t, random, game, c.pieces)
	}
}

func TestDamageOfPhutballIsFoundAtOnce(t *testing.T) {
	random := rand.New(rand.NewPCG(12, 1))
	for _, name := range first(2, []string{"1x9", "3x3", "2x4", "1x3", "3x4", "4x3"}) {
		for _, rules := range first(1, []phutball.Rules{{CornerExit: true, ReturnFromOff: true}, {}, {GoalStop: true}}) {
			board, err := bitboard.ParseBoard(name)
			if err != nil {
				t.Fatal(err)
			}
			game, err := phutball.New(board, rules)
			if err != nil {
				t.Fatal(err)
			}
			groups, tables := solved(t, game, bitboard.AllPieces)
			checkDamage(t, random, game, groups[0], tables, 12)
			_, deep := deeplySolved(t, game, bitboard.AllPieces)
			checkDeepDamage(t, random, game, groups[0], deep, 4)
			slice, far := groups[0].Slices[0], 0
			for i, d := range deep[slice] {
				if d.Value() == bitboard.Win && d.Distance() > deep[slice][far].Distance() {
					far = i
				}
			}
			// Tracing comes to no loss so far away, and yet sees that no draw has a turn there.
			checkDeepAtOnce(t, game, groups[0], deep.changed(slice, uint64(far), 0), nil)
		}
	}
}

// roundabout is a game of one slice in which play may go on for ever. Its positions are the
// numbers of its indices. Two turns end it.
type roundabout struct {
	turns   [][]int
	weights []int // 0 for a gap
}

const (
	wins   = -1 // for the side that makes the turn
	loses  = -2
	outOf  = bitboard.Slice(1)
	inside = bitboard.Slice(0)
)

// newRoundabout is a game by chance. Of its first positions each two lead to each other
// alone. Each of the others has a turn that stays in the slice, or one that wins.
func newRoundabout(random *rand.Rand) *roundabout {
	const n, pairs = 512, 32
	r := &roundabout{make([][]int, n), make([]int, n)}
	for p := range n {
		if r.weights[p] = random.IntN(4); p < 2*pairs {
			r.weights[p], r.turns[p] = 1+random.IntN(3), []int{p ^ 1}
		}
	}
	for p := 2 * pairs; p < n; p++ {
		for range random.IntN(3) {
			r.turns[p] = append(r.turns[p], []int{wins, loses, r.random(random)}[random.IntN(3)])
		}
		if !slices.ContainsFunc(r.turns[p], func(q int) bool { return q != loses }) {
			r.turns[p] = append(r.turns[p], r.random(random))
		}
	}
	return r
}

// random is a position.
func (r *roundabout) random(random *rand.Rand) int {
	for {
		if p := random.IntN(len(r.weights)); r.weights[p] != 0 {
			return p
		}
	}
}

func (r *roundabout) Turns(dst []int, p int) []int {
	if p < 0 {
		return dst
	}
	return append(dst, r.turns[p]...)
}

func (r *roundabout) Ended(p int) bitboard.Value {
	if p == wins {
		return bitboard.Loss
	}
	return bitboard.Win
}

func (r *roundabout) Groups() ([]bitboard.Group, error) {
	return []bitboard.Group{{Slices: []bitboard.Slice{inside}}}, nil
}

func (r *roundabout) Pieces(bitboard.Slice) int                     { return 1 }
func (r *roundabout) SliceName(bitboard.Slice) string               { return "all" }
func (r *roundabout) ParseSlice(string) (bitboard.Slice, error)     { return inside, nil }
func (r *roundabout) Indices(bitboard.Slice) uint64                 { return uint64(len(r.turns)) }
func (r *roundabout) Rank(p int) (bitboard.Slice, uint64)           { return inside, uint64(p) }
func (r *roundabout) Unrank(_ bitboard.Slice, i uint64) (int, int)  { return int(i), r.weights[i] }
func (r *roundabout) Format(p int, _ bitboard.Side) string          { return strconv.Itoa(p) }
func (r *roundabout) TraceRoom(bitboard.Slice) uint64               { return 1 }
func (r *roundabout) Positions(s bitboard.Slice) (positions uint64) { return r.Weigh(s, 0, ^uint64(0)) }
func (r *roundabout) has(set []uint64, p int) bool                  { return set[p/64]>>(p%64)&1 != 0 }
func (r *roundabout) walk(lo, hi uint64, yield func(uint64, int, int)) {
	for i := lo; i < hi; i++ {
		if r.weights[i] != 0 {
			yield(i, int(i), r.weights[i])
		}
	}
}

func (r *roundabout) SliceOf(p int) bitboard.Slice {
	if p < 0 {
		return outOf
	}
	return inside
}

func (r *roundabout) Walk(_ bitboard.Slice, lo, hi uint64, yield func(uint64, int, int) bool) {
	r.walk(lo, hi, func(i uint64, p, weight int) { yield(i, p, weight) })
}

func (r *roundabout) WalkChosen(_ bitboard.Slice, lo, hi uint64, chosen []uint64, yield func(uint64, int, int) bool) {
	r.walk(lo, hi, func(i uint64, p, weight int) {
		if r.has(chosen, p-int(lo)) {
			yield(i, p, weight)
		}
	})
}

func (r *roundabout) Tally(_ bitboard.Slice, values bitboard.Packed, lo, hi uint64) (positions [3]uint64, filled uint64) {
	for i := lo; i < hi; i++ {
		v := values.At(i - lo&^31)
		positions[v] += uint64(r.weights[i])
		if r.weights[i] == 0 && v != bitboard.Draw {
			filled++
		}
	}
	return positions, filled
}

func (r *roundabout) Trace(_ bitboard.Slice, dst, set, _ []uint64, _ bitboard.Run) error {
	clear(dst)
	r.walk(0, uint64(len(r.turns)), func(i uint64, p, _ int) {
		if slices.ContainsFunc(r.turns[p], func(q int) bool { return q == wins && set == nil || q >= 0 && set != nil && r.has(set, q) }) {
			dst[i/64] |= 1 << (i % 64)
		}
	})
	return nil
}

func (r *roundabout) Weigh(_ bitboard.Slice, k, word uint64) (positions uint64) {
	for i := range uint64(64) {
		positions += word >> i & 1 * uint64(r.weights[64*k+i])
	}
	return positions
}

// derive is the value of a position by those of a table.
func (r *roundabout) derive(table bitboard.Packed, p int) bitboard.Value {
	var seen bitboard.Values
	for _, q := range r.turns[p] {
		if q < 0 {
			seen |= 1 << r.Ended(q)
		} else {
			seen |= 1 << table.At(uint64(q))
		}
	}
	return seen.Verdict()
}

// solve derives values until nothing changes. At first all are draws.
func (r *roundabout) solve() bitboard.Packed {
	table := make(bitboard.Packed, bitboard.PackedWords(uint64(len(r.turns))))
	for again := true; again; {
		again = false
		r.walk(0, uint64(len(r.turns)), func(i uint64, p, _ int) {
			if v := r.derive(table, p); v != table.At(i) {
				table.Set(i, v)
				again = true
			}
		})
	}
	return table
}

// solveDepths is solve in dtw, by rising distance.
func (r *roundabout) solveDepths() []bitboard.Depth {
	table := make([]bitboard.Depth, len(r.turns))
	for distance, idle := 1, 0; idle < 2; distance++ {
		idle++
		r.walk(0, uint64(len(r.turns)), func(i uint64, p, _ int) {
			var after []bitboard.Depth
			for _, q := range r.turns[p] {
				if q < 0 {
					after = append(after, bitboard.MakeDepth(r.Ended(q), 0))
				} else {
					after = append(after, table[q])
				}
			}
			if d, _ := bitboard.VerdictDepth(after); table[i] == 0 && d != 0 && d.Distance() == distance {
				table[i] = d
				idle = 0
			}
		})
	}
	return table
}

func TestDamageIsFoundWherePlayGoesOnForEver(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 1))
	games := 20
	if testing.Short() {
		games = 2
	}
	for seed := range games {
		r := newRoundabout(random)
		group := bitboard.Group{Slices: []bitboard.Slice{inside}}
		sound := inMemory{inside: r.solve()}
		if many, _ := r.Tally(inside, sound[inside], 0, r.Indices(inside)); slices.Contains(many[:], 0) {
			t.Fatalf("game %d has %v positions by value", seed, many)
		}
		checkDamage(t, random, r, group, sound, 20)
		checkDeepDamage(t, random, r, group, deepTables{inside: r.solveDepths()}, 8)

		// Two draws that lead to each other alone become a win and a loss: each is right by
		// its turn.
		circle := inMemory{inside: slices.Clone(sound[inside])}
		at := uint64(2 * random.IntN(32))
		circle[inside].Set(at, bitboard.Win)
		circle[inside].Set(at+1, bitboard.Loss)
		found := checkAtOnce(t, r, group, circle)
		for _, i := range []uint64{at, at + 1} {
			if !slices.ContainsFunc(found.Findings, func(f Finding) bool { return f.Index == i && f.What == "grounding" }) {
				t.Errorf("game %d: index %d, in a circle, is not found: %v", seed, i, found.Findings)
			}
		}

		// Nothing stands where it should.
		chaos := inMemory{inside: make(bitboard.Packed, len(sound[inside]))}
		for i := range r.Indices(inside) {
			chaos[inside].Set(i, bitboard.Value(random.IntN(3)))
		}
		checkAtOnce(t, r, group, chaos)
	}
}

// Turns are traced where memory does for it, and only there: the answer is the same.
func TestTracingTakesRoomWhereThereIsSome(t *testing.T) {
	game, err := phutball.New(bitboard.Board{Width: 3, Height: 4}, phutball.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	groups, tables := solved(t, game, bitboard.AllPieces)
	c := wdlCheck(groups[0], nil, func(bitboard.Slice) bool { return false })
	s := groups[0].Slices[0]
	deep := dtwCheck(groups[0], nil, nil)
	deepNeed := deep.memory(game.Indices) + 8*(game.TraceRoom(s)+4*game.Indices(s)/64)
	if hasRoom(game, &deep, 2, deepNeed-1, false) || !hasRoom(game, &deep, 2, deepNeed, false) {
		t.Errorf("depths are traced elsewhere than from %d bytes on", deepNeed)
	}
	need := c.memory(game.Indices) + 8*(game.TraceRoom(s)+3*game.Indices(s)/64)
	for memory, want := range map[uint64]bool{0: true, need - 1: false, need: true} {
		roomy := hasRoom(game, &c, 2, memory, false)
		if roomy != want {
			t.Errorf("%d bytes: %v, want %v", memory, roomy, want)
		}
		if found := deriveCheck(t, newDerivation(game, c, roomy), tables, nil); found.Total != 0 {
			t.Errorf("%d bytes: %v", memory, found.Findings)
		}
	}
}

// In dtw, too.
func TestSoundDepthsAreTraced(t *testing.T) {
	game, err := phutball.New(bitboard.Board{Width: 3, Height: 5}, phutball.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	groups, tables := deeplySolved(t, game, bitboard.AllPieces)
	s := groups[0].Slices[0]
	d := newDerivation(game, dtwCheck(groups[0], nil, nil), true)
	d.add(bitboard.DTW, &bitboard.Table{Slice: s, DTW: tables[s]})
	team := d.team(2, &findings{limit: 1}, func(uint64) {})
	defer team.dropDue()
	if err := team.showAtOnce(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if left := d.due[s].count(0, game.Indices(s)); left > game.Indices(s)/16 {
		t.Errorf("of %d indices %d are left to be looked at", game.Indices(s), left)
	}
}

// Sound tables are shown by tracing, and little of them one by one.
func TestSoundTablesAreTraced(t *testing.T) {
	game, err := phutball.New(bitboard.Board{Width: 3, Height: 5}, phutball.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	groups, tables := solved(t, game, bitboard.AllPieces)
	s := groups[0].Slices[0]
	d := newDerivation(game, wdlCheck(groups[0], nil, func(bitboard.Slice) bool { return false }), true)
	d.add(bitboard.WDL, &bitboard.Table{Slice: s, WDL: tables[s]})
	var steps, told atomic.Uint64
	team := d.team(2, &findings{limit: 1}, func(indices uint64) { steps.Add(min(indices, 1)); told.Add(indices) })
	defer team.dropDue()
	if err := team.showAtOnce(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if left := d.due[s].count(0, game.Indices(s)); left > game.Indices(s)/traceDensity {
		t.Errorf("of %d indices %d are left to be looked at", game.Indices(s), left)
	}
	if n := game.Indices(s); steps.Load() < 100 || told.Load() != n-n/sharesPart {
		t.Errorf("progress of %d indices in %d steps, want all but one in %d of %d", told.Load(), steps.Load(), sharesPart, n)
	}
}
