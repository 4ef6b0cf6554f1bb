package hub

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"paika/cmd/paika/hub/wire"
	"paika/internal/lasting"
	"paika/tablebase"
)

// wantsRoom is something of a question that may find a disk full. It is done again then, and who asks is
// told meanwhile what waits.
type wantsRoom int

const (
	itsWork    wantsRoom = iota // of the hub itself
	itsTables                   // as files for workers
	itsFiles                    // that workers send
	itsAnswers                  // of workers, to be kept
	wantsRoomCount
)

func (w wantsRoom) String() string {
	return [wantsRoomCount]string{"its own work", "tables for workers", "a file of a worker", "an answer of a worker"}[w]
}

// setback is why something of a question could not be done when it was last tried.
type setback struct {
	why  string
	seen time.Time
}

// told is why; nothing where there was none, or nobody has tried for some time: who did is gone.
func (s *setback) told(within time.Duration) string {
	if s == nil || time.Since(s.seen) >= within {
		return ""
	}
	return s.why
}

// shortOfRoom is what of a question found a disk full when it was last tried.
type shortOfRoom [wantsRoomCount]atomic.Pointer[setback]

// note notes what became of something that is written.
func (s *shortOfRoom) note(what wantsRoom, err error) {
	switch {
	case diskFull(err):
		s[what].Store(&setback{fmt.Sprintf("%v (%s)", what, whyFull(err)), time.Now()})
	case err == nil:
		s[what].Store(nil)
	}
}

// told is what waits for room, and where there is none, as a setback tells it.
func (s *shortOfRoom) told(within time.Duration) string {
	for what := range s {
		if why := s[what].Load().told(within); why != "" {
			return why
		}
	}
	return ""
}

func diskFull(err error) bool {
	return lasting.DiskFull(err) || errors.Is(err, tablebase.ErrDiskFull)
}

// whyFull says which folder has no room. Names of files change each time that it is tried.
func whyFull(err error) string {
	var at *fs.PathError
	var between *os.LinkError
	switch {
	case errors.As(err, &at):
		return filepath.Dir(at.Path) + ": " + at.Err.Error()
	case errors.As(err, &between):
		return filepath.Dir(between.New) + ": " + between.Err.Error()
	}
	return beginning(err.Error())
}

// unkept replies that an answer of a worker about a question can't be kept now. It is sent again.
func (q *question) unkept(err error) wire.Reply {
	q.short.note(itsAnswers, err)
	reply := wire.Reply{Outcome: wire.Failing, Reason: err.Error()}
	if diskFull(err) {
		reply.Waits = whyFull(err)
	}
	return reply
}

// noteTables notes for the questions that have tables of a fingerprint what became of a file of one.
func (h *Hub) noteTables(fingerprint string, err error) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	for _, q := range h.open {
		if q.stage == wire.Searching && q.fingerprint() == fingerprint {
			q.short.note(itsTables, err)
		}
	}
}

// noteSent notes for the questions of which somebody has jobs that end with a file what became of a piece
// of one. Somebody who has none had its job of a hub before this one: the question may be any that is at work.
func (h *Hub) noteSent(key holder, err error) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	known := false
	for _, g := range h.out {
		if g.lane.key == key && g.delivery != 0 && g.Piece == nil {
			g.question.short.note(itsFiles, err)
			known = true
		}
	}
	if known {
		return
	}
	for _, q := range h.open {
		if q.stage == wire.Searching && q.Kind != wire.Verification {
			q.short.note(itsFiles, err)
		}
	}
}
