//go:build !browserless

package explorer

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"paika/cmd/paika/catalogue"
)

// rated is tables that rate the turns of every position by their numbers.
type rated struct {
	catalogue.Tables
	rate func(number int, turn *catalogue.Turn)
}

func (r rated) Bounded(int) catalogue.Tables { return r }

func (r rated) Turns(ctx context.Context, positions []string) ([]catalogue.Answer[catalogue.Turns], error) {
	answers, err := r.Tables.Turns(ctx, positions)
	for i := range answers {
		for j := range answers[i].Result.Turns {
			turn := &answers[i].Result.Turns[j]
			turn.Value, turn.Distance = nil, nil
			r.rate(j, turn)
		}
	}
	return answers, err
}

// byThrees rates turns as won, drawn and lost one after the other; far adds
// distances up to three digits.
func byThrees(number int, turn *catalogue.Turn) {
	turn.Value = new([...]string{"win", "draw", "loss"}[number%3])
}

func far(number int, turn *catalogue.Turn) {
	byThrees(number, turn)
	if *turn.Value != "draw" {
		turn.Distance = new(1 + 37*number%999)
	}
}

// halfLost rates every other turn as lost, and the rest not at all.
func halfLost(number int, turn *catalogue.Turn) {
	if number%2 == 0 {
		turn.Value = new("loss")
	}
}

func (r rated) Stats() (catalogue.Stats, error) {
	return catalogue.Stats{Slices: []catalogue.SliceStats{}, Totals: []catalogue.SliceStats{}}, nil
}

// ratedTable is such tables of a board.
func ratedTable(t *testing.T, game, board string, rate func(int, *catalogue.Turn)) Table {
	t.Helper()
	found, _ := catalogue.Find(game)
	instance, err := found.Open(board, nil)
	if err != nil {
		t.Fatal(err)
	}
	opened, err := instance.Open("", 1)
	if err != nil {
		t.Fatal(err)
	}
	return Table{instance, rated{opened, rate}}
}

// chips are what stands on the board, as "place text tone": the places are told by
// where the chips lie.
const chips = `[...document.querySelectorAll('.chip')].map(chip => {
	const at = e => [e.getAttribute('cx'), e.getAttribute('cy')].map(Number).join();
	const places = new Map([...document.querySelectorAll('.place')].map(p => [at(p.querySelector('.reach')), p.dataset.place]));
	const text = chip.querySelector('text.full');
	return [places.get(['x', 'y'].map(k => Number(text.getAttribute(k))).join()), text.textContent, chip.classList[1] ?? ''].join(' ').trim();
}).sort().join('; ')`

// chips waits until these stand on the board.
func (p *page) chips(want ...string) {
	p.t.Helper()
	p.wait(fmt.Sprintf("%s === %q", chips, strings.Join(want, "; ")))
}

// label waits until a place's words end in others.
func (p *page) label(place, end string) {
	p.t.Helper()
	p.wait(fmt.Sprintf("document.querySelector(%q).getAttribute('aria-label').endsWith(%q)", spot(place), end))
}

// Every stone that may move, and every target of one that is taken, has its value on
// it, and so have the words of the place. An arrow shows the best turn.
func TestValuesStandOnTheBoard(t *testing.T) {
	p := open(t, at("fanorona", "5x5", won))
	p.chips("b2 +5 tone-white", "c1 +5 tone-white")
	p.label("b2", "can move, win in 5 turns")
	p.wait(`document.querySelectorAll('.arrow.best.tone-white').length === 1`)
	p.click("b2")
	p.chips("a1 +9 tone-white", "a2 +9 tone-white", "a3 +9 tone-white", "b1 +9 tone-white", "b3 +5 tone-white", "c2 +9 tone-white", "c3 = tone-even")
	p.label("b3", "can go here, win in 5 turns")
	p.label("c3", "can go here, draw")
	p.click("b3")
	p.says("#verdict", "White wins in 4 turns \u2013 Black to move")
	p.wait(`document.querySelector('.chip').classList.contains('tone-white') && document.querySelector('.chip text.full').textContent.startsWith('\u2212')`)
}

// The ways of a capture are told apart by sign, letter and ring, and where a chain can
// end, its value stands on the stone.
func TestWaysHaveValues(t *testing.T) {
	p := open(t, "", ratedTable(t, "fanorona", "9x5", far))
	p.visit(at("fanorona", "9x5", "start"))
	p.chips("d2 +1 tone-white", "d3 +112 tone-white", "e2 = tone-even", "f2 \u221275 tone-black")
	p.click("d3", "e3")
	p.chips("c3 = tone-even", "f3 +112 tone-white")
	p.label("f3", "captured by approach, win in 112 turns")
	p.label("c3", "captured by withdrawal, draw")
	p.says("#choice", "By approach: f3, win in 112 turns")
	p.says("#choice", "By withdrawal: c3, draw")
	p.wait(`[...document.querySelectorAll('text.tag')].map(e => e.textContent).sort().join() === 'A,W'`)
	p.wait(`getComputedStyle(document.querySelector('[data-place=c3] .mark')).strokeDasharray !== getComputedStyle(document.querySelector('[data-place=f3] .mark')).strokeDasharray`)
	p.visit(at("fanorona", "5x5", chain))
	p.click("b3", "c3")
	p.chips("a3 = tone-even", "d3 = tone-even")
	p.push("[data-way=w]")
	p.chips("c3 \u22122 tone-black", "c4 = tone-even")
	p.label("c3", "can stop here, loss in 2 turns")
	p.says("#choice", "Stop here: b3-c3W, loss in 2 turns")
	p.wait(`document.querySelectorAll('.arrow.best.tone-even').length === 1`)
}

// A side has its colour in headline, list and board, whoever is to move.
func TestSidesKeepTheirColour(t *testing.T) {
	p := open(t, at("fanorona", "5x5", won))
	one := func(verdict string) {
		t.Helper()
		p.says("#verdict", verdict)
		p.wait(`(() => {
			const colour = e => getComputedStyle(e).getPropertyValue('--tone');
			const all = [document.querySelector('#verdict'), document.querySelector('#turns .turn'), document.querySelector('.chip'), document.querySelector('.arrow.best')];
			return all.every(e => e && colour(e) === getComputedStyle(document.documentElement).getPropertyValue('--tone-white'));
		})()`)
	}
	one("White wins in 5 turns \u2013 White to move")
	p.click("b2", "b3")
	one("White wins in 4 turns \u2013 Black to move")
}

// Where only win, draw and loss are known, the sign stands alone; where nothing is
// known, or values are hidden, there are plain marks.
func TestMarksSayNoMoreThanIsKnown(t *testing.T) {
	p := open(t, "", ratedTable(t, "fanorona", "9x5", byThrees))
	p.visit(at("fanorona", "9x5", "start"))
	p.chips("d2 + tone-white", "d3 + tone-white", "e2 = tone-even", "f2 \u2212 tone-black")
	p.label("d2", "can move, win")
	const plain = `document.querySelectorAll('.chip, .arrow').length === 0 && document.querySelectorAll('.movable.open').length > 3`
	p.push("#values")
	p.wait(plain)
	p.label("d2", "can move")
	p.click("d3", "e3")
	p.chips("c3 W", "f3 A")
	p.label("c3", "captured by withdrawal")
	p.push("#values")
	p.chips("c3 = tone-even", "f3 + tone-white")
	p.visit(at("fanorona", "5x5", "start"))
	p.shows("BBBBB/BBBBB/BW.BW/WWWWW/WWWWW w")
	p.wait(plain)
}

// A stone with turns that are not known to lose is not lost, and none is best.
func TestUnknownTurnsAreBetterThanLostOnes(t *testing.T) {
	p := open(t, "", ratedTable(t, "fanorona", "9x5", halfLost))
	p.visit(at("fanorona", "9x5", "start"))
	p.chips("d2 \u2212 tone-black", "f2 \u2212 tone-black")
	p.wait(`document.querySelector('.arrow') === null && document.querySelectorAll('.movable.open').length === 2`)
	p.click("d3", "e3")
	p.chips("c3 \u2212 tone-black", "f3 A")
}

// Removals and men placed have no way to be drawn: the best has a ring.
func TestBestPlaceHasARing(t *testing.T) {
	p := open(t, at("phutball", "3x5", "start"))
	p.wait(`document.querySelector('[data-place=B4]').classList.contains('best')`)
	p.label("B4", "can move, win in 3 turns")
	p.label("A4", "can move, loss in 4 turns")
}

// By keyboard alone one hears what a place is worth.
func TestValuesByKeyboard(t *testing.T) {
	p := open(t, at("fanorona", "5x5", won))
	p.chips("b2 +5 tone-white", "c1 +5 tone-white")
	p.do(chromedp.Evaluate[chromedp.Void](`document.querySelector('[data-place=a5]').focus()`))
	p.keys(kb.ArrowDown, kb.ArrowDown, kb.ArrowDown, kb.ArrowRight)
	p.wait(`document.activeElement.getAttribute('aria-label') === 'b2, white stone, strong point, can move, win in 5 turns'`)
	p.keys(kb.Enter, kb.ArrowUp)
	p.wait(`document.activeElement.getAttribute('aria-label') === 'b3, vacant, can go here, win in 5 turns'`)
}

// On crowded boards, wide or narrow, every chip has room: its text is inside it, it
// covers no coordinate and no other chip, and is large enough to read.
func TestChipsHaveRoom(t *testing.T) {
	p := open(t, "", ratedTable(t, "fanorona", "9x5", far), ratedTable(t, "phutball", "15x19", far), ratedTable(t, "konane", "6x6", far))
	crowded := map[string]string{
		"Fanorona": at("fanorona", "9x5", "BBBBB.BBB/BBBBB.BBB/B.BW.WB.W/WWWWWWWWW/.WWWWWWWW w"),
		"Phutball": at("phutball", "15x19", "start"),
		"Konane":   at("konane", "6x6", "start"),
	}
	for _, window := range []struct{ width, height int64 }{{1200, 860}, {360, 740}} {
		p.do(chromedp.EmulateViewport(window.width, window.height))
		for game, query := range crowded {
			p.visit(query)
			p.says("title", game)
			p.wait(`document.querySelectorAll('.chip').length > 5`)
			faults := p.get(`(() => {
				const seen = e => e.getClientRects().length > 0, box = e => e.getBoundingClientRect();
				const apart = (a, b) => a.right <= b.left + 0.5 || b.right <= a.left + 0.5 || a.bottom <= b.top + 0.5 || b.bottom <= a.top + 0.5;
				const within = (a, b) => a.left >= b.left - 0.5 && a.right <= b.right + 0.5;
				const rects = [...document.querySelectorAll('.chip rect')].filter(seen), texts = [...document.querySelectorAll('.chip text')].filter(seen);
				const boxes = rects.map(box), coordinates = [...document.querySelectorAll('.coordinate')], faults = [];
				if (rects.length !== document.querySelectorAll('.chip').length) faults.push('not every chip is seen');
				texts.forEach((text, i) => {
					if (!within(box(text), boxes[i])) faults.push(text.textContent + ' is wider than its chip');
					if (box(text).height < 7) faults.push(text.textContent + ' is ' + box(text).height + ' high');
				});
				for (const c of coordinates.map(box)) if (!boxes.every(b => apart(b, c))) faults.push('a coordinate is covered');
				boxes.forEach((a, i) => boxes.slice(i + 1).forEach(b => { if (!apart(a, b)) faults.push('chips overlap'); }));
				return [...new Set(faults)].join('; ');
			})()`)
			if faults != "" {
				t.Errorf("%s in %d pixels: %s", game, window.width, faults)
			}
			p.picture(fmt.Sprintf("crowded-%s-%d", game, window.width))
		}
	}
}

// colour is red, green and blue, linear, from 0 to 1.
type colour [3]float64

// parseColour reads #rgb or #rrggbb.
func parseColour(t *testing.T, text string) (c colour) {
	t.Helper()
	hex := strings.TrimPrefix(strings.TrimSpace(text), "#")
	if len(hex) == 3 {
		hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
	}
	var parts [3]uint8
	if _, err := fmt.Sscanf(hex, "%02x%02x%02x", &parts[0], &parts[1], &parts[2]); err != nil || len(hex) != 6 {
		t.Fatalf("%q is no colour", text)
	}
	for i, part := range parts {
		if v := float64(part) / 255; v <= 0.04045 {
			c[i] = v / 12.92
		} else {
			c[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	return c
}

// luminance and contrast are those of WCAG 2.
func (c colour) luminance() float64 { return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2] }

func contrast(a, b colour) float64 {
	high, low := max(a.luminance(), b.luminance()), min(a.luminance(), b.luminance())
	return (high + 0.05) / (low + 0.05)
}

// seen is a colour as those see it who lack one kind of cone: by the matrices of
// Machado, Oliveira and Fernandes (2009) for linear light.
func (c colour) seen(m [3][3]float64) (s colour) {
	for i, row := range m {
		s[i] = min(1, max(0, row[0]*c[0]+row[1]*c[1]+row[2]*c[2]))
	}
	return s
}

var sight = map[string][3][3]float64{
	"all cones":    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
}

// difference is how far apart two colours look: the distance in CIELAB, in which 2
// can just be seen.
func difference(a, b colour) float64 {
	x, y := a.lab(), b.lab()
	return math.Hypot(math.Hypot(x[0]-y[0], x[1]-y[1]), x[2]-y[2])
}

func (c colour) lab() [3]float64 {
	f := func(t float64) float64 {
		if t > 0.008856 {
			return math.Cbrt(t)
		}
		return 7.787*t + 16.0/116
	}
	x := f((0.4124564*c[0] + 0.3575761*c[1] + 0.1804375*c[2]) / 0.95047)
	y := f(c.luminance())
	z := f((0.0193339*c[0] + 0.1191920*c[1] + 0.9503041*c[2]) / 1.08883)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// What is drawn on wood is seen on it by day and by night, text on chips and paper
// can be read, and whoever lacks a kind of cone tells the sides from each other and
// from a draw.
func TestColoursAreSeen(t *testing.T) {
	p := open(t, "")
	for _, scheme := range []string{"light", "dark"} {
		p.scheme(scheme)
		of := func(name string) colour {
			return parseColour(t, p.get(fmt.Sprintf("getComputedStyle(document.documentElement).getPropertyValue('--%s')", name)))
		}
		for _, c := range []struct {
			name, on string
			least    float64
		}{
			{"tone-white", "wood", 3}, {"tone-black", "wood", 3}, {"tone-even", "wood", 3}, {"mark", "wood", 3}, {"board-line", "wood", 3},
			{"black", "wood", 3}, {"accent", "wood", 3}, {"board-ink", "wood", 4.5},
			{"tone-white", "tone-ink", 4.5}, {"tone-black", "tone-ink", 4.5}, {"tone-even", "tone-ink", 4.5}, {"mark", "tone-ink", 4.5}, {"mark", "rim", 4.5},
			{"tone-white", "rim", 3}, {"tone-black", "rim", 3}, {"tone-even", "rim", 3},
			{"tone-white", "card", 4.5}, {"tone-black", "card", 4.5}, {"tone-even", "card", 4.5}, {"trouble", "card", 4.5},
			{"tone-white", "paper", 4.5}, {"tone-black", "paper", 4.5}, {"tone-even", "paper", 4.5}, {"soft", "paper", 4.5},
		} {
			if got := contrast(of(c.name), of(c.on)); got < c.least {
				t.Errorf("%s: --%s on --%s has a contrast of %.2f, want %v", scheme, c.name, c.on, got, c.least)
			}
		}
		if got := max(contrast(of("white"), of("wood")), contrast(of("white-edge"), of("wood"))); got < 3 {
			t.Errorf("%s: white stones on wood have a contrast of %.2f", scheme, got)
		}
		tones := []string{"tone-white", "tone-black", "tone-even"}
		for eyes, m := range sight {
			for i, a := range tones {
				for _, b := range tones[:i] {
					if got := difference(of(a).seen(m), of(b).seen(m)); got < 25 {
						t.Errorf("%s, %s: --%s and --%s are %.0f apart", scheme, eyes, a, b, got)
					}
				}
			}
		}
	}
}
