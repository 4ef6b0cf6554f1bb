package hub

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"paika/cmd/paika/hub/construction"
	"paika/cmd/paika/hub/ledger"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
)

// lines is a ledger that counts its lines, and those that are on disk. It takes none, or syncs none,
// where it is to fail so.
type lines struct {
	record
	added, synced  int
	noRoom, noSync error
}

func (l *lines) Add(ledger.Entry) error {
	if l.noRoom == nil {
		l.added++
	}
	return l.noRoom
}

func (l *lines) Sync() error {
	if l.noSync == nil {
		l.synced = l.added
	}
	return l.noSync
}

// TestWhatWhoAsksSaysIsOnDisk before there is an answer, also where it was said before.
func TestWhatWhoAsksSaysIsOnDisk(t *testing.T) {
	asked := wire.Question{Kind: wire.Verification}
	for name, c := range map[string]struct {
		of    wire.Ask
		stage wire.Stage
	}{
		"taken": {wire.Ask{Question: asked, Taken: true}, wire.Done},
		"again": {wire.Ask{Question: asked, Again: true}, wire.Preparing}, // its line was written when it was said first
	} {
		l := &lines{added: 1}
		h := &Hub{ledger: l, questions: map[string]*question{asked.ID(): {Question: asked, id: asked.ID(), stage: c.stage}}}
		h.context, h.cancel = context.WithCancelCause(t.Context())
		for range 2 {
			if _, err := h.ask("", c.of); err != nil || l.synced != l.added {
				t.Errorf("%s: %v, with %d lines of %d on disk", name, err, l.synced, l.added)
			}
		}
		l.noSync = errors.New("the disk")
		if _, err := h.ask("", c.of); !errors.Is(err, l.noSync) {
			t.Errorf("%s: %v, want %v", name, err, l.noSync)
		}
		if err := h.Wait(t.Context()); !errors.Is(err, l.noSync) {
			t.Errorf("%s: the hub ends with %v, want %v", name, err, l.noSync)
		}
	}
}

// TestNothingIsAcceptedThatIsNotOnDisk: it is to be sent again.
func TestNothingIsAcceptedThatIsNotOnDisk(t *testing.T) {
	l := &lines{added: 1}
	h, q := &Hub{ledger: l}, new(question)
	h.context, h.cancel = context.WithCancelCause(t.Context())
	accepted := func() wire.Outcome {
		t.Helper()
		_, later := h.onDisk(q, wire.Reply{Outcome: wire.Accepted})
		if later == nil {
			t.Fatal("nothing is left to be done")
		}
		return later().Outcome
	}
	if got := accepted(); got != wire.Accepted || l.synced != 1 {
		t.Errorf("%s, with %d lines on disk", got, l.synced)
	}
	l.noSync = errors.New("the disk")
	if got := accepted(); got != wire.Failing {
		t.Errorf("%s, and the disk fails: want %s", got, wire.Failing)
	}
	if err := h.Wait(t.Context()); !errors.Is(err, l.noSync) {
		t.Errorf("the hub ends with %v, want %v: nothing lasts any more", err, l.noSync)
	}
}

// wanting is a proof that wants every part.
type wanting struct{ share.Proof }

func (wanting) Wanted(string) bool { return true }
func (wanting) Attack() string     { return "white-wins" }

// tableless is a pursuit that rests on no tables.
type tableless struct{ pursuit }

func (tableless) fingerprint() string { return "" }

// TestAPartWithoutALineIsNotKept: no line would ever name its file.
func TestAPartWithoutALineIsNotKept(t *testing.T) {
	l := &lines{noRoom: errors.New("the disk")}
	h := &Hub{dataFolder: dataFolder(t.TempDir()), ledger: l}
	put(t, h.path(incomingFolder), "sent")
	if err := os.Mkdir(h.path(partsFolder), 0o700); err != nil {
		t.Fatal(err)
	}
	at := &checking{underway: &underway{pursuit: tableless{}}, proof: wanting{}}
	q := &question{stage: wire.Searching, underway: at.underway}
	r := &result{Result: wire.Result{Upload: "sent"}}
	if what, err := h.accept(q, at, r, share.Part{Digest: "part"}); !errors.Is(err, l.noRoom) {
		t.Errorf("%s, %v, want %v", what, err, l.noRoom)
	}
	if parts, err := os.ReadDir(h.path(partsFolder)); err != nil || len(parts) > 0 {
		t.Errorf("kept: %v, %v", parts, err)
	}
}

// TestFilesOfNoGroupAreSweptAway once the ledger is told: of a group that is stored, or of a hub that
// was killed before it wrote the line.
func TestFilesOfNoGroupAreSweptAway(t *testing.T) {
	b := &building{folder: t.TempDir()}
	b.works = []*unit{{made: &made{Made: construction.Made{Digest: "made"}}}, {stored: true}}
	put(t, b.folder, "made", "stored", "folder/file")
	if err := b.sweep(); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(b.path("*"))
	if err != nil || !slices.Equal(left, []string{b.path("made")}) {
		t.Errorf("left are %v, %v", left, err)
	}
}
