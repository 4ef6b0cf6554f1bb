package hub

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"

	"paika/bitboard"
	"paika/cmd/paika/hub/construction"
	"paika/cmd/paika/hub/link"
	"paika/cmd/paika/hub/wire"
	"paika/tablebase/verify"
)

// files lists what a hub has in its folder of tables.
func files(t *testing.T, h *Hub) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(h.path(tablesFolder))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestFilesOfTablesGoWithTheirQuestion, of whatever kind that is, and not when the hub is started again.
func TestFilesOfTablesGoWithTheirQuestion(t *testing.T) {
	far := func(h *Hub) link.Access { return link.Access{URL: h.URL(), Credentials: h.Credentials()} }
	here := func(o *Options) { o.Address = "127.0.0.1:0" }
	for kind, answer := range map[string]func(t *testing.T) *Hub{
		"proof": func(t *testing.T) *Hub {
			g := withTables(t, 3, 3, 3, "BBB/B.W/WWW w")
			h := g.start(t, t.TempDir(), "127.0.0.1:0")
			atWork(t, g.farWorker(t, far(h), filepath.Join(t.TempDir(), "3x3"), new(atomic.Int32)))
			g.answered(t, dial(t, far(h)), "white-wins")
			return h
		},
		"verification": func(t *testing.T) *Hub {
			s := newStoreroom(t, stock{metrics: []bitboard.Metric{bitboard.WDL}})
			h := s.start(t, t.TempDir(), here)
			atWork(t, s.brings(t, far(h), "w"))
			s.verified(t, dial(t, far(h)))
			return h
		},
		"construction": func(t *testing.T) *Hub {
			y := fanoronaYard(t, construction.Order{Metric: "wdl", Pieces: 4})
			h := y.start(t, t.TempDir(), here)
			for _, name := range []string{"w1", "w2"} {
				atWork(t, y.brings(t, far(h), name))
			}
			y.built(t, dial(t, far(h)))
			return h
		},
	} {
		t.Run(kind, func(t *testing.T) {
			h := answer(t)
			h.Close() // once all is closed that the question had
			if left := files(t, h); len(left) > 0 {
				t.Errorf("%d files are left", len(left))
			}
		})
	}
}

// awaitFile asks for the file of a table until it is there.
func awaitFile(t *testing.T, h *Hub, asked wire.TablesAsk) {
	t.Helper()
	l := connected(t, link.Access{URL: h.URL(), Credentials: h.Credentials()})
	for offer := (wire.TablesOffer{}); offer.Ticket == nil; {
		var err error
		if offer, err = l.Tables(t.Context(), asked); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAFileStaysAsLongAsAQuestionNeedsIt: two that have the same tables have the same files.
func TestAFileStaysAsLongAsAQuestionNeedsIt(t *testing.T) {
	g := withTables(t, 3, 3, 3, "BBB/B.W/WWW w")
	h := g.start(t, t.TempDir(), "127.0.0.1:0")
	c := dial(t, h.Inside())
	claims := []string{"white-wins", "black-wins"}
	for _, claim := range claims {
		until(t, c, g.question(claim), wire.Searching)
	}
	h.mutex.Lock()
	at := h.questions[g.question(claims[0]).ID()]
	asked := wire.TablesAsk{Tables: at.fingerprint(), File: &at.needed()[0]}
	h.mutex.Unlock()
	awaitFile(t, h, asked)
	for i, claim := range claims {
		h.fail(h.questions[g.question(claim).ID()], errors.New("a test"))
		h.dropFiles()
		if left, want := len(files(t, h)), len(claims)-1-i; left != want {
			t.Errorf("with %d questions left there are %d files, want %d", len(claims)-1-i, left, want)
		}
	}
	if _, err := connected(t, h.Inside()).Tables(t.Context(), asked); !errors.Is(err, wire.ErrNotOffered) {
		t.Errorf("%v", err)
	}
}

// TestFilesOfAGroupGoOnceItIsDerived, while the verification goes on. They are no longer offered: who comes
// late would have them made again.
func TestFilesOfAGroupGoOnceItIsDerived(t *testing.T) {
	s := newStoreroom(t, stock{metrics: []bitboard.Metric{bitboard.WDL}})
	h := s.start(t, t.TempDir(), func(o *Options) { o.Address = "127.0.0.1:0" })
	until(t, dial(t, h.Inside()), s.question(), wire.Searching)
	h.mutex.Lock()
	q := h.questions[s.question().ID()]
	i := q.pursuit.(*verifying).inspection
	needed := q.needed()
	last := needed[len(needed)-1] // of the last group
	asked := wire.TablesAsk{Tables: q.fingerprint(), File: &last}
	h.mutex.Unlock()
	awaitFile(t, h, asked)

	h.mutex.Lock()
	var out []string
	for task, found := i.Next(); found; task, found = i.Next() {
		out = append(out, task.Job)
		if slices.ContainsFunc(task.Group.Tables, func(of verify.Table) bool { return wire.LentTable(of) == last }) {
			i.Spare(task.Job) // no worker is asked for it
		}
	}
	for _, job := range out {
		i.Return(job)
	}
	h.settle(q)
	left := q.needed()
	h.mutex.Unlock()
	if len(left) == 0 || slices.Contains(left, last) {
		t.Fatalf("needed are still %v", left)
	}
	for len(files(t, h)) > 0 {
	}
	if _, err := connected(t, h.Inside()).Tables(t.Context(), asked); !errors.Is(err, wire.ErrNotOffered) {
		t.Errorf("%v", err)
	}
	awaitFile(t, h, wire.TablesAsk{Tables: asked.Tables, File: &left[0]})
}
