package hub

import (
	"testing"
	"time"

	"paika/cmd/paika/hub/wire"
	"paika/solver/jobs"
)

// TestWordsAloneLetNoTreeGrow: a worker that says of each position that it is too much, or tells of
// no turns, or gives each job back, and never sends a part, has only so many split. One that says it has
// visited more than it can have has none split by that. Another one still answers. Beyond so many a job
// without turns waits for others, as long as a lease.
func TestWordsAloneLetNoTreeGrow(t *testing.T) {
	for _, c := range []struct {
		name    string
		answers int
		lie     func(r *rogue, answer wire.Result, turns int)
		least   int
	}{
		{"too much", 3 * mostSplits, tooMuch, mostSplits / 2},
		{"no turns", mostSplits + 8, func(r *rogue, answer wire.Result, _ int) { r.send(answer, "") }, mostSplits / 2},
		{"given back", (mostSplits+1)*mostDeliveries + 1, func(r *rogue, answer wire.Result, _ int) { r.giveBack(answer) }, mostSplits / 2},
		{"nodes that can't be", 4 * mostSplits, func(r *rogue, answer wire.Result, turns int) {
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
func numbersOf(turns int) (all []jobs.Turn) {
	for range turns {
		all = append(all, jobs.Turn{Numbers: jobs.Numbers{Proof: 1, Disproof: 1}})
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

// TestAnswersOfNoNodesFillNoLedger: a worker may send any number of them, each about the job that it had
// before. So it is with nodes that nobody can have visited since, also of a job that is left to others, and
// where a worker is believed no more that a position is too much.
func TestAnswersOfNoNodesFillNoLedger(t *testing.T) {
	for name, lie := range map[string]func(r *rogue, answer wire.Result, turns int) wire.Outcome{
		"no nodes": func(r *rogue, answer wire.Result, turns int) wire.Outcome {
			answer.Turns = numbersOf(turns)
			return r.send(answer, "")
		},
		"a few": func(r *rogue, answer wire.Result, turns int) wire.Outcome {
			answer.Nodes, answer.Turns = 1, numbersOf(turns)
			return r.send(answer, "")
		},
		"too much": func(r *rogue, answer wire.Result, turns int) wire.Outcome {
			answer.Smaller, answer.Turns = true, numbersOf(turns)
			return r.send(answer, "")
		},
		"nodes that can't be": func(r *rogue, answer wire.Result, turns int) wire.Outcome {
			answer.Nodes, answer.Turns = 1<<63, numbersOf(turns)
			return r.send(answer, "")
		},
		"such nodes of a job that is left to others": func(r *rogue, answer wire.Result, turns int) wire.Outcome {
			r.leave(answer)
			answer.Nodes, answer.Turns = 1<<63, numbersOf(turns)
			return r.send(answer, "")
		},
	} {
		t.Run(name, func(t *testing.T) {
			h, r, q := boundless(t)
			if name == "too much" {
				h.mutex.Lock()
				q.underway.split = map[string]int{"rogue": mostSplits}
				h.mutex.Unlock()
			}
			const answers = mostDeliveries + 1
			before := h.ledger.Lines()
			for range answers {
				d, answer := r.receive()
				if what := lie(r, answer, h.turns(q, d)); what != wire.Rejected {
					t.Errorf("%s, want %s", what, wire.Rejected)
				}
			}
			if lines := h.ledger.Lines() - before; lines > answers/mostDeliveries {
				t.Errorf("%d answers have %d lines, want one for %d of them at most", answers, lines, mostDeliveries)
			}
		})
	}
}

// TestNodesOfAnswersInVainAddUp: a search that is done early, again and again, gets somewhere.
func TestNodesOfAnswersInVainAddUp(t *testing.T) {
	h, r, q := boundless(t)
	var spent []uint64
	for what := wire.Rejected; what != wire.Accepted; {
		d, answer := r.receive()
		h.mutex.Lock()
		h.out[d.Message].began = time.Now().Add(-time.Hour) // so that its nodes are believed
		h.mutex.Unlock()
		answer.Nodes, answer.Turns = d.Task.Nodes/5, numbersOf(h.turns(q, d))
		what = r.send(answer, "")
		spent = append(spent, answer.Nodes)
	}
	if sum := spent[0] * uint64(len(spent)); len(spent) != 3 || h.Status().Nodes != sum {
		t.Errorf("%d answers are taken for %d nodes, want 3 for %d", len(spent), h.Status().Nodes, sum)
	}
}

// TestAnAnswerInVainThatIsSentTwiceCountsOnce: a worker that hears no reply sends it again.
func TestAnAnswerInVainThatIsSentTwiceCountsOnce(t *testing.T) {
	h, r, q := boundless(t)
	d, answer := r.receive()
	answer.Turns = numbersOf(h.turns(q, d))
	h.mutex.Lock()
	defer h.mutex.Unlock()
	g := h.out[d.Message]
	for range 2 * mostDeliveries {
		if reply := h.judgeUndecided(q, q.pursuit.(*proving).proof, &result{Result: answer}); reply.Outcome != wire.Rejected {
			t.Errorf("%+v, want %s", reply, wire.Rejected)
		}
	}
	if g.vain != 1 || h.out[d.Message] != g {
		t.Errorf("it was handed out %d times in vain, want once", g.vain)
	}
}

// boundless is a hub with one worker, and a question whose jobs have so many nodes that nobody can have
// visited them at once.
func boundless(t *testing.T) (*Hub, *rogue, *question) {
	t.Helper()
	g := konaneOn(t, 6, 6)
	h := startHub(t, t.TempDir(), func(o *Options) { o.Least, o.Most = 1<<30, 1<<30 }, g)
	r := newRogue(t, h)
	q := g.question("first-wins")
	if _, err := dial(t, h.Inside()).Ask(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	for stage := wire.Preparing; stage == wire.Preparing; { // until its line is there
		stage = h.Status().Questions[0].Stage
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return h, r, h.questions[q.ID()]
}

// turns counts those of the position of a job.
func (h *Hub) turns(q *question, d wire.Delivery) int {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return q.pursuit.(*proving).proof.Turns(d.Task.Position, 1<<10)
}
