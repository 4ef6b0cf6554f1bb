package hub

import (
	"encoding/json"
	"errors"
	"fmt"

	"paika/cmd/paika/hub/inspection"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/internal/usage"
	"paika/proofs"
)

// sharedSite is a site that the questions about one game, board and rules have together.
type sharedSite struct {
	bytes uint64        // of its tables
	users int           // questions; with the last one it goes
	ready chan struct{} // closed once it is open, or there is an error
	site  share.Site
	err   error
}

// errRoom says that a question has to wait until others leave memory.
var errRoom = errors.New("there is no memory for another question")

// occupy gives a question the site of its setting, which is opened if it is the first one
// there. Errors: errRoom, and those of opening.
func (h *Hub) occupy(q *question) (*sharedSite, error) {
	if err := h.measure(q); err != nil {
		return nil, err
	}
	s, first, err := h.reserve(q)
	if err != nil {
		return nil, err
	}
	if first {
		h.announce(q)
		s.site, s.err = h.options.Open(h.context, q.Setting, q.Claim, nil)
		close(s.ready)
	}
	select {
	case <-s.ready:
		err = s.err
	case <-h.context.Done():
		err = h.context.Err()
	}
	if err != nil {
		h.vacate(q.Setting, s)
		return nil, err
	}
	return s, nil
}

// announce tells workers for which tables there will be jobs, if that is known: they can load them
// meanwhile, as far as they have them.
func (h *Hub) announce(q *question) {
	if h.options.Measure == nil || h.options.OneProcess { // those of this process have the site
		return
	}
	if text, err := json.Marshal(wire.Coming{Setting: q.Setting, Claim: q.Claim, Tables: q.named}); err == nil {
		_ = h.own.Publish(wire.SubjectComing, text) // or they hear of it by a job
	}
}

// measure finds out, once, what the tables of a question take.
func (h *Hub) measure(q *question) error {
	if q.measured || h.options.Measure == nil {
		return nil
	}
	named, bytes, err := h.options.Measure(q.Setting)
	if err != nil {
		return err
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	q.measured, q.tables, q.named = true, bytes, named
	return nil
}

// reserve counts a question among those of a site, if it fits, and tells whether it is the
// first one.
func (h *Hub) reserve(q *question) (s *sharedSite, first bool, err error) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if err := h.beyondRoom("its tables take", q.tables); err != nil {
		return nil, false, err
	}
	if !h.makesRoom(q) {
		q.stage = wire.Waiting
		return nil, false, errRoom
	}
	s = h.sites[q.Setting]
	if first = s == nil; first {
		s = &sharedSite{bytes: q.tables, ready: make(chan struct{})}
		h.sites[q.Setting] = s
	}
	s.users++
	q.within = true
	return s, first, nil
}

// admitWhole counts so many bytes for a question that has no tables with others together, a verification or
// a construction, if they fit.
func (h *Hub) admitWhole(q *question, bytes uint64) (fits bool, err error) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if err := h.beyondRoom("it takes", bytes); err != nil {
		return false, err
	}
	q.measured, q.tables, q.upper = true, bytes, 0
	if !h.makesRoom(q) {
		return false, nil
	}
	q.within, q.upper = true, bytes
	return true, nil
}

// beyondRoom is the error of what takes more than all questions together may; nil if it does not.
func (h *Hub) beyondRoom(takes string, bytes uint64) error {
	if h.options.Room == 0 || bytes <= h.options.Room {
		return nil
	}
	return fmt.Errorf("%w: %s %s, and the hub has %s for all questions", inspection.ErrMemory, takes, usage.Amount(bytes), usage.Amount(h.options.Room))
}

// vacate says that a question no longer uses a site. The last one closes it.
func (h *Hub) vacate(setting proofs.Setting, s *sharedSite) {
	h.mutex.Lock()
	s.users--
	last := s.users == 0
	if last {
		delete(h.sites, setting)
	}
	h.mutex.Unlock()
	if last && s.site != nil {
		s.site.Close()
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.admit()
}

// lend gives a check up to so many bytes until they are given back: half of what questions leave of
// Options.Room at the most, so that these may grow meanwhile.
func (h *Hub) lend(most uint64) (bytes uint64, back func()) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	room := h.options.Room // 0 is no bound that there would be something left of
	bytes = min(most, (room-min(room, h.used()))/2)
	h.borrowed += bytes
	return bytes, func() {
		h.mutex.Lock()
		defer h.mutex.Unlock()
		h.borrowed -= bytes
		h.admit()
	}
}

// used is the memory of all questions together: their tables, their upper positions
// or, as long as these are told anew, what they were or are by now, and what is lent to checks. The mutex is held.
func (h *Hub) used() (bytes uint64) {
	bytes = h.borrowed
	for _, s := range h.sites {
		bytes += s.bytes
	}
	for _, q := range h.open {
		switch {
		case q.stage == wire.Searching:
			bytes += q.bytes()
		case q.within:
			bytes += q.upper
		}
	}
	return bytes
}

// makesRoom tells whether there is memory for a question. Where there would be but for what is lent to checks, the
// early one gives its loan back, and the question is admitted then. The mutex is held.
func (h *Hub) makesRoom(q *question) bool {
	used := h.used()
	fits := h.fits(q, used)
	if !fits && h.fits(q, used-h.borrowed) {
		h.leaveEarly()
	}
	return fits
}

// fits tells whether there is memory for a question where so much is in use. One that is alone goes on until it
// takes too much. Proofs alone share tables. The mutex is held.
func (h *Hub) fits(q *question, used uint64) bool {
	need := q.upper
	if q.Kind != wire.Proof || h.sites[q.Setting] == nil {
		need += q.tables
	}
	return h.options.Room == 0 || used == 0 || used+need <= h.options.Room
}

// admit begins questions that wait for memory and now fit, the first ones first. The mutex
// is held.
func (h *Hub) admit() {
	for _, q := range h.open {
		if q.stage == wire.Waiting && h.context.Err() == nil && h.makesRoom(q) {
			h.begin(q)
		}
	}
}

// awaitRoom has a question wait for memory that has nothing open any more: from then on it may begin
// at any time. If there is room by now, it begins at once.
func (h *Hub) awaitRoom(q *question) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	q.stage = wire.Waiting
	h.admit()
}

// shed makes room where the upper positions have grown too much. An early check gives its loan back. Where that
// does not do, of the proofs the one that was asked last waits, and goes on from the ledger. One that takes too
// much all alone fails. The mutex is held.
func (h *Hub) shed() {
	used := h.used()
	if h.options.Room == 0 || used <= h.options.Room {
		return
	}
	h.leaveEarly()
	if h.early != nil && used-h.borrowed <= h.options.Room { // what it has is given back before shed is called again
		return
	}
	var last *question // of the proofs: nothing else grows
	atWork, others := 0, 0
	for _, q := range h.open {
		switch {
		case !q.within:
		case q.stage != wire.Searching: // it comes, or goes
			others++
		default:
			atWork++
			if q.Kind == wire.Proof {
				last = q
			}
		}
	}
	switch {
	case last == nil:
	case atWork > 1:
		h.suspend(last)
	case others == 0 && h.used()-h.borrowed > h.options.Room:
		h.failed(last, fmt.Errorf("%w: its tables and upper positions take more than the %s of the hub", inspection.ErrMemory, usage.Amount(h.options.Room)))
	}
}

// suspend leaves a question until there is memory for it again. The mutex is held.
func (h *Hub) suspend(q *question) {
	h.noticeOf(q.from, "%v: it waits for memory", q.Question)
	h.endWork(q, wire.Waiting)
	h.release(q)
}

// closeSites closes what is open, at the end of a hub.
func (h *Hub) closeSites() {
	for setting, s := range h.sites {
		if s.site != nil {
			s.site.Close()
		}
		delete(h.sites, setting)
	}
}
