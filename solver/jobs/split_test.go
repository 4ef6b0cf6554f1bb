package jobs_test

import (
	"math/rand/v2"
	"testing"

	"paika/solver/jobs"
)

// TestTheSizeIsTheNumberOfVertices that the root leads to, whatever is answered: what a verdict
// lets go of is counted no more.
func TestTheSizeIsTheNumberOfVertices(t *testing.T) {
	shrinks := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 9))
		g := wanderer(r)
		c := &crew{random: r, game: g, won: g.won(), decides: 5}
		tree := jobs.New(node{0, true}, jobs.Options[int]{Rules: g, Least: 1, Most: 1000})
		for job, found := tree.Next(1); found; job, found = tree.Next(1) {
			before := tree.Size()
			tree.Answer(job.Node, c.answer(job.Node))
			if got, want := tree.Size(), tree.Reached(); got != want {
				t.Fatalf("seed %d: %d vertices, want %d", seed, got, want)
			}
			if tree.Size() < before {
				shrinks++
			}
		}
	}
	if shrinks == 0 {
		t.Error("no answer made a tree smaller")
	}
}

// TestNumbersOfOtherTurnsAreNotUsed: an answer with more or fewer of them than there are turns
// has a leaf be split as one without any.
func TestNumbersOfOtherTurnsAreNotUsed(t *testing.T) {
	for _, count := range []int{1, 3} {
		tree := jobs.New(node{0, true}, jobs.Options[int]{Rules: star(), Least: 8, Most: 100})
		var told []jobs.Turn
		for _, n := range []jobs.Numbers{{Proof: 900, Disproof: 900}, {Proof: 2, Disproof: 1}, {Proof: 1, Disproof: 1}}[:count] {
			told = append(told, jobs.Turn{Numbers: n, Nodes: 1})
		}
		tree.Answer(tree.Root(), jobs.Answer{Nodes: 100, Turns: told})
		for i, o := range tree.Openings() {
			if o.Numbers != (jobs.Numbers{}) || o.Nodes != 0 || !o.Untold {
				t.Errorf("%d numbers: turn %d has %+v, want none", count, i, o)
			}
		}
		if job, found := tree.Next(1); !found || job.Node != (node{1, false}) {
			t.Errorf("%d numbers: a job of %v, %v, want one behind the first turn", count, job, found)
		}
	}
}
