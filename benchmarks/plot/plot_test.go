package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var labels = Labels{Title: "A title", X: "slice", Y: "bytes"}

// charts draws one of each kind, anew at each call.
func charts(t *testing.T) map[string]*Chart {
	t.Helper()
	categories := []string{"1v1", "a <long> name"}
	made := make(map[string]*Chart)
	keep := func(name string, c *Chart, err error) {
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		made[name] = c
	}
	c, err := StackedBars(labels, categories, Series{"first", []float64{1, 2}}, Series{"second", []float64{3, 0}})
	keep("bars", c, err)
	c, err = Dots(labels, categories, Series{"first", []float64{0, 1200}}, Series{"second", []float64{7, 1e6}})
	keep("dots", c, err)
	c, err = Lines(labels, Points{"first", []XY{{0, 0}, {1, 5}, {2, 5e4}}}, Points{"second", []XY{{2, 1}}})
	keep("lines", c, err)
	doubling := labels
	doubling.XDoubles = true
	c, err = Lines(doubling, Points{"first", []XY{{0, 3}, {16, 5}, {256, 5e4}}}, Points{"second", []XY{{64, 1}}})
	keep("doubling lines", c, err)
	return made
}

// texts reads all of a drawing, as a program would that shows it, and lists what
// is written there.
func texts(t *testing.T, drawing []byte) []string {
	t.Helper()
	var all []string
	for d := xml.NewDecoder(bytes.NewReader(drawing)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		if text, ok := token.(xml.CharData); ok && len(bytes.TrimSpace(text)) > 0 {
			all = append(all, string(text))
		}
	}
}

// Every chart says what it shows and in which units, names its series and
// categories, and has a style for the dark.
func TestChartsAreLabelled(t *testing.T) {
	for name, c := range charts(t) {
		path := filepath.Join(t.TempDir(), name+".svg")
		if err := c.Save(t.Context(), path); err != nil {
			t.Fatal(err)
		}
		drawing, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all := "\n" + strings.Join(texts(t, drawing), "\n") + "\n"
		want := []string{"\nA title\n", "\nslice\n", "\nbytes\n", "\nfirst\n", "\nsecond\n", "prefers-color-scheme: dark"}
		switch name {
		case "lines":
		case "doubling lines":
			want = append(want, "\n16\n", "\n32\n", "\n256\n")
		default:
			want = append(want, "\n1v1\n", "\na <long> name\n")
		}
		for _, w := range want {
			if !strings.Contains(all, w) {
				t.Errorf("%s: no %q in %s", name, w, all)
			}
		}
	}
}

func TestTheSameDataGiveTheSameFile(t *testing.T) {
	again := charts(t)
	for name, c := range charts(t) {
		if !bytes.Equal(c.svg(), again[name].svg()) {
			t.Errorf("%s: the files differ", name)
		}
	}
}

func TestPowersOfTenAreMarked(t *testing.T) {
	all := "\n" + strings.Join(texts(t, charts(t)["dots"].svg()), "\n") + "\n"
	for _, mark := range []string{"1", "10", "100", "1k", "10k", "100k", "1M"} {
		if !strings.Contains(all, "\n"+mark+"\n") {
			t.Errorf("no mark %s in %s", mark, all)
		}
	}
	if got := powerOfTen(-2) + " " + powerOfTen(18) + " " + powerOfTen(21); got != "0.01 1E 1e21" {
		t.Errorf("got %s", got)
	}
}

// written is a text with where it stands, as SVG has it.
type written struct {
	X      float64 `xml:"x,attr"`
	Y      float64 `xml:"y,attr"`
	Size   float64 `xml:"font-size,attr"`
	Anchor string  `xml:"text-anchor,attr"`
	Turned string  `xml:"transform,attr"`
	Text   string  `xml:",chardata"`
}

// Titles and names have room, however long they are.
func TestTextsStayWithinTheChart(t *testing.T) {
	long := strings.Repeat("long ", 40)
	c, err := Dots(Labels{Title: long, X: "slice", Y: "bytes"}, []string{"1v1", long}, Series{long, []float64{1, 2}})
	if err != nil {
		t.Fatal(err)
	}
	var drawn struct {
		Box   string    `xml:"viewBox,attr"`
		Texts []written `xml:"text"`
	}
	if err := xml.Unmarshal(c.svg(), &drawn); err != nil {
		t.Fatal(err)
	}
	var left, top, width, height float64
	if _, err := fmt.Sscan(drawn.Box, &left, &top, &width, &height); err != nil || len(drawn.Texts) == 0 {
		t.Fatalf("%q, %d texts, %v", drawn.Box, len(drawn.Texts), err)
	}
	for _, w := range drawn.Texts {
		at, room := w.X, width
		if w.Turned != "" { // upwards
			at, room = height-w.Y, height
		}
		from := at - textWidth(w.Text, w.Size)*map[string]float64{leftAligned: 0, centred: 0.5, rightAligned: 1}[w.Anchor]
		if to := from + textWidth(w.Text, w.Size); from < 0 || to > room {
			t.Errorf("%q reaches from %.1f to %.1f of %.1f", w.Text, from, to, room)
		}
	}
}

// A series keeps its colour though one before it has nothing to show.
func TestColoursGoByPlace(t *testing.T) {
	c, err := Lines(labels, Points{"none", nil}, Points{"some", []XY{{1, 1}}})
	if err != nil {
		t.Fatal(err)
	}
	if drawn := string(c.svg()); strings.Contains(drawn, palette[0]) || !strings.Contains(drawn, palette[1]) {
		t.Errorf("want %s and no %s in %s", palette[1], palette[0], drawn)
	}
}

func TestEvenMarks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		whole     bool
		want      string
	}{
		{0, 100, false, "0 10 20 30 40 50 60 70 80 90 100"},
		{0, 3, false, "0 0.5 1 1.5 2 2.5 3"},
		{0, 3, true, "0 1 2 3"},
		{1, 49, true, "5 10 15 20 25 30 35 40 45"},
		{7, 7, true, "6 7 8"},
	} {
		var got []string
		for _, m := range between(c.low, c.high).even(c.whole).marks {
			got = append(got, m.name)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%v to %v: marks %v, want %s", c.low, c.high, got, c.want)
		}
	}
}

// However large or close the numbers are, an axis has few marks.
func TestMarksAreFew(t *testing.T) {
	large := math.MaxFloat64
	for _, c := range [][2]float64{
		{1e17, 1e17}, {-1e17, -1e17}, {1 << 53, 1<<53 + 2}, {1e17, math.Nextafter(1e17, large)}, {0, 1e300}, {large, large}, {-large, large},
		{0, math.SmallestNonzeroFloat64}, {-1, 1<<53 - 1},
	} {
		for _, whole := range []bool{false, true} {
			a := between(c[0], c[1])
			if a.low >= a.high || a.low > c[0] || a.high < c[1] {
				t.Errorf("%v to %v: an axis from %v to %v", c[0], c[1], a.low, a.high)
			}
			if n := len(a.even(whole).marks); n > mostEvenMarks {
				t.Errorf("%v to %v: %d marks", c[0], c[1], n)
			}
		}
	}
}

func TestWhatCannotBeDrawnIsAnError(t *testing.T) {
	two := []string{"1v1", "1v2"}
	for name, draw := range map[string]func() (*Chart, error){
		"bars: 1 value for 2": func() (*Chart, error) { return StackedBars(labels, two, Series{"s", []float64{1}}) },
		"dots: 1 value for 2": func() (*Chart, error) { return Dots(labels, two, Series{"s", []float64{1}}) },
		"dots: all 0":         func() (*Chart, error) { return Dots(labels, two, Series{"s", []float64{0, 0}}) },
		"lines: no points":    func() (*Chart, error) { return Lines(labels, Points{"s", nil}) },
		"lines: no number":    func() (*Chart, error) { return Lines(labels, Points{"s", []XY{{1, math.NaN()}}}) },
		"bars: no categories": func() (*Chart, error) { return StackedBars(labels, nil, Series{"s", nil}) },
		"bars: below 0":       func() (*Chart, error) { return StackedBars(labels, two, Series{"s", []float64{1, -1}}) },
		"bars: no end":        func() (*Chart, error) { return StackedBars(labels, two, Series{"s", []float64{1, math.Inf(1)}}) },
	} {
		if _, err := draw(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := charts(t)["bars"].Save(t.Context(), filepath.Join(t.TempDir(), "missing", "x.svg")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}
