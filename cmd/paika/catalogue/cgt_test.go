package catalogue_test

import (
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
