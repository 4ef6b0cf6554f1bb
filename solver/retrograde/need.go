package retrograde

import (
	"fmt"

	"paika/bitboard"
	"paika/bitboard/ranking"
)

// Need is what it takes to solve a group. Where a figure has more than 64 bits it is the highest
// number of these.
type Need struct {
	Name      string // of its slices, such as "3v2 2v3"
	Indices   uint64
	Positions uint64 // symmetry undone
	Memory    uint64 // bytes, Options.Overhead included
	Fast      uint64 // bytes from which on it takes at most about half as long again as with Fastest
	Fastest   uint64 // bytes with which it is solved fastest: Memory, where more is of no use

	// Taken is the most bytes that Build holds meanwhile, of those that Options.Memory allows:
	// what makes it faster and tables that are needed again are kept as long as there is room.
	// It is Memory where that is more than is allowed.
	Taken uint64

	// Room is bytes of Taken that make settling faster. Where Memory is more than is allowed it
	// is as much as the kernel has use for: what the group would have with as much as Fastest.
	Room uint64
}

// Needs tells what each group takes in the metric and with the overhead of the
// options, by the figures that Build refuses groups by. Nothing is solved. What is taken is
// told as for a build that has none of them yet.
func Needs(game Game, groups []bitboard.Group, opts Options) []Need {
	b := newBuilder(game, nil, opts)
	b.note(groups)
	needs := make([]Need, len(groups))
	for i, g := range groups {
		needs[i] = Need{Name: b.groupName(g), Memory: b.need(g), Fast: b.fast(g), Fastest: b.fastest(g)}
		for _, s := range g.Slices {
			needs[i].Indices = ranking.Sum(needs[i].Indices, game.Indices(s))
			needs[i].Positions = ranking.Sum(needs[i].Positions, game.Positions(s))
		}
	}
	for b.pending = groups; len(b.pending) > 0; b.pending = b.pending[1:] {
		n := &needs[len(groups)-len(b.pending)]
		n.Taken, n.Room = b.pretend(b.pending[0])
	}
	return needs
}

// pretend goes through the next group's tables as buildNext does, without any memory for
// them, and tells Need.Taken and Need.Room.
func (b *builder) pretend(g bitboard.Group) (taken, room uint64) {
	if need := b.need(g); need > b.opts.Memory {
		return need, b.settleRoom(g)
	}
	b.makeRoom(g)
	b.keep(b.lacking(g.Needs))
	room = b.room(g, b.usesSets(g))
	taken = total(b.held(), b.opts.Overhead, b.working(g), room)
	b.keep(g.Slices)
	return taken, room
}

// keep puts tables without memory among those that are held.
func (b *builder) keep(list []bitboard.Slice) {
	for _, s := range list {
		b.tables[s] = &bitboard.Table{Slice: s}
	}
}

// Admit tells whether Build would refuse groups, none of which is solved yet, for want of
// memory: by a *MemoryError about the one that needs the most, or nil. A slice that no table
// holds is refused as Build does. Nothing is solved.
func Admit(game Game, groups []bitboard.Group, opts Options) error {
	b := newBuilder(game, nil, opts)
	b.note(groups)
	return b.admit(groups)
}

// admit refuses groups of which one has a slice that no table holds, or takes more memory than
// there is. The error is about the one that takes the most: with that all are built.
func (b *builder) admit(groups []bitboard.Group) error {
	var most *MemoryError
	for _, g := range groups {
		for _, s := range g.Slices {
			if b.game.Indices(s) >= bitboard.MaxIndices {
				return fmt.Errorf("slice %s has 2^48 indices or more: no table holds them", b.game.SliceName(s))
			}
		}
		if need := b.need(g); need > b.opts.Memory && (most == nil || need > most.Need) {
			most = &MemoryError{Group: b.groupName(g), Need: need, Have: b.opts.Memory}
		}
	}
	if most == nil {
		return nil
	}
	return most
}

// note remembers what each slice of the groups needs.
func (b *builder) note(groups []bitboard.Group) {
	for _, g := range groups {
		for _, s := range g.Slices {
			b.needs[s] = g.Needs
		}
	}
}

// need is the memory that a group takes with all that it needs, none of which is
// in memory yet, in bytes.
func (b *builder) need(g bitboard.Group) uint64 {
	return total(b.bytes(g.Needs), max(b.working(g), b.bytes(b.below(g))), b.opts.Overhead)
}
