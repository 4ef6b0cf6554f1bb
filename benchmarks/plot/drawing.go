package plot

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
)

// Ground, ink and faint lines on paper. The style sheet turns them around for
// readers who like a dark screen: it overrules the attributes, which are for
// programs that know no style sheets.
const (
	paper = "#ffffff"
	ink   = "#1f2328"
	faint = "#d8dce0"

	styleSheet = `<style>
@media (prefers-color-scheme: dark) {
.paper { fill: #0d1117 }
text { fill: #e6edf3 }
.axis { stroke: #e6edf3 }
.grid { stroke: #30363d }
}
</style>
`
)

// fonts all have letters of about one width.
const fonts = "Liberation Sans, Arial, Helvetica, sans-serif"

// Parts of a letter, by the size of the text.
const (
	capital     = 0.72 // height of a capital letter
	halfCapital = capital / 2
	descent     = 0.22 // from the base line to the lower end of a letter
)

// drawing is an SVG file that is being written, in points of print, with (0, 0) at
// the top left.
type drawing struct{ bytes.Buffer }

func newDrawing(width, height float64, title string) *drawing {
	d := new(drawing)
	fmt.Fprintf(d, `<svg xmlns="http://www.w3.org/2000/svg" width="%[1]spt" height="%[2]spt" viewBox="0 0 %[1]s %[2]s" role="img" font-family="%[3]s">`+"\n",
		number(width), number(height), fonts)
	fmt.Fprintf(d, "<title>%s</title>\n%s", escaped(title), styleSheet)
	fmt.Fprintf(d, `<rect class="paper" width="100%%" height="100%%" fill="%s"/>`+"\n", paper)
	return d
}

// finish gives the file.
func (d *drawing) finish() []byte {
	d.WriteString("</svg>\n")
	return d.Bytes()
}

// lineStyle is how a straight line looks.
type lineStyle struct {
	class, colour string
}

var (
	axisLine = lineStyle{"axis", ink}
	gridLine = lineStyle{"grid", faint}
)

func (d *drawing) line(style lineStyle, x1, y1, x2, y2 float64) {
	fmt.Fprintf(d, `<line class="%s" x1="%s" y1="%s" x2="%s" y2="%s" stroke="%s" stroke-width="0.5"/>`+"\n",
		style.class, number(x1), number(y1), number(x2), number(y2), style.colour)
}

func (d *drawing) rectangle(colour string, x, y, width, height float64) {
	fmt.Fprintf(d, `<rect x="%s" y="%s" width="%s" height="%s" fill="%s"/>`+"\n", number(x), number(y), number(width), number(height), colour)
}

func (d *drawing) circle(colour string, x, y, radius float64) {
	fmt.Fprintf(d, `<circle cx="%s" cy="%s" r="%s" fill="%s"/>`+"\n", number(x), number(y), number(radius), colour)
}

// path joins points by straight lines.
func (d *drawing) path(colour string, points []XY) {
	d.WriteString(`<polyline points="`)
	for i, p := range points {
		if i > 0 {
			d.WriteByte(' ')
		}
		d.WriteString(number(p.X) + "," + number(p.Y))
	}
	fmt.Fprintf(d, `" fill="none" stroke="%s" stroke-width="1.5" stroke-linejoin="round"/>`+"\n", colour)
}

// words is how a text is written: its size in points, which end of it is at the
// place given, and whether it runs upwards.
type words struct {
	size    float64
	anchor  string
	upright bool
}

// The anchors of a text.
const (
	leftAligned  = "start"
	centred      = "middle"
	rightAligned = "end"
)

// text writes a line with its base line at a place.
func (d *drawing) text(w words, x, y float64, text string) {
	turned := ""
	if w.upright {
		turned = fmt.Sprintf(` transform="rotate(-90 %s %s)"`, number(x), number(y))
	}
	fmt.Fprintf(d, `<text x="%s" y="%s"%s font-size="%s" text-anchor="%s" fill="%s">%s</text>`+"\n",
		number(x), number(y), turned, number(w.size), w.anchor, ink, escaped(text))
}

// number writes a length to a hundredth of a point.
func number(x float64) string {
	return strconv.FormatFloat(math.Round(100*x)/100, 'f', -1, 64)
}

func escaped(text string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(text)) // a buffer takes everything
	return b.String()
}
