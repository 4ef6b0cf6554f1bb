package hub

import (
	"errors"
	"fmt"
	"os"
	"time"

	"paika/cmd/paika/hub/ledger"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/internal/lasting"
	"paika/proofs"
	"paika/solver/proofnumber"
)

// openFolder opens the ledger. Who has that open has the folder.
func (h *Hub) openFolder() (err error) {
	if err := CheckFolder(h.options.Dir); err != nil { // before anything is written
		return err
	}
	if err := h.openLedger(); err != nil {
		return err
	}
	for _, dir := range []string{h.path(partsFolder), h.path(proofsFolder)} {
		if err := lasting.MakeFolder(dir, 0o777); err != nil {
			return err
		}
	}
	if h.counts.Torn > 0 {
		h.options.Notice(fmt.Sprintf("%s: lines that are not whole and are left out: %d. paika hub repair counts their parts again", h.path(ledgerName), h.counts.Torn))
	}
	if err := lasting.EmptyFolder(h.path(incomingFolder), isUpload); err != nil { // what was being sent is sent again
		return err
	}
	if err := lasting.SyncFolder(h.options.Dir); err != nil { // the name of the ledger
		return err
	}
	for id, answer := range h.answers {
		if q := h.questions[id]; q != nil && (!answer.Certified() || h.whole(h.proofPath(id), answer.Proof)) {
			q.stage, q.answer, q.slices, q.recalled = wire.Done, answer, answer.Tables, true
		}
	}
	return nil
}

// noteStart has the ledger tell that a hub began: jobs have the number of that in their names. One that
// comes to nobody's ears, as where its address is taken, is none.
func (h *Hub) noteStart() error {
	h.starts++
	if err := h.ledger.Add(ledger.Entry{Start: &ledger.Start{Version: h.options.Version}}); err != nil {
		return err
	}
	return h.ledger.Sync()
}

// mostCleared is how often a folder may be gone again before its ledger is open.
const mostCleared = 100

// openLedger opens and reads the ledger, and makes it and the folder where they are missing. Another hub that
// has ended may still be about to remove the folder.
func (h *Hub) openLedger() (err error) {
	for range mostCleared {
		err = lasting.MakeFolderFor(h.options.Dir, 0o777, func() error {
			opened, torn, err := ledger.Open(h.path(ledgerName), h.recall)
			if err == nil {
				h.ledger, h.counts.Torn = opened, torn
			}
			return err
		})
		if !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return err
}

// recall takes up a line of the ledger. Results are read once more by whom they concern.
func (h *Hub) recall(e ledger.Entry) {
	h.recalled++
	switch {
	case e.Result != nil:
		h.addPart(e.Result.Result)
	case e.Start != nil:
		h.starts++
	case e.Question != nil:
		delete(h.answers, e.Question.ID) // it is asked anew
		h.note(&question{Question: e.Question.Question, id: e.Question.ID, from: holder(e.Question.By), stage: wire.Preparing, noted: true})
	case e.Answer != nil:
		h.answers[e.Answer.Question] = *e.Answer
	case e.Taken != nil:
		delete(h.answers, e.Taken.Question)
		if q := h.questions[e.Taken.Question]; q != nil {
			q.stage, q.taken = wire.Done, true
		}
	}
}

// addPart counts the part that a line names, if it is of one.
func (h *Hub) addPart(r share.Result) {
	if r.Verdict != proofnumber.Undecided {
		h.parts++
		h.partBytes += r.Part.Bytes
	}
}

// note puts a question on the list.
func (h *Hub) note(q *question) {
	if h.questions[q.id] == nil {
		h.order = append(h.order, q.id)
	}
	h.questions[q.id] = q
}

// sound is a file that was found whole since the hub began, as it was then.
type sound struct {
	part share.Part
	at   time.Time
}

// whole tells whether a file is the part that it should be. One that was found whole is read again
// only where its size or time is another.
func (h *Hub) whole(path string, part share.Part) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || info.Size() != part.Bytes {
		return false
	}
	now := sound{part, info.ModTime()}
	if known, found := h.sound.Load(path); found && known == now {
		return true
	}
	c, err := proofs.Open(file, part.Bytes)
	if err != nil {
		return false
	}
	if digest, err := c.Digest(h.context); err != nil || digest != part.Digest {
		return false
	}
	h.sound.Store(path, now)
	return true
}

// keep moves a file that was checked and synced to its place, to stay, and tells whether
// it is new there.
func (h *Hub) keep(upload string, part share.Part) (isNew bool, err error) {
	_, err = os.Stat(h.partPath(part.Digest))
	isNew = errors.Is(err, os.ErrNotExist)
	if err := os.Rename(h.uploadPath(upload), h.partPath(part.Digest)); err != nil {
		return false, err
	}
	return isNew, lasting.SyncFolder(h.path(partsFolder))
}
