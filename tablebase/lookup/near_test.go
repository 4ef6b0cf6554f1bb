package lookup_test

import (
	"testing"

	"paika/bitboard"
	"paika/bitboard/breakthrough"
	"paika/bitboard/fanorona"
	"paika/bitboard/konane"
	"paika/bitboard/phutball"
	"paika/tablebase/lookup"
)

// In every game: a turn that wins at once stands before all others, a turn that lets
// the other side win at once behind all others, and best play begins with the first.
func TestTurnsNearTheEndStandWhereTheyBelong(t *testing.T) {
	t.Run("fanorona", func(t *testing.T) {
		game, err := fanorona.New(bitboard.Board{Width: 3, Height: 3}, fanorona.Rules{})
		nearTheEnd(t, game, err, bitboard.Board{Width: 3, Height: 3})
	})
	t.Run("konane", func(t *testing.T) {
		game, err := konane.New[konane.Word](bitboard.Board{Width: 4, Height: 3}, konane.Rules{})
		nearTheEnd(t, game, err, bitboard.Board{Width: 4, Height: 3})
	})
	t.Run("phutball", func(t *testing.T) {
		game, err := phutball.New(bitboard.Board{Width: 3, Height: 4}, phutball.Rules{})
		nearTheEnd(t, game, err, bitboard.Board{Width: 3, Height: 4})
	})
	t.Run("breakthrough", func(t *testing.T) {
		game, err := breakthrough.New(bitboard.Board{Width: 3, Height: 4})
		nearTheEnd(t, game, err, bitboard.Board{Width: 3, Height: 4})
	})
}

func nearTheEnd[P comparable](t *testing.T, game bitboard.Game[P], err error, board bitboard.Board) {
	if err != nil {
		t.Fatal(err)
	}
	positions := everyPosition(t, game)
	bare := lookup.New(game, board, nil)
	undated, dated := inTables(t, game, board, bitboard.AllPieces, bitboard.WDL), inTables(t, game, board, bitboard.AllPieces, bitboard.DTW)
	const batch = 4096
	for len(positions) > 0 {
		some := positions[:min(batch, len(positions))]
		positions = positions[len(some):]
		want, err := dated.Query(t.Context(), some)
		if err != nil {
			t.Fatal(err)
		}
		found, err := undated.Query(t.Context(), some)
		if err != nil {
			t.Fatal(err)
		}
		listed, err := bare.Turns(t.Context(), some)
		if err != nil {
			t.Fatal(err)
		}
		for i := range some {
			checkOrder(t, game, want[i].Listed, want[i].Listed, want[i].Line)
			checkOrder(t, game, found[i].Listed, want[i].Listed, found[i].Line)
			checkOrder(t, game, listed[i], want[i].Listed, lookup.Line[P]{})
			if alone := undated.Dated(lookup.Rated[P]{Position: some[i], Over: found[i].Over, Rating: withoutDistance(want[i])}); alone.Rating != found[i].Rating {
				t.Errorf("%s is %v alone, with its turns %v", game.Format(some[i], 0), alone.Rating, found[i].Rating)
			}
			unrated := lookup.Rated[P]{Position: some[i]}
			if alone := bare.Dated(unrated); !want[i].Over && alone.Rating != withThisTurn(want[i].Rating) {
				t.Errorf("%s is %v by the rules, %v by tables", game.Format(some[i], 0), alone.Rating, want[i].Rating)
			}
			if t.Failed() {
				return
			}
		}
	}
}

// withThisTurn is a rating as far as the rules tell it.
func withThisTurn(r lookup.Rating) lookup.Rating {
	if r.Value == bitboard.Win && r.Distance == 1 {
		return r
	}
	return lookup.Rating{}
}

func withoutDistance[P comparable](q lookup.Query[P]) lookup.Rating {
	r := q.Rating
	if !q.Over {
		r.Distance = bitboard.UnknownDistance
	}
	return r
}

// checkOrder compares turns with those of tables that have all distances.
func checkOrder[P comparable](t *testing.T, game bitboard.Game[P], found, want lookup.Listed[P], line lookup.Line[P]) {
	t.Helper()
	text := game.Format(found.Position, 0)
	truth := make(map[int]lookup.Rating)
	for _, turn := range want.Turns {
		truth[turn.Number] = turn.Worth()
	}
	haste := func(turn lookup.Turn[P]) int { // 0 to win at once, 2 and 3 to lose at once
		switch r := truth[turn.Number]; {
		case r.Value == bitboard.Win && r.Distance == 1:
			return 0
		case r.Value == bitboard.Loss && r.Distance <= 2:
			return 4 - r.Distance
		}
		return 1
	}
	for k, turn := range found.Turns {
		r := turn.Worth()
		if r.Known && r.Value != truth[turn.Number].Value {
			t.Errorf("%s: turn %d is %v, want %v", text, turn.Number, r, truth[turn.Number])
		}
		if near := haste(turn) != 1; r.Known && r.Distance != bitboard.UnknownDistance || near {
			if r != truth[turn.Number] {
				t.Errorf("%s: turn %d is %v, want %v", text, turn.Number, r, truth[turn.Number])
			}
		}
		if k == 0 {
			continue
		}
		before := found.Turns[k-1]
		drop := before.Worth().Known && r.Known && before.Worth().Value != r.Value
		if haste(before) > haste(turn) && !drop {
			t.Errorf("%s: turn %d, with %v, stands above turn %d, with %v", text, before.Number, truth[before.Number], turn.Number, truth[turn.Number])
		}
		if haste(turn) == 0 && haste(before) != 0 {
			t.Errorf("%s: a win at once stands below %v", text, truth[before.Number])
		}
	}
	if r := found.Rating; r.Known && r.Distance != bitboard.UnknownDistance && r != want.Rating {
		t.Errorf("%s is %v, want %v", text, r, want.Rating)
	}
	if len(line.Turns) > 0 && line.Turns[0].Number != found.Turns[0].Number && line.Turns[0].Worth().Value != bitboard.Draw {
		t.Errorf("%s: best play begins with turn %d, the list with %d", text, line.Turns[0].Number, found.Turns[0].Number)
	}
	if len(found.Turns) > 0 && haste(found.Turns[0]) > 1 {
		for _, turn := range found.Turns {
			if haste(turn) < haste(found.Turns[0]) {
				t.Errorf("%s: turn %d loses at once, and stands first", text, found.Turns[0].Number)
			}
		}
	}
}

// everyPosition is those of all slices of a board.
func everyPosition[P comparable](t *testing.T, game bitboard.Game[P]) (all []P) {
	t.Helper()
	groups, err := game.Groups()
	if err != nil {
		t.Fatal(err)
	}
	step := 1
	if testing.Short() {
		step = 16
	}
	n := 0
	for _, g := range groups {
		for _, s := range g.Slices {
			game.Walk(s, 0, game.Indices(s), func(_ uint64, p P, _ int) bool {
				if n++; n%step == 0 {
					all = append(all, p)
				}
				return true
			})
		}
	}
	return all
}
