package picture

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"paika/cmd/paika/catalogue"
)

// lookOf is the look of a game.
func lookOf(t *testing.T, game string) catalogue.Look {
	t.Helper()
	found, ok := catalogue.Find(game)
	if !ok {
		t.Fatalf("no game %s", game)
	}
	return found.Look
}

// element is one of a picture, with its attributes and the text in it.
type element struct {
	name       string
	attributes map[string]string
	text       string
}

// draw draws a picture, and takes it apart as any reader of XML does.
func draw(t *testing.T, p Picture) []element {
	t.Helper()
	if p.Size == 0 {
		p.Size = Usual
	}
	body, err := p.SVG()
	if err != nil {
		t.Fatal(err)
	}
	var all []element
	decoder := xml.NewDecoder(strings.NewReader(string(body)))
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatalf("%v in %s", err, body)
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := element{token.Name.Local, make(map[string]string), ""}
			for _, a := range token.Attr {
				e.attributes[a.Name.Local] = a.Value
			}
			all = append(all, e)
		case xml.CharData:
			if text := strings.TrimSpace(string(token)); text != "" {
				all[len(all)-1].text = text
			}
		}
	}
}

// with counts the elements of a name that have an attribute.
func with(all []element, name, attribute, value string) (count int) {
	for _, e := range all {
		if e.name == name && e.attributes[attribute] == value {
			count++
		}
	}
	return count
}

// The start position of every game is drawn, with all its pieces, by elements that
// load nothing and do nothing.
func TestEveryGameIsDrawn(t *testing.T) {
	for _, game := range catalogue.Games() {
		instance, err := game.Open("", nil)
		if err != nil {
			t.Fatal(err)
		}
		tables, err := instance.Open("", 1)
		if err != nil {
			t.Fatal(err)
		}
		position, err := tables.Written(catalogue.Start)
		if err != nil {
			t.Fatal(err)
		}
		mover, err := tables.Mover(position)
		if err != nil {
			t.Fatal(err)
		}
		all := draw(t, Picture{Look: game.Look, Position: position, Mover: game.Look.Called(mover)})
		pieces := 0
		for _, letter := range position[:strings.Index(position, " ")] {
			if letter != '.' && letter != '/' {
				pieces++
			}
		}
		if got := with(all, "circle", "r", "3.9"); got != pieces {
			t.Errorf("%s: %d pieces are drawn, want %d", game.Name, got, pieces)
		}
		if title := all[1]; title.name != "title" || title.text != game.Look.Title+" "+game.Board+", "+game.Look.Called(mover)+" to move" {
			t.Errorf("%s: the title is %q", game.Name, title.text)
		}
		if all[2].name != "desc" || all[2].text != position {
			t.Errorf("%s: the description is %q", game.Name, all[2].text)
		}
		for _, e := range all {
			if !slices.Contains([]string{"svg", "title", "desc", "rect", "line", "circle", "path", "text"}, e.name) {
				t.Errorf("%s: there is an element %s", game.Name, e.name)
			}
			for name, value := range e.attributes {
				if name == "href" || name == "style" || name == "class" || strings.HasPrefix(name, "on") || strings.Contains(value, "url(") {
					t.Errorf("%s: an element %s has %s=%q", game.Name, e.name, name, value)
				}
			}
		}
	}
}

// A turn is an arrow through its places and a cross on what it takes; one of a
// single place is a ring, with the piece that comes there.
func TestTurnsAreDrawn(t *testing.T) {
	for _, c := range []struct {
		game, position, turn, after string
		crosses, rings, pieces      int
		arrow                       string // the beginning of its path
	}{
		{"fanorona", "..B../...../BW.B./...../..... w", "b3-c3A-c4A", "...../..W../B..../...../..... b", 2, 0, 4, "M19 29L29 29L29 19M"},
		{"konane", "oxox/xoxo/oxox/xoxo b", "-b2", "oxox/xoxo/o.ox/xoxo w", 1, 1, 16, ""},
		{"konane", "oxox/xoxo/o..x/xoxo b", "b4-b2", "o.ox/x.xo/ox.x/xoxo w", 1, 0, 14, "M19 9L19 29M"},
		{"phutball", ".../.../.@./.../... ohs", "B4", ".../.*./.@./.../... eks", 0, 1, 2, ""},
		{"phutball", ".*./.@./.../.../... ohs", "B4-B6", "@B6 .../.../.../.../... eks", 1, 0, 2, "M19 29L19 9M"},
		{"breakthrough", "BBB/.../.B./W../WWW w", "a2xb3", "BBB/.../.W./.../WWW b", 0, 0, 8, "M9 39L19 29M"},
	} {
		all := draw(t, Picture{Look: lookOf(t, c.game), Position: c.position, Turn: c.turn, After: c.after})
		crosses, arrows, arrow := 0, 0, ""
		for _, e := range all {
			path := e.attributes["d"]
			switch {
			case path == "" || e.attributes["stroke"] != mark:
			case e.attributes["stroke-width"] == "0.8":
				crosses++
			default:
				arrows, arrow = arrows+1, path
			}
		}
		rings := with(all, "circle", "fill", "none")
		pieces := with(all, "circle", "r", "3.9")
		if crosses != c.crosses || rings != c.rings || pieces != c.pieces || !strings.HasPrefix(arrow, c.arrow) || (arrows == 1) != (c.arrow != "") {
			t.Errorf("%s %s: %d crosses, %d rings, %d pieces, %d arrows, the last %q", c.game, c.turn, crosses, rings, pieces, arrows, arrow)
		}
	}
}

// A single piece that has left the board is drawn behind the goal.
func TestPiecesBehindGoalsAreDrawn(t *testing.T) {
	for position, y := range map[string]string{
		"@B6 .../.../.../.../... eks": "9",
		"@B0 .../.../.../.../... ohs": "69",
	} {
		all := draw(t, Picture{Look: lookOf(t, "phutball"), Position: position})
		if with(all, "circle", "cy", y) != 2 {
			t.Errorf("%s: the ball is not at %s: %v", position, y, all)
		}
	}
}

// The longer side has the size that is asked for.
func TestSize(t *testing.T) {
	all := draw(t, Picture{Look: lookOf(t, "phutball"), Position: ".../.../.@./.../... ohs", Size: 780})
	if svg := all[0].attributes; svg["viewBox"] != "0 0 38 78" || svg["width"] != "380" || svg["height"] != "780" {
		t.Errorf("the picture has %v", svg)
	}
}

// What stands in a look or a position is text wherever it comes to stand.
func TestTextsAreEscaped(t *testing.T) {
	look := lookOf(t, "phutball")
	look.Title = `</title><script>&"`
	all := draw(t, Picture{Look: look, Position: ".../.../.@./.../... ohs", Mover: "\x00<&>'\"\xff"})
	if title := all[1].text; !strings.HasPrefix(title, look.Title) {
		t.Errorf("the title is %q", title)
	}
	if with(all, "script", "", "") != 0 {
		t.Error("there is a script")
	}
}

// A text that the look does not tell how to read is an error, whatever it is.
func TestUnreadablePositions(t *testing.T) {
	look := lookOf(t, "phutball")
	for _, text := range []string{
		"", " ", "  ", "w", "start", ".../... w", ".../.. ohs", "..x/... ohs", "/ ohs", " ohs", "\xff../... ohs", "é./... ohs",
		strings.Repeat(".", 100) + " ohs", "@ ... ohs", "@B .../... ohs", "@B9 .../... ohs", "@B-1 .../... ohs", "xB3 .../... ohs", "\xff .../... ohs", " .../... ohs",
		"@<2 .../.../... ohs", "@>3 .../.../... ohs", "@<5 .../.../... ohs", "@>-1 .../.../... ohs", "@D2 .../.../... ohs", "@!2 .../.../... ohs",
		"@B99999999999999999999 .../... ohs", ".../... ohs ", "a b c d", ".../... ohs eks ohs", ".../...",
	} {
		if body, err := (Picture{Look: look, Position: text, Size: Usual}).SVG(); !errors.Is(err, ErrPosition) {
			t.Errorf("%q: error %v, %s", text, err, body)
		}
		if _, err := (Picture{Look: look, Position: ".../.../.@./.../... ohs", Turn: "B4", After: text, Size: Usual}).SVG(); !errors.Is(err, ErrPosition) {
			t.Errorf("%q after a turn: error %v", text, err)
		}
	}
}

// The colours are those of the page by day, so that both show one board.
func TestColoursAreThePages(t *testing.T) {
	style, err := os.ReadFile("../static/style.css")
	if err != nil {
		t.Fatal(err)
	}
	day, _, _ := strings.Cut(string(style), "prefers-color-scheme")
	for name, colour := range map[string]string{
		"paper": paper, "wood": wood, "board-line": lines, "board-ink": ink, "white": white, "white-edge": whiteEdge, "black": black, "black-edge": blackEdge,
		"tone-white": whiteTone, "tone-black": blackTone, "mark": mark, "rim": rim,
	} {
		if !strings.Contains(day, "--"+name+": "+colour+";") {
			t.Errorf("--%s of the page is not %s", name, colour)
		}
	}
}
