package proofnumber

import (
	"errors"
	"math/rand/v2"
	"testing"

	"paika/bitboard"
)

// circles is a game of numbered positions, from most of which play can come back.
type circles struct {
	turns [][]number
	ends  []bitboard.Value
}

func (g *circles) Turns(dst []number, p number) []number { return append(dst, g.turns[p.N]...) }
func (g *circles) Ended(p number) bitboard.Value         { return g.ends[p.N] }

func newCircles(r *rand.Rand) *circles {
	positions := 4 + r.IntN(30)
	g := &circles{make([][]number, positions), make([]bitboard.Value, positions)}
	for p := range positions {
		g.ends[p] = bitboard.Value(r.IntN(3))
		if r.IntN(8) == 0 {
			continue
		}
		for range 1 + r.IntN(3) {
			g.turns[p] = append(g.turns[p], number{r.Uint32N(uint32(positions))})
		}
	}
	return g
}

// won is the nodes that the attacker wins, by rounds from the ends.
func (g *circles) won() map[placed]bool {
	won := make(map[placed]bool)
	for changed := true; changed; {
		changed = false
		for p := range g.turns {
			for _, attacker := range []bool{false, true} {
				if n := (placed{number{uint32(p)}, attacker}); !won[n] && g.wins(n, won) {
					won[n], changed = true, true
				}
			}
		}
	}
	return won
}

func (g *circles) wins(n placed, won map[placed]bool) bool {
	turns := g.turns[n.position.N]
	if len(turns) == 0 {
		return valued(n.attacker, g.ends[n.position.N]).verdict(n.attacker) == Proved
	}
	for _, to := range turns {
		if won[placed{to, !n.attacker}] == n.attacker {
			return n.attacker
		}
	}
	return !n.attacker
}

// Whatever the table believes, right or wrong, what settling makes a fact of it is true: in a set
// that has room and in one that is full at once, by one worker and by several.
func TestSettlingMakesNoFactOfAWrongBelief(t *testing.T) {
	asked, stayed := 0, 0
	for seed := range Graphs(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		g := newCircles(r)
		won := g.won()
		table, err := NewTable(1 << 16)
		if err != nil {
			t.Fatal(err)
		}
		s, err := New(g, table, Options[number]{Workers: 1 + int(seed%2)})
		if err != nil {
			t.Fatal(err)
		}
		key := func(n placed) uint64 { return s.key(&n.position, n.attacker) }
		var believed []placed
		for p, turns := range g.turns {
			for _, attacker := range []bool{false, true} {
				n := placed{number{uint32(p)}, attacker}
				switch {
				case len(turns) == 0:
				case r.IntN(10) == 0: // a fact
					if st := proved(attacker, 1); won[n] {
						table.store(key(n), st.record(attacker))
					} else {
						table.store(key(n), refuted(attacker, true).record(attacker))
					}
				case !won[n] && r.IntN(4) > 0 || r.IntN(2) == 0:
					table.store(key(n), refuted(attacker, false).record(attacker))
					believed = append(believed, n)
				}
			}
		}
		c, err := newCrew(s, &run{total: &s.searched, budget: newBudget(0)})
		if err != nil {
			t.Fatal(err)
		}
		if seed%3 > 0 { // no more than the node and what it rests on, and not always that
			c.set.list = c.set.list[:1+r.IntN(4)]
			c.set.slots = c.set.slots[:fewestSlots]
		}
		for _, n := range believed {
			asked++
			stays, _, err := (&settler[number]{crew: c}).settle(n.position, n.attacker)
			if err != nil && !errors.Is(err, ErrSetTooSmall) {
				t.Fatal(err)
			}
			if stays && won[n] {
				t.Fatalf("seed %d: %v stays, and is won", seed, n)
			}
			if stays {
				stayed++
			}
			for p := range g.turns {
				for _, attacker := range []bool{false, true} {
					m := placed{number{uint32(p)}, attacker}
					rec, found := table.find(key(m))
					if !found || !rec.fact() {
						continue
					}
					if v := rec.state(attacker).verdict(attacker); (v == Proved) != won[m] {
						t.Fatalf("seed %d: after %v, it is a fact that %v is %v", seed, n, m, v)
					}
				}
			}
		}
		c.set.free()
		table.Close()
	}
	if stayed == 0 || stayed == asked {
		t.Errorf("of %d beliefs %d stay: want some", asked, stayed)
	}
}
