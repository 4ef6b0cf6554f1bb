package phutball

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"

	"paika/bitboard"
)

// allocated is how many bytes a call takes from the heap, garbage included.
func allocated(call func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// What a text claims of its board takes no memory until it is known to be true.
func TestParsingTakesNoMoreMemoryThanItsText(t *testing.T) {
	for name, text := range map[string]string{
		"a board of more points than are played on": "ball=A1 to=ohs board=999999x999999",
		"a board whose points overflow":             "ball=A1 to=ohs board=9999999999x9999999999",
		"one long row and many short ones":          strings.Repeat(".", 20_000) + strings.Repeat("/", 20_000) + " ohs",
		"blanks":                                    "ball=A1" + strings.Repeat(" ", 1<<20),
		"a key of a megabyte":                       strings.Repeat("k", 1<<20) + "=1",
		"a side of a megabyte":                      "ball=A1 to=" + strings.Repeat("o", 1<<20),
		"a row's number of a megabyte":              "ball=A" + strings.Repeat("9", 1<<20) + " to=ohs",
		"column letters":                            "ball=" + strings.Repeat("Z", 1<<20) + "1 to=ohs",
		"binary":                                    strings.Repeat("\x00\xff", 1<<19),
	} {
		var err error
		bytes := allocated(func() { _, err = ParseLayout(text, Default) })
		var syntax *bitboard.SyntaxError
		if !errors.As(err, &syntax) || syntax.Offset < 0 || syntax.Offset > len(text) || syntax.Text != text {
			t.Errorf("%s: error %.200v, want a syntax error inside the text", name, err)
			continue
		}
		if most := uint64(4*len(text) + 64<<10); bytes > most {
			t.Errorf("%s: %d bytes allocated for a text of %d", name, bytes, len(text))
		}
		if len(syntax.What) > 400 {
			t.Errorf("%s: what is wrong takes %d bytes to say: %.100s", name, len(syntax.What), syntax.What)
		}
	}
}

func TestBoardsOfAnySizeThatIsPlayedOn(t *testing.T) {
	for text, want := range map[string]string{
		"ball=A1 to=ohs board=67108865x3": "board 67108865x3: want at most 67108864 points",
		"ball=A1 to=ohs board=5x2":        "board 5x2: want at least 3 rows",
		"@/. ohs":                         "board 1x2: want at least 3 rows",
		"@ ohs":                           "board 1x1: want at least 3 rows",
	} {
		if _, err := ParseLayout(text, Default); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("ParseLayout(%q): %v, want %s", text, err, want)
		}
	}
	for _, text := range []string{"ball=A2 to=ohs board=1x3", "ball=ZZ2 to=eks board=700x30", "ball=A7 to=ohs board=3x20000"} {
		if l, err := ParseLayout(text, Default); err != nil || l.Men == nil {
			t.Errorf("ParseLayout(%q): %v", text, err)
		}
	}
}

// Where a board is given, a position on another names both.
func TestPositionOnAnotherBoardNamesBoth(t *testing.T) {
	g := newGame(t, "3x3", Rules{})
	for text, want := range map[string]string{
		".../.../.@./.../... ohs":     `column 1: board 3x5: the game is on 3x3`,
		"@B6 .../.../.../.../... ohs": `column 5: board 3x5: the game is on 3x3`,
		"ball=B2 to=ohs board=5x5":    `column 22: board 5x5: the game is on 3x3`,
		".../.@./.. ohs":              `column 11: rank 1 has 2 points: want 3`,
	} {
		if _, _, err := g.Parse(text); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("Parse(%q): %v, want %s", text, err, want)
		}
	}
}

// A ball in a corner that the rules let no ball reach is refused wherever a
// position is read.
func TestCornerBallNeedsItsRule(t *testing.T) {
	l, err := ParseLayout("@<4 .../.../... ohs", Default)
	if err != nil {
		t.Fatal(err)
	}
	if err := (Rules{}).Admits("@<4 .../.../... ohs", l); err == nil || !strings.HasSuffix(err.Error(), "column 2: no ball gets there: the rule corner-exit is off") {
		t.Errorf("without the rule: %v", err)
	}
	if err := (Rules{CornerExit: true}).Admits("", l); err != nil {
		t.Errorf("with the rule: %v", err)
	}
}

func TestGridStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	bytes := allocated(func() {
		if _, err := LayGrid(ctx, bitboard.Board{Width: 3000, Height: 3000}, Rules{}); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want %v", err, context.Canceled)
		}
	})
	if bytes > 9_000_000*GridBytes*11/10 {
		t.Errorf("%d bytes for 9,000,000 points, want about %d each", bytes, GridBytes)
	}
}

// Beside the columns, only the corners < and > lie off the board, and only in the
// rows off it.
func TestNoColumnLiesBesideTheBoard(t *testing.T) {
	for _, name := range []string{"X0", "X20", "Q20", "AA0", "<1", ">19", "<21"} {
		if _, err := ParseLayout("ball="+name+" to=ohs", Default); err == nil {
			t.Errorf("a ball on %s was accepted", name)
		}
	}
	for _, name := range []string{"<0", ">0", "<20", ">20", "A0", "P20"} {
		if _, err := ParseLayout("ball="+name+" to=ohs", Default); err != nil {
			t.Errorf("a ball on %s: %v", name, err)
		}
	}
}

func FuzzParseLayout(f *testing.F) {
	f.Add(".@*/.../*.. ohs")
	f.Add("@B4 .../***/... eks")
	f.Add("ball=H10 men=H11,J13,J14,H15,G16 to=ohs board=15x19")
	f.Add("@<0 .../***/... eks")
	f.Add("ball=A1 to=ohs board=999999x999999")
	f.Add("ball=B2 men=B2,B2 men= to=ohs board=3x3")
	f.Add("....///\x00")
	f.Fuzz(func(t *testing.T, text string) {
		l, err := ParseLayout(text, Default)
		if err != nil {
			var syntax *bitboard.SyntaxError
			if !errors.As(err, &syntax) || syntax.Text != text || syntax.Offset < 0 || syntax.Offset > len(text) {
				t.Fatalf("ParseLayout(%q): error %#v", text, err)
			}
			return
		}
		if l.Board.Points() > 1<<16 {
			return // right, and slow to write
		}
		written := l.String()
		again, err := ParseLayout(written, Default)
		if err != nil || again.Board != l.Board || again.String() != written {
			t.Fatalf("ParseLayout(%q) = %v, %v, want what %q gives", written, again, err, text)
		}
		if _, ok := NewGrid(l.Board, Rules{}).PlaceAt(l.Ball); !ok && (Rules{}).Admits(text, l) == nil {
			t.Fatalf("the ball of %q is nowhere", text)
		}
	})
}

func FuzzPlay(f *testing.F) {
	f.Add("ball=K6 men=J7,H8,H9,G10,H11 to=ohs", "K6-G9-J9-G7", uint8(0))
	f.Add("ball=K6 men=J7 to=eks", "K7", uint8(7))
	f.Add("ball=K18 men=K19 to=ohs", "K18-K20-K18", uint8(4))
	f.Add("ball=O18 men=P19 to=ohs", "O18->20", uint8(2))
	f.Add("ball=X0 to=ohs", "A0", uint8(2))
	f.Fuzz(func(t *testing.T, position, turn string, options uint8) {
		rules := Rules{options&1 != 0, options&2 != 0, options&4 != 0}
		l, err := ParseLayout(position, Default)
		if err != nil || l.Board.Points() > 1<<12 || rules.Admits(position, l) != nil {
			return
		}
		g := NewGrid(l.Board, rules)
		before := l.String()
		after, err := g.Play(l, turn)
		if l.String() != before {
			t.Fatalf("playing %q changes %q to %q", turn, before, l)
		}
		if err != nil {
			return
		}
		if after.Side == l.Side || after.Board != l.Board {
			t.Fatalf("%q after %q leads to %q", turn, before, after)
		}
		if _, err := g.Draw(l, turn); err != nil {
			t.Fatalf("%q is a turn of %q that can't be drawn: %v", turn, before, err)
		}
	})
}

// Boards that no layout is on are refused wherever they come from: the text, or the caller.
func TestBoardsThatNoLayoutIsOnAreRefused(t *testing.T) {
	for _, board := range []bitboard.Board{
		{}, {Width: 5, Height: 2}, {Width: 0, Height: 5}, {Width: -1, Height: 3}, {Width: 3, Height: -3}, {Width: MostPoints, Height: 3},
		{Width: 1 << 31, Height: 1 << 31}, {Width: 1 << 32, Height: 1 << 32},
	} {
		for _, text := range []string{"ball=A1 to=ohs", "ball=A1 men=A2 to=ohs"} {
			_, err := ParseLayout(text, board)
			if !errors.As(err, new(*bitboard.SyntaxError)) {
				t.Errorf("%s on %v: %v", text, board, err)
			}
		}
		if _, err := LayGrid(t.Context(), board, Rules{}); err == nil {
			t.Errorf("a grid of %v: no error", board)
		}
	}
}
