package gametest

import (
	"errors"
	"testing"

	"paika/bitboard"
	"paika/bitboard/konane"
)

// Each of these games has one fault as a bitboard.DepthValuer.

type konaneGame = konane.Game[konane.Word]

type depthTables = [bitboard.MaxSlices][]bitboard.Depth

// deepened is what a game makes of depths with something more done to them.
func deepened(g *konaneGame, s bitboard.Slice, known *depthTables, run bitboard.Run, change bitboard.DepthDeriver) (func() bitboard.DepthDeriver, error) {
	begin, err := g.ValueDepths(s, known, run)
	if begin == nil {
		return nil, err
	}
	return func() bitboard.DepthDeriver {
		derive := begin()
		return func(depths []bitboard.Depth, held []uint64, lo, hi uint64) uint64 {
			return derive(depths, held, lo, hi) + change(depths, held, lo, hi)
		}
	}, nil
}

type delaysWins struct{ *konaneGame }

func (g delaysWins) ValueDepths(s bitboard.Slice, known *depthTables, run bitboard.Run) (func() bitboard.DepthDeriver, error) {
	return deepened(g.konaneGame, s, known, run, func(depths []bitboard.Depth, _ []uint64, lo, hi uint64) uint64 {
		for i, d := range depths[:hi-lo] {
			if d.Value() == bitboard.Win {
				depths[i] = bitboard.MakeDepth(bitboard.Win, d.Distance()+1)
			}
		}
		return 0
	})
}

type deepensBeyond struct{ *konaneGame }

func (g deepensBeyond) ValueDepths(s bitboard.Slice, known *depthTables, run bitboard.Run) (func() bitboard.DepthDeriver, error) {
	return deepened(g.konaneGame, s, known, run, func(depths []bitboard.Depth, _ []uint64, lo, hi uint64) uint64 {
		if hi-lo < uint64(len(depths)) {
			depths[hi-lo] ^= 4
		}
		return 0
	})
}

type holdsDepths struct{ *konaneGame }

func (g holdsDepths) ValueDepths(s bitboard.Slice, known *depthTables, run bitboard.Run) (func() bitboard.DepthDeriver, error) {
	return deepened(g.konaneGame, s, known, run, func(_ []bitboard.Depth, held []uint64, _, _ uint64) uint64 {
		held[0] ^= 1
		return 0
	})
}

type countsDepthsOver struct{ *konaneGame }

func (g countsDepthsOver) ValueDepths(s bitboard.Slice, known *depthTables, run bitboard.Run) (func() bitboard.DepthDeriver, error) {
	return deepened(g.konaneGame, s, known, run, func([]bitboard.Depth, []uint64, uint64, uint64) uint64 { return 1 })
}

type failsDepths struct{ *konaneGame }

func (g failsDepths) ValueDepths(bitboard.Slice, *depthTables, bitboard.Run) (func() bitboard.DepthDeriver, error) {
	return nil, errors.New("no depths today")
}

func TestConformFindsFaultsOfDepthValuers(t *testing.T) {
	sound, err := konane.New[konane.Word](bitboard.Board{Width: 4, Height: 3}, konane.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	groups, err := sound.Groups()
	if err != nil {
		t.Fatal(err)
	}
	group := groups[len(groups)/2]
	s := group.Slices[0]
	var entries []entry[konane.Position[konane.Word]]
	for i := range sound.Indices(s) - 1 {
		e := entry[konane.Position[konane.Word]]{index: i}
		if e.p, e.weight = sound.Unrank(s, i); e.weight != 0 {
			e.turns = sound.Turns(nil, e.p)
		}
		entries = append(entries, e)
	}
	for _, c := range []struct {
		game Game[konane.Position[konane.Word]]
		want string // in the error; empty for no error
	}{
		{sound, ""},
		{delaysWins{sound}, "method ValueDepths tells"},
		{deepensBeyond{sound}, "method ValueDepths tells"},
		{holdsDepths{sound}, "tells that it is held"},
		{countsDepthsOver{sound}, "where the game is over"},
		{failsDepths{sound}, "no depths today"},
	} {
		o := Options[konane.Position[konane.Word]]{Outside: func(konane.Position[konane.Word]) bool { return false }}
		wantFault(t, newSliceChecker(c.game, o, s, group).checkDepthValuer(entries), c.want)
	}
}
