package hub

import (
	"testing"

	"paika/cmd/paika/hub/wire"
	"paika/solver/jobs"
)

// TestWordsAloneLetNoTreeGrow: a worker that says of each position that it is too much, or tells of
// no turns, or gives each job back, and never sends a part, has only so many split. One that says it has
// visited more than it can have has none split by that. Another one still answers.
func TestWordsAloneLetNoTreeGrow(t *testing.T) {
	for _, c := range []struct {
		name    string
		answers int
		lie     func(r *rogue, answer wire.Result, turns int)
		least   int
	}{
		{"too much", 3 * mostSplits, tooMuch, mostSplits / 2},
		{"no turns", 3 * mostSplits, func(r *rogue, answer wire.Result, _ int) { r.send(answer, "") }, mostSplits / 2},
		{"given back", (mostSplits+1)*mostDeliveries + 1, func(r *rogue, answer wire.Result, _ int) { r.giveBack(answer) }, mostSplits / 2},
		{"nodes that can't be", 4 * mostSplits, func(r *rogue, answer wire.Result, turns int) {
			answer.Nodes, answer.Turns = 1<<63, numbersOf(turns)
			r.send(answer, "")
		}, 0},
		{"such nodes of a job that is left to others", 4 * mostSplits, func(r *rogue, answer wire.Result, turns int) {
			r.leave(answer)
			answer.Nodes, answer.Turns = 1<<63, numbersOf(turns)
			r.send(answer, "")
		}, 0},
	} {
		if splits := splitsBy(t, 50_000_000, c.answers, c.lie); splits < c.least || splits > mostSplits {
			t.Errorf("%s: %d positions are split, want %d at most", c.name, splits, mostSplits)
		}
	}
}

// TestWhatWordsDoNotSplitNodesDo: beyond that, a position that a worker finds too much counts as
// searched by as many nodes as it had, if it can have visited them since. Else the same jobs went to it for ever.
func TestWhatWordsDoNotSplitNodesDo(t *testing.T) {
	if splits := splitsBy(t, 20, 3*mostSplits, tooMuch); splits <= mostSplits {
		t.Errorf("%d positions are split, want more than %d", splits, mostSplits)
	}
}

// tooMuch says that a position is, after no nodes at all.
func tooMuch(r *rogue, answer wire.Result, turns int) {
	answer.Smaller, answer.Turns = true, numbersOf(turns)
	r.send(answer, "")
}

// numbersOf are numbers for so many turns.
func numbersOf(turns int) (all []jobs.Numbers) {
	for range turns {
		all = append(all, jobs.Numbers{Proof: 1, Disproof: 1})
	}
	return all
}

const leastOfSplits = 1_000

// splitsBy is how many positions a hub has split by so many answers of one worker about positions with
// so many turns, where so many nodes at most split one.
func splitsBy(t *testing.T, most uint64, answers int, lie func(r *rogue, answer wire.Result, turns int)) int {
	t.Helper()
	g := konaneOn(t, 6, 6)
	h := startHub(t, t.TempDir(), func(o *Options) { o.Least, o.Most = min(leastOfSplits, most), most }, g)
	defer h.Close()
	r := newRogue(t, h)
	q := g.question("first-wins")
	if _, err := dial(t, h.Inside()).Ask(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	for range answers {
		d, answer := r.receive()
		h.mutex.Lock()
		turns := h.questions[q.ID()].pursuit.(*proving).proof.Turns(d.Task.Position, 1<<10)
		h.mutex.Unlock()
		lie(r, answer, turns)
	}
	return h.Status().Questions[0].Splits
}
