package proofs

import (
	"context"
	"sync"

	"paika/bitboard"
)

// A found record can be read.
type found[P comparable] struct {
	record[P]
	number uint64 // in the file, from 1
	to     P      // where the turn leads that it chooses, as long as that is kept
}

// An intake takes blocks in in the order of the file, however they come. It is done by a worker that comes
// with a block while no other does it, for all blocks that are there by then. So none waits for another.
type intake[P comparable] struct {
	mutex sync.Mutex
	ready map[uint64]*block[P] // by their first records
	next  uint64               // the first record of the next one
	busy  bool
}

// put has a block taken in, and all that follow it and are ready.
func (t *intake[P]) put(b *block[P], take func(*block[P]) error) error {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.ready[b.first] = b
	for !t.busy && t.ready[t.next] != nil {
		if err := t.takeNext(take); err != nil {
			return err
		}
	}
	return nil
}

// takeNext takes the next block in, while others put theirs. The mutex is held before and after.
func (t *intake[P]) takeNext(take func(*block[P]) error) error {
	b := t.ready[t.next]
	delete(t.ready, t.next)
	t.next += uint64(len(b.lines))
	t.busy = true
	t.mutex.Unlock()
	defer func() {
		t.mutex.Lock()
		t.busy = false
	}()
	return take(b)
}

// collect takes the records of the pass into the set, and in the first pass reports those
// that can't be read. Blocks are parsed as workers come to them, and taken in in the order
// of the file.
func (c *checker[P]) collect(ctx context.Context, b *block[P]) error {
	if c.file.growing && (c.lost.Load() || c.faults.count() > 0) {
		return ErrReadAgain
	}
	b.found = b.found[:0]
	for i, line := range b.lines {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		rec, err := c.parse(line)
		f := found[P]{record: rec, number: b.first + uint64(i)}
		if err == nil {
			f.to = c.keepTurn(rec)
			b.found = append(b.found, f)
		} else if c.pass == 0 {
			c.faults.add(Finding{f.number, bitboard.Shorten(rec.position), err.Error()})
		}
	}
	return c.intake.put(b, c.addAll)
}

// addAll takes the records of a block into the set: many at a time where it surely has room for them.
func (c *checker[P]) addAll(b *block[P]) (err error) {
	c.makeRoom(uint64(len(b.found)))
	if err := c.reserve(b.at); err != nil {
		return err
	}
	if c.passes == 1 && c.set.Count()+uint64(len(b.found)) <= c.most {
		if err := c.keep(b.found); err != nil {
			return err
		}
		err = c.set.AddAll(len(b.found), func(i int) (P, bitboard.Side) { return b.found[i].node.position, b.found[i].side },
			func(i int, member uint64, added bool) { c.added(&b.found[i], member, added) })
	} else {
		err = c.addEach(b)
	}
	b.spare <- b
	return err
}

// The set has room reserved once one in so many bytes of the file is read, for as many records as the whole
// seems to have.
const reserveAt = 32

// reserve has the set make room, when it is time.
func (c *checker[P]) reserve(read int64) error {
	if c.reserved || c.passes > 1 || read < c.size/reserveAt {
		return nil
	}
	c.reserved = true
	records := float64(c.set.Count()) * float64(c.size) / float64(read)
	return c.set.Reserve(uint64(min(records, float64(c.most))))
}

// addEach takes those records of a block into the set that are of the pass. Where the first pass
// has more of them than memory, it leaves every other one to passes that come.
func (c *checker[P]) addEach(b *block[P]) error {
	for i := range b.found {
		rec := &b.found[i]
		if !c.sees(rec.node) {
			continue
		}
		member, added, err := c.set.Add(rec.node.position, rec.side)
		if err != nil {
			return err
		}
		c.added(rec, member, added)
		c.divide()
	}
	return nil
}

// added notes what became of a record.
func (c *checker[P]) added(rec *found[P], member uint64, added bool) {
	switch {
	case !added:
		c.faults.add(Finding{rec.number, bitboard.Shorten(rec.position), "the position stands in the certificate twice"})
	case c.claim.Wins:
		c.set.SetValue(member, rec.rank)
	}
}

// divide leaves every other record to passes that come, as often as it takes until memory holds the others.
func (c *checker[P]) divide() {
	for c.pass == 0 && c.set.Count() > c.most {
		c.double()
		c.set.Retain(func(p P, side bitboard.Side) bool { return c.sees(node[P]{p, side}) })
	}
}

// double doubles the number of passes, while progress may be told. Who asks which pass sees to
// a node comes before or after this.
func (c *checker[P]) double() {
	c.telling.Lock()
	defer c.telling.Unlock()
	c.passes *= 2
}
