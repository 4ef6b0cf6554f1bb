package jobs_test

import (
	"runtime"
	"testing"
	"time"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/solver/jobs"
	"paika/solver/proofnumber"
)

// BenchmarkMemory measures the memory of a tree that has a million vertices, and the time
// to give a job of it out and take its answer up. All jobs come back undecided.
func BenchmarkMemory(b *testing.B) {
	game, err := fanorona.New(bitboard.Board{Width: 9, Height: 5}, fanorona.Rules{})
	if err != nil {
		b.Fatal(err)
	}
	root, _, err := game.Start()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		before, began := allocated(), time.Now()
		tree := jobs.New(jobs.Node[fanorona.Position]{Position: root, AttackerMoves: true}, jobs.Options[fanorona.Position]{
			Rules: game, Estimate: proofnumber.Estimate[fanorona.Position](game.Estimate),
		})
		given := 0
		for ; tree.Size() < 1_000_000; given++ {
			job, found := tree.Next(1)
			if !found {
				b.Fatal("no job is to be had")
			}
			tree.Answer(job.Node, jobs.Answer{Nodes: 1000})
		}
		b.ReportMetric(float64(time.Since(began).Microseconds())/float64(given), "µs/job")
		b.ReportMetric(float64(allocated()-before)/float64(tree.Size()), "bytes/vertex")
		runtime.KeepAlive(tree)
	}
}

// allocated is the memory in use.
func allocated() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestNumbersOfTurnsAreKeptAsLongAsTheyMatter: of a node that is decided they go, but for the root's, by which its
// openings are told.
func TestNumbersOfTurnsAreKeptAsLongAsTheyMatter(t *testing.T) {
	for _, at := range []struct {
		node
		decided int // kept once it is
	}{{node{0, true}, 2}, {node{1, false}, 0}} {
		tree := jobs.New(node{0, true}, jobs.Options[int]{Rules: star()})
		for _, step := range []struct {
			does jobs.Answer
			want int
		}{
			{jobs.Answer{Turns: turnsOf(4, 5)}, 2},
			{jobs.Answer{Turns: turnsOf(4, 5)[:1]}, 1},
			{jobs.Answer{}, 1},
			{jobs.Answer{Turns: turnsOf(4, 5), Verdict: proofnumber.Refuted}, at.decided},
			{jobs.Answer{Turns: turnsOf(4, 5)}, at.decided},
		} {
			tree.Answer(at.node, step.does)
			if nodes, turns := tree.Told(); nodes != 1 || turns != step.want {
				t.Errorf("%v, %+v: %d nodes with %d turns are known, want 1 with %d", at.node, step.does, nodes, turns, step.want)
			}
		}
	}
}
