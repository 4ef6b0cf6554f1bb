package hub

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"paika/bitboard"
	"paika/cmd/paika/hub/construction"
	"paika/cmd/paika/hub/inspection"
	"paika/cmd/paika/hub/wire"
	"paika/proofs"
	"paika/tablebase/verify"
)

// A counter counts how often the stream has handed the same job to the hub.
type counter struct {
	jetstream.Consumer
	most atomic.Uint64
}

func (c *counter) Next(o ...jetstream.FetchOpt) (jetstream.Msg, error) {
	m, err := c.Consumer.Next(o...)
	if err == nil {
		if meta, err := m.Metadata(); err == nil {
			c.most.Store(max(c.most.Load(), meta.NumDelivered))
		}
	}
	return m, err
}

// counted has the jobs counted of a hub at which no lane waits yet.
func (h *Hub) counted() *counter {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	c := &counter{Consumer: h.consumer}
	h.consumer = c
	return c
}

func (h *Hub) lanesThatWait() int {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return len(h.waiting)
}

// busy is another worker, which has taken a share and goes on with it. It has time for nothing else until
// it is called, and then gives the job back.
func (h *Hub) busy(t *testing.T, name string) (comes func()) {
	t.Helper()
	l, who := connected(t, h.Inside()), wire.Hello{Worker: name, Version: version, Lanes: 2}
	if _, err := l.Greet(t.Context(), who); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var ended sync.WaitGroup
	ended.Go(func() {
		var d *wire.Delivery
		for ctx.Err() == nil && (d == nil || d.Build != nil) {
			if d, _ = l.Next(ctx, name); d != nil && d.Build != nil {
				l.Tell(wire.SubjectKept, wire.Kept{Started: startedBy(name, d), Back: true, Other: true})
			}
		}
		if <-ctx.Done(); d != nil {
			l.Tell(wire.SubjectKept, wire.Kept{Started: startedBy(name, d), Back: true})
		}
	})
	comes = func() { cancel(); ended.Wait() }
	t.Cleanup(comes)
	return comes
}

// patient waits until a job was at hand so often that it would have been given up, or one is.
func (c *counter) patient(h *Hub) {
	for c.most.Load() <= mostDeliveries && h.Status().Jobs.GivenUp == 0 {
		time.Sleep(time.Millisecond)
	}
}

// TestPiecesWaitForThoseWhoMayDeriveThem, however long that is: who built their group has nothing to
// do meanwhile.
func TestPiecesWaitForThoseWhoMayDeriveThem(t *testing.T) {
	y := fanoronaYard(t, construction.Order{Metric: "wdl", Pieces: 3})
	h := y.start(t, t.TempDir(), nil)
	c := h.counted()
	comes := h.busy(t, "other")
	builder := y.brings(t, h.Inside(), "builder")
	builder.Lanes = 8
	atWork(t, builder)
	asks := dial(t, h.Inside())
	if _, err := asks.Ask(t.Context(), y.question()); err != nil {
		t.Fatal(err)
	}
	c.patient(h)
	comes()
	atWork(t, y.brings(t, h.Inside(), "other"))
	y.built(t, asks)
	if jobs := h.Status().Jobs; jobs.GivenUp != 0 {
		t.Errorf("%+v: want no piece given up", jobs)
	}
}

// TestPiecesWaitForThoseWhoHaveTheMemory. Where nobody has, the hub derives them at once.
func TestPiecesWaitForThoseWhoHaveTheMemory(t *testing.T) {
	for _, comes := range []bool{true, false} {
		t.Run(fmt.Sprint("another comes: ", comes), func(t *testing.T) {
			s := newStoreroom(t, stock{metrics: []bitboard.Metric{bitboard.WDL}})
			h := s.start(t, t.TempDir(), nil)
			c := h.counted()
			large := func() {}
			if comes {
				large = h.busy(t, "large")
			}
			small := s.brings(t, h.Inside(), "small")
			tables := small.Tables
			small.Tables = func(of proofs.Setting) (inspection.Game, error) {
				game, err := tables(of)
				return scant{game}, err
			}
			atWork(t, small)
			asks := dial(t, h.Inside())
			if _, err := asks.Ask(t.Context(), s.question()); err != nil {
				t.Fatal(err)
			}
			if comes {
				c.patient(h)
				large()
				atWork(t, s.brings(t, h.Inside(), "large"))
			}
			report, givenUp := s.verified(t, asks), h.Status().Jobs.GivenUp
			if report.Shared.Workers > 0 != comes || givenUp == 0 != comes {
				t.Errorf("%+v, %d pieces given up", report.Shared, givenUp)
			}
			if most := c.most.Load(); !comes && most > mostDeliveries/2 {
				t.Errorf("a piece was handed out %d times, that nobody can derive", most)
			}
		})
	}
}

// scant is a game for whose pieces there is too little memory.
type scant struct{ inspection.Game }

func (scant) Pieces(context.Context, verify.Group, verify.Loader) (inspection.Pieces, error) {
	return nil, inspection.ErrMemory
}

// TestAJobThatIsLeftToOthersIsNotSplit: a worker that builds has lanes that wait, and does nothing
// else. Nobody had the job.
func TestAJobThatIsLeftToOthersIsNotSplit(t *testing.T) {
	h, r := alone(t)
	for range mostDeliveries + 1 {
		_, answer := r.receive()
		r.leave(answer)
	}
	r.receive()
	if s := h.Status(); s.Jobs.GivenUp != 0 || s.Questions[0].Splits != 0 {
		t.Errorf("%+v", s)
	}
}

// leave leaves a job to others.
func (r *rogue) leave(answer wire.Result) {
	r.link.Tell(wire.SubjectKept, wire.Kept{Started: answer.Started, Back: true, Other: true})
}

// TestALeaseIsInVainOnce, however often its holder gives the job back, or says in between that it goes
// on.
func TestALeaseIsInVainOnce(t *testing.T) {
	h, r := alone(t)
	d, answer := r.take()
	for range mostDeliveries {
		r.giveBack(answer)
		r.link.Tell(wire.SubjectKept, wire.Kept{Started: answer.Started})
	}
	if again, _ := r.take(); again.Message != d.Message || h.Status().Jobs.GivenUp != 0 {
		t.Errorf("job %d after job %d, of one lease: %+v", again.Message, d.Message, h.Status().Jobs)
	}
}

// TestLeasesThatEndAreInVain.
func TestLeasesThatEndAreInVain(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	h := startHub(t, t.TempDir(), func(o *Options) { o.Lease = 100 * time.Millisecond }, g)
	r := newRogue(t, h)
	if _, err := dial(t, h.Inside()).Ask(t.Context(), g.question("white-wins")); err != nil {
		t.Fatal(err)
	}
	first, _ := r.receive()
	for many := 1; ; many++ {
		if d, _ := r.receive(); d.Name() != first.Name() {
			if s := h.Status(); many != mostDeliveries || s.Jobs.GivenUp != 1 {
				t.Errorf("handed out %d times, %+v", many, s.Jobs)
			}
			return
		}
	}
}

// TestWhoLeavesAJobToOthersIsPassedBy, though it waits longer: else it would keep the job from them.
func TestWhoLeavesAJobToOthersIsPassedBy(t *testing.T) {
	h, r := alone(t)
	d, answer := r.receive()
	waits := make(chan *wire.Delivery, 2)
	for i, name := range []string{"rogue", "other"} {
		l := connected(t, h.Inside())
		go func() {
			if d, _ := l.Next(t.Context(), name); d != nil && name == "other" {
				waits <- d
			} else {
				waits <- nil
			}
		}()
		for h.lanesThatWait() <= i {
			time.Sleep(time.Millisecond)
		}
	}
	r.leave(answer)
	if got := <-waits; got == nil || got.Message != d.Message {
		t.Errorf("%+v: want the job with the other", got)
	}
}

// TestWhoBuildsIsPassedByUntilItHasBuilt, or no longer does: another that may have the job is there, and has
// time for nothing.
func TestWhoBuildsIsPassedByUntilItHasBuilt(t *testing.T) {
	y := fanoronaYard(t, construction.Order{Metric: "wdl", Pieces: 5})
	y.plain(t, y.dir)
	y.order.Pieces = 6 // of which there are three groups, and none needs another
	for name, end := range map[string]func(h *Hub, r *rogue, builds wire.Result){
		"it gives it back": func(_ *Hub, r *rogue, builds wire.Result) { r.leave(builds) },
		"it has built": func(h *Hub, _ *rogue, builds wire.Result) {
			h.mutex.Lock()
			defer h.mutex.Unlock()
			h.again(h.out[builds.Message])
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := y.start(t, t.TempDir(), nil)
			busy := connected(t, h.Inside())
			if _, err := busy.Greet(t.Context(), wire.Hello{Worker: "busy", Version: version, Lanes: 1}); err != nil {
				t.Fatal(err)
			}
			r := newRogue(t, h)
			if _, err := dial(t, h.Inside()).Ask(t.Context(), y.question()); err != nil {
				t.Fatal(err)
			}
			first, builds := r.receive()
			second, left := r.receive()
			if first.Build == nil || second.Build == nil || first.Job == second.Job {
				t.Fatalf("%+v and %+v: want two groups to build", first.Job, second.Job)
			}
			h.mutex.Lock()
			g, rogue := h.out[second.Message], speaker{name: "rogue"}
			h.mutex.Unlock()
			takes := func(given wire.Result) bool { // once it has no longer what it was given
				for {
					h.mutex.Lock()
					j := h.out[given.Message]
					over, takes := j == nil || j.kept.IsZero(), g.takes(rogue)
					if h.mutex.Unlock(); over {
						return takes
					}
					time.Sleep(time.Millisecond)
				}
			}
			if r.leave(left); takes(left) {
				t.Error("who builds a group has another, that it left to others")
			}
			if end(h, r, builds); !takes(builds) {
				t.Error("who builds no more does not have the group that it left to others meanwhile")
			}
		})
	}
}

// TestWhoHasTooLittleMemoryIsPassedByForGood: where all others have left the job to others, it comes to
// those again.
func TestWhoHasTooLittleMemoryIsPassedByForGood(t *testing.T) {
	h, r := alone(t)
	_, answer := r.receive()
	inbox := r.link.NewInbox()
	if _, err := r.link.SubscribeSync(inbox); err != nil {
		t.Fatal(err)
	}
	if err := r.link.PublishMsg(&nats.Msg{Subject: wire.By(wire.SubjectNext, h.worker.Name), Reply: inbox}); err != nil {
		t.Fatal(err)
	}
	for h.lanesThatWait() == 0 {
		time.Sleep(time.Millisecond)
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	g, small, other := h.out[answer.Message], speaker{name: "small"}, speaker{name: "rogue"}
	g.leaveToOthers(small, nil, true, time.Hour)
	g.leaveToOthers(other, nil, false, time.Hour)
	h.leaveLying(g, g.lease.message)
	if !g.takes(other) {
		t.Error("who has left the job to others does not have it again, though nobody else is there")
	}
	g.leaveToOthers(other, nil, false, time.Hour)
	if g.may(small) {
		t.Error("who has too little memory has the job again")
	}
}

// TestAJobForAWorkerThatWasKilledIsNotSplit: its lanes wait, as far as the hub knows, and nobody has
// had the job.
func TestAJobForAWorkerThatWasKilledIsNotSplit(t *testing.T) {
	for _, processes := range []int{1, 2 * mostDeliveries} {
		t.Run(fmt.Sprintf("%d processes", processes), func(t *testing.T) {
			g := fanoronaOn(t, 3, 3)
			h, _, ann := hubElsewhere(t, time.Hour, g)
			jobs := h.counted()
			l := connected(t, ann)
			if _, err := l.Greet(t.Context(), wire.Hello{Worker: "killed", Version: version, Lanes: 64}); err != nil {
				t.Fatal(err)
			}
			for i := range 2 * mostDeliveries {
				lane := &nats.Msg{Subject: wire.By(wire.SubjectNext, l.Name()), Reply: fmt.Sprintf("%s.%d.%d", wire.Inbox(l.Name()), i%processes, i)}
				if err := l.PublishMsg(lane); err != nil {
					t.Fatal(err)
				}
			}
			for h.lanesThatWait() < 2*mostDeliveries {
				time.Sleep(time.Millisecond)
			}
			c := dial(t, ann)
			if _, err := c.Ask(t.Context(), g.question("white-wins")); err != nil {
				t.Fatal(err)
			}
			for h.lanesThatWait() > 0 {
				time.Sleep(time.Millisecond)
			}
			if most := jobs.most.Load(); processes == 1 && most > mostDeliveries {
				t.Errorf("a job was at hand %d times for lanes of one worker", most)
			}
			if s := h.Status(); s.Jobs.GivenUp != 0 || s.Questions[0].Splits != 0 {
				t.Errorf("%+v", s.Jobs)
			}
			work(t, ann, "honest", 1, g)
			answered(t, c, g, "white-wins")
		})
	}
}

// TestALaneMayWaitAnywhere: where it waits is a worker's word, which need not look like an inbox.
func TestALaneMayWaitAnywhere(t *testing.T) {
	for reply, want := range map[string]string{"_INBOX.a.b.7": "_INBOX.a.b", "x": "x", ".x": ""} {
		if got := (lane{reply: reply}).process(); got != want {
			t.Errorf("a lane at %q is of %q, want %q", reply, got, want)
		}
	}
}

// TestWhoIsBelievedNoMoreHasNoJob: what it has is taken back, and the next is another's, however long it
// has waited.
func TestWhoIsBelievedNoMoreHasNoJob(t *testing.T) {
	y := fanoronaYard(t, construction.Order{Metric: "wdl", Pieces: 3})
	s := newStoreroom(t, stock{metrics: []bitboard.Metric{bitboard.WDL}})
	for _, of := range []struct {
		wire.Question
		start func(t *testing.T, dir string, change func(*Options)) *Hub
	}{{y.question(), y.start}, {s.question(), s.start}} {
		h := of.start(t, t.TempDir(), nil)
		c := dial(t, h.Inside())
		until(t, c, of.Question, wire.Searching)
		if err := h.seen("", wire.Hello{Worker: "liar", Version: version, Lanes: 1}); err != nil {
			t.Fatal(err)
		}
		got := make(chan string, 2)
		await := func(who string) {
			l := connected(t, h.Inside())
			go func() {
				for d := (*wire.Delivery)(nil); d == nil && t.Context().Err() == nil; {
					d, _ = l.Next(t.Context(), who)
				}
				got <- who
			}()
		}
		await("liar")
		<-got
		if err := h.seen("", wire.Hello{Worker: "honest", Version: version, Lanes: 1}); err != nil {
			t.Fatal(err)
		}
		h.mutex.Lock()
		q := h.questions[of.ID()]
		if b, is := q.constructed(); is {
			b.disbelieve("liar")
		} else {
			q.pursuit.(*verifying).inspection.Disbelieve("liar")
		}
		h.believeNoMore(q, "liar", "was wrong")
		h.settle(q)
		for _, g := range h.out {
			if g.lane.name == "liar" {
				t.Errorf("%s: the liar has a job still", of.Question)
			}
		}
		h.mutex.Unlock()
		if t.Failed() {
			return
		}
		await("liar")
		for waiting := 0; waiting == 0; {
			h.mutex.Lock()
			waiting = len(h.waiting)
			h.mutex.Unlock()
		}
		await("honest")
		if who := <-got; who != "honest" {
			t.Errorf("%s: %s is given a job", of.Question, who)
		}
		h.Close()
	}
}

// TestAJobThatAWorkerNeverHadGoesToOthersOnceItGoes: it was handed to a lane that waited no more, and NATS
// has heard of nobody who is gone. What a worker has begun is no such job.
func TestAJobThatAWorkerNeverHadGoesToOthersOnceItGoes(t *testing.T) {
	for _, begun := range []bool{false, true} {
		h, r := alone(t)
		d, answer := r.receive()
		if begun {
			h.onStarted("", told(t, answer.Started))
		}
		if err := h.seen("", wire.Hello{Worker: "rogue", Version: version}); err != nil {
			t.Fatal(err)
		}
		h.mutex.Lock()
		g := h.out[d.Message]
		if taken := g != nil && g.kept.IsZero(); taken == begun {
			t.Errorf("begun %v: it goes to others %v", begun, taken)
		}
		h.mutex.Unlock()
	}
}
