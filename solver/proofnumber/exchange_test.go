package proofnumber_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/bitboard/konane"
	"paika/solver/proofnumber"
)

// said is all that a search of a game says of some questions.
func said(t *testing.T, rules bitboard.Rules[node], name uint64, ask []node) []byte {
	t.Helper()
	table := newTable(t, 1<<16)
	with := proofnumber.NewExchange(table, name, 1<<12, 1<<20)
	with.SayAll()
	s, err := proofnumber.New(rules, table, proofnumber.Options[node]{Exchange: with})
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range ask {
		if _, err := s.Solve(t.Context(), p, i%2 == 0); err != nil {
			t.Fatal(err)
		}
	}
	return with.Say(nil)
}

// TestHearsayIsNeverBelieved: what searches of the same game say helps, what those of a game
// with other ends say misleads, and in both cases the answer is the right one, and so is the
// structure that shows it. Who was misled hears nothing any more.
func TestHearsayIsNeverBelieved(t *testing.T) {
	const graphs = 150
	misled, all := 0, 0
	for seed := uint64(0); seed < proofnumber.Graphs(graphs) || misled == 0 && seed < graphs; seed++ {
		rng := rand.New(rand.NewPCG(seed, 8))
		g, want, positions := solvedGraph(t, rng)
		rng.Shuffle(len(positions), func(i, j int) { positions[i], positions[j] = positions[j], positions[i] })
		words := [][]byte{said(t, g, 1, positions), said(t, upside{g}, 2, positions)}
		for i, o := range []proofnumber.Options[node]{{}, {Shown: true}, {Workers: 3, Seed: 5}, {Workers: 3, Shown: true}, {Discerning: true}, {Workers: 3, Discerning: true, Shown: true}} {
			table, err := proofnumber.NewFullTable(1 << 16)
			if err != nil {
				t.Fatal(err)
			}
			o.Sets, o.Exchange = 1<<18, proofnumber.NewExchange(table, 3, 1<<12, 1<<20)
			for _, p := range positions[:min(4, len(positions))] {
				for _, word := range words[:1+rng.IntN(2)] {
					if err := o.Exchange.Hear(word); err != nil {
						t.Fatal(err)
					}
				}
				s, err := proofnumber.New(g, table, o)
				if err != nil {
					t.Fatal(err)
				}
				attacker := rng.IntN(2) == 0
				wanted := proofnumber.Refuted
				if v := want[p].Value; attacker && v == bitboard.Win || !attacker && v == bitboard.Loss {
					wanted = proofnumber.Proved
				}
				if !o.Shown {
					if r, err := s.Solve(t.Context(), p, attacker); err != nil || r.Verdict != wanted {
						t.Fatalf("seed %d, %d: %v is %v, %v, want %v", seed, i, p, r.Verdict, err, wanted)
					}
				}
				var steps []proofnumber.Step[node]
				r, err := s.Extract(t.Context(), p, attacker, func(s proofnumber.Step[node]) error {
					steps = append(steps, s)
					return nil
				})
				if err != nil || r.Verdict != wanted {
					t.Fatalf("seed %d, %d: %v is shown to be %v, %v, want %v", seed, i, p, r.Verdict, err, wanted)
				}
				holds(t, g, p, attacker, r.Verdict, steps)
			}
			if all++; o.Exchange.Others() == 0 {
				misled++
			}
			table.Close()
		}
	}
	if misled == 0 || misled == all {
		t.Errorf("%d of %d exchanges were misled: want some", misled, all)
	}
}

// TestWhoIsFoundWrongIsNotHeardAlone: of two, one says what holds and one what does not. Where the
// search can tell, it hears the first again, and never the second alone. The second time it hears
// nobody any more.
func TestWhoIsFoundWrongIsNotHeardAlone(t *testing.T) {
	const honest, wrong = 1, 2
	many, told, twice := proofnumber.Graphs(300), 0, 0
	for seed := range many {
		rng := rand.New(rand.NewPCG(seed, 9))
		g, want, positions := solvedGraph(t, rng)
		truth, lies := said(t, g, honest, positions[:len(positions)/2]), said(t, upside{g}, wrong, positions)
		table, err := proofnumber.NewFullTable(1 << 16)
		if err != nil {
			t.Fatal(err)
		}
		x := proofnumber.NewExchange(table, 3, 1<<12, 1<<20)
		hears := func() (one, other bool) { // by how many of their workers are counted
			x.Hear(word(honest, 7))
			one = x.Around() > 0
			x.Hear(word(honest))
			x.Hear(word(wrong, 7))
			other = x.Around() > 0
			x.Hear(word(wrong))
			return one, other
		}
		ask := func(words ...[]byte) {
			for _, word := range words {
				if err := x.Hear(word); err != nil {
					t.Fatal(err)
				}
			}
			s, err := proofnumber.New(g, table, proofnumber.Options[node]{Sets: 1 << 18, Exchange: x})
			if err != nil {
				t.Fatal(err)
			}
			wanted := proofnumber.Refuted
			if want[node{}].Value == bitboard.Win {
				wanted = proofnumber.Proved
			}
			if r, err := s.Solve(t.Context(), node{}, true); err != nil || r.Verdict != wanted {
				t.Fatalf("seed %d: %v, %v, want %v", seed, r.Verdict, err, wanted)
			}
		}
		ask(truth, lies)
		one, other := hears()
		if other && !one {
			t.Fatalf("seed %d: the wrong one alone is heard", seed)
		}
		if one && !other {
			told++
			ask(said(t, upside{g}, honest, positions), lies)
			if one, other = hears(); other {
				t.Fatalf("seed %d: the wrong one is heard again", seed)
			}
			if !one {
				twice++
			}
		}
		table.Close()
	}
	if told == 0 || twice == 0 {
		t.Errorf("%d times it was told who was wrong, and %d times nobody was heard after that: want some", told, twice)
	}
	t.Logf("told %d times of %d, twice %d", told, many, twice)
}

// TestSearchesTakePartInEachOthers: two of one question, over a table each, that speak all the
// time. Both come to the answer of one alone, whose structure holds.
func TestSearchesTakePartInEachOthers(t *testing.T) {
	g := newFanorona(t, 5, 3)
	p, _, err := g.Start()
	if err != nil {
		t.Fatal(err)
	}
	for _, white := range []bool{true, false} {
		alone, err := proofnumber.New(g, newTable(t, 1<<22), proofnumber.Options[fanorona.Position]{})
		if err != nil {
			t.Fatal(err)
		}
		want, err := alone.Solve(t.Context(), p, white)
		if err != nil {
			t.Fatal(err)
		}
		var all [2]*proofnumber.Exchange
		var searches [2]*proofnumber.Search[fanorona.Position]
		for i := range all {
			table, err := proofnumber.NewFullTable(1 << 22)
			if err != nil {
				t.Fatal(err)
			}
			defer table.Close()
			all[i] = proofnumber.NewExchange(table, uint64(i+1), 64, 1<<20)
			defer all[i].Close()
			o := proofnumber.Options[fanorona.Position]{Workers: 2, Exchange: all[i], Seed: uint64(i), Shown: true}
			if searches[i], err = proofnumber.New(g, table, o); err != nil {
				t.Fatal(err)
			}
		}
		ctx, stop := context.WithCancel(t.Context())
		var talk, work sync.WaitGroup
		heard := 0
		talk.Go(func() {
			for ctx.Err() == nil {
				for i, x := range all {
					word := x.Say(nil)
					heard += len(word)
					if err := all[1-i].Hear(word); err != nil {
						t.Error(err)
					}
				}
			}
		})
		for _, s := range searches {
			work.Go(func() {
				var steps []proofnumber.Step[fanorona.Position]
				r, err := s.Extract(t.Context(), p, white, func(s proofnumber.Step[fanorona.Position]) error {
					steps = append(steps, s)
					return nil
				})
				if err != nil || r.Verdict != want.Verdict {
					t.Errorf("%v, %v, want %v", r.Verdict, err, want.Verdict)
					return
				}
				holds(t, g, p, white, r.Verdict, steps)
			})
		}
		work.Wait()
		stop()
		talk.Wait()
		if heard == 0 {
			t.Error("nothing was said")
		}
	}
}

// TestManySayLessEach: what comes to all of them together is bounded.
func TestManySayLessEach(t *testing.T) {
	g := newFanorona(t, 5, 3)
	p, _, err := g.Start()
	if err != nil {
		t.Fatal(err)
	}
	const most, passed = 100, 240
	for others, want := range map[int]int{0: most, 1: most, 2: 40, 5: 8, 20: 1} {
		table := newTable(t, 1<<22)
		x := proofnumber.NewExchange(table, 1, most, passed)
		x.SayAll()
		for i := range others {
			if err := x.Hear(word(uint64(2 + i))); err != nil {
				t.Fatal(err)
			}
		}
		s, err := proofnumber.New(g, table, proofnumber.Options[fanorona.Position]{Exchange: x})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Solve(t.Context(), p, true); err != nil {
			t.Fatal(err)
		}
		if said := (len(x.Say(nil)) - len(word(1))) / 16; said != want {
			t.Errorf("with %d others it says %d entries at a time, want %d", others, said, want)
		}
	}
}

// TestNobodyFallsSilent: as long as there is something to say, every other word has some of it,
// however little may be said.
func TestNobodyFallsSilent(t *testing.T) {
	for others := range 20 {
		x := proofnumber.NewExchange(newTable(t, 1<<10), 1, 100, 240)
		key, words := uint64(1), 0
		for range 1000 {
			for i := range others {
				if err := x.Hear(word(uint64(2 + i))); err != nil {
					t.Fatal(err)
				}
			}
			for range 200 {
				x.Tell(key, 1000)
				key++
			}
			if len(x.Say(nil)) > len(word(1)) {
				words++
			}
		}
		if words < 400 {
			t.Errorf("with %d others, %d of 1000 words say something", others, words)
		}
	}
}

// word is what an exchange of a name says that has workers on some nodes and found nothing.
func word(name uint64, keys ...uint64) []byte {
	b := binary.LittleEndian.AppendUint64(nil, name)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(keys)))
	for _, key := range keys {
		b = binary.LittleEndian.AppendUint64(b, key)
	}
	return b
}

// TestTheSilentAreForgotten, and so is where the workers of others were before.
func TestTheSilentAreForgotten(t *testing.T) {
	x := proofnumber.NewExchange(newTable(t, 1<<10), 1, 8, 1<<20)
	hear := func(said []byte) {
		t.Helper()
		if err := x.Hear(said); err != nil {
			t.Fatal(err)
		}
	}
	hear(word(2, 7, 8, 9))
	hear(word(3, 7))
	hear(word(2, 5))
	hear(word(1, 4, 4, 4)) // its own
	if x.Others() != 2 || x.Around() != 2 {
		t.Errorf("%d others, on %d nodes", x.Others(), x.Around())
	}
	for range 150 {
		x.Say(nil)
	}
	hear(word(3, 6, 7))
	for range 150 {
		x.Say(nil)
	}
	if x.Others() != 1 || x.Around() != 2 {
		t.Errorf("%d others, on %d nodes, after one was silent", x.Others(), x.Around())
	}
	x.Close()
	hear(word(2, 7, 8, 9))
	if x.Others() != 0 || x.Around() != 0 {
		t.Errorf("%d others, on %d nodes, of one that is closed", x.Others(), x.Around())
	}
}

// FuzzHear: what is no word of an exchange is refused, and the rest does no harm.
func FuzzHear(f *testing.F) {
	f.Add([]byte{})
	f.Add(word(2))
	f.Add(word(2, 1, 2, 3))
	f.Add(word(2, 1, 2, 3)[:20])
	f.Add(append(word(2, 1), make([]byte, 16)...))                                             // an entry with numbers 0 and 0
	f.Add(append(word(2), 9, 0, 0, 0, 0, 0, 0, 0, 1, 0, 16, 0, 0, 1, 0, 0))                    // an entry that is not solved
	f.Add(append(binary.LittleEndian.AppendUint64(nil, 2), bytes.Repeat([]byte{255}, 4+8)...)) // more nodes than there are
	f.Fuzz(func(t *testing.T, said []byte) {
		x := proofnumber.NewExchange(newTable(t, 1<<10), 1, 8, 1<<20)
		if err := x.Hear(said); err != nil && !errors.Is(err, proofnumber.ErrHearsay) {
			t.Errorf("%v", err)
		} else if err != nil && x.Others() != 0 {
			t.Errorf("one was heard who said nothing: %v", err)
		}
		x.Say(nil)
		x.Close()
	})
}

// halfway is a game that calls do when the turns of a position are listed for the nth time.
type halfway struct {
	*konane.Game[konane.Word]
	left *int
	do   func()
}

func (g halfway) Turns(dst []konane.Position[konane.Word], p konane.Position[konane.Word]) []konane.Position[konane.Word] {
	if *g.left--; *g.left == 0 {
		g.do()
	}
	return g.Game.Turns(dst, p)
}

// TestALoneWorkerTellsWhereItIs from the beginning: of searches that begin at the same time none
// has heard of another by then.
func TestALoneWorkerTellsWhereItIs(t *testing.T) {
	game, err := konane.New[konane.Word](bitboard.Board{Width: 4, Height: 4}, konane.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	start, _, err := game.Start()
	if err != nil {
		t.Fatal(err)
	}
	table := newTable(t, 1<<16)
	with := proofnumber.NewExchange(table, 1, 1<<12, 1<<20)
	with.SayAll()
	left, keys := 20, uint32(0)
	rules := halfway{game, &left, func() { keys = binary.LittleEndian.Uint32(with.Say(nil)[8:]) }}
	s, err := proofnumber.New(rules, table, proofnumber.Options[konane.Position[konane.Word]]{Exchange: with})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Solve(t.Context(), start, true); err != nil {
		t.Fatal(err)
	}
	if left > 0 || keys == 0 {
		t.Errorf("on %d nodes, %d visits too few", keys, left)
	}
}
