package jobs_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"paika/bitboard"
	"paika/solver/jobs"
	"paika/solver/proofnumber"
)

// wide is a graph some of whose positions have more turns than may be listed. Who lists them fails
// the test.
type wide struct {
	*graph
	t    *testing.T
	most int
}

func (w wide) MoreTurnsThan(p, most int) bool { return len(w.turns[p]) > most }
func (w wide) CountTo(p, most int) int        { return min(len(w.turns[p]), most) }

func (w wide) Turns(dst []int, p int) []int {
	if len(w.turns[p]) > w.most {
		w.t.Errorf("%d turns of %d are listed: want %d at most", len(w.turns[p]), p, w.most)
	}
	return w.graph.Turns(dst, p)
}

// TestATreeThatHangsOnTooManyTurnsIsStuck, and says on which position; an answer about that has it
// go on.
func TestATreeThatHangsOnTooManyTurnsIsStuck(t *testing.T) {
	// The attacker at 0 goes to 1, which has too many turns, or to 2, from where the defender
	// reaches a draw at 3.
	g := &graph{turns: [][]int{{1, 2}, {4, 4, 4}, {3}, nil, nil}, ends: make([]bitboard.Value, 5)}
	g.ends[3], g.ends[4] = bitboard.Draw, bitboard.Win
	tree := jobs.New(node{0, true}, jobs.Options[int]{Rules: wide{g, t, 2}, Turns: 2, Least: 1})
	asked := make(map[int]int)
	for job, found := tree.Next(1); found; job, found = tree.Next(1) {
		asked[job.Position]++
		tree.Answer(job.Node, jobs.Answer{Smaller: true})
	}
	var many *bitboard.TooManyTurnsError[int]
	if err := tree.Stuck(); !errors.As(err, &many) || *many != (bitboard.TooManyTurnsError[int]{Position: 1, Other: true, Most: 2}) {
		t.Errorf("%v, %+v: want that 1 has too many turns", err, many)
	}
	if tree.Verdict() != proofnumber.Undecided || asked[0] != 1 || asked[1] != 1 || asked[2] != 1 {
		t.Errorf("%v, jobs %v: want none, after one each of 0, 1 and 2", tree.Verdict(), asked)
	}
	tree.Answer(node{1, false}, jobs.Answer{Verdict: proofnumber.Proved})
	if tree.Stuck() != nil || tree.Verdict() != proofnumber.Proved {
		t.Errorf("%v, %v: want proved", tree.Verdict(), tree.Stuck())
	}
	if steps, parts := tree.Support(); len(steps) != 1 || len(parts) != 1 {
		t.Errorf("it rests on %v and %v", steps, parts)
	}
}

// TestARootWithTooManyTurnsIsNotListed, whatever is asked.
func TestARootWithTooManyTurnsIsNotListed(t *testing.T) {
	g := &graph{turns: [][]int{{1, 1, 1}, nil}, ends: make([]bitboard.Value, 2)}
	tree := jobs.New(node{0, true}, jobs.Options[int]{Rules: wide{g, t, 2}, Turns: 2})
	if len(tree.Openings()) != 0 || tree.Stuck() != nil {
		t.Errorf("%v, %v", tree.Openings(), tree.Stuck())
	}
	tree.Answer(tree.Root(), jobs.Answer{Smaller: true})
	if job, found := tree.Next(1); found || !errors.Is(tree.Stuck(), bitboard.ErrTooManyTurns) {
		t.Errorf("%v, %v", job, tree.Stuck())
	}
}

// TestNoVerdictRestsOnPositionsWithTooManyTurns, whatever the graph and the answers.
func TestNoVerdictRestsOnPositionsWithTooManyTurns(t *testing.T) {
	const most = 2
	stuck, count := 0, make(map[proofnumber.Verdict]int)
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 8))
		g := randomGraph(r, 6+r.IntN(8))
		won := g.won()
		root := node{0, r.IntN(2) == 0}
		tree := jobs.New(root, jobs.Options[int]{Rules: wide{g, t, most}, Turns: most, Least: 1})
		for rounds := 0; ; rounds++ {
			job, found := tree.Next(1)
			if !found {
				break
			}
			if rounds > 100_000 {
				t.Fatalf("seed %d: the tree comes to no end", seed)
			}
			tree.Answer(job.Node, jobs.Answer{Smaller: true})
		}
		count[tree.Verdict()]++
		if tree.Verdict() == proofnumber.Undecided {
			if stuck++; !errors.Is(tree.Stuck(), bitboard.ErrTooManyTurns) {
				t.Fatalf("seed %d: undecided, %v", seed, tree.Stuck())
			}
			continue
		}
		if got, want := tree.Verdict(), verdict(won[root]); got != want {
			t.Fatalf("seed %d: %v, want %v", seed, got, want)
		}
		checkSupport(t, &crew{game: g, won: won}, tree)
	}
	if len(count) != 3 {
		t.Errorf("%v: want all three", count)
	}
}
