package proofnumber

import (
	"context"
	"sync/atomic"

	"paika/solver/checkpoint"
)

// CheckpointFormat is that of a table's entries in the checkpoints that are written and
// read. In format 3 keys of positions are those of one of their images. Format 2 had
// keys of every position for itself, which would seldom be asked for.
const CheckpointFormat = 3

// Save writes the table to a file, which is there whole or not at all. It may be
// called while searches go on; they lose nothing but the time. The table is all
// the state that a search has: its path is found again from the root in a moment.
func (t *Table) Save(ctx context.Context, f *checkpoint.File, h checkpoint.Header) error {
	h.Format = CheckpointFormat
	return f.Save(ctx, h, t.entries)
}

// Load adds the entries of a checkpoint to the table, which may have another
// size than the one that was saved, and gives what was written with them. From
// then on the facts of the table are claims: a search over it answers when it has
// put the proof or refutation together anew. No search may use the table
// meanwhile.
//
// Its errors are those of checkpoint.File.Load. After one the table may hold some
// of the entries and must not be used.
func (t *Table) Load(ctx context.Context, f *checkpoint.File, about string) (checkpoint.Header, error) {
	return f.Load(ctx, CheckpointFormat, about, t.claim)
}

// claim adds an entry that another table held. It tells false where that is none.
func (t *Table) claim(data, key uint64) bool {
	r := unpack(data)
	if !r.sound() {
		return false
	}
	if r.hopeless() { // by limits that are no part of what is taken up
		return true
	}
	t.claims.Store(true)
	if old, _ := t.store(key, r); old == (record{}) {
		t.entered.Add(1)
	}
	if t.crowded() {
		t.grow(1)
	}
	return true
}

// entries gives the data and the key of every entry in use. Meanwhile the table does not grow.
func (t *Table) entries(yield func(data, key uint64) bool) {
	t.layout.RLock()
	defer t.layout.RUnlock()
	for i := range t.buckets.Load() * bucketEntries {
		data := atomic.LoadUint64(&t.words[2*i+1])
		if data != 0 && !yield(data, atomic.LoadUint64(&t.words[2*i])^data) {
			return
		}
	}
}

// Checkpoint is what a search has to have written with its table, so that
// another one can Resume. About says what game, rules and question the entries
// are of. Tables, lemmas and limits are no part of it: what was found with others
// is found again where the answer needs it.
func (s *Search[P]) Checkpoint(about string, seconds float64) checkpoint.Header {
	return checkpoint.Header{About: about, Nodes: s.Nodes(), Seconds: seconds, Work: s.work.copy()}
}

// Resume counts what a search before this one did, over the table that it saved
// and that was loaded.
func (s *Search[P]) Resume(h checkpoint.Header) {
	s.searched.Add(h.Nodes)
	s.resumed.Add(h.Nodes)
	for key, nodes := range h.Work {
		s.work.add(key, nodes)
	}
}

// Resumed is the nodes of the searches before that this one goes on from: 0 once
// it had to start anew, since the table that was loaded contradicts itself or the
// rules.
func (s *Search[P]) Resumed() uint64 { return s.resumed.Load() }

// startAnew drops all that the table holds.
func (s *Search[P]) startAnew() {
	s.exchange.deafen()
	s.table.clear()
	s.work.clear()
	s.searched.Add(-s.resumed.Swap(0))
	s.enterLemmas()
}
