package hub

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"paika/cmd/paika/hub/ledger"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/solver/jobs"
)

// TestPartsOfAnotherClaimAreNotLookedAt where a question begins, with the same tables: one that is
// damaged is not missed, and those that are whole are not read.
func TestPartsOfAnotherClaimAreNotLookedAt(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	var mutex sync.Mutex
	var told []string
	h := startHub(t, t.TempDir(), func(o *Options) {
		o.Notice = func(text string) {
			mutex.Lock()
			defer mutex.Unlock()
			told = append(told, text)
		}
	}, g)
	missed := func() bool {
		mutex.Lock()
		defer mutex.Unlock()
		return strings.Contains(strings.Join(told, "\n"), "searched for again")
	}
	work(t, h.Inside(), "w", 1, g)
	c := dial(t, h.Inside())
	answered(t, c, g, "white-wins")
	parts, err := filepath.Glob(h.partPath("*"))
	if err != nil || len(parts) == 0 {
		t.Fatal(parts, err)
	}
	if err := os.WriteFile(parts[0], []byte("damaged"), 0o666); err != nil {
		t.Fatal(err)
	}
	if answered(t, c, g, "black-wins"); missed() {
		t.Errorf("%q", told)
	}
	if answered(t, c, g, "black-not-lost"); !missed() { // of the same claim
		t.Errorf("%q", told)
	}
}

// TestNodesOfAnotherQuestionAreNotTold as the question's own, as it goes on from what the ledger has of both.
func TestNodesOfAnotherQuestionAreNotTold(t *testing.T) {
	g, dir := fanoronaOn(t, 3, 3), t.TempDir()
	h := startHub(t, dir, nil, g)
	stop := work(t, h.Inside(), "w", 1, g)
	c := dial(t, h.Inside())
	want := answered(t, c, g, "white-wins")
	if s := answered(t, c, g, "black-not-lost"); want.Nodes == 0 || s.Nodes != 0 || s.Resumed != 0 { // all is known by the same jobs
		t.Errorf("of the opposite claim %d nodes, %d of them before: want none", s.Nodes, s.Resumed)
	}
	stop()
	h.Close()
	if err := os.RemoveAll(h.path(proofsFolder)); err != nil {
		t.Fatal(err)
	}
	h = startHub(t, dir, nil, g)
	work(t, h.Inside(), "w", 1, g) // there are no jobs left for it
	c = dial(t, h.Inside())
	if s := answered(t, c, g, "black-not-lost"); s.Nodes != 0 || s.Resumed != 0 {
		t.Errorf("after a restart: of the opposite claim %d nodes, %d of them before: want none", s.Nodes, s.Resumed)
	}
	if s := answered(t, c, g, "white-wins"); s.Nodes != want.Nodes || s.Resumed != want.Nodes {
		t.Errorf("after a restart: %d nodes, %d of them before, want all %d", s.Nodes, s.Resumed, want.Nodes)
	}
}

// A weighedProof tells what the hub takes while a result of another question is told.
type weighedProof struct {
	share.Proof
	told func()
}

func (p weighedProof) TakeOther(r share.Result) error {
	p.told()
	return p.Proof.TakeOther(r)
}

// TestResultsOfOthersCountWhileTheyAreTold, and are left out where they would take too much.
func TestResultsOfOthersCountWhileTheyAreTold(t *testing.T) {
	const results = 1000
	for _, c := range []struct {
		room uint64
		all  bool
	}{{0, true}, {1 << 30, true}, {200_000, false}} {
		g := fanoronaOn(t, 5, 3)
		weighed := *g
		var h *Hub
		var taken []uint64
		weighed.open = func(ctx context.Context) (share.Site, error) {
			site, err := g.open(ctx)
			return changedSite{site, func(p share.Proof) share.Proof {
				return weighedProof{p, func() { taken = append(taken, h.Status().Memory) }}
			}}, err
		}
		h = startHub(t, t.TempDir(), func(o *Options) { o.Room = c.room }, &weighed)
		for i := range results { // stones as i has its digits
			board := []byte("...../...../....W")
			for at, left := 0, i; left > 0; at, left = at+1, left/3 {
				board[at+at/5] = ".BW"[left%3]
			}
			r := share.Result{Claim: "white-wins", Position: string(board) + " w", Nodes: 1, Turns: make([]jobs.Turn, 40)}
			if err := h.ledger.Add(ledger.Entry{Result: &ledger.Result{Question: "another", Setting: &g.setting, Tables: "none", Result: r}}); err != nil {
				t.Fatal(err)
			}
		}
		client := dial(t, h.Inside())
		until(t, client, g.question("white-wins"), wire.Searching)
		s := h.Status()
		switch last := taken[len(taken)-1]; {
		case !slices.IsSorted(taken), last < uint64(len(taken))*300, s.Memory < last:
			t.Errorf("room for %d: of %d results told, the hub takes %d bytes, then %d", c.room, len(taken), last, s.Memory)
		case c.all != (len(taken) == results), !c.all && s.Memory > c.room*3/4:
			t.Errorf("room for %d: %d results are told of %d, and take %d", c.room, len(taken), results, s.Memory)
		}
		work(t, h.Inside(), "w", 1, g)
		answered(t, client, g, "white-wins")
	}
}

// TestAFileThatWasFoundWholeIsReadAgainOnceItIsAnother: what is compared is its size and its time.
func TestAFileThatWasFoundWholeIsReadAgainOnceItIsAnother(t *testing.T) {
	text := certificateFromElsewhere(t, fanoronaOn(t, 3, 3)).Bytes()
	path := filepath.Join(t.TempDir(), "part")
	h := startHub(t, t.TempDir(), nil)
	then := time.Now().Add(-time.Hour)
	write := func(text []byte, at time.Time) {
		t.Helper()
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	write(text, then)
	sum := sha256.Sum256(text)
	part := share.Part{Digest: hex.EncodeToString(sum[:]), Bytes: int64(len(text))}
	other := append([]byte(nil), text...)
	other[len(other)/2] ^= 1
	for i, step := range []struct {
		text []byte
		at   time.Time
		want bool
	}{
		{other, then, false},
		{text, then, true},
		{other, then, true}, // nobody looks again
		{other, then.Add(time.Second), false},
		{text[1:], then, false},
		{text, then.Add(time.Minute), true},
	} {
		if write(step.text, step.at); h.whole(path, part) != step.want {
			t.Errorf("step %d: want %v", i, step.want)
		}
	}
	if part.Digest = strings.Repeat("0", 64); h.whole(path, part) {
		t.Error("it is another part")
	}
}

// A readLedger counts what is read of it.
type readLedger struct {
	record
	read int
}

func (l *readLedger) Of(wanted func(question string) bool, take func(ledger.Entry)) error {
	return l.record.Of(wanted, func(e ledger.Entry) {
		l.read++
		take(e)
	})
}

// TestLinesOfOtherGamesAreNotRead where a question begins, however many they are.
func TestLinesOfOtherGamesAreNotRead(t *testing.T) {
	small, other := fanoronaOn(t, 3, 3), fanoronaOn(t, 5, 3)
	dir := t.TempDir()
	h := startHub(t, dir, nil, small, other)
	work(t, h.Inside(), "w", 1, small, other)
	c := dial(t, h.Inside())
	answered(t, c, other, "white-wins")
	counted := &readLedger{record: h.ledger}
	h.putLedger(counted)
	if answered(t, c, small, "white-wins"); counted.read > 1 { // its own line may be written by then
		t.Errorf("%d lines are read, of another board", counted.read)
	}
	answered(t, c, small, "black-wins")
	if read := counted.read; read < 2 {
		t.Errorf("%d lines are read, of the same board", read)
	}
}
