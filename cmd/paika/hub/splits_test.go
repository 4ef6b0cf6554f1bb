package hub

import (
	"testing"

	"paika/cmd/paika/hub/wire"
	"paika/solver/jobs"
)

// TestWordsAloneLetNoTreeGrow: a worker that says of each position that it is too much, or tells of
// no turns, and never sends a part, has only so many split. Another one still answers.
func TestWordsAloneLetNoTreeGrow(t *testing.T) {
	for name, lie := range map[string]func(d wire.Delivery, answer *wire.Result, turns int){
		"too much": func(_ wire.Delivery, answer *wire.Result, turns int) {
			answer.Smaller = true
			for range turns {
				answer.Turns = append(answer.Turns, jobs.Numbers{Proof: 1, Disproof: 1})
			}
		},
		"no turns": func(wire.Delivery, *wire.Result, int) {},
	} {
		g := konaneOn(t, 6, 6)
		h := startHub(t, t.TempDir(), func(o *Options) { o.Least, o.Most = 1_000, 50_000_000 }, g)
		r := newRogue(t, h)
		q := g.question("first-wins")
		if _, err := dial(t, h.Inside()).Ask(t.Context(), q); err != nil {
			t.Fatal(err)
		}
		for range 3 * mostSplits {
			d, answer := r.receive()
			h.mutex.Lock()
			turns := h.questions[q.ID()].pursuit.(*proving).proof.Turns(d.Task.Position, 1<<10)
			h.mutex.Unlock()
			lie(d, &answer, turns)
			r.send(answer, "")
		}
		if s := h.Status().Questions[0]; s.Splits < mostSplits/2 || s.Splits > mostSplits {
			t.Errorf("%s: %d positions are split, want %d at most", name, s.Splits, mostSplits)
		}
		h.Close()
	}
}
