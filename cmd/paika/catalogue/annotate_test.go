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

// Comments find no room in a record that is nearly as large as one can be. All else is told.
func TestARecordWithoutRoomForCommentsIsJudged(t *testing.T) {
	tables := built(t, bitboard.AllPieces, bitboard.DTW)
	text := "a1-b2A {" + strings.Repeat("x", record.MostBytes-400) + "} b3-c3"
	annotated, err := tables.Annotate(t.Context(), parsedRecord(t, text))
	if err != nil {
		t.Fatal(err)
	}
	if annotated.Record == nil {
		t.Error("the comments of two turns were to find room, and did not")
	}
	text += strings.Repeat(" (b3-c3)", 40)
	annotated, err = tables.Annotate(t.Context(), parsedRecord(t, text))
	if err != nil {
		t.Fatal(err)
	}
	if annotated.Record != nil {
		t.Errorf("a record of %d bytes, want none", len(*annotated.Record))
	}
	if len(annotated.Turns) != 2 || annotated.Turns[1].Value == nil || len(annotated.Turns[1].Variations) != 40 {
		t.Errorf("turns %+v, want 2 with their values, and 40 variations", annotated.Turns)
	}
}

// What an earlier annotation may have said is replaced; what only looks alike stays. Where the tables
// say nothing, so does all of a comment.
func TestCommentsHaveTheWordsOnce(t *testing.T) {
	tables, none := built(t, bitboard.AllPieces, bitboard.DTW), withoutTables(t, "fanorona", "3x3")
	commented := func(tables catalogue.Tables, comment string) string {
		annotated, err := tables.Annotate(t.Context(), parsedRecord(t, "1. c1-b2A {"+comment+"}"))
		if err != nil {
			t.Fatal(err)
		}
		return parsedRecord(t, *annotated.Record).Root.Next[0].Comment
	}
	const words = "win in 11"
	for comment, want := range map[string]string{
		"":                              words,
		"win in 11":                     words,
		"win":                           words,
		"win. win. Good":                words + ". win. Good",
		"loss in 10 instead of draw":    words,
		"draw instead of win: c1-b2A":   words,
		"draw instead of win: a.b. Bad": words + ". Bad",
		"winning. Good":                 words + ". winning. Good",
		"win in nine. Good":             words + ". win in nine. Good",
		"win.Good":                      words + ". win.Good",
		"A win. Good":                   words + ". A win. Good",
		"draw instead of nothing. Bad":  words + ". draw instead of nothing. Bad",
	} {
		if got := commented(tables, comment); got != want {
			t.Errorf("%q becomes %q, want %q", comment, got, want)
		}
		if got := commented(none, comment); got != comment {
			t.Errorf("without tables %q becomes %q", comment, got)
		}
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

// A record of another game is told as such, whatever else of it that game does not have.
func TestTheGameOfARecordIsComparedFirst(t *testing.T) {
	for _, c := range []struct {
		text, game, board string
		rules             map[string]string
	}{
		{`[Board "5x5"] [Game "konane"]`, "fanorona", "3x3", nil},
		{`[Game "fanorona"] [Rules "stalemate=draw"]`, "konane", "", nil},
		{`[Game "fanorona"] [Board "telo"]`, "konane", "", nil},
		{`[Game "konane"] [Board "16x16"]`, "fanorona", "", nil},
		{`[Rules "x"] [Game "konane"]`, "fanorona", "", nil},
		{`[Game "fanorona"]`, "konane", "", map[string]string{"stalemate": "draw"}},
		{`[Game "nosuch"]`, "konane", "", nil},
	} {
		_, err := catalogue.OpenRecord(parsedRecord(t, c.text), c.game, c.board, c.rules)
		if err == nil || !strings.Contains(err.Error(), "has Game") || !errors.As(err, new(*record.Error)) {
			t.Errorf("%s: %v, want one about the game", c.text, err)
		}
	}
}

// Then the board is, and rules that it has no place for are not told of.
func TestTheBoardOfARecordIsComparedBeforeItsRules(t *testing.T) {
	_, err := catalogue.OpenRecord(parsedRecord(t, `[Rules "opening=gap:h8-h7"] [Board "8x8"]`), "konane", "4x4", nil)
	if err == nil || !strings.Contains(err.Error(), "has Board") {
		t.Errorf("%v, want one about the board", err)
	}
}

// Where only the rules of a record have no place on its board, or on the one given, the error
// is in them.
func TestRulesThatTheBoardHasNoPlaceFor(t *testing.T) {
	for text, board := range map[string]string{
		"[Board \"4x4\"]\n[Rules \"opening=gap:h8-h7\"]": "",
		"\n[Rules \"opening=gap:h8-h7\"]":                "4x4",
	} {
		_, err := catalogue.OpenRecord(parsedRecord(t, text), "konane", board, nil)
		if fault := catalogue.FaultOf(err); fault.Line != 2 || fault.Code != catalogue.CodeRecord {
			t.Errorf("%s, given %s: %v, want an error on line 2", text, board, err)
		}
	}
}

// What is wrong with what is given beside a record has no place in it.
func TestGivenParametersAreNoErrorsOfARecord(t *testing.T) {
	for _, c := range []struct {
		text, game, board string
		rules             map[string]string
		parameter         string
	}{
		{"", "", "9x", nil, "board"},
		{`[Board "3x3"]`, "", "9x", nil, "board"},
		{`[Rules "stalemate=draw"]`, "", "12x12", nil, "board"},
		{"", "", "", map[string]string{"foo": "bar"}, "rules"},
		{`[Rules "stalemate=draw"]`, "", "", map[string]string{"foo": "bar"}, "rules"},
		{`[Rules "stalemate=draw"]`, "", "", map[string]string{"stalemate": "maybe"}, "rules"},
		{`[Board "4x4"]`, "konane", "", map[string]string{"opening": "gap:h8-h7"}, "rules"},
		{"", "nosuch", "", nil, ""},
	} {
		_, err := catalogue.OpenRecord(parsedRecord(t, c.text), c.game, c.board, c.rules)
		if fault := catalogue.FaultOf(err); err == nil || fault.Line != 0 || fault.Parameter != c.parameter {
			t.Errorf("%s, given %s %s %v: %v of %q", c.text, c.game, c.board, c.rules, err, fault.Parameter)
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
		{`[Board "9x"]`, "", "", nil, ""},
		{`[Board "9x"]`, "", "3x3", nil, ""},
		{`[Board "12x12"]`, "", "", nil, ""},
		{`[Board "12x12"]`, "", "", map[string]string{"stalemate": "draw"}, ""},
		{`[Rules "foo=bar"]`, "", "", nil, ""},
		{`[Rules "foo=bar"]`, "", "", map[string]string{"stalemate": "draw"}, ""},
		{`[Rules "stalemate=maybe"]`, "", "", nil, ""},
		{`[Rules "stalemate=maybe"]`, "", "", map[string]string{"stalemate": "draw"}, ""},
		{`[Rules "stalemate=loss"]`, "", "", map[string]string{"stalemate": "draw"}, ""},
		{`[Rules "stalemate=draw"]`, "", "3x3", map[string]string{"stalemate": "draw"}, "fanorona-3x3,stalemate=draw"},
		{`[Rules "stalemate=draw"]`, "", "3x3", map[string]string{"direction-rule": "no-repeat"}, "fanorona-3x3,stalemate=draw"},
		{`[Rules "stalemate=draw"]`, "", "3x3", map[string]string{"direction-rule": "never-twice"}, ""},
		{`[Rules ""]`, "", "3x3", map[string]string{"stalemate": "draw"}, ""},
		{`[Rules "opening=corner-h"]`, "konane", "6x6", map[string]string{"opening": "gap:a1-b1"}, "konane-6x6,opening=corner-h"},
		{`[Rules "opening=gap:b1-a1"]`, "konane", "6x6", map[string]string{"opening": "corner-h"}, "konane-6x6,opening=corner-h"},
		{`[Rules "opening=gap:b1-a1"]`, "konane", "6x6", map[string]string{"opening": "corner-v"}, ""},
		{`[Rules "opening=corner-h"]`, "konane", "6x6", map[string]string{"to-move": "black"}, "konane-6x6,opening=corner-h"},
		{`[Rules "opening=corner-h"]`, "konane", "6x6", map[string]string{"to-move": "white"}, ""},
	} {
		instance, err := catalogue.OpenRecord(parsedRecord(t, c.text), c.game, c.board, c.rules)
		switch {
		case c.folder == "" && catalogue.FaultOf(err).Line != 1:
			t.Errorf("%s: %v, want a *record.Error on line 1", c.text, err)
		case c.folder != "" && (err != nil || instance.Folder() != c.folder):
			t.Errorf("%s: %v, want %s", c.text, err, c.folder)
		}
	}
}
