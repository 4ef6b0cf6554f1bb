package picture

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"paika/cmd/paika/catalogue"
)

func circle(d *drawing, x, y, r float64, more ...attribute) {
	d.element("circle", "", append([]attribute{{"cx", x}, {"cy", y}, {"r", r}}, more...)...)
}

// stones draws all pieces, in the order in which a board is read.
func (b board) stones(d *drawing, p position) {
	for _, at := range inOrder(p.pieces) {
		x, y := b.at(at)
		piece(d, p.pieces[at], x, y)
	}
}

func inOrder(pieces map[place]catalogue.LookOfPiece) []place {
	return slices.SortedFunc(maps.Keys(pieces), func(a, b place) int {
		return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(a.file, b.file))
	})
}

// piece draws a stone, a man or the ball.
func piece(d *drawing, p catalogue.LookOfPiece, x, y float64) {
	fill, stroke := white, whiteEdge
	if p.Colour == "black" || p.Colour == "man" {
		fill, stroke = black, blackEdge
	}
	circle(d, x, y, stone, attribute{"fill", fill}, attribute{"stroke", stroke}, attribute{"stroke-width", 0.35})
	if p.Colour == "ball" {
		circle(d, x, y, 1.5, attribute{"fill", black})
	}
}

// turn draws what a turn does: crosses on what it takes away, the piece that it sets
// down, and an arrow along its places.
func (b board) turn(d *drawing, before, after position, along []place) {
	for _, at := range inOrder(before.pieces) {
		_, stays := after.pieces[at]
		if !stays && (len(along) < 2 || !slices.Contains(along, at)) {
			b.cross(d, at)
		}
	}
	if len(along) == 1 {
		b.set(d, along[0], before, after)
	}
	if len(along) > 1 {
		b.arrow(d, along)
	}
}

// set marks the only place of a turn, with the piece that comes there.
func (b board) set(d *drawing, at place, before, after position) {
	x, y := b.at(at)
	if set, there := after.pieces[at]; there && before.pieces[at] != set {
		piece(d, set, x, y)
	}
	circle(d, x, y, stone+0.7, attribute{"fill", "none"}, attribute{"stroke", mark}, attribute{"stroke-width", 0.7})
}

// stroke draws a path twice: a broad one in the colour of the rim, and the path on it,
// so that it is seen on wood and on every stone.
func stroke(d *drawing, path string, width float64) {
	for _, layer := range [...]struct {
		colour string
		width  float64
	}{{rim, width + 0.6}, {mark, width}} {
		d.element("path", "", attribute{"d", path}, attribute{"fill", "none"}, attribute{"stroke", layer.colour},
			attribute{"stroke-width", layer.width}, attribute{"stroke-linecap", "round"}, attribute{"stroke-linejoin", "round"})
	}
}

func (b board) cross(d *drawing, at place) {
	const arm = 1.9
	x, y := b.at(at)
	stroke(d, "M"+number(x-arm)+" "+number(y-arm)+"L"+number(x+arm)+" "+number(y+arm)+
		"M"+number(x+arm)+" "+number(y-arm)+"L"+number(x-arm)+" "+number(y+arm), 0.8)
}

// arrow draws a line through places, and its head: two strokes that go back from the
// end.
func (b board) arrow(d *drawing, along []place) {
	const head, spread = 2.8, 0.55 // units, radians
	path, command := "", "M"
	var x, y, direction float64
	for _, at := range along {
		x2, y2 := b.at(at)
		direction = math.Atan2(y2-y, x2-x)
		x, y = x2, y2
		path += command + number(x) + " " + number(y)
		command = "L"
	}
	back := func(turn float64) string {
		return number(x-head*math.Cos(direction+turn)) + " " + number(y-head*math.Sin(direction+turn))
	}
	path += "M" + back(spread) + "L" + number(x) + " " + number(y) + "L" + back(-spread)
	stroke(d, path, 1)
}
