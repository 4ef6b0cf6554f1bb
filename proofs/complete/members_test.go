package complete

import (
	"errors"
	"math/rand/v2"
	"testing"

	"paika/bitboard"
)

// board is as large as a position of Fanorona.
type board struct{ own, opp uint64 }

// Members are numbered as they came, found, and no one else is.
func TestMembersAreThoseThatWereAdded(t *testing.T) {
	m, err := newMembers[board](1 << 30)
	if err != nil {
		t.Fatal(err)
	}
	defer m.free()
	type node struct {
		board
		side bitboard.Side
	}
	random := rand.New(rand.NewPCG(1, 2))
	number := make(map[node]uint64)
	for range 3 * segmentSize / 2 {
		n := node{board{random.Uint64N(1 << 10), random.Uint64N(1 << 9)}, bitboard.Side(random.Uint64N(2))}
		_, known := number[n]
		added, err := m.add(n.board, n.side)
		if err != nil || added == known {
			t.Fatalf("%v: added %t, known %t, %v", n, added, known, err)
		}
		if added {
			number[n] = m.count - 1
		}
	}
	for n, want := range number {
		if p, side := m.at(want); p != n.board || side != n.side || !m.has(p, side) {
			t.Fatalf("member %d is %v %d, want %v", want, p, side, n)
		}
	}
	for range 1000 {
		if m.has(board{random.Uint64() | 1<<40, 0}, 0) {
			t.Fatal("a stranger is found")
		}
	}
	if most := m.count*(16+16) + segmentSize*16; m.bytes() > most {
		t.Errorf("%d members take %d bytes, want at most %d", m.count, m.bytes(), most)
	}
}

func TestMembersStayWithinTheirMemory(t *testing.T) {
	const most = 8 << 20
	m, err := newMembers[board](most)
	if err != nil {
		t.Fatal(err)
	}
	defer m.free()
	for i := uint64(0); err == nil; i++ {
		_, err = m.add(board{i, i}, 0)
	}
	if !errors.Is(err, ErrMemory) || m.bytes() > most || m.count < segmentSize {
		t.Errorf("%d members in %d bytes: %v", m.count, m.bytes(), err)
	}
}

func TestPositionsWithPointersAreRefused(t *testing.T) {
	if _, err := newMembers[*int](1 << 20); err == nil {
		t.Error("pointers are off the heap")
	}
	if _, err := newMembers[struct{ name string }](1 << 20); err == nil {
		t.Error("text is off the heap")
	}
}
