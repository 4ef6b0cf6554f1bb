package worker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"paika/bitboard"
	"paika/cmd/paika/hub/inspection"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/internal/offheap"
	"paika/tablebase/verify"
)

// groupTables are the tables of one group, which any number of lanes use. Those that have a
// piece of another group wait until nobody does: a worker has the tables of one group in
// memory.
type groupTables struct {
	mutex   sync.Mutex
	changed chan struct{} // closed when a lane that waits should look again
	group   string        // whose pieces are there
	pieces  inspection.Pieces
	users   int
	loading bool
}

// derive derives a piece of a verification, and fills in the result.
func (w *worker) derive(ctx context.Context, d wire.Delivery, r *wire.Result, moved *atomic.Uint64) error {
	if d.Piece.Version != w.Version {
		return fmt.Errorf("%w: it is for version %s, this is %s", share.ErrOther, bitboard.Shorten(d.Piece.Version), w.Version)
	}
	answer, err := w.derivePiece(ctx, d, moved)
	for errors.Is(err, verify.ErrSpent) { // by another lane, while this one waited
		answer, err = w.derivePiece(ctx, d, moved)
	}
	if err != nil {
		return err
	}
	w.nodes.Add(d.Piece.High - d.Piece.Low)
	r.Piece = &answer
	return nil
}

// derivePiece derives a piece once the tables of its group are there.
func (w *worker) derivePiece(ctx context.Context, d wire.Delivery, moved *atomic.Uint64) (inspection.Answer, error) {
	stop := keepOn(ctx, moved) // tables may take long to load
	pieces, err := w.acquirePieces(ctx, d.Job)
	stop()
	if err != nil {
		return inspection.Answer{}, err
	}
	defer w.group.release()
	return d.Piece.Do(ctx, pieces, w.Lanes, func(uint64) { moved.Add(1) })
}

// acquirePieces gives the pieces of the group of a job, once they are loaded: anew, where they
// are spent. Who gets them releases them.
func (w *worker) acquirePieces(ctx context.Context, j wire.Job) (inspection.Pieces, error) {
	b, group := &w.group, fmt.Sprint(j.Piece.Setting, j.Tables, j.Piece.Group)
	b.mutex.Lock()
	defer b.mutex.Unlock()
	for {
		switch {
		case b.loading:
		case b.group == group && !b.pieces.Spent():
			b.users++
			return b.pieces, nil
		case b.users == 0:
			if err := w.load(ctx, b, group, j); err != nil {
				return nil, err
			}
			continue
		}
		if b.changed == nil {
			b.changed = make(chan struct{})
		}
		changed := b.changed
		b.mutex.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
		}
		b.mutex.Lock()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
}

// load loads the pieces of another group. The mutex is held, and let go meanwhile.
func (w *worker) load(ctx context.Context, b *groupTables, group string, j wire.Job) error {
	b.loading, b.group, b.pieces = true, "", nil
	b.mutex.Unlock()
	offheap.Collect() // or the tables would be beside the others
	pieces, err := w.pieces(ctx, j)
	b.mutex.Lock()
	if b.loading = false; err == nil {
		b.group, b.pieces = group, pieces
	}
	b.wake()
	return err
}

// release says that a lane no longer uses them.
func (b *groupTables) release() {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.users--; b.users == 0 {
		b.wake()
	}
}

// clear frees them, if nobody uses them.
func (b *groupTables) clear() {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.users == 0 && !b.loading {
		b.group, b.pieces = "", nil
	}
}

// wake has those look again who wait. The mutex is held.
func (b *groupTables) wake() {
	if b.changed != nil {
		close(b.changed)
		b.changed = nil
	}
}

// pieces loads the tables of a group from the hub.
func (w *worker) pieces(ctx context.Context, j wire.Job) (inspection.Pieces, error) {
	if w.Tables == nil {
		return nil, wire.ErrKind
	}
	game, err := w.Tables(j.Piece.Setting)
	if err != nil {
		return nil, err
	}
	w.mutex.Lock()
	w.closeIdle()
	w.mutex.Unlock()
	load, done, err := w.loader(j.Tables)
	if err != nil {
		return nil, err
	}
	defer done()
	return game.Pieces(ctx, j.Piece.Group, load)
}

// loader loads the tables that the hub lends by a fingerprint.
func (w *worker) loader(fingerprint string) (load verify.Loader, done func(), err error) {
	if w.Near() {
		return w.Lend(fingerprint), func() {}, nil
	}
	get, done, err := w.fetcher(fingerprint)
	if err != nil {
		return nil, nil, err
	}
	return w.fetched(get), done, nil
}

// fetched loads tables from files that come from the hub, and go once they are read.
func (w *worker) fetched(get download) verify.Loader {
	return func(ctx context.Context, t verify.Table, into *bitboard.Table) error {
		dir, err := os.MkdirTemp(w.Dir, "table-") // what came of a file goes, too
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		path := filepath.Join(dir, "values")
		if err := get(ctx, wire.LentTable(t), path, inspection.ValueBytes(into), func(int64, int64) {}); err != nil {
			return err
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		return errors.Join(inspection.ReadValues(file, into), file.Close())
	}
}
