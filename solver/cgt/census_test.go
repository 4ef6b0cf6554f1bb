package cgt

import (
	"context"
	"errors"
	"testing"

	"paika/bitboard"
	"paika/bitboard/konane"
)

// By the definition, on the whole board: in how many positions does a player
// lose who moves first? Those are the values of at least 0, for White, and of
// at most 0, for Black.
func TestCensusCountsOutcomes(t *testing.T) {
	for _, board := range []bitboard.Board{{Width: 3, Height: 3}, {Width: 5, Height: 2}, {Width: 4, Height: 3}} {
		g := game(t, board.Width, board.Height, konane.CornerH)
		known := map[konane.Position[konane.Word]]bool{}
		var want [2]uint64 // by the side that moves first
		for stones := range konane.Word(1) << board.Points() {
			var sides [2]konane.Word
			for n := range board.Points() {
				sides[(n%board.Width+n/board.Width)%2] |= stones & (1 << n)
			}
			for s := range want {
				if !firstWins(g, konane.Position[konane.Word]{Own: sides[s], Opp: sides[s^1]}, known) {
					want[s]++
				}
			}
		}
		u := NewUniverse()
		census, err := u.Census(t.Context(), board)
		if err != nil {
			t.Fatal(err)
		}
		var got [2]uint64
		total := uint64(0)
		for value, positions := range census {
			total += positions
			if u.LessOrEqual(value, Zero) {
				got[0] += positions
			}
			if u.LessOrEqual(Zero, value) {
				got[1] += positions
			}
		}
		if got != want || total != 1<<board.Points() {
			t.Errorf("%v: first player loses in %v of %d, want %v", board, got, total, want)
		}
	}
}

// In the midst of the work, too, which then goes no further.
func TestCensusStopsWithItsContext(t *testing.T) {
	for _, looks := range []int{1, 2, 10} {
		ctx, u := newEndsAtLook(t, looks), NewUniverse()
		if _, err := u.Census(ctx, bitboard.Board{Width: 4, Height: 3}); !errors.Is(err, context.Canceled) || ctx.looks < -1 {
			t.Errorf("at look %d: error %v, and it was asked %d times more", looks, err, -ctx.looks)
		}
	}
}

// Pinned as found here: the counts have no source elsewhere.
func TestCensusOfSmallBoards(t *testing.T) {
	for board, want := range map[bitboard.Board]int{{Width: 3, Height: 3}: 9, {Width: 4, Height: 3}: 103, {Width: 4, Height: 4}: 812} {
		if testing.Short() && board.Points() > 12 {
			continue
		}
		census, err := NewUniverse().Census(t.Context(), board)
		if err != nil || len(census) != want {
			t.Errorf("%v: %d values, %v, want %d", board, len(census), err, want)
		}
	}
}

// Whole positions and sums of regions come to the same values by rules of their own.
func TestCensusHasTheSumsOfRegions(t *testing.T) {
	u := NewUniverse()
	k := NewKonane(u)
	for _, board := range []bitboard.Board{{Width: 3, Height: 3}, {Width: 6, Height: 2}, {Width: 3, Height: 4}, {Width: 4, Height: 4}} {
		c := newCensus(u, board)
		for set := range uint32(len(c.values)) {
			if testing.Short() && set%16 != 15 {
				continue
			}
			var stones [2][]bitboard.Point
			for n := range board.Points() {
				p := bitboard.Point{File: n % board.Width, Rank: n / board.Width}
				if set>>n&1 != 0 {
					stones[(p.File+p.Rank)%2] = append(stones[(p.File+p.Rank)%2], p)
				}
			}
			want, err := k.Value(t.Context(), board, stones[0], stones[1])
			if got := c.value(set); err != nil || got != want {
				t.Fatalf("%v: %v is worth %s, %v, as a whole %s", board, stones, u.Format(want), err, u.Format(got))
			}
		}
	}
}

func TestCensusRefusesBoards(t *testing.T) {
	for _, board := range []bitboard.Board{{}, {Width: -1, Height: 3}, {Width: -1, Height: -3}, {Width: 3}, {Width: 7, Height: 3}, {Width: 1 << 32, Height: 1 << 32}} {
		if _, err := NewUniverse().Census(t.Context(), board); err == nil {
			t.Errorf("%v: no error", board)
		}
	}
}

// A Konane remembers regions of small boards and of large ones, and both count.
func TestRegionsOfBothKindsAreCounted(t *testing.T) {
	const many = 1000
	u := NewUniverse()
	k := NewKonane(u)
	for n := range many {
		k.small[region[octet]{points: octet(n)}] = Zero
	}
	u.Memory = 2 * (u.Bytes() + many*regionBytes/2)
	if _, err := k.Value(t.Context(), bitboard.Board{Width: 9, Height: 1}, []bitboard.Point{{File: 0}}, []bitboard.Point{{File: 1}}); err != ErrMemory {
		t.Errorf("%d regions of small boards, %d of large ones, in %d bytes: %v, want %v", len(k.small), len(k.large), u.Memory, err, ErrMemory)
	}
}

func TestValuesKeepWithinMemory(t *testing.T) {
	u := NewUniverse()
	u.Memory = 1 << 20
	if _, err := u.Census(t.Context(), bitboard.Board{Width: 4, Height: 4}); err != ErrMemory || u.Bytes() > u.Memory {
		t.Errorf("a census: error %v with %d bytes", err, u.Bytes())
	}
	g := game(t, 7, 3, konane.CornerH)
	start, _, err := g.Start()
	if err != nil {
		t.Fatal(err)
	}
	black, white := g.Stones(start)
	if _, err := NewKonane(u).Value(t.Context(), g.Board(), black, white); err != ErrMemory {
		t.Errorf("a value: error %v", err)
	}
}
