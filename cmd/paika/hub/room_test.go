package hub

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"paika/bitboard"
	"paika/bitboard/konane"
	"paika/cmd/paika/hub/client"
	"paika/cmd/paika/hub/construction"
	"paika/cmd/paika/hub/inspection"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/proofs"
	"paika/tablebase"
)

// konaneOn is the game with the players for sides.
func konaneOn(t *testing.T, width, height int) *game {
	t.Helper()
	board := bitboard.Board{Width: width, Height: height}
	of, err := konane.New[konane.Word](board, konane.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	return newGame[konane.Position[konane.Word]](t, "konane", board, konane.Rules{}.String(), of.ByPlayers(), nil)
}

// counted is a game that counts its sites: those that were opened, and those that are open.
type counted struct {
	*game
	opened, open atomic.Int32
}

type countedSite struct {
	share.Site
	*counted
}

func (s countedSite) Close() {
	s.counted.open.Add(-1)
	s.Site.Close()
}

func count(g *game) *counted {
	c := &counted{game: new(game)}
	*c.game = *g
	c.game.open = func(ctx context.Context) (share.Site, error) {
		site, err := g.open(ctx)
		c.opened.Add(1)
		c.open.Add(1)
		return countedSite{site, c}, err
	}
	return c
}

// until asks until a question has come to a stage.
func until(t *testing.T, c *client.Client, q wire.Question, want wire.Stage) wire.State {
	t.Helper()
	for {
		s, err := c.Ask(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if s.Stage == want {
			return s
		}
	}
}

// TestQuestionsShareTheirTables: those about one game are loaded once, and go with the last
// question.
func TestQuestionsShareTheirTables(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	one := count(g)
	h := startHub(t, t.TempDir(), nil, one.game)
	c := dial(t, h.Inside())
	claims := []string{"white-wins", "black-not-lost", "black-wins"}
	for _, claim := range claims {
		until(t, c, g.question(claim), wire.Searching)
	}
	if opened := one.opened.Load(); opened != 1 {
		t.Errorf("%d sites were opened for %d questions, want 1", opened, len(claims))
	}
	work(t, h.Inside(), "w", 2, g)
	for _, claim := range claims {
		answered(t, c, g, claim)
	}
	h.Close()
	if opened, open := one.opened.Load(), one.open.Load(); opened != 1 || open != 0 {
		t.Errorf("%d sites were opened and %d are open, want 1 and 0", opened, open)
	}
}

// TestChecksBorrow what questions leave of the memory, and give it back.
func TestChecksBorrow(t *testing.T) {
	g, other := fanoronaOn(t, 3, 3), konaneOn(t, 4, 4)
	h := startHub(t, t.TempDir(), func(o *Options) {
		o.Room = 100 << 20
		o.Measure = func(proofs.Setting) ([]proofs.Table, uint64, error) { return nil, 40 << 20, nil }
	}, g, other)
	c := dial(t, h.Inside())
	until(t, c, g.question("white-wins"), wire.Searching)
	left := h.options.Room - h.Status().Memory
	few, backFew := h.lend(1 << 20)
	most, backMost := h.lend(1 << 40)
	if few != 1<<20 || most != (left-few)/2 || h.Status().Memory != 100<<20-left+few+most {
		t.Errorf("of %d bytes checks borrow %d and %d, and %d are in use", left, few, most, h.Status().Memory)
	}
	until(t, c, other.question("second-wins"), wire.Waiting) // the tables of both would fit alone
	h.mutex.Lock()
	h.shed()
	h.mutex.Unlock()
	until(t, c, g.question("white-wins"), wire.Searching) // nor does it fail
	backMost()
	backFew()
	until(t, c, other.question("second-wins"), wire.Searching)
	if h.borrowed != 0 {
		t.Errorf("%d bytes are still lent", h.borrowed)
	}
	unbounded := startHub(t, t.TempDir(), nil, g)
	if bytes, _ := unbounded.lend(1 << 20); bytes != 0 {
		t.Errorf("a hub without a bound lends %d bytes", bytes)
	}
}

// TestAQuestionWaitsForMemory that another one has, and goes on by itself.
func TestAQuestionWaitsForMemory(t *testing.T) {
	g, other := fanoronaOn(t, 3, 3), konaneOn(t, 4, 4)
	h := startHub(t, t.TempDir(), func(o *Options) {
		o.Room = 100 << 20
		o.Measure = func(proofs.Setting) ([]proofs.Table, uint64, error) { return nil, 60 << 20, nil }
	}, g, other)
	c := dial(t, h.Inside())
	until(t, c, g.question("white-wins"), wire.Searching)
	until(t, c, other.question("second-wins"), wire.Waiting)
	until(t, c, g.question("black-not-lost"), wire.Searching) // with the same tables
	s := h.Status()
	if s.Questions[1].Stage != wire.Waiting || s.Room != 100<<20 || s.Memory < 60<<20 || s.Memory > s.Room {
		t.Errorf("%+v", s)
	}
	if f := h.figures(); f.stages[wire.Waiting] != 1 || f.memory != s.Memory {
		t.Errorf("%+v", f)
	}
	work(t, h.Inside(), "w", 2, g, other)
	answered(t, c, g, "white-wins")
	answered(t, c, other, "second-wins")
}

// TestAQuestionThatIsTriedAgainCountsOnce: what it took before it waited has its place in memory already when
// its tables can't be opened, which another question has.
func TestAQuestionThatIsTriedAgainCountsOnce(t *testing.T) {
	g, locked := fanoronaOn(t, 3, 3), true
	h := startHub(t, t.TempDir(), func(o *Options) {
		o.Room = 100 << 20
		o.Measure = func(proofs.Setting) ([]proofs.Table, uint64, error) { return nil, 10 << 20, nil }
		o.Open = func(ctx context.Context, _ proofs.Setting, _ string, _ *share.Supply) (share.Site, error) {
			if locked {
				return nil, tablebase.ErrLocked
			}
			return g.open(ctx)
		}
	}, g)
	q := &question{Question: g.question("white-wins"), stage: wire.Preparing, upper: 60 << 20}
	q.id = q.ID()
	h.mutex.Lock()
	h.note(q)
	h.open = append(h.open, q)
	h.mutex.Unlock()
	if err := h.prepare(q); !errors.Is(err, tablebase.ErrLocked) || h.Status().Memory != 0 {
		t.Errorf("%v, and %d bytes are taken: want %v, and none", err, h.Status().Memory, tablebase.ErrLocked)
	}
	locked = false
	if err := h.prepare(q); err != nil || q.stage != wire.Searching {
		t.Errorf("on an idle hub it is %s, %v", q.stage, err)
	}
}

// TestTablesThatAreTooLargeAreNotWaitedFor, nor loaded.
func TestTablesThatAreTooLargeAreNotWaitedFor(t *testing.T) {
	one := count(fanoronaOn(t, 3, 3))
	h := startHub(t, t.TempDir(), func(o *Options) {
		o.Room = 100 << 20
		o.Measure = func(proofs.Setting) ([]proofs.Table, uint64, error) { return nil, 101 << 20, nil }
	}, one.game)
	_, err := dial(t, h.Inside()).Wait(t.Context(), one.question("white-wins"), nil)
	if !errors.Is(err, client.ErrFailed) || !strings.Contains(err.Error(), "tables take 101 MiB, and the hub has 100 MiB") || one.opened.Load() > 0 {
		t.Errorf("%v, %d opened", err, one.opened.Load())
	}
}

// splitUntil splits jobs until a function says that it is enough.
func (r *rogue) splitUntil(h *Hub, enough func(wire.Status) bool) {
	r.Helper()
	for !enough(h.Status()) {
		_, answer := r.take()
		answer.Nodes = 1
		r.send(answer, "")
		h.mutex.Lock()
		h.shed()
		h.mutex.Unlock()
	}
}

func (h *Hub) setRoom(bytes uint64) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.options.Room = bytes
}

// TestUpperPositionsThatGrowMakeTheLastQuestionWait: it loses nothing but its jobs, and goes
// on once there is memory.
func TestUpperPositionsThatGrowMakeTheLastQuestionWait(t *testing.T) {
	g, other := fanoronaOn(t, 3, 3), konaneOn(t, 4, 4)
	h := startHub(t, t.TempDir(), func(o *Options) { o.Room = 3000 }, g, other)
	c := dial(t, h.Inside())
	r := newRogue(t, h)
	until(t, c, g.question("white-wins"), wire.Searching)
	until(t, c, other.question("second-wins"), wire.Searching)
	r.splitUntil(h, func(s wire.Status) bool { return s.Questions[1].Stage == wire.Waiting })
	s := h.Status()
	if s.Questions[0].Stage != wire.Searching || s.Questions[1].Splits == 0 || s.Memory > s.Room {
		t.Errorf("%+v: want the second question to wait with what it had", s)
	}
	h.setRoom(1 << 20)
	if again := until(t, c, other.question("second-wins"), wire.Searching); s.Questions[1].Nodes == 0 || again.Nodes < s.Questions[1].Nodes {
		t.Errorf("%d nodes are known, want those %d again", again.Nodes, s.Questions[1].Nodes)
	}
	work(t, h.Inside(), "w", 2, g, other)
	answered(t, c, g, "white-wins")
	answered(t, c, other, "second-wins")
}

// TestAQuestionThatTakesTooMuchAloneFails, and says so. With more memory it goes on.
func TestAQuestionThatTakesTooMuchAloneFails(t *testing.T) {
	g, dir := fanoronaOn(t, 3, 3), t.TempDir()
	h := startHub(t, dir, func(o *Options) { o.Room = 2000 }, g)
	c := dial(t, h.Inside())
	r := newRogue(t, h)
	until(t, c, g.question("white-wins"), wire.Searching)
	r.splitUntil(h, func(s wire.Status) bool { return s.Questions[0].Stage == wire.Failed })
	if s := h.Status(); !strings.Contains(s.Questions[0].Error, "too little memory") || s.Memory != 0 {
		t.Errorf("%+v", s)
	}
	h.Close()
	h = startHub(t, dir, nil, g)
	work(t, h.Inside(), "w", 1, g)
	answered(t, dial(t, h.Inside()), g, "white-wins")
}

// TestWhoAsksIsToldThatMemoryIsWanting, whoever finds it: the hub, or what opens tables.
func TestWhoAsksIsToldThatMemoryIsWanting(t *testing.T) {
	full := errors.New("tables are too large")
	for name, alter := range map[string]func(*Options){
		"the hub": func(o *Options) {
			o.Room, o.Measure = 1000, func(proofs.Setting) ([]proofs.Table, uint64, error) { return nil, 1001, nil }
		},
		"what opens": func(o *Options) {
			o.Open = func(context.Context, proofs.Setting, string, *share.Supply) (share.Site, error) { return nil, full }
			o.Fault = func(_ proofs.Setting, err error) (code, text string) {
				if errors.Is(err, full) {
					code = wire.CodeMemory
				}
				return code, err.Error()
			}
		},
	} {
		g := fanoronaOn(t, 3, 3)
		c := dial(t, startHub(t, t.TempDir(), alter, g).Inside())
		_, err := c.Wait(t.Context(), g.question("white-wins"), nil)
		if !errors.Is(err, inspection.ErrMemory) || !errors.Is(err, client.ErrFailed) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestQuestionsThatAreOverAreNotOpen, as there may be any number of them: those alone that somebody works at, or
// that wait, in the order in which they were asked.
func TestQuestionsThatAreOverAreNotOpen(t *testing.T) {
	g, other := fanoronaOn(t, 3, 3), fanoronaOn(t, 5, 3)
	h := startHub(t, t.TempDir(), nil, g)
	c := dial(t, h.Inside())
	wants := func(when string, claims ...string) {
		t.Helper()
		h.mutex.Lock()
		defer h.mutex.Unlock()
		var got []string
		for _, q := range h.open {
			got = append(got, q.Claim)
		}
		if !slices.Equal(got, claims) {
			t.Errorf("%s: open is %v, want %v", when, got, claims)
		}
	}
	if _, err := c.Wait(t.Context(), other.question("white-wins"), nil); !errors.Is(err, client.ErrFailed) {
		t.Fatal(err)
	}
	wants("one failed")
	for _, claim := range []string{"black-wins", "white-wins"} {
		until(t, c, g.question(claim), wire.Searching)
	}
	wants("at work", "black-wins", "white-wins")
	h.mutex.Lock()
	h.suspend(h.questions[g.question("black-wins").ID()])
	h.mutex.Unlock()
	wants("one waits", "black-wins", "white-wins")
	h.mutex.Lock()
	h.admit()
	h.mutex.Unlock()
	until(t, c, g.question("black-wins"), wire.Searching)
	wants("it goes on", "black-wins", "white-wins")
	stop := work(t, h.Inside(), "w", 1, g)
	for _, claim := range []string{"black-wins", "white-wins"} {
		answered(t, c, g, claim)
	}
	stop()
	wants("all are answered")
	answered(t, c, g, "black-wins")
	wants("an answer was looked at")
}

// weighingSite is a construction that takes so many bytes.
type weighingSite struct {
	construction.Site
	bytes uint64
}

func (s weighingSite) Memory() uint64 { return s.bytes }

// besideProof is a hub that works at a proof whose tables take 60 MiB, and is asked for a construction
// about the same game, which takes so many bytes. It has the states of both, once that is prepared.
func besideProof(t *testing.T, bytes uint64) (h *Hub, proof, construct func() wire.State) {
	t.Helper()
	g, y := fanoronaOn(t, 3, 3), fanoronaYard(t, construction.Order{Metric: "wdl", Pieces: 3})
	h = startHub(t, t.TempDir(), func(o *Options) {
		o.Room = 100 << 20
		o.Measure = func(proofs.Setting) ([]proofs.Table, uint64, error) { return nil, 60 << 20, nil }
		o.Builds = func(proofs.Setting) (construction.Game, error) {
			limits := y.limits(1 << 30)
			limits.Dir = y.dir
			return changedGame{y.game(limits), func(s construction.Site) construction.Site { return weighingSite{s, bytes} }}, nil
		}
	}, g)
	c := dial(t, h.Inside())
	state := func(q wire.Question) func() wire.State {
		return func() (s wire.State) {
			t.Helper()
			for s.Stage == "" || s.Stage == wire.Preparing {
				var err error
				if s, err = c.Ask(t.Context(), q); err != nil {
					t.Fatal(err)
				}
			}
			return s
		}
	}
	until(t, c, g.question("white-wins"), wire.Searching)
	proof, construct = state(g.question("white-wins")), state(y.question())
	construct()
	return h, proof, construct
}

// TestAConstructionWaitsForMemory that a proof has, though both are about one game: it has no use for
// the tables of that.
func TestAConstructionWaitsForMemory(t *testing.T) {
	h, proof, construct := besideProof(t, 50<<20)
	h.mutex.Lock()
	h.shed()
	h.mutex.Unlock()
	if p, c := proof(), construct(); p.Stage != wire.Searching || c.Stage != wire.Waiting {
		t.Errorf("the proof is %s %s, the construction %s: want it to wait", p.Stage, p.Error, c.Stage)
	}
	h.setRoom(200 << 20)
	h.mutex.Lock()
	h.admit()
	h.mutex.Unlock()
	if c := construct(); c.Stage != wire.Searching {
		t.Errorf("with memory for both the construction is %s", c.Stage)
	}
}

// TestAProofThatGrowsBesideAConstructionWaits: it is not alone.
func TestAProofThatGrowsBesideAConstructionWaits(t *testing.T) {
	h, proof, construct := besideProof(t, 30<<20)
	h.setRoom(h.Status().Memory - 1)
	h.mutex.Lock()
	h.shed()
	h.mutex.Unlock()
	if p, c := proof(), construct(); p.Stage != wire.Waiting || c.Stage != wire.Searching {
		t.Errorf("the proof is %s %s, the construction %s: want it to wait", p.Stage, p.Error, c.Stage)
	}
}

// weighing is a game whose tables take so many bytes, and that counts how often they are read.
type weighing struct {
	inspection.Game
	bytes uint64
	begun *atomic.Int32
}

func (g weighing) Memory() (uint64, error) { return g.bytes, nil }

func (g weighing) Begin(ctx context.Context, watch func(done, total uint64)) (inspection.Verification, error) {
	g.begun.Add(1)
	return g.Game.Begin(ctx, watch)
}

// TestAVerificationWaitsForMemory that another one has, and goes on by itself. Its tables are not read before. One that
// takes more than all questions may is not waited for.
func TestAVerificationWaitsForMemory(t *testing.T) {
	first, second := newStoreroom(t, stock{metrics: []bitboard.Metric{bitboard.WDL}}), storeroomOn(t, bitboard.Board{Width: 3, Height: 5}, 3, t.TempDir())
	second.build(t, stock{metrics: []bitboard.Metric{bitboard.WDL}})
	var begun atomic.Int32
	var weighs atomic.Uint64
	weighs.Store(60 << 20)
	h := startHub(t, t.TempDir(), func(o *Options) {
		o.Room, o.Indices = 100<<20, 1<<10
		o.Tables = func(s proofs.Setting) (inspection.Game, error) {
			if s == first.question().Setting {
				g, err := first.open(s)
				return weighing{g, 60 << 20, new(atomic.Int32)}, err
			}
			g, err := second.open(s)
			return weighing{g, weighs.Load(), &begun}, err
		}
	})
	c := dial(t, h.Inside())
	until(t, c, first.question(), wire.Searching)
	if used := h.Status().Memory; used != 60<<20 {
		t.Errorf("%d bytes are taken", used)
	}
	s := wire.State{}
	for s.Stage == "" || s.Stage == wire.Preparing {
		var err error
		if s, err = c.Ask(t.Context(), second.question()); err != nil {
			t.Fatal(err)
		}
	}
	if s.Stage != wire.Waiting || begun.Load() != 0 {
		t.Errorf("the other one is %s, and its tables were read %d times", s.Stage, begun.Load())
	}
	brings := first.brings(t, h.Inside(), "w")
	brings.Tables = func(s proofs.Setting) (inspection.Game, error) {
		if s == first.question().Setting {
			return first.open(s)
		}
		return second.open(s)
	}
	atWork(t, brings)
	for _, q := range []wire.Question{first.question(), second.question()} {
		if s, err := c.Wait(t.Context(), q, nil); err != nil || !s.Report.OK() {
			t.Errorf("%+v, %v", s.Report, err)
		}
	}
	if used := h.Status().Memory; used != 0 {
		t.Errorf("%d bytes are taken when all is done", used)
	}
	weighs.Store(101 << 20)
	if _, err := c.Wait(t.Context(), second.question(), nil); !errors.Is(err, client.ErrFailed) || !strings.Contains(err.Error(), "it takes 101 MiB, and the hub has 100 MiB for all questions") {
		t.Errorf("%v", err)
	}
}
