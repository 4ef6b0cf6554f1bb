package catalogue_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/bitboard/record"
	"paika/cmd/paika/catalogue"
)

func parsedRecord(t *testing.T, text string) *record.Record {
	t.Helper()
	r, err := record.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Values of a record's turns are those that Turns has, and variations stand behind
// the turns that they replace.
func TestAnnotateIsTurnsAlongARecord(t *testing.T) {
	tables := built(t, bitboard.AllPieces, bitboard.DTW)
	annotated, err := tables.Annotate(t.Context(), parsedRecord(t, "1. a1-b2A (1. c1-b2A 2. a2-a3W) (1. b1-b2A) 2. b3-c3 (2. a2-a1)"))
	if err != nil {
		t.Fatal(err)
	}
	var shape func(turns []catalogue.AnnotatedTurn) string
	position := ""
	shape = func(turns []catalogue.AnnotatedTurn) string {
		var text strings.Builder
		before := position
		for _, turn := range turns {
			listed, err := tables.Turns(t.Context(), []string{before})
			if err != nil || listed[0].Err != nil {
				t.Fatal(err, listed[0].Err)
			}
			for _, want := range listed[0].Result.Turns {
				if want.Turn == turn.Turn.Turn && (*want.Value != *turn.Value || *want.Distance != *turn.Distance || want.Position != turn.Position) {
					t.Errorf("%s: %+v, want %+v", turn.Numbered(), turn, want)
				}
			}
			if *listed[0].Result.Value != turn.Before.Value || *listed[0].Result.Distance != *turn.Before.Distance {
				t.Errorf("%s: before it %v, want %s", turn.Numbered(), turn.Before, *listed[0].Result.Value)
			}
			text.WriteString(turn.Numbered() + " ")
			for _, other := range turn.Variations {
				position = before
				text.WriteString("( " + shape(other) + ") ")
			}
			before = turn.Position
		}
		return text.String()
	}
	position = annotated.Position
	if got, want := shape(annotated.Turns), "1. a1-b2A ( 1. c1-b2A 2. a2-a3W ) ( 1. b1-b2A ) 2. b3-c3 ( 2. a2-a1 ) "; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A record of no turns has a list of none, and what is not known is null.
func TestAnnotatedJSON(t *testing.T) {
	tables := withoutTables(t, "fanorona", "3x3")
	for text, want := range map[string]string{
		"{nothing}": `"position":"BBB/B.W/WWW w","comment":"nothing","turns":[],`,
		"a1-b2A":    `"value":null,"distance":null,"before":null,"gave_away":null,"best":null,"missing":"slice 4v4 is not stored"`,
	} {
		annotated, err := tables.Annotate(t.Context(), parsedRecord(t, text))
		if err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(annotated)
		if err != nil || !strings.Contains(string(got), want) {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// All variations from a position are told of the same best turn.
func TestVariationsShareTheBestTurn(t *testing.T) {
	tables := built(t, bitboard.AllPieces, bitboard.DTW)
	text := "a1-b2A" + strings.Repeat(" (a1-b2A) (b1-b2A) (c1-b2A)", 20)
	annotated, err := tables.Annotate(t.Context(), parsedRecord(t, text))
	if err != nil {
		t.Fatal(err)
	}
	best := make(map[string]int)
	for _, other := range annotated.Turns[0].Variations {
		if other[0].Gave() {
			best[*other[0].Best]++
		}
	}
	if len(best) != 1 {
		t.Errorf("the best turn and how many variations gave it away: %v, want one", best)
	}
	for _, times := range best {
		if times < 20 {
			t.Errorf("%d variations give something away, want 20 at least", times)
		}
	}
}

// Of two tags that contradict what is asked about, the game is always told first.
func TestTheGameOfARecordIsComparedFirst(t *testing.T) {
	for range 20 {
		_, err := catalogue.OpenRecord(parsedRecord(t, `[Board "5x5"] [Game "konane"]`), "fanorona", "3x3", nil)
		if err == nil || !strings.Contains(err.Error(), "has Game") {
			t.Fatalf("%v, want one about the game", err)
		}
	}
}

// A record names its game; what is given beside it must agree.
func TestOpenRecord(t *testing.T) {
	for _, c := range []struct {
		text, game, board string
		rules             map[string]string
		folder            string // of the instance; empty for a *record.Error
	}{
		{"", "", "", nil, "fanorona-9x5"},
		{"", "konane", "6x6", nil, "konane-6x6"},
		{`[Game "konane"] [Board "6x6"]`, "", "", nil, "konane-6x6"},
		{`[Game "konane"] [Board "6x6"] [Rules "opening=any"]`, "konane", "6x6", nil, "konane-6x6,opening=any"},
		{`[Board "telo"] [Rules ""]`, "", "3x3", nil, "fanorona-3x3"},
		{`[Rules "stalemate=loss"]`, "", "3x3", nil, "fanorona-3x3"},
		{`[Game "nosuch"]`, "", "", nil, ""},
		{`[Game "konane"]`, "fanorona", "", nil, ""},
		{`[Board "5x5"]`, "", "3x3", nil, ""},
		{`[Rules "x"]`, "", "", nil, ""},
		{`[Rules "stalemate=loss"]`, "", "", map[string]string{"stalemate": "draw"}, ""},
	} {
		instance, err := catalogue.OpenRecord(parsedRecord(t, c.text), c.game, c.board, c.rules)
		switch {
		case c.folder == "" && !errors.As(err, new(*record.Error)):
			t.Errorf("%s: %v, want a *record.Error", c.text, err)
		case c.folder != "" && (err != nil || instance.Folder() != c.folder):
			t.Errorf("%s: %v, want %s", c.text, err, c.folder)
		}
	}
}
