package construction

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"paika/bitboard"
	"paika/solver/retrograde"
	"paika/tablebase"
)

// mostKept is how long a checkpoint is kept from which nobody goes on.
const mostKept = 30 * 24 * time.Hour

// workplace is the folder with the checkpoints of groups. Its methods are safe for concurrent use.
type workplace struct {
	dir string // empty for none
	id  tablebase.Identity

	mutex    sync.Mutex
	answered map[value]bool // what a hub has: checkpoints of nothing else than that are not needed
}

// value names the values of a slice.
type value struct {
	metric bitboard.Metric
	slice  string
}

// begin says that a group is built, though a hub may have had it: it was no good.
func (w *workplace) begin(m bitboard.Metric, slices []string) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for _, s := range slices {
		delete(w.answered, value{m, s})
	}
}

// end says that a hub has slices.
func (w *workplace) end(m bitboard.Metric, slices []string) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for _, s := range slices {
		w.answered[value{m, s}] = true
	}
}

// tidy removes the checkpoints that nobody needs, unless the folder is in use: then who closes it
// does.
func (w *workplace) tidy() error {
	if w.dir == "" {
		return nil
	}
	w.mutex.Lock()
	answered := maps.Clone(w.answered)
	w.mutex.Unlock()
	err := tablebase.TidyWork(w.dir, w.id, func(c tablebase.Checkpoint) bool {
		if time.Since(c.Saved) > mostKept {
			return false
		}
		for _, s := range c.Slices {
			if !answered[value{c.Metric, s}] {
				return true
			}
		}
		return false
	})
	if errors.Is(err, tablebase.ErrLocked) {
		return nil
	}
	return err
}

// tidy removes checkpoints that nobody needs. It costs no group that this can't be done.
func (g *game[P]) tidy() {
	if err := g.work.tidy(); err != nil {
		g.notice("checkpoints that nobody needs are not removed: %v", err)
	}
}

func (g *game[P]) notice(format string, args ...any) {
	if g.options.Notice != nil {
		g.options.Notice(fmt.Sprintf(format, args...))
	}
}

// Answered removes the checkpoint of a group, and those of what the hub must have had to give it
// out.
func (g *game[P]) Answered(t Task) {
	group, metric, _, err := g.find(t)
	if err != nil { // it was not built here
		return
	}
	all, err := g.of.Groups()
	if err != nil {
		return
	}
	var known []bitboard.Slice
	for _, of := range bitboard.Closure(all, group.Slices) {
		known = append(known, of.Slices...)
	}
	g.work.end(metric, g.names(known))
	g.tidy()
}

// keep adds to a storage a folder for the checkpoint, if there is to be one. Finish closes the
// folder, once it is known how the build ended. The checkpoint stays until the group is answered.
func (s *storage[P]) keep(group bitboard.Group) (with retrograde.Storage, finish func(error)) {
	if s.options.Work == "" {
		return s, func(error) {}
	}
	s.work.begin(s.metric, s.names(group.Slices))
	k := &keeping[P]{storage: s, group: group}
	return k, k.finish
}

// keeping is a storage with checkpoints, in a folder that is opened once a group is so big that
// it has one. Where that can't be had, the group is built without. A checkpoint of another version,
// or for which there is too little memory, is set aside, and stays there as long as any other.
type keeping[P comparable] struct {
	*storage[P]
	group  bitboard.Group
	store  *tablebase.Store // nil before it is opened, and where it can't be
	failed error            // why there are no checkpoints
}

// checkpoints opens the folder, once.
func (k *keeping[P]) checkpoints() (*tablebase.Tables, error) {
	if k.store == nil && k.failed == nil {
		o := tablebase.Options{Version: k.options.Version, Workers: k.options.Workers}
		if k.store, k.failed = tablebase.Open(k.options.Work, k.id, o); k.failed != nil {
			k.notice("a group of slices is built without checkpoints: %v", k.failed)
		}
	}
	if k.failed != nil {
		return nil, k.failed
	}
	return k.store.Tables(k.metric, k.of), nil
}

func (k *keeping[P]) LoadCheckpoint(ctx context.Context, tables []*bitboard.Table) (text []byte, refused, err error) {
	t, err := k.checkpoints()
	if err != nil {
		return nil, nil, nil
	}
	text, refused, err = t.LoadCheckpoint(ctx, tables)
	if other := (*tablebase.CheckpointError)(nil); errors.As(err, &other) {
		return nil, nil, k.RefuseCheckpoint(tables, other.Err)
	}
	return text, refused, err
}

// RefuseCheckpoint sets it aside, and says where: nobody is there to be asked. Where that can't be
// done it is left, and the group is built without.
func (k *keeping[P]) RefuseCheckpoint(tables []*bitboard.Table, why error) error {
	t, err := k.checkpoints()
	if err != nil {
		return nil
	}
	aside, err := t.SetCheckpointAside(tables)
	if err != nil {
		k.failed = err
		k.notice("a group of slices is built without checkpoints: %v, %v", why, err)
		return nil
	}
	k.notice("a checkpoint is kept as %s, and work on its group begins anew: %v", aside, why)
	return nil
}

func (k *keeping[P]) SaveCheckpoint(text []byte, tables []*bitboard.Table) error {
	t, err := k.checkpoints()
	if err != nil {
		return err
	}
	return t.SaveCheckpoint(text, tables)
}

// DropCheckpoint leaves it: the group is on its way to the hub.
func (k *keeping[P]) DropCheckpoint([]*bitboard.Table) error { return nil }

// finish closes the folder. What goes wrong costs no group. From a checkpoint that led to a wrong
// number of positions no build would come further.
func (k *keeping[P]) finish(built error) {
	if errors.As(built, new(*retrograde.CountError)) {
		k.work.end(k.metric, k.names(k.group.Slices))
	}
	if k.store == nil {
		return
	}
	if err := k.store.Close(); err != nil {
		k.notice("the folder of checkpoints is not closed: %v", err)
		return
	}
	k.tidy()
}
