package breakthrough

import (
	"context"
	"slices"
	"testing"

	"paika/bitboard"
	"paika/solver/proofnumber"
	"paika/solver/retrograde"
)

// memory keeps tables while a board is solved.
type memory map[bitboard.Slice]*bitboard.Table

func (m memory) Has(s bitboard.Slice) bool { return m[s] != nil }

func (m memory) Load(_ context.Context, t *bitboard.Table) error {
	copy(t.DTW, m[t.Slice].DTW)
	return nil
}

func (m memory) Save(_ context.Context, t *bitboard.Table, _ bitboard.Summary) error {
	m[t.Slice] = &bitboard.Table{Slice: t.Slice, DTW: slices.Clone(t.DTW)}
	return nil
}

// solved makes the tables of a whole board.
func solved(t *testing.T, g *Game) memory {
	t.Helper()
	groups, err := g.Groups()
	if err != nil {
		t.Fatal(err)
	}
	tables := make(memory)
	if _, err := retrograde.Build(t.Context(), g, groups, tables, retrograde.Options{Metric: bitboard.DTW, Workers: 2, Memory: 1 << 31}); err != nil {
		t.Fatal(err)
	}
	return tables
}

// The values of the start, White to move, on boards that are known. Two more are for
// scripts/breakthrough-boards.
func TestKnownValues(t *testing.T) {
	for _, c := range []struct {
		board string
		long  bool
		want  bitboard.Outcome
	}{
		{"3x4", false, bitboard.Outcome{Value: bitboard.Loss, Distance: 12}},
		{"4x4", underRace, bitboard.Outcome{Value: bitboard.Loss, Distance: 14}},
		{"3x5", false, bitboard.Outcome{Value: bitboard.Loss, Distance: 18}},
		{"3x6", true, bitboard.Outcome{Value: bitboard.Win, Distance: 23}},
	} {
		t.Run(c.board, func(t *testing.T) {
			if c.long && (testing.Short() || underRace) {
				t.Skip("takes ten seconds, with the race detector two minutes")
			}
			g := newGame(t, c.board)
			tables := solved(t, g)
			start, _, err := g.Start()
			if err != nil {
				t.Fatal(err)
			}
			s, index := g.Rank(start)
			if got := tables[s].Outcome(index); got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

// Black wins 5x4, too: the search says so sooner than tables.
func TestBlackWins5x4(t *testing.T) {
	g := newGame(t, "5x4")
	table, err := proofnumber.NewTable(1 << 24)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	search, err := proofnumber.New(g, table, proofnumber.Options[Position]{})
	if err != nil {
		t.Fatal(err)
	}
	start, _, err := g.Start()
	if err != nil {
		t.Fatal(err)
	}
	const blackAttacks = false // it is White's turn
	if r, err := search.Solve(t.Context(), start, blackAttacks); err != nil || r.Verdict != proofnumber.Proved {
		t.Errorf("%v after %d nodes, error %v", r.Verdict, search.Nodes(), err)
	}
}
