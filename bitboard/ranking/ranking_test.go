package ranking

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"testing"

	"paika/bitboard"
)

func newBinomials() *Binomials {
	c := new(Binomials)
	c.Fill()
	return c
}

func TestBinomials(t *testing.T) {
	choose := newBinomials()
	for _, c := range []struct {
		n, k int
		want uint64
	}{
		{0, 0, 1}, {5, 0, 1}, {5, 5, 1}, {4, 5, 0}, {4, 2, 6}, {45, 7, 45379620},
		{62, 31, 465428353255261088}, {128, 1, 128}, {128, 127, 128}, {128, 64, math.MaxUint64},
	} {
		if got := choose.Ways(c.n, c.k); got != c.want {
			t.Errorf("%d out of %d: %d ways, want %d", c.k, c.n, got, c.want)
		}
	}
}

// naiveSubsets lists the subsets of k out of n things as bits, in rising order:
// that is colexicographic order.
func naiveSubsets(n, k int) (all []uint64) {
	for set := range uint64(1) << n {
		if bits.OnesCount64(set) == k {
			all = append(all, set)
		}
	}
	return all
}

func elements(s *Subset) (set uint64) {
	for j := range s.k {
		set |= 1 << s.At(j)
	}
	return set
}

// A subset goes through all there are, in order; says what changed; and finds
// each by its number.
func TestSubsets(t *testing.T) {
	choose := newBinomials()
	for n := range 9 {
		for k := range n + 1 {
			all := naiveSubsets(n, k)
			if many := choose.Ways(n, k); many != uint64(len(all)) {
				t.Fatalf("%d out of %d: %d ways, %d subsets", k, n, many, len(all))
			}
			var walker Subset
			walker.Start(8, 1) // a subset can be used again
			walker.First()
			walker.Start(n, k)
			walker.First()
			for rank, want := range all {
				if got := elements(&walker); got != want {
					t.Fatalf("%d out of %d: subset %d is %b, want %b", k, n, rank, got, want)
				}
				var sought Subset
				sought.Start(n, k)
				if sought.Seek(choose, uint64(rank)); elements(&sought) != want {
					t.Fatalf("%d out of %d: seeking %d gives %b, want %b", k, n, rank, elements(&sought), want)
				}
				for ahead := range len(all) - rank {
					skipper := walker
					compareSkipping(t, &walker, &skipper, skipper.Skip(ahead), all[rank+ahead])
				}
				before, risen := walker, walker
				changed := walker.Next()
				if rises := risen.Rise(); rises != (changed == 0 && changed < k) || elements(&risen) != elements(&walker) && rises {
					t.Fatalf("%d out of %d: behind subset %d the lowest element rises: %t", k, n, rank, rises)
				}
				if last := rank == len(all)-1; last != (changed == k) {
					t.Fatalf("%d out of %d: after subset %d of %d, element %d changed", k, n, rank, len(all), changed)
				}
				for j := changed + 1; j < k; j++ {
					if walker.At(j) != before.At(j) {
						t.Fatalf("%d out of %d: behind subset %d element %d changed, above %d", k, n, rank, j, changed)
					}
				}
			}
		}
	}
}

// compareSkipping looks at a subset that skipped ahead of another one to the wanted one.
func compareSkipping(t *testing.T, from, to *Subset, changed int, want uint64) {
	t.Helper()
	if elements(to) != want {
		t.Fatalf("from %b skipping comes to %b, want %b", elements(from), elements(to), want)
	}
	for j := changed + 1; j < to.k; j++ {
		if to.At(j) != from.At(j) {
			t.Fatalf("from %b to %b element %d changed, above %d", elements(from), want, j, changed)
		}
	}
}

// TestMaps compares the number of symmetries with geometry, and looks for two that
// are the same.
func TestMaps(t *testing.T) {
	for board, want := range map[bitboard.Board]int{
		{Width: 1, Height: 1}: 1, {Width: 1, Height: 4}: 2, {Width: 3, Height: 1}: 2,
		{Width: 3, Height: 2}: 4, {Width: 9, Height: 5}: 4, {Width: 2, Height: 2}: 8, {Width: 5, Height: 5}: 8,
	} {
		all := permutations(board)
		if len(all) != want {
			t.Errorf("%v: %d symmetries, want %d", board, len(all), want)
		}
		for i, p := range all {
			if slices.ContainsFunc(all[:i], func(q Permutation) bool { return slices.Equal(p, q) }) {
				t.Errorf("%v: symmetry %d stands there twice", board, i)
			}
			if undone := all[Inverse(all, p)]; undone[p[len(p)-1]] != len(p)-1 {
				t.Errorf("%v: symmetry %d has no inverse", board, i)
			}
		}
	}
}

// permutations are the symmetries of a board whose points are numbered rank by
// rank.
func permutations(board bitboard.Board) (all []Permutation) {
	for _, image := range Maps(board) {
		to := make(Permutation, board.Points())
		for n := range to {
			p := image(bitboard.Point{File: n % board.Width, Rank: n / board.Width})
			to[n] = p.Rank*board.Width + p.File
		}
		all = append(all, to)
	}
	return all
}

// A set's class and symmetry lead to its representative, representatives are the
// first of their classes, and there are as many classes as Burnside's lemma says.
func TestClasses(t *testing.T) {
	choose := newBinomials()
	for _, board := range []bitboard.Board{{Width: 1, Height: 1}, {Width: 4, Height: 1}, {Width: 3, Height: 2}, {Width: 3, Height: 3}} {
		all, points := permutations(board), board.Points()
		var inverses, numbers []int
		var spreads []*Spread
		for _, to := range all {
			inverses = append(inverses, Inverse(all, to))
			spreads = append(spreads, NewSpread(1<<points-1, func(n int) int { return to[n] }))
		}
		for n := range points {
			numbers = append(numbers, n)
		}
		counts := Count(all, numbers)
		for k := range points + 1 {
			t.Run(fmt.Sprintf("%v/%d", board, k), func(t *testing.T) {
				sets := naiveSubsets(points, k)
				rank := func(set uint64) uint64 { return uint64(slices.Index(sets, set)) }
				c := NewClasses(Sets[uint64]{
					Many: choose.Ways(points, k), Classes: counts[k], Inverses: inverses, Each: slices.Values(sets),
					Image: func(set uint64, i int) (uint64, int) { return spreads[i].Apply(set), 0 }, Rank: rank,
				})
				if got := len(c.Representatives); uint64(got) != counts[k] {
					t.Errorf("%d classes, want %d", got, counts[k])
				}
				for i, entry := range c.Entries[0] {
					representative := c.Representatives[entry>>3]
					if image := spreads[entry&7].Apply(sets[i]); image != representative || representative > sets[i] {
						t.Errorf("set %b moves to %b, its representative is %b", sets[i], image, representative)
					}
				}
				for class, representative := range c.Representatives {
					for i, s := range spreads {
						fixes, told := s.Apply(representative) == representative, c.Fixers[class]>>i&1 != 0
						if i > 0 && fixes != told || i == 0 && told {
							t.Errorf("set %b: symmetry %d among the fixers: %t", representative, i, told)
						}
					}
				}
			})
		}
	}
}

// Of two kinds of points that symmetries exchange, sets of both share classes.
// The points of a row of four are of kinds 0, 1, 0, 1; mirrored, they change.
func TestClassesOfTwoKinds(t *testing.T) {
	sets := []uint64{0b0001, 0b0100} // of kind 0; those of kind 1 by the same ranks are 0b0010 and 0b1000
	mirror := NewSpread(15, func(n int) int { return 3 - n })
	c := NewClasses(Sets[uint64]{
		Many: 2, Classes: 2, Inverses: []int{0, 1}, TwoKinds: true, Each: slices.Values(sets),
		Image: func(set uint64, i int) (uint64, int) {
			if i == 1 {
				return mirror.Apply(set), 1
			}
			return set, 0
		},
		Rank: func(set uint64) uint64 { return uint64(bits.TrailingZeros64(set) / 2) },
	})
	want := [2][]uint32{{0 << 3, 1 << 3}, {1<<3 | 1, 0<<3 | 1}}
	if !slices.Equal(c.Entries[0], want[0]) || !slices.Equal(c.Entries[1], want[1]) {
		t.Errorf("entries %v, want %v", c.Entries, want)
	}
	if !slices.Equal(c.Representatives, sets) || !slices.Equal(c.Fixers, []uint8{0, 0}) {
		t.Errorf("representatives %v with fixers %v", c.Representatives, c.Fixers)
	}
}
