package phutball

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"paika/bitboard"
)

func TestStart(t *testing.T) {
	for board, want := range map[string]string{
		"1x3": "./@/. ohs",
		"3x5": ".../.../.@./.../... ohs",
		"5x3": "...../..@../..... ohs",
	} {
		g := newGame(t, board, Rules{})
		p, s, err := g.Start()
		if got := g.Format(p, s); err != nil || got != want {
			t.Errorf("start on %s: %s, %v, want %s", board, got, err, want)
		}
	}
	for _, board := range []string{"4x5", "5x4"} {
		if _, _, err := newGame(t, board, Rules{}).Start(); err == nil || !strings.Contains(err.Error(), "no start position is defined") {
			t.Errorf("start on %s: error %v", board, err)
		}
	}
}

func TestNewNamesItsBounds(t *testing.T) {
	for _, board := range []bitboard.Board{{Width: 20, Height: 5}, {Width: 5, Height: 2}, {Width: 5, Height: 22}} {
		if _, err := New(board, Rules{}); err == nil || !strings.Contains(err.Error(), "want 1 to 19 columns and 3 to 21 rows") {
			t.Errorf("New(%v): %v", board, err)
		}
	}
}

func TestParseRules(t *testing.T) {
	for _, want := range allRules {
		options := map[string]string{}
		for _, option := range strings.Split(want.String(), ",") {
			name, value, _ := strings.Cut(option, "=")
			options[name] = value
		}
		if got, err := ParseRules(options); got != want || err != nil {
			t.Errorf("ParseRules(%v) = %v, %v", want, got, err)
		}
	}
	for _, options := range []map[string]string{{"goal-stop": "yes"}, {"goal": "true"}} {
		if _, err := ParseRules(options); err == nil {
			t.Errorf("ParseRules(%v): no error", options)
		}
	}
}

func TestPointNames(t *testing.T) {
	board := bitboard.Board{Width: 700, Height: 30}
	for name, p := range map[string]bitboard.Point{
		"A1": {}, "H8": {File: 7, Rank: 7}, "J9": {File: 8, Rank: 8}, "Z30": {File: 24, Rank: 29}, "AA1": {File: 25},
		"AJ1": {File: 33}, "ZZ31": {File: 649, Rank: 30}, "AAA0": {File: 650, Rank: -1}, "<0": {File: -1, Rank: -1}, ">31": {File: 700, Rank: 30},
	} {
		if got := PointName(board, p); got != name {
			t.Errorf("PointName(%v) = %s, want %s", p, got, name)
		}
		if got, end, err := scanPointName(board, name+"-", 0); got != p || end != len(name) || err != nil {
			t.Errorf("scanPointName(%s) = %v, %d, %v, want %v", name, got, end, err, p)
		}
	}
}

func TestParseReadsWhatFormatWrites(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	for _, board := range []string{"1x3", "5x5", "15x19", "19x21"} {
		g := newGame(t, board, Rules{CornerExit: true})
		for range 200 {
			p, s := randomPosition(g, rng, 30), bitboard.Side(rng.IntN(2))
			text := g.Format(p, s)
			if got, side, err := g.Parse(text); got != p || side != s || err != nil {
				t.Fatalf("Parse(%q) = %v, %d, %v", text, got, side, err)
			}
			if l, err := ParseLayout(text, Default); err != nil || l.String() != text || l.Board != g.Board() {
				t.Fatalf("ParseLayout(%q) = %v, %v", text, l, err)
			}
		}
	}
}

func TestParseReadsTheShortForm(t *testing.T) {
	g := newGame(t, "3x4", Rules{})
	for short, want := range map[string]string{
		"ball=B2 men=A1,C4 to=ohs board=3x4": "..*/.../.@./*.. ohs",
		"to=eks ball=B2":                     ".../.../.@./... eks",
		"ball=C3 men= to=eks":                ".../..@/.../... eks",
		"ball=B5 men=B4 to=eks":              "@B5 .*./.../.../... eks",
		"men=B4 board=3x4 to=eks ball=A0":    "@A0 .*./.../.../... eks",
	} {
		p, s, err := g.Parse(short)
		if got := g.Format(p, s); err != nil || got != want {
			t.Errorf("Parse(%q) = %s, %v, want %s", short, got, err, want)
		}
	}
	if l, err := ParseLayout("ball=H10 to=ohs", Default); err != nil || l.Board != Default {
		t.Errorf("short form without a board: %v, %v", l.Board, err)
	}
}

func TestParseErrors(t *testing.T) {
	g := newGame(t, "3x3", Rules{})
	for _, c := range []struct{ text, want string }{
		{"", `column 1: no board: want 3 ranks of 3 points, / between them`},
		{".../.@./.. ohs", `column 11: rank 1 has 2 points: want 3`},
		{".../.@./..x ohs", `column 11: unknown letter 'x' in rank 1: want one of ".*@"`},
		{".../.../... ohs", `column 1: 0 balls: want one @, or @POINT in front for a ball off the board`},
		{".../.@./..@ ohs", `column 1: 2 balls: want one @, or @POINT in front for a ball off the board`},
		{"@B4 .../.@./... ohs", `column 5: 2 balls: want one @, or @POINT in front for a ball off the board`},
		{".../.@./...", `column 12: no side to move: want a space and ohs or eks`},
		{".../.@./... white", `column 13: unknown side to move "white": want ohs or eks`},
		{"@B2 .../.../... ohs", `column 2: B2 is on the board: draw the ball there`},
		{"@B5 .../.../... ohs", `column 2: B5 is not on the board: want A1 to C3, or row 0 or 4`},
		{"@<4 .../.../... ohs", `column 2: no ball gets there: the rule corner-exit is off`},
		{"@B4.../.../... ohs", `column 4: want a space and the rows`},
		{"ball=B2 to=ohs board=5x5", `column 22: board 5x5: the game is on 3x3`},
		{"ball=B2 to=ohs board=5", `column 22: board "5": want WIDTHxHEIGHT in points, such as 9x5`},
		{"ball=B2", `column 8: no side to move: want to=ohs or to=eks`},
		{"to=ohs", `column 7: no ball: want ball=POINT`},
		{"ball=B2 to=white", `column 12: unknown side to move "white": want ohs or eks`},
		{"ball=I2 to=ohs", `column 6: want a point, such as H10 (columns have capital letters, I is skipped)`},
		{"ball=B to=ohs", `column 7: want the row's number`},
		{"ball=D2 to=ohs", `column 6: D2 is not on the board: want A1 to C3, or row 0 or 4`},
		{"ball=B02 to=ohs", `column 6: B02 is not on the board: want A1 to C3, or row 0 or 4`},
		{"ball=B2x to=ohs", `column 8: want a space behind the ball's point`},
		{"ball=B2  to=ohs", `column 9: "": want KEY=VALUE, one space between`},
		{"ball=B2 side=ohs", `column 9: unknown key "side": want ball, men, to or board`},
		{"ball=B2 ball=B3 to=ohs", `column 9: ball stands here a second time`},
		{"ball=B2 men=B2 to=ohs", `column 13: B2 holds the ball`},
		{"ball=B2 men=B1,B1 to=ohs", `column 16: B1 stands here a second time`},
		{"ball=B2 men=B4 to=ohs", `column 13: B4 is off the board: men stand on it`},
		{"ball=B2 men=B1;B3 to=ohs", `column 15: want a comma and the next man's point, or a space`},
	} {
		_, _, err := g.Parse(c.text)
		var syntax *bitboard.SyntaxError
		if !errors.As(err, &syntax) || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("Parse(%q): %v, want %s", c.text, err, c.want)
		}
	}
}

func TestParseTurnErrors(t *testing.T) {
	for _, c := range []struct{ rules, position, turn, want string }{
		// The example of FACTS.md, Phutball, with the man on H9 that its second jump needs.
		{"", "ball=K6 men=J7,H8,H9,G10,H11 to=ohs", "K6-G9-J9-G7", `turn "K6-G9-J9-G7": jump 3, J9-G7: the man on H8 has been jumped in this turn, and no man is jumped twice`},
		{"", "ball=K6 men=J7 to=ohs", "K7-H7", `turn "K7-H7": the ball is on K6: a series of jumps begins there`},
		{"", "ball=K6 men=J7 to=ohs", "K6-K8", `turn "K6-K8": jump 1, K6-K8: there is no man on K7 to jump`},
		{"", "ball=K6 men=K7 to=ohs", "K6-K9", `turn "K6-K9": jump 1, K6-K9: the jump ends on K8, the first vacant point`},
		{"", "ball=K6 men=K7,K8 to=ohs", "K6-K8", `turn "K6-K8": jump 1, K6-K8: there is a man on K8: want the first vacant point beyond the men`},
		{"", "ball=K6 men=K7,K8 to=ohs", "K6-L8", `turn "K6-L8": jump 1, K6-L8: want a point straight or diagonally ahead`},
		{"", "ball=B6 men=A6 to=ohs", "B6-A6", `turn "B6-A6": jump 1, B6-A6: there is a man on A6: want the first vacant point beyond the men`},
		{"", "ball=K6 men=K7 to=ohs", "K6", `turn "K6": K6 holds the ball: want a vacant point for a man`},
		{"", "ball=K6 men=K7 to=ohs", "K7", `turn "K7": there is a man on K7: want a vacant point for a man`},
		{"", "ball=K6 to=ohs", "K20", `turn "K20": K20 is off the board: want a vacant point for a man`},
		{"", "ball=K19 to=ohs", "K7", `turn "K7": the game is over: the ball is on K19, and ohs has won`},
		{"", "ball=K0 to=ohs", "K7", `turn "K7": the game is over: the ball is on K0, and eks has won`},
		{"", "ball=K18 men=K19 to=ohs", "K18-K20-K18", `turn "K18-K20-K18": jump 2, K20-K18: the ball is off the board, which ends the turn`},
		{"goal-stop", "ball=K17 men=K18,L19 to=ohs", "K17-K19-M19", `turn "K17-K19-M19": jump 2, K19-M19: the ball is on a goal row, which ends the turn by the rule goal-stop`},
		{"", "ball=K6 to=ohs", "K6-", `"K6-": column 4: want a point, such as H10 (columns have capital letters, I is skipped)`},
		{"", "ball=K6 to=ohs", "K6+K8", `"K6+K8": column 3: want - and the next point, or the end`},
		{"", "ball=O18 men=P19 to=ohs", "O18->20", `"O18->20": column 5: no ball gets there: the rule corner-exit is off`},
	} {
		g := newGame(t, "15x19", Rules{GoalStop: c.rules == "goal-stop"})
		p, s, err := g.Parse(c.position)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := g.ParseTurn(p, s, c.turn); err == nil || err.Error() != c.want {
			t.Errorf("%s in %s: %v, want %s", c.turn, c.position, err, c.want)
		}
	}
}

// The counts and the example series are those of FACTS.md, Phutball: jump series
// and the positions they lead to, by default and with goal-stop, then whether
// Ohs and Eks win with this turn.
func TestPublishedCounts(t *testing.T) {
	for _, c := range []struct {
		position             string
		series, distinct     int
		stopSeries, stopDist int
		ohs, eks             bool
	}{
		{"ball=H10 men=H11", 1, 1, 1, 1, false, false},
		{"ball=H10 men=H11,J13,J14,H15,G16", 5, 5, 5, 5, false, false},
		{"ball=H10 men=H11,H13,H15,H17", 4, 4, 4, 4, false, false},
		{"ball=H17 men=H18,H19", 1, 1, 1, 1, true, false},
		{"ball=H17 men=H18", 1, 1, 1, 1, true, false},
		{"ball=H3 men=H2,J2", 3, 3, 2, 2, false, true},
		{"ball=B10 men=A10", 0, 0, 0, 0, false, false},
		{"ball=H10 men=G9,G10,G11,H9,H11,J9,J10,J11", 272, 110, 272, 110, false, false},
		{"ball=H10 men=" + lattice(), 6, 6, 6, 6, false, false},
	} {
		for _, rules := range []Rules{{}, {GoalStop: true}} {
			series, distinct := c.series, c.distinct
			if rules.GoalStop {
				series, distinct = c.stopSeries, c.stopDist
			}
			g := newGame(t, "15x19", rules)
			for s, wins := range []bool{c.ohs, c.eks} {
				p, _, err := g.Parse(c.position + " to=" + sideNames[s])
				if err != nil {
					t.Fatal(err)
				}
				got := g.series(nil, p)
				if len(got) != series {
					t.Errorf("%s, %v: %d series, want %d", c.position, rules, len(got), series)
				}
				if won := slices.ContainsFunc(got, func(q Position) bool { return g.grid.Goal(q.Ball) > 0 }); won != wins {
					t.Errorf("%s, %s: win in one is %v, want %v", c.position, sideNames[s], won, wins)
				}
				slices.SortFunc(got, comparePositions)
				if n := len(slices.Compact(got)); n != distinct {
					t.Errorf("%s, %v: %d positions, want %d", c.position, rules, n, distinct)
				}
			}
		}
	}
}

// lattice is men on {D,F,H,K,M} x {5,7,9,11,13,15}.
func lattice() string {
	var men []string
	for _, column := range "DFHKM" {
		for _, row := range []string{"5", "7", "9", "11", "13", "15"} {
			men = append(men, string(column)+row)
		}
	}
	return strings.Join(men, ",")
}

func TestPublishedSeries(t *testing.T) {
	g := newGame(t, "15x19", Rules{})
	p, s, err := g.Parse("ball=K6 men=J7,H8,G10,H11 to=ohs")
	if err != nil {
		t.Fatal(err)
	}
	turn, err := g.ParseTurn(p, s, "K6-G9-G11-J11")
	if err != nil || turn.To.Men != (Set{}) || g.grid.name(turn.To.Ball, s.Other()) != "J11" {
		t.Errorf("K6-G9-G11-J11: %s, %v", g.Format(turn.To, s.Other()), err)
	}
}
