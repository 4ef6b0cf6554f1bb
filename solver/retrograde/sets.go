package retrograde

import (
	"context"
	"fmt"
	"math/bits"
	"sync/atomic"

	"paika/bitboard"
	"paika/bitboard/ranking"
	"paika/internal/parallel"
)

// bySets solves a group of one slice by following the turns of whole sets of
// positions, where the game can (bitboard.SetKernel).
//
// It goes by rounds of rising distance. First come the positions won with this
// turn. Then, in turns: an undecided position without a turn to one that is not
// known to be won is lost; an undecided one with a turn to a position lost in the
// round before is won. All turns of all positions are followed in a round, which
// costs less than to follow some of them one by one, until few are left (sets_few.go).
//
// A bit a position tells what is undecided, and another what is not known to be
// won. Values go to the table as they are found.
type bySets struct {
	common
	kernel bitboard.SetKernel
	table  *bitboard.Table
	finish func(ctx context.Context, s bitboard.Slice) (bitboard.Summary, error)
	decide func(s bitboard.Slice, index uint64, v bitboard.Value, distance int)

	open, unwon  []uint64
	fresh, image []uint64 // found in a round; what the kernel answers
	room         []uint64
	indices      [][]uint64 // by worker
	found        []uint64   // by worker: positions in fresh
}

// setWords is what sets take for a group, in words, or 0 where its game has none.
func (b *builder) setWords(g bitboard.Group) uint64 {
	kernel, ok := b.game.(bitboard.SetKernel)
	if !ok || len(g.Slices) != 1 {
		return 0
	}
	set, room := kernel.Sets(g.Slices[0])
	if set == 0 {
		return 0
	}
	return total(ranking.Product(4, set), room)
}

// usesSets tells whether a group is solved by sets, if it is begun: where memory does for them.
func (b *builder) usesSets(g bitboard.Group) bool {
	words := b.setWords(g)
	return words != 0 && total(b.bytes(g.Slices), ranking.Product(8, words), b.opts.Overhead) <= b.opts.Memory
}

// newWDLBySets and newDTWBySets solve by sets what another analysis would, and
// leave the counting to it.
func newWDLBySets(c common, w *wdl) *bySets {
	return newBySets(c, w.finish, func(s bitboard.Slice, i uint64, v bitboard.Value, _ int) { w.decide(s, i, v) })
}

func newDTWBySets(c common, d *dtw) *bySets {
	values := c.group[0].DTW
	return newBySets(c, d.finish, func(_ bitboard.Slice, i uint64, v bitboard.Value, distance int) {
		values[i] = bitboard.MakeDepth(v, distance)
	})
}

func newBySets(c common, finish func(context.Context, bitboard.Slice) (bitboard.Summary, error), decide func(bitboard.Slice, uint64, bitboard.Value, int)) *bySets {
	return &bySets{
		common: c, kernel: c.game.(bitboard.SetKernel), table: c.group[0], finish: finish, decide: decide,
		indices: make([][]uint64, c.workers), found: make([]uint64, c.workers),
	}
}

// mostRounds is how many rounds there are at most before the last one: that finds distances of
// less than bitboard.MaxDistance turns.
const mostRounds = bitboard.MaxDistance/2 - 1

func (s *bySets) solve(ctx context.Context) ([]bitboard.Summary, error) {
	defer s.free()
	if err := s.allocate(); err != nil {
		return nil, err
	}
	state := s.keeper.state
	if err := s.begin(ctx, state); err != nil {
		return nil, err
	}
	round, few := s.round, false
	for ; ; state.Rounds++ {
		if state.Rounds > mostRounds {
			return nil, tooFar(s.game, s.table.Slice)
		}
		if !few && s.areFew() {
			round, few = s.few().round, true
		}
		decided, err := round(ctx, 2*state.Rounds)
		if err != nil {
			return nil, err
		}
		if decided == 0 {
			break
		}
	}
	s.free()
	s.add(s.game.Indices(s.table.Slice), sweepShares)
	return s.count(func(slice bitboard.Slice) (bitboard.Summary, error) { return s.finish(ctx, slice) })
}

func (s *bySets) allocate() (err error) {
	set, room := s.kernel.Sets(s.table.Slice)
	for _, a := range []*[]uint64{&s.open, &s.unwon, &s.fresh, &s.image} {
		if *a, err = take[uint64](s.arrays, set); err != nil {
			return err
		}
	}
	s.room, err = take[uint64](s.arrays, room)
	return err
}

func (s *bySets) free() {
	for _, a := range []*[]uint64{&s.open, &s.unwon, &s.fresh, &s.image, &s.room} {
		give(s.arrays, *a)
		*a = nil
	}
}

// begin finds the positions won with this turn, or takes up a table that has
// them already. Then its values are right, but may be some of a round only: for
// dtw those of the rounds that are done count, for wdl all.
func (s *bySets) begin(ctx context.Context, state *state) error {
	slice := s.table.Slice
	if state.Rounds > 0 {
		return s.takeUp(ctx, state)
	}
	s.enter(Settling)
	if err := s.fill(ctx); err != nil {
		return err
	}
	counted, run := s.counting(ctx, s.kernel.Parts(slice))
	if err := s.kernel.Wins(slice, s.fresh, s.room, run); err != nil {
		return err
	}
	won, err := s.decideFresh(ctx, bitboard.Win, 1)
	if err != nil {
		return err
	}
	all := s.game.Indices(slice) * settleShares
	s.add(all-min(all, counted.Load()), 1)
	state.Rounds, state.Inside[0] = 1, s.game.Positions(slice)-won
	s.keeper.due()
	return nil
}

// counting is run that counts, of the work to settle the table, some for each part, of so many in all.
// It tells how many shares of work that was so far.
func (s *bySets) counting(ctx context.Context, parts uint64) (counted *atomic.Uint64, run bitboard.Run) {
	counted = new(atomic.Uint64)
	each := s.game.Indices(s.table.Slice) * settleShares / max(1, parts)
	return counted, func(parts uint64, do func(part uint64)) error {
		return s.run(ctx)(parts, func(part uint64) {
			do(part)
			s.add(each, 1)
			counted.Add(each)
		})
	}
}

// fill has all positions open.
func (s *bySets) fill(ctx context.Context) error {
	return s.words(ctx, func(_ int, lo, hi uint64) {
		s.kernel.FillAll(s.table.Slice, s.open, lo, hi)
		copy(s.unwon[lo:hi], s.open[lo:hi])
	})
}

// takeUp has the positions open that the table does not decide in the rounds that are done.
func (s *bySets) takeUp(ctx context.Context, state *state) error {
	slice := s.table.Slice
	s.addEarlier(s.game.Indices(slice), settleShares)
	s.enter(TakingUp)
	if err := s.fill(ctx); err != nil {
		return err
	}
	known := func(v bitboard.Value) func(index uint64) bool {
		return func(index uint64) bool {
			o := s.table.Outcome(index)
			return o.Value == v && o.Distance < 2*state.Rounds
		}
	}
	err := s.words(ctx, func(_ int, lo, hi uint64) {
		s.kernel.Collect(slice, s.fresh, lo, hi, known(bitboard.Win))
		s.kernel.Collect(slice, s.image, lo, hi, known(bitboard.Loss))
		for i := lo; i < hi; i++ {
			s.unwon[i] &^= s.fresh[i]
			s.open[i] &^= s.fresh[i] | s.image[i]
			s.fresh[i] = s.image[i]
		}
	})
	if err != nil {
		return err
	}
	_, err = s.wins(ctx, 2*state.Rounds-1)
	return err
}

// round finds the positions lost in some number of turns, and those won in one
// more. It tells how many these are.
func (s *bySets) round(ctx context.Context, distance int) (decided uint64, err error) {
	s.enterRound(distance)
	if err := s.kernel.Before(s.table.Slice, s.image, s.unwon, s.room, s.run(ctx)); err != nil {
		return 0, err
	}
	err = s.words(ctx, func(_ int, lo, hi uint64) {
		for i := lo; i < hi; i++ {
			s.fresh[i] = s.open[i] &^ s.image[i]
		}
	})
	if err != nil {
		return 0, err
	}
	lost, err := s.note(ctx, bitboard.Loss, distance)
	if err != nil || lost == 0 {
		return 0, err
	}
	return s.wins(ctx, distance+1)
}

func (s *bySets) enterRound(distance int) {
	s.enter(fmt.Sprintf("finding losses in %d turns and wins in %d", distance, distance+1))
}

// wins finds the open positions with a turn to the fresh ones, which are lost.
func (s *bySets) wins(ctx context.Context, distance int) (positions uint64, err error) {
	if err := s.kernel.Before(s.table.Slice, s.image, s.fresh, s.room, s.run(ctx)); err != nil {
		return 0, err
	}
	err = s.words(ctx, func(_ int, lo, hi uint64) {
		for i := lo; i < hi; i++ {
			s.fresh[i] = s.open[i] & s.image[i]
		}
	})
	if err != nil {
		return 0, err
	}
	return s.note(ctx, bitboard.Win, distance)
}

// note gives the fresh positions a value, and tells how many they are. Then the keeper may save the
// state.
func (s *bySets) note(ctx context.Context, v bitboard.Value, distance int) (positions uint64, err error) {
	positions, err = s.decideFresh(ctx, v, distance)
	if err == nil {
		s.keeper.due()
	}
	return positions, err
}

// decideFresh gives the fresh positions, which are open, a value, and tells how many they are.
func (s *bySets) decideFresh(ctx context.Context, v bitboard.Value, distance int) (positions uint64, err error) {
	clear(s.found)
	slice := s.table.Slice
	err = s.words(ctx, func(worker int, lo, hi uint64) {
		for i := lo; i < hi; i++ {
			s.found[worker] += uint64(bits.OnesCount64(s.fresh[i]))
			s.open[i] &^= s.fresh[i]
			if v == bitboard.Win {
				s.unwon[i] &^= s.fresh[i]
			}
		}
		s.indices[worker] = s.kernel.Members(slice, s.indices[worker][:0], s.fresh, lo, hi)
		for _, i := range s.indices[worker] {
			s.decide(slice, i, v, distance)
		}
	})
	if err != nil {
		return 0, err
	}
	for _, n := range s.found {
		positions += n
	}
	return positions, nil
}

// words shares the words of a set among the workers.
func (s *bySets) words(ctx context.Context, work func(worker int, lo, hi uint64)) error {
	return parallel.Blocks(ctx, s.workers, uint64(len(s.open)), s.grain.step, work)
}

// run lets the kernel use the workers.
func (s *bySets) run(ctx context.Context) bitboard.Run {
	return func(parts uint64, do func(part uint64)) error {
		return parallel.Blocks(ctx, s.workers, parts, 1, func(_ int, part, _ uint64) { do(part) })
	}
}
