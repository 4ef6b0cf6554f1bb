package hub

import (
	"testing"

	"paika/cmd/paika/hub/wire"
	"paika/solver/jobs"
)

// TestWordsAloneLetNoTreeGrow: a worker that says of each position that it is too much, or tells of
// no turns, and never sends a part, has only so many split. Another one still answers.
func TestWordsAloneLetNoTreeGrow(t *testing.T) {
	noTurns := func(*wire.Result, int) {}
	for name, lie := range map[string]func(answer *wire.Result, turns int){"too much": tooMuch, "no turns": noTurns} {
		if splits := splitsBy(t, 50_000_000, lie); splits < mostSplits/2 || splits > mostSplits {
			t.Errorf("%s: %d positions are split, want %d at most", name, splits, mostSplits)
		}
	}
}

// TestWhatWordsDoNotSplitNodesDo: beyond that, a position that a worker finds too much counts as
// searched by as many nodes as it had. Else the same jobs went to it for ever.
func TestWhatWordsDoNotSplitNodesDo(t *testing.T) {
	if splits := splitsBy(t, leastOfSplits, tooMuch); splits <= mostSplits {
		t.Errorf("%d positions are split, want more than %d", splits, mostSplits)
	}
}

// tooMuch says that a position is, after no nodes at all.
func tooMuch(answer *wire.Result, turns int) {
	answer.Smaller = true
	for range turns {
		answer.Turns = append(answer.Turns, jobs.Numbers{Proof: 1, Disproof: 1})
	}
}

const leastOfSplits = 1_000

// splitsBy is how many positions a hub has split by the answers of one worker, where so many nodes
// split one.
func splitsBy(t *testing.T, most uint64, lie func(answer *wire.Result, turns int)) int {
	t.Helper()
	g := konaneOn(t, 6, 6)
	h := startHub(t, t.TempDir(), func(o *Options) { o.Least, o.Most = leastOfSplits, most }, g)
	defer h.Close()
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
		lie(&answer, turns)
		r.send(answer, "")
	}
	return h.Status().Questions[0].Splits
}
