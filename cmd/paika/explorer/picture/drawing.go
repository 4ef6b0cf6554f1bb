package picture

import (
	"bytes"
	"encoding/xml"
	"math"
	"strconv"
)

// drawing is an SVG document as it is written.
type drawing struct{ text bytes.Buffer }

// attribute is one of an element. Its value is a text or a length.
type attribute struct {
	name  string
	value any // string, int or float64
}

// begin opens the document: so many units wide and high, so many pixels on its longer
// side.
func (d *drawing) begin(wide, high float64, pixels int, title, description string) {
	scale := float64(pixels) / max(wide, high)
	d.open("svg",
		attribute{"xmlns", "http://www.w3.org/2000/svg"},
		attribute{"viewBox", "0 0 " + number(wide) + " " + number(high)},
		attribute{"width", wide * scale}, attribute{"height", high * scale},
		attribute{"role", "img"}, attribute{"font-family", "sans-serif"}, attribute{"text-anchor", "middle"})
	d.text.WriteString(">")
	d.element("title", title)
	d.element("desc", description)
}

func (d *drawing) end() []byte {
	d.text.WriteString("</svg>\n")
	return d.text.Bytes()
}

// element writes an element with a text in it, which may be empty.
func (d *drawing) element(name, text string, attributes ...attribute) {
	d.open(name, attributes...)
	if text == "" {
		d.text.WriteString("/>")
		return
	}
	d.text.WriteString(">")
	d.escaped(text)
	d.text.WriteString("</" + name + ">")
}

// open writes the beginning of an element, but for the bracket that ends it.
func (d *drawing) open(name string, attributes ...attribute) {
	d.text.WriteString("<" + name)
	for _, a := range attributes {
		d.text.WriteString(" " + a.name + `="`)
		switch value := a.value.(type) {
		case string:
			d.escaped(value)
		case int:
			d.text.WriteString(strconv.Itoa(value))
		case float64:
			d.text.WriteString(number(value))
		}
		d.text.WriteString(`"`)
	}
}

// escaped writes a text so that it is one wherever it stands. What XML can't hold is
// replaced.
func (d *drawing) escaped(text string) {
	xml.EscapeText(&d.text, []byte(text)) // a buffer takes all
}

// number writes a length to a hundredth.
func number(x float64) string {
	return strconv.FormatFloat(math.Round(100*x)/100, 'f', -1, 64)
}
