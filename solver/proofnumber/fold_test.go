package proofnumber_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"paika/bitboard"
	"paika/bitboard/breakthrough"
	"paika/bitboard/fanorona"
	"paika/bitboard/konane"
	"paika/bitboard/phutball"
	"paika/solver/checkpoint"
	"paika/solver/proofnumber"
)

// apart is a game whose search takes images for different positions.
type apart[P comparable] struct{ bitboard.Rules[P] }

// picture is a node of a graph or its mirror image.
type picture struct {
	Number   uint16
	Mirrored bool
}

// mirroredGraph is a graph beside its mirror image. Some of its edges cross over to
// the image. Some nodes are their own images: they have every edge twice, to a node
// and to its image.
type mirroredGraph struct {
	*graph
	crosses [][]bool // by node and edge
	central []bool   // by node: its own image
}

func newMirroredGraph(rng *rand.Rand, nodes, degree int) *mirroredGraph {
	g := &mirroredGraph{graph: newGraph(rng, nodes, degree)}
	for _, edges := range g.edges {
		g.central = append(g.central, rng.IntN(8) == 0)
		crosses := make([]bool, len(edges))
		for i := range crosses {
			crosses[i] = rng.IntN(2) == 0
		}
		g.crosses = append(g.crosses, crosses)
	}
	return g
}

func (g *mirroredGraph) Turns(dst []picture, p picture) []picture {
	for i, to := range g.edges[p.Number] {
		q := picture{to.Number, p.Mirrored != g.crosses[p.Number][i]}
		dst = append(dst, g.picture(q))
		if g.central[p.Number] {
			q.Mirrored = !q.Mirrored
			dst = append(dst, g.picture(q))
		}
	}
	return dst
}

// picture is p, or the one picture of a central node.
func (g *mirroredGraph) picture(p picture) picture {
	p.Mirrored = p.Mirrored && !g.central[p.Number]
	return p
}

func (g *mirroredGraph) Ended(p picture) bitboard.Value { return g.ends[p.Number] }

func (g *mirroredGraph) Representative(p picture) picture { return picture{Number: p.Number} }

// Where play goes in circles through a position and its image, every method finds
// what the obvious solver finds, with images folded and without, and what it
// extracts holds for positions as they are.
func TestFoldedAnswersAreRight(t *testing.T) {
	graphs := uint64(20)
	if testing.Short() {
		graphs = 8
	}
	for seed := range graphs {
		rng := rand.New(rand.NewPCG(seed, 5))
		g := newMirroredGraph(rng, 4+rng.IntN(80), 1+rng.IntN(4))
		root := g.picture(picture{Mirrored: true})
		for _, o := range []proofnumber.Options[picture]{
			{}, {Workers: 2}, {Workers: 8}, {Method: proofnumber.PN}, {Method: proofnumber.PN2}, {Seed: 1, Workers: 2},
		} {
			for _, memory := range []struct{ table, sets uint64 }{{1 << 11, 1 << 18}, {1 << 16, 1 << 18}, {1 << 16, 1 << 10}} {
				o.Sets = memory.sets
				t.Run(fmt.Sprintf("graph=%d/%v/workers=%d/table=%d/sets=%d", seed, o.Method, o.Workers, memory.table, memory.sets), func(t *testing.T) {
					testGame(t, g, root, memory.table, o)
					testGame(t, apart[picture]{g}, root, memory.table, o)
				})
			}
		}
	}
}

// A folded search that is stopped again and again goes on from what it saved, and
// comes to the same answer as one with images apart.
func TestFoldedSearchesGoOn(t *testing.T) {
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 6))
		g := newMirroredGraph(rng, 40+rng.IntN(200), 2+rng.IntN(3))
		root := g.picture(picture{Mirrored: true})
		for _, workers := range []int{1, 2, 8} {
			for _, attacker := range []bool{true, false} {
				o := proofnumber.Options[picture]{Workers: workers, Sets: 1 << 20}
				s, err := proofnumber.New(apart[picture]{g}, newTable(t, 1<<18), o)
				if err != nil {
					t.Fatal(err)
				}
				want, err := s.Solve(t.Context(), root, attacker)
				if err != nil {
					t.Fatal(err)
				}
				table, r := newTable(t, 1<<18), proofnumber.Result{}
				var steps []proofnumber.Step[picture]
				for nodes := uint64(4); r.Verdict == proofnumber.Undecided; nodes *= 2 {
					o.Nodes = nodes
					if s, err = proofnumber.New(g, table, o); err != nil {
						t.Fatal(err)
					}
					s.Resume(checkpoint.Header{Nodes: 1})
					steps = steps[:0]
					r, err = s.Extract(t.Context(), root, attacker, func(s proofnumber.Step[picture]) error {
						steps = append(steps, s)
						return nil
					})
					if err != nil || s.Resumed() != 1 {
						t.Fatalf("seed %d: %v, %v, resumed %d", seed, r, err, s.Resumed())
					}
					table = reload(t, table)
				}
				if r.Verdict != want.Verdict {
					t.Fatalf("seed %d, %d workers: %v, want %v", seed, workers, r.Verdict, want.Verdict)
				}
				holds(t, g, root, attacker, r.Verdict, steps)
			}
		}
	}
}

// With lemmas images are apart: what is known of a position is not taken to be known
// of its image, which a certificate would have to prove as well.
func TestALemmaIsAboutOnePosition(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 7))
		g := newMirroredGraph(rng, 60, 4)
		root := picture{}
		for _, attacker := range []bool{true, false} {
			s, err := proofnumber.New(g, newTable(t, 1<<16), proofnumber.Options[picture]{Sets: 1 << 18})
			if err != nil {
				t.Fatal(err)
			}
			whole, err := s.Solve(t.Context(), root, attacker)
			if err != nil {
				t.Fatal(err)
			}
			o := proofnumber.Options[picture]{Sets: 1 << 18}
			for n := uint16(1); n < 60; n++ {
				p, moves := g.picture(picture{n, rng.IntN(2) == 0}), rng.IntN(2) == 0
				r, err := s.Solve(t.Context(), p, moves)
				if err != nil {
					t.Fatal(err)
				}
				if rng.IntN(3) == 0 && r.Verdict == whole.Verdict && len(g.edges[n]) > 0 {
					o.Lemmas = append(o.Lemmas, proofnumber.Lemma[picture]{Position: p, AttackerMoves: moves, Verdict: r.Verdict})
				}
			}
			if s, err = proofnumber.New(g, newTable(t, 1<<16), o); err != nil {
				t.Fatal(err)
			}
			var steps []proofnumber.Step[picture]
			r, err := s.Extract(t.Context(), root, attacker, func(s proofnumber.Step[picture]) error {
				steps = append(steps, s)
				return nil
			})
			if err != nil || r.Verdict != whole.Verdict {
				t.Fatalf("seed %d: %v, %v, want %v", seed, r, err, whole.Verdict)
			}
			holds(t, g, root, attacker, r.Verdict, steps, o.Lemmas...)
		}
	}
}

// Folding comes to the same answers, by one worker and by several, in no more nodes
// of one. The numbers are the fingerprint of the search: a change that moves them is
// to say so.
func TestFoldingSavesNodes(t *testing.T) {
	for _, c := range []struct {
		game, board   string
		apart, folded uint64 // nodes of both questions
		slow          bool
	}{
		{"breakthrough", "3x4", 1136, 708, false},
		{"breakthrough", "4x4", 4412, 3380, false},
		{"breakthrough", "5x4", 19463, 10718, true},
		{"breakthrough", "6x4", 79778, 39383, true},
		{"konane", "4x4", 398, 68, false},
		{"konane", "5x4", 658, 194, false},
		{"konane", "6x4", 2476, 562, false},
		{"konane", "5x5", 14954, 3854, true},
		{"phutball", "3x5", 76, 56, false},
		{"phutball", "5x5", 116, 88, false},
		{"phutball", "5x7", 27561, 13772, true},
		{"fanorona", "3x3", 16, 16, false},
		{"fanorona", "5x3", 168, 168, false},
		{"fanorona", "3x5", 102, 102, false},
		{"fanorona", "7x3", 5312, 5312, true},
		{"fanorona", "3x7", 314, 203, false},
		{"fanorona", "5x5", 137731, 129396, true},
	} {
		t.Run(c.game+" "+c.board, func(t *testing.T) {
			if c.slow && testing.Short() {
				t.Skip("takes seconds")
			}
			board, err := bitboard.ParseBoard(c.board)
			if err != nil {
				t.Fatal(err)
			}
			var apart, folded uint64
			switch c.game {
			case "breakthrough":
				g, err := breakthrough.New(board)
				apart, folded = bothWays(t, g, err, proofnumber.Mobility(g.Count), nil)
			case "konane":
				g, err := konane.New[konane.Word](board, konane.Rules{})
				apart, folded = bothWays(t, g, err, proofnumber.Mobility(g.Count), nil)
			case "phutball":
				g, err := phutball.New(board, phutball.Rules{})
				apart, folded = bothWays(t, g, err, proofnumber.Mobility(g.Count), nil)
			case "fanorona":
				g, err := fanorona.New(board, fanorona.Rules{})
				known := proofnumber.NewMemory(g, tables(t, g, 4))
				apart, folded = bothWays(t, g, err, g.Estimate, known)
			}
			if apart != c.apart || folded != c.folded || folded > apart {
				t.Errorf("%d nodes with images apart, %d folded, want %d and %d", apart, folded, c.apart, c.folded)
			}
		})
	}
}

// bothWays asks both questions of the start, with images apart and folded, and tells
// the nodes that one worker takes.
func bothWays[P comparable](t *testing.T, g bitboard.Game[P], err error, estimate proofnumber.Estimate[P], known proofnumber.Values[P]) (apartNodes, foldedNodes uint64) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	start, _, err := g.Start()
	if err != nil {
		t.Fatal(err)
	}
	ask := func(rules bitboard.Rules[P], workers int, attacker bool) proofnumber.Result {
		o := proofnumber.Options[P]{Tables: known, Estimate: estimate, Workers: workers, Sets: 1 << 24}
		s, err := proofnumber.New(rules, newTable(t, 1<<24), o)
		if err != nil {
			t.Fatal(err)
		}
		var steps []proofnumber.Step[P]
		r, err := s.Extract(t.Context(), start, attacker, func(s proofnumber.Step[P]) error {
			steps = append(steps, s)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if known == nil {
			holds(t, rules, start, attacker, r.Verdict, steps)
		}
		return r
	}
	for _, attacker := range []bool{true, false} {
		want := ask(apart[P]{g}, 1, attacker)
		apartNodes += want.Nodes
		for _, workers := range []int{1, 2, 8} {
			got := ask(g, workers, attacker)
			if got.Verdict != want.Verdict {
				t.Errorf("%d workers: %v, want %v", workers, got.Verdict, want.Verdict)
			}
			if workers == 1 {
				foldedNodes += got.Nodes
			}
		}
	}
	return apartNodes, foldedNodes
}

// Of Breakthrough's first turns some are mirror images of others. Where one of two is
// solved, so is the other, and what was searched below one is told of both.
func TestMirroredOpeningsAreSearchedOnce(t *testing.T) {
	g, start, side := newBreakthrough(t, 3, 5)
	search := func() *proofnumber.Search[breakthrough.Position] {
		s, err := proofnumber.New(g, newTable(t, 1<<24), proofnumber.Options[breakthrough.Position]{})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := search()
	var results []proofnumber.Result
	for _, text := range []string{"a2-a3", "c2-c3"} {
		turn, err := g.ParseTurn(start, side, text)
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Solve(t.Context(), turn.To, false)
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, r)
	}
	if a, c := results[0], results[1]; c.Verdict != a.Verdict || a.Nodes < 1000 || c.Nodes != 1 {
		t.Errorf("a2-a3: %v, c2-c3: %v; want the same after one node", a, c)
	}

	s = search()
	if _, err := s.Solve(t.Context(), start, true); err != nil {
		t.Fatal(err)
	}
	seen := make(map[breakthrough.Position]proofnumber.Opening[breakthrough.Position])
	for _, o := range s.Openings(start, true) {
		r := g.Representative(o.To)
		first, found := seen[r]
		if o.To = r; found && o != first {
			t.Errorf("%v and its image %v have different figures", o, first)
		}
		seen[r] = o
	}
	if len(seen) != 4 {
		t.Errorf("%d turns up to symmetry, want 4", len(seen))
	}
}
