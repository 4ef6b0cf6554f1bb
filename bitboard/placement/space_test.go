package placement

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"paika/bitboard"
)

// rows gives ranks [from, to) of a board.
func rows(width, from, to int) uint64 { return (1<<(width*to) - 1) &^ (1<<(width*from) - 1) }

// mirror exchanges left and right, turn is half a turn.
func mirror(width, height int) (to []int) {
	for n := range width * height {
		to = append(to, n/width*width+width-1-n%width)
	}
	return to
}

func turn(width, height int) (to []int) {
	for n := range width * height {
		to = append(to, width*height-1-n)
	}
	return to
}

func compose(a, b []int) (to []int) {
	for _, n := range a {
		to = append(to, b[n])
	}
	return to
}

// exchange has the pieces change hands, and takes one of any kind but the mover's.
func exchange(c Counts) []Counts {
	after := []Counts{c}
	after[0][0], after[0][1] = c[1], c[0]
	taken := after[0]
	taken[0]--
	return append(after, taken)
}

func config(kinds []Kind, symmetries ...[]int) Config[Sets] {
	return Config[Sets]{
		Kinds: kinds, Symmetries: symmetries, After: exchange,
		Sets:     func(p Sets) Sets { return p },
		Position: func(s Sets) Sets { return s },
	}
}

var spaces = map[string]Config[Sets]{
	"one region":      config([]Kind{{rows(4, 0, 3), 1, 3}, {rows(4, 0, 3), 1, 3}}, mirror(4, 3), turn(4, 3), compose(mirror(4, 3), turn(4, 3))),
	"regions overlap": config([]Kind{{rows(3, 0, 3), 1, 4}, {rows(3, 1, 4), 0, 3}}, mirror(3, 4)),
	"regions apart":   config([]Kind{{rows(4, 0, 2), 0, 2}, {rows(4, 2, 4), 0, 3}}, mirror(4, 4)),
	"three kinds":     config([]Kind{{rows(3, 0, 3), 1, 2}, {rows(3, 1, 4), 1, 2}, {rows(3, 0, 4), 1, 1}}, mirror(3, 4)),
	"no symmetry":     config([]Kind{{rows(3, 0, 3), 1, 2}, {rows(3, 0, 3), 1, 2}}),
	"all of a region": config([]Kind{{rows(3, 0, 2), 0, 6}}, mirror(3, 2)),
}

// placements lists every way to place the pieces of a slice.
func placements(kinds []Kind, counts Counts) []Sets {
	all := []Sets{{}}
	for i, k := range kinds {
		var next []Sets
		for _, sets := range all {
			var taken uint64
			for _, set := range sets {
				taken |= set
			}
			free := k.Region &^ taken
			for set := free; ; set = (set - 1) & free {
				if bits.OnesCount64(set) == counts[i] {
					sets[i] = set
					next = append(next, sets)
				}
				if set == 0 {
					break
				}
			}
		}
		all = next
	}
	return all
}

// imagesOf lists a position's images, itself among them.
func imagesOf(c Config[Sets], p Sets) []Sets {
	images := []Sets{p}
	for _, to := range c.Symmetries {
		var image Sets
		for i, set := range p {
			for ; set != 0; set &= set - 1 {
				image[i] |= 1 << to[bits.TrailingZeros64(set)]
			}
		}
		if !slices.Contains(images, image) {
			images = append(images, image)
		}
	}
	return images
}

// Every position has an index, which it shares with its images and nobody else;
// the index leads back to one of them, and other indices are gaps.
func TestEveryPositionHasItsIndex(t *testing.T) {
	for name, c := range spaces {
		t.Run(name, func(t *testing.T) {
			x, err := New(c)
			if err != nil {
				t.Fatal(err)
			}
			total := uint64(0)
			for s := range x.outside() {
				total += checkSlice(t, x, c, s)
			}
			if x.Total().Uint64() != total {
				t.Errorf("counted %v positions, want %d", x.Total(), total)
			}
		})
	}
}

func checkSlice(t *testing.T, x *Space[Sets], c Config[Sets], s bitboard.Slice) uint64 {
	t.Helper()
	all := placements(c.Kinds, x.counts(s))
	if x.Positions(s) != uint64(len(all)) {
		t.Errorf("slice %s has %d positions, want %d", x.SliceName(s), x.Positions(s), len(all))
	}
	weights := make(map[uint64]int)
	for _, p := range all {
		at, index := x.Rank(p)
		q, weight := x.Unrank(s, index)
		if images := imagesOf(c, p); at != s || x.SliceOf(p) != s || !slices.Contains(images, q) || weight != len(images) {
			t.Fatalf("%v has index %d of slice %d, which is %v and weighs %d", p, index, at, q, weight)
		}
		weights[index] = weight
	}
	var walked []uint64
	x.Walk(s, 0, x.Indices(s), func(i uint64, p Sets, weight int) bool {
		walked = append(walked, i)
		if _, index := x.Rank(p); index != i || weight != weights[i] {
			t.Fatalf("the walk gives %v and weight %d for index %d", p, weight, i)
		}
		return true
	})
	if len(walked) != len(weights) || !slices.IsSorted(walked) {
		t.Errorf("slice %s: the walk gives %d indices, want %d", x.SliceName(s), len(walked), len(weights))
	}
	for i := range x.Indices(s) {
		if _, weight := x.Unrank(s, i); weight != weights[i] {
			t.Fatalf("index %d of slice %s weighs %d, want %d", i, x.SliceName(s), weight, weights[i])
		}
	}
	return uint64(len(all))
}

func TestGroupsFollowTheTurns(t *testing.T) {
	x, err := New(spaces["one region"])
	if err != nil {
		t.Fatal(err)
	}
	groups, err := bitboard.GroupsWithin(x, 4)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, g := range groups {
		lines = append(lines, strings.Join(names(x, g.Slices), " ")+" needs "+strings.Join(names(x, g.Needs), " "))
	}
	want := []string{"1v1 needs ", "2v1 1v2 needs 1v1", "3v1 1v3 needs 2v1", "2v2 needs 1v2"}
	if !slices.Equal(lines, want) {
		t.Errorf("groups %q, want %q", lines, want)
	}
}

func names(x *Space[Sets], all []bitboard.Slice) (names []string) {
	for _, s := range all {
		names = append(names, x.SliceName(s))
	}
	return names
}

func TestOtherPositionsAreInNoSlice(t *testing.T) {
	x, err := New(spaces["regions overlap"])
	if err != nil {
		t.Fatal(err)
	}
	for what, p := range map[string]Sets{
		"none of a kind":     {0, 1 << 5},
		"too many":           {31, 1 << 9},
		"outside its region": {1 << 11, 1 << 5},
	} {
		if s := x.SliceOf(p); s != x.outside() {
			t.Errorf("%s: slice %s", what, x.SliceName(s))
		}
	}
	for _, name := range []string{"", "x", "1", "0v1", "1v4", "01v1", "1v1v1", "over", "1v", "+1v1"} {
		if s, err := x.ParseSlice(name); err == nil {
			t.Errorf("slice %q is read as %d", name, s)
		}
	}
}

func TestWhatIsNoSpaceIsRefused(t *testing.T) {
	region := rows(3, 0, 3)
	for want, c := range map[string]Config[Sets]{
		"0 kinds":                       config(nil),
		"9 kinds":                       config(make([]Kind, 9)),
		"1 to 10 pieces on 9 points":    config([]Kind{{region, 1, 10}}),
		"want fewer than 4096":          config([]Kind{{^uint64(0), 0, 63}, {^uint64(0), 0, 63}}),
		"does not keep the region":      config([]Kind{{rows(3, 0, 2), 1, 1}}, turn(3, 3)),
		"one of them is undone by none": config([]Kind{{region, 1, 1}}, []int{1, 2, 0}),
		"comes to none of them":         config([]Kind{{region, 1, 1}}, mirror(3, 3), turn(3, 3)), // each undoes itself
	} {
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// Of slices that are too large for a table, the size says so. The others are there.
func TestSlicesThatAreTooLarge(t *testing.T) {
	x, err := New(config([]Kind{{^uint64(0), 1, 20}, {^uint64(0), 1, 20}}, mirror(8, 8)))
	if err != nil {
		t.Fatal(err)
	}
	if s, err := x.ParseSlice("20v20"); err != nil || x.Indices(s) < bitboard.MaxIndices {
		t.Errorf("20v20 has %d indices, error %v", x.Indices(s), err)
	}
	s, err := x.ParseSlice("3v3")
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []uint64{0, 1, x.Indices(s) / 3, x.Indices(s) - 1} {
		if p, weight := x.Unrank(s, i); weight != 0 {
			if _, again := x.Rank(p); again != i {
				t.Errorf("index %d is %v, which has index %d", i, p, again)
			}
		}
	}
}

func ExampleNew() {
	space, err := New(Config[Sets]{
		Kinds:      []Kind{{Region: rows(3, 0, 3), Fewest: 1, Most: 3}, {Region: rows(3, 1, 4), Fewest: 1, Most: 3}},
		Symmetries: [][]int{mirror(3, 4)},
		After:      exchange,
		Sets:       func(p Sets) Sets { return p },
		Position:   func(s Sets) Sets { return s },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	s, index := space.Rank(Sets{0b000_000_000_011, 0b001_000_000_000})
	p, weight := space.Unrank(s, index)
	fmt.Println(space.SliceName(s), space.Positions(s), "positions; this one and its mirror image:", weight)
	fmt.Printf("%b %b\n", p[0], p[1])
	// Output:
	// 2v1 276 positions; this one and its mirror image: 2
	// 11 1000000000
}

// A position of which play is over is in a slice of no group: that has no indices and no positions.
func TestTheSliceOfWhatIsOverIsEmpty(t *testing.T) {
	x, err := New(spaces["one region"])
	if err != nil {
		t.Fatal(err)
	}
	s := x.SliceOf(Sets{})
	if x.SliceName(s) != "over" || x.Indices(s) != 0 || x.Positions(s) != 0 || x.Pieces(s) != 0 {
		t.Errorf("slice %s: %d indices, %d positions, %d pieces", x.SliceName(s), x.Indices(s), x.Positions(s), x.Pieces(s))
	}
}

func TestSymmetriesStayOnTheBoard(t *testing.T) {
	for _, to := range []int{-1, -64, 64, 1 << 40} {
		if _, err := New(config([]Kind{{3, 1, 1}}, []int{to, 0})); err == nil {
			t.Errorf("point 0 goes to %d: no error", to)
		}
	}
}
