package hub

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"

	"paika/cmd/paika/hub/wire"
)

// An upload is a file that a worker is sending.
type upload struct {
	from    holder
	size    int64
	seen    time.Time
	writing bool        // a piece of it is being written
	checked bool        // its check goes on
	refused bool        // it is too large
	short   bool        // the disk had no room for its last piece
	early   *earlyCheck // nil where none was begun
}

// mostUploads bounds the files that are sent at a time, mostIncoming their size together
// in largest parts.
const (
	mostUploads  = 1024
	mostIncoming = 4
)

// errUpload says that a file will not be taken, however often it is sent.
var errUpload = errors.New("no file that the hub takes")

// errCrowded says that it may be taken later.
var errCrowded = errors.New("files of too many bytes, or too many files, are sent at a time")

// errUnsure says that it is not known yet whether it will be taken.
var errUnsure = errors.New("the hub does not know yet how large a file may be: it still reads what it has")

// onUpload takes a piece of a file, if it is the next one, and tells how much there is, and
// why it is to be sent again where there is no room now. Where it can't be written for another reason
// there is no answer, and it is sent again as well.
func (h *Hub) onUpload(key holder, m *nats.Msg) {
	size, err := h.addPiece(key, m.Header.Get(wire.HeaderUpload), m.Header.Get(wire.HeaderOffset), m.Data)
	out := nats.NewMsg(m.Reply)
	out.Header.Set(wire.HeaderSize, strconv.FormatInt(size, 10))
	switch {
	case err == nil:
	case errors.Is(err, errUpload):
		out.Header.Set(wire.HeaderError, err.Error())
	case errors.Is(err, errCrowded), errors.Is(err, errShare), errors.Is(err, errUnsure):
		out.Header.Set(wire.HeaderWait, err.Error())
	case diskFull(err):
		h.noticeOf(key, "a part can't be taken now: %v", err)
		out.Header.Set(wire.HeaderWait, whyFull(err))
	default:
		h.noticeOf(key, "a part can't be taken now: %v", err)
		return
	}
	_ = m.RespondMsg(out)
}

// addPiece adds a piece to its file. It is called for one piece at a time.
func (h *Hub) addPiece(key holder, name, offset string, piece []byte) (int64, error) {
	at, err := strconv.ParseInt(offset, 10, 64)
	if err != nil || !wire.PlainName(name) {
		return 0, fmt.Errorf("%w: a piece has no name or place", errUpload)
	}
	u, size, err := h.expect(key, name, at, int64(len(piece)))
	if u == nil || err != nil {
		return size, err
	}
	err = writePiece(h.uploadPath(name), at, piece)
	if diskFull(err) || u.short {
		u.short = diskFull(err)
		h.noteSent(key, err)
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	u.writing = false
	switch {
	case h.uploads[name] != u: // it was forgotten meanwhile
		_ = os.Remove(h.uploadPath(name))
		return 0, err
	case err != nil:
		u.size -= int64(len(piece))
		h.incoming -= int64(len(piece))
	default:
		h.comes(u, name)
	}
	return u.size, err
}

// expect makes room for a piece, if it is the next one of its file, which is not checked
// until it is written. It gives nil for others, and tells how much there is.
func (h *Hub) expect(key holder, name string, at, length int64) (u *upload, size int64, err error) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	u = h.uploads[name]
	if u == nil {
		if err := h.roomForFile(key); err != nil {
			return nil, 0, err
		}
		u = &upload{from: key}
		h.uploads[name] = u
	}
	if u.from != key {
		return nil, 0, fmt.Errorf("%w: it is another's", errUpload)
	}
	u.seen = time.Now()
	switch {
	case at != u.size, u.checked: // what is checked has to stay as it is
		return nil, u.size, nil
	case !u.refused && u.size+length > h.mostUpload() && h.readsTables():
		return nil, u.size, errUnsure
	case u.refused || u.size+length > h.mostUpload():
		h.forget(name)
		h.uploads[name] = &upload{from: key, seen: time.Now(), refused: true}
		return nil, 0, fmt.Errorf("%w: a part of more than %d bytes", errUpload, h.mostUpload())
	}
	if err := h.roomForBytes(u, length); err != nil {
		return nil, u.size, err
	}
	u.size += length
	u.writing = true
	h.incoming += length
	return u, u.size, nil
}

// readsTables tells whether a construction is on its way to be worked at: a group that was given out
// before the hub began anew may come. The mutex is held.
func (h *Hub) readsTables() bool {
	for _, q := range h.open {
		if q.Kind == wire.Construction && q.stage == wire.Preparing {
			return true
		}
	}
	return false
}

// mostUpload bounds a file that is sent: as a part, or as the largest group of slices that
// is not there. The mutex is held.
func (h *Hub) mostUpload() int64 {
	most := h.options.MostPart
	for _, q := range h.open {
		if b, is := q.constructed(); is {
			most = max(most, b.most())
		}
	}
	return most
}

// writePiece writes a piece of a file to its place.
func writePiece(path string, at int64, piece []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	_, err = file.WriteAt(piece, at)
	return errors.Join(err, file.Close())
}

// forgetPart drops what has come of the part of a job that is no longer put together, unless it is checked. The mutex
// is held.
func (h *Hub) forgetPart(g *outJob) {
	if u := h.uploads[g.part]; u != nil && u.from == g.shower.key && !h.inHand(g.part) {
		h.forget(g.part)
	}
}

// forget drops a file that was sent. The mutex is held.
func (h *Hub) forget(name string) {
	if u := h.uploads[name]; u != nil {
		if u.early != nil {
			u.early.cancel()
		}
		h.incoming -= u.size
		delete(h.uploads, name)
		_ = os.Remove(h.uploadPath(name)) // at the latest at the next start
	}
}
