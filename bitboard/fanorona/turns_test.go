package fanorona

import (
	"math/rand/v2"
	"slices"
	"testing"

	"paika/bitboard"
)

func TestTurnGenerationAllocatesNothing(t *testing.T) {
	g := newGame(t, "9x5", Rules{})
	game := playout(t, g, rand.New(rand.NewPCG(4, 0)), 60)
	buffer := make([]Position, 0, 1<<12)
	for name, generate := range map[string]func(Position){
		"Turns":   func(p Position) { buffer = g.Turns(buffer[:0], p) },
		"Count":   func(p Position) { g.Count(p) },
		"Unmoves": func(p Position) { buffer = g.Unmoves(buffer[:0], p) },
	} {
		allocations := testing.AllocsPerRun(10, func() {
			for _, p := range game {
				generate(p)
			}
		})
		if allocations != 0 {
			t.Errorf("%s: %v allocations in %d positions", name, allocations, len(game))
		}
	}
}

func TestCountToCountsAsFarAsAsked(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	for _, rules := range []Rules{{}, {Direction: NoRepeatOrReverse}, {Direction: NeverTwice}} {
		g := newGame(t, "9x5", rules)
		for range 500 {
			p := randomPosition(g, rng)
			all := len(g.Turns(nil, p))
			for _, most := range []int{-3, 0, 1, 2, 3, 7, all, all + 1, 1 << 20} {
				if got, want := g.CountTo(p, most), max(0, min(all, most)); got != want {
					t.Fatalf("%s, at most %d: %d turns, want %d", g.Format(p, 0), most, got, want)
				}
			}
		}
	}
}

func TestTurnsAreWalkedAsTheyAreListed(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	for _, rules := range []Rules{{}, {Direction: NoRepeatOrReverse}, {Direction: NeverTwice}} {
		g := newGame(t, "9x5", rules)
		for range 500 {
			p := randomPosition(g, rng)
			all := g.Turns(nil, p)
			for _, most := range []int{1, 2, 3, 7, len(all), len(all) + 1} {
				var got []Position
				g.WalkTurns(p, func(after Position) bool {
					got = append(got, after)
					return len(got) < most
				})
				if want := all[:min(most, len(all))]; !slices.Equal(got, want) {
					t.Fatalf("%s, at most %d: %d turns, or others than the first %d", g.Format(p, 0), most, len(got), len(want))
				}
			}
		}
	}
}

// Turns of the positions of some games, listed and counted.
func BenchmarkTurns(b *testing.B) {
	g := newGame(b, "9x5", Rules{})
	var positions []Position
	for seed := range uint64(20) {
		positions = append(positions, playout(b, g, rand.New(rand.NewPCG(seed, 0)), 60)...)
	}
	buffer := make([]Position, 0, 1<<16)
	turns := 0
	for _, c := range []struct {
		name string
		of   func(Position) int
	}{
		{"Turns", func(p Position) int { buffer = g.Turns(buffer[:0], p); return len(buffer) }},
		{"Count", g.Count},
		{"CountTo", func(p Position) int { return g.CountTo(p, 1<<20) }},
		{"Notated", func(p Position) int { return len(g.Notated(p, 0)) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			turns = 0
			for b.Loop() {
				for _, p := range positions {
					turns += c.of(p)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(turns), "ns/turn")
		})
	}
}

func TestDirectionRulesThatAreNoneAreRefused(t *testing.T) {
	rules := Rules{Direction: NeverTwice + 1}
	if _, err := New(bitboard.Board{Width: 5, Height: 5}, rules); err == nil {
		t.Error("no error")
	}
	if got, want := rules.String(), "stalemate=loss,direction-rule=direction-rule(3)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
