package hub

import (
	"os"
	"path/filepath"
	"testing"

	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/solver/proofnumber"
)

// TestAPartBringsAllJobsOfItsPositionBack: several teams have the same position, and one sends the
// part. As many jobs are in flight then as are out.
func TestAPartBringsAllJobsOfItsPositionBack(t *testing.T) {
	g := konaneOn(t, 4, 4)
	h := startHub(t, t.TempDir(), nil, g)
	if _, err := dial(t, h.Inside()).Ask(t.Context(), g.question("second-wins")); err != nil {
		t.Fatal(err)
	}
	r := newRogue(t, h)
	h.seen("", wire.Hello{Worker: "others", Version: version, Lanes: 2 * wire.MostTeam})
	site, err := g.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer site.Close()
	searcher, err := site.Searcher(share.SearcherOptions{Table: 1 << 20, Sets: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer searcher.Close()
	for decided := false; !decided; {
		d, answer := r.take()
		file := ""
		if d.Task.Position == g.start {
			answer.Smaller = true // no part answers the question
		} else {
			answer.Verdict, file = searched(t, searcher, *d.Task)
			decided = true
		}
		if got := r.send(answer, file); got != wire.Accepted && got != wire.Stale {
			t.Fatalf("%s: %s", d.Task.Position, got)
		}
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	for _, q := range h.questions {
		if q.stage != wire.Searching {
			t.Fatalf("the question is %s: want more to be searched after the part", q.stage)
		}
		if inFlight := q.standing().InFlight; q.out < 2 || inFlight != q.out {
			t.Errorf("%d jobs are in flight, and %d are out", inFlight, q.out)
		}
	}
}

// searched searches the position of a task without its bound, and gives the part.
func searched(t *testing.T, s share.Searcher, task share.Task) (v proofnumber.Verdict, part string) {
	t.Helper()
	task.Nodes = 1 << 20
	file := filepath.Join(t.TempDir(), "part")
	found, err := s.Search(t.Context(), task, version, 1, file, share.Watch{Moved: func(uint64) {}})
	if err != nil || found.Verdict == proofnumber.Undecided {
		t.Fatalf("%s: %+v, %v", task.Position, found, err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return found.Verdict, string(text)
}
