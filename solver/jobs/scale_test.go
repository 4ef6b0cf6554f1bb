package jobs_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"paika/bitboard"
	"paika/bitboard/konane"
	"paika/solver/jobs"
	"paika/solver/mobility"
	"paika/solver/proofnumber"
)

var (
	scale  = flag.Bool("scale", false, "simulate many workers, which takes minutes")
	guided = flag.Bool("guided", false, "simulate searches by the estimate that those of Konane have, which is discerning")
	record = flag.String("record", "", "write what was simulated to a `FILE`, for scripts/results")
)

// TestScale replays a question with up to 256 simulated lanes in simulated time: the tree
// and its schedule are the real ones, and so is every search. All of them go on side by
// side, a position at a time, so that nobody knows what another one will find out. Time is
// counted in positions whose turns are listed: of searches, of sets that settle, and of
// parts that are put together. Messages and checks take none.
//
// A worker is a team, whose lanes search one job together by parallel df-pn, as those of a
// real one do: each lists the turns of a position in turn. It has a table of its own, and an
// exchange with the others, who speak every 200 positions of a lane, and are heard 200
// positions later. Told are the speed-up over one search by one lane, without jobs, that puts
// its proof together, the work of all jobs against that of the one, the part of it that
// putting parts together took, the time that lanes were idle, and how much was said. While a
// team puts a part together all others stop.
//
// Luck makes single runs differ by half and more. So there are three of each, by seeds that
// put turns in other orders.
//
// The question is whether the first player wins Konane on a board: half a million nodes on
// 6x5, one and a half on 5x7, six on 6x6, and 149 on 5x8, where a run takes half an hour. With
// -guided it takes fewer: 0.3 million on 5x7, and 1.4 on 6x6.
func TestScale(t *testing.T) {
	if !*scale {
		t.Skip("it takes minutes: want -scale")
	}
	var all recorded
	for _, board := range []bitboard.Board{{Width: 6, Height: 5}, {Width: 5, Height: 7}, {Width: 6, Height: 6}, {Width: 5, Height: 8}} {
		q := konaneOn(t, board)
		q.least = undivided
		if *guided {
			q = q.asProved()
		}
		known := map[uint64]alone{} // by seed
		for _, of := range []fleet{{1, 1}, {1, 4}, {1, 8}, {1, 16}, {1, 32}, {1, 64}, {2, 2}, {2, 8}, {4, 4}, {2, 32}, {4, 16}, {8, 8}, {64, 1}, {4, 64}, {16, 16}} {
			for q.seed = range uint64(3) {
				t.Run(fmt.Sprintf("%v/%v/seed=%d", board, of, q.seed), func(t *testing.T) {
					one, found := known[q.seed]
					if !found {
						one.time, one.verdict = q.atOnce(t)
						known[q.seed] = one
					}
					s := simulated(t, q, of)
					if got := s.tree.Verdict(); got != one.verdict {
						t.Fatalf("%v, at once %v", got, one.verdict)
					}
					s.report(t, one.time)
					all.add(board, of, s.gains(one.time))
				})
			}
		}
	}
	if t.Failed() { // and there is less than all
		return
	}
	if err := all.write(*record); err != nil {
		t.Fatal(err)
	}
}

// alone is what one search by one lane took, and found.
type alone struct {
	time    uint64
	verdict proofnumber.Verdict
}

// recorded is what was simulated, as benchmarks/results has it.
type recorded []*recordedFleet

type recordedFleet struct {
	Question string  `json:"question"`
	Teams    int     `json:"teams"`
	Lanes    int     `json:"lanes"` // of a team
	Runs     []gains `json:"runs"`
}

// gains are those of a run over one search by one lane.
type gains struct {
	SpeedUp float64 `json:"speed_up"`
	Work    float64 `json:"work"`
}

func (r *recorded) add(board bitboard.Board, of fleet, g gains) {
	question := fmt.Sprintf("konane on %v, does the first player win", board)
	if *guided {
		question += ", guided"
	}
	at := slices.IndexFunc(*r, func(f *recordedFleet) bool {
		return f.Question == question && f.Teams == of.teams && f.Lanes == of.lanes
	})
	if at < 0 {
		at = len(*r)
		*r = append(*r, &recordedFleet{Question: question, Teams: of.teams, Lanes: of.lanes})
	}
	(*r)[at].Runs = append((*r)[at].Runs, g)
}

func (r recorded) write(path string) error {
	if path == "" {
		return nil
	}
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o666)
}

// undivided is more nodes than any question here takes: all is one job.
const undivided = 100_000_000

// TestASimulationIsRepeatable: all that it tells is a matter of the question.
func TestASimulationIsRepeatable(t *testing.T) {
	q := konaneOn(t, bitboard.Board{Width: 4, Height: 4})
	q.least = 10
	_, verdict := q.atOnce(t)
	for _, of := range []fleet{{1, 3}, {3, 2}} {
		first, again := simulated(t, q, of), simulated(t, q, of)
		if first.tree.Verdict() != verdict || again.time != first.time || again.jobs != first.jobs || again.tree.Nodes() != first.tree.Nodes() {
			t.Errorf("%v: %v in %d, %d jobs of %d nodes; and %v in %d, %d jobs of %d", of, first.tree.Verdict(), first.time, first.jobs, first.tree.Nodes(),
				again.tree.Verdict(), again.time, again.jobs, again.tree.Nodes())
		}
	}
}

// TestLanesOfATeamDifferInWhatTheyDo: lanes in step, which begin over a table that the job
// before has filled, do not all take the same turns. Eight that do take eight times the
// nodes of one.
func TestLanesOfATeamDifferInWhatTheyDo(t *testing.T) {
	q := konaneOn(t, bitboard.Board{Width: 5, Height: 5})
	q.least = 1000
	one, _ := q.atOnce(t)
	s := simulated(t, q, fleet{1, 8})
	if s.work > 2*one {
		t.Errorf("%d jobs took %d, a search at one go %d", s.jobs, s.work, one)
	}
}

// TestManyLanesOfATeamTakeLittleMoreWorkThanOne: 64 take twice as much where each goes on
// below a node that the others' finds have made worse than its rivals, or where numbers seem
// no higher for the lanes behind a node that has cost some work.
func TestManyLanesOfATeamTakeLittleMoreWorkThanOne(t *testing.T) {
	s, one := onSixByFive(t, fleet{1, 64})
	if s.work > 8*one/5 {
		t.Errorf("64 lanes took %d, one %d", s.work, one)
	}
}

// TestTeamsTakePartInWhatOthersFindOut: four that do not take nearly four times the work of
// one, since all search the same.
func TestTeamsTakePartInWhatOthersFindOut(t *testing.T) {
	s, one := onSixByFive(t, fleet{4, 2})
	if s.work > 5*one/2 || s.said == 0 {
		t.Errorf("it took %d, with %d bytes said, a search at one go %d", s.work, s.said, one)
	}
}

// TestADiscerningEstimateSavesWork: teams of one lane, by detours, and of eight, by following the same
// turn where one is enough. Without, four of one lane take two and a half times the work of one.
func TestADiscerningEstimateSavesWork(t *testing.T) {
	if testing.Short() {
		t.Skip("four million nodes")
	}
	q := konaneOn(t, bitboard.Board{Width: 5, Height: 7})
	q.least = undivided
	q = q.asProved()
	for _, c := range []struct {
		fleet
		seed uint64
	}{{fleet{4, 1}, 0}, {fleet{2, 8}, 1}} {
		q.seed, q.discerning = c.seed, true
		with := simulated(t, q, c.fleet).work
		q.discerning = false
		if without := simulated(t, q, c.fleet).work; with > without*4/5 {
			t.Errorf("%v: it took %d with a discerning estimate, %d without", c.fleet, with, without)
		}
	}
}

// onSixByFive has a fleet answer a question of half a million nodes, and tells the time of one
// search by one lane.
func onSixByFive(t *testing.T, of fleet) (s *simulation, one uint64) {
	t.Helper()
	if testing.Short() {
		t.Skip("half a million nodes")
	}
	q := konaneOn(t, bitboard.Board{Width: 6, Height: 5})
	q.least = undivided
	one, _ = q.atOnce(t)
	return simulated(t, q, of), one
}

// fleet is who is at work.
type fleet struct {
	teams, lanes int // lanes of a team
}

func (f fleet) String() string {
	return fmt.Sprintf("teams=%d/lanes=%d", f.teams, f.lanes)
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
	seed  uint64 // of the order of turns

	estimate   proofnumber.Estimate[stones] // nil where turns are counted
	discerning bool
}

func konaneOn(t testing.TB, board bitboard.Board) question {
	t.Helper()
	game, err := konane.New[konane.Word](board, konane.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	q := question{game: players{Game: game}}
	if q.root, _, err = q.game.Start(); err != nil {
		t.Fatal(err)
	}
	return q
}

// asProved is the question as paika prove has it searched.
func (q question) asProved() question {
	q.estimate, q.discerning = mobility.Estimate(q.game.Game), true
	return q
}

// atOnce answers the question by one search, and tells the time.
func (q question) atOnce(t testing.TB) (time uint64, v proofnumber.Verdict) {
	t.Helper()
	table := newTable(t, 1<<28)
	defer table.Close()
	lone := &team{free: true}
	search, err := proofnumber.New(paced{q.game, lone}, table, proofnumber.Options[stones]{Seed: q.seed, Estimate: q.estimate})
	if err != nil {
		t.Fatal(err)
	}
	r, err := search.Extract(t.Context(), q.root, true, func(proofnumber.Step[stones]) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("at once: %d nodes, time %d, %v", r.Nodes, lone.taken, r.Verdict)
	return lone.taken, r.Verdict
}

// newTable has its size from the beginning, since searches share it.
func newTable(t testing.TB, bytes uint64) *proofnumber.Table {
	t.Helper()
	table, err := proofnumber.NewFullTable(bytes)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// paced is the game for a search whose lanes go on in turn.
type paced struct {
	players
	*team
}

func (g paced) Turns(dst []stones, p stones) []stones {
	g.step()
	return g.players.Turns(dst, p)
}

// A team is a simulated worker: lanes that search one job together.
type team struct {
	lanes int
	table *proofnumber.Table
	with  *proofnumber.Exchange
	busy  bool
	job   jobs.Job[stones]

	mutex   sync.Mutex
	free    bool            // nobody waits any more
	waiting []chan struct{} // lanes that are to list turns, in the order in which they came
	taken   uint64
	shows   bool // it puts a part together
	ended   bool // the job
	answer  jobs.Answer
	shown   uint64 // time that it took to put parts together
	err     error
}

// step waits until a lane may list turns.
func (m *team) step() {
	m.mutex.Lock()
	m.taken++
	if m.free {
		m.mutex.Unlock()
		return
	}
	turn := make(chan struct{})
	m.waiting = append(m.waiting, turn)
	m.mutex.Unlock()
	<-turn
}

// round has all lanes that wait go on, one after the other, until each is at its next step.
func (m *team) round() {
	m.mutex.Lock()
	waiting := m.waiting
	m.waiting = nil
	m.mutex.Unlock()
	for _, turn := range waiting {
		close(turn)
		synctest.Wait()
	}
}

// begin starts a job, until its lanes are at their first step or it has ended.
func (m *team) begin(t testing.TB, q question, job jobs.Job[stones]) {
	m.job, m.busy, m.ended = job, true, false
	go func() {
		answer, err := m.do(t, q)
		m.mutex.Lock()
		defer m.mutex.Unlock()
		m.answer, m.err, m.ended = answer, err, true
	}()
	synctest.Wait()
}

// show notes whether the team puts a part together.
func (m *team) show(now bool) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.shows = now
}

// search is one of the team.
func (m *team) search(q question, nodes uint64) (*proofnumber.Search[stones], error) {
	return proofnumber.New(paced{q.game, m}, m.table, proofnumber.Options[stones]{
		Nodes: nodes, Sets: setBytes, Workers: m.lanes, Seed: q.seed + 16*uint64(m.job.Beside), Exchange: m.with, Shown: true,
		Estimate: q.estimate, Discerning: q.discerning,
	})
}

// do does the job as a worker of a hub does it.
func (m *team) do(t testing.TB, q question) (a jobs.Answer, err error) {
	search, err := m.search(q, m.job.Nodes)
	if err != nil {
		return a, err
	}
	r, err := search.Solve(t.Context(), m.job.Position, m.job.AttackerMoves)
	if err != nil {
		return a, err
	}
	a = jobs.Answer{Verdict: r.Verdict, Nodes: r.Nodes}
	if r.Verdict == proofnumber.Undecided {
		for _, o := range search.Openings(m.job.Position, m.job.AttackerMoves) {
			a.Turns = append(a.Turns, told(o))
		}
		return a, nil
	}
	before := m.taken
	m.show(true)
	defer m.show(false)
	whole, err := m.search(q, 0)
	if err != nil {
		return a, err
	}
	r, err = whole.Extract(t.Context(), m.job.Position, m.job.AttackerMoves, func(proofnumber.Step[stones]) error { return nil })
	a.Nodes += r.Nodes
	m.shown += m.taken - before
	return a, err
}

// told is what a worker tells of a turn. What is believed is the best to look at next.
func told(o proofnumber.Opening[stones]) jobs.Turn {
	n := jobs.Numbers{Proof: o.Proof, Disproof: o.Disproof}
	switch o.Verdict {
	case proofnumber.Proved:
		n = jobs.Numbers{Proof: 1, Disproof: 1 << 20}
	case proofnumber.Refuted:
		n = jobs.Numbers{Proof: 1 << 20, Disproof: 1}
	}
	return jobs.Turn{Numbers: n, Nodes: o.Nodes}
}

// The tables of all teams together, and what a set may take.
const (
	tableBytes = 1 << 30
	setBytes   = 1 << 29
)

// Teams speak after so many positions of a lane, of so many entries at most: for a position as
// many as those of a hub, whose lanes look at some 15,000 until they speak. What a hub can pass on
// is no bound here: of a question that takes a hundred times the nodes the same would be said by a
// hundredth as many entries a position.
const (
	speakEvery  = 200
	entriesSaid = 109
)

// simulation is a question at work.
type simulation struct {
	question
	fleet
	tree  *jobs.Tree[stones]
	all   []*team
	time  uint64
	work  uint64
	shown uint64 // work that went into parts
	jobs  int
	mail  [][]byte // said, and not yet heard
	said  int      // bytes
}

// simulated is a simulation that has come to a verdict.
func simulated(t *testing.T, q question, of fleet) *simulation {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // lanes come to their first step one after the other
	s := &simulation{question: q, fleet: of, tree: jobs.New(jobs.Node[stones]{Position: q.root, AttackerMoves: true}, jobs.Options[stones]{Rules: q.game, Least: q.least, Estimate: q.estimate})}
	for i := range uint64(of.teams) {
		m := &team{lanes: of.lanes, table: newTable(t, tableBytes/uint64(of.teams))}
		defer m.table.Close()
		m.with = proofnumber.NewExchange(m.table, i+1, entriesSaid, math.MaxInt)
		s.all = append(s.all, m)
	}
	synctest.Test(t, s.run)
	return s
}

// run comes to a verdict. Then all stop.
func (s *simulation) run(t *testing.T) {
	for s.tree.Verdict() == proofnumber.Undecided {
		if s.time++; s.time%speakEvery == 0 && s.teams > 1 {
			s.speak(t)
		}
		// Who puts a part together does so alone, as with a hub.
		if at := slices.IndexFunc(s.all, func(m *team) bool { return m.shows }); at >= 0 {
			s.goOn(t, s.all[at])
			continue
		}
		for _, m := range s.all {
			s.goOn(t, m)
		}
	}
	for _, m := range s.all {
		s.work += m.taken
		s.shown += m.shown
	}
	for _, m := range s.all {
		m.finish()
	}
}

// speak has all hear what was said, and say what they have found since.
func (s *simulation) speak(t *testing.T) {
	for _, m := range s.all {
		for _, word := range s.mail {
			if err := m.with.Hear(word); err != nil {
				t.Fatal(err)
			}
		}
	}
	s.mail = s.mail[:0]
	for _, m := range s.all {
		word := m.with.Say(nil)
		s.said += len(word)
		s.mail = append(s.mail, word)
	}
}

// goOn lets a team work for a moment, and gives it a job where it has none.
func (s *simulation) goOn(t *testing.T, m *team) {
	for m.round(); s.tree.Verdict() == proofnumber.Undecided; {
		if m.busy && !m.ended {
			return
		}
		if m.busy {
			m.busy = false
			if m.err != nil {
				t.Fatal(m.err)
			}
			s.tree.Answer(m.job.Node, m.answer)
			continue
		}
		job, found := s.tree.Next(s.teams)
		if !found {
			return
		}
		s.jobs++
		m.begin(t, s.question, job)
	}
}

// finish lets a job end that nobody waits for any more, outside of time.
func (m *team) finish() {
	m.mutex.Lock()
	m.free = true
	m.mutex.Unlock()
	m.round()
}

func (s *simulation) gains(one uint64) gains {
	return gains{float64(one) / float64(s.time), float64(s.work) / float64(one)}
}

// report tells of the simulation against the time of one search.
func (s *simulation) report(t *testing.T, one uint64) {
	g := s.gains(one)
	t.Logf("speed-up %.2f, work %.2f, parts %.0f%%, idle %.0f%%, %d jobs, %d kB said", g.SpeedUp, g.Work,
		100*float64(s.shown)/float64(s.work), 100-100*float64(s.work)/float64(s.time)/float64(s.teams*s.lanes), s.jobs, s.said/1000)
}
