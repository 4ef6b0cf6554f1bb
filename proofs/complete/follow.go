package complete

import (
	"context"
	"slices"
	"sync/atomic"

	"paika/bitboard"
	"paika/internal/parallel"
)

const (
	mostBatch   = 1 << 13 // members that are looked at together
	choiceShare = 1 << 10 // where a turn is chosen, one of so many members: those of a batch see nothing of each other
	blockSize   = 16      // members that a worker takes at a time

	// mostAdds is from how many positions on that follow from a batch the rest of it is put off:
	// more than a batch has members, so that no choice ever is.
	mostAdds = 1 << 18

	// mostRoom is for how many that follow from a member room is kept.
	mostRoom = 1 << 6
)

// follow looks at all members that have no record yet, and at those that come.
func (c *completion[P]) follow(ctx context.Context) error {
	if c.set.Count() == c.given {
		return nil
	}
	groups, err := c.game.Groups()
	if err != nil {
		return err
	}
	f := &follower[P]{completion: c, past: replay{c.options.Choices.list()}, found: make([]found[P], mostBatch), done: c.given}
	for range max(1, c.options.Workers) {
		f.looks = append(f.looks, c.newLook())
	}
	for _, g := range slices.Backward(groups) {
		if err := f.group(ctx, g); err != nil {
			return err
		}
	}
	return f.past.end()
}

// A follower looks at members, group by group.
type follower[P comparable] struct {
	*completion[P]
	past   replay
	looks  []*look[P] // one a worker
	found  []found[P] // of a batch
	adds   atomic.Int64
	coming []P    // what follows from members that are taken in next
	done   uint64 // members that have a record, or need none

	slices []bitboard.Slice // of the group at hand
	next   [2]uint64        // by the side to move, the first member that may be one of the group
}

// A task is a member to be looked at.
type task struct {
	member uint64
	made   bool // the choice was made before
	choice uint64
}

// group looks at all members of a group. No others lead there that come later.
func (f *follower[P]) group(ctx context.Context, g bitboard.Group) error {
	f.slices, f.next = g.Slices, [2]uint64{f.given, f.given}
	if f.waiting(0)+f.waiting(1) == 0 {
		return nil
	}
	if err := f.hints.Ready(ctx, g); err != nil {
		return err
	}
	batch, err := f.batch(nil)
	for ; err == nil && len(batch) > 0; batch, err = f.batch(batch[:0]) {
		if err := f.look(ctx, batch); err != nil {
			return err
		}
	}
	return err
}

// waiting is how many members of the group are to be looked at where a side moves.
func (f *follower[P]) waiting(side bitboard.Side) (n uint64) {
	for _, slice := range f.slices {
		n += f.left[slice][side]
	}
	return n
}

// batch appends the members to look at next: those of the opponent as long as there are
// any, since of them nothing is chosen, and a choice is the better the more members it
// sees.
func (f *follower[P]) batch(tasks []task) ([]task, error) {
	own := f.claim.Side
	if tasks = f.pick(tasks, own.Other(), mostBatch); len(tasks) > 0 {
		return tasks, nil
	}
	tasks = f.pick(tasks, own, max(1, min(mostBatch, f.set.Count()/choiceShare)))
	for i := range tasks {
		if tasks[i].choice, tasks[i].made = f.past.next(); !tasks[i].made {
			return tasks, f.past.end()
		}
	}
	return tasks, nil
}

// pick appends members of the group that wait for a look, in order, at most so many.
func (f *follower[P]) pick(tasks []task, side bitboard.Side, most uint64) []task {
	next := &f.next[side]
	for most = min(most, f.waiting(side)); most > 0; *next++ {
		p, s := f.set.At(*next)
		slice := f.game.SliceOf(p)
		if s != side || !slices.Contains(f.slices, slice) {
			continue
		}
		tasks = append(tasks, task{member: *next})
		f.left[slice][side]--
		most--
	}
	return tasks
}

// look looks at a batch, and takes in what is found: in parts, where much follows. Where nothing is
// chosen, what is found of a member does not depend on what was taken in before.
func (f *follower[P]) look(ctx context.Context, batch []task) error {
	for len(batch) > 0 {
		n, err := f.lookAt(ctx, batch)
		if err != nil {
			return err
		}
		batch = batch[n:]
		if f.done += uint64(n); f.options.Progress != nil {
			f.options.Progress(f.done, f.set.Count())
		}
	}
	return nil
}

// lookAt looks at the first members of a batch, takes in what is found, and tells how many these
// were, at least one.
func (f *follower[P]) lookAt(ctx context.Context, batch []task) (n int, err error) {
	f.adds.Store(0)
	err = parallel.Blocks(ctx, len(f.looks), uint64(len(batch)), blockSize, func(worker int, lo, hi uint64) {
		for lo < hi && (lo == 0 || f.adds.Load() < mostAdds) {
			n := uint64(f.looks[worker].members(batch[lo:hi], f.found[lo:hi]))
			for end := lo + n; lo < end; lo++ {
				f.adds.Add(int64(len(f.found[lo].adds)))
			}
		}
		for ; lo < hi; lo++ {
			f.found[lo].putOff = true
		}
	})
	if err != nil {
		return 0, err
	}
	for n < len(batch) && !f.found[n].putOff {
		if n%blockSize == 0 {
			f.ahead(f.found[n:min(n+blockSize, len(batch))])
		}
		if err := f.take(batch[n], &f.found[n]); err != nil {
			return n, err
		}
		n++
	}
	for i := range f.found[:len(batch)] {
		if found := &f.found[i]; cap(found.adds) > mostRoom {
			found.adds = nil
		}
	}
	return n, nil
}

// ahead loads what the set looks at first where it takes in what follows from some members. What follows
// from one with many turns would drive the rest out of the caches again, and is left out.
func (f *follower[P]) ahead(founds []found[P]) {
	f.coming = f.coming[:0]
	for i := range founds {
		if adds := founds[i].adds; len(adds) <= mostRoom {
			f.coming = append(f.coming, adds...)
		}
	}
	f.set.Ahead(len(f.coming), func(i int) (P, bitboard.Side) { return f.coming[i], founds[0].side })
}

// take takes in what was found of a member.
func (f *follower[P]) take(t task, found *found[P]) error {
	if found.err != nil {
		return found.err
	}
	if found.side != f.claim.Side && !t.made {
		f.options.Choices.add(found.choice)
	}
	if found.over {
		return nil
	}
	for _, p := range found.adds {
		if err := f.enter(p, found.side); err != nil {
			return err
		}
	}
	f.highest = max(f.highest, found.record.Rank)
	f.result.Added++
	return f.out.Copy(found.record)
}
