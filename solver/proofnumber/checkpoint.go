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
	t.layout.RLock()
	defer t.layout.RUnlock()
	h.Format, h.Room = CheckpointFormat, t.buckets.Load()*bucketEntries
	return f.Save(ctx, h, t.entries)
}

// Load fills an empty table with the entries of a checkpoint, and gives what was written
// with them. The table may have another size than the one that was saved: where it has
// less room, those with the most work behind them find it; see Fit. From
// then on the facts of the table are claims: a search over it answers when it has
// put the proof or refutation together anew. No search may use the table
// meanwhile.
//
// Its errors are those of checkpoint.File.LoadInto. After one the table may hold some
// of the entries and must not be used.
func (t *Table) Load(ctx context.Context, f *checkpoint.File, about string) (checkpoint.Header, error) {
	return f.LoadInto(ctx, CheckpointFormat, about, t.reserve, t.claim)
}

// Fit is how much of a checkpoint the table has taken up.
func (t *Table) Fit() checkpoint.Fit { return t.fit }

// Cramped tells whether entries of a checkpoint found no room since the table has less than the one
// that was saved. Of an old file, and in a table whose buckets do not divide those of the other, some
// few may find none in any case.
func (t *Table) Cramped() bool {
	return t.fit.Unfit > 0 && uint64(len(t.words))/2*entryBytes < t.fit.Bytes
}

// reserve makes an empty table use as much as so many entries had room in, or all that it
// has.
func (t *Table) reserve(room uint64) {
	t.fit.Bytes = room * entryBytes
	for n := t.buckets.Load(); n*bucketEntries < room && t.mayGrow(); n = t.buckets.Load() {
		t.buckets.Store(2 * n)
	}
}

// claim adds an entry that another table held. Where its bucket is full, and the table can't
// grow, the one with the least work finds no room. It tells false where that is none.
func (t *Table) claim(data, key uint64) bool {
	r := unpack(data)
	if !r.sound() {
		return false
	}
	if r.hopeless() { // by limits that are no part of what is taken up
		return true
	}
	t.claims.Store(true)
	t.fit.Entries++
	b := t.bucket(key)
	place, old, found := b.place(key)
	for !found && b[place+1] != 0 && t.mayGrow() { // its bucket has part of two of the table that was saved
		t.grow(1)
		b = t.bucket(key)
		place, old, found = b.place(key)
	}
	switch there := unpack(b[place+1]); {
	case found && old.fact():
		return true
	case !found && b[place+1] != 0:
		if t.fit.Unfit++; there.effort > r.effort {
			return true
		}
	case !found:
		t.entered.Add(1)
	}
	b.put(place, key, r)
	if t.crowded() {
		t.grow(1)
	}
	return true
}

// entries gives the data and the key of every entry in use. The layout is read-locked.
func (t *Table) entries(yield func(data, key uint64) bool) {
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
// it had to start anew.
func (s *Search[P]) Resumed() uint64 { return s.resumed.Load() }

// Anew tells why the search had to start anew: ErrContradiction, where the table that was
// loaded contradicts itself or the rules; ErrTableTooSmall, where it lost what the answer needs
// again and again. Nil if it did not. It may be asked while the search goes on.
func (s *Search[P]) Anew() error {
	if why := s.anew.Load(); why != nil {
		return *why
	}
	return nil
}

// startAnew drops all that the table holds.
func (s *Search[P]) startAnew(why error) {
	s.anew.Store(&why)
	s.options.Exchange.deafen()
	s.table.clear()
	s.work.clear()
	s.searched.Add(-s.resumed.Swap(0))
	s.enterLemmas()
}
