package worker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"

	"paika/bitboard"
	"paika/cmd/paika/hub/construction"
	"paika/cmd/paika/hub/inspection"
	"paika/cmd/paika/hub/link"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/internal/offheap"
	"paika/internal/progress"
	"paika/solver/retrograde"
)

// admission lets jobs begin. Beside a build none does, since it takes all lanes and all memory:
// it begins its work when those before it are done.
type admission struct {
	mutex sync.Mutex
	users int  // jobs at work
	built bool // one of them is a build, or waits to be
}

// building tells whether a build is at work, or waits.
func (a *admission) building() bool {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return a.built
}

// enter lets a job in, if no build is there.
func (a *admission) enter(build bool) (entered bool) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.built {
		return false
	}
	a.users++
	a.built = build
	return true
}

func (a *admission) leave(build bool) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.users--
	if build {
		a.built = false
	}
}

// alone tells whether no other job is there.
func (a *admission) alone() bool {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return a.users == 1
}

// enter lets a job in, unless it is for others.
func (w *worker) enter(d wire.Delivery) (leave func(), takes bool) {
	if d.Piece != nil && d.Piece.Not != "" && d.Piece.Not == w.known || !w.admission.enter(d.Build != nil) {
		return nil, false
	}
	return sync.OnceFunc(func() { w.admission.leave(d.Build != nil) }), true
}

// decline leaves a job to others.
func (w *worker) decline(ctx context.Context, job wire.Started) {
	w.giveBack(ctx, wire.Kept{Started: job, Other: true})
}

// declines leaves a job to others for which an error says that there is too little memory. It tells
// whether it does.
func (w *worker) declines(ctx context.Context, job wire.Started, err error) bool {
	said := wire.Kept{Started: job, Other: true, Short: true}
	if lack := (*retrograde.MemoryError)(nil); errors.As(err, &lack) {
		said.Need, said.Have = lack.Need, lack.Have
	} else if !errors.Is(err, inspection.ErrMemory) {
		return false
	}
	w.Notice(fmt.Sprintf("a group is left to other workers: %v", err))
	w.giveBack(ctx, said)
	return true
}

// giveBack gives a job back, and leaves others the time to take it.
func (w *worker) giveBack(ctx context.Context, said wire.Kept) {
	said.Back = true
	w.link.Tell(wire.SubjectKept, said)
	_ = progress.Wait(ctx, link.Pause)
}

// build builds a group of a construction, and fills in the result. Its file is what is
// sent.
func (w *worker) build(ctx context.Context, d wire.Delivery, r *wire.Result, path string, moved *atomic.Uint64) error {
	switch {
	case d.Build.Version != w.Version:
		return fmt.Errorf("%w: it is for version %s, this is %s", share.ErrOther, bitboard.Shorten(d.Build.Version), w.Version)
	case w.Builds == nil:
		return wire.ErrKind
	}
	defer keepOn(ctx, moved)() // not all of a build tells how far it is
	if err := w.awaitAlone(ctx); err != nil {
		return err
	}
	game, err := w.Builds(d.Build.Setting)
	if err != nil {
		return err
	}
	load, done, err := w.loader(d.Tables)
	if err != nil {
		return err
	}
	defer done()
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	made, err := game.Build(ctx, *d.Build, load, file)
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	r.Built = &made
	return nil
}

// answered removes the checkpoint of a group of which the hub has the file, or which it refused.
// Until then it is what the worker goes on from.
func (w *worker) answered(t construction.Task) {
	if game, err := w.Builds(t.Setting); err == nil { // it was there to build
		game.Answered(t)
	}
}

// awaitAlone waits until no other job is there, and frees what others have left.
func (w *worker) awaitAlone(ctx context.Context) error {
	for !w.admission.alone() {
		if err := progress.Wait(ctx, link.Pause); err != nil {
			return err
		}
	}
	w.memory.clear()
	offheap.Collect() // or its tables would be beside those of the group
	return nil
}
