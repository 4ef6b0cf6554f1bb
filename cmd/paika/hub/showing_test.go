package hub

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/proofs"
	"paika/solver/proofnumber"
)

// TestOneTeamShowsWhatIsDecided: the others stop, and get no job of the question until that one has
// given up. It is not heard again, since it owes a part.
func TestOneTeamShowsWhatIsDecided(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	h := startHub(t, t.TempDir(), nil, g)
	if _, err := dial(t, h.Inside()).Ask(t.Context(), g.question("white-wins")); err != nil {
		t.Fatal(err)
	}
	r := newRogue(t, h)
	work(t, h.Inside(), "dreamer", 1, g.idling(0))
	out := func(want int) {
		t.Helper()
		for h.Status().Jobs.Out != want {
			time.Sleep(time.Millisecond)
		}
	}
	dreams := func() {
		t.Helper()
		for s := h.Status(); len(s.Workers) < 2 || s.Workers[0].Busy == 0; s = h.Status() {
			time.Sleep(time.Millisecond)
		}
	}
	all := enough(2)
	given := func() uint64 {
		h.mutex.Lock()
		defer h.mutex.Unlock()
		return h.numbered
	}

	_, answer := r.take()
	dreams()
	out(all)
	r.link.Tell(wire.SubjectKept, wire.Kept{Started: answer.Started, Shows: true})
	out(1)
	if s := h.Status().Questions[0]; s.InFlight != 1 {
		t.Errorf("%d jobs are in flight, want that one", s.InFlight)
	}
	r.giveBack(answer)
	out(all)

	_, answer = r.take()
	before := given()
	r.link.Tell(wire.SubjectKept, wire.Kept{Started: answer.Started, Shows: true})
	r.giveBack(answer)
	r.take() // so that both were heard
	if after, many := given(), h.Status().Jobs.Out; after != before || many != all {
		t.Errorf("%d jobs are out, %d of them new: want %d, none of them new", many, after-before, all)
	}
}

// TestWhoShowsTooLongIsNotWaitedFor: a lease longer than the whole question took before, not counting what the
// hub takes to check the part.
func TestWhoShowsTooLongIsNotWaitedFor(t *testing.T) {
	h, r := alone(t)
	_, answer := r.take()
	r.link.Tell(wire.SubjectKept, wire.Kept{Started: answer.Started, Shows: true})
	shown := func() (g *outJob, waited bool) {
		h.mutex.Lock()
		defer h.mutex.Unlock()
		g = h.out[answer.Message]
		return g, h.shown(g.question)
	}
	g, waited := shown()
	for ; !waited; g, waited = shown() {
		time.Sleep(time.Millisecond)
	}
	for _, c := range []struct {
		took, shows, silent, checks time.Duration
		want                        bool
	}{
		{0, 0, 0, 0, true},
		{0, h.options.Lease / 2, 0, 0, true},
		{0, 2 * h.options.Lease, 0, 0, false},
		{0, 2 * h.options.Lease, 0, 3 * h.options.Lease / 2, true}, // the hub takes its time
		{0, 4 * h.options.Lease, 0, h.options.Lease, false},
		{0, 2 * h.options.Lease, 2 * h.options.Lease, 3 * h.options.Lease / 2, false},
		{2 * h.options.Lease, 2 * h.options.Lease, 0, 0, true},
		{2 * h.options.Lease, 4 * h.options.Lease, 0, 0, false},
		{2 * h.options.Lease, 0, 2 * h.options.Lease, 0, false},
	} {
		h.mutex.Lock()
		now := time.Now()
		g.kept, g.shows = now.Add(-c.silent), now.Add(-c.shows)
		g.question.began, g.sent = g.shows.Add(-c.took), time.Time{}
		if c.checks > 0 {
			g.sent = now.Add(-c.checks)
		}
		h.mutex.Unlock()
		if _, got := shown(); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestALargerTeamGoesOn, since it may be done first.
func TestALargerTeamGoesOn(t *testing.T) {
	h, r := alone(t)
	_, answer := r.take()
	h.mutex.Lock()
	defer h.mutex.Unlock()
	mine := h.out[answer.Message]
	mine.worker = speaker{name: "rogue"}
	for name, lanes := range map[string]int{"small": 1, "large": 2} {
		h.workers[speaker{name: name}] = &present{Hello: wire.Hello{Worker: name, Lanes: lanes}, seen: time.Now()}
	}
	h.fill()
	goesOn := make(map[string]*outJob)
	for _, g := range h.out {
		if name := []string{"small", "large"}[len(goesOn)%2]; g != mine {
			g.worker, goesOn[name] = speaker{name: name}, g
		}
	}
	h.showsFrom(mine, mine.worker, "")
	for name, want := range map[string]bool{"small": false, "large": true} {
		if g := goesOn[name]; (h.out[g.message] == g) != want {
			t.Errorf("%s: want it to go on: %v", name, want)
		}
	}
}

// TestWhoSendsAPartIsHeardAgain, though it came to none before: that takes more nodes than it has at
// times. Else no machine with its key was heard again. One that let the others wait too long is not,
// until it has sent another one.
func TestWhoSendsAPartIsHeardAgain(t *testing.T) {
	h, r := credulous(t)
	shows := func() (answer wire.Result, heard bool) {
		_, answer = r.take()
		h.onKept("", told(t, wire.Kept{Started: answer.Started, Shows: true}))
		h.mutex.Lock()
		defer h.mutex.Unlock()
		return answer, !h.out[answer.Message].shows.IsZero()
	}
	sends := func(answer wire.Result) {
		t.Helper()
		answer.Verdict = proofnumber.Refuted
		if what := r.send(answer, "part"); what != wire.Accepted {
			t.Fatal(what)
		}
	}
	answer, heard := shows()
	if what := r.send(answer, ""); !heard || what != wire.Accepted { // undecided: the root is split
		t.Fatal(heard, what)
	}
	answer, heard = shows()
	if heard {
		t.Error("it is heard, and owes a part")
	}
	sends(answer)
	answer, heard = shows()
	if !heard {
		t.Error("it has sent a part, and is not heard")
	}
	h.mutex.Lock()
	late := h.out[answer.Message]
	late.shows = late.question.began.Add(-2 * h.options.Lease)
	h.mutex.Unlock()
	sends(answer)
	answer, heard = shows()
	if heard {
		t.Error("it let the others wait too long, and is heard")
	}
	sends(answer)
	if _, heard = shows(); !heard {
		t.Error("it has sent another part, and is not heard")
	}
}

// A checkedProof counts the checks of parts, which wait until they may begin.
type checkedProof struct {
	share.Proof
	checks *atomic.Int32
	begin  chan struct{}
}

func (p checkedProof) Check(ctx context.Context, position string, v proofnumber.Verdict, at io.ReaderAt, size int64) (share.Part, error) {
	p.checks.Add(1)
	<-p.begin
	return p.Proof.Check(ctx, position, v, at, size)
}

// TestPartsOfAPositionAreCheckedInTurn: the second is not wanted any more, and not checked.
func TestPartsOfAPositionAreCheckedInTurn(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	truth := certificateFromElsewhere(t, g)

	var checks atomic.Int32
	begin, slow := make(chan struct{}), *g
	slow.open = func(ctx context.Context) (share.Site, error) {
		site, err := g.open(ctx)
		return changedSite{site, func(p share.Proof) share.Proof { return checkedProof{p, &checks, begin} }}, err
	}
	h := startHub(t, t.TempDir(), nil, &slow)
	c := dial(t, h.Inside())
	if _, err := c.Ask(t.Context(), g.question("white-wins")); err != nil {
		t.Fatal(err)
	}
	r := newRogue(t, h)
	_, answer := r.take()
	answer.Verdict = provesOf(t, truth.Bytes())
	outcomes := make(chan wire.Outcome, 2)
	var group sync.WaitGroup
	for many := range 2 {
		group.Go(func() { outcomes <- r.send(answer, truth.String()) })
		for heldUploads(h) <= many {
			time.Sleep(time.Millisecond)
		}
	}
	close(begin)
	group.Wait()
	got := map[wire.Outcome]int{<-outcomes: 1}
	got[<-outcomes]++
	if got[wire.Accepted] != 1 || got[wire.Copied] != 1 || checks.Load() != 1 {
		t.Errorf("%v by %d checks, want one accepted, one copied, and one check", got, checks.Load())
	}
}

// A takingProof takes every part for a good one.
type takingProof struct{ share.Proof }

func (takingProof) Check(_ context.Context, _ string, _ proofnumber.Verdict, _ io.ReaderAt, size int64) (share.Part, error) {
	return share.Part{Digest: strings.Repeat("0", 64), Checksum: strings.Repeat("0", 64), Positions: 1, Bytes: size}, nil
}

// credulous is a hub that takes every part for a good one, and was asked a question, and the only worker there.
func credulous(t *testing.T) (*Hub, *rogue) {
	t.Helper()
	g := fanoronaOn(t, 5, 5)
	open := g.open
	g.open = func(ctx context.Context) (share.Site, error) {
		site, err := open(ctx)
		return changedSite{site, func(p share.Proof) share.Proof { return takingProof{p} }}, err
	}
	h := startHub(t, t.TempDir(), nil, g)
	r := newRogue(t, h)
	if _, err := dial(t, h.Inside()).Ask(t.Context(), g.question("white-wins")); err != nil {
		t.Fatal(err)
	}
	return h, r
}

// TestNoJobOfAShownPositionStaysInFlight: of a position that several teams have, the first part
// ends all jobs, whether its own is still out or not.
func TestNoJobOfAShownPositionStaysInFlight(t *testing.T) {
	h, r := credulous(t)
	_, answer := r.take()
	h.mutex.Lock()
	whole := h.out[answer.Message]
	for _, name := range []string{"b", "c", "d", "e", "f", "g"} {
		h.workers[speaker{name: name}] = &present{Hello: wire.Hello{Worker: name, Lanes: 1}, seen: time.Now()}
	}
	h.giveUp(whole, "is split")
	h.mutex.Unlock()
	for _, late := range []bool{false, true} {
		out := 0
		for out < 2 {
			_, answer = r.take()
			h.mutex.Lock()
			h.settle(whole.question)
			out = 0
			for _, g := range h.out {
				if g.Task.Position == answer.Position {
					out++
				}
			}
			h.mutex.Unlock()
		}
		if late {
			answer.Start--
		}
		answer.Verdict = proofnumber.Refuted
		if what := r.send(answer, "part"); what != wire.Accepted {
			t.Fatal(what)
		}
		if s := h.Status(); s.Questions[0].Stage != wire.Searching || s.Questions[0].InFlight != s.Jobs.Out {
			t.Fatalf("late %v, %s: %d jobs are out, and %d in flight", late, s.Questions[0].Stage, s.Jobs.Out, s.Questions[0].InFlight)
		}
	}
}

// provesOf is what a certificate of the claim white-wins or its opposite shows of white's win.
func provesOf(t *testing.T, text []byte) proofnumber.Verdict {
	t.Helper()
	file, err := proofs.Open(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	if file.Header.Claim == "white-wins" {
		return proofnumber.Proved
	}
	return proofnumber.Refuted
}

// heldUploads counts the files that are checked, or wait for it.
func heldUploads(h *Hub) (many int) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	for _, u := range h.uploads {
		if u.checked {
			many++
		}
	}
	return many
}

// TestAMuchLargerPartIsNotWaitedFor: it may be a lie that takes long to check.
func TestAMuchLargerPartIsNotWaitedFor(t *testing.T) {
	s := &underway{inTurn: []*inTurn{{position: "p", size: 100}}}
	for size, want := range map[int64]bool{10: false, 49: false, 50: true, 1000: true} {
		if waits := s.ahead("p", size) != nil; waits != want || s.ahead("another", size) != nil {
			t.Errorf("a part of %d bytes waits: %v", size, waits)
		}
	}
}
