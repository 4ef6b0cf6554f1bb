package retrograde

import (
	"context"
	"fmt"
	"slices"

	"paika/bitboard"
	"paika/internal/parallel"
)

// loadNeeds brings all that a group needs into memory. What was stored with values
// left out is completed, and stored whole from then on.
func (b *builder) loadNeeds(ctx context.Context, g bitboard.Group, name string) error {
	below, needs := b.lacking(b.below(g)), b.lacking(g.Needs)
	for _, s := range slices.Concat(below, needs) {
		if err := b.load(ctx, s); err != nil {
			return err
		}
	}
	for _, s := range needs {
		if !b.leavesOut(s) {
			continue
		}
		if _, listed := b.needs[s]; !listed {
			return fmt.Errorf("slice %s is stored with values left out, and its group is not in the list", b.game.SliceName(s))
		}
		b.meter.enter(name, Completing)
		o := CompleteOptions{b.opts.Workers, b.spare(), func(indices uint64) { b.meter.add(indices, settleShares) }}
		if err := Complete(ctx, b.game, b.tables[s], b.tables, o); err != nil {
			return err
		}
		// A slice that is half replaced would be lost.
		if err := b.sparse.SaveWhole(context.WithoutCancel(ctx), b.tables[s]); err != nil {
			return err
		}
	}
	for _, s := range below {
		b.drop(s)
	}
	return nil
}

// load brings a table from the storage into memory as it was stored.
func (b *builder) load(ctx context.Context, s bitboard.Slice) error {
	t, err := b.allocate(s)
	if err != nil {
		return err
	}
	if err := b.storage.Load(ctx, t); err != nil {
		b.free(t)
		return err
	}
	b.tables[s] = t
	return nil
}

// leavesOut tells whether a slice is stored without the values of some
// positions.
func (b *builder) leavesOut(s bitboard.Slice) bool {
	return b.sparse != nil && b.sparse.LeavesOut(s)
}

// below lists the slices that a group does not need itself,
// but the completion of one that it needs does.
func (b *builder) below(g bitboard.Group) (list []bitboard.Slice) {
	for _, s := range b.lacking(g.Needs) {
		if !b.leavesOut(s) {
			continue
		}
		for _, n := range b.needs[s] {
			if !slices.Contains(list, n) && !slices.Contains(g.Needs, n) {
				list = append(list, n)
			}
		}
	}
	return list
}

// lacking picks the slices that are not in memory.
func (b *builder) lacking(list []bitboard.Slice) (lacking []bitboard.Slice) {
	for _, s := range list {
		if b.tables[s] == nil {
			lacking = append(lacking, s)
		}
	}
	return lacking
}

// CompleteOptions say what completing a table may take.
type CompleteOptions struct {
	Workers int                  // goroutines; one by default
	Room    uint64               // bytes beside the tables; some kernels are several times faster with it
	Done    func(indices uint64) // told, by any worker, how many more are done; or nil
}

// Complete sets the values that a table in the metric wdl was stored without
// (bitboard.Sparse): those that turns out of the slice's group decide. known has
// the table of every slice that these turns lead to, as it was stored or
// complete. An error tells that the context ended, or that the system has no memory.
func Complete(ctx context.Context, game Game, t *bitboard.Table, known map[bitboard.Slice]*bitboard.Table, o CompleteOptions) error {
	var values packedTables
	for s, t := range known {
		values[s] = t.WDL
	}
	workers, done := max(1, o.Workers), o.Done
	if done == nil {
		done = func(uint64) {}
	}
	completers := make([]completer, workers)
	if kernel, ok := game.(bitboard.BestSettler); ok {
		var taken arrays
		room, err := takeRoom(&taken, kernel.SettleRoom, t.Slice, o.Room)
		if err != nil {
			return err
		}
		defer give(&taken, room)
		if settler, fits := kernel.Settler(t.Slice, (*[bitboard.MaxSlices]bitboard.Packed)(&values), room); fits {
			p := portions{ready: settler.Ready, workers: workers, grain: defaultGrain, done: func(uint64) {}}
			p.work = func(worker int, lo, hi uint64) {
				c := &completers[worker]
				c.reset(lo, hi)
				settler.Settle(c.values, lo, hi)
				c.complete(t.WDL[lo/32:])
				done(hi - lo)
			}
			return p.settle(ctx, 0, game.Indices(t.Slice))
		}
	}
	return parallel.Blocks(ctx, workers, game.Indices(t.Slice), defaultGrain.block, func(worker int, lo, hi uint64) {
		c := &completers[worker]
		for ; lo < hi; lo += defaultGrain.step {
			to := min(lo+defaultGrain.step, hi)
			c.reset(lo, to)
			values.settle(game, c.values, t.Slice, lo, to, &c.settling)
			c.complete(t.WDL[lo/32:])
			done(to - lo)
		}
	})
}

// completer is one worker of Complete.
type completer struct {
	settling
	values bitboard.Packed // of a step
}

// reset makes all positions of the words that hold the indices from lo to hi open.
func (c *completer) reset(lo, hi uint64) {
	many := int(bitboard.PackedWords(hi - lo&^31))
	c.values = slices.Grow(c.values[:0], many)[:many]
	clear(c.values)
}

// complete sets, in words of a table, the values of positions that are settled.
func (c *completer) complete(words bitboard.Packed) {
	for i, word := range c.values {
		low, high := word&0x5555555555555555, word>>1&0x5555555555555555
		open, marks := ^(low|high)&0x5555555555555555, low&high // marks stand for draws
		words[i] = words[i]&(open*3) | word&^(marks*3)
	}
}
