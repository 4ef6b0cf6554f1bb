package foreign

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/bitboard/konane"
	"paika/bitboard/record"
)

// Games by chance that Ludii played, by the sites of their moves: turns between blanks,
// steps between plus signs, what a step takes behind an x. The first is whole. They are
// those of RandomTrial_0.txt in Player/res/random_trials/board/war of Ludeme/Ludii, in
// direction/linear/Fanorona and leaping/orthogonal/Konane.
const (
	ludiiFanorona = `21>22x23 32>23x14,5 24>32x40 20>21x19 12>20x28,36+20>19x21+pass
33>24x15,6+24>14x4+14>15x13 19>28x37 30>20x10,0+pass 2>10x18+pass 38>30x22 9>18x27+pass 20>19x18
28>37x19+pass 39>38x37 32>22x42+pass 31>40x22 11>20x29,38 15>14x16,17 7>16x25,34,43+16>15x14
30>22 26>17x35,44 40>30x20,10 15>14 23>32x14 8>16 32>24x16 17>8 24>16x8 1>10 30>20x10 3>2 20>11x2 pass`
	ludiiKonane = `R9 R8 29>9x19 17>19x18 49>29x39 19>39x29 69>49x59+49>29x39 37>39x38 67>69x68 57>37x47+pass
65>67x66 48>68x58`
)

// trial writes moves as Ludii saves them.
func trial(game, option, moves string) string {
	var text strings.Builder
	fmt.Fprintf(&text, "game=../Common/res/lud/board/war/%s.lud\nSTART GAME OPTIONS\n", game)
	if option != "" {
		text.WriteString(option + "\n")
	}
	text.WriteString("END GAME OPTIONS\nRNG internal state=4,53,65,106,52,-35,32,43\n")
	for i, turn := range strings.Fields(moves) {
		for step := range strings.SplitSeq(turn, "+") {
			fmt.Fprintf(&text, "Move=[Move:mover=%d,%s]\n", 1+i%2, inLine(step))
		}
	}
	text.WriteString("LEGAL MOVES LIST SIZE = 5\nnumInitialPlacementMoves=0\nwinner=2\nendtype=NaturalEnd\nrankings=0.0,2.0,1.0\nSANDBOX=false\nLUDII_VERSION=1.3.0\n")
	return text.String()
}

// inLine is a step as it stands in a line, behind the mover.
func inLine(step string) string {
	if step == "pass" {
		return "actions=[Pass:decision=true]"
	}
	if at, removal := strings.CutPrefix(step, "R"); removal {
		return fmt.Sprintf("from=%s,to=%s,actions=[Remove:type=Cell,to=%s,decision=true]", at, at, at)
	}
	stone, taken, _ := strings.Cut(step, "x")
	from, to, _ := strings.Cut(stone, ">")
	text := fmt.Sprintf("from=%s,to=%s,actions=[Move:typeFrom=Vertex,from=%s,typeTo=Vertex,to=%s,decision=true]", from, to, from, to)
	for _, at := range strings.FieldsFunc(taken, func(r rune) bool { return r == ',' }) {
		text += ",[Remove:type=Vertex,to=" + at + "]"
	}
	return text + ",[SetNextPlayer:player=1]"
}

// Ludii's games are legal here, and one that ends there ends here.
func TestTrialsOfLudii(t *testing.T) {
	rules, err := fanorona.New(tsivy, fanorona.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	r := read(t, Ludii, trial("Fanorona", "", ludiiFanorona), Setting{})
	played, err := record.Replay(t.Context(), rules, r)
	if err != nil {
		t.Fatal(err)
	}
	var turns []string
	for _, p := range played.Turns[:6] {
		turns = append(turns, p.Turn)
	}
	if got, want := strings.Join(turns, " "), "d3-e3A f4-f3A g3-f4A c3-d3W d2-c3A-b3W g4-g3A-f2A-g2W"; got != want {
		t.Errorf("the game begins with %s, want %s", got, want)
	}
	last := played.Turns[len(played.Turns)-1]
	if len(played.Turns) != 32 || len(rules.Turns(nil, last.To)) != 0 {
		t.Errorf("%d turns, and it ends in %s", len(played.Turns), rules.Format(last.To, last.Next))
	}

	ten := bitboard.Board{Width: 10, Height: 10}
	for _, option := range []string{"", "Board Size/10x10"} {
		r = read(t, Ludii, trial("Konane", option, ludiiKonane), Setting{})
		if _, err := record.Replay(t.Context(), konaneOn(t, ten, konane.CentreOrCorner), r); err != nil {
			t.Fatal(err)
		}
		if got := game(r)[6].Turn; got != "j4-j8" {
			t.Errorf("jumps one behind the other are %s, want j4-j8", got)
		}
	}
}

// The first turns of the smaller boards: 5x5 is mirrored, 3x3 is not.
func TestBoardsOfLudii(t *testing.T) {
	for _, c := range []struct{ option, moves, board, want string }{
		{"Version/Telo", "0>4x8", "3x3", "a1-b2A"},
		{"Version/Dimy", "8>12x16,20", "5x5", "b2-c3A"},
	} {
		r := read(t, Ludii, trial("Fanorona", c.option, c.moves), Setting{})
		board, err := bitboard.ParseBoard(c.board)
		if err != nil {
			t.Fatal(err)
		}
		rules, err := fanorona.New(board, fanorona.Rules{})
		if err != nil {
			t.Fatal(err)
		}
		if named, _ := r.Tag(record.TagBoard); named.Text != c.board || game(r)[0].Turn != c.want {
			t.Errorf("%s: board %s, turn %s, want %s", c.option, named.Text, game(r)[0].Turn, c.want)
		}
		if _, err := record.Replay(t.Context(), rules, r); err != nil {
			t.Errorf("%s: %v", c.option, err)
		}
	}
}

func TestErrorsOfTrialsNameTheirLine(t *testing.T) {
	const konane, fanorona = "game=x/Konane.lud\n", "game=x/Fanorona.lud\n"
	line := func(step string) string { return "Move=[Move:mover=1," + inLine(step) + "]\n" }
	placed := "Move=[Move:mover=0,from=1,to=1,actions=[Add:type=Cell,to=1,what=1]]\n"
	for text, want := range map[string]string{
		"":                 "line 1, column 1: want a trial",
		"[[]]":             "line 1, column 1: want a trial",
		"game=x/Chess.lud": "line 1, column 1: game \"chess\": ludii's Fanorona and Konane are read",
		konane + "START GAME OPTIONS\nBoard Size/9x9\n":      "line 3, column 1: option \"Board Size/9x9\"",
		konane + "SANDBOX=true\n":                            "line 2, column 1: stones were set by hand",
		konane + "Move=[]\n":                                 "line 2, column 1: want Move=[Move:",
		konane + "Move=[Move:from=1,actions=[Pass:]]\n":      "line 2, column 1: want mover=",
		konane + "Move=[Move:mover=x,actions=[Pass:]]\n":     "line 2, column 1: mover=x: want a number",
		konane + "Move=[Move:mover=3,actions=[Pass:]]\n":     "line 2, column 1: player 3 moves",
		konane + "Move=[Move:mover=1,actions=[Swap:]]\n":     "line 2, column 1: action \"Swap\"",
		konane + "Move=[Move:mover=1,actions=[Remove:to=1]]": "line 2, column 1: want a stone that is moved or removed",
		konane + line("R100"):                                "line 2, column 1: there is no site 100 on 10x10",
		konane + placed:                                      "line 3, column 1: 1 stone placed, and konane on 10x10 has 100",
		konane + line("R9") + line("R9"):                     "line 2, column 1: turn 1: several steps of more than one stone",
		konane + line("29>9x19") + line("R9"):                "line 2, column 1: turn 1: several steps of more than one stone",
		konane + line("29>9x19") + line("49>29x39"):          "line 2, column 1: turn 1: several steps of more than one stone",
		konane + line("pass") + line("R9"):                   "line 2, column 1: turn 1: a player passes",
		konane + "Move=[Move:mover=2," + inLine("R8") + "]":  "line 2, column 1: turn 1: player 2 moves",
		fanorona + line("21>22x44"):                          "line 2, column 1: turn 1: the step from site 21 to 22 takes a stone neither ahead nor behind",
	} {
		_, err := Read(Ludii, text, Setting{})
		if placed := new(record.Error); err == nil || !errors.As(err, &placed) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
	if _, err := Write(Ludii, recordOf(nil, nil), Setting{Game: konaneName, Board: eight}); !errors.Is(err, ErrUnwritable) {
		t.Errorf("written: error %v", err)
	}
}
