package picture

import (
	"slices"
	"strconv"

	"paika/cmd/paika/catalogue"
)

// Measures in units, ten from a point to the next: those of static/board.js.
const (
	spacing = 10
	edge    = 9 // from the outer points to the rim
	stone   = 3.9
)

// The colours: those of the page by day, in static/style.css.
const (
	paper     = "#faf8f4"
	wood      = "#e3c193"
	lines     = "#6d4c27"
	ink       = "#573a19" // of coordinates
	white     = "#fffdf8"
	whiteEdge = "#4d453b"
	black     = "#26221e"
	blackEdge = "#000"
	whiteTone = "#1f57b8" // of what White wins
	blackTone = "#b03a06"
	mark      = "#4a2f12"
	rim       = "#fffdf8" // around arrows and crosses
)

// tone is the colour of a side.
func tone(side catalogue.LookOfSide) string {
	if side.Colour == "white" {
		return whiteTone
	}
	return blackTone
}

// board is where things go.
type board struct {
	look          catalogue.Look
	width, height int
	side, margin  float64 // beside the points; above and below them
	wide, high    float64
}

// newBoard makes room beside the points where the position, or a turn along some places, is
// past a corner.
func newBoard(look catalogue.Look, p position, along []place) board {
	b := board{look: look, width: p.width, height: p.height, side: edge, margin: edge}
	if slices.ContainsFunc(along, p.beside) || slices.ContainsFunc(inOrder(p.pieces), p.beside) {
		b.side += spacing
	}
	if look.Goals {
		b.margin += spacing
	}
	b.wide = float64(p.width-1)*spacing + 2*b.side
	b.high = float64(p.height-1)*spacing + 2*b.margin
	return b
}

// at is the middle of a place.
func (b board) at(p place) (x, y float64) {
	return b.side + float64(spacing*p.file), b.margin + float64(spacing*(b.height-1-p.rank))
}

// dark tells every other point from the rest, beginning with a1.
func dark(p place) bool { return (p.file+p.rank)%2 == 0 }

// all calls each with every point of the board.
func (b board) all(each func(p place, x, y float64)) {
	for rank := range b.height {
		for file := range b.width {
			p := place{file, rank}
			x, y := b.at(p)
			each(p, x, y)
		}
	}
}

// draw draws the board without its pieces.
func (b board) draw(d *drawing) {
	d.element("rect", "", attribute{"width", b.wide}, attribute{"height", b.high}, attribute{"rx", 2.5}, attribute{"fill", wood})
	if b.look.Goals {
		b.goals(d)
	}
	switch b.look.Board {
	case catalogue.Pits:
		b.pits(d)
	case catalogue.Squares:
		b.squares(d)
	case catalogue.Diagonals:
		b.grid(d)
		b.diagonals(d)
	default:
		b.grid(d)
	}
	if b.look.Goals {
		b.goalLines(d)
	}
	b.coordinates(d)
}

func line(d *drawing, x1, y1, x2, y2, width float64, colour string) {
	d.element("line", "", attribute{"x1", x1}, attribute{"y1", y1}, attribute{"x2", x2}, attribute{"y2", y2},
		attribute{"stroke", colour}, attribute{"stroke-width", width})
}

// grid draws the lines along files and ranks.
func (b board) grid(d *drawing) {
	for file := range b.width {
		x, low := b.at(place{file, 0})
		_, high := b.at(place{file, b.height - 1})
		line(d, x, low, x, high, 0.35, lines)
	}
	for rank := range b.height {
		left, y := b.at(place{0, rank})
		right, _ := b.at(place{b.width - 1, rank})
		line(d, left, y, right, y, 0.35, lines)
	}
}

// diagonals draws the lines across, and the points from which they go.
func (b board) diagonals(d *drawing) {
	b.all(func(p place, x, y float64) {
		if !dark(p) {
			return
		}
		for _, step := range [...]int{-1, 1} {
			if to := p.file + step; p.rank+1 < b.height && to >= 0 && to < b.width {
				x2, y2 := b.at(place{to, p.rank + 1})
				line(d, x, y, x2, y2, 0.35, lines)
			}
		}
		circle(d, x, y, 1.1, attribute{"fill", lines})
	})
}

func (b board) pits(d *drawing) {
	b.all(func(p place, x, y float64) {
		circle(d, x, y, 1.8, attribute{"fill", lines}, attribute{"opacity", shade(p, 0.3, 0.65)})
	})
}

func (b board) squares(d *drawing) {
	b.all(func(p place, x, y float64) {
		d.element("rect", "", attribute{"x", x - spacing/2}, attribute{"y", y - spacing/2}, attribute{"width", spacing}, attribute{"height", spacing},
			attribute{"fill", lines}, attribute{"opacity", shade(p, 0.1, 0.4)})
	})
}

func shade(p place, light, deep float64) float64 {
	if dark(p) {
		return deep
	}
	return light
}

// goals draws the ground behind the ranks to which the sides play, and says whose it is.
func (b board) goals(d *drawing) {
	for i, ranks := range b.goalRanks() {
		left, y := b.at(place{0, ranks[0]})
		right, behind := b.at(place{b.width - 1, ranks[1]})
		top, bottom := min(y, behind-4), max(y, behind+4)
		d.element("rect", "", attribute{"x", left - spacing/2}, attribute{"y", top}, attribute{"width", right - left + spacing}, attribute{"height", bottom - top},
			attribute{"fill", paper}, attribute{"opacity", 0.35})
		b.write(d, (left+right)/2, behind, 3.2, b.look.Sides[i].Name+" scores here")
	}
}

// goalLines draws the ranks to which the sides play.
func (b board) goalLines(d *drawing) {
	for i, ranks := range b.goalRanks() {
		left, y := b.at(place{0, ranks[0]})
		right, _ := b.at(place{b.width - 1, ranks[0]})
		line(d, left, y, right, y, 1, tone(b.look.Sides[i]))
	}
}

// goalRanks are the rank to which each side plays, and the one behind it.
func (b board) goalRanks() [2][2]int { return [2][2]int{{b.height - 1, b.height}, {0, -1}} }

// write writes a text around a point.
func (b board) write(d *drawing, x, y, size float64, text string) {
	d.element("text", text, attribute{"x", x}, attribute{"y", y + 0.35*size}, attribute{"font-size", size}, attribute{"fill", ink})
}

func (b board) coordinates(d *drawing) {
	size := 2.9
	if b.width > 9 {
		size = 3.5
	}
	for file := range b.width {
		x, _ := b.at(place{file, 0})
		b.write(d, x, b.high-edge+7.4, size, b.look.Files[file:file+1])
	}
	for rank := range b.height {
		x, y := b.at(place{0, rank})
		b.write(d, x-6.8, y, size, strconv.Itoa(rank+1))
	}
}
