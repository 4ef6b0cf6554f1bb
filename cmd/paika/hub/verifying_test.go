package hub

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/cmd/paika/hub/client"
	"paika/cmd/paika/hub/inspection"
	"paika/cmd/paika/hub/ledger"
	"paika/cmd/paika/hub/link"
	"paika/cmd/paika/hub/wire"
	"paika/cmd/paika/hub/worker"
	"paika/proofs"
	"paika/solver/retrograde"
	"paika/tablebase"
	"paika/tablebase/verify"
)

// A storeroom is a game with tables that are verified.
type storeroom struct {
	*fanorona.Game
	id     tablebase.Identity
	dir    string
	stones int
}

// kind of tables in a storeroom.
type stock struct {
	metrics []bitboard.Metric
	sparse  bool // values are left out
	wrong   bool // a value is stored as another
}

func (s stock) String() string {
	return fmt.Sprintf("%v, sparse %v, wrong %v", s.metrics, s.sparse, s.wrong)
}

// newStoreroom builds tables of the smallest board up to five stones.
func newStoreroom(t *testing.T, of stock) *storeroom {
	t.Helper()
	s := storeroomOn(t, bitboard.Board{Width: 3, Height: 3}, 5, t.TempDir())
	s.build(t, of)
	return s
}

// storeroomOn is a storeroom on a board, of so many stones at most.
func storeroomOn(t *testing.T, board bitboard.Board, stones int, dir string) *storeroom {
	t.Helper()
	game, err := fanorona.New(board, fanorona.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	return &storeroom{game, tablebase.Identity{Game: "fanorona", Board: board.String(), Rules: fanorona.Rules{}.String()}, dir, stones}
}

func (s *storeroom) build(t *testing.T, of stock) {
	t.Helper()
	groups, err := bitboard.GroupsWithin(s.Game, s.stones)
	if err != nil {
		t.Fatal(err)
	}
	store, err := tablebase.Open(s.dir, s.id, tablebase.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range of.metrics {
		tables := store.Tables(m, s.Game)
		if of.sparse {
			tables = tables.ForBuild(groups)
		}
		to := retrograde.Storage(tables)
		if of.wrong {
			to = &forger{tables, s.Game}
		}
		if _, err := retrograde.Build(t.Context(), s.Game, groups, to, retrograde.Options{Metric: m, Memory: 1 << 30}); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
}

// forger stores a win as a draw.
type forger struct {
	retrograde.Storage
	game *fanorona.Game
}

func (f *forger) Save(ctx context.Context, t *bitboard.Table, sum bitboard.Summary) error {
	if f.game.SliceName(t.Slice) == "2v2" {
		for i := range f.game.Indices(t.Slice) {
			p, weight := f.game.Unrank(t.Slice, i)
			if t.Outcome(i).Value != bitboard.Win || weight == 0 || !f.game.Holds(p) {
				continue
			}
			if t.DTW != nil {
				t.DTW[i] = 0
			} else {
				t.WDL.Set(i, bitboard.Draw)
			}
			break
		}
	}
	return f.Storage.Save(ctx, t, sum)
}

// alone is what one run finds.
func (s *storeroom) alone(t *testing.T) verify.Report {
	t.Helper()
	store, err := tablebase.Open(s.dir, s.id, tablebase.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	report, err := verify.Run(t.Context(), s.Game, store, verify.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func (s *storeroom) question() wire.Question {
	return wire.Question{Setting: proofs.Setting(s.id), Kind: wire.Verification}
}

func (s *storeroom) open(proofs.Setting) (inspection.Game, error) {
	return inspection.New(s.Game, s.id, inspection.Options{Dir: s.dir, Workers: 1, Memory: 1 << 30}), nil
}

// start starts a hub that cuts tables small.
func (s *storeroom) start(t *testing.T, dir string, change func(*Options)) *Hub {
	t.Helper()
	return startHub(t, dir, func(o *Options) {
		o.Tables, o.Indices, o.Audited = s.open, 64, 5
		if change != nil {
			change(o)
		}
	})
}

// brings is a worker without tables of its own.
func (s *storeroom) brings(t *testing.T, a link.Access, name string) worker.Options {
	return worker.Options{
		Access: a, Name: name, Version: version, Lanes: 2, Dir: t.TempDir(), Notice: func(text string) { t.Log(text) },
		Tables: func(proofs.Setting) (inspection.Game, error) {
			return inspection.New(s.Game, s.id, inspection.Options{Workers: 1, Memory: 1 << 30}), nil
		},
	}
}

// verified waits for the report of a hub, and compares it with that of one run.
func (s *storeroom) verified(t *testing.T, c *client.Client) inspection.Report {
	t.Helper()
	state, err := c.Wait(t.Context(), s.question(), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := s.alone(t)
	if got := state.Report.Verified(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	if shared := state.Report.Shared; shared.Pieces < 20 || len(shared.Tables) != 64 || shared.Hub == 0 {
		t.Errorf("%+v", shared)
	}
	return *state.Report
}

// TestAHubVerifiesAsOneRunDoes, with one worker, two and three, over the process and over
// the network.
func TestAHubVerifiesAsOneRunDoes(t *testing.T) {
	wdl, dtw := bitboard.WDL, bitboard.DTW
	for i, of := range []stock{
		{metrics: []bitboard.Metric{wdl}},
		{metrics: []bitboard.Metric{dtw}, wrong: true},
		{metrics: []bitboard.Metric{wdl}, sparse: true, wrong: true},
		{metrics: []bitboard.Metric{wdl}, sparse: true},
		{metrics: []bitboard.Metric{wdl}, wrong: true},
		{metrics: []bitboard.Metric{wdl, dtw}, sparse: true},
	} {
		if testing.Short() && i > 2 {
			break // the same once more, for other tables
		}
		t.Run(of.String(), func(t *testing.T) {
			s := newStoreroom(t, of)
			h := s.start(t, t.TempDir(), func(o *Options) { o.Address = "127.0.0.1:0" })
			a := h.Inside()
			if i%2 == 1 {
				a = link.Access{URL: h.URL(), Credentials: h.Credentials()}
			}
			for k := range 1 + i%3 {
				atWork(t, s.brings(t, a, fmt.Sprint("w", k)))
			}
			report := s.verified(t, dial(t, a))
			if report.OK() == of.wrong || len(report.Shared.Refuted) > 0 {
				t.Errorf("%v, %+v", report.Findings, report.Shared)
			}
			if jobs := h.Status().Jobs; jobs.Accepted == 0 || jobs.Rejected+jobs.Unknown+jobs.Refused > 0 {
				t.Errorf("%+v", jobs)
			}
		})
	}
}

// interrupted is a question whose hub is stopped, and a worker with it, each time that
// enough is done.
type interrupted struct {
	start    func() *Hub
	brings   func(h *Hub) worker.Options
	question wire.Question
	done     func(wire.State) (many int, known bool)
	enough   []int
}

// run wants each hub to begin with all that those before had done.
func (i interrupted) run(t *testing.T) {
	t.Helper()
	before := 0
	for _, enough := range i.enough {
		h := i.start()
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		started := false
		_, err := dial(t, h.Inside()).Wait(ctx, i.question, func(state wire.State) {
			done, known := i.done(state)
			switch {
			case !known:
			case !started:
				if done < before {
					t.Errorf("%d are done at the start, want %d", done, before)
				}
				started = true
				go func() { ended <- worker.Work(ctx, i.brings(h)) }()
			case done >= enough:
				before = done
				cancel()
			}
		})
		cancel()
		if started {
			<-ended
		}
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		h.Close()
	}
}

// TestAVerificationGoesOn where a hub that was stopped left it, and workers with it.
func TestAVerificationGoesOn(t *testing.T) {
	s, dir := newStoreroom(t, stock{metrics: []bitboard.Metric{bitboard.WDL}, wrong: true}), t.TempDir()
	interrupted{
		// What was answered before a stop may be picked by chance then, and counts no more until it is
		// derived here: seldom, in this test.
		start: func() *Hub { return s.start(t, dir, func(o *Options) { o.Audited = 1 << 30 }) }, question: s.question(), enough: []int{5, 20},
		brings: func(h *Hub) worker.Options { return s.brings(t, h.Inside(), "w") },
		done: func(state wire.State) (pieces int, known bool) {
			if state.Pieces == nil {
				return 0, false
			}
			return state.Pieces.Settled, true
		},
	}.run(t)
	h := s.start(t, dir, nil)
	atWork(t, s.brings(t, h.Inside(), "w"))
	s.verified(t, dial(t, h.Inside()))
}

// TestAnAnswerThatArrivedIsDerivedAnew when it is asked for again. One that did not is
// known, as long as the tables are the same.
func TestAnAnswerThatArrivedIsDerivedAnew(t *testing.T) {
	s, dir := newStoreroom(t, stock{metrics: []bitboard.Metric{bitboard.WDL}}), t.TempDir()
	h := s.start(t, dir, nil)
	stop := startWorker(t, s.brings(t, h.Inside(), "w"))
	s.verified(t, dial(t, h.Inside()))
	stop()
	h.Close()
	h = s.start(t, dir, nil)
	c := dial(t, h.Inside())
	if s.verified(t, c); h.Status().Jobs.Accepted != 0 { // nobody is at work
		t.Errorf("%+v", h.Status().Jobs)
	}
	disk := watchSyncs(h)
	for range 2 {
		if err := c.Taken(t.Context(), s.question(), nil); err != nil {
			t.Fatal(err)
		}
		if synced := disk.lines.Load(); synced != h.ledger.Lines() {
			t.Errorf("it is said to have arrived, and %d lines of %d are on disk", synced, h.ledger.Lines())
		}
	}
	h.Close()
	h = s.start(t, dir, nil)
	c = dial(t, h.Inside())
	if state, err := c.Ask(t.Context(), s.question()); err != nil || state.Stage == wire.Done {
		t.Errorf("%v, %v", state, err)
	}
	if err := c.Taken(t.Context(), s.question(), nil); !errors.Is(err, client.ErrFailed) {
		t.Errorf("an answer that is not there is taken: %v", err)
	}
	atWork(t, s.brings(t, h.Inside(), "w"))
	if s.verified(t, c); h.Status().Jobs.Accepted == 0 {
		t.Error("nothing is derived anew")
	}
}

// TestWhatIsAskedAnewIsAskedForGood: after a hub that is killed before it has read the tables again, the next
// one does not give the answer before for this one's, whether or not that one had arrived.
func TestWhatIsAskedAnewIsAskedForGood(t *testing.T) {
	s, dir := newStoreroom(t, stock{metrics: []bitboard.Metric{bitboard.WDL}}), t.TempDir()
	var reading sync.Mutex
	h := s.start(t, dir, func(o *Options) {
		o.Tables = func(of proofs.Setting) (inspection.Game, error) {
			reading.Lock()
			defer reading.Unlock()
			return s.open(of)
		}
	})
	disk := watchSyncs(h)
	atWork(t, s.brings(t, h.Inside(), "w"))
	c := dial(t, h.Inside())
	for _, arrives := range []bool{false, true} {
		if s.verified(t, c); arrives {
			if err := c.Taken(t.Context(), s.question(), nil); err != nil {
				t.Fatal(err)
			}
		}
		reading.Lock()
		if _, err := h.ask("", wire.Ask{Question: s.question(), Again: true}); err != nil {
			t.Fatal(err)
		}
		if synced := disk.lines.Load(); synced != h.ledger.Lines() {
			t.Errorf("it is asked anew, and %d lines of %d are on disk", synced, h.ledger.Lines())
		}
		text, err := os.ReadFile(filepath.Join(dir, ledgerName))
		reading.Unlock()
		left := t.TempDir()
		if err := errors.Join(err, os.WriteFile(filepath.Join(left, ledgerName), text, 0o666)); err != nil {
			t.Fatal(err)
		}
		again := s.start(t, left, func(o *Options) { o.OnlyAsked = true })
		state, err := again.ask("", wire.Ask{Question: s.question()})
		if q := again.questions[s.question().ID()]; err != nil || state.Stage != wire.Preparing || q.taken {
			t.Errorf("arrived: %v: the question is %v, taken: %v, %v", arrives, state.Stage, q.taken, err)
		}
		again.Close()
	}
}

// startWorker has a worker at work until the function is called.
func startWorker(t *testing.T, o worker.Options) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- worker.Work(ctx, o) }()
	return func() {
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("worker %s: %v", o.Name, err)
		}
	}
}

// TestOtherTablesAreVerifiedAnew: what is known of pieces is known of their tables.
func TestOtherTablesAreVerifiedAnew(t *testing.T) {
	s, dir := newStoreroom(t, stock{metrics: []bitboard.Metric{bitboard.WDL}}), t.TempDir()
	h := s.start(t, dir, nil)
	stop := startWorker(t, s.brings(t, h.Inside(), "w"))
	c := dial(t, h.Inside())
	if report := s.verified(t, c); !report.OK() {
		t.Fatalf("%+v", report)
	}
	if err := os.RemoveAll(s.dir); err != nil {
		t.Fatal(err)
	}
	s.build(t, stock{metrics: []bitboard.Metric{bitboard.WDL}, wrong: true})
	if report := s.verified(t, c); report.OK() {
		t.Error("the answer is that of the tables before")
	}
	if err := os.RemoveAll(s.dir); err != nil {
		t.Fatal(err)
	}
	s.build(t, stock{metrics: []bitboard.Metric{bitboard.DTW}})
	stop()
	if _, err := c.Ask(t.Context(), s.question()); err != nil {
		t.Fatal(err)
	}
	for state := (wire.State{}); state.Stage != wire.Searching; { // and it is noted down
		var err error
		if state, err = h.ask("", wire.Ask{Question: s.question()}); err != nil {
			t.Fatal(err)
		}
	}
	h.Close()
	h = s.start(t, dir, nil)
	if state, err := h.ask("", wire.Ask{Question: s.question()}); err != nil || state.Stage == wire.Done {
		t.Errorf("%v, %v: the answer is that of the tables before", state.Report, err)
	}
	h.Close()
	if done, err := Repair(t.Context(), h.options); err != nil || len(done.Findings) > 0 || done.Torn > 0 {
		t.Errorf("%+v, %v", done, err)
	}
}

// liar answers every job of a hub by a function, as a worker of that name.
func (s *storeroom) liar(t *testing.T, h *Hub, lie func(d wire.Delivery, a *inspection.Answer)) (r *rogue, one func() wire.Outcome) {
	t.Helper()
	r = enlist(t, h.Inside(), version)
	game, err := s.brings(t, h.Inside(), "rogue").Tables(s.question().Setting)
	if err != nil {
		t.Fatal(err)
	}
	return r, func() wire.Outcome {
		d, answer := r.receive()
		pieces, err := game.Pieces(t.Context(), d.Piece.Group, h.loader(d.Tables))
		if err != nil {
			t.Fatal(err)
		}
		a, err := d.Piece.Do(t.Context(), pieces, 1, func(uint64) {})
		if err != nil {
			t.Fatal(err)
		}
		lie(d, &a)
		answer.Piece = &a
		what := r.attempt(answer, "")
		return what
	}
}

// TestAFalseFindingIsNotReported: the hub looks for itself, and believes the liar no more.
func TestAFalseFindingIsNotReported(t *testing.T) {
	s := newStoreroom(t, stock{metrics: []bitboard.Metric{bitboard.DTW}})
	looked := make(chan struct{})
	h := s.start(t, t.TempDir(), func(o *Options) {
		o.Notice = func(text string) {
			if t.Log(text); strings.Contains(text, "believed no more") {
				close(looked)
			}
		}
	})
	c := dial(t, h.Inside())
	r, one := s.liar(t, h, func(_ wire.Delivery, a *inspection.Answer) { a.Found, a.First = 1, "all is wrong" })
	if _, err := c.Ask(t.Context(), s.question()); err != nil {
		t.Fatal(err)
	}
	_, second := r.receive() // afterwards it has no more jobs
	if what := one(); what != wire.Accepted {
		t.Errorf("the first lie: %s", what)
	}
	<-looked // while there is work left
	second.Piece = &inspection.Answer{Found: 1, First: "all is wrong"}
	if what := r.attempt(second, ""); what == wire.Accepted {
		t.Errorf("the second lie: %s", what)
	}
	atWork(t, s.brings(t, h.Inside(), "honest"))
	report := s.verified(t, c)
	if want := []string{"rogue"}; !report.OK() || !reflect.DeepEqual(report.Shared.Refuted, want) || report.Shared.Hub == 0 {
		t.Errorf("%v, %+v", report.Findings, report.Shared)
	}
	if !strings.Contains(h.metrics(), "paika_hub_workers_refuted_total 1\n") {
		t.Errorf("%+v: want one worker refuted", h.Status().Jobs)
	}
}

// TestAWorkerThatFindsNothingIsCaught where the hub looks: at every share, here.
func TestAWorkerThatFindsNothingIsCaught(t *testing.T) {
	s := newStoreroom(t, stock{metrics: []bitboard.Metric{bitboard.DTW}, wrong: true})
	h := s.start(t, t.TempDir(), func(o *Options) { o.Audited = 1 })
	c := dial(t, h.Inside())
	hidden := 0
	_, one := s.liar(t, h, func(_ wire.Delivery, a *inspection.Answer) {
		if a.Found > 0 {
			hidden++
			a.Found, a.First = 0, ""
		}
	})
	h.seen("", wire.Hello{Worker: "honest", Version: version, Lanes: 1}) // who comes later
	if _, err := c.Ask(t.Context(), s.question()); err != nil {
		t.Fatal(err)
	}
	for hidden == 0 {
		if what := one(); what != wire.Accepted && what != wire.Copied {
			t.Fatalf("%s", what)
		}
	}
	atWork(t, s.brings(t, h.Inside(), "honest"))
	report := s.verified(t, c)
	if want := []string{"rogue"}; report.OK() || !reflect.DeepEqual(report.Shared.Refuted, want) {
		t.Errorf("%v, %+v", report.Findings, report.Shared)
	}
}

// TestInOneProcessNothingIsDerivedTwice: the worker's shares are the hub's own, also for a hub
// that goes on, and a finding is that of one run.
func TestInOneProcessNothingIsDerivedTwice(t *testing.T) {
	for _, wrong := range []bool{false, true} {
		s := newStoreroom(t, stock{metrics: []bitboard.Metric{bitboard.WDL}, sparse: true, wrong: wrong})
		h := s.start(t, t.TempDir(), func(o *Options) { o.OneProcess, o.Audited = true, 1 })
		c := dial(t, h.Inside())
		if _, err := c.Ask(t.Context(), s.question()); err != nil {
			t.Fatal(err)
		}
		atWork(t, s.brings(t, h.Inside(), "w"))
		report := s.verified(t, c)
		if want := s.alone(t); !reflect.DeepEqual(report.Verified(), want) {
			t.Errorf("wrong %v: %+v, want %+v", wrong, report, want)
		}
		own := 0
		if err := h.ledger.Of(ofAll, func(e ledger.Entry) {
			if e.Piece != nil {
				own++
				if e.Piece.Worker != "" {
					t.Errorf("%+v", e.Piece)
				}
			}
		}); err != nil {
			t.Fatal(err)
		}
		if shared := report.Shared; shared.Hub != shared.Pieces || !wrong && own != shared.Pieces || own > shared.Pieces {
			t.Errorf("wrong %v: %+v, %d lines", wrong, shared, own)
		}
	}
}

// TestAWorkerWithOtherTablesRefuses: they don't have the fingerprints of the job.
func TestAWorkerWithOtherTablesRefuses(t *testing.T) {
	s := newStoreroom(t, stock{metrics: []bitboard.Metric{bitboard.WDL}})
	h := s.start(t, t.TempDir(), nil)
	c := dial(t, h.Inside())
	o := s.brings(t, h.Inside(), "other")
	tables := o.Tables
	o.Tables = func(setting proofs.Setting) (inspection.Game, error) {
		game, err := tables(setting)
		return others{game}, err
	}
	if _, err := c.Ask(t.Context(), s.question()); err != nil {
		t.Fatal(err)
	}
	if err := worker.Work(t.Context(), o); !errors.Is(err, verify.ErrTable) {
		t.Errorf("%v", err)
	}
	atWork(t, s.brings(t, h.Inside(), "w"))
	if s.verified(t, c); h.Status().Jobs.Refused == 0 {
		t.Errorf("%+v", h.Status().Jobs)
	}
}

// others is a game whose tables come with another value.
type others struct{ inspection.Game }

func (o others) Pieces(ctx context.Context, g verify.Group, load verify.Loader) (inspection.Pieces, error) {
	return o.Game.Pieces(ctx, g, func(ctx context.Context, t verify.Table, into *bitboard.Table) error {
		if err := load(ctx, t, into); err != nil {
			return err
		}
		into.WDL[0] ^= 1
		return nil
	})
}

// TestAJobThatNobodyDoesIsDoneByTheHub, after it was handed out in vain.
func TestAJobThatNobodyDoesIsDoneByTheHub(t *testing.T) {
	s := newStoreroom(t, stock{metrics: []bitboard.Metric{bitboard.DTW}})
	h := s.start(t, t.TempDir(), nil)
	c := dial(t, h.Inside())
	r := enlist(t, h.Inside(), version)
	if _, err := c.Ask(t.Context(), s.question()); err != nil {
		t.Fatal(err)
	}
	for h.Status().Jobs.GivenUp == 0 {
		_, answer := r.receive()
		r.giveBack(answer)
	}
	atWork(t, s.brings(t, h.Inside(), "w"))
	if report := s.verified(t, c); report.Shared.Hub == 0 {
		t.Errorf("%+v", report.Shared)
	}
}

// TestAnswersInVainCountOfWhoHasThePiece: by its name, which follows from the tables, a worker that is
// believed no more could have all pieces derived by the hub, and one without a job as well.
func TestAnswersInVainCountOfWhoHasThePiece(t *testing.T) {
	s := newStoreroom(t, stock{metrics: []bitboard.Metric{bitboard.WDL}})
	h := s.start(t, t.TempDir(), nil)
	r := enlist(t, h.Inside(), version)
	if _, err := dial(t, h.Inside()).Ask(t.Context(), s.question()); err != nil {
		t.Fatal(err)
	}
	_, had := r.receive()
	h.mutex.Lock()
	v := h.questions[had.Question].pursuit.(*verifying)
	v.inspection.Disbelieve("liar")
	h.mutex.Unlock()
	wanted := func() (names []string) {
		h.mutex.Lock()
		defer h.mutex.Unlock()
		for _, name := range s.pieces(v) {
			if v.inspection.Wanted(name) {
				names = append(names, name)
			}
		}
		return names
	}
	none := &inspection.Answer{Quiet: make([]uint64, 1000)} // of no piece
	before := wanted()
	for _, name := range before {
		for range 3 {
			lie := wire.Result{Started: wire.Started{Worker: "liar", Job: name, Start: had.Start}, Version: version, Question: had.Question, Piece: &inspection.Answer{}}
			if what := r.send(lie, ""); what != wire.Rejected {
				t.Errorf("of who is believed no more: %s, want %s", what, wire.Rejected)
			}
			lie.Worker, lie.Piece = "other", none
			if what := r.send(lie, ""); what != wire.Rejected {
				t.Errorf("of who has not got it: %s, want %s", what, wire.Rejected)
			}
		}
	}
	if after := wanted(); !slices.Equal(after, before) {
		t.Errorf("%d pieces of %d are still for workers", len(after), len(before))
	}
	for many := 0; len(wanted()) == len(before); many++ { // each goes out again, to the same
		if many == 3*len(before) {
			t.Fatal("no piece is derived by the hub")
		}
		had.Piece = none
		if what := r.send(had, ""); what != wire.Rejected {
			t.Errorf("of who has it: %s, want %s", what, wire.Rejected)
		}
		_, had = r.receive()
	}
	if nodes := h.Status().Nodes; nodes != 0 {
		t.Errorf("what is rejected counts as %d nodes", nodes)
	}
}

// pieces lists the names of all pieces of a verification, as anybody can who has its tables.
func (s *storeroom) pieces(v *verifying) (names []string) {
	o := v.hub.options
	i := inspection.Inspect(v.verification.Groups(), inspection.Terms{Setting: s.question().Setting, Version: version, Indices: o.Indices, Audited: o.Audited, Counts: v.verification.Indices})
	for task, found := i.Next(); found; task, found = i.Next() {
		names = append(names, task.Job)
	}
	return names
}

// TestTablesThatCantBeOpenedAreAFinding, and a folder without tables is an error.
func TestTablesThatCantBeOpenedAreAFinding(t *testing.T) {
	s := newStoreroom(t, stock{metrics: []bitboard.Metric{bitboard.DTW}})
	files, err := filepath.Glob(filepath.Join(s.dir, "*.sst"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	if err := os.Truncate(files[0], 10); err != nil {
		t.Fatal(err)
	}
	c := dial(t, s.start(t, t.TempDir(), nil).Inside())
	state, err := c.Wait(t.Context(), s.question(), nil)
	if err != nil || state.Report.OK() || state.Report.Unopened == "" {
		t.Errorf("%+v, %v", state.Report, err)
	}
	s.dir = t.TempDir()
	c = dial(t, s.start(t, t.TempDir(), nil).Inside())
	if _, err := c.Wait(t.Context(), s.question(), nil); !errors.Is(err, client.ErrFailed) {
		t.Errorf("%v", err)
	}
}

// TestWhatIsAskedAnewHasNotBegun: how far it was before is not told as how far it is.
func TestWhatIsAskedAnewHasNotBegun(t *testing.T) {
	s := newStoreroom(t, stock{metrics: []bitboard.Metric{bitboard.WDL}})
	h := s.start(t, t.TempDir(), nil)
	atWork(t, s.brings(t, h.Inside(), "w"))
	c := dial(t, h.Inside())
	s.verified(t, c)
	if of, err := c.Ask(t.Context(), s.question()); err != nil || of.Stage != wire.Preparing || of.Pieces != nil {
		t.Errorf("%s, %+v, %v", of.Stage, of.Pieces, err)
	}
}
