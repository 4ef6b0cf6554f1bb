package proofs

import (
	"cmp"
	"context"
	"sync/atomic"

	"paika/internal/parallel"
	"paika/proofs/internal/nodes"
)

// known is what a check knows of all records once the first pass has them in its set, where memory
// allows it and none has a fault so far: the turns that they choose. Then the file is not read again. With
// a fault it is: a finding tells what stands there.
type known[P comparable] struct {
	chosen  nodes.List[P] // where turns lead that records choose, in the order of the file
	before  []uint64      // how many of these stand before the first member of each known block
	lost    atomic.Bool   // not all is kept
	doubted atomic.Bool   // a record has a fault
}

// knownBlock is how many members of the set a worker checks at a time.
const knownBlock = blockLines

// keepTurn gives where the turn of a record leads, if it chooses one as it should. Where it does not, the
// record is to be read again.
func (c *checker[P]) keepTurn(rec record[P]) (to P) {
	if c.lost.Load() {
		return to
	}
	chooses := rec.turn != AllTurns
	var err error
	if chooses {
		to, err = c.chosenTurn(rec)
	}
	if err != nil || chooses != (rec.side == c.claim.Side) {
		c.lost.Store(true)
	}
	return to
}

// makeRoom gives up what is known, if so many records more would not leave the set its memory.
func (c *checker[P]) makeRoom(records uint64) {
	bytes := c.chosen.Bytes(c.chosen.Count() + records)
	if bytes > c.memory || c.set.Count()+records > c.set.Room(c.memory-bytes) {
		c.lost.Store(true)
	}
	if c.lost.Load() {
		c.chosen.Free()
		c.before = nil
	}
}

// keep keeps the turns of records that are about to come into the set, if nothing is lost.
func (c *checker[P]) keep(records []found[P]) error {
	if c.lost.Load() {
		return nil
	}
	for i := range records {
		if (c.set.Count()+uint64(i))%knownBlock == 0 {
			c.before = append(c.before, c.chosen.Count())
		}
		if records[i].side != c.claim.Side {
			continue
		}
		if err := c.chosen.Append(records[i].to); err != nil {
			return err
		}
	}
	return nil
}

// verifyKnown checks where the turns of all records lead by what is known of them. It tells false where that
// is not enough, or shows a fault.
func (c *checker[P]) verifyKnown(ctx context.Context) (valid bool, err error) {
	if c.lost.Load() || c.faults.count() > 0 {
		return false, nil
	}
	leaves, scratch := c.leaves.Load(), make([]block[P], c.workers)
	var done atomic.Uint64
	err = parallel.Each(ctx, c.workers, uint64(len(c.before)), func(ctx context.Context, worker int, i uint64) error {
		if err := c.verifyMembers(ctx, &scratch[worker], i); err != nil {
			return err
		}
		c.tell(int64(float64(done.Add(1)) / float64(len(c.before)) * float64(c.size)))
		return nil
	})
	if err = cmp.Or(err, ctx.Err()); err != nil || c.doubted.Load() {
		c.leaves.Store(leaves)
		return false, err
	}
	return true, nil
}

// verifyMembers checks the turns of a known block of members, up to where one has a fault.
func (c *checker[P]) verifyMembers(ctx context.Context, b *block[P], number uint64) error {
	b.known = true
	chosen, from := c.before[number], number*knownBlock
	for member := from; member < min(from+knownBlock, c.set.Count()) && !c.doubted.Load(); member++ {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var n node[P]
		n.position, n.side = c.set.At(member)
		many := false
		if n.side == c.claim.Side {
			b.turns = append(b.turns[:0], c.chosen.At(chosen))
			chosen++
		} else {
			var err error
			if many, err = c.allTurns(b, n); err != nil {
				c.doubted.Store(true)
				return nil
			}
		}
		b.number = member + 1
		if err := c.followAll(ctx, b, origin[P]{n, c.set.Value(member)}, many); err != nil {
			return err
		}
	}
	c.catchUp(b)
	return c.probe(ctx, b)
}
