package jobs_test

import (
	"fmt"
	"testing"

	"paika/bitboard"
	"paika/bitboard/konane"
	"paika/solver/jobs"
	"paika/solver/proofnumber"
)

// BenchmarkScale replays a question with 4 to 256 simulated workers in simulated time:
// the tree and its schedule are the real ones, and so is every search. All of them go on
// side by side, a few positions at a time, so that nobody knows what another one will find
// out. Time is counted in positions whose turns are listed: of searches, of sets that
// settle, and of parts that are put together. Messages and checks take none.
//
// A worker is a team that searches as one. It has a table of its own, or sixteen share one,
// as the teams of one process do. Reported
// are the speed-up over one search without jobs that puts its proof together, the work of
// all jobs against that of the one, the part of it that putting parts together took, and
// the time that workers were idle.
//
// The question is whether the first player wins Konane on a board: half a million nodes on
// 6x5, one and a half on 5x7, six on 6x6. Jobs are small enough for so many workers; with
// the least size that jobs have by default they are for larger questions.
func BenchmarkScale(b *testing.B) {
	for _, size := range []struct {
		board bitboard.Board
		least uint64
	}{
		{bitboard.Board{Width: 6, Height: 5}, 1000},
		{bitboard.Board{Width: 5, Height: 7}, 2000},
		{bitboard.Board{Width: 6, Height: 6}, 200_000},
	} {
		b.Run(size.board.String(), func(b *testing.B) {
			q := konaneOn(b, size.board)
			q.least = size.least
			one, verdict := q.atOnce(b)
			for _, sharing := range []int{1, 16} {
				for _, workers := range []int{2, 4, 16, 64, 256} {
					b.Run(fmt.Sprintf("sharing=%d/workers=%d", sharing, workers), func(b *testing.B) {
						for b.Loop() {
							s := newSimulation(b, q, workers, sharing)
							s.run(b)
							if got := s.tree.Verdict(); got != verdict {
								b.Fatalf("%v, at once %v", got, verdict)
							}
							s.report(b, one)
						}
					})
				}
			}
		})
	}
}

// A position of Konane on small boards, and the game with all that a search asks of it.
type (
	stones  = konane.Position[konane.Word]
	players = konane.ByPlayers[konane.Word]
)

// A question is whether the side to move wins.
type question struct {
	game  players
	root  stones
	least uint64 // nodes of a job
}

func konaneOn(b *testing.B, board bitboard.Board) question {
	b.Helper()
	game, err := konane.New[konane.Word](board, konane.Rules{})
	if err != nil {
		b.Fatal(err)
	}
	q := question{game: players{Game: game}}
	if q.root, _, err = q.game.Start(); err != nil {
		b.Fatal(err)
	}
	return q
}

// atOnce answers the question by one search, and tells the time.
func (q question) atOnce(b *testing.B) (time uint64, v proofnumber.Verdict) {
	b.Helper()
	table := newTable(b, 1<<28)
	defer table.Close()
	turns := &pace{left: never}
	search, err := proofnumber.New(paced{q.game, turns}, table, proofnumber.Options[stones]{})
	if err != nil {
		b.Fatal(err)
	}
	r, err := search.Extract(b.Context(), q.root, true, func(proofnumber.Step[stones]) error { return nil })
	if err != nil {
		b.Fatal(err)
	}
	b.Logf("at once: %d nodes, time %d, %v", r.Nodes, turns.taken, r.Verdict)
	return turns.taken, r.Verdict
}

// newTable has its size from the beginning, since searches share it.
func newTable(b *testing.B, bytes uint64) *proofnumber.Table {
	b.Helper()
	table, err := proofnumber.NewFullTable(bytes)
	if err != nil {
		b.Fatal(err)
	}
	return table
}

// paced is the game for a search that goes on only as far as it may.
type paced struct {
	players
	*pace
}

func (g paced) Turns(dst []stones, p stones) []stones {
	g.step()
	return g.players.Turns(dst, p)
}

// never is when a search pauses that nobody waits for.
const never = 1 << 62

// pace lets one search go on for a time, and counts it.
type pace struct {
	left   int // that it may take now
	taken  uint64
	paused chan bool // told false at a pause, true at the end
	resume chan struct{}
}

func (p *pace) step() {
	if p.left == 0 {
		p.paused <- false
		<-p.resume
	}
	p.left--
	p.taken++
}

// A lane is a simulated worker.
type lane struct {
	pace
	table  *proofnumber.Table
	busy   bool
	job    jobs.Job[stones]
	answer jobs.Answer
	shown  uint64 // time that it took to put parts together
	err    error
}

// begin starts a job.
func (l *lane) begin(b *testing.B, q question, job jobs.Job[stones]) {
	l.job, l.busy = job, true
	go func() {
		l.answer, l.err = l.do(b, q)
		l.paused <- true
	}()
}

// do does the job as a worker of a hub does it.
func (l *lane) do(b *testing.B, q question) (a jobs.Answer, err error) {
	search, err := proofnumber.New(paced{q.game, &l.pace}, l.table, proofnumber.Options[stones]{Nodes: l.job.Nodes, Sets: setBytes})
	if err != nil {
		return a, err
	}
	r, err := search.Solve(b.Context(), l.job.Position, l.job.AttackerMoves)
	if err != nil {
		return a, err
	}
	a = jobs.Answer{Verdict: r.Verdict, Nodes: r.Nodes}
	if r.Verdict == proofnumber.Undecided {
		for _, o := range search.Openings(l.job.Position, l.job.AttackerMoves) {
			a.Turns = append(a.Turns, told(o))
		}
		return a, nil
	}
	before := l.taken
	whole, err := proofnumber.New(paced{q.game, &l.pace}, l.table, proofnumber.Options[stones]{Sets: setBytes})
	if err != nil {
		return a, err
	}
	r, err = whole.Extract(b.Context(), l.job.Position, l.job.AttackerMoves, func(proofnumber.Step[stones]) error { return nil })
	a.Nodes += r.Nodes
	l.shown += l.taken - before
	return a, err
}

// told are the numbers behind a turn. What is believed is the best to look at next.
func told(o proofnumber.Opening[stones]) jobs.Numbers {
	switch o.Verdict {
	case proofnumber.Proved:
		return jobs.Numbers{Proof: 1, Disproof: 1 << 20}
	case proofnumber.Refuted:
		return jobs.Numbers{Proof: 1 << 20, Disproof: 1}
	}
	return jobs.Numbers{Proof: o.Proof, Disproof: o.Disproof}
}

// The tables of all workers together, and what a set may take.
const (
	tableBytes = 1 << 30
	setBytes   = 1 << 26
)

// quantum is the time for which one lane goes on before the next does.
const quantum = 64

// simulation is a question at work.
type simulation struct {
	question
	tree    *jobs.Tree[stones]
	lanes   []*lane
	sharing int // lanes that share a table
	time    uint64
	jobs    int
}

func newSimulation(b *testing.B, q question, workers, sharing int) *simulation {
	b.Helper()
	s := &simulation{question: q, sharing: sharing, tree: jobs.New(jobs.Node[stones]{Position: q.root, AttackerMoves: true}, jobs.Options[stones]{Rules: q.game, Least: q.least})}
	for i := range workers {
		l := &lane{pace: pace{paused: make(chan bool), resume: make(chan struct{})}}
		if i%sharing == 0 {
			l.table = newTable(b, tableBytes/uint64((workers+sharing-1)/sharing))
		} else {
			l.table = s.lanes[i-1].table
		}
		s.lanes = append(s.lanes, l)
	}
	return s
}

// run comes to a verdict. Then all stop.
func (s *simulation) run(b *testing.B) {
	b.Helper()
	for s.tree.Verdict() == proofnumber.Undecided {
		s.time += quantum
		for _, l := range s.lanes {
			s.goOn(b, l)
		}
	}
	for _, l := range s.lanes {
		l.finish()
	}
	for i := 0; i < len(s.lanes); i += s.sharing {
		s.lanes[i].table.Close()
	}
}

// goOn lets a lane work for a quantum, on one job after the other.
func (s *simulation) goOn(b *testing.B, l *lane) {
	b.Helper()
	for l.left = quantum; l.left > 0 && s.tree.Verdict() == proofnumber.Undecided; {
		if l.busy {
			l.resume <- struct{}{}
		} else {
			job, found := s.tree.Next(len(s.lanes))
			if !found {
				return
			}
			s.jobs++
			l.begin(b, s.question, job)
		}
		if ended := <-l.paused; ended {
			l.busy = false
			if l.err != nil {
				b.Fatal(l.err)
			}
			s.tree.Answer(l.job.Node, l.answer)
		}
	}
}

// finish lets a job end that nobody waits for any more, outside of time.
func (l *lane) finish() {
	if l.busy {
		taken := l.taken
		l.left = never
		l.resume <- struct{}{}
		<-l.paused
		l.taken = taken
	}
}

// report tells of the simulation against the time of one search.
func (s *simulation) report(b *testing.B, one uint64) {
	work, shown := uint64(0), uint64(0)
	for _, l := range s.lanes {
		work += l.taken
		shown += l.shown
	}
	b.ReportMetric(float64(one)/float64(s.time), "speedup")
	b.ReportMetric(float64(work)/float64(one), "work/one")
	b.ReportMetric(100*float64(shown)/float64(work), "%parts")
	b.ReportMetric(100-100*float64(work)/float64(s.time)/float64(len(s.lanes)), "%idle")
	b.ReportMetric(float64(s.jobs), "jobs")
}
