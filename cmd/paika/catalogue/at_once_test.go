package catalogue_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
)

// A win with this turn is told by the rules, with its distance: no table needs to have it, no
// search is made and nobody is asked, and a board that is not searched has it as well.
func TestAWinWithThisTurnIsToldByTheRules(t *testing.T) {
	asked := func(context.Context, catalogue.Contest) (catalogue.Settled, error) {
		t.Error("others were asked")
		return catalogue.Settled{}, nil
	}
	for _, c := range []struct{ game, board, opening, position, winner string }{
		{"konane", "3x1", "middle-h", "xo. b", "black"},
		{"konane", "3x1", "middle-h", ".ox b", "black"},
		{"konane", "9x9", "corner-h", "xo......." + strings.Repeat("/.........", 8) + " b", "black"},
		{"konane", "12x12", "corner-h", ".xo........." + strings.Repeat("/............", 11) + " b", "black"},
		{"fanorona", "3x3", "", "B../.../W.. w", "white"},
		{"phutball", "3x5", "", ".../.*./.@./.../... ohs", "ohs"},
		{"breakthrough", "3x4", "", ".../W../.B./... w", "white"},
	} {
		named, _ := catalogue.Find(c.game)
		rules := map[string]string{}
		if c.opening != "" {
			rules["opening"] = c.opening
		}
		instance, err := named.Open(c.board, rules)
		if err != nil {
			t.Fatal(err)
		}
		tables, err := instance.Open("", 1)
		if err != nil {
			t.Fatal(err)
		}
		defer tables.Close()
		for name, o := range map[string]catalogue.ValueOptions{"a search": {Nodes: 1000}, "a hub": {Ask: asked}} {
			o.Workers = 1
			answers, err := tables.Value(t.Context(), []string{c.position}, o)
			if err != nil {
				t.Fatal(err)
			}
			v, err := answers[0].Result, answers[0].Err
			if err != nil || v.Winner == nil || *v.Winner != c.winner || v.Distance == nil || *v.Distance != 1 || v.By != catalogue.ByRules || v.Nodes != 0 {
				t.Errorf("%s on %s, %s, instead of %s: %+v, %v", c.game, c.board, c.position, name, v, err)
			}
		}
		found, err := tables.Search(t.Context(), c.position, catalogue.SearchOptions{Nodes: 1000, Time: time.Minute, Memory: 64 << 20, Workers: 1})
		if err != nil || found.Value == nil || *found.Value != bitboard.Win.String() || found.By != catalogue.ByRules {
			t.Errorf("%s on %s, %s, as a search: %+v, %v", c.game, c.board, c.position, found, err)
		}
	}
}
