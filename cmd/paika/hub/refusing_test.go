package hub

import (
	"testing"

	"paika/bitboard"
	"paika/cmd/paika/hub/construction"
	"paika/cmd/paika/hub/wire"
)

// TestWhoRefusesAJobIsPassedBy: it would have it again at once, without end. What is refused too often is
// done in another way.
func TestWhoRefusesAJobIsPassedBy(t *testing.T) {
	s := newStoreroom(t, stock{metrics: []bitboard.Metric{bitboard.WDL}})
	h := s.start(t, t.TempDir(), nil)
	r := enlist(t, h.Inside(), version)
	if _, err := dial(t, h.Inside()).Ask(t.Context(), s.question()); err != nil {
		t.Fatal(err)
	}
	d, answer := r.receive()
	answer.Refused = "it can't"
	for range 2 { // what is said twice counts once
		if what := r.send(answer, ""); what != wire.Refused {
			t.Fatal(what)
		}
	}
	h.mutex.Lock()
	g := h.out[d.Message]
	switch {
	case g == nil:
		t.Error("the job goes out as another")
	case g.takes(speaker{name: "rogue"}) || !g.takes(speaker{name: "other"}) || g.vain != 1:
		t.Errorf("%+v: want it left to others, and once in vain", g.left)
	}
	h.mutex.Unlock()
	for h.Status().Jobs.GivenUp == 0 {
		_, answer := r.receive()
		answer.Refused = "it can't"
		r.send(answer, "")
	}
	if refused := h.Status().Jobs.Refused; refused > 2+mostDeliveries*uint64(len(h.out)+1) {
		t.Errorf("%d refusals until a job is given up", refused)
	}
}

// TestAGroupThatIsRejectedGoesToOthersFirst, and so does what is no answer at all.
func TestAGroupThatIsRejectedGoesToOthersFirst(t *testing.T) {
	for name, lie := range map[string]func(*wire.Result){
		"no file":   func(r *wire.Result) { r.Built = new(construction.Made) },
		"no answer": func(*wire.Result) {},
	} {
		y := fanoronaYard(t, construction.Order{Metric: "wdl", Pieces: 2})
		h := y.start(t, t.TempDir(), nil)
		if _, err := dial(t, h.Inside()).Ask(t.Context(), y.question()); err != nil {
			t.Fatal(err)
		}
		passedBy(t, h, name, "", lie)
	}
	y := fanoronaYard(t, construction.Order{Metric: "wdl", Pieces: 2})
	h := y.start(t, t.TempDir(), nil)
	if _, err := dial(t, h.Inside()).Ask(t.Context(), y.question()); err != nil {
		t.Fatal(err)
	}
	passedBy(t, h, "garbage", "garbage", func(r *wire.Result) { r.Built = new(construction.Made) })
}

// TestAPartThatIsRejectedGoesToOthersFirst.
func TestAPartThatIsRejectedGoesToOthersFirst(t *testing.T) {
	for name, file := range map[string]string{"garbage": "garbage", "no file": ""} {
		g := fanoronaOn(t, 3, 3)
		h := startHub(t, t.TempDir(), nil, g)
		if _, err := dial(t, h.Inside()).Ask(t.Context(), g.question("white-wins")); err != nil {
			t.Fatal(err)
		}
		passedBy(t, h, name, file, func(r *wire.Result) { r.Verdict = 1 })
	}
}

// passedBy wants a worker that answers a job by a lie to be rejected, and to be passed by.
func passedBy(t *testing.T, h *Hub, name, file string, lie func(*wire.Result)) {
	t.Helper()
	r := enlist(t, h.Inside(), version)
	d, answer := r.receive()
	lie(&answer)
	if what := r.send(answer, file); what != wire.Rejected {
		t.Errorf("%s: %s", name, what)
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if g := h.out[d.Message]; g == nil || len(g.returns) == 0 || g.takes(speaker{name: "rogue"}) {
		t.Errorf("%s: its worker may have the job again at once", name)
	}
}
