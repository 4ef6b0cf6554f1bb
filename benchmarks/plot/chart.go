package plot

import (
	"bytes"
	"fmt"
	"image/color"
	"os"

	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Labels is the text of a chart. X and Y name what their axis shows, with its
// unit.
type Labels struct {
	Title, X, Y string

	XDoubles bool // X is on a scale of powers of two, for Lines
}

// Chart is a chart to be saved.
type Chart struct {
	plot    *gonum.Plot
	legend  gonum.Legend
	columns int // categories side by side; 0 for a chart without
}

// Sizes in print. Charts with many categories get wider.
const (
	height      = 8.5 * vg.Centimeter
	leastWidth  = 13 * vg.Centimeter // without the legend
	columnWidth = 0.65 * vg.Centimeter
	axisWidth   = 2.5 * vg.Centimeter
	legendWidth = 3 * vg.Centimeter
	margin      = 0.3 * vg.Centimeter
)

// Ground, ink and faint lines on paper and, for readers who like it dark, on a
// screen.
var (
	paper = color.RGBA{0xff, 0xff, 0xff, 0xff}
	ink   = color.RGBA{0x1f, 0x23, 0x28, 0xff}
	faint = color.RGBA{0xd8, 0xdc, 0xe0, 0xff}
)

// darkStyle turns the colours above around. A drawing names its colours element
// by element, so that the style sheet has to overrule it.
var darkStyle = `<style>
text { font-family: "Liberation Sans", Arial, Helvetica, sans-serif !important; }
@media (prefers-color-scheme: dark) {
` + restyle(paper, "#0d1117") + restyle(ink, "#e6edf3") + restyle(faint, "#30363d") + `}
</style>
`

func restyle(from color.RGBA, to string) string {
	hex := fmt.Sprintf("#%02X%02X%02X", from.R, from.G, from.B)
	return fmt.Sprintf("[style*=\"fill:%[1]s\"] { fill: %[2]s !important; }\n[style*=\"stroke:%[1]s\"] { stroke: %[2]s !important; }\n", hex, to)
}

// palette is the colours of series, in their order.
var palette = []color.Color{
	color.RGBA{0x00, 0x72, 0xb2, 0xff}, // blue
	color.RGBA{0xe6, 0x9f, 0x00, 0xff}, // orange
	color.RGBA{0x00, 0x9e, 0x73, 0xff}, // green
	color.RGBA{0xcc, 0x79, 0xa7, 0xff}, // purple
	color.RGBA{0xd5, 0x5e, 0x00, 0xff}, // vermilion
	color.RGBA{0x56, 0xb4, 0xe9, 0xff}, // sky
}

func colourOf(series int) color.Color { return palette[series%len(palette)] }

// newChart makes a chart without data.
func newChart(l Labels) *Chart {
	p := gonum.New()
	p.BackgroundColor = paper
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = l.Title, l.X, l.Y
	p.Title.Padding = margin
	write(&p.Title.TextStyle, 12)
	for _, axis := range []*gonum.Axis{&p.X, &p.Y} {
		write(&axis.Label.TextStyle, 10)
		write(&axis.Tick.Label, 9)
		axis.LineStyle.Color, axis.Tick.LineStyle.Color = ink, ink
		axis.Label.Padding = margin / 2
	}
	legend := gonum.NewLegend()
	legend.Top, legend.Left = true, true
	legend.Padding = margin / 3
	write(&legend.TextStyle, 9)
	return &Chart{plot: p, legend: legend}
}

func write(style *draw.TextStyle, points vg.Length) {
	style.Color = ink
	style.Font = font.Font{Typeface: "Liberation", Variant: "Sans", Size: points}
}

// Save writes the chart to a file, in place of an older one.
func (c *Chart) Save(path string) error {
	text, err := c.svg()
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return os.WriteFile(path, text, 0o666)
}

// svg draws the chart, the legend to its right.
func (c *Chart) svg() ([]byte, error) {
	width := max(leastWidth, axisWidth+vg.Length(c.columns)*columnWidth) + legendWidth
	canvas := vgsvg.New(width, height)
	all := draw.New(canvas)
	all.SetColor(paper)
	all.Fill(all.Rectangle.Path())
	inside := draw.Crop(all, margin, -margin, margin, -margin)
	c.plot.Draw(draw.Crop(inside, 0, -legendWidth, 0, 0))
	c.legend.Draw(draw.Crop(inside, inside.Size().X-legendWidth+margin, 0, 0, -2*margin))

	var text bytes.Buffer
	if _, err := canvas.WriteTo(&text); err != nil {
		return nil, err
	}
	head, body, found := bytes.Cut(text.Bytes(), []byte("<g "))
	if !found {
		return nil, fmt.Errorf("the drawing has no group to put a style before")
	}
	return bytes.Join([][]byte{head, []byte(darkStyle + "<g "), body}, nil), nil
}
