package gametest

import (
	"errors"
	"fmt"
	"math/big"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
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

type namesNoCapture struct{ *fanorona.Game }

func (g namesNoCapture) TurnName(p position, s bitboard.Side, to position) (string, bool) {
	if g.Quiet(p) {
		return g.Game.TurnName(p, s, to)
	}
	return "", false
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

type repeatsTurn struct{ *fanorona.Game }

func (g repeatsTurn) Turns(dst []position, p position) []position {
	turns := g.Game.Turns(dst, p)
	if len(turns) > len(dst) {
		turns = append(turns, turns[len(turns)-1])
	}
	return turns
}

type turnsOverOld struct{ *fanorona.Game }

func (g turnsOverOld) Turns(dst []position, p position) []position { return g.Game.Turns(dst[:0], p) }

// The last turn leaves a stone on the point of another, where there is no index.
type turnsNowhere struct{ *fanorona.Game }

func (g turnsNowhere) Turns(dst []position, p position) []position {
	turns := g.Game.Turns(dst, p)
	if n := len(turns) - 1; n >= len(dst) {
		turns[n].Opp ^= turns[n].Opp&-turns[n].Opp | turns[n].Own&-turns[n].Own
	}
	return turns
}

func (g turnsNowhere) Notated(p position, s bitboard.Side) []bitboard.Turn[position] {
	turns := g.Game.Notated(p, s)
	for i, to := range g.Turns(nil, p) {
		turns[i].To = to
	}
	return turns
}

// All positions take turns in one buffer.
type sharesTurns struct {
	*fanorona.Game
	buffer *[]position
}

func (g sharesTurns) Turns(dst []position, p position) []position {
	if dst != nil {
		return g.Game.Turns(dst, p)
	}
	*g.buffer = g.Game.Turns((*g.buffer)[:0], p)
	return *g.buffer
}

// The position whose turns are asked for stands where other calls put theirs. (By
// atomic operations, so that the race detector lets the suite find it.)
type sharesPosition struct {
	*fanorona.Game
	at *atomic.Pointer[position]
}

func (g sharesPosition) Turns(dst []position, p position) []position {
	g.at.Store(&p)
	runtime.Gosched()
	return g.Game.Turns(dst, *g.at.Load())
}

type drawsOutside struct{ *fanorona.Game }

func (g drawsOutside) Ended(p position) bitboard.Value {
	if p.Own == 0 {
		return bitboard.Draw
	}
	return g.Game.Ended(p)
}

type losesOutside struct{ *fanorona.Game }

func (g losesOutside) Ended(p position) bitboard.Value {
	if p.Own == 0 {
		return bitboard.Win
	}
	return g.Game.Ended(p)
}

type endsWrong struct{ *fanorona.Game }

func (g endsWrong) Ended(p position) bitboard.Value {
	if p.Own != 0 && p.Opp != 0 {
		return bitboard.Draw
	}
	return g.Game.Ended(p)
}

type endsWon struct{ *fanorona.Game }

func (endsWon) Ended(position) bitboard.Value { return bitboard.Win }

// The game is over where a side has one stone: the rules say so, the slices do not.
type endsInside struct{ *fanorona.Game }

func (g endsInside) SliceOf(p position) bitboard.Slice {
	if p.Own == 0 {
		s, _ := g.ParseSlice("1v1")
		return s
	}
	return g.Game.SliceOf(p)
}

type slicesWrong struct{ *fanorona.Game }

func (g slicesWrong) SliceOf(p position) bitboard.Slice {
	return g.Game.SliceOf(position{Own: p.Opp, Opp: p.Own})
}

type unranksGaps struct{ *fanorona.Game }

func (g unranksGaps) Unrank(s bitboard.Slice, i uint64) (position, int) {
	p, weight := g.Game.Unrank(s, i)
	return p, max(1, weight)
}

func (g unranksGaps) Walk(s bitboard.Slice, lo, hi uint64, yield func(uint64, position, int) bool) {
	walksInGaps(g).Walk(s, lo, hi, func(i uint64, p position, weight int) bool { return yield(i, p, max(1, weight)) })
}

func (g unranksGaps) Weights(dst []uint8, s bitboard.Slice, lo, hi uint64) []uint8 {
	dst = g.Game.Weights(dst, s, lo, hi)
	for i := range dst {
		dst[i] = max(1, dst[i])
	}
	return dst
}

type weighsMore struct{ *fanorona.Game }

func (g weighsMore) Walk(s bitboard.Slice, lo, hi uint64, yield func(uint64, position, int) bool) {
	g.Game.Walk(s, lo, hi, func(i uint64, p position, weight int) bool { return yield(i, p, 2*weight) })
}

func (g weighsMore) Weights(dst []uint8, s bitboard.Slice, lo, hi uint64) []uint8 {
	dst = g.Game.Weights(dst, s, lo, hi)
	for i := range dst {
		dst[i] *= 2
	}
	return dst
}

func (g weighsMore) Unrank(s bitboard.Slice, i uint64) (position, int) {
	p, weight := g.Game.Unrank(s, i)
	return p, 2 * weight
}

type walksPast struct{ *fanorona.Game }

func (g walksPast) Walk(s bitboard.Slice, lo, hi uint64, yield func(uint64, position, int) bool) {
	if lo < hi {
		g.Game.Walk(s, lo, hi-1, yield)
	}
}

type ranksBatchBackwards struct{ *fanorona.Game }

func (g ranksBatchBackwards) RankAll(dst []bitboard.Ref, positions []position) []bitboard.Ref {
	n := len(dst)
	dst = g.Game.RankAll(dst, positions)
	slices.Reverse(dst[n:])
	return dst
}

type ranksBatchOverOld struct{ *fanorona.Game }

func (g ranksBatchOverOld) RankAll(dst []bitboard.Ref, positions []position) []bitboard.Ref {
	return g.Game.RankAll(dst[:0], positions)
}

type ranksBatchLess struct{ *fanorona.Game }

func (g ranksBatchLess) RankAll(dst []bitboard.Ref, positions []position) []bitboard.Ref {
	return g.Game.RankAll(dst, slices.DeleteFunc(slices.Clone(positions), func(p position) bool { return p.Own == 0 }))
}

type walksTurnsBackwards struct{ *fanorona.Game }

func (g walksTurnsBackwards) WalkTurns(p position, yield func(position) bool) {
	for _, after := range slices.Backward(g.Turns(nil, p)) {
		if !yield(after) {
			return
		}
	}
}

type walksTurnsOn struct{ *fanorona.Game }

func (g walksTurnsOn) WalkTurns(p position, yield func(position) bool) {
	for _, after := range g.Turns(nil, p) {
		yield(after)
	}
}

type ranksTurnsBackwards struct{ *fanorona.Game }

func (g ranksTurnsBackwards) RankTurns() func(position, func(position, bitboard.Ref) bool) {
	return func(p position, look func(position, bitboard.Ref) bool) {
		turns := g.Turns(nil, p)
		slices.Reverse(turns)
		for k, at := range g.RankAll(nil, turns) {
			if !look(turns[k], at) {
				return
			}
		}
	}
}

type ranksTurnsOn struct{ *fanorona.Game }

func (g ranksTurnsOn) RankTurns() func(position, func(position, bitboard.Ref) bool) {
	follow := g.Game.RankTurns()
	return func(p position, look func(position, bitboard.Ref) bool) {
		follow(p, func(q position, at bitboard.Ref) bool {
			look(q, at)
			return true
		})
	}
}

type ranksTurnsElsewhere struct{ *fanorona.Game }

func (g ranksTurnsElsewhere) RankTurns() func(position, func(position, bitboard.Ref) bool) {
	follow := g.Game.RankTurns()
	return func(p position, look func(position, bitboard.Ref) bool) {
		follow(p, func(q position, at bitboard.Ref) bool { return look(q, at+1) })
	}
}

type walksUnchosen struct{ *fanorona.Game }

func (g walksUnchosen) WalkChosen(s bitboard.Slice, lo, hi uint64, _ []uint64, yield func(uint64, position, int) bool) {
	g.Walk(s, lo, hi, yield)
}

type walksChosenOn struct{ *fanorona.Game }

func (g walksChosenOn) WalkChosen(s bitboard.Slice, lo, hi uint64, chosen []uint64, yield func(uint64, position, int) bool) {
	g.Game.WalkChosen(s, lo, hi, chosen, func(i uint64, p position, weight int) bool {
		yield(i, p, weight)
		return true
	})
}

type talliesIndices struct{ *fanorona.Game }

func (talliesIndices) Tally(_ bitboard.Slice, table bitboard.Packed, lo, hi uint64) ([3]uint64, uint64) {
	many := table.Count(lo, hi)
	return [3]uint64(many[:3]), 0
}

// A look is what bitboard.TurnValuer's method makes.
type (
	look   = func(position, bitboard.Values) (bitboard.Values, bool)
	tables = [bitboard.MaxSlices]bitboard.Packed
)

type valuesNoOthers struct{ *fanorona.Game }

func (g valuesNoOthers) ValueTurns(known *tables) look {
	look := g.Game.ValueTurns(known)
	return func(p position, enough bitboard.Values) (bitboard.Values, bool) {
		seen, inside := look(p, enough)
		return seen & 7, inside
	}
}

type valuesFirstTurn struct{ *fanorona.Game }

func (g valuesFirstTurn) ValueTurns(known *tables) look {
	look := g.Game.ValueTurns(known)
	return func(p position, _ bitboard.Values) (bitboard.Values, bool) {
		return look(p, ^bitboard.Values(0))
	}
}

type valuesInside struct{ *fanorona.Game }

func (g valuesInside) ValueTurns(known *tables) look {
	look := g.Game.ValueTurns(known)
	return func(p position, enough bitboard.Values) (bitboard.Values, bool) {
		seen, _ := look(p, enough)
		return seen, true
	}
}

// A sparse is what bitboard.SparseValuer's method makes.
type sparse = func() bitboard.SparseDeriver

// changed is the sparse of a game with something more done to the table.
func changed(g *fanorona.Game, s bitboard.Slice, known *tables, run bitboard.Run, change bitboard.SparseDeriver) (sparse, error) {
	begin, err := g.ValueSparse(s, known, run)
	if begin == nil {
		return nil, err
	}
	return func() bitboard.SparseDeriver {
		derive := begin()
		return func(table bitboard.Packed, held []uint64, lo, hi uint64) uint64 {
			return derive(table, held, lo, hi) + change(table, held, lo, hi)
		}
	}, nil
}

type valuesAllSparse struct{ *fanorona.Game }

func (g valuesAllSparse) ValueSparse(s bitboard.Slice, known *tables, run bitboard.Run) (sparse, error) {
	return changed(g.Game, s, known, run, func(table bitboard.Packed, _ []uint64, lo, hi uint64) uint64 {
		for i := lo; i < hi; i++ {
			table.Set(i-lo&^31, bitboard.Win)
		}
		return 0
	})
}

type valuesSparseBeyond struct{ *fanorona.Game }

func (g valuesSparseBeyond) ValueSparse(s bitboard.Slice, known *tables, run bitboard.Run) (sparse, error) {
	return changed(g.Game, s, known, run, func(table bitboard.Packed, _ []uint64, lo, _ uint64) uint64 {
		if before := lo % 32; before > 0 {
			table.Set(before-1, table.At(before-1)^1)
		}
		return 0
	})
}

type valuesSparseHeld struct{ *fanorona.Game }

func (g valuesSparseHeld) ValueSparse(s bitboard.Slice, known *tables, run bitboard.Run) (sparse, error) {
	return changed(g.Game, s, known, run, func(_ bitboard.Packed, held []uint64, _, _ uint64) uint64 {
		held[0] ^= 1
		return 0
	})
}

type countsSparseOver struct{ *fanorona.Game }

func (g countsSparseOver) ValueSparse(s bitboard.Slice, known *tables, run bitboard.Run) (sparse, error) {
	return changed(g.Game, s, known, run, func(bitboard.Packed, []uint64, uint64, uint64) uint64 { return 1 })
}

// Every position stands for itself alone.
type representsItself struct{ *fanorona.Game }

func (representsItself) Representative(p position) position { return p }

// A position and its images stand for others in a row.
type representsInARow struct{ *fanorona.Game }

func (representsInARow) Representative(p position) position { return images(p)[0] }

// Colours change hands.
type representsOthers struct{ *fanorona.Game }

func (g representsOthers) Representative(p position) position {
	return g.Game.Representative(position{Own: p.Opp, Opp: p.Own})
}

// A position that another one stands for lacks its last turn.
type imagesHaveFewerTurns struct{ *fanorona.Game }

func (g imagesHaveFewerTurns) Turns(dst []position, p position) []position {
	turns := g.Game.Turns(dst, p)
	if g.Game.Representative(p) != p {
		turns = turns[:max(len(dst), len(turns)-1)]
	}
	return turns
}

func (g imagesHaveFewerTurns) Notated(p position, s bitboard.Side) []bitboard.Turn[position] {
	return g.Game.Notated(p, s)[:len(g.Turns(nil, p))]
}

type readsAnyPosition struct{ *fanorona.Game }

func (g readsAnyPosition) Parse(text string) (position, bitboard.Side, error) {
	return g.Game.Parse(strings.Trim(text, " ?"))
}

type blamesNobody struct{ *fanorona.Game }

func (g blamesNobody) Parse(text string) (position, bitboard.Side, error) {
	p, s, err := g.Game.Parse(text)
	if err != nil {
		err = errors.New("wrong")
	}
	return p, s, err
}

type readsAnyTurn struct{ *fanorona.Game }

func (g readsAnyTurn) ParseTurn(p position, s bitboard.Side, text string) (bitboard.Turn[position], error) {
	return g.Game.ParseTurn(p, s, strings.Trim(text, "?"))
}

type refusesTurnsVaguely struct{ *fanorona.Game }

func (g refusesTurnsVaguely) ParseTurn(p position, s bitboard.Side, text string) (bitboard.Turn[position], error) {
	turn, err := g.Game.ParseTurn(p, s, text)
	if err != nil {
		err = errors.New("wrong")
	}
	return turn, err
}

type namesOneSide struct{ *fanorona.Game }

func (namesOneSide) SideName(bitboard.Side) string { return "white" }

type hasNoStates struct{ *fanorona.Game }

func (hasNoStates) States() (*big.Int, string) { return nil, "nothing" }

type hasFewPieces struct{ *fanorona.Game }

func (g hasFewPieces) Pieces(s bitboard.Slice) int { return min(2, g.Game.Pieces(s)) }

type unmovesOverOld struct{ *fanorona.Game }

func (g unmovesOverOld) Unmoves(dst []position, p position) []position {
	return g.Game.Unmoves(dst[:0], p)
}

type readsAnySlice struct{ *fanorona.Game }

func (g readsAnySlice) ParseSlice(name string) (bitboard.Slice, error) {
	return g.Game.ParseSlice(strings.Trim(name, "x"))
}

type groupsTwice struct{ *fanorona.Game }

func (g groupsTwice) Groups() ([]bitboard.Group, error) {
	groups, err := g.Game.Groups()
	return append(groups, groups[0]), err
}

type edgesFarAway struct{ *fanorona.Game }

func (g edgesFarAway) Forward(s bitboard.Slice, indices []uint64, e *bitboard.Edges) {
	g.Game.Forward(s, indices, e)
	for i := range e.Refs {
		e.Refs[i] += 1 << 40
	}
}

type forgetsForward struct{ *fanorona.Game }

func (g forgetsForward) Forward(s bitboard.Slice, indices []uint64, e *bitboard.Edges) {
	g.Game.Forward(s, indices, e)
	if n := len(e.Refs); n > 0 && e.Refs[n-1] != e.Refs[0] {
		e.Refs[n-1] = e.Refs[0]
	}
}

type backwardsToSettled struct{ *fanorona.Game }

func (g backwardsToSettled) Backward(s bitboard.Slice, indices []uint64, e *bitboard.Edges) {
	g.Game.Backward(s, indices, e)
	if n := len(e.Refs); n > 0 {
		e.Refs = append(e.Refs, bitboard.MakeRef(s, 0))
		e.Ends[len(e.Ends)-1]++
	}
}

type settlesGaps struct{ *fanorona.Game }

func (g settlesGaps) Settle(s bitboard.Slice, lo, hi uint64, e *bitboard.Edges) {
	g.Game.Settle(s, lo, hi, e)
	for i, fate := range e.Fates {
		if fate == bitboard.Gap {
			e.Fates[i] = bitboard.Lost
		}
	}
}

type failsSparse struct{ *fanorona.Game }

func (g failsSparse) ValueSparse(bitboard.Slice, *[bitboard.MaxSlices]bitboard.Packed, bitboard.Run) (func() bitboard.SparseDeriver, error) {
	return nil, errors.New("no values today")
}

// The games below leave out other values than the sound one.

type leavesOutQuiet struct{ *fanorona.Game }

func (g leavesOutQuiet) Holds(p position) bool { return !g.Quiet(p) || len(g.Turns(nil, p)) == 0 }

func (g leavesOutQuiet) Held(dst []uint64, s bitboard.Slice, lo, hi uint64) {
	holding(g, dst, s, lo, hi)
}

type holdsWhatIsNotHeld struct{ *fanorona.Game }

func (g holdsWhatIsNotHeld) Held(dst []uint64, _ bitboard.Slice, _, _ uint64) { clear(dst) }

type holdsGaps struct{ *fanorona.Game }

func (g holdsGaps) Held(dst []uint64, _ bitboard.Slice, _, _ uint64) {
	for i := range dst {
		dst[i] = ^uint64(0)
	}
}

type leavesOutEnds struct{ *fanorona.Game }

func (g leavesOutEnds) Holds(p position) bool { return len(g.Turns(nil, p)) != 0 }

func (g leavesOutEnds) Held(dst []uint64, s bitboard.Slice, lo, hi uint64) {
	holding(g, dst, s, lo, hi)
}

// Stones and no turn are an end.
type guessesEnds struct{ *fanorona.Game }

func (g guessesEnds) Evaluate(p position) int {
	if p.Own != 0 && p.Opp != 0 {
		return 0
	}
	return g.Game.Evaluate(p)
}

type guessesEndsOutside struct{ *fanorona.Game }

func (g guessesEndsOutside) Evaluate(p position) int {
	if p.Own == 0 || p.Opp == 0 {
		return 0
	}
	return g.Game.Evaluate(p)
}

type neverGuesses struct{ *fanorona.Game }

func (g neverGuesses) Evaluate(position) int { return -bitboard.Sure }

type countsNone struct{ *fanorona.Game }

func (g countsNone) Count(position) int { return 0 }

type countsToPast struct{ *fanorona.Game }

func (g countsToPast) CountTo(p position, most int) int { return len(g.Turns(nil, p)) }

type countsAWhile struct{ *fanorona.Game }

func (g countsAWhile) CountWhile(p position, wanted func() bool) (uint64, bool) { return 0, !wanted() }

type neverHasMore struct{ *fanorona.Game }

func (g neverHasMore) MoreTurnsThan(position, int) bool { return false }

type estimatesNothing struct{ *fanorona.Game }

func (g estimatesNothing) Estimate(position, bool) (uint32, uint32) { return 0, 0 }

type estimatesEndsAlike struct{ *fanorona.Game }

func (g estimatesEndsAlike) Estimate(position, bool) (uint32, uint32) { return 1, 1 }

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

// wantFault fails unless an error has a text in it, or there is none and none is wanted.
func wantFault(t *testing.T, err error, want string) {
	t.Helper()
	if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
		t.Errorf("error %v, want one with %q", err, want)
	}
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
		{repeatsTurn{sound}, "turns"},
		{turnsOverOld{sound}, "writes over those"},
		{turnsNowhere{sound}, "which has no index"},
		{sharesPosition{sound, new(atomic.Pointer[position])}, "from several goroutines"},
		{drawsOutside{sound}, "where no edge can lead"},
		{losesOutside{sound}, "no fate says so"},
		{endsWrong{sound}, "fate 4, want 5"},
		{endsWon{sound}, "over and won for the side to move"},
		{endsInside{sound}, "a turn ends the game with"},
		{slicesWrong{sound}, "is in slice"},
		{unranksGaps{sound}, "its image"},
		{weighsMore{sound}, "weight 16, but 8 images"},
		{walksPast{sound}, "the walk passes it by"},
		{ranksBatchBackwards{sound}, "method RankAll tells"},
		{ranksBatchOverOld{sound}, "method RankAll tells"},
		{ranksBatchLess{sound}, "method RankAll tells"},
		{ranksTurnsBackwards{sound}, "method RankTurns tells"},
		{walksTurnsBackwards{sound}, "method WalkTurns gives"},
		{walksTurnsOn{sound}, "method WalkTurns gives"},
		{ranksTurnsOn{sound}, "method RankTurns tells"},
		{ranksTurnsElsewhere{sound}, "method RankTurns tells"},
		{walksUnchosen{sound}, "method WalkChosen goes"},
		{walksChosenOn{sound}, "goes on after yield answered false"},
		{talliesIndices{sound}, "method Tally counts"},
		{valuesNoOthers{sound}, "method ValueTurns tells"},
		{valuesFirstTurn{sound}, "method ValueTurns tells"},
		{valuesInside{sound}, "method ValueTurns tells"},
		{valuesAllSparse{sound}, "method ValueSparse tells"},
		{valuesSparseBeyond{sound}, "method ValueSparse tells"},
		{valuesSparseHeld{sound}, "tells that it is held"},
		{countsSparseOver{sound}, "where the game is over"},
		{failsSparse{sound}, "no values today"},
		{representsItself{sound}, "is represented by"},
		{representsInARow{sound}, "is represented by"},
		{representsOthers{sound}, "which is none of its images"},
		{imagesHaveFewerTurns{sound}, "up to symmetry, than its representative"},
		{readsAnyPosition{sound}, "is read as"},
		{blamesNobody{sound}, "does not say where"},
		{readsAnyTurn{sound}, "is read as the turn"},
		{readsAnySlice{sound}, "no name of a slice"},
		{refusesTurnsVaguely{sound}, "neither of a text nor of an illegal turn"},
		{namesOneSide{sound}, "want two words"},
		{hasNoStates{sound}, "method States tells"},
		{hasFewPieces{sound}, "it has 3 pieces"},
		{unmovesOverOld{sound}, "writes over what was there"},
		{groupsTwice{sound}, "stands in two groups"},
		{edgesFarAway{sound}, "Forward: edges"},
		{forgetsForward{sound}, "Forward: edges"},
		{backwardsToSettled{sound}, "Backward: edges"},
		{settlesGaps{sound}, "a gap: fate 4, want 0"},
		{forgetsLastTurn{sound}, "turns"},
		{forgetsUnmove{sound}, "it is no unmove of"},
		{repeatsUnmove{sound}, "stands there twice"},
		{inventsUnmove{sound}, "no turn leads here from unmove"},
		{formatsOneSide{sound}, "is read as"},
		{notatesBackwards{sound}, "is not"},
		{notatesAlike{sound}, "two turns are written"},
		{namesNoCapture{sound}, "is named"},
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
		{leavesOutQuiet{sound}, "stays in the group"},
		{holdsWhatIsNotHeld{sound}, "method Held tells false"},
		{holdsGaps{sound}, "method Held tells true"},
		{leavesOutEnds{sound}, "has no turns"},
		{guessesEnds{sound}, "where the game is over, want"},
		{guessesEndsOutside{sound}, "where the game is over, want"},
		{neverGuesses{sound}, "where there are turns"},
		{countsNone{sound}, "method Count tells 0"},
		{countsToPast{sound}, "method CountTo tells"},
		{countsAWhile{sound}, "method CountWhile tells 0"},
		{neverHasMore{sound}, "method MoreTurnsThan tells false of 0"},
		{estimatesNothing{sound}, "method Estimate tells 0 and 0, and the game is over: false"},
		{estimatesEndsAlike{sound}, "method Estimate tells 1 and 1, and the game is over: true"},
	} {
		t.Run(strings.TrimPrefix(fmt.Sprintf("%T", c.game), "gametest."), func(t *testing.T) {
			t.Parallel()
			err := conform(c.game, everything)
			wantFault(t, err, c.want)
		})
	}
}

// Turns in one buffer are found from one goroutine, too. From several the race
// detector would find them first.
func TestConformFindsTurnsInOneBuffer(t *testing.T) {
	sound, err := fanorona.New(bitboard.Board{Width: 3, Height: 3}, fanorona.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	err = conform(sharesTurns{sound, new([]position)}, func(part string) bool { return !strings.HasSuffix(part, " at once") })
	if want := "other turns when asked again"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want one with %q", err, want)
	}
}

func everything(string) bool { return true }

// conform runs parts of the suite on a 3x3 game with few stones and joins the
// errors.
func conform(game Game[position], runs func(part string) bool) error {
	parts, err := split(game, Options[position]{
		Pieces:  4,
		Whole:   []string{"1v1", "1v2", "2v1", "2v2"},
		Sampled: []string{"1v3", "3v1"},
		Samples: 5,
		Images:  images,
		Outside: func(p position) bool { return p.Own == 0 || p.Opp == 0 },
	})
	for _, part := range parts {
		if runs(part.name) {
			err = errors.Join(err, part.check())
		}
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

func TestConformWantsSlicesToLookAt(t *testing.T) {
	game, err := fanorona.New(bitboard.Board{Width: 3, Height: 3}, fanorona.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := split(game, Options[position]{Pieces: 3, Images: images}); err == nil || !strings.Contains(err.Error(), "name no slice") {
		t.Errorf("error %v, want one that says that nothing would be looked at", err)
	}
}

// Images and Outside can be left out. This game has need of both, and is told so.
func TestWhatOptionsLeaveOutIsNone(t *testing.T) {
	game, err := fanorona.New(bitboard.Board{Width: 3, Height: 3}, fanorona.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	for want, o := range map[string]Options[position]{
		"weight 8, but 1 images":                {Outside: func(p position) bool { return p.Own == 0 }},
		"if no slice holds it, Options.Outside": {Images: images},
	} {
		o.Pieces, o.Whole = 3, []string{"1v1"}
		parts, err := split(game, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range parts {
			if strings.HasPrefix(part.name, "1v1") {
				wantFault(t, part.check(), want)
			}
		}
	}
}

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
