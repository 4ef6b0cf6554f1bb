package hub

import (
	"cmp"
	"errors"
	"fmt"
)

// What a key may have of that which a hub takes at a time: by one of them nobody has it all. The
// secret of this machine has no share, since all have it there.
const (
	shareOfUploads    = mostUploads / 8
	shareOfIncoming   = mostIncoming / 4 // and what its largest file has beyond that
	shareOfResults    = mostResults / 4
	shareOfUnanswered = mostUnanswered / 4
	shareOfWorkers    = mostWorkers / 16
)

// errShare says that a key has all that it may have.
var errShare = errors.New("it may have no more at a time")

// within wants a key to have no more than its share of what is named.
func (k holder) within(has, share int64, what string) error {
	if k == "" || has <= share {
		return nil
	}
	return fmt.Errorf("the key %s has %d %s: %w", k, share, what, errShare)
}

// sentBy counts the files that a holder is sending, their bytes, and those of the largest. The
// mutex is held.
func (h *Hub) sentBy(key holder) (files, bytes, largest int64) {
	for _, u := range h.uploads {
		if u.from == key {
			files++
			bytes += u.size
			largest = max(largest, u.size)
		}
	}
	return files, bytes, largest
}

// roomForFile wants there to be room for one more file of a holder. The mutex is held.
func (h *Hub) roomForFile(key holder) error {
	if len(h.uploads) >= mostUploads {
		return errCrowded
	}
	files, _, _ := h.sentBy(key)
	return key.within(files+1, shareOfUploads, "files on their way")
}

// roomForBytes wants there to be room for so many more bytes of a file. Files that are sent side by
// side would wait for each other for ever. So the largest of all keeps room for what it may have
// yet, and the largest of a key goes on whatever its share. That may be a part which is still put together:
// others wait for it then, as long as its job is waited for. The mutex is held.
func (h *Hub) roomForBytes(u *upload, length int64) error {
	most := h.mostUpload()
	ofAll := u.size + length
	for _, other := range h.uploads {
		ofAll = max(ofAll, other.size)
	}
	if h.incoming+length+max(0, most-ofAll) > mostIncoming*most {
		return errCrowded
	}
	_, bytes, largest := h.sentBy(u.from)
	if u.size == largest && largest > 0 {
		return nil
	}
	return u.from.within(bytes+length, shareOfIncoming*most, "bytes on their way")
}

// roomForWorker wants there to be room for one more worker of a holder, and for a lane of it. The mutex
// is held.
func (h *Hub) roomForWorker(who speaker) error {
	if len(h.workers) >= mostWorkers {
		return errWorkers
	}
	many := int64(1)
	for other := range h.workers {
		if other.key == who.key {
			many++
		}
	}
	lanes := int64(mostLanes - h.lanesLeft(who))
	return cmp.Or(who.key.within(many, shareOfWorkers, "workers"), who.key.within(lanes+1, mostLanes, "lanes"))
}

// lanesLeft is how many lanes a worker may bring beside the others of its key, which together have
// no more than one may have. The mutex is held.
func (h *Hub) lanesLeft(who speaker) (left int) {
	left = mostLanes
	if who.key == "" {
		return left
	}
	for other, w := range h.workers {
		if other.key == who.key && other != who {
			left -= w.Lanes
		}
	}
	return left
}

// cut says to a worker that is there of how many of the lanes that it brings no notice is taken; empty
// where there are none. The mutex is held.
func (h *Hub) cut(who speaker, brings int) string {
	w := h.workers[who]
	if w == nil || w.Lanes >= brings {
		return ""
	}
	return fmt.Sprintf("the hub has jobs for %d of the %d lanes of this worker: one worker has no more than %d, nor all of a key together", w.Lanes, brings, mostLanes)
}

// roomForQuestion wants there to be room for one more question of a holder. One that failed and
// is in no ledger is forgotten, if it must be. The mutex is held.
func (h *Hub) roomForQuestion(key holder) error {
	theirs := func(q *question) bool { return q.from == key }
	if err := key.within(int64(h.unanswered(theirs))+1, shareOfUnanswered, "questions without an answer"); err != nil && !h.forgetFailed(theirs) {
		return err
	}
	if h.unanswered(anyOf) < mostUnanswered || h.forgetFailed(anyOf) {
		return nil
	}
	return errTooMany
}

func anyOf(*question) bool { return true }

// beginJudging counts a result among those that are judged, if there is room.
func (h *Hub) beginJudging(key holder) bool {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	all := 0
	for _, many := range h.judging {
		all += many
	}
	if all >= mostResults || key.within(int64(h.judging[key])+1, shareOfResults, "results") != nil {
		return false
	}
	h.judging[key]++
	return true
}

func (h *Hub) endJudging(key holder) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.judging[key]--
}
