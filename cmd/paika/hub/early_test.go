package hub

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/zeebo/xxh3"

	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/proofs"
	"paika/solver/proofnumber"
)

// A countingProof counts the checks of parts, those of whole files and those while they come.
type countingProof struct {
	share.Proof
	whole, growing *atomic.Int32
}

func (p countingProof) Check(ctx context.Context, position string, v proofnumber.Verdict, at io.ReaderAt, size int64) (share.Part, error) {
	p.whole.Add(1)
	return p.Proof.Check(ctx, position, v, at, size)
}

func (p countingProof) CheckGrowing(ctx context.Context, position string, at io.ReaderAt) (proofnumber.Verdict, share.Part, error) {
	p.growing.Add(1)
	return p.Proof.CheckGrowing(ctx, position, at)
}

// An earlyHub is one that was asked whether White wins, with the certificate that another one has made. Its only worker says
// that it puts that together.
type earlyHub struct {
	*Hub
	r              *rogue
	truth          []byte
	answer         wire.Result // of the worker
	whole, growing atomic.Int32
}

func newEarlyHub(t *testing.T, change func(*Options), others ...*game) *earlyHub {
	t.Helper()
	g := fanoronaOn(t, 3, 3)
	e := &earlyHub{truth: padded(t, certificateFromElsewhere(t, g).Bytes())}
	counted := *g
	counted.open = func(ctx context.Context) (share.Site, error) {
		site, err := g.open(ctx)
		return changedSite{site, func(p share.Proof) share.Proof { return countingProof{p, &e.whole, &e.growing} }}, err
	}
	e.Hub = startHub(t, t.TempDir(), func(o *Options) {
		o.Room = 1 << 30
		if change != nil {
			change(o)
		}
	}, append(others, &counted)...)
	e.r = newRogue(t, e.Hub)
	if _, err := dial(t, e.Inside()).Ask(t.Context(), g.question("white-wins")); err != nil {
		t.Fatal(err)
	}
	_, e.answer = e.r.take()
	e.answer.Verdict, e.answer.Upload = provesOf(t, e.truth), wire.NewName()
	return e
}

// padded is a certificate with many frames of nothing before its last records: half of it is more than a check reads
// at a time.
func padded(t *testing.T, file []byte) []byte {
	t.Helper()
	z, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	text, err := z.DecodeAll(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	frame := func(text []byte) []byte { // of one block, as it is
		size := uint32(len(text))<<3 | 1
		return append([]byte{0x28, 0xb5, 0x2f, 0xfd, 0, 0x10, byte(size), byte(size >> 8), byte(size >> 16)}, text...)
	}
	half := len(text) / 2
	out := slices.Concat(frame(text[:half]), bytes.Repeat(frame(nil), 1<<15), frame(text[half:]))
	seal := []byte{0x50, 0x2a, 0x4d, 0x18, 8, 0, 0, 0}
	return append(append(out, seal...), binary.LittleEndian.AppendUint64(nil, xxh3.Hash(out))...)
}

// shows says that the part is put together, and sent by that name.
func (e *earlyHub) shows(name string) {
	e.onKept("", told(e.r.T, wire.Kept{Started: e.answer.Started, Shows: true, Upload: name}))
}

// sends sends a file in so many pieces, but for the last ones, whose number is left, and tells how much is there.
func (e *earlyHub) sends(file []byte, pieces, left int) (at int) {
	e.r.Helper()
	all := slices.Collect(slices.Chunk(file, (len(file)+pieces-1)/pieces))
	for _, piece := range all[:len(all)-left] {
		if size, err := e.addPiece("", e.answer.Upload, fmt.Sprint(at), piece); err != nil || size != int64(at+len(piece)) {
			e.r.Fatal(size, err)
		}
		at += len(piece)
	}
	return at
}

// isEarly tells whether an early check goes on.
func (e *earlyHub) isEarly() bool {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	return e.early != nil
}

// reads has an early check go on: it has memory, and waits for what is to come of the file.
func (e *earlyHub) reads() {
	e.r.Helper()
	e.shows(e.answer.Upload)
	e.sends(e.truth, 3, 1)
	lent := func() bool {
		e.mutex.Lock()
		defer e.mutex.Unlock()
		return e.borrowed > 0
	}
	for began := time.Now(); !lent(); time.Sleep(time.Millisecond) {
		if time.Since(began) > patience || !e.isEarly() {
			e.r.Fatal("no early check has memory")
		}
	}
}

// isOver waits until none does, and all memory is given back.
func (e *earlyHub) isOver() {
	e.r.Helper()
	for began := time.Now(); e.isEarly(); time.Sleep(time.Millisecond) {
		if time.Since(began) > patience {
			e.r.Fatal("the early check goes on")
		}
	}
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.borrowed != 0 {
		e.r.Errorf("%d bytes are still lent", e.borrowed)
	}
}

// TestAPartIsCheckedWhileItComes, and not again: what is kept is the same.
func TestAPartIsCheckedWhileItComes(t *testing.T) {
	for _, pieces := range []int{2, 7} {
		e := newEarlyHub(t, nil)
		e.shows(e.answer.Upload)
		at := e.sends(e.truth, pieces, 1)
		if !e.isEarly() {
			t.Error("nothing is checked before the last piece")
		}
		if size, err := e.addPiece("", e.answer.Upload, fmt.Sprint(at), e.truth[at:]); size != int64(len(e.truth)) || err != nil {
			t.Fatal(size, err)
		}
		if what := e.judge(&result{Result: e.answer}); what.Outcome != wire.Accepted {
			t.Errorf("in %d pieces: %+v", pieces, what)
		}
		e.isOver()
		if e.whole.Load() != 0 || e.growing.Load() != 1 {
			t.Errorf("%d checks of the whole file, %d while it comes: want 0 and 1", e.whole.Load(), e.growing.Load())
		}
		parts, err := filepath.Glob(filepath.Join(e.path("parts"), "*"))
		if err != nil || len(parts) != 1 {
			t.Fatal(parts, err)
		}
		kept, err := os.ReadFile(parts[0])
		if err != nil || !bytes.Equal(kept, e.truth) || !e.Hub.whole(parts[0], e.part()) {
			t.Errorf("the part that is kept has %d bytes, %v: want the %d that were sent", len(kept), err, len(e.truth))
		}
	}
}

// TestAPartIsCheckedFromWhenItIsKnownToBeOne: who puts it together may be heard after the first pieces of it.
func TestAPartIsCheckedFromWhenItIsKnownToBeOne(t *testing.T) {
	e := newEarlyHub(t, nil)
	all := slices.Collect(slices.Chunk(e.truth, (len(e.truth)+3)/4))
	at := 0
	for i, piece := range all {
		if i == 2 {
			e.shows(e.answer.Upload)
		}
		if size, err := e.addPiece("", e.answer.Upload, fmt.Sprint(at), piece); err != nil || size != int64(at+len(piece)) {
			t.Fatal(size, err)
		}
		if at += len(piece); i < len(all)-1 && e.isEarly() != (i >= 2) {
			t.Errorf("after %d pieces it is checked: %v", i+1, e.isEarly())
		}
	}
	if what := e.judge(&result{Result: e.answer}); what.Outcome != wire.Accepted {
		t.Errorf("%+v", what)
	}
	e.isOver()
	if e.whole.Load() != 0 || e.growing.Load() != 1 {
		t.Errorf("%d checks of the whole file, %d while it comes: want 0 and 1", e.whole.Load(), e.growing.Load())
	}
}

// part is what the ledger says of the only part.
func (e *earlyHub) part() (part share.Part) {
	e.r.Helper()
	text, err := os.ReadFile(e.path("ledger"))
	if err != nil {
		e.r.Fatal(err)
	}
	for _, entry := range entriesOf(e.r.T, text) {
		if entry.Result != nil && entry.Result.Verdict != proofnumber.Undecided {
			part = entry.Result.Part
		}
	}
	return part
}

// TestWhatAnEarlyCheckDoesNotShowIsChecked as if there had been none: a part that is none, one of another verdict, and
// one for which there was no memory.
func TestWhatAnEarlyCheckDoesNotShowIsChecked(t *testing.T) {
	for name, c := range map[string]struct {
		options func(*Options)
		change  func(e *earlyHub)
		want    wire.Outcome
	}{
		"garbage":            {nil, func(e *earlyHub) { e.truth = bytes.Repeat([]byte("garbage"), 100) }, wire.Rejected},
		"a byte is changed":  {nil, func(e *earlyHub) { e.truth[len(e.truth)-1] ^= 1 }, wire.Rejected},
		"it is cut short":    {nil, func(e *earlyHub) { e.truth = e.truth[:len(e.truth)-1] }, wire.Rejected},
		"another verdict":    {nil, func(e *earlyHub) { e.answer.Verdict = 3 - e.answer.Verdict }, wire.Rejected},
		"there is no memory": {func(o *Options) { o.Room = 0 }, func(*earlyHub) {}, wire.Accepted},
	} {
		e := newEarlyHub(t, c.options)
		e.shows(e.answer.Upload)
		c.change(e)
		e.sends(e.truth, 5, 0)
		if what := e.judge(&result{Result: e.answer}); what.Outcome != c.want {
			t.Errorf("%s: %+v, want %s", name, what, c.want)
		}
		e.isOver()
		if e.whole.Load() != 1 || e.growing.Load() != 1 {
			t.Errorf("%s: %d checks of the whole file, %d while it comes: want one each", name, e.whole.Load(), e.growing.Load())
		}
	}
}

// TestMoreThanAnEarlyCheckHasSeenIsNotKept: of a piece that could not be written something may stand behind the part.
func TestMoreThanAnEarlyCheckHasSeenIsNotKept(t *testing.T) {
	e := newEarlyHub(t, nil)
	e.shows(e.answer.Upload)
	e.sends(e.truth, 5, 0)
	file, err := os.OpenFile(e.uploadPath(e.answer.Upload), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString("more"); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	if what := e.judge(&result{Result: e.answer}); what.Outcome != wire.Rejected || e.whole.Load() != 1 {
		t.Errorf("%+v, by %d checks of the whole file", what, e.whole.Load())
	}
}

// TestAnEarlyCheckLeavesTheMemoryToQuestions: none that has grown waits for it, nor one that is asked.
func TestAnEarlyCheckLeavesTheMemoryToQuestions(t *testing.T) {
	sized := func(o *Options) {
		o.Measure = func(s proofs.Setting) ([]proofs.Table, uint64, error) {
			if s.Board == "3x3" {
				return nil, 0, nil
			}
			return nil, 700 << 20, nil
		}
	}
	e := newEarlyHub(t, sized)
	e.reads()
	e.mutex.Lock()
	e.options.Room = e.used() - e.borrowed + e.borrowed/2
	e.shed()
	if q := e.open[0]; q.stage != wire.Searching {
		t.Errorf("the question is %s", q.stage)
	}
	e.mutex.Unlock()
	e.isOver()

	other := konaneOn(t, 4, 4)
	e = newEarlyHub(t, sized, other)
	e.reads()
	until(t, dial(t, e.Inside()), other.question("second-wins"), wire.Searching)
	e.isOver()
}

// TestWhatIsNoLongerPutTogetherLeavesTheDisk, and who sends it has its share back.
func TestWhatIsNoLongerPutTogetherLeavesTheDisk(t *testing.T) {
	for name, end := range map[string]func(e *earlyHub){
		"given back": func(e *earlyHub) {
			e.onKept("", told(e.r.T, wire.Kept{Started: e.answer.Started, Back: true}))
		},
		"no longer wanted": func(e *earlyHub) {
			e.mutex.Lock()
			defer e.mutex.Unlock()
			e.withdraw(e.out[e.answer.Message], true)
		},
	} {
		e := newEarlyHub(t, nil)
		e.reads()
		end(e)
		e.isOver()
		_, err := os.Stat(e.uploadPath(e.answer.Upload))
		if f := e.figures(); f.uploads != 0 || f.incoming != 0 || !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: %d files of %d bytes, %v", name, f.uploads, f.incoming, err)
		}
	}
}

// TestFilesOfNoShownPartAreNotCheckedEarly: whoever sends them.
func TestFilesOfNoShownPartAreNotCheckedEarly(t *testing.T) {
	e := newEarlyHub(t, nil)
	e.sends(e.truth, 3, 1) // before it is said what it is
	e.shows(e.answer.Upload)
	e.mutex.Lock()
	e.forget(e.answer.Upload)
	e.mutex.Unlock()
	other := wire.NewName()
	if _, err := e.addPiece("", other, "0", e.truth[:10]); err != nil {
		t.Fatal(err)
	}
	if _, err := e.addPiece("bob", e.answer.Upload, "0", e.truth[:10]); err != nil {
		t.Fatal(err)
	}
	if e.isEarly() || e.growing.Load() != 0 {
		t.Error("a file is checked that nobody has said to put together")
	}
}

// TestAnEarlyCheckEndsWithItsJob, and gives its memory back: where the file is forgotten, who shows the job is no
// longer waited for, the question is no longer searched, or the hub ends.
func TestAnEarlyCheckEndsWithItsJob(t *testing.T) {
	late := func(e *earlyHub) {
		e.mutex.Lock()
		defer e.mutex.Unlock()
		g := e.out[e.answer.Message]
		g.shows = g.question.began.Add(-2 * e.options.Lease)
	}
	for name, end := range map[string]func(e *earlyHub){
		"forgotten": func(e *earlyHub) {
			e.mutex.Lock()
			defer e.mutex.Unlock()
			e.forget(e.answer.Upload)
		},
		"late": func(e *earlyHub) { late(e); e.Audit() },
		"late, and there is more": func(e *earlyHub) {
			late(e)
			at := len(e.truth) * 2 / 3
			if _, err := e.addPiece("", e.answer.Upload, fmt.Sprint(e.uploads[e.answer.Upload].size), e.truth[at:]); err != nil {
				e.r.Fatal(err)
			}
		},
		"given back": func(e *earlyHub) {
			e.onKept("", told(e.r.T, wire.Kept{Started: e.answer.Started, Back: true}))
			e.Audit()
		},
		"of another now": func(e *earlyHub) {
			e.mutex.Lock()
			e.out[e.answer.Message].part = wire.NewName()
			e.mutex.Unlock()
			e.Audit()
		},
		"withdrawn": func(e *earlyHub) {
			e.mutex.Lock()
			defer e.mutex.Unlock()
			e.withdraw(e.out[e.answer.Message], true)
		},
		"suspended": func(e *earlyHub) {
			e.mutex.Lock()
			defer e.mutex.Unlock()
			e.suspend(e.out[e.answer.Message].question)
		},
		"suspended, and of another now": func(e *earlyHub) {
			e.mutex.Lock()
			defer e.mutex.Unlock()
			g := e.out[e.answer.Message]
			g.part = wire.NewName()
			e.suspend(g.question)
		},
		"closed": func(e *earlyHub) { e.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			e := newEarlyHub(t, nil)
			e.reads()
			end(e)
			e.isOver()
		})
	}
}

// TestOnePartAtATimeIsCheckedEarly: each takes memory for as long as its file comes.
func TestOnePartAtATimeIsCheckedEarly(t *testing.T) {
	e := newEarlyHub(t, nil)
	e.reads()
	e.mutex.Lock()
	another := wire.NewName()
	e.out[e.answer.Message].part = another
	e.mutex.Unlock()
	if _, err := e.addPiece("", another, "0", e.truth[:10]); err != nil {
		t.Fatal(err)
	}
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.uploads[another].early != nil {
		t.Error("two parts are checked early")
	}
}

// TestAFileThatGrowsIsReadAsItIsThere: reading waits, and ends with the file, or where that comes no more.
func TestAFileThatGrowsIsReadAsItIsThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("what is there"), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	g := newGrowing(file)
	read := make(chan string)
	ask := func() {
		b := make([]byte, 9)
		n, err := g.ReadAt(b, 5)
		read <- fmt.Sprintf("%s %v", b[:n], err)
	}
	go ask()
	for _, size := range []int64{3, 8} {
		g.grow(size)
		select {
		case got := <-read:
			t.Fatalf("of %d bytes it reads %s", size, got)
		case <-time.After(10 * time.Millisecond):
		}
	}
	g.end()
	if got := <-read; got != "is  EOF" {
		t.Errorf("at the end it reads %q", got)
	}
	g.stop()
	if _, err := g.ReadAt(make([]byte, 1), 0); !errors.Is(err, errGone) {
		t.Errorf("of a file that comes no more: %v", err)
	}
}
