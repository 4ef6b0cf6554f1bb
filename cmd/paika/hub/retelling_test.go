package hub

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"paika/cmd/paika/hub/share"
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
