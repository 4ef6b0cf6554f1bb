package mobility

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"paika/bitboard/konane"
	"paika/solver/checkpoint"
)

// saver keeps a search's table in its checkpoint. The table is all the state
// that a search has: its path is found again from the root in a moment. A nil
// saver keeps nothing.
type saver struct {
	*search
	file  *checkpoint.File
	about string
	stop  func() // ends the saving while the search goes on
}

// CheckpointFormat is that of a table's entries in the checkpoints that are written
// and read.
const CheckpointFormat = 2

// layout says what a checkpoint's numbers are, so that one of a program with
// others is refused.
const layout = "numbers of 22 digits and an exponent"

// saveEvery is the time between two checkpoints where none is given.
const saveEvery = 10 * time.Minute

// resume takes the search's checkpoint for it, takes up what is saved there, and
// starts to save.
func (s *search) resume(ctx context.Context, p konane.Position[konane.Word]) (*saver, error) {
	if s.options.Checkpoint == "" {
		return nil, nil
	}
	file, err := checkpoint.Open(s.options.Checkpoint)
	if err != nil {
		return nil, err
	}
	v := &saver{search: s, file: file, about: about(s.game, p)}
	header, err := s.table.load(ctx, file, v.about)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		file.Close()
		return nil, err
	}
	if fit := s.table.fit; fit.Unfit > 0 {
		file.Preserve(v.tellKept)
		if s.options.Unfit != nil {
			s.options.Unfit(fit)
		}
	}
	if header.Nodes > 0 && s.options.GoingOn != nil {
		s.options.GoingOn(header.Nodes)
	}
	s.before = header.Nodes
	s.visited.Store(header.Nodes)
	every := s.options.SaveEvery
	if every == 0 {
		every = saveEvery
	}
	v.stop = checkpoint.Every(ctx, every, v.save, s.options.Unsaved)
	return v, nil
}

// load takes up what a file holds. The table is empty.
func (t *table) load(ctx context.Context, file *checkpoint.File, about string) (checkpoint.Header, error) {
	return file.LoadInto(ctx, CheckpointFormat, about, t.reserve, t.add)
}

// about names the search of a position.
func about(game *konane.Game[konane.Word], p konane.Position[konane.Word]) string {
	return fmt.Sprintf("konane on %v, %v, %s, %s", game.Board(), game.Rules(), game.Format(p, game.Mover(p)), layout)
}

// save writes the table. Searches may go on meanwhile; it does not grow.
func (t *table) save(ctx context.Context, file *checkpoint.File, h checkpoint.Header) error {
	t.saving.Lock()
	defer t.saving.Unlock()
	h.Format, h.Room = CheckpointFormat, t.capacity()
	return file.Save(ctx, h, t.entries)
}

// tellKept tells under which name what was saved before is kept.
func (v *saver) tellKept(path string) {
	if v.options.Kept != nil {
		v.options.Kept(path)
	}
}

func (v *saver) save(ctx context.Context) error {
	if v.crowded.Swap(false) {
		v.file.Preserve(v.tellKept)
	}
	return v.table.save(ctx, v.file, checkpoint.Header{About: v.about, Nodes: v.visited.Load()})
}

// leave saves what a search has found that ends undecided, and tells whether it is kept. It gives
// the reason for the end, with the error of saving if there is one.
func (v *saver) leave(reason error) (kept bool, err error) {
	if v == nil {
		return false, reason
	}
	v.stop()
	if err := v.save(context.Background()); err != nil {
		return false, errors.Join(reason, err)
	}
	return true, reason
}

// end leaves the checkpoint of a search that is over, with all that it found if it is to be kept, and tells
// whether it is.
func (v *saver) end() (kept bool, err error) {
	if v == nil {
		return false, nil
	}
	v.stop()
	if !v.options.Keep {
		return false, nil
	}
	err = v.save(context.Background())
	return err == nil, err
}

// close lets other searches have the file.
func (v *saver) close() {
	if v != nil {
		v.stop()
		v.file.Close()
	}
}
