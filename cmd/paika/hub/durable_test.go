package hub

import (
	"testing"

	"paika/cmd/paika/hub/wire"
	"paika/solver/proofnumber"
)

// What a hub says to who asks, and to workers, is on disk by then: that it has started, the
// question of a job, that a result is accepted, and that there is an answer.
func TestWhatIsSaidIsOnDisk(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	h := startHub(t, t.TempDir(), nil, g)
	c := dial(t, h.Inside())
	truth := certificateFromElsewhere(t, g)
	r := newRogue(t, h)
	lines := uint64(0)
	onDisk := func(what string) { // by one line more
		t.Helper()
		if synced := h.ledger.Synced(); synced <= lines {
			t.Errorf("%s is said, and %d lines of %d are on disk", what, synced, h.ledger.Lines())
		}
		lines++
	}
	onDisk("that the hub has started")
	if _, err := c.Ask(t.Context(), g.question("black-not-lost")); err != nil {
		t.Fatal(err)
	}
	_, answer := r.take()
	onDisk("what a job is for")
	if got := r.send(answer, ""); got != wire.Accepted {
		t.Fatal(got)
	}
	onDisk("that a result splits the root")
	_, answer = r.take()
	answer.Verdict, answer.Position = proofnumber.Proved, g.start
	if got := r.send(answer, truth.String()); got != wire.Accepted {
		t.Fatal(got)
	}
	onDisk("that a part is accepted")
	answered(t, c, g, "black-not-lost")
	onDisk("that there is an answer")
	if lines != h.ledger.Lines() {
		t.Errorf("%d lines, want %d", h.ledger.Lines(), lines)
	}
}
