package cgt

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"paika/bitboard"
	"paika/bitboard/konane"
)

// game makes Konane on a board under an opening.
func game(t *testing.T, width, height int, opening konane.OpeningKind) *konane.Game[konane.Word] {
	t.Helper()
	g, err := konane.New[konane.Word](bitboard.Board{Width: width, Height: height}, konane.Rules{Opening: konane.Opening{Kind: opening}})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func valueOf(t *testing.T, k *Konane, g *konane.Game[konane.Word], p konane.Position[konane.Word]) Game {
	t.Helper()
	black, white := g.Stones(p)
	v, err := k.Value(t.Context(), g.Board(), black, white)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func startValue(t *testing.T, k *Konane, width, height int, opening konane.OpeningKind) string {
	t.Helper()
	g := game(t, width, height, opening)
	p, _, err := g.Start()
	if err != nil {
		t.Fatal(err)
	}
	return k.universe.Format(valueOf(t, k, g, p))
}

// The values of FACTS.md, Konane: lines, one row, two rows.

// With room to the right alone, White could not move a line of even length.
func TestSolidLines(t *testing.T) {
	k := NewKonane(NewUniverse())
	for n := 1; n <= 14; n++ {
		var stones [2][]bitboard.Point
		for file := range n {
			stones[file%2] = append(stones[file%2], bitboard.Point{File: (16-n)/2 + file})
		}
		v, err := k.Value(t.Context(), bitboard.Board{Width: 16, Height: 1}, stones[0], stones[1])
		if err != nil {
			t.Fatal(err)
		}
		want := "0"
		switch {
		case n%2 == 1 && n > 1:
			want = fmt.Sprint(-(n / 2))
		case n%4 == 2:
			want = "*"
		}
		if got := k.universe.Format(v); got != want {
			t.Errorf("line of %d: %s, want %s", n, got, want)
		}
	}
}

func TestOneRow(t *testing.T) {
	k := NewKonane(NewUniverse())
	for n := 2; n <= 16; n++ {
		corner, middle := fmt.Sprint(1-n/2), "0"
		if n%4 == 1 && n >= 5 {
			middle = "1"
		}
		if got := startValue(t, k, n, 1, konane.CornerH); got != corner {
			t.Errorf("%dx1 from the corner: %s, want %s", n, got, corner)
		}
		if got := startValue(t, k, n, 1, konane.MiddleH); got != middle {
			t.Errorf("%dx1 from the middle: %s, want %s", n, got, middle)
		}
	}
}

func TestTwoRows(t *testing.T) {
	k := NewKonane(NewUniverse())
	for n := 2; n <= 11; n++ {
		for _, horizontal := range []konane.OpeningKind{konane.CornerH, konane.MiddleH} {
			if got, want := startValue(t, k, n, 2, horizontal), startValue(t, k, n, 1, horizontal); got != want {
				t.Errorf("%dx2 %v: %s, want %s", n, konane.Opening{Kind: horizontal}, got, want)
			}
		}
		for _, vertical := range []konane.OpeningKind{konane.CornerV, konane.MiddleV} {
			if got := startValue(t, k, n, 2, vertical); got != "0" {
				t.Errorf("%dx2 %v: %s, want 0", n, konane.Opening{Kind: vertical}, got)
			}
		}
	}
}

// Three rows of 3 to 7 points: all 0 but the middle gap of a row of 5. The
// values have no source elsewhere; the search finds the same winners.
func TestThreeRows(t *testing.T) {
	k := NewKonane(NewUniverse())
	for n := 3; n <= 7; n++ {
		for _, kind := range []konane.OpeningKind{konane.CornerH, konane.CornerV, konane.MiddleH, konane.MiddleV} {
			want := "0"
			if n == 5 && kind == konane.MiddleH {
				want = "-1"
			}
			if got := startValue(t, k, n, 3, kind); got != want {
				t.Errorf("%dx3 %v: %s, want %s", n, konane.Opening{Kind: kind}, got, want)
			}
		}
	}
}

// The value of a position says who wins it.
func TestValuesAgreeWithOutcomes(t *testing.T) {
	k := NewKonane(NewUniverse())
	for _, size := range [][2]int{{3, 3}, {4, 3}, {3, 4}, {4, 4}, {5, 3}} {
		g := game(t, size[0], size[1], konane.CornerH)
		rng := rand.New(rand.NewPCG(1, 0))
		known := map[konane.Position[konane.Word]]bool{}
		for range 100 {
			text := g.Board().FormatRows(func(p bitboard.Point) byte {
				if rng.IntN(3) == 0 {
					return '.'
				}
				return "xo"[(p.File+p.Rank)%2]
			})
			var first [2]bool // whether a side wins as the first to move
			var value Game
			for s, word := range []string{" b", " w"} {
				p, _, err := g.Parse(text + word)
				if err != nil {
					t.Fatal(err)
				}
				first[s], value = firstWins(g, p, known), valueOf(t, k, g, p)
			}
			want := map[[2]bool]Outcome{{false, false}: SecondWins, {true, true}: FirstWins, {true, false}: LeftWins, {false, true}: RightWins}[first]
			if got := k.universe.Outcome(value); got != want {
				t.Errorf("%s: value %s, %v, want %v", text, k.universe.Format(value), got, want)
			}
		}
	}
}

// firstWins tells whether the side to move wins, by play alone.
func firstWins(g *konane.Game[konane.Word], p konane.Position[konane.Word], known map[konane.Position[konane.Word]]bool) bool {
	won, ok := known[p]
	if ok {
		return won
	}
	for _, q := range g.Turns(nil, p) {
		won = won || !firstWins(g, q, known)
	}
	known[p] = won
	return won
}

// wholeValue is the value by the definition, nothing taken apart.
func wholeValue[S plane[S]](u *Universe, r region[S], known map[region[S]]Game) Game {
	if v, ok := known[r]; ok {
		return v
	}
	var options [2][]Game
	for colour := range options {
		for after := range r.turns(colour) {
			options[colour] = append(options[colour], wholeValue(u, after, known))
		}
	}
	v := u.Make(options[0], options[1])
	known[r] = v
	return v
}

func TestRegionsAddUp(t *testing.T) {
	u := NewUniverse()
	k := NewKonane(u)
	known := map[region[octet]]Game{}
	rng := rand.New(rand.NewPCG(2, 0))
	apart := 0
	for range 100 {
		board := bitboard.Board{Width: 6, Height: 3}
		var stones [2][]bitboard.Point
		for n := range board.Points() {
			p := bitboard.Point{File: n % board.Width, Rank: n / board.Width}
			if colour := (p.File + p.Rank) % 2; rng.IntN(2) == 0 {
				stones[colour] = append(stones[colour], p)
			}
		}
		whole, err := wholeBoard[octet](board, stones[0], stones[1])
		if err != nil {
			t.Fatal(err)
		}
		got, err := k.Value(t.Context(), board, stones[0], stones[1])
		if err != nil {
			t.Fatal(err)
		}
		if want := wholeValue(u, whole, known); got != want {
			t.Errorf("%v: %s, want %s", stones, u.Format(got), u.Format(want))
		}
		// A board that is too large for a word is taken apart like the others.
		if large, err := value(t.Context(), k, k.large, board, stones[0], stones[1]); err != nil || large != got {
			t.Errorf("%v: as a large board %s, %v, want %s", stones, u.Format(large), err, u.Format(got))
		}
		if len(whole.regions()) > 1 {
			apart++
		}
	}
	if apart == 0 {
		t.Error("no position had two regions")
	}
}

// The values of a board and of it turned, of more than 8 points one way, are the same, and those
// by the definition.
func TestLargeBoardsTurned(t *testing.T) {
	u := NewUniverse()
	rng := rand.New(rand.NewPCG(3, 0))
	for _, board := range []bitboard.Board{{Width: 12, Height: 3}, {Width: 9, Height: 4}, {Width: 16, Height: 2}, {Width: 10, Height: 10}} {
		other := bitboard.Board{Width: board.Height, Height: board.Width}
		values := map[Game]bool{}
		for range 20 {
			var stones, turned, mirrored [2][]bitboard.Point
			for n := range board.Points() {
				p := bitboard.Point{File: n % board.Width, Rank: n / board.Width}
				if colour := (p.File + p.Rank) % 2; rng.IntN(board.Points()) < 8 {
					stones[colour] = append(stones[colour], p)
					turned[colour] = append(turned[colour], bitboard.Point{File: p.Rank, Rank: board.Width - 1 - p.File})
					mirrored[colour] = append(mirrored[colour], bitboard.Point{File: board.Width - 1 - p.File, Rank: p.Rank})
				}
			}
			whole, err := wholeBoard[grid](board, stones[0], stones[1])
			if err != nil {
				t.Fatal(err)
			}
			want := wholeValue(u, whole, map[region[grid]]Game{})
			values[want] = true
			for _, image := range []struct {
				board  bitboard.Board
				stones [2][]bitboard.Point
			}{{board, stones}, {other, turned}, {board, mirrored}} {
				got, err := NewKonane(u).Value(t.Context(), image.board, image.stones[0], image.stones[1])
				if err != nil || got != want {
					t.Errorf("%v, %v: %s, want %s, error %v", image.board, image.stones, u.Format(got), u.Format(want), err)
				}
			}
		}
		if len(values) < 3 {
			t.Errorf("%v: %d values", board, len(values))
		}
	}
}

func TestNormalForgetsPlaceAndOrientation(t *testing.T) {
	testNormal[octet](t)
	testNormal[grid](t)
}

func testNormal[S plane[S]](t *testing.T) {
	whole, err := wholeBoard[S](bitboard.Board{Width: 4, Height: 2},
		[]bitboard.Point{{File: 0, Rank: 0}, {File: 3, Rank: 1}}, []bitboard.Point{{File: 1, Rank: 0}})
	if err != nil {
		t.Fatal(err)
	}
	for orientation := range 8 {
		if image := whole.oriented(orientation); image.normal() != whole.normal() {
			t.Errorf("orientation %d has another normal form", orientation)
		}
	}
}

func TestValueErrors(t *testing.T) {
	k := NewKonane(NewUniverse())
	board := bitboard.Board{Width: 4, Height: 1}
	for _, c := range []struct {
		board        bitboard.Board
		black, white []bitboard.Point
		want         string
	}{
		{bitboard.Board{Width: 17, Height: 1}, nil, nil, "konane on 17x1: want 1 to 16 files and ranks"},
		{board, []bitboard.Point{{File: 4}}, nil, "a stone on e1 is off the board of 4x1"},
		{board, []bitboard.Point{{File: 1}}, []bitboard.Point{{File: 1}}, "two stones on b1"},
	} {
		if _, err := k.Value(t.Context(), c.board, c.black, c.white); err == nil || err.Error() != c.want {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
}

// endsAtLook is a context that ends when it is asked so many times whether it has.
type endsAtLook struct {
	context.Context
	end   context.CancelFunc
	looks int // that are left
}

func newEndsAtLook(t *testing.T, looks int) *endsAtLook {
	ctx, end := context.WithCancel(t.Context())
	t.Cleanup(end)
	return &endsAtLook{ctx, end, looks}
}

func (c *endsAtLook) Err() error {
	if c.looks--; c.looks == 0 {
		c.end()
	}
	return c.Context.Err()
}

// In the midst of the work, too, which then goes no further: each look is at a region that has no
// value yet.
func TestValueStopsWithItsContext(t *testing.T) {
	g := game(t, 5, 4, konane.MiddleH)
	p, _, err := g.Start()
	if err != nil {
		t.Fatal(err)
	}
	black, white := g.Stones(p)
	for _, looks := range []int{1, 2, 100} {
		ctx, k := newEndsAtLook(t, looks), NewKonane(NewUniverse())
		if _, err := k.Value(ctx, g.Board(), black, white); !errors.Is(err, context.Canceled) {
			t.Errorf("at look %d: error %v", looks, err)
		}
		if len(k.small) >= looks || ctx.looks < 0 {
			t.Errorf("at look %d: %d regions have values, and it was asked %d times more", looks, len(k.small), -ctx.looks)
		}
	}
}
