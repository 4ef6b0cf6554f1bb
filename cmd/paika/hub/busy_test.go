package hub

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"paika/cmd/paika/hub/construction"
	"paika/cmd/paika/hub/inspection"
	"paika/cmd/paika/hub/wire"
	"paika/proofs"
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
