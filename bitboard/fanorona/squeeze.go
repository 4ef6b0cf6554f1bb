package fanorona

// A squeeze moves some points of a set together, to the lowest bits, and leaves out the others:
// so that a point's bit is its number among them. It is the compression of Hacker's Delight
// (Warren 2013, section 7-4), with what does not depend on the set found before.
type squeeze struct {
	points uint64
	moves  [6]uint64 // those that go 1, 2, 4 and so on down, as far as they have come
}

func newSqueeze(points uint64) squeeze {
	s := squeeze{points: points}
	left, out := points, ^points<<1 // out: the points just above one that is left out
	for i := range s.moves {
		odd := out // the points with an odd number of these from below up to them
		for shift := 1; shift < 64; shift *= 2 {
			odd ^= odd << shift
		}
		s.moves[i] = odd & left
		left = left&^s.moves[i] | s.moves[i]>>(1<<i)
		out &^= odd
	}
	return s
}

// apply is the points of a set, by their numbers.
func (s *squeeze) apply(set uint64) uint64 {
	set &= s.points
	for i, moves := range s.moves {
		moved := set & moves
		set = set ^ moved | moved>>(1<<i)
	}
	return set
}
