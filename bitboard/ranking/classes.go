package ranking

import "iter"

// Classes sorts the sets of one size by classes under symmetries. Filled, they
// are safe for concurrent use.
//
// Some symmetries may take the sets to those on another kind of points: in
// Konane from Black's to White's. Sets of both kinds then share classes, and the
// representatives are of the first kind.
type Classes[S comparable] struct {
	// Entries are, by kind and rank of a set, its class, and in the lowest 3 bits
	// a symmetry that takes it to the representative.
	Entries [2][]uint32

	// Representatives are the first set of each class, in the order of their ranks.
	Representatives []S

	// Fixers are, by class, a bit for every symmetry but the identity that fixes
	// the representative.
	Fixers []uint8
}

// Sets is how symmetries act on the sets of one size.
type Sets[S comparable] struct {
	Many     uint64 // how many sets there are of a kind
	Classes  uint64 // of these sets, as Count tells
	Inverses []int  // by symmetry, the one that undoes it; the first is the identity
	TwoKinds bool   // some symmetries take sets to the other kind

	// Each yields every set of the first kind, in the order of their ranks.
	Each iter.Seq[S]

	// Image moves a set of the first kind through a symmetry, and tells the
	// kind of what comes of it. Rank is a set's number among those of its kind.
	Image func(set S, symmetry int) (image S, kind int)
	Rank  func(S) uint64
}

// NewClasses sorts sets by classes.
func NewClasses[S comparable](sets Sets[S]) *Classes[S] {
	const unseen = ^uint32(0)
	t := &Classes[S]{
		Representatives: make([]S, 0, sets.Classes),
		Fixers:          make([]uint8, 0, sets.Classes),
	}
	t.Entries[0] = make([]uint32, sets.Many)
	for i := range t.Entries[0] {
		t.Entries[0][i] = unseen
	}
	if sets.TwoKinds {
		t.Entries[1] = make([]uint32, sets.Many)
	}
	rank := 0
	for set := range sets.Each {
		if t.Entries[0][rank] == unseen {
			t.add(&sets, set)
		}
		rank++
	}
	return t
}

// add makes a set the representative of a new class.
func (t *Classes[S]) add(sets *Sets[S], set S) {
	class := uint32(len(t.Representatives))
	var fixers uint8
	for symmetry := len(sets.Inverses) - 1; symmetry >= 0; symmetry-- {
		image, kind := sets.Image(set, symmetry)
		if image == set && kind == 0 && symmetry != 0 {
			fixers |= 1 << symmetry
		}
		// The inverse takes the image back to the representative.
		t.Entries[kind][sets.Rank(image)] = class<<3 | uint32(sets.Inverses[symmetry])
	}
	t.Representatives = append(t.Representatives, set)
	t.Fixers = append(t.Fixers, fixers)
}
