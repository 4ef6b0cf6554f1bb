package verify

import (
	"context"
	"math"
	"sync"
	"testing"

	"paika/bitboard"
	"paika/tablebase"
	"paika/tablebase/internal/graphgame"
)

// needing is a game whose pairs of slices need those pairs alone.
type needing struct {
	*graphgame.Game
	pairs [][]int // by pair
}

func (g needing) Groups() ([]bitboard.Group, error) {
	groups, err := g.Game.Groups()
	for i := range groups {
		groups[i].Needs = nil
		for _, pair := range g.pairs[i] {
			groups[i].Needs = append(groups[i].Needs, bitboard.Slice(2*pair), bitboard.Slice(2*pair+1))
		}
	}
	return groups, err
}

// watched is a context that is asked whether to end, in the middle of everything.
type watched struct {
	context.Context
	asked func()
}

func (w watched) Err() error {
	w.asked()
	return w.Context.Err()
}

// TestMemoryIsThatOfTheLargestGroup, reckoned by hand, and at no time are there tables of more.
func TestMemoryIsThatOfTheLargestGroup(t *testing.T) {
	// Eight slices of 1,022 to 1,029 indices: in dtw 2 bytes each, in wdl 8 for 32 of them, so 256
	// for each of the first three, and 264 for the others.
	const first, others = 32 * 8, 33 * 8
	all := [][]int{{}, {0}, {0, 1}, {0, 1, 2}}
	wdl, dtw := []bitboard.Metric{bitboard.WDL}, []bitboard.Metric{bitboard.DTW}
	both := append(wdl, dtw...)
	for _, c := range []struct {
		name    string
		needs   [][]int
		sparse  int
		metrics []bitboard.Metric
		want    uint64
	}{
		{"wdl", all, 0, wdl, 3*first + 5*others},
		{"the largest is not the last", [][]int{{}, {0}, {0, 1}, {}}, 0, wdl, 3*first + 3*others},
		{"needs of which nothing is left out", [][]int{{}, {0}, {1}, {2}}, 0, wdl, 4 * others},
		{"needs with values left out, and what these follow from", [][]int{{}, {0}, {1}, {2}}, 2, wdl, first + 5*others},
		{"dtw", all, 0, dtw, 2 * (1022 + 1023 + 1024 + 1025 + 1026 + 1027 + 1028 + 1029)},
		{"dtw with wdl beside it", all, 0, both, 2*(1022+1023+1024+1025+1026+1027+1028+1029) + 2*others},
		{"dtw with sparse wdl beside it", [][]int{{}, {0}, {0, 1}, {}}, 2, both, 2*(1022+1023+1024+1025+1026+1027) + 2*others},
	} {
		game := graphgame.New(9, 4, 1022)
		game.Sparse = c.sparse
		s := openTest(t, storedTest(t, game.Solve(), c.metrics...), toRead)
		opts := Options{Workers: 3}
		if got := Memory(needing{game, c.needs}, s, opts) - 3*tablebase.ScanBytes; got != c.want {
			t.Errorf("%s: %d bytes of tables, want %d", c.name, got, c.want)
		}
		if got := mostTables(t, newVerifier(needing{game, c.needs}, s, opts)); got != c.want {
			t.Errorf("%s: %d bytes of tables are there at once, want %d", c.name, got, c.want)
		}
	}
}

// mostTables runs a verification, and tells how many bytes of tables there are at once.
func mostTables[P comparable](t *testing.T, v *verifier[P]) (most uint64) {
	t.Helper()
	var mutex sync.Mutex
	ctx := watched{t.Context(), func() {
		mutex.Lock()
		defer mutex.Unlock()
		var sum uint64
		for m := range v.tables {
			for _, table := range v.tables[m] {
				sum += uint64(8*len(table.WDL) + 2*len(table.DTW))
			}
		}
		most = max(most, sum)
	}}
	if err := v.run(ctx); err != nil {
		t.Fatal(err)
	}
	v.dropAll()
	return most
}

// TestTablesOfMoreBytesThanNumbersHaveTakeTheMost: they fit nowhere.
func TestTablesOfMoreBytesThanNumbersHaveTakeTheMost(t *testing.T) {
	for metric, many := range map[bitboard.Metric]int{bitboard.DTW: 2, bitboard.WDL: 4} {
		c := &groupCheck{metric: metric, group: bitboard.Group{Slices: make([]bitboard.Slice, many)}}
		if got := c.memory(func(bitboard.Slice) uint64 { return math.MaxUint64 }); got != math.MaxUint64 {
			t.Errorf("%d tables of %v take %d bytes", many, metric, got)
		}
	}
}
