package hub

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"paika/cmd/paika/hub/construction"
	"paika/cmd/paika/hub/inspection"
	"paika/cmd/paika/hub/wire"
	"paika/proofs"
	"paika/tablebase"
)

// TestQuestionsAboutTablesThatAreBuiltWait, and those that were at work before a hub is started anew
// all go on.
func TestQuestionsAboutTablesThatAreBuiltWait(t *testing.T) {
	g := withTables(t, 3, 3, 3, "BBB/B.W/WWW w")
	y := fanoronaYard(t, construction.Order{Metric: "wdl", Pieces: 5})
	y.dir = g.dir
	verification := wire.Question{Setting: proofs.Setting(y.id), Kind: wire.Verification}
	dir, far := t.TempDir(), *g
	far.dir = filepath.Join(t.TempDir(), "far")
	if err := os.CopyFS(far.dir, os.DirFS(g.dir)); err != nil {
		t.Fatal(err)
	}
	start := func() *Hub {
		return y.start(t, dir, func(o *Options) {
			o.Open, o.Memory = g.open, 1<<26
			o.Tables = func(proofs.Setting) (inspection.Game, error) {
				limits := y.limits(1 << 30)
				limits.Dir = y.dir
				return inspection.New(g.Game, g.Identity, limits.Options), nil
			}
		})
	}
	stage := func(h *Hub, q wire.Question, want wire.Stage, busy bool) {
		t.Helper()
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
			s, err := h.ask("", wire.Ask{Question: q})
			if err != nil || s.Stage == wire.Failed || time.Now().After(deadline) {
				t.Fatalf("%v: %s %s, %v: want %s; %+v", q, s.Stage, s.Error, err, want, h.Status())
			}
			if s.Stage == want && s.Busy == busy {
				return
			}
		}
	}
	h := start()
	stage(h, g.question("white-wins"), wire.Searching, false)
	stage(h, y.question(), wire.Searching, false)
	stage(h, verification, wire.Preparing, true)
	for range 3 { // in whatever order they begin
		h.Close()
		h = start()
		stage(h, g.question("white-wins"), wire.Searching, false)
		stage(h, y.question(), wire.Searching, false)
	}
	stage(h, verification, wire.Preparing, true)
	o := y.brings(t, h.Inside(), "w")
	o.Open, o.Table, o.Sets = far.open, 1<<20, 1<<20
	o.Tables = func(proofs.Setting) (inspection.Game, error) {
		return inspection.New(g.Game, g.Identity, y.limits(1<<30).Options), nil
	}
	atWork(t, o)
	for _, q := range []wire.Question{g.question("white-wins"), y.question(), verification} {
		stage(h, q, wire.Done, false)
	}
}

// TestWhoAsksHearsThatNoWorkerIsThere, once the hub has given them time to come.
func TestWhoAsksHearsThatNoWorkerIsThere(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	h := startHub(t, t.TempDir(), nil, g)
	q := g.question("white-wins")
	asks := func(lasts time.Duration, want bool) {
		t.Helper()
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
			h.mutex.Lock()
			if of := h.questions[q.ID()]; of != nil {
				of.began = time.Now().Add(-lasts)
			}
			h.mutex.Unlock()
			s, err := h.ask("", wire.Ask{Question: q})
			if err != nil || time.Now().After(deadline) {
				t.Fatalf("%s, %v", s.Stage, err)
			}
			if s.Stage == wire.Searching {
				if s.NoWorker != want {
					t.Errorf("asked for %v: no worker %v, want %v", lasts, s.NoWorker, want)
				}
				return
			}
		}
	}
	asks(0, false)
	asks(time.Minute, true)
	worker, who := connected(t, h.Inside()), wire.Hello{Worker: "one", Version: version, Lanes: 1}
	if _, err := worker.Greet(t.Context(), who); err != nil {
		t.Fatal(err)
	}
	asks(time.Minute, false)
	who.Lanes = 0 // it goes
	if _, err := worker.Attend(t.Context(), who); err != nil {
		t.Fatal(err)
	}
	asks(time.Minute, true)
}

// TestWhatWasAskedOutlivesAnotherProcess that writes to its tables: what was at work waits until they are
// free, and an answer stays one. Who asks anew is told at once.
func TestWhatWasAskedOutlivesAnotherProcess(t *testing.T) {
	s, dir := newStanding(t), t.TempDir()
	h := s.hub(t, dir)
	open, other := s.question("white-wins"), s.question("black-wins")
	stage := func(q wire.Question, again bool, want wire.Stage, busy bool) wire.State {
		t.Helper()
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
			state, err := h.ask("", wire.Ask{Question: q, Again: again})
			if err != nil || state.Stage.Over() && state.Stage != want || time.Now().After(deadline) {
				t.Fatalf("%v: %s %s, %v: want %s", q, state.Stage, state.Error, err, want)
			}
			if again = false; state.Stage == want && state.Busy == busy {
				return state
			}
		}
	}
	locked := func(do func()) {
		t.Helper()
		store, err := tablebase.Open(s.dir, s.Identity, tablebase.Options{})
		if err != nil {
			t.Fatal(err)
		}
		do()
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
	}
	stage(open, true, wire.Searching, false)
	h.Close()
	locked(func() {
		h = s.hub(t, dir)
		stage(open, false, wire.Preparing, true)
		if state := stage(other, true, wire.Failed, false); !strings.Contains(state.Error, tablebase.ErrLocked.Error()) {
			t.Errorf("asked anew: %s", state.Error)
		}
	})
	stage(open, false, wire.Searching, false)
	locked(func() {
		h.mutex.Lock()
		h.suspend(h.questions[open.ID()])
		h.mutex.Unlock()
		stage(open, false, wire.Preparing, true)
	})
	stage(open, false, wire.Searching, false)
	first := s.asked(t, h)
	locked(func() {
		for range 2 {
			if state := stage(open, true, wire.Done, false); state.Proof != first.Proof {
				t.Errorf("asked again: %+v, want %+v", state.Proof, first.Proof)
			}
			h.Close()
			h = s.hub(t, dir)
		}
	})
}
