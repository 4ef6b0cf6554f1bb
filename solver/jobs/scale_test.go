package jobs_test

import (
	"container/heap"
	"fmt"
	"testing"

	"paika/bitboard"
	"paika/bitboard/konane"
	"paika/solver/jobs"
	"paika/solver/proofnumber"
)

// BenchmarkScale replays a question with 4 to 256 simulated workers in simulated time:
// the tree and its schedule are the real ones, and so is every search, but a job takes as
// many units of time as it visits nodes. Sixteen workers share a table, as those of one
// process do. It reports the speed-up over one worker, the nodes that all jobs take
// against those of one worker, and the part of the time that workers are idle.
//
// The question is whether the first player wins Konane on 6x5, in jobs of at most 2,000
// nodes, so that a run takes seconds.
func BenchmarkScale(b *testing.B) {
	board := bitboard.Board{Width: 6, Height: 5}
	game, err := konane.New[konane.Word](board, konane.Rules{})
	if err != nil {
		b.Fatal(err)
	}
	root, _, err := game.Start()
	if err != nil {
		b.Fatal(err)
	}
	players := game.ByPlayers()
	one := simulate(b, players, root, 1)
	b.Logf("one worker: %d nodes, %d jobs, %v", one.nodes, one.jobs, one.verdict)
	for _, workers := range []int{4, 16, 64, 256} {
		b.Run(fmt.Sprint(workers), func(b *testing.B) {
			var got simulated
			for range b.N {
				got = simulate(b, players, root, workers)
			}
			if got.verdict != one.verdict {
				b.Fatalf("%v, with one worker %v", got.verdict, one.verdict)
			}
			b.ReportMetric(float64(one.time)/float64(got.time), "speedup")
			b.ReportMetric(float64(got.nodes)/float64(one.nodes), "nodes/one")
			b.ReportMetric(100-100*float64(got.nodes)/float64(got.time)/float64(workers), "%idle")
			b.ReportMetric(float64(got.jobs), "jobs")
		})
	}
}

// simulated is what came of a simulation.
type simulated struct {
	verdict proofnumber.Verdict
	time    uint64 // in nodes
	nodes   uint64
	jobs    int
}

// A flight is a job that comes back at a time.
type flight[P comparable] struct {
	at     uint64
	number int // of jobs that come back together, the first that was given out is first
	worker int
	node   jobs.Node[P]
	answer jobs.Answer
}

type flights[P comparable] []flight[P]

func (f flights[P]) Len() int { return len(f) }
func (f flights[P]) Less(i, j int) bool {
	return f[i].at < f[j].at || f[i].at == f[j].at && f[i].number < f[j].number
}
func (f flights[P]) Swap(i, j int) { f[i], f[j] = f[j], f[i] }
func (f *flights[P]) Push(x any)   { *f = append(*f, x.(flight[P])) }
func (f *flights[P]) Pop() any {
	last := (*f)[len(*f)-1]
	*f = (*f)[:len(*f)-1]
	return last
}

// So many simulated workers share a table of that many bytes.
const (
	sharing    = 16
	tableBytes = 1 << 24
)

// simulate answers a question whether the side to move wins.
func simulate[P comparable](b *testing.B, game bitboard.Game[P], root P, workers int) (s simulated) {
	b.Helper()
	tree := jobs.New(jobs.Node[P]{Position: root, AttackerMoves: true}, jobs.Options[P]{Rules: game, Least: 200, Most: 2000})
	var out flights[P]
	var idle []int
	tables := make([]*proofnumber.Table, (workers+sharing-1)/sharing)
	for i := range tables {
		var err error
		if tables[i], err = proofnumber.NewFullTable(tableBytes); err != nil {
			b.Fatal(err)
		}
		defer tables[i].Close()
	}
	for i := range workers {
		idle = append(idle, i)
	}
	for tree.Verdict() == proofnumber.Undecided {
		for len(idle) > 0 {
			job, found := tree.Next()
			if !found {
				break
			}
			worker := idle[0]
			idle = idle[1:]
			answer := search(b, game, tables[worker/sharing], job)
			s.jobs++
			heap.Push(&out, flight[P]{s.time + answer.Nodes, s.jobs, worker, job.Node, answer})
		}
		if tree.Verdict() != proofnumber.Undecided {
			break
		}
		next := heap.Pop(&out).(flight[P])
		s.time = next.at
		s.nodes += next.answer.Nodes
		idle = append(idle, next.worker)
		tree.Answer(next.node, next.answer)
	}
	s.verdict = tree.Verdict()
	return s
}

// search does a job.
func search[P comparable](b *testing.B, game bitboard.Game[P], table *proofnumber.Table, job jobs.Job[P]) jobs.Answer {
	b.Helper()
	search, err := proofnumber.New(game, table, proofnumber.Options[P]{Nodes: job.Nodes, Sets: 1 << 22})
	if err != nil {
		b.Fatal(err)
	}
	r, err := search.Solve(b.Context(), job.Position, job.AttackerMoves)
	if err != nil {
		b.Fatal(err)
	}
	answer := jobs.Answer{Verdict: r.Verdict, Nodes: r.Nodes}
	if r.Verdict == proofnumber.Undecided {
		for _, o := range search.Openings(job.Position, job.AttackerMoves) {
			n := jobs.Numbers{Proof: o.Proof, Disproof: o.Disproof}
			switch o.Verdict {
			case proofnumber.Proved:
				n = jobs.Numbers{Proof: 1, Disproof: 1 << 20}
			case proofnumber.Refuted:
				n = jobs.Numbers{Proof: 1 << 20, Disproof: 1}
			}
			answer.Turns = append(answer.Turns, n)
		}
	}
	return answer
}
