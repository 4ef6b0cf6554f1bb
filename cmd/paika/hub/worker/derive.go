package worker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"

	"paika/bitboard"
	"paika/cmd/paika/hub/inspection"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/tablebase/verify"
)

// groupTables are the tables of one group.
type groupTables struct{ inspection.Pieces }

// spent: see verify.Pieces.Spent.
func (g groupTables) spent() bool { return g.Spent() }

// free: they go with the garbage.
func (groupTables) free() {}

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
	defer w.memory.release()
	return d.Piece.Do(ctx, pieces, w.Lanes, func(uint64) { moved.Add(1) })
}

// acquirePieces gives the pieces of the group of a job, once they are loaded: anew, where they
// are spent. Who gets them releases them.
func (w *worker) acquirePieces(ctx context.Context, j wire.Job) (inspection.Pieces, error) {
	group := fmt.Sprint(j.Piece.Setting, j.Tables, j.Piece.Group)
	there, err := w.memory.use(ctx, group, func() (resident, error) {
		pieces, err := w.pieces(ctx, j)
		return groupTables{pieces}, err
	})
	if err != nil {
		return nil, err
	}
	return there.(groupTables), nil
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
