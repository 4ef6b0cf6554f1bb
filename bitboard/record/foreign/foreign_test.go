package foreign

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/bitboard/konane"
	"paika/bitboard/record"
)

// playthrough is a game of OpenSpiel's own tests, its actions by number and by string:
// integration_tests/playthroughs/konane.txt of google-deepmind/open_spiel.
const (
	playthrough = "36, 37, 310, 541, 118, 724, 607, 538, 418, 487, 445, 298, 145, 106, 581, 595, 250, 187, 367, 80, 418, 214, 772, 241, 556, 568, 820, 271, 799, 625, 751, 319, 775, 703, 391, 724, 436, 656, 583, 700, 367, 163, 388, 508, 205, 352, 70, 154\n"
	byString    = `e4 f4 e6e4 h4f4 e8e6 h2h4 f3h3 h4h2 f5f3 d4f4 h5f5 d6d4 g8e8 d8d6 d3d7 e3g3 h7h5 c7e7 b5d5 b8f8
f5f3 e7e5 d1d3 g7e7 b3b5 c3c5 h1h3 b6d6 f1h1 g3e3 b1d1 f6h6 d1f1 f2h2 d5f5 h2h4 h5h7 b2f2 d3f3 f2f4
b5d5 a7c7 d5d7 f4f6 d7b7 a5a7 a8a6 h8h6`
	playedOut = "Player to move: 0\n8.....o..\n7.x..o...\n6x....o.o\n5........\n4x......o\n3o.......\n2x.......\n1o....x.x\n abcdefgh\n"
	atStart   = "Player to move: 0\n8xoxoxoxo\n7oxoxoxox\n6xoxoxoxo\n5oxoxoxox\n4xoxoxoxo\n3oxoxoxox\n2xoxoxoxo\n1oxoxoxox\n abcdefgh\n"
)

var (
	eight = bitboard.Board{Width: 8, Height: 8}
	tsivy = bitboard.Board{Width: 9, Height: 5}
)

func konaneOn(t *testing.T, board bitboard.Board, kind konane.OpeningKind) *konane.Game[konane.Quad] {
	t.Helper()
	game, err := konane.New[konane.Quad](board, konane.Rules{Opening: konane.Opening{Kind: kind}})
	if err != nil {
		t.Fatal(err)
	}
	return game
}

func read(t *testing.T, f Format, text string, s Setting) *record.Record {
	t.Helper()
	r, err := Read(f, text, s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func write(t *testing.T, f Format, r *record.Record, s Setting) string {
	t.Helper()
	text, err := Write(f, r, s)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// OpenSpiel's game is legal here, ends where it ends there, and comes back as it was.
func TestPlaythroughOfOpenSpiel(t *testing.T) {
	setting := Setting{Game: "konane", Board: eight}
	game := konaneOn(t, eight, konane.CentreOrCorner)
	for _, text := range []string{playthrough, byString, record.ByteOrderMark + playthrough} {
		r := read(t, OpenSpiel, text, Setting{Game: "konane"})
		played, err := record.Replay(t.Context(), game, r)
		if err != nil {
			t.Fatal(err)
		}
		if len(played.Turns) != 48 || played.Turns[0].Turn != "-e5" || played.Turns[2].Turn != "e3-e5" {
			t.Errorf("%d turns, the first is %s, the third %s", len(played.Turns), played.Turns[0].Turn, played.Turns[2].Turn)
		}
		last := played.Turns[len(played.Turns)-1]
		position := &record.Record{Root: &record.Node{}, Tags: []record.Tag{{Name: record.TagPosition, Text: game.Format(last.To, last.Next)}}}
		if got := write(t, OpenSpiel, position, setting); got != playedOut {
			t.Errorf("it ends in\n%s", got)
		}
		if n := len(game.Turns(nil, last.To)); n != 0 {
			t.Errorf("%d turns at its end", n)
		}
		if got := write(t, OpenSpiel, r, setting); got != playthrough {
			t.Errorf("written: %s", got)
		}
	}
}

// An observation string is a position, and is written as it was.
func TestObservationsOfOpenSpiel(t *testing.T) {
	for text, want := range map[string]string{
		playedOut: "o....x.x/x......./o......./x......o/......../x....o.o/.x..o.../.....o.. b",
		atStart:   "oxoxoxox/xoxoxoxo/oxoxoxox/xoxoxoxo/oxoxoxox/xoxoxoxo/oxoxoxox/xoxoxoxo b",
		"Player to move: 1\n3x.x\n2oxo\n1x.x\n abc\n": "x.x/oxo/x.x w",
	} {
		r := read(t, OpenSpiel, text, Setting{Game: "konane"})
		position, _ := r.Tag(record.TagPosition)
		named, _ := r.Tag(record.TagBoard)
		board, err := bitboard.ParseBoard(named.Text)
		if err != nil || position.Text != want {
			t.Errorf("%s, %v, want %s", position.Text, err, want)
		}
		if _, _, err := konaneOn(t, board, konane.CentreOrCorner).Parse(position.Text); err != nil {
			t.Error(err)
		}
		if got := write(t, OpenSpiel, r, Setting{"konane", board}); got != text {
			t.Errorf("written:\n%s", got)
		}
	}
	if got := write(t, OpenSpiel, &record.Record{Root: &record.Node{}}, Setting{"konane", eight}); got != atStart {
		t.Errorf("the start is\n%s", got)
	}
}

// A report in the shape that AbstractPlay/recranks, docs/game-records.md, and the schema
// beside it describe, with turns as src/games/fanorona.ts of gameslib writes them.
func TestReportOfAbstractPlay(t *testing.T) {
	const report = `{"header": {"game": {"name": "Fanorona", "variants": []}, "site": {"name": "Abstract Play", "gameid": "x"},
 "date-end": "2024-11-01T00:00:00Z", "players": [{"name": "Rabe", "userid": "1", "result": 1}, {"name": "Soa", "result": 0}]},
 "moves": [["d3e3-", "e5d4-, e4+"], [{"sequence": 1, "move": "e2d3+"}, null]]}`
	r := read(t, AbstractPlay, report, Setting{})
	var turns []string
	for _, n := range game(r) {
		turns = append(turns, n.Turn)
	}
	if got := strings.Join(turns, " "); got != "d3-e3W e5-d4W-e4A e2-d3A" {
		t.Errorf("turns %s", got)
	}
	if at := game(r)[1].At; at != (record.Place{Line: 3, Column: 22}) {
		t.Errorf("the second turn is at %v", at)
	}
	for name, want := range map[string]string{"Game": "fanorona", "Board": "9x5", "White": "Rabe", "Black": "Soa", "Site": "Abstract Play", "Date": "2024-11-01T00:00:00Z"} {
		if got, _ := r.Tag(name); got.Text != want {
			t.Errorf("tag %s is %s, want %s", name, got.Text, want)
		}
	}
	if got, want := write(t, AbstractPlay, r, Setting{"fanorona", bitboard.Board{Width: 9, Height: 5}}), "[[\"d3e3-\",\"e5d4-, e4+\"],\n[\"e2d3+\"]]\n"; got != want {
		t.Errorf("written: %s", got)
	}
}

// konaneReport is a report of Konane in the shape that genRecord of AbstractPlay/gameslib,
// src/games/_base.ts, gives it. Variants are by the names that people read, of
// locales/en/apgames.json; without one there is no list of them.
func konaneReport(variants, moves string) string {
	return `{"header":{"game":{"name":"Konane"` + variants + `},"site":{"name":"Abstract Play","gameid":"9f0c"},` +
		`"date-start":"2025-03-01T10:00:00.000Z","date-end":"2025-03-09T08:30:00.000Z","date-generated":"2025-03-09T08:30:01.000Z",` +
		`"players":[{"name":"Rabe","userid":"u1","result":1},{"name":"Soa","userid":"u2","result":0}]},"moves":` + moves + `}`
}

// The board of a report is the one that its variant names, in words of today or of before,
// or by its own name; else the setting's; else 6x6.
func TestBoardsOfReports(t *testing.T) {
	for _, c := range []struct {
		variants, board, want string
	}{
		{``, ``, "6x6"},
		{`,"variants":null`, ``, "6x6"},
		{`,"variants":[]`, ``, "6x6"},
		{`,"variants":["Size 6 board"]`, ``, "6x6"},
		{`,"variants":["Size 8 board"]`, ``, "8x8"},
		{`,"variants":["SIZE-8 BOARD"]`, ``, "8x8"},
		{`,"variants":["6x6 board"]`, ``, "6x6"},
		{`,"variants":["7x6 board"]`, ``, "7x6"},
		{`,"variants":["8x8 board"]`, ``, "8x8"},
		{`,"variants":["9x8 board"]`, ``, "9x8"},
		{`,"variants":["11x8 board"]`, ``, "11x8"},
		{`,"variants":["15x12 board"]`, ``, "15x12"},
		{`,"variants":["size-15"]`, ``, "15x12"},
		{`,"variants":["variants.konane.size-8.name"]`, ``, "8x8"},
		{`,"variants":["8x8 board"]`, "6x6", "8x8"},
		{``, "8x8", "8x8"},
		{`,"variants":[]`, "15x12", "15x12"},
	} {
		s := Setting{Game: konaneName}
		if c.board != "" {
			var err error
			if s.Board, err = bitboard.ParseBoard(c.board); err != nil {
				t.Fatal(err)
			}
		}
		r, err := Read(AbstractPlay, konaneReport(c.variants, `[]`), s)
		if err != nil {
			t.Errorf("%s, setting %s: %v", c.variants, c.board, err)
			continue
		}
		if got, _ := r.Tag(record.TagBoard); got.Text != c.want {
			t.Errorf("%s, setting %s: board %s, want %s", c.variants, c.board, got.Text, c.want)
		}
	}
}

// A game on 8x8 is played as such: no other board has these turns.
func TestReportOfKonaneOn8x8(t *testing.T) {
	r := read(t, AbstractPlay, konaneReport(`,"variants":["Size 8 board"]`, `[["h8","h7"],["f8-h8","h5-h7"]]`), Setting{})
	if _, err := record.Replay(t.Context(), konaneOn(t, eight, konane.CentreOrCorner), r); err != nil {
		t.Error(err)
	}
}

// A word in place of a turn ends the game, whosever turn it is: eog of src/games/_base.ts
// puts it there. Who won the header says; without one, the word alone.
func TestEndsOfReports(t *testing.T) {
	header := func(game, results string) string {
		return `{"header":{"game":{"name":"` + game + `"},"players":[{"name":"Rabe","result":` + strings.Replace(results, ",", `},{"name":"Soa","result":`, 1) + `}]},"moves":`
	}
	for _, c := range []struct {
		game, results string // of the players; without them there is no header
		word          string // empty where play goes on to its end
		result        string
		termination   string
	}{
		{"Konane", "1,0", "resign", "0-1", "normal"}, // Black is the first player
		{"Konane", "0,1", "resign", "1-0", "normal"},
		{"Konane", "0,1", "timeout", "1-0", "time forfeit"},
		{"Konane", "1,1", "draw", "1/2-1/2", "normal"},
		{"Konane", "0,0", "abandoned", "*", "abandoned"},
		{"Konane", "1,0", "", "0-1", ""},
		{"Konane", "null,null", "", "", ""},
		{"Fanorona", "1,0", "resign", "1-0", "normal"},
		{"Fanorona", "0,1", "timeout", "0-1", "time forfeit"},
		{"Fanorona", "1,1", "draw", "1/2-1/2", "normal"},
		{"Konane", "", "resign", "", "normal"},
		{"Konane", "", "timeout", "", "time forfeit"},
		{"Konane", "", "draw", "1/2-1/2", "normal"},
		{"Konane", "", "abandoned", "*", "abandoned"},
	} {
		turns := []string{`"c3"`, `"d3"`, `"c5-c3"`}
		if c.game == "Fanorona" {
			turns = []string{`"d3e3-"`, `"e5d4-, e4+"`, `"e2d3+"`}
		}
		for played := range 3 { // so many turns before the word, which stands at either seat
			all := slices.Clone(turns[:played])
			if c.word != "" {
				all = append(all, `"`+c.word+`"`)
			}
			var rounds []string
			for round := range slices.Chunk(all, 2) {
				rounds = append(rounds, "["+strings.Join(round, ",")+"]")
			}
			text := "[" + strings.Join(rounds, ",") + "]"
			if c.results != "" {
				text = header(c.game, c.results) + text + "}"
			}
			r, err := Read(AbstractPlay, text, Setting{Game: strings.ToLower(c.game)})
			if err != nil {
				t.Errorf("%s: %v", text, err)
				continue
			}
			result, _ := r.Tag("Result")
			termination, _ := r.Tag("Termination")
			if len(game(r)) != played || result.Text != c.result || termination.Text != c.termination {
				t.Errorf("%s: %d turns, result %q, termination %q, want %d, %q, %q", text, len(game(r)), result.Text, termination.Text, played, c.result, c.termination)
			}
		}
	}
}

// random plays a game by chance.
func random[P comparable](t *testing.T, game bitboard.Notation[P], seed uint64, most int) *record.Record {
	t.Helper()
	dice := rand.New(rand.NewPCG(seed, 7))
	p, side, err := game.Start()
	if err != nil {
		t.Fatal(err)
	}
	var turns []*record.Node
	for len(turns) < most {
		all := game.Notated(p, side)
		if len(all) == 0 {
			break
		}
		turn := all[dice.IntN(len(all))]
		turns = append(turns, &record.Node{Turn: turn.Notation})
		p, side = turn.To, side.Other()
	}
	return recordOf(nil, turns)
}

// trip writes a game, reads it, and wants it legal and the same.
func trip[P comparable](t *testing.T, f Format, rules bitboard.Notation[P], r *record.Record, s Setting) {
	t.Helper()
	back := read(t, f, write(t, f, r, s), s)
	if _, err := record.Replay(t.Context(), rules, back); err != nil {
		t.Fatal(err)
	}
	for i, n := range game(r) {
		if got := game(back)[i].Turn; got != n.Turn {
			t.Fatalf("turn %d is %s, want %s", i+1, got, n.Turn)
		}
	}
}

func TestGamesByChanceComeBack(t *testing.T) {
	rules, err := fanorona.New(tsivy, fanorona.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(20) {
		trip(t, AbstractPlay, rules, random(t, rules, seed, 100), Setting{"fanorona", tsivy})
	}
	for _, board := range boardsThere(konaneName) {
		kind := konane.MiddleV
		if removes(board) {
			kind = konane.CentreOrCorner
		}
		chance(t, AbstractPlay, konaneOn(t, board, kind), board, 10)
	}
	for _, board := range []bitboard.Board{{Width: 5, Height: 5}, {Width: 4, Height: 7}, {Width: 9, Height: 6}, {Width: 16, Height: 16}} {
		chance(t, OpenSpiel, konaneOn(t, board, konane.CentreOrCorner), board, 40)
	}
}

// chance plays so many games of Konane. Those come back that do not begin with a stone
// of White.
func chance(t *testing.T, f Format, rules *konane.Game[konane.Quad], board bitboard.Board, games uint64) {
	t.Helper()
	done := 0
	for seed := range games {
		r, s := random(t, rules, seed, 300), Setting{"konane", board}
		r.Tags = []record.Tag{{Name: record.TagRules, Text: "opening=" + rules.Rules().Opening.String()}}
		first, err := points(board, r.Root.Next[0].Turn)
		if err != nil {
			t.Fatal(err)
		}
		if len(first) == 2 || opens(board, first[0]) {
			trip(t, f, rules, r, s)
			done++
		} else if _, err := Write(f, r, s); !errors.Is(err, ErrUnwritable) {
			t.Errorf("%v on %v, White's stone goes first: error %v", f, board, err)
		}
	}
	if done < 3 {
		t.Errorf("%v on %v: %d of %d games come back", f, board, done, games)
	}
}

func TestErrorsNameTheirPlace(t *testing.T) {
	for _, c := range []struct {
		format     Format
		game, text string
		want       string
	}{
		{AbstractPlay, "fanorona", ``, "line 1, column 1: the JSON ends too early"},
		{AbstractPlay, "fanorona", `7`, "line 1, column 1: want a game report or its rounds"},
		{AbstractPlay, "fanorona", "[[\"e2e3\",\n \"j1a1\"]]", "line 2, column 2: turn 2: \"j1a1\": column 1: j1 is not on the board"},
		{AbstractPlay, "fanorona", `[["e2e3*"]]`, "line 1, column 3: turn 1: \"e2e3*\": column 5: want + (approach)"},
		{AbstractPlay, "fanorona", `[["e2e3"]`, "line 1, column 10: the JSON ends too early"},
		{AbstractPlay, "fanorona", `[["e2e3",]]`, "line 1, column 10: no JSON"},
		{AbstractPlay, "fanorona", `[["e2e3"]] x`, "line 1, column 12: want nothing after the game"},
		{AbstractPlay, "fanorona", `[["e2e3"], ["e2e3"]]`, "line 1, column 13: a turn of player 1 where the other one is to move"},
		{AbstractPlay, "konane", `[["c3", "resign"], ["c4"]]`, "line 1, column 21: a turn behind resign, which ends the game"},
		{AbstractPlay, "konane", `[["c3", "d3"], ["draw", "draw"]]`, "line 1, column 25: a turn behind draw, which ends the game"},
		{AbstractPlay, "konane", `[["c3"], ["resign"]]`, "line 1, column 11: a turn of player 1 where the other one is to move"},
		{AbstractPlay, "fanorona", `[[3]]`, "line 1, column 3: want a turn"},
		{AbstractPlay, "fanorona", `{"moves": [], "turns": []}`, "line 1, column 15: unknown key"},
		{AbstractPlay, "fanorona", `{"header": {"game": {"name": "Konane"}}, "header": {"game": {"name": "Fanorona"}}, "moves": []}`, "line 1, column 42: header stands there twice"},
		{AbstractPlay, "fanorona", `{"header": null, "moves": []}`, "line 1, column 29: want a header and moves"},
		{AbstractPlay, "fanorona", `{"moves": []}`, "line 1, column 13: want a header and moves"},
		{AbstractPlay, "fanorona", `{"header": {"game": {"name": "Chess"}}, "moves": []}`, "line 1, column 1: game \"chess\""},
		{AbstractPlay, "phutball", `[]`, "line 1, column 1: game \"phutball\""},
		{AbstractPlay, "konane", `{"header": {"game": {"name": "Konane", "variants": ["10x10 board"]}}, "moves": []}`, "line 1, column 1: variant \"10x10 board\": want one of 6x6, 7x6, 8x8, 9x8, 11x8, 15x12"},
		{AbstractPlay, "konane", `{"header": {"game": {"name": "Konane", "variants": ["Size 10 board"]}}, "moves": []}`, "line 1, column 1: variant \"Size 10 board\""},
		{AbstractPlay, "konane", `{"header": {"game": {"name": "Konane", "variants": ["size-x"]}}, "moves": []}`, "line 1, column 1: variant \"size-x\""},
		{AbstractPlay, "konane", `{"header": {"game": {"name": "Konane", "variants": ["Misere 8"]}}, "moves": []}`, "line 1, column 1: variant \"Misere 8\""},
		{AbstractPlay, "konane", `{"header": {"game": {"name": "Konane", "variants": ["8x8 board", "size-9"]}}, "moves": []}`, "line 1, column 1: variant \"size-9\": the board is 8x8 already"},
		{AbstractPlay, "fanorona", `{"header": {"game": {"name": "Fanorona", "variants": ["Misere"]}}, "moves": []}`, "line 1, column 1: variant \"Misere\": want one of 9x5"},
		{AbstractPlay, "fanorona", `{"header": {"game": {"name": "Fanorona"}, "players": [{"name": "one\u0007"}]}, "moves": []}`, "line 1, column 1: the tag \"White\" can't be written"},
		{AbstractPlay, "konane", `[["a1-"]]`, "line 1, column 3: turn 1: \"a1-\": column 4: want a point"},
		{OpenSpiel, "fanorona", "e4", "line 1, column 1: game \"fanorona\""},
		{OpenSpiel, "konane", "36, 37,\n 9999", "line 2, column 2: turn 3: there is no action 9999 on 8x8"},
		{OpenSpiel, "konane", "36 37 e4x4", "line 1, column 7: turn 3: \"e4x4\": column 3: x4 is not on the board"},
		{OpenSpiel, "konane", "Player to move: 2\n", "line 1, column 17: want player 0 or 1"},
		{OpenSpiel, "konane", "Player to move: 0\n", "line 2, column 1: no rows"},
		{OpenSpiel, "konane", "Player to move: 0\n2xo\n3ox\n ab", "line 3, column 1: want the row's number, 1"},
		{OpenSpiel, "konane", "Player to move: 0\n2xo\n1oxo\n ab", "line 3, column 2: 3 points in the row: want 2"},
		{OpenSpiel, "konane", "Player to move: 0\n2x?\n1ox\n ab", "line 2, column 3: want x, o or a dot"},
	} {
		_, err := Read(c.format, c.text, Setting{Game: c.game})
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: error %v, want %s", c.text, err, c.want)
		}
		if placed := new(record.Error); err != nil && !errors.As(err, &placed) {
			t.Errorf("%q: error %T", c.text, err)
		}
	}
}

func TestWhatCannotBeWritten(t *testing.T) {
	ruled := func(rules string, turns ...*record.Node) *record.Record {
		return recordOf([]record.Tag{{Name: record.TagRules, Text: rules}}, turns)
	}
	elsewhere := recordOf([]record.Tag{{Name: record.TagPosition, Text: "x.o/.../... b"}}, []*record.Node{{Turn: "a1-a3"}})
	for _, c := range []struct {
		format Format
		record *record.Record
		s      Setting
	}{
		{AbstractPlay, recordOf(nil, nil), Setting{"fanorona", bitboard.Board{Width: 5, Height: 5}}},
		{AbstractPlay, recordOf(nil, nil), Setting{"phutball", eight}},
		{AbstractPlay, elsewhere, Setting{"konane", eight}},
		{AbstractPlay, recordOf(nil, []*record.Node{{Turn: "a1-a3"}}), Setting{"konane", eight}},
		{AbstractPlay, recordOf(nil, []*record.Node{{Turn: "-a1"}}), Setting{"konane", bitboard.Board{Width: 7, Height: 6}}},
		{AbstractPlay, recordOf(nil, []*record.Node{{Turn: "-d5"}}), Setting{"konane", eight}},
		{AbstractPlay, ruled("opening=corner-h"), Setting{"konane", eight}},
		{AbstractPlay, ruled("opening=corner-h", &record.Node{Turn: "c1-a1"}), Setting{"konane", bitboard.Board{Width: 7, Height: 6}}},
		{AbstractPlay, ruled("opening=middle-v,to-move=white"), Setting{"konane", bitboard.Board{Width: 7, Height: 6}}},
		{AbstractPlay, recordOf(nil, nil), Setting{"konane", bitboard.Board{Width: 7, Height: 6}}}, // the game's own opening has removals
		{AbstractPlay, ruled("to-move=black"), Setting{"konane", bitboard.Board{Width: 7, Height: 6}}},
		{AbstractPlay, ruled("stalemate=draw"), Setting{"fanorona", tsivy}},
		{AbstractPlay, ruled("direction-rule=never-twice", &record.Node{Turn: "d3-e3W"}), Setting{"fanorona", tsivy}},
		{AbstractPlay, ruled("direction-rule=no-repeat,stalemate=draw"), Setting{"fanorona", tsivy}},
		{OpenSpiel, ruled("opening=corner-h"), Setting{"konane", eight}},
		{OpenSpiel, ruled("to-move=white"), Setting{"konane", eight}},
		{OpenSpiel, recordOf(nil, nil), Setting{"fanorona", eight}},
		{OpenSpiel, elsewhere, Setting{"konane", bitboard.Board{Width: 3, Height: 3}}},
		{OpenSpiel, recordOf(nil, []*record.Node{{Turn: "a1-a3"}}), Setting{"konane", eight}},
	} {
		if text, err := Write(c.format, c.record, c.s); !errors.Is(err, ErrUnwritable) {
			t.Errorf("%v, %v: %s, %v", c.format, c.s, text, err)
		}
	}
}

// Rules that the other program has are no reason to refuse a game, be they spelled out or not.
func TestOwnRulesCanBeWritten(t *testing.T) {
	for _, c := range []struct {
		format Format
		rules  string
		s      Setting
	}{
		{AbstractPlay, "", Setting{"fanorona", tsivy}},
		{AbstractPlay, "stalemate=loss", Setting{"fanorona", tsivy}},
		{AbstractPlay, "direction-rule=no-repeat,stalemate=loss", Setting{"fanorona", tsivy}},
		{AbstractPlay, "", Setting{"konane", eight}},
		{AbstractPlay, "opening=any,to-move=black", Setting{"konane", eight}},
		{AbstractPlay, "opening=middle-v", Setting{"konane", bitboard.Board{Width: 7, Height: 6}}},
		{OpenSpiel, "", Setting{"konane", eight}},
		{OpenSpiel, "opening=traditional", Setting{"konane", eight}},
	} {
		if _, err := Write(c.format, recordOf([]record.Tag{{Name: record.TagRules, Text: c.rules}}, nil), c.s); err != nil {
			t.Errorf("%v, %v with %q: %v", c.format, c.s, c.rules, err)
		}
	}
}

// What is read can be written, or is refused in plain words; nothing panics.
func FuzzRead(f *testing.F) {
	for _, text := range []string{playthrough, byString, playedOut, `[["d3e3-","e5d4-, e4+"]]`, `[["c3","c4"],["a3-c3"]]`,
		`{"header":{"game":{"name":"Konane","variants":["Size 8 board"]}},"moves":[["d4",null]]}`, trial("Konane", "", "R9 R8 29>9x19")} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, format := range []Format{AbstractPlay, OpenSpiel, Ludii} {
			for _, name := range []string{"fanorona", "konane"} {
				r, err := Read(format, text, Setting{Game: name})
				if err != nil {
					if !errors.As(err, new(*record.Error)) {
						t.Errorf("error %T", err)
					}
					continue
				}
				of, _ := r.Tag(record.TagGame)
				named, _ := r.Tag(record.TagBoard)
				board, err := bitboard.ParseBoard(named.Text)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := Write(format, r, Setting{of.Text, board}); err != nil && !errors.As(err, new(*record.Error)) {
					t.Errorf("error %T", err)
				}
			}
		}
	})
}
