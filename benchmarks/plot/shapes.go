package plot

// palette is the colours of series, in their order.
var palette = [...]string{
	"#0072b2", // blue
	"#e69f00", // orange
	"#009e73", // green
	"#cc79a7", // purple
	"#d55e00", // vermilion
	"#56b4e9", // sky
}

// bar reaches from a value to another.
type bar struct{ from, to float64 }

// bars are a series of stacked bars, one for each category.
type bars []bar

// barWidth leaves a quarter of the narrowest column free.
const barWidth = columnWidth * 3 / 4

func (b bars) draw(d *drawing, f frame, colour string) {
	for x, one := range b {
		if top, bottom := f.y(one.to), f.y(one.from); top < bottom {
			d.rectangle(colour, f.x(float64(x))-barWidth/2, top, barWidth, bottom-top)
		}
	}
}

func (bars) key(d *drawing, x, y float64, colour string) {
	const thickness = 8
	d.rectangle(colour, x-keyWidth/2, y-thickness/2, keyWidth, thickness)
}

// dots are a series of points that have nothing to do with each other.
type dots []XY

const dotRadius = 3

func (p dots) draw(d *drawing, f frame, colour string) {
	for _, at := range p {
		d.circle(colour, f.x(at.X), f.y(at.Y), dotRadius)
	}
}

func (dots) key(d *drawing, x, y float64, colour string) { d.circle(colour, x, y, dotRadius) }

// line is a series of points that are joined.
type line []XY

const jointRadius = 2

func (l line) draw(d *drawing, f frame, colour string) {
	var joints []XY
	for _, at := range l {
		joints = append(joints, XY{f.x(at.X), f.y(at.Y)})
	}
	d.path(colour, joints)
	for _, at := range joints {
		d.circle(colour, at.X, at.Y, jointRadius)
	}
}

func (line) key(d *drawing, x, y float64, colour string) {
	d.path(colour, []XY{{x - keyWidth/2, y}, {x + keyWidth/2, y}})
	d.circle(colour, x, y, jointRadius)
}
