package lookup_test

import (
	"testing"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/tablebase/lookup"
)

// A turn gives away what the definition says is between the position and it, and the
// best turn gives nothing away.
func TestTurnsAreJudgedByTheDefinition(t *testing.T) {
	game := newGame(t)
	positions, want := solved(t, game)
	l := built(t, game, bitboard.AllPieces, bitboard.DTW)
	var made []lookup.Made[fanorona.Position]
	for _, p := range positions {
		for _, to := range game.Turns(nil, p) {
			made = append(made, lookup.Made[fanorona.Position]{From: p, To: to})
		}
	}
	judged, err := l.Judge(t.Context(), made)
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[lookup.Gave]int)
	for i, j := range judged {
		before, after := want[made[i].From], want[made[i].To]
		gave := lookup.GaveNothing
		switch {
		case before.Value != after.Value.Reply():
			gave = lookup.GaveValue
		case before.Value != bitboard.Draw && before.Distance != after.Distance+1:
			gave = lookup.GaveDistance
		}
		if j.Gave != gave || j.Err != nil || j.Before.Value != before.Value || j.Worth.Value != after.Value.Reply() {
			t.Fatalf("%s: gave %v, want %v: %+v", game.Format(made[i].From, 0), j.Gave, gave, j)
		}
		if j.Best == nil || lookup.Given(j.Before, j.Best.Worth()) != lookup.GaveNothing {
			t.Fatalf("%s: best is %+v", game.Format(made[i].From, 0), j.Best)
		}
		seen[gave]++
	}
	for _, gave := range []lookup.Gave{lookup.GaveNothing, lookup.GaveDistance, lookup.GaveValue} {
		if seen[gave] == 0 {
			t.Errorf("no turn gave away %v", gave)
		}
	}
}

// Where tables lack, nothing is said to be given away, and the error says what lacks.
func TestUnknownTurnsAreNotJudged(t *testing.T) {
	game := newGame(t)
	start, _, err := game.Start()
	if err != nil {
		t.Fatal(err)
	}
	l := built(t, game, 4, bitboard.WDL)
	judged, err := l.Judge(t.Context(), []lookup.Made[fanorona.Position]{{From: start, To: game.Turns(nil, start)[0]}})
	if err != nil {
		t.Fatal(err)
	}
	if j := judged[0]; j.Gave != lookup.GaveUnknown || j.Best != nil || j.Err == nil {
		t.Errorf("%+v", j)
	}
	var none []lookup.Made[fanorona.Position]
	if judged, err := l.Judge(t.Context(), none); err != nil || len(judged) != 0 {
		t.Errorf("%v, %v", judged, err)
	}
}

// Of two ratings of the same value, one without a distance, none is the worse.
func TestGiven(t *testing.T) {
	rate := func(v bitboard.Value, distance int) lookup.Rating {
		return lookup.Rating{Outcome: bitboard.Outcome{Value: v, Distance: distance}, Known: true}
	}
	for _, c := range []struct {
		before, worth lookup.Rating
		want          lookup.Gave
	}{
		{rate(bitboard.Win, 9), rate(bitboard.Win, 9), lookup.GaveNothing},
		{rate(bitboard.Win, 9), rate(bitboard.Win, 21), lookup.GaveDistance},
		{rate(bitboard.Loss, 20), rate(bitboard.Loss, 6), lookup.GaveDistance},
		{rate(bitboard.Win, 9), rate(bitboard.Win, bitboard.UnknownDistance), lookup.GaveNothing},
		{rate(bitboard.Win, 9), rate(bitboard.Draw, bitboard.UnknownDistance), lookup.GaveValue},
		{rate(bitboard.Draw, bitboard.UnknownDistance), rate(bitboard.Loss, 2), lookup.GaveValue},
		{lookup.Rating{}, rate(bitboard.Loss, 2), lookup.GaveUnknown},
		{rate(bitboard.Loss, 2), lookup.Rating{}, lookup.GaveUnknown},
	} {
		if got := lookup.Given(c.before, c.worth); got != c.want {
			t.Errorf("%+v, then %+v: %v, want %v", c.before, c.worth, got, c.want)
		}
	}
}
