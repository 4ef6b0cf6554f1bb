package proofnumber_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"testing/synctest"

	"paika/bitboard"
	"paika/solver/naive"
	"paika/solver/proofnumber"
)

// wide is a graph some of whose nodes have more turns than may be listed. Who lists them fails
// the test.
type wide struct {
	*graph
	t    *testing.T
	most int
}

func (w wide) MoreTurnsThan(p node, most int) bool { return len(w.edges[p.Number]) > most }

func (w wide) Turns(dst []node, p node) []node {
	if len(w.edges[p.Number]) > w.most {
		w.t.Errorf("%d turns of %v are listed: want %d at most", len(w.edges[p.Number]), p, w.most)
	}
	return w.graph.Turns(dst, p)
}

// methods are the ways to search, each with at most so many turns.
func methods(most int) []proofnumber.Options[node] {
	return []proofnumber.Options[node]{
		{Turns: most}, {Turns: most, Workers: 3}, {Turns: most, Sums: true}, {Turns: most, Method: proofnumber.PN}, {Turns: most, Method: proofnumber.PN2},
	}
}

// drawn is a graph with these edges; nodes without any are draws, but for those that are lost for
// who has the move.
func drawn(edges map[uint16][]uint16, lost ...uint16) *graph {
	const nodes = 16
	g := &graph{edges: make([][]node, nodes), ends: make([]bitboard.Value, nodes)}
	for from, all := range edges {
		for _, to := range all {
			g.edges[from] = append(g.edges[from], node{Number: to})
		}
	}
	for i := range g.ends {
		g.ends[i] = bitboard.Draw
	}
	for _, i := range lost {
		g.ends[i] = bitboard.Loss
	}
	return g
}

// TestABarredPositionDecidesNothing: a search goes round it where it can, and else names it.
func TestABarredPositionDecidesNothing(t *testing.T) {
	many := []uint16{10, 11, 12, 13} // turns of a barred node, all of which the attacker would win
	for name, c := range map[string]struct {
		g      *graph
		want   proofnumber.Verdict
		barred *bitboard.TooManyTurnsError[node]
	}{
		"the root": {drawn(map[uint16][]uint16{0: many}, many...), proofnumber.Undecided, &bitboard.TooManyTurnsError[node]{Most: 3}},
		"one turn of two, and the other wins": {
			drawn(map[uint16][]uint16{0: {1, 2}, 1: many, 2: {3}, 3: {4}}, 4), proofnumber.Proved, nil},
		"one turn of two, and the other draws": {
			drawn(map[uint16][]uint16{0: {1, 2}, 1: many}), proofnumber.Undecided, &bitboard.TooManyTurnsError[node]{Position: node{Number: 1}, Other: true, Most: 3}},
		"one answer of two, and the other draws": {
			drawn(map[uint16][]uint16{0: {1}, 1: {2, 3}, 2: many}), proofnumber.Refuted, nil},
		"one answer of two, and the other loses": {
			drawn(map[uint16][]uint16{0: {1}, 1: {2, 3}, 2: many, 3: {4}}, 4), proofnumber.Undecided, &bitboard.TooManyTurnsError[node]{Position: node{Number: 2}, Most: 3}},
		"behind a circle": {
			drawn(map[uint16][]uint16{0: {1}, 1: {2}, 2: {1, 3}, 3: many}), proofnumber.Undecided, &bitboard.TooManyTurnsError[node]{Position: node{Number: 3}, Other: true, Most: 3}},
	} {
		for _, o := range methods(3) {
			t.Run(fmt.Sprintf("%s/%v/%d/%v", name, o.Method, o.Workers, o.Sums), func(t *testing.T) {
				s, err := proofnumber.New(wide{c.g, t, 3}, newTable(t, 1<<16), o)
				if err != nil {
					t.Fatal(err)
				}
				r, err := s.Extract(t.Context(), node{}, true, func(proofnumber.Step[node]) error { return nil })
				var barred *bitboard.TooManyTurnsError[node]
				if errors.As(err, &barred); r.Verdict != c.want || (barred == nil) != (c.barred == nil) || barred != nil && *barred != *c.barred {
					t.Errorf("%v, %v (%+v): want %v, %+v", r.Verdict, err, barred, c.want, c.barred)
				}
			})
		}
	}
}

// TestMoreRoomDecidesWhatWasBarred: what a table was left with by a search that had less room is
// none of what another one finds, over the table, or over one that has loaded or heard it.
func TestMoreRoomDecidesWhatWasBarred(t *testing.T) {
	// Node 1 has too many turns for either search, node 2 for the first alone.
	g := drawn(map[uint16][]uint16{0: {1, 2}, 1: {8, 9, 10, 11, 12, 13}, 2: {3, 4, 5, 6}, 3: {7}, 4: {7}, 5: {7}, 6: {7}}, 7)
	const few, enough = 3, 5
	for i := range methods(few) {
		o := methods(few)[i]
		t.Run(fmt.Sprintf("%v/%d/%v", o.Method, o.Workers, o.Sums), func(t *testing.T) {
			left, heard := newTable(t, 1<<16), newTable(t, 1<<16)
			all, hearer := proofnumber.NewExchange(left, 1, 1<<12, 1<<20), proofnumber.NewExchange(heard, 2, 1<<12, 1<<20)
			all.SayAll()
			solve := func(table *proofnumber.Table, o proofnumber.Options[node]) (proofnumber.Verdict, error) {
				s, err := proofnumber.New(wide{g, t, o.Turns}, table, o)
				if err != nil {
					t.Fatal(err)
				}
				r, err := s.Solve(t.Context(), node{}, true)
				return r.Verdict, err
			}
			if o.Method == proofnumber.DFPN {
				o.Exchange = all
			}
			if v, err := solve(left, o); v != proofnumber.Undecided || !errors.Is(err, bitboard.ErrTooManyTurns) {
				t.Fatalf("with room for %d turns: %v, %v", few, v, err)
			}
			if err := hearer.Hear(all.Say(nil)); err != nil {
				t.Fatal(err)
			}
			for name, table := range map[string]*proofnumber.Table{"loaded": reload(t, left), "heard": heard, "kept": left} {
				if v, err := solve(table, methods(enough)[i]); v != proofnumber.Proved || err != nil {
					t.Errorf("%s, with room for %d turns: %v, %v, want proved", name, enough, v, err)
				}
			}
		})
	}
}

// TestNoAnswerRestsOnBarredPositions, whatever the graph: each is true of all turns.
func TestNoAnswerRestsOnBarredPositions(t *testing.T) {
	const most = 7
	answers := make(map[proofnumber.Verdict]int)
	for seed := range uint64(40) {
		g := newGraph(rand.New(rand.NewPCG(seed, 6)), 40, most+1)
		want, err := naive.Solve(t.Context(), g, node{})
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range methods(most) {
			o.Sets = 1 << 18
			table := newTable(t, 1<<16)
			for p, outcome := range want {
				s, err := proofnumber.New(wide{g, t, most}, table, o)
				if err != nil {
					t.Fatal(err)
				}
				truth := proofnumber.Refuted
				if outcome.Value == bitboard.Win {
					truth = proofnumber.Proved
				}
				var steps []proofnumber.Step[node]
				r, err := s.Extract(t.Context(), p, true, func(s proofnumber.Step[node]) error {
					steps = append(steps, s)
					return nil
				})
				answers[r.Verdict]++
				switch {
				case errors.Is(err, bitboard.ErrTooManyTurns) && r.Verdict == proofnumber.Undecided:
				case err != nil || r.Verdict != truth:
					t.Fatalf("seed %d, %+v, %v: %v, %v, want %v", seed, o, p, r.Verdict, err, truth)
				default:
					holds(t, g, p, true, r.Verdict, steps)
				}
			}
		}
	}
	if len(answers) != 3 || answers[proofnumber.Undecided] > answers[proofnumber.Proved]+answers[proofnumber.Refuted] {
		t.Errorf("answers %v: want all three, and most decided", answers)
	}
}

// fan has positions with many turns. The first estimate ends the context.
type fan struct {
	cancel    context.CancelFunc
	estimated *int
}

func (fan) MoreTurnsThan(_ node, most int) bool { return fanTurns > most }
func (fan) Ended(node) bitboard.Value           { return bitboard.Draw }
func (fan) Turns(dst []node, p node) []node {
	for to := range uint16(fanTurns) {
		dst = append(dst, node{Number: to})
	}
	return dst
}

func (f fan) Estimate(node, bool) (phi, delta uint32) {
	if *f.estimated++; *f.estimated == 1 {
		f.cancel()
		synctest.Wait() // until the search has heard
	}
	return 1, 1
}

const fanTurns = 1 << 14

// TestASearchIsStoppedAmongTheTurnsOfOnePosition, long before all were looked at.
func TestASearchIsStoppedAmongTheTurnsOfOnePosition(t *testing.T) {
	synctest.Test(t, isStoppedAmongTheTurnsOfOnePosition)
}

func isStoppedAmongTheTurnsOfOnePosition(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f := fan{cancel, new(int)}
	s, err := proofnumber.New(f, newTable(t, 1<<16), proofnumber.Options[node]{})
	if err != nil {
		t.Fatal(err)
	}
	if r, err := s.Solve(ctx, node{}, true); !errors.Is(err, context.Canceled) || r.Verdict != proofnumber.Undecided {
		t.Errorf("%v, %v: want %v", r.Verdict, err, context.Canceled)
	}
	if *f.estimated > fanTurns/2 {
		t.Errorf("%d of %d turns were looked at", *f.estimated, fanTurns)
	}
}

// ladder has positions one below the other, each with as many turns, of which all but the first
// lose at once.
type ladder struct{ each, rungs uint16 }

const blunder = math.MaxUint16

func (l ladder) over(p node) bool { return p.Number >= l.rungs }

func (l ladder) Turns(dst []node, p node) []node {
	if l.over(p) {
		return dst
	}
	dst = append(dst, node{Number: p.Number + 1})
	for range l.each - 1 {
		dst = append(dst, node{Number: blunder})
	}
	return dst
}

func (l ladder) Ended(p node) bitboard.Value {
	if p.Number == blunder {
		return bitboard.Win
	}
	return bitboard.Draw
}

func (l ladder) MoreTurnsThan(p node, most int) bool { return !l.over(p) && int(l.each) > most }

func (l ladder) Estimate(p node, _ bool) (phi, delta uint32) {
	if l.over(p) {
		return 0, 0
	}
	return 1, 1
}

// TestTurnsOfOneLineShareARoom, those of long lists: there is no end of them.
func TestTurnsOfOneLineShareARoom(t *testing.T) {
	for _, c := range []struct {
		ladder
		turns int
		at    uint16 // the first position that is barred; 0 for none
	}{
		{ladder{5000, 4}, 0, 0},
		{ladder{5000, 4}, 20_000, 0},
		{ladder{5000, 4}, 12_000, 2}, // two lists leave 2,000
		{ladder{4000, 9}, 12_000, 0}, // these are no long lists
	} {
		s, err := proofnumber.New(c.ladder, newTable(t, 1<<16), proofnumber.Options[node]{Turns: c.turns})
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Solve(t.Context(), node{}, true)
		var barred *bitboard.TooManyTurnsError[node]
		switch errors.As(err, &barred); {
		case c.at == 0 && (err != nil || r.Verdict != proofnumber.Refuted):
			t.Errorf("%+v: %v, %v, want refuted", c, r.Verdict, err)
		case c.at != 0 && (barred == nil || barred.Position.Number != c.at):
			t.Errorf("%+v: %v, %+v, want that %d is barred", c, r.Verdict, barred, c.at)
		}
	}
}
