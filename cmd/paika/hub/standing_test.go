package hub

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/cmd/paika/hub/client"
	"paika/cmd/paika/hub/construction"
	"paika/cmd/paika/hub/ledger"
	"paika/cmd/paika/hub/wire"
	"paika/cmd/paika/hub/worker"
	"paika/cmd/paika/prover"
	"paika/proofs"
)

// standing is a game whose tables are replaced.
type standing struct{ *tabled }

// fiveStones is a position on 3x3 with a stone more than the tables of a standing game.
const fiveStones = "BB./B.W/..W w"

func newStanding(t *testing.T) standing {
	t.Helper()
	return standing{withTables(t, 3, 3, 4, fiveStones)}
}

// replace builds the tables anew, up to so many stones.
func (s standing) replace(t *testing.T, stones int, of stock) {
	t.Helper()
	if err := os.RemoveAll(s.dir); err != nil {
		t.Fatal(err)
	}
	of.metrics = []bitboard.Metric{bitboard.WDL}
	storeroomOn(t, bitboard.Board{Width: 3, Height: 3}, stones, s.dir).build(t, of)
}

func (s standing) measure(proofs.Setting) ([]proofs.Table, uint64, error) {
	return prover.Measure[fanorona.Position](s.Subject, s.dir, prover.UpTo(s.Subject, bitboard.AllPieces), 1)
}

// hub starts a hub that measures the tables.
func (s standing) hub(t *testing.T, dir string) *Hub {
	return startHub(t, dir, func(o *Options) { o.Open, o.Measure, o.Memory = s.open, s.measure, 1<<26 })
}

// asked has the claim answered, by a worker that comes for it.
func (s standing) asked(t *testing.T, h *Hub) wire.State {
	t.Helper()
	defer startWorker(t, worker.Options{Access: h.Inside(), Name: "near", Version: version, Lanes: 1, Table: 1 << 20, Sets: 1 << 20, Dir: t.TempDir(), Open: s.open})()
	return s.answered(t, dial(t, h.Inside()), "white-wins")
}

// TestAnAnswerCountsAsLongAsItsTablesAreThere, at the hub that gave it and at the next one. Tables that
// come later change nothing.
func TestAnAnswerCountsAsLongAsItsTablesAreThere(t *testing.T) {
	for _, restarted := range []bool{false, true} {
		s, dir := newStanding(t), t.TempDir()
		h := s.hub(t, dir)
		next := func() {
			if restarted {
				h.Close()
				h = s.hub(t, dir)
			}
		}
		first := s.asked(t, h)
		next()
		lines := h.ledger.Lines()
		if again := s.answered(t, dial(t, h.Inside()), "white-wins"); again.Proof != first.Proof || h.ledger.Lines() != lines {
			t.Errorf("restarted %v: with the same tables %+v, want %+v", restarted, again.Proof, first.Proof)
		}
		s.replace(t, 5, stock{})
		next()
		lines = h.ledger.Lines()
		if again := s.answered(t, dial(t, h.Inside()), "white-wins"); again.Proof != first.Proof || h.ledger.Lines() != lines {
			t.Errorf("restarted %v: with more tables %+v, want %+v", restarted, again.Proof, first.Proof)
		}
		s.replace(t, 4, stock{wrong: true})
		next()
		lines = h.ledger.Lines()
		other := s.asked(t, h) // whose certificate is checked with the tables
		if other.Proof == first.Proof || h.ledger.Lines() == lines {
			t.Errorf("restarted %v: with other tables %+v, want another", restarted, other.Proof)
		}
		h.Close()
		h = s.hub(t, dir)
		if again := s.answered(t, dial(t, h.Inside()), "white-wins"); again.Proof != other.Proof {
			t.Errorf("restarted %v: after that %+v, want %+v", restarted, again.Proof, other.Proof)
		}
	}
}

// TestAnAnswerThatIsLookedAtIsNotGivenByTheNextHub before that looks at it, though who asks has been told
// by the hub before that it has been taken up.
func TestAnAnswerThatIsLookedAtIsNotGivenByTheNextHub(t *testing.T) {
	s, dir := newStanding(t), t.TempDir()
	h := s.hub(t, dir)
	s.asked(t, h)
	h.Close()
	s.replace(t, 4, stock{wrong: true})
	h = s.hub(t, dir)
	state, err := h.ask("", wire.Ask{Question: s.question("white-wins")})
	if err != nil || state.Stage == wire.Done {
		t.Errorf("%v, %v", state.Stage, err)
	}
}

// TestACertificateThatIsLostIsMadeAnew by the hub that runs.
func TestACertificateThatIsLostIsMadeAnew(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	h := startHub(t, t.TempDir(), nil, g)
	work(t, h.Inside(), "w", 1, g)
	c := dial(t, h.Inside())
	path := h.proofPath(answered(t, c, g, "white-wins").ID)
	for _, spoil := range []func() error{
		func() error { return os.Remove(path) },
		func() error { return os.Truncate(path, 100) },
	} {
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		answered(t, c, g, "white-wins")
	}
}

// TestWhoHasItsShareOfQuestionsHearsAnswers that are known, and has none worked at anew beyond it.
func TestWhoHasItsShareOfQuestionsHearsAnswers(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	h := startHub(t, t.TempDir(), nil, g)
	stop := work(t, h.Inside(), "w", 1, g)
	known := answered(t, dial(t, h.Inside()), g, "white-wins")
	stop()
	for i := range shareOfUnanswered {
		q := wire.Question{Setting: g.setting, Position: g.start, Claim: string(rune('a' + i))}
		h.mutex.Lock()
		h.note(&question{Question: q, id: q.ID(), from: "ann", stage: wire.Waiting, noted: true, tables: 1})
		h.options.Room = 1
		h.mutex.Unlock()
	}
	settled := func() wire.State {
		t.Helper()
		state, err := h.ask("ann", wire.Ask{Question: g.question("white-wins"), Again: true})
		for err == nil && !state.Stage.Over() {
			state, err = h.ask("ann", wire.Ask{Question: g.question("white-wins")})
		}
		if err != nil {
			t.Fatal(err)
		}
		return state
	}
	if state := settled(); state.Stage != wire.Done || state.Proof != known.Proof {
		t.Errorf("%v, %s", state.Stage, state.Error)
	}
	if err := os.Remove(h.proofPath(known.ID)); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if state := settled(); state.Stage != wire.Failed || state.Error == "" {
			t.Errorf("%v, %s", state.Stage, state.Error)
		}
	}
}

// TestARepairHasNoAnswerCountThatShowsNothing: the question is asked anew, and that is noted down once.
func TestARepairHasNoAnswerCountThatShowsNothing(t *testing.T) {
	s, dir := newStanding(t), t.TempDir()
	h := s.hub(t, dir)
	id := s.asked(t, h).ID
	h.Close()
	s.replace(t, 4, stock{wrong: true})
	options := h.options
	for range 2 {
		if done, err := Repair(t.Context(), options); err != nil || len(done.Findings) != 1 {
			t.Fatalf("%+v, %v", done, err)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, ledgerName))
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for _, e := range entriesOf(t, text) {
		if e.Question != nil && e.Question.ID == id {
			asked++
		}
	}
	if asked != 2 {
		t.Errorf("it is noted down %d times that it is asked, want 2", asked)
	}
	h = startHub(t, dir, func(o *Options) { o.Open, o.OnlyAsked = s.open, true })
	if q := h.questions[id]; q.stage != wire.Preparing || q.answer != (ledger.Answer{}) {
		t.Errorf("%v, %+v", q.stage, q.answer)
	}
}

// TestAReportThatDidNotArriveIsGivenAgain, to whoever asks, and no line is written: who asks without end
// does not fill the disk.
func TestAReportThatDidNotArriveIsGivenAgain(t *testing.T) {
	s, dir := newStoreroom(t, stock{metrics: []bitboard.Metric{bitboard.WDL}, wrong: true}), t.TempDir()
	h := s.start(t, dir, nil)
	stop := startWorker(t, s.brings(t, h.Inside(), "w"))
	c := dial(t, h.Inside())
	first := s.verified(t, c)
	stop()
	unchanged := func(c *client.Client) {
		t.Helper()
		lines := h.ledger.Lines()
		if again := s.verified(t, c); !reflect.DeepEqual(again, first) || h.ledger.Lines() != lines {
			t.Errorf("%+v with %d lines more, want %+v", again.Shared, h.ledger.Lines()-lines, first.Shared)
		}
	}
	for range 2 {
		unchanged(c)
	}
	h.Close()
	h = s.start(t, dir, nil)
	unchanged(dial(t, h.Inside()))
}

// TestNothingIsToldFromBeforeAHubWasStoppedThatWasNot: once there is a report, all is derived anew where
// that does not count, though it has not arrived.
func TestNothingIsToldFromBeforeAHubWasStoppedThatWasNot(t *testing.T) {
	s := newStoreroom(t, stock{metrics: []bitboard.Metric{bitboard.WDL}})
	h := s.start(t, t.TempDir(), nil)
	atWork(t, s.brings(t, h.Inside(), "w"))
	c := dial(t, h.Inside())
	s.verified(t, c)
	if err := os.RemoveAll(s.dir); err != nil {
		t.Fatal(err)
	}
	s.build(t, stock{metrics: []bitboard.Metric{bitboard.WDL}, wrong: true}) // all but one are the same
	if report := s.verified(t, c); report.OK() || report.Shared.Recalled > 0 {
		t.Errorf("%+v", report.Shared)
	}
}

// TestATallyThatDidNotArriveIsGivenAgain, and no line is written.
func TestATallyThatDidNotArriveIsGivenAgain(t *testing.T) {
	y := fanoronaYard(t, construction.Order{Metric: "wdl", Pieces: 3})
	h := y.start(t, t.TempDir(), nil)
	stop := startWorker(t, y.brings(t, h.Inside(), "w"))
	c := dial(t, h.Inside())
	first := y.built(t, c)
	stop()
	lines := h.ledger.Lines()
	if again := y.built(t, c); !reflect.DeepEqual(again, first) || h.ledger.Lines() != lines {
		t.Errorf("%+v with %d lines more, want %+v", again, h.ledger.Lines()-lines, first)
	}
}
