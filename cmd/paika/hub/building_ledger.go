package hub

import (
	"errors"
	"os"

	"paika/cmd/paika/hub/ledger"
)

// retell takes up what the ledger knows since the last answer arrived, and removes files
// of which it knows nothing. Who was wrong is known first: nothing is taken up that is dropped later,
// with a file that somebody else has built as well.
func (b *building) retell() error {
	var lines []ledger.Entry
	err := b.hub.ledger.Of(b.q.is, func(e ledger.Entry) {
		switch {
		case e.Taken != nil:
			lines = nil
		case e.Built != nil, e.Wrong != nil, e.Piece != nil:
			lines = append(lines, e)
		}
	})
	if err != nil {
		return err
	}
	for _, e := range lines {
		switch {
		case e.Wrong != nil:
			b.disbelieve(e.Wrong.Worker)
		case e.Piece != nil && e.Piece.Refutes != "":
			b.disbelieve(e.Piece.Refutes)
		}
	}
	for _, e := range lines {
		switch {
		case e.Built != nil:
			b.recount(e.Built)
			if err := b.retellBuilt(e.Built); err != nil {
				return err
			}
		case e.Piece != nil:
			b.retellPiece(e.Piece)
		}
	}
	for _, w := range b.works {
		if w.made != nil {
			w.made.inspection.Resume()
		}
		if w.past != nil && !w.past.Known() { // it was stored by what a line says that is missing
			w.past = nil
		}
	}
	return b.sweep()
}

// retellBuilt takes up a group whose file is there.
func (b *building) retellBuilt(line *ledger.Built) error {
	w := b.byJob(line.Job)
	if w == nil || !b.believes(line.Worker) {
		return nil
	}
	checked, err := b.check(w, line.Made, b.path(line.Digest))
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case isBad(err):
		b.hub.noticeOf(b.q.from, "%v: the file of %v is damaged, and is built again", b.q.Question, w.task)
		return nil
	case err != nil:
		return err
	}
	b.takeMade(w, &made{Made: line.Made, Checked: checked, worker: line.Worker})
	return nil
}

// retellPiece takes up an answer to a piece of a group that is there, or was stored.
func (b *building) retellPiece(p *ledger.Piece) {
	for _, w := range b.works {
		switch {
		case w.made != nil:
			w.made.inspection.Recall(p.Worker, p.Job, p.Answer)
		case w.past != nil:
			w.past.Recall(p.Worker, p.Job, p.Answer)
		}
	}
}

// sweep removes files of groups that are stored, or of which nothing is known.
func (b *building) sweep() error {
	entries, err := os.ReadDir(b.folder)
	if err != nil {
		return err
	}
	named := make(map[string]bool)
	for _, w := range b.works {
		if w.made != nil {
			named[w.made.Digest] = true
		}
	}
	for _, e := range entries {
		if !named[e.Name()] {
			err = errors.Join(err, os.RemoveAll(b.path(e.Name())))
		}
	}
	return err
}
