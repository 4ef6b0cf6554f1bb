package gametest

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/bitboard/phutball"
)

// Each of these games has one fault as a bitboard.Tracer.

type tracesAll struct{ *phutball.Game }

func (g tracesAll) Trace(s bitboard.Slice, dst, set, room []uint64, run bitboard.Run) error {
	err := g.Game.Trace(s, dst, set, room, run)
	if set != nil {
		for k := range dst {
			dst[k] = ^uint64(0)
		}
	}
	return err
}

type tracesNoWins struct{ *phutball.Game }

func (g tracesNoWins) Trace(s bitboard.Slice, dst, set, room []uint64, run bitboard.Run) error {
	if set == nil {
		clear(dst)
		return nil
	}
	return g.Game.Trace(s, dst, set, room, run)
}

type tracesOnTop struct{ *phutball.Game }

func (g tracesOnTop) Trace(s bitboard.Slice, dst, set, room []uint64, run bitboard.Run) error {
	before := dst[0]
	err := g.Game.Trace(s, dst, set, room, run)
	dst[0] |= before
	return err
}

type weighsGaps struct{ *phutball.Game }

func (g weighsGaps) Weigh(_ bitboard.Slice, _, word uint64) (positions uint64) {
	for ; word != 0; word &= word - 1 {
		positions += 2
	}
	return positions
}

func TestConformFindsFaultsOfTracers(t *testing.T) {
	sound, err := phutball.New(bitboard.Board{Width: 3, Height: 3}, phutball.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		game Game[phutball.Position]
		want string // in the error; empty for no error
	}{
		{sound, ""},
		{tracesAll{sound}, "method Trace tells that a turn leads into the set is true"},
		{tracesNoWins{sound}, "method Trace tells that a turn wins is false"},
		{tracesOnTop{sound}, "method Trace tells"},
		{weighsGaps{sound}, "method Weigh tells"},
	} {
		t.Run(strings.TrimPrefix(fmt.Sprintf("%T", c.game), "gametest."), func(t *testing.T) {
			t.Parallel()
			parts, err := split(c.game, Options[phutball.Position]{
				Pieces: bitboard.AllPieces,
				Whole:  []string{"all"},
				Images: func(p phutball.Position) []phutball.Position {
					return []phutball.Position{p, sideways(p)}
				},
				Outside: func(p phutball.Position) bool { return sound.Grid().Goal(p.Ball) != 0 },
			})
			for _, part := range parts {
				err = errors.Join(err, part.check())
			}
			wantFault(t, err, c.want)
		})
	}
}

// sideways exchanges left and right on 3x3.
func sideways(p phutball.Position) (q phutball.Position) {
	across := func(at phutball.Place) phutball.Place { return at + 2 - 2*(at%3) }
	q.Ball = across(p.Ball)
	for at := range phutball.Place(9) {
		if p.Men.Has(at) {
			q.Men.Flip(across(at))
		}
	}
	return q
}
