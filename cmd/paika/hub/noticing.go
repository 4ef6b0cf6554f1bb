package hub

import (
	"fmt"
	"sync"
	"time"
)

// What a key may have told of itself: so many lines of a kind in a while. Else who has one could fill
// the disk with them.
const (
	mostTold = 8
	toldFor  = time.Minute
)

// noticing counts what was told. Its methods are safe for concurrent use.
type noticing struct {
	mutex sync.Mutex
	told  map[kindOfNotice]*toldOf
}

// kindOfNotice is whose notices are counted together, and the format that they have in common. By the
// name of a worker they are not told apart: a key can have any.
type kindOfNotice struct {
	from   holder
	format string
}

// toldOf is what was told of a kind in a while.
type toldOf struct {
	since time.Time
	lines int
	left  int    // that were left out
	last  string // of these
}

// take counts a notice, and tells whether it is to be told.
func (n *noticing) take(kind kindOfNotice, text string, now time.Time) bool {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if n.told == nil {
		n.told = make(map[kindOfNotice]*toldOf)
	}
	t := n.told[kind]
	if t == nil {
		t = &toldOf{since: now}
		n.told[kind] = t
	}
	if t.lines < mostTold {
		t.lines++
		return true
	}
	t.left++
	t.last = text
	return false
}

// sum forgets what was told a while ago, and says what was left out.
func (n *noticing) sum(now time.Time) (texts []string) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	for kind, t := range n.told {
		if now.Sub(t.since) < toldFor {
			continue
		}
		delete(n.told, kind)
		if t.left > 0 {
			texts = append(texts, fmt.Sprintf("%d more lines like the last: %s", t.left, t.last))
		}
	}
	return texts
}

// noticeOf tells of something that the holder of a key can bring about, if that was not told too often of
// late. At work a hub tells nothing in another way: a question of anybody may be behind it.
func (h *Hub) noticeOf(from holder, format string, a ...any) {
	if text := fmt.Sprintf(format, a...); h.noticed.take(kindOfNotice{from, format}, text, time.Now()) {
		h.options.Notice(text)
	}
}

// noticeLeft tells of what was left out.
func (h *Hub) noticeLeft(now time.Time) {
	for _, text := range h.noticed.sum(now) {
		h.options.Notice(text)
	}
}
