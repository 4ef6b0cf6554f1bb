package konane

import (
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"paika/bitboard"
)

func TestParseRulesReadsWhatStringWrites(t *testing.T) {
	for _, text := range []string{
		"opening=traditional", "opening=centre-or-corner", "opening=any",
		"opening=corner-h,to-move=black", "opening=middle-v,to-move=white",
		"opening=gap:d4-d5,to-move=black", "opening=gap:p16-o16,to-move=white",
	} {
		options := map[string]string{}
		for option := range strings.SplitSeq(text, ",") {
			name, value, _ := strings.Cut(option, "=")
			options[name] = value
		}
		rules, err := parseRules("16x16", options)
		if err != nil || rules.String() != text {
			t.Errorf("%s is read as %v, %v", text, rules, err)
		}
	}
	if rules, err := parseRules("8x8", nil); rules != (Rules{}) || err != nil {
		t.Errorf("no options: %v, %v", rules, err)
	}
}

func TestParseRulesErrors(t *testing.T) {
	for _, c := range []struct {
		options map[string]string
		want    string
	}{
		{map[string]string{"openings": "any"}, `konane has no rule "openings": want opening or to-move`},
		{map[string]string{"opening": "random"}, `rule opening=random: want traditional, centre-or-corner, any, corner-h, corner-v, middle-h, middle-v or gap:<point>-<point>`},
		{map[string]string{"opening": "gap:d4"}, `rule opening=gap:d4: "gap:d4": column 7: want - and the point beside it`},
		{map[string]string{"opening": "gap:d4-d5-d6"}, `rule opening=gap:d4-d5-d6: "gap:d4-d5-d6": column 10: want nothing after the second point`},
		{map[string]string{"opening": "gap:d4-z5"}, `rule opening=gap:d4-z5: "gap:d4-z5": column 8: z5 is not on the board: want a1 to h5`},
		{map[string]string{"opening": "gap:d5-d6"}, `rule opening=gap:d5-d6: "gap:d5-d6": column 8: d6 is not on the board: want a1 to h5`},
		{map[string]string{"opening": "gap:a1-b2"}, `rule opening=gap:a1-b2: a1 and b2 are no neighbours`},
		{map[string]string{"opening": "gap:a1-a1"}, `rule opening=gap:a1-a1: a1 and a1 are no neighbours`},
		{map[string]string{"opening": "gap:d4-d5", "to-move": "red"}, `rule to-move=red: want black or white`},
		{map[string]string{"to-move": "white"}, `rule to-move=white: under opening=traditional the players choose their colours; want a gap, corner or middle opening`},
	} {
		if _, err := parseRules("8x5", c.options); err == nil || err.Error() != c.want {
			t.Errorf("%v: %v, want %s", slices.Collect(maps.Values(c.options)), err, c.want)
		}
	}
}

func TestNewErrors(t *testing.T) {
	for _, c := range []struct{ board, opening, want string }{
		{"17x2", "any", "konane on 17x2: want 1 to 16 files and ranks"},
		{"13x5", "any", "konane on 13x5: 65 points do not fit a set of 64"},
		{"1x4", "corner-h", "konane on 1x4, opening corner-h: b1 is not on the board: want a1 to a4"},
		{"4x1", "middle-v", "konane on 4x1, opening middle-v: b2 is not on the board: want a1 to d1"},
	} {
		rules, err := parseRules(c.board, map[string]string{"opening": c.opening})
		if err != nil {
			t.Fatal(err)
		}
		if _, err = makeGame[Word](c.board, rules); err == nil || err.Error() != c.want {
			t.Errorf("%s %s: %v, want %s", c.board, c.opening, err, c.want)
		}
	}
}

// Rules need not come from ParseRules, or may be those of a larger board.
func TestNewWantsTheGapOfOneStoneBesideTheOther(t *testing.T) {
	for gap, want := range map[[2]bitboard.Point]string{
		{}:                                       "konane on 4x4, opening gap:a1-a1: a1 and a1 are no neighbours",
		{{File: 3, Rank: 3}, {File: 4, Rank: 3}}: "konane on 4x4, opening gap:d4-e4: e4 is not on the board: want a1 to d4",
	} {
		rules := Rules{Opening: Opening{Kind: Gap, Missing: gap}}
		if _, err := makeGame[Word]("4x4", rules); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestStart(t *testing.T) {
	for _, c := range []struct{ board, opening, toMove, want string }{
		{"4x4", "traditional", "", "oxox/xoxo/oxox/xoxo b"},
		{"4x4", "corner-h", "black", "oxox/xoxo/oxox/..xo b"},
		{"4x4", "corner-v", "white", "oxox/xoxo/.xox/.oxo w"},
		{"4x4", "middle-h", "black", "oxox/xoxo/o..x/xoxo b"},
		{"5x5", "middle-v", "black", "xoxox/ox.xo/xo.ox/oxoxo/xoxox b"},
		{"3x2", "gap:c2-c1", "white", "ox./xo. w"},
	} {
		options := map[string]string{"opening": c.opening}
		if c.toMove != "" {
			options["to-move"] = c.toMove
		}
		rules, err := parseRules(c.board, options)
		if err != nil {
			t.Fatal(err)
		}
		g := newGame[Word](t, c.board, rules)
		p, s, err := g.Start()
		if got := g.Format(p, s); got != c.want || err != nil || s != g.Mover(p) {
			t.Errorf("start of %s %s: %s, %v, want %s", c.board, c.opening, got, err, c.want)
		}
	}
}

// RULES.md, Konane: centre and corner stones and those beside the centre; then
// a neighbour of the gap, in the centre if the gap is beside it.
func TestOpeningTurns(t *testing.T) {
	for _, c := range []struct{ board, opening, position, want string }{
		{"8x8", "traditional", "start", "-a1 -h1 -d3 -e3 -c4 -d4 -e4 -f4 -c5 -d5 -e5 -f5 -d6 -e6 -a8 -h8"},
		{"8x8", "centre-or-corner", "start", "-a1 -h1 -d4 -e4 -d5 -e5 -a8 -h8"},
		{"5x5", "traditional", "start", "-a1 -e1 -c2 -b3 -c3 -d3 -c4 -a5 -e5"},
		{"5x5", "any", "xoxox/oxoxo/xoxox/oxoxo/.oxox w", "-b1 -a2"},
		{"5x5", "traditional", "xoxox/oxoxo/xo.ox/oxoxo/xoxox w", "-c2 -b3 -d3 -c4"},
		{"5x5", "traditional", "xoxox/oxoxo/xox.x/oxoxo/xoxox b", "-c3"},
		{"5x5", "centre-or-corner", "xoxox/oxoxo/xox.x/oxoxo/xoxox b", "-d2 -c3 -e3 -d4"},
		{"5x5", "corner-h", "xoxox/oxoxo/xox.x/oxoxo/xoxox w", "b3-d3 d1-d3 d5-d3"},
	} {
		rules, err := parseRules(c.board, map[string]string{"opening": c.opening})
		if err != nil {
			t.Fatal(err)
		}
		g := newGame[Word](t, c.board, rules)
		p, s, err := g.Start()
		if c.position != "start" {
			p, s, err = g.Parse(c.position)
		}
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, turn := range g.Notated(p, s) {
			names = append(names, turn.Notation)
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%s %s, %s: %s, want %s", c.board, c.opening, c.position, got, c.want)
		}
	}
}

// Whoever removes a stone plays its colour, and the first player moves next.
func TestRemovalsSettleColours(t *testing.T) {
	g := newGame[Word](t, "4x4", Rules{})
	p, s, err := g.Start()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ turn, want string }{
		{"-c2", "oxox/xoxo/ox.x/xoxo b"},
		{"-b2", "oxox/xoxo/o..x/xoxo w"},
		{"c4-c2", "ox.x/xo.o/o.ox/xoxo b"},
	} {
		turn, err := g.ParseTurn(p, s, c.turn)
		if err != nil {
			t.Fatal(err)
		}
		p, s = turn.To, s.Other()
		if got := g.Format(p, s); got != c.want {
			t.Errorf("%s leads to %s, want %s", c.turn, got, c.want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	g := newGame[Word](t, "3x3", Rules{})
	for _, c := range []struct{ text, want string }{
		{"", `"": column 1: no board: want 3 ranks of 3 points, / between them`},
		{"xox/ox/xox b", `"xox/ox/xox b": column 7: rank 2 has 2 points: want 3`},
		{"xox/oBo/xox b", `"xox/oBo/xox b": column 6: unknown letter 'B' in rank 2: want one of "xo."`},
		{"xox/ooo/xxx b", `"xox/ooo/xxx b": column 6: b2 is one of black's points: want x or .`},
		{"xxx/oxo/xox b", `"xxx/oxo/xox b": column 2: b3 is one of white's points: want o or .`},
		{"xox/oxo/xox", `"xox/oxo/xox": column 12: no side to move: want a space and b or w`},
		{"xox/oxo/xox black", `"xox/oxo/xox black": column 13: unknown side to move "black": want b or w`},
	} {
		_, _, err := g.Parse(c.text)
		var syntax *bitboard.SyntaxError
		if !errors.As(err, &syntax) || err.Error() != c.want {
			t.Errorf("Parse(%q): %v, want %s", c.text, err, c.want)
		}
	}
}

func TestParseTurnErrors(t *testing.T) {
	const (
		start = "oxox/xoxo/oxox/xoxo b"
		side  = "oxox/xoxo/.xox/xoxo b"
		play  = "oxox/xoxo/..ox/xoxo b"
	)
	for _, c := range []struct{ position, turn, want string }{
		{start, "", `"": column 1: want a point, such as a1`},
		{start, "-", `"-": column 2: want a point, such as a1`},
		{start, "-e1", `"-e1": column 2: e1 is not on the board: want a1 to d4`},
		{start, "-b2-b3", `"-b2-b3": column 4: want nothing after the turn`},
		{play, "a1", `"a1": column 3: want - and the point where the stone lands at last`},
		{play, "a1-", `"a1-": column 4: want a point, such as a1`},
		{play, "a1-a3-a5", `"a1-a3-a5": column 6: want nothing after the turn`},

		{start, "a1", `"a1": column 1: the opening is not over: want the removal of a stone, written as -a1`},
		{side, "b2b3", `"b2b3": column 1: the opening is not over: want the removal of a stone, written as -b2`},
		{start, "a1-a3", `turn "a1-a3": the opening is not over: want the removal of a stone, written as -a1`},
		{start, "-b1", ``},
		{start, "-a3", ``},
		{side, "-a2", `turn "-a2": there is no stone on a2`},
		{side, "-a4", `turn "-a4": a4 is not adjacent to the gap on a2`},
		{side, "-a3", `turn "-a3": a3 is no centre stone, and the gap on a2 is beside the centre`},
		{play, "-b1", `turn "-b1": stones are removed in the opening alone: want a jump`},
	} {
		parseTurnFails(t, "4x4", c.position, c.turn, c.want)
	}
	const chain = "....x/..o../....x/..o.o/x.x.x b"
	for _, c := range []struct{ position, turn, want string }{
		{"xoxox/oxoxo/xoxox/oxoxo/xoxox b", "-b1", `turn "-b1": opening=traditional does not allow b1 as the first stone to go`},
		{chain, "c2-c4", `turn "c2-c4": the stone on c2 is white's, and black is to move`},
		{chain, "a3-c3", `turn "a3-c3": there is no stone on a3`},
		{chain, "a1-a1", `turn "a1-a1": the stone stays where it is`},
		{chain, "a1-b3", `turn "a1-b3": a turn goes along one file or one rank`},
		{chain, "a1-a4", `turn "a1-a4": a jump goes over one point to the next but one: want a landing an even number of points away`},
		{chain, "a1-a3", `turn "a1-a3": jump a1-a3: there is no stone on a2 to jump over`},
		{chain, "a1-c1", `turn "a1-c1": jump a1-c1: there is no stone on b1 to jump over`},
	} {
		parseTurnFails(t, "5x5", c.position, c.turn, c.want)
	}
	parseTurnFails(t, "7x1", "xoxox.. b", "c1-g1", `turn "c1-g1": jump c1-e1: e1 is occupied`)
	parseTurnFails(t, "7x1", "x.xo... b", "c1-g1", `turn "c1-g1": jump e1-g1: there is no stone on f1 to jump over`)
}

// parseTurnFails checks the error of a turn, or that there is none where want
// is empty.
func parseTurnFails(t *testing.T, board, position, turn, want string) {
	t.Helper()
	g := newGame[Word](t, board, Rules{})
	p, s, err := g.Parse(position)
	if err != nil {
		t.Fatal(err)
	}
	_, err = g.ParseTurn(p, s, turn)
	switch {
	case want == "" && err != nil:
		t.Errorf("%s in %s: %v", turn, position, err)
	case want != "" && (err == nil || err.Error() != want):
		t.Errorf("%s in %s:\n got %v\nwant %s", turn, position, err, want)
	}
}

// bothScansAgree makes sure that what is found faultless is.
func bothScansAgree[S Set[S]](t *testing.T, g *Game[S], text string) {
	t.Helper()
	want, end, err := g.scanRows(text)
	spaced := err == nil && end < len(text)
	if got, faultless := g.scanFaultless(text); faultless != spaced || faultless && (got != want || end != g.drawn.end) {
		t.Fatalf("%q: %v, %v, want %v, %v", text, got, faultless, want, err)
	}
}

// TestBoardsWithoutFault: a board is read in one of two ways, which agree on what positions are
// written as and on texts that differ from that by a letter.
func TestBoardsWithoutFault(t *testing.T) {
	testScans[Word](t, "8x8", "7x7", "16x4", "1x2", "5x12")
	testScans[Pair](t, "16x8", "11x11", "5x16", "9x10")
	testScans[Quad](t, "16x16", "13x15", "16x9")
}

func testScans[S Set[S]](t *testing.T, boards ...string) {
	for i, board := range boards {
		rng := rand.New(rand.NewPCG(uint64(i), uint64(len(boards))))
		g := newGame[S](t, board, Rules{})
		for range 300 {
			var p Position[S]
			for n := range g.board.Points() {
				switch c := g.colourOf(n); {
				case rng.IntN(3) == 0:
				case c == black:
					p.Own = p.Own.with(n)
				default:
					p.Opp = p.Opp.with(n)
				}
			}
			text := g.Format(p, black)
			if _, faultless := g.scanFaultless(text); !faultless {
				t.Fatalf("%s: %q is not read at once", board, text)
			}
			bothScansAgree(t, g, text)
			if again, _, err := g.Parse(text); err != nil || again.Own.union(again.Opp) != p.Own.union(p.Opp) {
				t.Fatalf("%s: %q is read as %v, %v", board, text, again, err)
			}
			other := []byte(text)
			other[rng.IntN(len(other))] = "xo./ wbX\x80n,"[rng.IntN(11)]
			bothScansAgree(t, g, string(other))
			bothScansAgree(t, g, text[:rng.IntN(len(text))])
		}
	}
}

func FuzzParse(f *testing.F) {
	g := newGame[Word](f, "3x2", Rules{})
	for _, seed := range []string{"oxo/xox b", "o.o/... w", ".../... b", "oxo/xox", "ooo/xxx b", "oxo/xox/ b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		bothScansAgree(t, g, text)
		p, s, err := g.Parse(text)
		if err != nil {
			var syntax *bitboard.SyntaxError
			if !errors.As(err, &syntax) || syntax.Offset < 0 || syntax.Offset > len(text) {
				t.Fatalf("Parse(%q): %v", text, err)
			}
			return
		}
		if again := g.Format(p, s); again != text {
			t.Fatalf("%q is written as %q", text, again)
		}
	})
}

func FuzzParseTurn(f *testing.F) {
	g := newGame[Word](f, "5x5", Rules{})
	for _, position := range []string{"xoxox/oxoxo/xoxox/oxoxo/xoxox b", "xoxox/oxoxo/xox.x/oxoxo/xoxox b", "xoxox/oxoxo/xo..x/oxoxo/xoxox w", "....x/..o../....x/..o.o/x.x.x b"} {
		for _, turn := range []string{"-c3", "a1-c1", "e3-c3", "", "e3-a3", "b2-d2-"} {
			f.Add(position, turn)
		}
	}
	f.Fuzz(func(t *testing.T, position, text string) {
		p, s, err := g.Parse(position)
		if err != nil {
			return
		}
		turn, err := g.ParseTurn(p, s, text)
		legal := slices.ContainsFunc(g.Notated(p, s), func(u bitboard.Turn[Position[Word]]) bool { return u == turn })
		if (err == nil) != legal {
			t.Fatalf("%s in %s: error %v, listed %v", text, position, err, legal)
		}
	})
}

// BenchmarkText writes and reads a position of 7x7, as certificates have millions.
func BenchmarkText(b *testing.B) {
	g := newGame[Word](b, "7x7", Rules{})
	const text = "xoxoxox/ox.xoxo/xoxo.ox/o..x.xo/xo.oxox/oxox.xo/xoxoxox w"
	p, side, err := g.Parse(text)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("Parse", func(b *testing.B) {
		for b.Loop() {
			if got, _, err := g.Parse(text); err != nil || got != p {
				b.Fatal(got, err)
			}
		}
	})
	b.Run("TurnName", func(b *testing.B) {
		turns := g.Notated(p, side)
		for i := 0; b.Loop(); i++ {
			turn := turns[i%len(turns)]
			if got, found := g.TurnName(p, side, turn.To); !found || got != turn.Notation {
				b.Fatal(got, found)
			}
		}
	})
	b.Run("Format", func(b *testing.B) {
		for b.Loop() {
			if got := g.Format(p, side); got != text {
				b.Fatal(got)
			}
		}
	})
}
