package gametest

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"paika/bitboard"
)

// Options say which positions Conform looks at, and what only the game's tests
// know of it.
type Options[P comparable] struct {
	// Pieces bounds the groups that are looked at, bitboard.AllPieces for none
	// left out. Every slice named below must be in one of them.
	Pieces int

	// Whole names slices of which every index is checked.
	Whole []string

	// Sampled names slices of which Samples runs of indices are checked,
	// chosen at random but the same ones each time.
	Sampled []string
	Samples int

	// Images lists p and what the symmetries of the board make of it. A
	// position may stand there more than once. Nil stands for p alone.
	Images func(p P) []P

	// Outside tells the positions that no slice holds, since the turn that
	// leads there ends the game. Nil stands for none.
	Outside func(p P) bool
}

// Conform runs the suite as subtests of t. Methods are called from several
// goroutines at once: run it with -race as well, which finds what they share.
func Conform[P comparable](t *testing.T, game Game[P], o Options[P]) {
	parts, err := split(game, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range parts {
		t.Run(part.name, func(t *testing.T) {
			t.Parallel()
			if err := part.check(); err != nil {
				t.Error(err)
			}
		})
	}
}

// A part is what one subtest checks.
type part struct {
	name  string
	check func() error
}

// split divides the suite in parts that may run at the same time. Options that name no slice are an
// error.
func split[P comparable](game Game[P], o Options[P]) ([]part, error) {
	if len(o.Whole)+len(o.Sampled) == 0 {
		return nil, errors.New("the options name no slice: no position would be looked at")
	}
	if o.Images == nil {
		o.Images = func(p P) []P { return []P{p} }
	}
	if o.Outside == nil {
		o.Outside = func(P) bool { return false }
	}
	groups, err := bitboard.GroupsWithin(game, o.Pieces)
	if err != nil {
		return nil, err
	}
	parts := []part{
		{"groups", func() error { return checkGroups(game, groups) }},
		{"start", func() error { return checkStart(game) }},
	}
	of := make(map[bitboard.Slice]bitboard.Group)
	for _, g := range groups {
		for _, s := range g.Slices {
			of[s] = g
		}
	}
	add := func(name string, check func(*sliceChecker[P]) error) error {
		s, err := game.ParseSlice(name)
		if err != nil {
			return err
		}
		group, found := of[s]
		if !found {
			return fmt.Errorf("slice %s is in no group of at most %d pieces", name, o.Pieces)
		}
		parts = append(parts, part{name, func() error {
			if err := check(newSliceChecker(game, o, s, group)); err != nil {
				return fmt.Errorf("slice %s: %w", name, err)
			}
			return nil
		}}, part{name + " at once", func() error {
			if err := together(game, o, s, group); err != nil {
				return fmt.Errorf("slice %s, from several goroutines: %w", name, err)
			}
			return nil
		}})
		return nil
	}
	for _, name := range o.Whole {
		if err := add(name, (*sliceChecker[P]).whole); err != nil {
			return nil, err
		}
	}
	for _, name := range o.Sampled {
		if err := add(name, (*sliceChecker[P]).sampled); err != nil {
			return nil, err
		}
	}
	return parts, nil
}

// checkGroups checks that every group comes behind those it needs, that every
// slice stands in one group, and that its name leads back to it.
func checkGroups[P comparable](game bitboard.Game[P], groups []bitboard.Group) error {
	solved := make(map[bitboard.Slice]bool)
	for _, g := range groups {
		for _, need := range g.Needs {
			if !solved[need] {
				return fmt.Errorf("the group of slice %s stands before slice %s, which it needs", game.SliceName(g.Slices[0]), game.SliceName(need))
			}
		}
		for _, s := range g.Slices {
			name := game.SliceName(s)
			switch again, err := game.ParseSlice(name); {
			case err != nil:
				return err
			case again != s || s >= bitboard.MaxSlices:
				return fmt.Errorf("slice %d is named %s, which is read as slice %d", s, name, again)
			case solved[s]:
				return fmt.Errorf("slice %s stands in two groups", name)
			case readsSlice(game, name+"x"), readsSlice(game, ""), readsSlice(game, tooLarge(name)):
				return fmt.Errorf("slice %s: what is no name of a slice is read as one", name)
			case game.Indices(s) > bitboard.MaxIndices:
				return fmt.Errorf("slice %s has %d indices", name, game.Indices(s))
			}
			solved[s] = true
		}
	}
	return nil
}

// tooLarge is a name like that of a slice, with a number at its end to which nothing can be
// added: sums that wrap round must not lead to another slice.
func tooLarge(name string) string {
	return fmt.Sprint(strings.TrimRight(name, "0123456789"), math.MaxInt64)
}

func readsSlice[P comparable](game bitboard.Game[P], name string) bool {
	_, err := game.ParseSlice(name)
	return err == nil
}

// checkStart checks the names of the sides, and the text of the start position, where there is one.
func checkStart[P comparable](game bitboard.Game[P]) error {
	if first, second := game.SideName(0), game.SideName(1); first == "" || second == "" || first == second {
		return fmt.Errorf("the sides are named %q and %q: want two words", first, second)
	}
	if err := checkStates(game); err != nil {
		return err
	}
	p, s, err := game.Start()
	if err != nil {
		return nil // a board without one
	}
	return checkText(game, p, s)
}

// whole checks every index of the slice, in runs of no round length.
func (c *sliceChecker[P]) whole() error {
	const run = 997
	var positions uint64
	for lo := uint64(0); lo < c.indices; lo += run {
		n, err := c.run(lo, min(lo+run, c.indices))
		if err != nil {
			return err
		}
		positions += n
	}
	if want := c.game.Positions(c.slice); positions != want {
		return fmt.Errorf("indices stand for %d positions, want %d", positions, want)
	}
	return nil
}

// sampled checks random runs, and the first and the last.
func (c *sliceChecker[P]) sampled() error {
	if c.indices == 0 {
		return nil
	}
	const run = 20
	seed := fnv.New64a()
	fmt.Fprint(seed, c.game.SliceName(c.slice))
	rng := rand.New(rand.NewPCG(seed.Sum64(), 0))
	starts := []uint64{0, c.indices - min(run, c.indices)}
	for range c.options.Samples {
		starts = append(starts, rng.Uint64N(c.indices))
	}
	for _, lo := range starts {
		if _, err := c.run(lo, min(lo+run, c.indices)); err != nil {
			return err
		}
	}
	return nil
}
