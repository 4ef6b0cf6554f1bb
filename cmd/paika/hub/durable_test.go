package hub

import (
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"paika/cmd/paika/hub/ledger"
	"paika/cmd/paika/hub/wire"
	"paika/solver/proofnumber"
)

// synced is a ledger that counts its lines which are on disk.
type synced struct {
	record
	lines  atomic.Uint64
	groups sync.Map // by job, how many lines there were with that of its group
}

func (s *synced) Add(e ledger.Entry) error {
	err := s.record.Add(e)
	if err == nil && e.Built != nil {
		s.groups.Store(e.Built.Job, s.Lines())
	}
	return err
}

// built tells whether the line of a group is on disk.
func (s *synced) built(job string) bool {
	lines, written := s.groups.Load(job)
	return written && lines.(uint64) <= s.lines.Load()
}

// watchSyncs gives a hub such a ledger.
func watchSyncs(h *Hub) *synced {
	s := &synced{record: h.ledger}
	h.putLedger(s)
	return s
}

func (s *synced) Sync() error {
	lines := s.Lines() // those that come meanwhile may be on disk, or not
	err := s.record.Sync()
	for old := s.lines.Load(); err == nil && old < lines && !s.lines.CompareAndSwap(old, lines); old = s.lines.Load() {
	}
	return err
}

// TestAHubBeginsOnceItsStartIsOnDisk: or the number of the next start would be the same.
func TestAHubBeginsOnceItsStartIsOnDisk(t *testing.T) {
	dir := t.TempDir()
	if os.Symlink(os.DevNull, filepath.Join(dir, ledgerName)) != nil || runtime.GOOS != "linux" {
		t.Skip("there is no file here that takes lines and can't be synced")
	}
	if h, err := Start(t.Context(), Options{Dir: dir, Version: version}); err == nil {
		h.Close()
		t.Error("a hub begins that could not sync its ledger")
	}
}

// What a hub says to who asks, and to workers, is on disk by then: the
// question of a job, that a result is accepted, and that there is an answer.
func TestWhatIsSaidIsOnDisk(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	h := startHub(t, t.TempDir(), nil, g)
	c := dial(t, h.Inside())
	truth := certificateFromElsewhere(t, g)
	r := newRogue(t, h)
	disk := watchSyncs(h)
	lines := h.ledger.Lines()
	onDisk := func(what string) { // by one line more
		t.Helper()
		if synced := disk.lines.Load(); synced <= lines {
			t.Errorf("%s is said, and %d lines of %d are on disk", what, synced, h.ledger.Lines())
		}
		lines++
	}
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
