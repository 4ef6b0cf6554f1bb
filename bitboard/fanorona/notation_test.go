package fanorona

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"paika/bitboard"
)

func TestStart(t *testing.T) {
	for board, want := range map[string]string{
		"3x3": "BBB/B.W/WWW w",
		"5x3": "BBBBB/BW.BW/WWWWW w",
		"3x5": "BBB/BBB/B.W/WWW/WWW w",
		"5x5": "BBBBB/BBBBB/BW.BW/WWWWW/WWWWW w",
		"7x3": "BBBBBBB/BWB.WBW/WWWWWWW w",
		"9x5": "BBBBBBBBB/BBBBBBBBB/BWBW.BWBW/WWWWWWWWW/WWWWWWWWW w",
	} {
		g := newGame(t, board, Rules{})
		p, s, err := g.Start()
		if err != nil {
			t.Fatal(err)
		}
		if got := g.Format(p, s); got != want {
			t.Errorf("start on %s: %s, want %s", board, got, want)
		}
	}
}

func TestStartIsUndefinedWithoutAMiddle(t *testing.T) {
	for _, board := range []string{"4x5", "5x4", "6x6"} {
		_, _, err := newGame(t, board, Rules{}).Start()
		if err == nil || !strings.Contains(err.Error(), "no start position is defined") {
			t.Errorf("start on %s: error %v", board, err)
		}
	}
}

func TestParseReadsWhatFormatWrites(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	for _, board := range []string{"3x3", "9x5", "4x5", "7x8"} {
		g := newGame(t, board, Rules{})
		for range 100 {
			p := randomPosition(g, rng)
			if p.Own|p.Opp == 0 {
				continue
			}
			for s := range bitboard.Side(2) {
				text := g.Format(p, s)
				if got, side, err := g.Parse(text); got != p || side != s || err != nil {
					t.Fatalf("Parse(%q) = %v, %d, %v", text, got, side, err)
				}
			}
		}
	}
}

func TestParseGivesTheSideToMoveItsOwnStones(t *testing.T) {
	g := newGame(t, "3x3", Rules{})
	white, _, errWhite := g.Parse("..B/.../W.. w")
	black, _, errBlack := g.Parse("..B/.../W.. b")
	a1, c3 := g.bit(0, 0), g.bit(2, 2)
	if errWhite != nil || white != (Position{a1, c3}) {
		t.Errorf("white to move: %v, %v", white, errWhite)
	}
	if errBlack != nil || black != (Position{c3, a1}) {
		t.Errorf("black to move: %v, %v", black, errBlack)
	}
}

func TestParseErrors(t *testing.T) {
	g := newGame(t, "3x3", Rules{})
	for _, c := range []struct{ text, want string }{
		{"", `"": column 1: no board: want 3 ranks of 3 points, / between them`},
		{"BBB/BW/WWW w", `"BBB/BW/WWW w": column 7: rank 2 has 2 points: want 3`},
		{"BBBB/B.W/WWW w", `"BBBB/B.W/WWW w": column 4: rank 3 has more than 3 points`},
		{"BBB/B.W w", `"BBB/B.W w": column 8: 2 ranks: want 3`},
		{"BBB/B.W/WWW/WWW w", `"BBB/B.W/WWW/WWW w": column 12: more than 3 ranks`},
		{"BBB/BxW/WWW w", `"BBB/BxW/WWW w": column 6: unknown letter 'x' in rank 2: want one of "WB."`},
		{"BBB/B.W/WWW", `"BBB/B.W/WWW": column 12: no side to move: want a space and w or b`},
		{"BBB/B.W/WWW white", `"BBB/B.W/WWW white": column 13: unknown side to move "white": want w or b`},
		{"BBB/B.W/WWW w ", `"BBB/B.W/WWW w ": column 14: want nothing after the side to move`},
		{".../.../... w", `".../.../... w": column 1: no stones: want at least one W or B`},
	} {
		_, _, err := g.Parse(c.text)
		var syntax *bitboard.SyntaxError
		if !errors.As(err, &syntax) || err.Error() != c.want {
			t.Errorf("Parse(%q): %v, want %s", c.text, err, c.want)
		}
	}
}

// The five opening turns: FACTS.md, Fanorona.
func TestNotatedOpeningTurns(t *testing.T) {
	g := newGame(t, "9x5", Rules{})
	p, s, err := g.Start()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, turn := range g.Notated(p, s) {
		names = append(names, turn.Notation)
	}
	const want = "d2-e3A e2-e3A f2-e3A d3-e3A d3-e3W"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("opening turns %s, want %s", got, want)
	}
}

// chains is a position where a1 can capture upwards, then to the right, then
// diagonally.
const chains = "...../...B./B..../..B../W...B w"

func TestParseTurnPlays(t *testing.T) {
	for _, c := range []struct{ board, position, turn, want string }{
		{"9x5", "", "f2-e3A", "BB.BBBBBB/BBB.BBBBB/BWBWWBWBW/WWWWW.WWW/WWWWWWWWW b"},
		{"9x5", "", "d3-e3A", "BBBBBBBBB/BBBBBBBBB/BWB.W.WBW/WWWWWWWWW/WWWWWWWWW b"},
		{"9x5", "", "d3-e3W", "BBBBBBBBB/BBBBBBBBB/BW..WBWBW/WWWWWWWWW/WWWWWWWWW b"},
		// The run taken ends at the first point without an enemy stone.
		{"9x3", "........./W.BBWB.B./......... w", "a2-b2A", "........./.W..WB.B./......... b"},
		{"9x3", "........./W.BB.B.B./......... w", "a2-b2A", "........./.W...B.B./......... b"},
		{"3x3", ".../..B/W.. w", "a1-a2", ".../W.B/... b"},
		{"3x3", ".../..B/W.. b", "c2-c3", "..B/.../W.. w"},
		{"5x5", chains, "a1-a2A", "...../...B./...../W.B../....B b"},
		{"5x5", chains, "a1-a2A-b2A-c3A", "...../...../..W../...../....B b"},
	} {
		g := newGame(t, c.board, Rules{})
		p, s, err := g.Start()
		if c.position != "" {
			p, s, err = g.Parse(c.position)
		}
		if err != nil {
			t.Fatal(err)
		}
		turn, err := g.ParseTurn(p, s, c.turn)
		if err != nil {
			t.Errorf("%s in %s: %v", c.turn, c.position, err)
			continue
		}
		if got := g.Format(turn.To, s.Other()); got != c.want {
			t.Errorf("%s leads to %s, want %s", c.turn, got, c.want)
		}
		if turn.Notation != c.turn {
			t.Errorf("%s is noted as %s", c.turn, turn.Notation)
		}
	}
}

func TestParseTurnErrors(t *testing.T) {
	const (
		start = "BBBBBBBBB/BBBBBBBBB/BWBW.BWBW/WWWWWWWWW/WWWWWWWWW w"
		quiet = ".../..B/W.. w"
	)
	for _, c := range []struct {
		board, position string
		direction       DirectionRule
		turn, want      string
	}{
		{"9x5", start, NoRepeat, "", `"": column 1: want a point, such as a1`},
		{"9x5", start, NoRepeat, "f2", `"f2": column 3: want - and the point stepped to`},
		{"9x5", start, NoRepeat, "f2-", `"f2-": column 4: want a point, such as a1`},
		{"9x5", start, NoRepeat, "f2 e3", `"f2 e3": column 3: want - and the point stepped to`},
		{"9x5", start, NoRepeat, "f2-e3a", `"f2-e3a": column 6: want A (approach), W (withdrawal), - and the next point, or the end`},
		{"9x5", start, NoRepeat, "f2-e3AW", `"f2-e3AW": column 7: want - and the next point, or the end`},
		{"9x5", start, NoRepeat, "f2-j3A", `"f2-j3A": column 4: j3 is not on the board: want a1 to i5`},

		{"9x5", start, NoRepeat, "e4-e3A", `turn "e4-e3A": the stone on e4 is black's, and white is to move`},
		{"9x5", start, NoRepeat, "e3-e4A", `turn "e3-e4A": there is no stone on e3`},
		{"3x3", ".../.../W.. b", NoRepeat, "a1-a2", `turn "a1-a2": the game is over: black has no stones`},
		{"3x3", ".../.../W.. w", NoRepeat, "a1-a2", `turn "a1-a2": the game is over: black has no stones`},

		{"9x5", start, NoRepeat, "a1-a1", `turn "a1-a1": step 1, a1-a1: the stone stays where it is`},
		{"9x5", start, NoRepeat, "a1-c1", `turn "a1-c1": step 1, a1-c1: no line joins the points: want neighbours`},
		{"9x5", start, NoRepeat, "i1-a2", `turn "i1-a2": step 1, i1-a2: no line joins the points: want neighbours`},
		{"9x5", start, NoRepeat, "e2-d3A", `turn "e2-d3A": step 1, e2-d3: no line joins the points: e2 is a weak point, with no diagonals`},
		{"9x5", start, NoRepeat, "d2-d3", `turn "d2-d3": step 1, d2-d3: d3 is occupied`},

		{"9x5", start, NoRepeat, "d2-e3", `turn "d2-e3": step 1, d2-e3: the step captures by approach: write A behind it`},
		{"9x5", start, NoRepeat, "d3-e3", `turn "d3-e3": step 1, d3-e3: the step can capture by approach or by withdrawal: write A or W behind it`},
		{"9x5", start, NoRepeat, "d2-e3W", `turn "d2-e3W": step 1, d2-e3: there is nothing to capture by withdrawal: want A`},
		{"3x3", ".../BW./... w", NoRepeat, "b2-c2", `turn "b2-c2": step 1, b2-c2: the step captures by withdrawal: write W behind it`},
		{"3x3", ".../BW./... w", NoRepeat, "b2-c2A", `turn "b2-c2A": step 1, b2-c2: there is nothing to capture by approach: want W`},
		{"3x3", quiet, NoRepeat, "a1-a2A", `turn "a1-a2A": step 1, a1-a2: there is nothing to capture by approach`},
		{"3x3", quiet, NoRepeat, "a1-a2W", `turn "a1-a2W": step 1, a1-a2: there is nothing to capture by withdrawal`},
		{"3x3", quiet, NoRepeat, "a1-a2-a3", `turn "a1-a2-a3": step 1, a1-a2: nothing is captured, and a step without capture ends the turn`},
		{"5x5", chains, NoRepeat, "a1-b1", `turn "a1-b1": step 1, a1-b1: nothing is captured, and capture is compulsory: a1-a2A is possible`},

		{"5x5", chains, NoRepeat, "a1-a2A-b2A-b1", `turn "a1-a2A-b2A-b1": step 3, b2-b1: nothing is captured, and a turn goes on by captures alone`},
		{"5x5", chains, NoRepeat, "a1-a2A-a1", `turn "a1-a2A-a1": step 2, a2-a1: a point may not be entered twice in one turn`},
		{"5x5", chains, NoRepeat, "a1-a2A-a3", `turn "a1-a2A-a3": step 2, a2-a3: a stone may not go on in the direction of the step before`},
		{"5x5", chains, NoRepeatOrReverse, "a1-a2A-a3", `turn "a1-a2A-a3": step 2, a2-a3: a stone may not go on in the direction of the step before`},
		{"5x5", chains, NeverTwice, "a1-a2A-b2A-b3", `turn "a1-a2A-b2A-b3": step 3, b2-b3: no direction may be taken twice in one turn`},
	} {
		g := newGame(t, c.board, Rules{Direction: c.direction})
		p, s, err := g.Parse(c.position)
		if err != nil {
			t.Fatal(err)
		}
		turn, err := g.ParseTurn(p, s, c.turn)
		if err == nil {
			t.Errorf("%s in %s leads to %s, want an error", c.turn, c.position, g.Format(turn.To, s.Other()))
			continue
		}
		var syntax *bitboard.SyntaxError
		if malformed := strings.Contains(c.want, ": column"); errors.As(err, &syntax) != malformed {
			t.Errorf("%s: %T is a syntax error: %v", c.turn, err, !malformed)
		}
		if err.Error() != c.want {
			t.Errorf("%s in %s:\n got %s\nwant %s", c.turn, c.position, err, c.want)
		}
	}
}

// An illegal turn is refused without a list of the legal ones, of which there may be any number.
func TestTurnsAreNotListedToRefuseOne(t *testing.T) {
	g := newGame(t, "9x6", Rules{})
	p, s, err := g.Parse("BBBBBBBB./BB...B..B/B.B..WB.B/B.BBB..BB/BB..BB.WB/BBB.BBB.B w")
	if turns := g.Count(p); err != nil || turns < 1000 {
		t.Fatalf("%d turns, %v", turns, err)
	}
	_, err = g.ParseTurn(p, s, "f4-g3")
	if err == nil || !strings.Contains(err.Error(), "capture is compulsory: h2-h1W is possible") {
		t.Fatal(err)
	}
	if allocated := testing.AllocsPerRun(10, func() { _, _ = g.ParseTurn(p, s, "f4-g3") }); allocated > 100 {
		t.Errorf("%.0f allocations to say %v", allocated, err)
	}
}

// BenchmarkParse reads the start of 9x5, as a check reads millions of positions.
func BenchmarkParse(b *testing.B) {
	g := newGame(b, "9x5", Rules{})
	p, side, err := g.Start()
	if err != nil {
		b.Fatal(err)
	}
	text := g.Format(p, side)
	for b.Loop() {
		if got, _, err := g.Parse(text); err != nil || got != p {
			b.Fatal(got, err)
		}
	}
}
