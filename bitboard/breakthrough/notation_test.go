package breakthrough

import (
	"errors"
	"strings"
	"testing"

	"paika/bitboard"
)

func TestNewNamesTheBounds(t *testing.T) {
	for _, b := range []bitboard.Board{{Width: 1, Height: 5}, {Width: 9, Height: 5}, {Width: 5, Height: 3}, {Width: 5, Height: 9}} {
		if _, err := New(b); err == nil || !strings.Contains(err.Error(), "want 2 to 8 files and 4 to 8 ranks") {
			t.Errorf("%v: error %v", b, err)
		}
	}
}

func TestStart(t *testing.T) {
	for board, want := range map[string]string{
		"3x4": "BBB/BBB/WWW/WWW w",
		"5x5": "BBBBB/BBBBB/...../WWWWW/WWWWW w",
	} {
		g := newGame(t, board)
		p, s, err := g.Start()
		if got := g.Format(p, s); err != nil || got != want {
			t.Errorf("%s: start %s, error %v, want %s", board, got, err, want)
		}
	}
}

func TestBlackSeesTheBoardFromAbove(t *testing.T) {
	g := newGame(t, "3x4")
	p, s := parse(t, g, "B../.B./..W/W.W b")
	var turns []string
	for _, turn := range g.Notated(p, s) {
		turns = append(turns, turn.Notation+" "+g.Format(turn.To, 0))
	}
	want := []string{
		"a4-a3 .../BB./..W/W.W w",
		"b3xc2 B../.../..B/W.W w", "b3-b2 B../.../.BW/W.W w", "b3-a2 B../.../B.W/W.W w",
	}
	if strings.Join(turns, "\n") != strings.Join(want, "\n") {
		t.Errorf("turns\n%s\nwant\n%s", strings.Join(turns, "\n"), strings.Join(want, "\n"))
	}
}

func TestParseSaysWhatIsWrongAndWhere(t *testing.T) {
	g := newGame(t, "3x4")
	for text, want := range map[string]string{
		"":                   "column 1: no board",
		"BBB/BBB/WWW w":      "3 ranks: want 4",
		"BBB/BxB/WWW/WWW w":  `column 6: unknown letter 'x'`,
		"BBB/BBB/WWW/WWW":    "no side to move",
		"BBB/BBB/WWW/WWW x":  "unknown side to move",
		".../.../.../... w":  "no pawns",
		"BBB/BBB/BWW/WWW w":  "7 pawns of black: want at most 6",
		"BBB/BBB/WWW/WWW w ": "want nothing after the side to move",
	} {
		_, _, err := g.Parse(text)
		var syntax *bitboard.SyntaxError
		if !errors.As(err, &syntax) || syntax.Text != text || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", text, err, want)
		}
	}
}

func TestIllegalTurnsNameTheRule(t *testing.T) {
	g := newGame(t, "3x4")
	for _, c := range []struct{ position, turn, want string }{
		{"B../.B./W.W/... w", "", "want a point"},
		{"B../.B./W.W/... w", "a2", "column 3: want - or, for a capture, x"},
		{"B../.B./W.W/... w", "a2-a5", "a5 is not on the board"},
		{"B../.B./W.W/... w", "a2-a3+", "want nothing after the turn"},
		{"B../.B./W.W/... w", "a1-a2", "there is no pawn on a1"},
		{"B../.B./W.W/... w", "b3-b2", "the pawn on b3 is black's, and white is to move"},
		{"B../.B./W.W/... w", "a2-a4", "one rank ahead"},
		{"B../.B./W.W/... w", "a2-c3", "one rank ahead"},
		{"B../.B./.WW/... w", "b2-b3", "b3 is occupied, and a pawn captures diagonally"},
		{"B../.../.W./.W. w", "b1-b2", "b2 is occupied"},
		{"B../.B./W.W/... w", "a2-b3", "write x between the points"},
		{"B../.B./W.W/... w", "a2xa3", "write - between the points"},
		{"B../W../..W/.B. w", "c2-c3", "the game is over"},
	} {
		p, s := parse(t, g, c.position)
		if _, err := g.ParseTurn(p, s, c.turn); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %q: error %v, want one with %q", c.position, c.turn, err, c.want)
		}
	}
}

func TestEnds(t *testing.T) {
	g := newGame(t, "3x4")
	for text, want := range map[string]bitboard.Value{
		"W../B../.../... b": bitboard.Loss, // White has arrived
		".../.../W../... b": bitboard.Loss, // no pawns are left
		"W../.../.../B.. w": bitboard.Loss, // too late
		"W../B../.../... w": bitboard.Win,  // nobody had to move
		".../.../W../... w": bitboard.Win,
	} {
		p, _ := parse(t, g, text)
		if len(g.Turns(nil, p)) != 0 || g.Ended(p) != want {
			t.Errorf("%s: %d turns, ends with %v, want %v", text, len(g.Turns(nil, p)), g.Ended(p), want)
		}
	}
}
