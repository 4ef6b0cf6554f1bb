package retrograde

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"paika/bitboard"
	"paika/bitboard/ranking"
	"paika/internal/parallel"
)

// Build solves the groups, in the order given, that the storage lacks, and
// saves each as soon as it is solved. Every group must find its needs in the
// storage or before it in the list. Before any work is done it returns an error that names
// a slice of bitboard.MaxIndices or more, and a *MemoryError, with what is
// enough, where Options.Memory is too little. Later it returns an error
// that wraps the context's where that ends the work (a *StoppedError if it was
// inside a group), and what it did so far in either case.
func Build(ctx context.Context, game Game, groups []bitboard.Group, storage Storage, opts Options) (Result, error) {
	if err := opts.Metric.Check(); err != nil {
		return Result{}, err
	}
	b := newBuilder(game, storage, opts)
	defer b.dropAll()
	b.note(groups)
	for _, g := range groups {
		if b.has(g) {
			b.result.Skipped = append(b.result.Skipped, g.Slices...)
			continue
		}
		b.pending = append(b.pending, g)
	}
	if err := b.admit(b.pending); err != nil {
		return b.result, err
	}
	b.meter = startMeter(b.shares(), opts.Progress, opts.Entered)
	defer b.meter.close()
	for len(b.pending) > 0 {
		err := b.buildNext(ctx)
		b.result.Memory = b.arrays.peak
		if err != nil {
			return b.result, err
		}
		b.pending = b.pending[1:]
	}
	return b.result, nil
}

// shares is how much there is to do for the pending groups.
func (b *builder) shares() (total uint64) {
	completed := make(map[bitboard.Slice]bool)
	for _, g := range b.pending {
		for _, s := range g.Slices {
			total += b.game.Indices(s) * indexShares
			completed[s] = true
		}
		for _, s := range g.Needs {
			if !completed[s] && b.leavesOut(s) {
				total += b.game.Indices(s) * settleShares
				completed[s] = true
			}
		}
	}
	return total
}

// A builder is the state of one Build.
type builder struct {
	game    Game
	storage Storage
	opts    Options
	meter   *meter
	pending []bitboard.Group
	needs   map[bitboard.Slice][]bitboard.Slice
	sparse  SparseStorage                      // the storage, if it is one
	tables  map[bitboard.Slice]*bitboard.Table // in memory, whole
	arrays  *arrays
	result  Result
}

func newBuilder(game Game, storage Storage, opts Options) *builder {
	opts.grain = cmp.Or(opts.grain, defaultGrain)
	b := &builder{game: game, storage: storage, opts: opts, tables: make(map[bitboard.Slice]*bitboard.Table), needs: make(map[bitboard.Slice][]bitboard.Slice), arrays: new(arrays)}
	b.sparse, _ = storage.(SparseStorage)
	return b
}

// An analysis solves the tables of one group, which are all zero at first.
type analysis interface {
	solve(ctx context.Context) ([]bitboard.Summary, error)
}

func (b *builder) buildNext(ctx context.Context) error {
	g := b.pending[0]
	name := b.groupName(g)
	b.meter.enter(name, Loading)
	b.makeRoom(g)
	if err := b.loadNeeds(ctx, g, name); err != nil {
		return fmt.Errorf("solving %s: %w", name, err)
	}
	if err := b.solve(ctx, g, name); err != nil {
		return fmt.Errorf("solving %s: %w", name, err)
	}
	return nil
}

// solve computes and saves a group. Its tables stay in memory only if all of it
// succeeds.
func (b *builder) solve(ctx context.Context, g bitboard.Group, name string) (err error) {
	var solved []*bitboard.Table
	defer func() {
		for _, t := range solved {
			if err == nil {
				b.tables[t.Slice] = t
			} else {
				b.free(t)
			}
		}
	}()
	for _, s := range g.Slices {
		t, err := b.allocate(s)
		if err != nil {
			return err
		}
		solved = append(solved, t)
	}
	keeper, err := b.newKeeper(ctx, g, name, solved)
	if err != nil {
		return err
	}
	err = b.analyse(ctx, g, solved, keeper, name)
	return keeper.stopped(ctx, err, b.meter.progress())
}

// analyse solves and saves the tables of a group.
func (b *builder) analyse(ctx context.Context, g bitboard.Group, solved []*bitboard.Table, k *keeper, name string) error {
	summaries, err := b.analysis(g, solved, k, name).solve(ctx)
	if err != nil {
		return err
	}
	b.meter.enter(name, Saving)
	if k.storage == nil {
		// All of the group would be lost, for the moment that saving it takes.
		ctx = context.WithoutCancel(ctx)
	}
	for i, sum := range summaries {
		if counted, want := sum.Positions(), b.game.Positions(sum.Slice); counted != want {
			return errors.Join(&CountError{b.game.SliceName(sum.Slice), counted, want}, k.drop()) // no build would come further with it
		}
		// A build cut short may have left one of the group, and a smaller one some of its values out.
		if there := b.storage.Has(sum.Slice); !there || b.leavesOut(sum.Slice) {
			saving := ctx
			if there {
				saving = context.WithoutCancel(ctx) // a slice that is half replaced would be lost
			}
			if err := b.storage.Save(saving, solved[i], sum); err != nil {
				return err
			}
		}
		b.meter.add(b.game.Indices(sum.Slice), saveShares)
		b.result.Built = append(b.result.Built, sum)
	}
	b.result.Before += k.before
	return k.drop()
}

func (b *builder) analysis(g bitboard.Group, solved []*bitboard.Table, k *keeper, name string) analysis {
	c := common{
		game:       b.game,
		group:      solved,
		keeper:     k,
		arrays:     b.arrays,
		workers:    max(1, b.opts.Workers),
		room:       b.room(g, k.state.BySets),
		grain:      b.opts.grain,
		enter:      func(phase string) { b.meter.enter(name, phase) },
		add:        b.meter.add,
		addEarlier: b.meter.addEarlier,
	}
	switch bySets := k.state.BySets; {
	case b.opts.Metric == bitboard.DTW && bySets:
		return newDTWBySets(c, newDTW(c, b.tables))
	case b.opts.Metric == bitboard.DTW:
		return newDTW(c, b.tables)
	case bySets:
		return newWDLBySets(c, newWDL(c, b.tables))
	}
	return newWDL(c, b.tables)
}

// common is what the analyses of both metrics work with.
type common struct {
	game    Game
	group   []*bitboard.Table // to be solved
	keeper  *keeper
	arrays  *arrays
	workers int
	room    uint64 // to settle faster, in bytes
	grain   grain
	enter   func(phase string)
	add     func(indices, shares uint64)

	addEarlier func(indices, shares uint64) // add, of what a build before did
}

// segments calls work for one piece of a slice after the other, from an index
// on, and lets the keeper save the state between them. An error of done ends it.
func (c *common) segments(ctx context.Context, s bitboard.Slice, from uint64, work func(worker int, lo, hi uint64), done func(index uint64) error) error {
	return c.pieces(ctx, c.game.Indices(s), from, c.grain.segment, c.grain.block, work, done)
}

// pieces calls work for blocks of n things, one segment of them after the other, from one on,
// and lets the keeper save the state between segments. An error of done ends it.
func (c *common) pieces(ctx context.Context, n, from, segment, block uint64, work func(worker int, lo, hi uint64), done func(next uint64) error) error {
	for from < n {
		to := min(from+segment, n)
		base := from
		err := parallel.Blocks(ctx, c.workers, to-base, block, func(worker int, lo, hi uint64) {
			work(worker, base+lo, base+hi)
		})
		if err != nil {
			return err
		}
		from = to
		if err := done(from); err != nil {
			return err
		}
		c.keeper.due()
	}
	return nil
}

// settleSlice settles the group's slice number i by steps.
func (c *common) settleSlice(ctx context.Context, i int, step stepFunc) error {
	state, s := c.keeper.state, c.group[i].Slice
	inside, failed := make([]uint64, c.workers), make([]error, c.workers)
	c.addEarlier(state.Settled[i], settleShares)
	return c.segments(ctx, s, state.Settled[i], func(worker int, lo, hi uint64) {
		for ; lo < hi && failed[worker] == nil; lo += c.grain.step {
			many, err := step(worker, s, lo, min(lo+c.grain.step, hi))
			inside[worker] += many
			failed[worker] = err
		}
	}, func(index uint64) error {
		for w := range inside {
			if failed[w] != nil {
				return failed[w]
			}
			state.Inside[i] += inside[w]
			inside[w] = 0
		}
		state.Settled[i] = index
		return nil
	})
}

// count gives the tables their final form and counts them, a slice at a time.
func (c *common) count(finish func(s bitboard.Slice) (bitboard.Summary, error)) ([]bitboard.Summary, error) {
	c.keeper.seal()
	c.enter(Counting)
	summaries := make([]bitboard.Summary, len(c.group))
	for i, t := range c.group {
		sum, err := finish(t.Slice)
		if err != nil {
			return nil, err
		}
		sum.Inside = c.keeper.state.Inside[i]
		summaries[i] = sum
		c.add(c.game.Indices(t.Slice), propagateShares)
	}
	return summaries, nil
}

func (b *builder) has(g bitboard.Group) bool {
	for _, s := range g.Slices {
		if !b.storage.Has(s) {
			return false
		}
	}
	return true
}

func (b *builder) groupName(g bitboard.Group) string {
	names := make([]string, len(g.Slices))
	for i, s := range g.Slices {
		names[i] = b.game.SliceName(s)
	}
	return strings.Join(names, " ")
}

// total is a sum, or the highest number of 64 bits where that is less.
func total(parts ...uint64) (sum uint64) {
	for _, part := range parts {
		sum = ranking.Sum(sum, part)
	}
	return sum
}

// bytes is the size of slices in memory.
func (b *builder) bytes(slices []bitboard.Slice) uint64 {
	var sum uint64
	for _, s := range slices {
		sum = ranking.Sum(sum, bitboard.TableBytes(b.opts.Metric, b.game.Indices(s)))
	}
	return sum
}

// working is what a group takes while it is solved, its needs left out.
func (b *builder) working(g bitboard.Group) uint64 { return b.workingBy(g, b.usesSets(g)) }

// workingBy is working for a way to solve it.
func (b *builder) workingBy(g bitboard.Group, bySets bool) uint64 {
	var indices, due uint64
	for _, s := range g.Slices {
		indices = ranking.Sum(indices, b.game.Indices(s))
		due = ranking.Sum(due, dueLength(b.game.Indices(s)))
	}
	if bySets {
		return total(b.bytes(g.Slices), ranking.Product(8, b.setWords(g)))
	}
	lists := b.opts.grain.listBytes(b.opts.Metric, indices, max(1, b.opts.Workers))
	if b.opts.Metric == bitboard.DTW {
		lists = total(lists, ranking.Product(8, due))
	}
	return total(b.bytes(g.Slices), lists)
}

// fastest is the memory with which a group is solved fastest, in bytes.
func (b *builder) fastest(g bitboard.Group) uint64 { return ranking.Sum(b.need(g), b.settleRoom(g)) }

// fastShare is one in so many bytes of the room of settling, with which it is fast.
const fastShare = 4

// fast is the memory from which on a group is solved fast, in bytes.
func (b *builder) fast(g bitboard.Group) uint64 {
	var room uint64
	b.settleRooms(g, func(least, most uint64) { room = max(room, least, most/fastShare) })
	return ranking.Sum(b.need(g), room)
}

// settleRoom is what the kernel has use for to settle the slices of a group faster, one
// after the other, in bytes.
func (b *builder) settleRoom(g bitboard.Group) (room uint64) {
	b.settleRooms(g, func(_, most uint64) { room = max(room, most) })
	return room
}

// room is what settling a group gets of that, with the tables in memory that it needs. Those of
// the group are not counted among these yet.
func (b *builder) room(g bitboard.Group, bySets bool) uint64 {
	working := b.workingBy(g, bySets)
	return min(b.settleRoom(g), max(b.spare(), working)-working)
}

// settleRooms tells of each slice of a group the least room that makes settling it faster,
// and the most, in bytes.
func (b *builder) settleRooms(g bitboard.Group, tell func(least, most uint64)) {
	needs := b.settleNeeds()
	if needs == nil {
		return
	}
	for _, s := range g.Slices {
		least, most := needs(s)
		tell(ranking.Product(8, least), ranking.Product(8, most))
	}
}

// settleNeeds is what tells the room that makes settling a slice faster, in words, or nil
// where none does.
func (b *builder) settleNeeds() func(bitboard.Slice) (least, most uint64) {
	if kernel, ok := b.game.(bitboard.DepthKernel); ok && b.opts.Metric == bitboard.DTW {
		return kernel.DepthRoom
	}
	if kernel, ok := b.game.(bitboard.BestSettler); ok && b.opts.Metric == bitboard.WDL {
		return kernel.SettleRoom
	}
	return nil
}

// held is the size of all tables in memory.
func (b *builder) held() uint64 {
	return b.bytes(slices.Collect(maps.Keys(b.tables)))
}

// beside is the memory that there is beside files that the storage maps, for what can be done
// without.
func (b *builder) beside() uint64 {
	if b.opts.Mapped == nil {
		return b.opts.Memory
	}
	return b.opts.Memory - min(b.opts.Memory, b.opts.Mapped())
}

// spare is what the tables in memory leave of that.
func (b *builder) spare() uint64 {
	held := total(b.held(), b.opts.Overhead)
	return max(b.beside(), held) - held
}

// makeRoom frees tables until the group, with its needs, fits. Those that wait
// longest for their next use go first.
func (b *builder) makeRoom(g bitboard.Group) {
	use := make(map[bitboard.Slice]int) // how many groups on a slice is needed next
	for i := len(b.pending) - 1; i >= 0; i-- {
		for _, s := range b.pending[i].Needs {
			use[s] = i
		}
	}
	memory, least := b.beside(), b.need(g)
	room := min(b.settleRoom(g), max(memory, least)-least)
	need := total(max(total(b.working(g), room), b.bytes(b.lacking(b.below(g)))), b.bytes(b.lacking(g.Needs)), b.opts.Overhead)
	for s := range b.tables {
		if _, again := use[s]; !again {
			b.drop(s)
		}
	}
	for total(need, b.held()) > memory {
		last, at := bitboard.Slice(0), 0
		for s := range b.tables {
			if use[s] > at || use[s] == at && s > last {
				last, at = s, use[s]
			}
		}
		if at == 0 {
			return // only the group's own needs are left, and those fit
		}
		b.drop(last)
	}
}

func (b *builder) drop(s bitboard.Slice) {
	b.free(b.tables[s])
	delete(b.tables, s)
}

func (b *builder) dropAll() {
	for s := range b.tables {
		b.drop(s)
	}
}

func (b *builder) allocate(s bitboard.Slice) (*bitboard.Table, error) {
	t := &bitboard.Table{Slice: s}
	var err error
	if n := b.game.Indices(s); b.opts.Metric == bitboard.DTW {
		t.DTW, err = take[bitboard.Depth](b.arrays, n)
	} else {
		t.WDL, err = take[uint64](b.arrays, bitboard.PackedWords(n))
	}
	if err != nil {
		return nil, fmt.Errorf("slice %s: %w", b.game.SliceName(s), err)
	}
	return t, nil
}

func (b *builder) free(t *bitboard.Table) {
	give(b.arrays, t.WDL)
	give(b.arrays, t.DTW)
}
