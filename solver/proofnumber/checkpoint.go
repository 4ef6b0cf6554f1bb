package proofnumber

import (
	"context"
	"sync/atomic"

	"paika/solver/checkpoint"
)

// Save writes the table to a file, which is there whole or not at all. It may be
// called while searches go on; they lose nothing but the time. The table is all
// the state that a search has: its path is found again from the root in a moment.
func (t *Table) Save(ctx context.Context, path string, h checkpoint.Header) error {
	return checkpoint.Save(ctx, path, h, t.entries)
}

// Load adds the entries of a checkpoint to the table, which may have another
// size than the one that was saved, and gives what was written with them. No
// search may use the table meanwhile.
//
// Its errors are those of checkpoint.Load. After one the table may hold some of
// the entries and must not be used.
func (t *Table) Load(ctx context.Context, path, about string) (checkpoint.Header, error) {
	return checkpoint.Load(ctx, path, about, func(data, key uint64) {
		if t.store(key, unpack(data)) {
			t.entered.Add(1)
		}
		if t.crowded() {
			t.grow(1)
		}
	})
}

// entries gives the data and the key of every entry in use.
func (t *Table) entries(yield func(data, key uint64) bool) {
	for i := range t.buckets.Load() * bucketEntries {
		data := atomic.LoadUint64(&t.words[2*i+1])
		if data != 0 && !yield(data, atomic.LoadUint64(&t.words[2*i])^data) {
			return
		}
	}
}

// Checkpoint is what a search has to have written with its table, so that
// another one can Resume. About says what game, rules and end positions the
// entries hold for.
func (s *Search[P]) Checkpoint(about string, seconds float64) checkpoint.Header {
	return checkpoint.Header{About: about, Nodes: s.Nodes(), Seconds: seconds, Work: s.work.copy()}
}

// Resume counts what a search before this one did, over the table that it saved
// and that was loaded.
func (s *Search[P]) Resume(h checkpoint.Header) {
	s.searched.Add(h.Nodes)
	for key, nodes := range h.Work {
		s.work.add(key, nodes)
	}
}
