package hub

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"paika/bitboard"
	"paika/cmd/paika/hub/client"
	"paika/cmd/paika/hub/construction"
	"paika/cmd/paika/hub/inspection"
	"paika/cmd/paika/hub/ledger"
	"paika/cmd/paika/hub/link"
	"paika/cmd/paika/hub/wire"
	"paika/proofs"
)

// fullDevice is a path that finds no room.
func fullDevice(t *testing.T, path string) {
	t.Helper()
	if _, err := os.Stat("/dev/full"); err != nil || os.Symlink("/dev/full", path) != nil {
		t.Skip("there is no full device here, or no links")
	}
}

// fillLedger has a hub's ledger find no room, until the function it gives is called.
func fillLedger(t *testing.T, h *Hub) (empty func()) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ledger")
	fullDevice(t, path)
	full, _, err := ledger.Open(path, func(ledger.Entry) {})
	if err != nil { // another test has it, on this machine
		t.Skip(err)
	}
	t.Cleanup(full.Close)
	disk := h.putLedger(full)
	return func() { h.putLedger(disk) }
}

// putLedger gives a hub another ledger for the one that it has.
func (h *Hub) putLedger(l record) (before record) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	before, h.ledger = h.ledger, l
	return before
}

// untilFull asks until a hub says what of a question waits for room, or that nothing does.
func untilFull(t *testing.T, c *client.Client, q wire.Question, want string) {
	t.Helper()
	for {
		switch s, err := c.Ask(t.Context(), q); {
		case err != nil || s.Stage.Over():
			t.Fatalf("%s %s, %v", s.Stage, s.Error, err)
		case (s.Full == "") == (want == "") && strings.Contains(s.Full, want):
			return
		}
	}
}

// TestWhoAsksIsToldWhatWaitsForRoom of a construction, as long as it does: the tables that are opened, and those that
// workers fetch, who are told as well.
func TestWhoAsksIsToldWhatWaitsForRoom(t *testing.T) {
	y := fanoronaYard(t, construction.Order{Metric: "wdl", Pieces: 3})
	var opens, groups, tables, closes atomic.Int32
	opens.Store(1 << 30)
	tables.Store(1 << 30)
	h := y.start(t, t.TempDir(), func(o *Options) {
		o.Address, o.Lease = "127.0.0.1:0", time.Second
		builds := o.Builds
		o.Builds = func(s proofs.Setting) (construction.Game, error) {
			game, err := builds(s)
			return tight{game, &opens, &groups, &tables, &closes}, err
		}
	})
	a := link.Access{URL: h.URL(), Credentials: h.Credentials()}
	c := dial(t, a)
	untilFull(t, c, y.question(), "its own work (")
	opens.Store(0)
	untilFull(t, c, y.question(), "")
	told := make(chan string, 1<<10)
	brings := y.brings(t, a, "w")
	brings.Notice = func(text string) { told <- text }
	atWork(t, brings)
	untilFull(t, c, y.question(), "tables for workers (a test: "+syscall.ENOSPC.Error()+")")
	if text := <-told; !strings.Contains(text, "can't send table") || !strings.Contains(text, "a test: "+syscall.ENOSPC.Error()) {
		t.Errorf("the worker says %q", text)
	}
	if s := h.Status().Questions[0]; s.Full == "" {
		t.Error("the list of questions does not say what waits")
	}
	tables.Store(0)
	y.built(t, c)
	if s := h.Status().Questions[0]; s.Full != "" {
		t.Errorf("what is done waits for room: %s", s.Full)
	}
}

// TestWhoAsksIsToldThatAFileOfAWorkerFindsNoRoom, and so is the worker, which sends it again.
func TestWhoAsksIsToldThatAFileOfAWorkerFindsNoRoom(t *testing.T) {
	h, r := alone(t)
	r.take()
	q, c := fanoronaOn(t, 3, 3).question("white-wins"), dial(t, h.Inside())
	name := wire.NewName()
	fullDevice(t, h.uploadPath(name))
	piece := func() *nats.Msg {
		m := nats.NewMsg(wire.SubjectUpload)
		m.Header.Set(wire.HeaderUpload, name)
		m.Header.Set(wire.HeaderOffset, "0")
		m.Data = []byte("part")
		answer, err := r.link.AskMessage(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	want := filepath.Dir(h.uploadPath(name)) + ": " + syscall.ENOSPC.Error()
	if answer := piece(); answer.Header.Get(wire.HeaderWait) != want || answer.Header.Get(wire.HeaderSize) != "0" {
		t.Errorf("%v", answer.Header)
	}
	untilFull(t, c, q, "a file of a worker ("+want)
	if err := os.Remove(h.uploadPath(name)); err != nil {
		t.Fatal(err)
	}
	if answer := piece(); answer.Header.Get(wire.HeaderWait) != "" || answer.Header.Get(wire.HeaderSize) != "4" {
		t.Errorf("%v", answer.Header)
	}
	untilFull(t, c, q, "")
}

// TestWhoAsksIsToldThatAnAnswerFindsNoRoom, and so is the worker, which sends it again.
func TestWhoAsksIsToldThatAnAnswerFindsNoRoom(t *testing.T) {
	s := newStoreroom(t, stock{metrics: []bitboard.Metric{bitboard.WDL}})
	h := s.start(t, t.TempDir(), nil)
	c := dial(t, h.Inside())
	until(t, c, s.question(), wire.Searching)
	r := enlist(t, h.Inside(), version)
	d, answer := r.take()
	answer.Piece = &inspection.Answer{Quiet: make([]uint64, len(d.Piece.Group.Slices))}
	if d.Piece.Slice != "" {
		answer.Piece.Quiet = nil
	}
	send := func() (what wire.Reply) {
		if err := r.link.Ask(t.Context(), wire.SubjectResult, answer, &what); err != nil {
			t.Fatal(err)
		}
		return what
	}
	empty := fillLedger(t, h)
	if what := send(); what.Outcome != wire.Failing || !strings.Contains(what.Waits, syscall.ENOSPC.Error()) {
		t.Errorf("%+v", what)
	}
	untilFull(t, c, s.question(), "an answer of a worker (")
	told := make(chan string, 1<<10)
	brings := s.brings(t, h.Inside(), "w")
	brings.Notice = func(text string) { told <- text }
	atWork(t, brings)
	if text := <-told; !strings.Contains(text, "the hub has no room for an answer") || !strings.Contains(text, syscall.ENOSPC.Error()) {
		t.Errorf("the worker says %q", text)
	}
	empty()
	if what := send(); what.Outcome != wire.Accepted {
		t.Errorf("%+v", what)
	}
	if of, err := c.Wait(t.Context(), s.question(), nil); err != nil || of.Full != "" {
		t.Errorf("%q, %v", of.Full, err)
	}
}

// TestWhoseAnswerHasArrivedWaitsForAFullDisk, and is told: all was done, and nothing is wrong with the answer.
func TestWhoseAnswerHasArrivedWaitsForAFullDisk(t *testing.T) {
	s := newStoreroom(t, stock{metrics: []bitboard.Metric{bitboard.WDL}})
	h := s.start(t, t.TempDir(), nil)
	atWork(t, s.brings(t, h.Inside(), "w"))
	c := dial(t, h.Inside())
	s.verified(t, c)
	empty := fillLedger(t, h)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	told := func(of wire.State) {
		if of.Stage != "" || !strings.Contains(of.Full, "a line of the ledger (") {
			t.Errorf("%s: %q", of.Stage, of.Full)
		}
		cancel()
	}
	if err := c.Taken(ctx, s.question(), told); !errors.Is(err, context.Canceled) {
		t.Errorf("on a full disk: %v", err)
	}
	s.verified(t, c) // it has not arrived: there is nothing to be noted down
	empty()
	if err := c.Taken(t.Context(), s.question(), nil); err != nil {
		t.Errorf("with room: %v", err)
	}
	defer fillLedger(t, h)()
	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	if _, err := c.Wait(ctx, s.question(), told); !errors.Is(err, context.Canceled) {
		t.Errorf("asked again on a full disk: %v", err)
	}
}

// TestAFileForWhichThereIsNoRoomIsOfEveryQuestion where nobody knows of which it is: its job went out
// before the hub began. Where somebody has jobs it is of theirs.
func TestAFileForWhichThereIsNoRoomIsOfEveryQuestion(t *testing.T) {
	h, r := alone(t)
	r.take()
	short := func() (of string) { return h.Status().Questions[0].Full }
	full := &os.PathError{Op: "write", Path: filepath.Join("hub", "incoming", "x"), Err: syscall.ENOSPC}
	if h.noteSent("another", full); short() == "" {
		t.Error("a file of a job of before: nothing is told")
	}
	if h.noteSent("another", nil); short() != "" {
		t.Errorf("with room: %s", short())
	}
	h.mutex.Lock()
	var key holder
	for _, g := range h.out {
		key = g.lane.key
	}
	other := &question{stage: wire.Searching}
	h.open = append(h.open, other)
	h.mutex.Unlock()
	h.noteSent(key, full)
	h.mutex.Lock()
	h.open = h.open[:1]
	h.mutex.Unlock()
	if told := other.short.told(time.Hour); short() == "" || told != "" {
		t.Errorf("a file of a job: %q, and of another question %q", short(), told)
	}
}

// TestWhatWasTriedLongAgoIsNotTold: who tried has gone.
func TestWhatWasTriedLongAgoIsNotTold(t *testing.T) {
	var s shortOfRoom
	s.note(itsFiles, &os.PathError{Op: "write", Path: filepath.Join("hub", "incoming", "x"), Err: syscall.ENOSPC})
	if told, want := s.told(time.Hour), "a file of a worker ("+filepath.Join("hub", "incoming")+": "+syscall.ENOSPC.Error()+")"; told != want {
		t.Errorf("%q, want %q", told, want)
	}
	if told := s.told(0); told != "" {
		t.Errorf("%q", told)
	}
	if s.note(itsFiles, errors.New("another")); s.told(time.Hour) == "" {
		t.Error("another error means that there is room")
	}
	if s.note(itsFiles, nil); s.told(time.Hour) != "" {
		t.Error("where there is room, something waits for it")
	}
}
