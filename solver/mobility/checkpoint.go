package mobility

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"

	"paika/bitboard/konane"
	"paika/solver/checkpoint"
)

// saver keeps a search's table in its checkpoint. The table is all the state
// that a search has: its path is found again from the root in a moment. A nil
// saver keeps nothing.
type saver struct {
	*search
	about string
	end   context.CancelFunc // of the goroutine that saves while the search goes on
	ended sync.WaitGroup
}

// layout says what a checkpoint's numbers are, so that one of a program with
// others is refused.
const layout = "numbers of 22 digits and an exponent"

// saveEvery is the time between two checkpoints where none is given.
const saveEvery = 10 * time.Minute

// resume takes up the search's checkpoint, if there is one, and starts to save.
func (s *search) resume(ctx context.Context, p konane.Position[konane.Word]) (*saver, error) {
	if s.options.Checkpoint == "" {
		return nil, nil
	}
	v := &saver{search: s, about: fmt.Sprintf("konane on %v, %v, %s, %s", s.game.Board(), s.game.Rules(), s.game.Format(p, s.game.Mover(p)), layout)}
	header, err := checkpoint.Load(ctx, s.options.Checkpoint, v.about, s.table.add)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	s.before = header.Nodes
	s.visited.Store(header.Nodes)
	every := s.options.SaveEvery
	if every == 0 {
		every = saveEvery
	}
	ctx, v.end = context.WithCancel(ctx)
	v.ended.Go(func() {
		for tick := time.NewTicker(every); ; {
			select {
			case <-tick.C:
				// One that fails costs the search nothing, and leave tells.
				_ = v.save(ctx)
			case <-ctx.Done():
				tick.Stop()
				return
			}
		}
	})
	return v, nil
}

func (v *saver) save(ctx context.Context) error {
	return checkpoint.Save(ctx, v.options.Checkpoint, checkpoint.Header{About: v.about, Nodes: v.visited.Load()}, v.table.entries)
}

// leave saves what a search has found that ends undecided, and gives the reason
// for that, with the error of saving if there is one.
func (v *saver) leave(reason error) error {
	if v == nil {
		return reason
	}
	v.end()
	v.ended.Wait()
	if err := v.save(context.Background()); err != nil {
		return errors.Join(reason, err)
	}
	return reason
}

// remove drops the checkpoint of a search that is over.
func (v *saver) remove() error {
	if v == nil {
		return nil
	}
	v.end()
	v.ended.Wait()
	if err := os.Remove(v.options.Checkpoint); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
