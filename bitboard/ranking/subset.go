package ranking

// Subset is a subset of k out of n things that goes from one to the next, in the
// order of their numbers. The zero value is no subset: Start comes first, then
// First or Seek.
type Subset struct {
	k  int
	n  int
	at [MaxElements + 1]uint8 // the elements, rising; then n
}

// Start chooses k and n, at most MaxElements.
func (s *Subset) Start(n, k int) {
	s.n, s.k = n, k
	s.at[k], s.at[min(k+1, MaxElements)] = uint8(n), uint8(n) // both, so that nothing rises where k is 0
}

// At is element j, counted from the lowest, from 0.
func (s *Subset) At(j int) int { return int(s.at[j]) }

// First goes to subset 0: the lowest k things. All its elements are new.
func (s *Subset) First() { s.lowest(s.k) }

// lowest puts the lowest j elements on the lowest things.
func (s *Subset) lowest(j int) {
	for j--; j >= 0; j-- {
		s.at[j] = uint8(j)
	}
}

// Rise goes to the next subset if only the lowest element changes on the way, as
// it mostly does, and else tells false and stays. It is small enough to be
// inlined.
func (s *Subset) Rise() bool {
	next := s.at[0] + 1
	if next >= s.at[1] {
		return false
	}
	s.at[0] = next
	return true
}

// Next goes to the next subset, and tells the highest element that is new, by its
// number j; those above it are as they were. After the last subset it tells
// that j is k, and stays there.
func (s *Subset) Next() (changed int) {
	for changed < s.k && s.at[changed]+1 == s.at[changed+1] {
		changed++
	}
	if changed < s.k {
		s.at[changed]++
		s.lowest(changed)
	}
	return changed
}

// Pass goes past all subsets with the same elements from j on, those before it among them, to
// the next one, and tells as Next does what is new.
func (s *Subset) Pass(j int) (changed int) {
	for changed = j; changed < s.k && s.at[changed]+1 == s.at[changed+1]; changed++ {
	}
	if changed < s.k {
		s.at[changed]++
		s.lowest(changed)
	}
	return changed
}

// Skip goes some subsets ahead, of which there must be as many, and tells as Next does what
// is new: -1 if nothing is. It takes a step for each time that more than the lowest element
// changes.
func (s *Subset) Skip(ahead int) (changed int) {
	changed = -1
	for ahead > 0 {
		rises := int(s.at[1]) - int(s.at[0]) - 1
		if ahead <= rises {
			s.at[0] += uint8(ahead)
			return max(changed, 0)
		}
		ahead -= rises + 1
		s.at[0] = s.at[1] - 1
		changed = max(changed, s.Next())
	}
	return changed
}

// Seek goes to a subset by its number. All its elements are new.
func (s *Subset) Seek(choose *Binomials, rank uint64) {
	const mask = MaxElements - 1 // j and top are below MaxElements; masked, they need no check
	top := s.n
	for j := s.k - 1; j >= 0; j-- {
		ways := &choose[j&mask]
		for top--; ways[top&mask] > rank; top-- {
		}
		rank -= ways[top&mask]
		s.at[j&mask] = uint8(top)
	}
}
