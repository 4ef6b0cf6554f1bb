package gametest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/bitboard/fanorona"
)

type position = fanorona.Position

// Each of these games has one fault.

type forgetsLastTurn struct{ *fanorona.Game }

func (g forgetsLastTurn) Turns(dst []position, p position) []position {
	turns := g.Game.Turns(dst, p)
	return turns[:max(len(dst), len(turns)-1)]
}

type forgetsUnmove struct{ *fanorona.Game }

func (g forgetsUnmove) Unmoves(dst []position, p position) []position {
	befores := g.Game.Unmoves(dst, p)
	return befores[:max(len(dst), len(befores)-1)]
}

type repeatsUnmove struct{ *fanorona.Game }

func (g repeatsUnmove) Unmoves(dst []position, p position) []position {
	return g.Game.Unmoves(g.Game.Unmoves(dst, p), p)
}

type inventsUnmove struct{ *fanorona.Game }

func (g inventsUnmove) Unmoves(dst []position, p position) []position {
	return append(g.Game.Unmoves(dst, p), p)
}

type passesNothing struct{ *fanorona.Game }

func (g passesNothing) Pass(p position) (position, bool) { return p, true }

type passesOnce struct{ *fanorona.Game }

func (g passesOnce) Pass(p position) (position, bool) {
	return position{Own: p.Opp, Opp: p.Own}, p.Own < p.Opp
}

type passesMore struct{ *fanorona.Game }

func (g passesMore) Pass(p position) (position, bool) {
	return position{Own: ^p.Opp, Opp: ^p.Own}, true
}

type formatsOneSide struct{ *fanorona.Game }

func (g formatsOneSide) Format(p position, _ bitboard.Side) string { return g.Game.Format(p, 0) }

type notatesBackwards struct{ *fanorona.Game }

func (g notatesBackwards) Notated(p position, s bitboard.Side) []bitboard.Turn[position] {
	turns := g.Game.Notated(p, s)
	for i, j := 0, len(turns)-1; i < j; i, j = i+1, j-1 {
		turns[i].To, turns[j].To = turns[j].To, turns[i].To
	}
	return turns
}

type notatesAlike struct{ *fanorona.Game }

func (g notatesAlike) Notated(p position, s bitboard.Side) []bitboard.Turn[position] {
	turns := g.Game.Notated(p, s)
	for i := range turns {
		turns[i].Notation = turns[0].Notation
	}
	return turns
}

type readsNoTurn struct{ *fanorona.Game }

func (g readsNoTurn) ParseTurn(position, bitboard.Side, string) (bitboard.Turn[position], error) {
	return bitboard.Turn[position]{}, errors.New("no")
}

type groupsBackwards struct{ *fanorona.Game }

func (g groupsBackwards) Groups() ([]bitboard.Group, error) {
	groups, err := g.Game.Groups()
	groups[0], groups[1] = groups[1], groups[0]
	return groups, err
}

type groupsNeedNothing struct{ *fanorona.Game }

func (g groupsNeedNothing) Groups() ([]bitboard.Group, error) {
	groups, err := g.Game.Groups()
	for i := range groups {
		groups[i].Needs = nil
	}
	return groups, err
}

type namesAlike struct{ *fanorona.Game }

func (g namesAlike) SliceName(bitboard.Slice) string { return "1v1" }

type countsOneMore struct{ *fanorona.Game }

func (g countsOneMore) Positions(s bitboard.Slice) uint64 { return g.Game.Positions(s) + 1 }

type ranksNoSymmetry struct{ *fanorona.Game }

func (g ranksNoSymmetry) Rank(p position) (bitboard.Slice, uint64) {
	s, index := g.Game.Rank(p)
	if canonical, _ := g.Unrank(s, index); canonical != p {
		index = (index + 1) % g.Indices(s)
	}
	return s, index
}

type walksInGaps struct{ *fanorona.Game }

func (g walksInGaps) Walk(s bitboard.Slice, lo, hi uint64, yield func(uint64, position, int) bool) {
	for i := lo; i < hi; i++ {
		if p, weight := g.Unrank(s, i); !yield(i, p, weight) {
			return
		}
	}
}

type walksOn struct{ *fanorona.Game }

func (g walksOn) Walk(s bitboard.Slice, lo, hi uint64, yield func(uint64, position, int) bool) {
	g.Game.Walk(s, lo, hi, func(i uint64, p position, weight int) bool {
		yield(i, p, weight)
		return true
	})
}

type weighsEight struct{ *fanorona.Game }

func (g weighsEight) Weights(dst []uint8, _ bitboard.Slice, lo, hi uint64) []uint8 {
	for range hi - lo {
		dst = append(dst, 8)
	}
	return dst
}

type settlesAllOpen struct{ *fanorona.Game }

func (g settlesAllOpen) Settle(s bitboard.Slice, lo, hi uint64, e *bitboard.Edges) {
	g.Game.Settle(s, lo, hi, e)
	for i, fate := range e.Fates {
		if fate == bitboard.Won {
			e.Fates[i] = bitboard.Open
		}
	}
}

type settlesWrongEdge struct{ *fanorona.Game }

func (g settlesWrongEdge) Settle(s bitboard.Slice, lo, hi uint64, e *bitboard.Edges) {
	g.Game.Settle(s, lo, hi, e)
	for i := range e.Refs {
		e.Refs[i] = e.Refs[0]
	}
}

type settlesOverOld struct{ *fanorona.Game }

func (g settlesOverOld) Settle(s bitboard.Slice, lo, hi uint64, e *bitboard.Edges) {
	var added bitboard.Edges
	g.Game.Settle(s, lo, hi, &added)
	e.Fates = append(e.Fates, added.Fates...)
	e.Ends = append(e.Ends, added.Ends...)
	e.Refs = append(e.Refs, added.Refs...)
}

type forwardsInOrder struct{ *fanorona.Game }

func (g forwardsInOrder) Forward(s bitboard.Slice, indices []uint64, e *bitboard.Edges) {
	g.Game.Forward(s, slices.Sorted(slices.Values(indices)), e)
}

type forgetsBackward struct{ *fanorona.Game }

func (g forgetsBackward) Backward(s bitboard.Slice, indices []uint64, e *bitboard.Edges) {
	g.Game.Backward(s, indices, e)
	if n := len(e.Refs); n > 0 {
		e.Refs[n-1] = e.Refs[0]
	}
}

// The games below leave values out where the sound one has nothing to leave out.

type leavesOut struct{ *fanorona.Game }

func (leavesOut) LeavesOut(bitboard.Slice) bool { return true }

func (g leavesOut) Holds(p position) bool { return g.Quiet(p) }

func (g leavesOut) Held(dst []uint64, s bitboard.Slice, lo, hi uint64) { holding(g, dst, s, lo, hi) }

type holdsWhatIsNotHeld struct{ *fanorona.Game }

func (g holdsWhatIsNotHeld) Held(dst []uint64, _ bitboard.Slice, _, _ uint64) { clear(dst) }

type holdsGaps struct{ *fanorona.Game }

func (g holdsGaps) Held(dst []uint64, _ bitboard.Slice, _, _ uint64) {
	for i := range dst {
		dst[i] = ^uint64(0)
	}
}

type leavesOutSecretly struct{ leavesOut }

func (leavesOutSecretly) LeavesOut(bitboard.Slice) bool { return false }

type leavesOutEnds struct{ leavesOut }

func (g leavesOutEnds) Holds(p position) bool { return len(g.Turns(nil, p)) != 0 }

func (g leavesOutEnds) Held(dst []uint64, s bitboard.Slice, lo, hi uint64) {
	holding(g, dst, s, lo, hi)
}

// holding is Held by Holds.
func holding(g bitboard.Sparse[position], dst []uint64, s bitboard.Slice, lo, hi uint64) {
	clear(dst)
	g.(bitboard.Game[position]).Walk(s, lo, hi, func(i uint64, p position, _ int) bool {
		if g.Holds(p) {
			dst[(i-lo)/64] |= 1 << ((i - lo) % 64)
		}
		return true
	})
}

func TestConformFindsFaults(t *testing.T) {
	sound, err := fanorona.New(bitboard.Board{Width: 3, Height: 3}, fanorona.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		game Game[position]
		want string // in the error; empty for no error
	}{
		{sound, ""},
		{forgetsLastTurn{sound}, "turns"},
		{forgetsUnmove{sound}, "it is no unmove of"},
		{repeatsUnmove{sound}, "stands there twice"},
		{inventsUnmove{sound}, "no turn leads here from unmove"},
		{formatsOneSide{sound}, "is read as"},
		{notatesBackwards{sound}, "is not"},
		{notatesAlike{sound}, "two turns are written"},
		{readsNoTurn{sound}, "is read as"},
		{groupsBackwards{sound}, "which it needs"},
		{groupsNeedNothing{sound}, "which the group does not need"},
		{passesNothing{sound}, "passed it is"},
		{passesOnce{sound}, "passed twice"},
		{passesMore{sound}, "passed it is"},
		{namesAlike{sound}, "is named 1v1"},
		{countsOneMore{sound}, "positions, want"},
		{ranksNoSymmetry{sound}, "its image"},
		{walksInGaps{sound}, "a gap: the walk goes there"},
		{walksOn{sound}, "the walk goes on"},
		{weighsEight{sound}, "Weights tells 8"},
		{settlesAllOpen{sound}, "fate 1, want 3"},
		{settlesWrongEdge{sound}, "Settle: edges"},
		{settlesOverOld{sound}, "fates and"},
		{forwardsInOrder{sound}, "Forward: edges"},
		{forgetsBackward{sound}, "Backward: edges"},
		{leavesOut{sound}, "left out, as is"},
		{holdsWhatIsNotHeld{sound}, "method Held tells false"},
		{holdsGaps{sound}, "method Held tells true"},
		{leavesOutSecretly{leavesOut{sound}}, "leaves nothing out"},
		{leavesOutEnds{leavesOut{sound}}, "has no turns"},
	} {
		t.Run(strings.TrimPrefix(fmt.Sprintf("%T", c.game), "gametest."), func(t *testing.T) {
			t.Parallel()
			err := conform(c.game)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

// conform runs the suite on a 3x3 game with few stones and joins its errors.
func conform(game Game[position]) error {
	parts, err := split(game, Options[position]{
		Pieces:  4,
		Whole:   []string{"1v1", "1v2", "2v1", "2v2"},
		Sampled: []string{"1v3", "3v1"},
		Samples: 5,
		Images:  images,
		Outside: func(p position) bool { return p.Own == 0 || p.Opp == 0 },
	})
	for _, part := range parts {
		err = errors.Join(err, part.check())
	}
	return err
}

// images turns and mirrors the points of 3x3, whose bits are those of three
// rows of four.
func images(p position) []position {
	var all []position
	for range 4 {
		p = position{Own: quarterTurn(p.Own), Opp: quarterTurn(p.Opp)}
		all = append(all, p, position{Own: upsideDown(p.Own), Opp: upsideDown(p.Opp)})
	}
	return all
}

func quarterTurn(set uint64) (turned uint64) {
	for file := range 3 {
		for rank := range 3 {
			turned |= set >> (4*rank + file) & 1 << (4*(2-file) + rank)
		}
	}
	return turned
}

func upsideDown(set uint64) uint64 { return set&7<<8 | set&(7<<4) | set>>8&7 }

func TestConformRefusesSlicesItCannotCheck(t *testing.T) {
	game, err := fanorona.New(bitboard.Board{Width: 3, Height: 3}, fanorona.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"5v4": "in no group of at most 3 pieces", "x": `slice "x"`} {
		for _, o := range []Options[position]{{Pieces: 3, Whole: []string{name}}, {Pieces: 3, Sampled: []string{name}}} {
			if _, err := split(game, o); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("slice %s: error %v, want one with %q", name, err, want)
			}
		}
	}
}
