package share

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"paika/bitboard"
	"paika/cmd/paika/prover"
	"paika/proofs"
	"paika/solver/proofnumber"
	"paika/tablebase"
)

// late is tables of a folder that are named at once, and loaded once somebody needs them.
// It is safe for concurrent use.
type late[P comparable] struct {
	of      prover.Subject[P]
	dir     string
	named   []proofs.Table
	options prover.LoadOptions

	loading sync.Mutex
	loaded  atomic.Pointer[shelved[P]]
}

// shelved is the tables in memory.
type shelved[P comparable] struct {
	*prover.Shelf[P]
	values proofnumber.Values[P] // nil where there are no tables
}

func newLate[P comparable](of prover.Subject[P], dir string, named []proofs.Table, o prover.LoadOptions) *late[P] {
	l := &late[P]{of: of, dir: dir, named: named, options: o}
	if len(named) == 0 {
		l.loaded.Store(&shelved[P]{Shelf: prover.NewShelf(of)})
	}
	return l
}

// get gives the tables, which are loaded first where they are not.
func (l *late[P]) get(ctx context.Context) (*prover.Shelf[P], error) {
	if at := l.loaded.Load(); at != nil {
		return at.Shelf, nil
	}
	l.loading.Lock()
	defer l.loading.Unlock()
	if at := l.loaded.Load(); at != nil {
		return at.Shelf, nil
	}
	shelf, err := prover.Load(ctx, l.of, l.dir, prover.Wanted(l.named), l.options)
	if err != nil {
		return nil, err
	}
	if err := l.confirm(shelf.Named()); err != nil {
		shelf.Free()
		return nil, err
	}
	l.loaded.Store(&shelved[P]{shelf, l.of.Search(shelf, proofnumber.DFPN, 0).Tables})
	return shelf, nil
}

// confirm holds what was loaded, named by its values, against what was named.
func (l *late[P]) confirm(loaded []proofs.Table) error {
	have := make(map[proofs.Table]string)
	for _, t := range loaded {
		have[proofs.Table{Slice: t.Slice, Metric: t.Metric}] = t.Checksum
	}
	for _, t := range l.named {
		switch checksum, found := have[proofs.Table{Slice: t.Slice, Metric: t.Metric}]; {
		case !found:
			return fmt.Errorf("table %s is in %s no more", t.Slice, l.dir)
		case checksum != t.Checksum:
			return fmt.Errorf("table %s: %w: its fingerprint is %s, and the manifest has %s", t.Slice, tablebase.ErrDamaged, checksum, t.Checksum)
		}
	}
	return nil
}

// Probe knows no values before the tables are loaded.
func (l *late[P]) Probe(positions []P, values []bitboard.Value) {
	at := l.loaded.Load()
	if at != nil && at.values != nil {
		at.values.Probe(positions, values)
		return
	}
	for i := range values {
		values[i] = proofnumber.Unknown
	}
}

// has tells whether a position lies in one of the tables.
func (l *late[P]) has(p P) bool {
	name := l.of.Game.SliceName(l.of.Game.SliceOf(p))
	return slices.ContainsFunc(l.named, func(t proofs.Table) bool { return t.Slice == name })
}

// free gives the memory back.
func (l *late[P]) free() {
	if at := l.loaded.Swap(nil); at != nil {
		at.Free()
	}
}
