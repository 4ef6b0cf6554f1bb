package complexity_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"paika/bitboard/fanorona"
	"paika/bitboard/phutball"
	"paika/solver/complexity"
)

// Numbers that nobody can wait for are refused before anything is allocated for
// them.
func TestNumbersOutOfReachAreRefused(t *testing.T) {
	g := open(t, fanorona.New, 5, 5)
	start, _, err := g.Start()
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []complexity.Options{
		{Games: 10_000_000_000_000, Depth: 1, Workers: 1, Memory: plenty},
		{Games: math.MaxInt, Depth: 1, Workers: 1, Memory: math.MaxUint64 / 2},
		{Games: 2, Depth: complexity.MostDepth + 1, Workers: 1, Memory: plenty},
		{Games: 2, Depth: math.MaxInt, Workers: 1, Memory: plenty},
		{Games: 2, Depth: 1, Opening: -1, Workers: 1, Memory: plenty},
		{Games: 2, Depth: 1, Workers: 0, Memory: plenty},
		{Games: 2, Depth: 1, Workers: 1},
	} {
		if records, err := complexity.Play(t.Context(), g, start, o); err == nil || records != nil {
			t.Errorf("%+v: %d records, %v", o, len(records), err)
		}
	}
}

// Where the first hundred games tell that the others cannot fit, nobody waits
// for those.
func TestGamesThatCannotFitAreRefusedSoon(t *testing.T) {
	g := open(t, fanorona.New, 5, 5)
	start, _, err := g.Start()
	if err != nil {
		t.Fatal(err)
	}
	played := 0
	_, err = complexity.Play(t.Context(), g, start, complexity.Options{
		Games: 1_000_000, Depth: 1, Opening: 4, Workers: 2, Memory: 100 << 20, Progress: func(games int) { played = games },
	})
	var memory *complexity.MemoryError
	if !errors.As(err, &memory) || !strings.HasPrefix(memory.What, "1,000,000 games of ") || played > 200 {
		t.Errorf("%v after %d games", err, played)
	}
}

// crowded is a position of 15x19 that random play comes to, with more turns than
// a million.
func crowded(t *testing.T, g *phutball.Game) phutball.Position {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 0))
	for {
		p, _, err := g.Start()
		if err != nil {
			t.Fatal(err)
		}
		for turns := g.Turns(nil, p); len(turns) > 0; turns = g.Turns(turns[:0], p) {
			p = turns[random.IntN(len(turns))]
			if g.MoreTurnsThan(p, 100_000) {
				return p
			}
		}
	}
}

// A position with more turns than fit is told before they are listed.
func TestTurnsThatDoNotFitAreNotListed(t *testing.T) {
	g := open(t, phutball.New, 15, 19)
	p := crowded(t, g)
	const memory = 16 << 20
	var short *complexity.MemoryError
	if _, err := complexity.Play(t.Context(), g, p, complexity.Options{Games: 2, Depth: 1, Workers: 1, Memory: memory}); !errors.As(err, &short) || !strings.HasPrefix(short.What, "the turns of a position") {
		t.Errorf("play: %v", err)
	}
	if n, whole, err := complexity.Reachable(t.Context(), g, p, 1000, memory); n != 0 || whole || err != nil {
		t.Errorf("reachable: %d, %v, %v; want more than 0", n, whole, err)
	}
}

// The set of positions keeps to the memory allowed, whatever was asked for.
func TestReachableKeepsToMemory(t *testing.T) {
	g := open(t, fanorona.New, 9, 5)
	start, _, err := g.Start()
	if err != nil {
		t.Fatal(err)
	}
	const memory = 8 << 20
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	n, whole, err := complexity.Reachable(t.Context(), g, start, math.MaxInt, memory)
	runtime.ReadMemStats(&after)
	if n < 20_000 || whole || err != nil {
		t.Errorf("%d positions, %v, %v", n, whole, err)
	}
	// All that was ever allocated: as a table and a slice grow, each copy is
	// garbage, together as large as the last.
	if took := after.TotalAlloc - before.TotalAlloc; took > 2*memory {
		t.Errorf("allocated %d KiB in all, %d were allowed at a time", took>>10, memory>>10)
	}
	if n, whole, err := complexity.Reachable(t.Context(), g, start, 100, 0); n != 0 || whole || err != nil {
		t.Errorf("no memory at all: %d positions, %v, %v", n, whole, err)
	}
}

// A search so deep that it would never end is left when the context ends.
func TestDeepSearchStops(t *testing.T) {
	g := open(t, fanorona.New, 9, 5)
	start, _, err := g.Start()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := complexity.Play(ctx, g, start, complexity.Options{Games: 2, Depth: complexity.MostDepth, Workers: 2, Memory: plenty}); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}
