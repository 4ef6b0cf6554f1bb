package nodes

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"paika/bitboard"
)

// board is as large as a position of Fanorona.
type board struct{ own, opp uint64 }

// Members are numbered as they came, found, and no one else is.
func TestMembersAreThoseThatWereAdded(t *testing.T) {
	s := New[board](1 << 30)
	defer s.Free()
	type node struct {
		board
		side bitboard.Side
	}
	random := rand.New(rand.NewPCG(1, 2))
	number := make(map[node]uint64)
	for range 3 * segmentSize / 2 {
		n := node{board{random.Uint64N(1 << 10), random.Uint64N(1 << 9)}, bitboard.Side(random.Uint64N(2))}
		before, known := number[n]
		got, added, err := s.Add(n.board, n.side)
		if err != nil || added == known || known && got != before || added && got != s.Count()-1 {
			t.Fatalf("%v: number %d, added %t, known %t as %d, %v", n, got, added, known, before, err)
		}
		number[n] = got
	}
	for n, want := range number {
		if p, side := s.At(want); p != n.board || side != n.side {
			t.Fatalf("member %d is %v %d, want %v", want, p, side, n)
		}
		if got, found := s.Find(n.board, n.side); !found || got != want {
			t.Fatalf("%v is found: %t, as number %d, want %d", n, found, got, want)
		}
	}
	for range 1000 {
		if s.Has(board{random.Uint64() | 1<<40, 0}, 0) {
			t.Fatal("a stranger is found")
		}
	}
	if most := s.Count()*(16+16) + segmentSize*16; s.Bytes() > most {
		t.Errorf("%d members take %d bytes, want at most %d", s.Count(), s.Bytes(), most)
	}
}

// FindAll finds what Find finds, however many are asked for at a time, in sets of all sizes.
func TestManyAreFoundAsOneIs(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, size := range []int{0, 1, 100, fewestSlots - 1, 1 << 21} {
		s := NewValued[board](1 << 30)
		defer s.Free()
		at := func(i int) (board, bitboard.Side) {
			return board{uint64(i) >> 1, uint64(i) % 977}, bitboard.Side(i & 1)
		}
		for from := 0; from < size; {
			some := min(1+random.IntN(3*Together), size-from)
			s.Ahead(some, func(i int) (board, bitboard.Side) { return at(from + i) })
			for i := range some {
				p, side := at(from + i)
				if number, added, err := s.Add(p, side); err != nil || !added || number != uint64(from+i) {
					t.Fatalf("member %d is added: %t, as %d, %v", from+i, added, number, err)
				}
			}
			from += some
		}
		for _, many := range []int{0, 1, Together - 1, Together, Together + 1, 100 * Together} {
			asked := make([]int, many)
			for i := range asked {
				asked[i] = random.IntN(2*size + 2)
			}
			told := 0
			s.FindAll(many, func(i int) (board, bitboard.Side) { return at(asked[i]) }, func(i int, number uint64, found bool) {
				p, side := at(asked[i])
				want, is := s.Find(p, side)
				if i != told || found != is || found && number != want || is != (asked[i] < size) {
					t.Fatalf("%d members: of %d node %d, %v, is found: %t, as %d, want %t, %d", size, many, i, p, found, number, is, want)
				}
				told++
			})
			if told != many {
				t.Errorf("%d members: %d of %d are told", size, told, many)
			}
		}
	}
}

// AddAll adds what Add adds, of nodes some of which come twice, to sets of all sizes, up to where these are
// full.
func TestManyAreAddedAsOneIs(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	const most = 3 * segmentSize * 24
	one, all := New[board](most), New[board](most)
	defer one.Free()
	defer all.Free()
	type added struct {
		number uint64
		is     bool
	}
	for full := false; !full; {
		asked := make([]uint64, random.IntN(3*Together))
		for i := range asked {
			asked[i] = random.Uint64N(1 << 20)
		}
		at := func(i int) (board, bitboard.Side) { return board{asked[i] >> 1, 7}, bitboard.Side(asked[i] & 1) }
		var want []added
		var wantErr error
		for i := 0; i < len(asked) && wantErr == nil; i++ {
			p, side := at(i)
			var a added
			if a.number, a.is, wantErr = one.Add(p, side); wantErr == nil {
				want = append(want, a)
			}
		}
		var got []added
		err := all.AddAll(len(asked), at, func(i int, number uint64, is bool) {
			if i != len(got) {
				t.Fatalf("node %d is told after %d", i, len(got))
			}
			got = append(got, added{number, is})
		})
		if !slices.Equal(got, want) || !errors.Is(err, wantErr) || one.Count() != all.Count() {
			t.Fatalf("%d members: %v, %v, want %v, %v", one.Count(), got, err, want, wantErr)
		}
		full = err != nil
	}
	if all.Count() < 2*segmentSize {
		t.Errorf("full with %d members", all.Count())
	}
}

// A set in which room is reserved has the members that it would have, and no more room than is allowed.
func TestRoomIsReserved(t *testing.T) {
	const many = 1 << 16
	for _, reserved := range []uint64{0, 1, many / 3, many, 2 * many, mostMembers, ^uint64(0)} {
		s := New[board](8 << 20)
		defer s.Free()
		slots := 0
		for i := range uint64(many) {
			if i == many/4 {
				if err := s.Reserve(reserved); err != nil {
					t.Fatal(err)
				}
				slots = len(s.slots)
			}
			if number, added, err := s.Add(board{i, i}, 0); err != nil || !added || number != i {
				t.Fatalf("member %d is added: %t, as %d, %v", i, added, number, err)
			}
		}
		for i := range uint64(many) {
			if number, found := s.Find(board{i, i}, 0); !found || number != i {
				t.Fatalf("member %d is found: %t, as %d", i, found, number)
			}
		}
		if is := reserved == many || reserved == 2*many; is != (slots*fullest >= many*fullestOf) || is != (slots == len(s.slots)) {
			t.Errorf("%d reserved: %d slots, and at last %d", reserved, slots, len(s.slots))
		}
		if s.Bytes() > 8<<20 {
			t.Errorf("%d reserved: %d bytes", reserved, s.Bytes())
		}
	}
}

// A list has the positions in the order in which they came, and takes what it says.
func TestAListKeepsTheOrder(t *testing.T) {
	testList(t, func(i uint64) board { return board{i, ^i} })
	testList(t, func(i uint64) string { return strconv.FormatUint(i, 10) }) // holds pointers
}

func testList[P comparable](t *testing.T, of func(i uint64) P) {
	var l List[P]
	for range 2 {
		const many = 2*segmentSize + 1
		for i := range uint64(many) {
			if err := l.Append(of(i)); err != nil {
				t.Fatal(err)
			}
		}
		for i := range uint64(many) {
			if got := l.At(i); got != of(i) {
				t.Fatalf("position %d is %v", i, got)
			}
		}
		if size := l.Bytes(1); l.Count() != many || len(l.blocks) != 3 || l.Bytes(many) != 3*size || l.Bytes(0) != 0 {
			t.Errorf("%d positions in %d blocks, and %d bytes of %d", l.Count(), len(l.blocks), l.Bytes(many), size)
		}
		l.Free()
		if l.Count() != 0 {
			t.Errorf("%d positions are left", l.Count())
		}
	}
}

func TestAnEmptySetHasNoMembers(t *testing.T) {
	s := New[board](1 << 30)
	if s.Has(board{}, 0) || s.Count() != 0 || s.Bytes() != 0 {
		t.Error("an empty set has members")
	}
	s.Free()
}

func TestASetStaysWithinItsMemory(t *testing.T) {
	const most = 8 << 20
	s := New[board](most)
	defer s.Free()
	var err error
	for i := uint64(0); err == nil; i++ {
		_, _, err = s.Add(board{i, i}, 0)
	}
	if !errors.Is(err, ErrFull) || s.Bytes() > most || s.Count() < segmentSize {
		t.Errorf("%d members in %d bytes: %v", s.Count(), s.Bytes(), err)
	}
	if last := s.Count() - 1; !s.Has(board{last, last}, 0) {
		t.Error("a full set has lost a member")
	}
}

// Positions with pointers are members like all others.
func TestPositionsMayHoldPointers(t *testing.T) {
	type named struct{ name string }
	s := New[named](1 << 30)
	defer s.Free()
	for _, name := range []string{"one", "two", "one"} {
		if _, _, err := s.Add(named{name}, 1); err != nil {
			t.Fatal(err)
		}
	}
	if s.Count() != 2 || !s.Has(named{"two"}, 1) || s.Has(named{"two"}, 0) {
		t.Errorf("%d members", s.Count())
	}
}

// What is retained keeps its order and its values, and the set takes new members.
func TestMembersAreRetained(t *testing.T) {
	s := NewValued[board](1 << 30)
	defer s.Free()
	const members = segmentSize + 1000
	for i := range uint64(members) {
		if _, _, err := s.Add(board{i, 0}, bitboard.Side(i%2)); err != nil {
			t.Fatal(err)
		}
		s.SetValue(i, uint32(i)+7)
	}
	s.Retain(func(p board, _ bitboard.Side) bool { return p.own%3 == 0 })
	if want := uint64(members+2) / 3; s.Count() != want || s.Bytes() >= 2*s.segmentBytes() {
		t.Errorf("%d members in %d bytes, want %d", s.Count(), s.Bytes(), want)
	}
	for i := range uint64(members) {
		number, found := s.Find(board{i, 0}, bitboard.Side(i%2))
		if found != (i%3 == 0) || found && (number != i/3 || s.Value(number) != uint32(i)+7) {
			t.Fatalf("%d is found: %t, as number %d", i, found, number)
		}
	}
	number, added, err := s.Add(board{1, 0}, 1)
	if err != nil || !added || number != s.Count()-1 || s.Value(number) != 0 {
		t.Errorf("a new member: number %d of %d, added %t, value %d, %v", number, s.Count(), added, s.Value(number), err)
	}
}
