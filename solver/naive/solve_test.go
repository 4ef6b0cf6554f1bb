package naive_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"testing"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/solver/naive"
)

// graph is a game drawn as a graph: each position's turns, and the values of
// those that have none.
type graph struct {
	turns map[string][]string
	ended map[string]bitboard.Value
}

func (g graph) Turns(dst []string, p string) []string { return append(dst, g.turns[p]...) }
func (g graph) Ended(p string) bitboard.Value         { return g.ended[p] }

func TestSolveByHand(t *testing.T) {
	win := func(distance int) bitboard.Outcome {
		return bitboard.Outcome{Value: bitboard.Win, Distance: distance}
	}
	loss := func(distance int) bitboard.Outcome {
		return bitboard.Outcome{Value: bitboard.Loss, Distance: distance}
	}
	draw := bitboard.Outcome{Value: bitboard.Draw, Distance: bitboard.UnknownDistance}
	ended := map[string]bitboard.Value{"lost": bitboard.Loss, "won": bitboard.Win, "drawn": bitboard.Draw}
	for name, c := range map[string]struct {
		turns map[string][]string
		want  map[string]bitboard.Outcome
	}{
		"the winner hurries": {
			map[string][]string{"p": {"far", "lost"}, "far": {"near"}, "near": {"lost"}},
			map[string]bitboard.Outcome{"p": win(1), "far": loss(2), "near": win(1), "lost": loss(0)},
		},
		"the loser delays": {
			map[string][]string{"p": {"near", "far"}, "near": {"lost"}, "far": {"farther"}, "farther": {"near"}},
			map[string]bitboard.Outcome{"p": loss(4), "near": win(1), "far": win(3), "farther": loss(2), "lost": loss(0)},
		},
		"a draw beats a loss": {
			map[string][]string{"p": {"won", "drawn"}},
			map[string]bitboard.Outcome{"p": draw, "won": win(0), "drawn": draw},
		},
		"endless play is a draw": {
			map[string][]string{"p": {"q", "won"}, "q": {"p", "won"}},
			map[string]bitboard.Outcome{"p": draw, "q": draw, "won": win(0)},
		},
		"a cycle with a way to win is left by it": {
			map[string][]string{"p": {"q"}, "q": {"p", "lost"}},
			map[string]bitboard.Outcome{"p": loss(2), "q": win(1), "lost": loss(0)},
		},
	} {
		got, err := naive.Solve(t.Context(), graph{c.turns, ended}, "p")
		if err != nil || !maps.Equal(got, c.want) {
			t.Errorf("%s: %v, %v, want %v", name, got, err, c.want)
		}
	}
}

func telo(t *testing.T) *fanorona.Game {
	t.Helper()
	game, err := fanorona.New(bitboard.Board{Width: 3, Height: 3}, fanorona.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	return game
}

// everyPosition lists the 3x3 positions with stones of both sides.
func everyPosition(t *testing.T, game *fanorona.Game) []fanorona.Position {
	t.Helper()
	var positions []fanorona.Position
	for number := range 19_683 { // 3^9
		letters := make([]byte, 9)
		for i := range letters {
			letters[i] = "WB."[number%3]
			number /= 3
		}
		if !bytes.Contains(letters, []byte("W")) || !bytes.Contains(letters, []byte("B")) {
			continue
		}
		p, _, err := game.Parse(fmt.Sprintf("%s/%s/%s w", letters[:3], letters[3:6], letters[6:]))
		if err != nil {
			t.Fatal(err)
		}
		positions = append(positions, p)
	}
	return positions
}

// Values of all 3x3 positions: FACTS.md, Fanorona.
func TestSolveAllOf3x3(t *testing.T) {
	game := telo(t)
	roots := everyPosition(t, game)
	outcomes, err := naive.SolveAll(t.Context(), game, roots)
	if err != nil {
		t.Fatal(err)
	}
	count, longest := map[bitboard.Value]int{}, 0
	for _, p := range roots {
		count[outcomes[p].Value]++
		longest = max(longest, outcomes[p].Distance)
	}
	want := map[bitboard.Value]int{bitboard.Win: 11_113, bitboard.Loss: 7_181, bitboard.Draw: 366}
	if !maps.Equal(count, want) || longest != 14 {
		t.Errorf("%v, longest %d, want %v, longest 14", count, longest, want)
	}
}

// coloured tells positions apart by the side to move as well, as counts in the
// literature do.
type coloured struct{ *fanorona.Game }

type colouredPosition struct {
	fanorona.Position
	side bitboard.Side
}

func (c coloured) Turns(dst []colouredPosition, p colouredPosition) []colouredPosition {
	for _, q := range c.Game.Turns(nil, p.Position) {
		dst = append(dst, colouredPosition{q, p.side.Other()})
	}
	return dst
}

func (c coloured) Ended(p colouredPosition) bitboard.Value { return c.Game.Ended(p.Position) }

// The number of positions reached and the value: FACTS.md, Fanorona.
func TestSolve3x3FromTheStart(t *testing.T) {
	game := telo(t)
	p, side, err := game.Start()
	if err != nil {
		t.Fatal(err)
	}
	start := colouredPosition{p, side}
	outcomes, err := naive.Solve(t.Context(), coloured{game}, start)
	if err != nil {
		t.Fatal(err)
	}
	if len(outcomes) != 1_012 || outcomes[start].Value != bitboard.Win {
		t.Errorf("%d positions, start is a %v, want 1012 and win", len(outcomes), outcomes[start].Value)
	}
}

func TestSolveStopsWithItsContext(t *testing.T) {
	game := telo(t)
	start, _, err := game.Start()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := naive.Solve(ctx, game, start); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}
