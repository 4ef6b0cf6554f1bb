package record

import (
	"context"
	"errors"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/bitboard/konane"
)

// sequence is the tree of turns that follow each other.
func sequence(turns ...string) *Node {
	root := &Node{}
	for n := root; len(turns) > 0; turns = turns[1:] {
		next := &Node{Turn: turns[0]}
		n.Next = append(n.Next, next)
		n = next
	}
	return root
}

// unplaced takes the places in the text away, so that records can be compared.
func unplaced(r *Record) *Record {
	for i := range r.Tags {
		r.Tags[i].At = Place{}
	}
	var visit func(n *Node)
	visit = func(n *Node) {
		n.At = Place{}
		for _, next := range n.Next {
			visit(next)
		}
	}
	visit(r.Root)
	return r
}

func TestWhatIsRead(t *testing.T) {
	branched := sequence("a", "b", "c")
	branched.Next = append(branched.Next, sequence("x", "y").Next[0])
	branched.Next[0].Next = append(branched.Next[0].Next, sequence("z").Next[0])
	commented := sequence("a", "b")
	commented.Comment, commented.Next[0].Comment = "before all", "first second"
	for _, c := range []struct {
		text string
		want *Record
	}{
		{"", &Record{Root: &Node{}}},
		{"\ufeff \r\n", &Record{Root: &Node{}}},
		{"a b c", &Record{Root: sequence("a", "b", "c")}},
		{"1. a 2.b 3... c", &Record{Root: sequence("a", "b", "c")}},
		{"1. a (1. x 2. y) 2. b (2. z) 3. c", &Record{Root: branched}},
		{"a(x y)b(z)c", &Record{Root: branched}},
		{"{before\n all} a { first } (x (y)) {second}\tb", func() *Record {
			root := *commented
			root.Next = append([]*Node{root.Next[0]}, &Node{Turn: "x"}, &Node{Turn: "y"})
			return &Record{Root: &root}
		}()},
		{`[Game "fanorona"] [White "a \"b\" \\ c"] -d4 K6-G9-G11 b2xc3`,
			&Record{Tags: []Tag{{Name: "Game", Text: "fanorona"}, {Name: "White", Text: `a "b" \ c`}}, Root: sequence("-d4", "K6-G9-G11", "b2xc3")}},
		{`a {\} \\}`, func() *Record {
			r := &Record{Root: sequence("a")}
			r.Root.Next[0].Comment = `} \`
			return r
		}()},
	} {
		got, err := Parse(c.text)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if !reflect.DeepEqual(unplaced(got), c.want) {
			text, _ := got.Format()
			t.Errorf("%q is read as %q", c.text, text)
		}
	}
}

// Every error says where: line, column, and what is wrong.
func TestErrorsNameTheirPlace(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"[", `line 1, column 1: a tag named ""`},
		{"[Game]", `line 1, column 6: unexpected "]": want a text in quotes`},
		{"[Game \"x\"\n1. a", `line 2, column 1: unexpected "1": want "]"`},
		{"[Game \"x]", `line 1, column 1: what begins here has no closing`},
		{"[Game \"a\nb\"]", `line 1, column 9: a character that does not belong`},
		{"[Game \"a\\b\"]", `line 1, column 10: unexpected "b"`},
		{"[Game \"x\"]\n [Game \"y\"]", `line 2, column 2: the tag Game stands there twice`},
		{"[9x \"y\"]", `line 1, column 1: a tag named "9x"`},
		{"a [Game \"x\"]", `line 1, column 3: unexpected "[": want a turn`},
		{"é b {c", `line 1, column 5: what begins here has no closing "}"`},
		{"a }", `line 1, column 3: unexpected "}": want a turn`},
		{"(a)", `line 1, column 1: a variation before there is a turn`},
		{"a (b", `line 1, column 3: the variation that begins here`},
		{"a ()", `line 1, column 4: a variation without a turn`},
		{"a ((b))", `line 1, column 4: a variation before`},
		{"a ({c} b)", `line 1, column 4: a comment before the first turn of a variation`},
		{"a )", `line 1, column 3: ")" without a "("`},
		{"1 a", `line 1, column 2: unexpected " ": want "."`},
		{"2. a", `line 1, column 1: turn 2 stands where turn 1 is due`},
		{"1. a\n(2. b)", `line 2, column 2: turn 2 stands where turn 1 is due`},
		{"99999999999999999999. a", `turn 99999999999999999999 stands where`},
		{"1.", `line 1, column 3: the record ends: want a turn`},
		{"1. 2. a", `line 1, column 4: unexpected "2": want a turn`},
		{"a {\x00}", `line 1, column 4: a character that does not belong`},
		{"a {\xff}", `line 1, column 4: a character that does not belong`},
		{"a \xff", `line 1, column 3: unexpected "\xff"`},
		{"a \x1b[31m", `line 1, column 3: unexpected "\x1b"`},
	} {
		_, err := Parse(c.text)
		var placed *Error
		if !errors.As(err, &placed) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
}

func TestLimits(t *testing.T) {
	for name, text := range map[string]string{
		"bytes": "{" + strings.Repeat("a", MostBytes) + "}",
		"turns": strings.Repeat("a ", MostTurns+1),
		"depth": strings.Repeat("a(", MostDepth+1) + "a" + strings.Repeat(")", MostDepth+1),
	} {
		if _, err := Parse(text); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%s: %v, want ErrTooLarge", name, err)
		}
	}
	for name, text := range map[string]string{
		"turns": strings.Repeat("a ", MostTurns),
		"depth": strings.Repeat("a(", MostDepth) + "a" + strings.Repeat(")", MostDepth),
	} {
		r, err := Parse(text)
		if err != nil {
			t.Errorf("%s within the limit: %v", name, err)
			continue
		}
		if _, err := r.Format(); err != nil {
			t.Errorf("%s within the limit can't be written: %v", name, err)
		}
	}
}

// What it takes to read a record grows with its length, however many comments one
// turn has.
func TestManyCommentsAreReadInOnePass(t *testing.T) {
	text := strings.Repeat("{a}", 20_000)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r, err := Parse(text)
	runtime.ReadMemStats(&after)
	if err != nil || len(r.Root.Comment) != 2*20_000-1 {
		t.Fatalf("%v, %v", r, err)
	}
	if took, most := after.TotalAlloc-before.TotalAlloc, uint64(100*len(text)); took > most {
		t.Errorf("%d bytes of text take %d of memory, want at most %d", len(text), took, most)
	}
}

// What can't be read back is not written.
func TestUnwritable(t *testing.T) {
	deep := sequence("a")
	for at, depth := deep, 0; depth <= MostDepth; depth++ {
		at.Next = append(at.Next, &Node{Turn: "b"})
		at.Next[1].Next = []*Node{{Turn: "c"}}
		at = at.Next[1]
	}
	for name, r := range map[string]*Record{
		"tag name":   {Tags: []Tag{{Name: "a b"}}, Root: &Node{}},
		"same tag":   {Tags: []Tag{{Name: "a"}, {Name: "a"}}, Root: &Node{}},
		"tag text":   {Tags: []Tag{{Name: "a", Text: "\n"}}, Root: &Node{}},
		"blank turn": {Root: sequence("")},
		"two words":  {Root: sequence("a b")},
		"number":     {Root: sequence("7")},
		"comment":    {Root: &Node{Comment: "a  b"}},
		"control":    {Root: &Node{Comment: "\x00"}},
		"depth":      {Root: deep},
		"turns":      {Root: sequence(strings.Fields(strings.Repeat("a ", MostTurns+1))...)},
		"circle":     {Root: circle("a")},
	} {
		if text, err := r.Format(); err == nil {
			t.Errorf("%s: written as %q", name, bitboard.Shorten(text))
		}
	}
}

// circle is a turn that follows itself, which is no tree.
func circle(turn string) *Node {
	n := &Node{Turn: turn}
	n.Next = []*Node{n}
	return n
}

// A record without a root is one without turns.
func TestARecordNeedNoRoot(t *testing.T) {
	r := &Record{Tags: []Tag{{Name: TagBoard, Text: "3x3"}}}
	game, err := fanorona.New(bitboard.Board{Width: 3, Height: 3}, fanorona.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	if text, err := r.Format(); err != nil || strings.TrimSpace(text) != `[Board "3x3"]` {
		t.Errorf("written as %q, %v", text, err)
	}
	if n := r.Turns(); n != 0 {
		t.Errorf("%d turns", n)
	}
	if played, err := Replay(t.Context(), game, r); err != nil || len(played.Turns) != 0 {
		t.Errorf("replayed: %v", err)
	}
}

// A turn in the root, where none belongs, is not lost without a word.
func TestARootWithATurnIsRefused(t *testing.T) {
	game, err := fanorona.New(bitboard.Board{Width: 3, Height: 3}, fanorona.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	r := &Record{Root: &Node{Turn: "a1-b2A", Next: []*Node{{Turn: "b3-c3"}}}}
	const want = `the root of the record has the turn "a1-b2A"`
	if text, err := r.Format(); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%q, error %v", text, err)
	}
	if _, err := Replay(t.Context(), game, r); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v", err)
	}
	// An illegal turn that was never written has no place to name.
	r = &Record{Root: &Node{Next: []*Node{{Turn: "b3-c3"}}}}
	if _, err := Replay(t.Context(), game, r); err == nil || !strings.HasPrefix(err.Error(), "turn 1, b3-c3: ") {
		t.Errorf("error %v", err)
	}
}

func TestReplayEndsBehindTheMostTurns(t *testing.T) {
	game, err := fanorona.New(bitboard.Board{Width: 5, Height: 5}, fanorona.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	there, back := &Node{Turn: "a1-a2"}, &Node{Turn: "a2-a1"}
	other, home := &Node{Turn: "e5-e4"}, &Node{Turn: "e4-e5"}
	for _, n := range [][2]*Node{{there, other}, {other, back}, {back, home}, {home, there}} {
		n[0].Next = []*Node{n[1]}
	}
	r := &Record{Tags: []Tag{{Name: TagPosition, Text: "....B/...../...../...../W.... w"}}, Root: &Node{Next: home.Next}}
	if _, err := Replay(t.Context(), game, r); !errors.Is(err, ErrTooLarge) {
		t.Errorf("turns without end: %v, want %v", err, ErrTooLarge)
	}
}

func TestLinesAreBroken(t *testing.T) {
	r := &Record{Root: sequence(strings.Fields(strings.Repeat("f4-e4W-e3A-d4A ", 40))...)}
	r.Root.Next[0].Comment = strings.TrimSpace(strings.Repeat("word } ", 50))
	text, err := r.Format()
	if err != nil {
		t.Fatal(err)
	}
	for l := range strings.Lines(text) {
		if len(l) > lineWidth+len("}\n") {
			t.Errorf("%d characters: %q", len(l), l)
		}
	}
}

func TestReplay(t *testing.T) {
	game, err := fanorona.New(bitboard.Board{Width: 3, Height: 3}, fanorona.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, want string }{
		{"1. a1-b2A 2. b3-c3", ""},
		{`[Position "BB./BWW/.WW b"] 1. b3-c3`, ""},
		{`[Position "start"]`, "line 1, column 1"},
		{"1. a1-b2A\n2. b3-c3A", `line 2, column 4: turn 2, b3-c3A: turn "b3-c3A": step 1`},
		{"1. a1-b2A (1. a1-b2W) 2. b3-c3", "line 1, column 15: turn 1, a1-b2W"},
		{`[Position "BBB/B.W/WWX w"] 1. a1-b2A`, "line 1, column 1"},
		{"a1-b2A 2. zz", "line 1, column 11"},
	} {
		r, err := Parse(c.text)
		if err != nil {
			t.Fatalf("%q: %v", c.text, err)
		}
		_, err = Replay(t.Context(), game, r)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
}

// Turns have the sides that make them, where sides are given out by what is played, too: each
// player of Konane plays the colour of the stone that they took away.
func TestReplayTellsWhoMakesTurns(t *testing.T) {
	board := bitboard.Board{Width: 6, Height: 6}
	game, err := konane.New[konane.Word](board, konane.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	const full = "oxoxox/xoxoxo/oxoxox/xoxoxo/oxoxox/xoxoxo"
	for _, c := range []struct{ text, want string }{
		{"1. -d4 2. -d3 3. d6-d4 4. b3-d3", "bwbw"},
		{"1. -d3 2. -d4 3. b3-d3 4. d6-d4", "bbwb"},
		{`[Position "` + full + ` w"] 1. -d4 2. -d3 3. d6-d4 4. b3-d3`, "wwbw"},
		{`[Position "` + full + ` w"] 1. -d3 2. -d4 3. b3-d3 4. d6-d4`, "wbwb"},
		{`[Position "oxoxox/xoxoxo/oxoxox/xox.xo/oxoxox/xoxoxo w"] 1. -d4 2. b3-d3 3. d6-d4`, "wwb"},
		{"1. -d4 (1. -d3 2. -d4 3. b3-d3) 2. -d3 3. d6-d4", "bbwbbw"}, // what follows 1. -d4 stands first
	} {
		r, err := Parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		played, err := Replay(t.Context(), game, r)
		if err != nil {
			t.Fatal(err)
		}
		sides := ""
		for _, turn := range played.Turns {
			sides += game.SideName(turn.Side)[:1]
			if _, next, err := game.Parse(game.Format(turn.To, turn.Next)); err != nil || next != turn.Next {
				t.Errorf("%s: after turn %d, %s moves: want %s", c.text, turn.Number, game.SideName(turn.Next), game.SideName(next))
			}
		}
		if sides != c.want {
			t.Errorf("%s: turns of %s, want %s", c.text, sides, c.want)
		}
	}
}

// stopping is a game whose context ends when a number of turns are read.
type stopping struct {
	bitboard.Notation[fanorona.Position]
	left int
	stop context.CancelFunc
}

func (g *stopping) ParseTurn(p fanorona.Position, s bitboard.Side, text string) (bitboard.Turn[fanorona.Position], error) {
	if g.left--; g.left == 0 {
		g.stop()
	}
	return g.Notation.ParseTurn(p, s, text)
}

// A replay ends with its context, among variations of one position too.
func TestReplayStopsWithItsContext(t *testing.T) {
	rules, err := fanorona.New(bitboard.Board{Width: 3, Height: 3}, fanorona.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Parse("1. a1-b2A" + strings.Repeat(" (1. a1-b2A)", 100))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	game := &stopping{rules, 3, cancel}
	if _, err := Replay(ctx, game, r); !errors.Is(err, context.Canceled) || game.left != 0 {
		t.Errorf("%d turns after the third are played: %v", -game.left, err)
	}
}

// What is read can be written, and is then the same record; what was written once
// is written the same again.
func FuzzRecord(f *testing.F) {
	for _, text := range []string{"", "1. a (1. b {x}) {y} 2. c", `[Game "a\\\""] {\}}`, "a ((", "[A \"b\"]\n1...a-b\n(1. x (1. y 2. z) 2. w)"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := Parse(text)
		if err != nil {
			var placed *Error
			if !errors.As(err, &placed) || placed.At.Line < 1 || placed.At.Column < 1 {
				t.Fatalf("%q: error %v without a place", text, err)
			}
			return
		}
		once, err := r.Format()
		if err != nil {
			if errors.Is(err, ErrTooLarge) { // numbers and blanks can make it larger
				return
			}
			t.Fatalf("%q: %v", text, err)
		}
		again, err := Parse(once)
		if err != nil {
			t.Fatalf("%q is written as %q: %v", text, once, err)
		}
		if !reflect.DeepEqual(unplaced(again), unplaced(r)) {
			t.Fatalf("%q is written as %q, which is another record", text, once)
		}
		if twice, err := again.Format(); err != nil || twice != once {
			t.Fatalf("%q, then %q, %v", once, twice, err)
		}
	})
}
