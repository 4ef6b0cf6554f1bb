package catalogue_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"paika/bitboard"
	"paika/bitboard/konane"
	"paika/cmd/paika/catalogue"
	"paika/solver/cgt"
)

// Where two searches tell that a position is worth 0, and where its form is made of those of
// others, it is the form that the position has by the definition; and it agrees with who wins.
func TestCanonicalFormsAreThoseOfTheTheory(t *testing.T) {
	game, err := konane.New[konane.Word](bitboard.Board{Width: 4, Height: 4}, konane.Rules{Opening: konane.Opening{Kind: konane.CornerH}})
	if err != nil {
		t.Fatal(err)
	}
	named, _ := catalogue.Find("konane")
	instance, err := named.Open("4x4", map[string]string{"opening": "corner-h"})
	if err != nil {
		t.Fatal(err)
	}
	tables, err := instance.Open("", 1)
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	universe := cgt.NewUniverse()
	values := cgt.NewKonane(universe)
	random := rand.New(rand.NewPCG(3, 5))
	var texts []string
	var want []catalogue.Form
	zeros := 0
	for range 200 {
		rows := game.Board().FormatRows(func(p bitboard.Point) byte {
			if random.IntN(3) == 0 {
				return '.'
			}
			return "xo"[(p.File+p.Rank)%2]
		})
		text := rows + []string{" b", " w"}[random.IntN(2)]
		p, _, err := game.Parse(text)
		if err != nil || game.Opening(p) {
			continue
		}
		black, white := game.Stones(p)
		value, err := values.Value(t.Context(), game.Board(), black, white)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text)
		want = append(want, catalogue.Form{CGT: universe.Format(value), Mean: universe.Mean(value).String(), Temperature: universe.Temperature(value).String()})
		if value == cgt.Zero {
			zeros++
		}
	}
	got, err := tables.Value(t.Context(), texts, catalogue.ValueOptions{Workers: 1, CGT: true})
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range got {
		if a.Err != nil || a.Result.Form != want[i] {
			t.Errorf("%s: %+v, %v, want %+v", texts[i], a.Result.Form, a.Err, want[i])
		}
	}
	if zeros < 10 || zeros > len(texts)/2 {
		t.Errorf("%d of %d positions are worth 0", zeros, len(texts))
	}
}

// On a board that is not searched the form tells who wins, as play does.
func TestFormsTellWhoWinsOnLargeBoards(t *testing.T) {
	for _, board := range []bitboard.Board{{Width: 9, Height: 9}, {Width: 10, Height: 10}} {
		t.Run(board.String(), func(t *testing.T) { formsTellWhoWins(t, board) })
	}
}

func formsTellWhoWins(t *testing.T, board bitboard.Board) {
	game, err := konane.New[konane.Pair](board, konane.Rules{Opening: konane.Opening{Kind: konane.CornerH}})
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(5, 8))
	known := make(map[konane.Position[konane.Pair]]bool)
	var texts, want []string
	for range 40 {
		stones := make(map[bitboard.Point]bool)
		for range 8 {
			stones[bitboard.Point{File: random.IntN(5), Rank: random.IntN(4)}] = true
		}
		rows := game.Board().FormatRows(func(p bitboard.Point) byte {
			if !stones[p] {
				return '.'
			}
			return "xo"[(p.File+p.Rank)%2]
		})
		for side, word := range []string{" b", " w"} {
			p, _, err := game.Parse(rows + word)
			if err != nil {
				t.Fatal(err)
			}
			winner := bitboard.Side(side)
			if !moverWins(game, p, known) {
				winner = winner.Other()
			}
			texts, want = append(texts, rows+word), append(want, game.SideName(winner))
		}
	}
	tables := konaneWith(t, board.String(), "black")
	got, err := tables.Value(t.Context(), texts, catalogue.ValueOptions{Workers: 1, CGT: true})
	if err != nil {
		t.Fatal(err)
	}
	by := make(map[string]int)
	for i, a := range got {
		if a.Err != nil || a.Result.Winner == nil || *a.Result.Winner != want[i] || a.Result.CGT == "" || a.Result.Nodes != 0 {
			t.Errorf("%s: %+v, %v, want %s", texts[i], a.Result, a.Err, want[i])
		}
		by[a.Result.By]++
	}
	if by[catalogue.ByForm] < 20 || len(by) != 2 || by[catalogue.ByRules] == 0 {
		t.Errorf("who wins is told by %v", by)
	}
}

// moverWins tells whether the side to move wins, by play alone.
func moverWins(game *konane.Game[konane.Pair], p konane.Position[konane.Pair], known map[konane.Position[konane.Pair]]bool) bool {
	wins, is := known[p]
	if is {
		return wins
	}
	for _, to := range game.Turns(nil, p) {
		wins = wins || !moverWins(game, to, known)
	}
	known[p] = wins
	return wins
}

// Without the memory for the form, or the time, there is no answer on such a board.
func TestFormsOfLargeBoardsHaveTheirLimits(t *testing.T) {
	tables := konaneWith(t, "9x9", "black")
	answers, err := tables.Value(t.Context(), []string{catalogue.Start}, catalogue.ValueOptions{Workers: 1, CGT: true, Memory: 66 << 20})
	if err != nil || !errors.Is(answers[0].Err, cgt.ErrMemory) || catalogue.FaultOf(answers[0].Err).Code != catalogue.CodeMemory {
		t.Errorf("%+v, %v", answers, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if answers, err := tables.Value(ctx, []string{catalogue.Start}, catalogue.ValueOptions{Workers: 1, CGT: true}); err != context.Canceled {
		t.Errorf("%+v, %v", answers, err)
	}
}

// Where a form does not agree with who is said to win, there is no answer.
func TestAFormThatContradictsWhoWinsIsAnError(t *testing.T) {
	const position = ".x.x/..xo/o.ox/x..o b" // {{0|0,{0|-1}}|-1}, which White wins
	tables := konaneWith(t, "4x4", "black")
	for holds, want := range []error{catalogue.ErrContradiction, nil} { // Black wins, White wins
		answers, err := tables.Value(t.Context(), []string{position}, catalogue.ValueOptions{
			Workers: 1, CGT: true,
			Ask: func(context.Context, catalogue.Contest) (catalogue.Settled, error) {
				return catalogue.Settled{Nodes: 7, Holds: holds}, nil
			},
		})
		if err != nil || !errors.Is(answers[0].Err, want) || (answers[0].Err == nil) != (want == nil) {
			t.Errorf("%+v, %v, want %v", answers, err, want)
		}
	}
}
