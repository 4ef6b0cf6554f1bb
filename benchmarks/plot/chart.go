package plot

import (
	"context"
	"io"
	"unicode/utf8"

	"paika/internal/lasting"
)

// Labels is the text of a chart. X and Y name what their axis shows, with its
// unit.
type Labels struct {
	Title, X, Y string

	XDoubles bool // X is on a scale of powers of two, for Lines
}

// Chart is a chart to be saved.
type Chart struct {
	labels  Labels
	x, y    axis
	grid    bool // a faint line at each mark of the Y axis
	columns int  // categories side by side; 0 for a chart without
	upright bool // their names are too long to stand side by side
	layers  []layer
}

// layer is what is drawn of a series, in its colour.
type layer struct {
	name   string
	colour string
	shape  shape
}

// shape is one kind of drawing.
type shape interface {
	draw(d *drawing, f frame, colour string)
	key(d *drawing, x, y float64, colour string) // its sample in the legend, around a point
}

// Sizes, in points of print.
const (
	centimetre  = 72 / 2.54
	height      = 8.5 * centimetre // where the names of categories are short
	leastWidth  = 13 * centimetre  // without the legend
	columnWidth = 0.65 * centimetre
	axisWidth   = 2.5 * centimetre
	legendWidth = 3 * centimetre // at least
	margin      = 0.3 * centimetre
	tickLength  = 5

	titleSize  = 12
	labelSize  = 10
	markSize   = 9
	lineHeight = 1.2 // of a line of text, by its size

	keyWidth = 20 // of a sample in the legend
)

// textWidth is about the width of a text. A drawing does not know the letters
// that it will be shown with: those of Helvetica are as wide as this or less.
func textWidth(text string, size float64) float64 {
	return 0.56 * size * float64(utf8.RuneCountInString(text))
}

// frame is where the data are drawn, and the scales there. Y counts downwards.
type frame struct {
	left, right, top, bottom float64
	xAxis, yAxis             axis
}

func (f frame) x(value float64) float64 {
	return f.left + f.xAxis.share(value)*(f.right-f.left)
}

func (f frame) y(value float64) float64 {
	return f.bottom - f.yAxis.share(value)*(f.bottom-f.top)
}

// layout makes room for the texts around the data.
func (c *Chart) layout() (f frame, fullWidth, fullHeight float64) {
	legend := legendWidth
	for _, l := range c.layers {
		legend = max(legend, 1.5*margin+keyWidth+textWidth(l.name, markSize)+margin)
	}
	title := textWidth(c.labels.Title, titleSize) + 2*margin
	width := max(leastWidth, axisWidth+float64(c.columns)*columnWidth, title-legend)
	names := c.namesHeight()
	fullWidth, fullHeight = width+legend, height+names-lineHeight*markSize
	return frame{
		left:   2*margin + lineHeight*labelSize + c.y.marksWidth() + tickLength + margin,
		right:  width,
		top:    margin + lineHeight*titleSize + 1.5*margin,
		bottom: fullHeight - 2.5*margin - lineHeight*labelSize - names - c.tickLength(),
		xAxis:  c.x,
		yAxis:  c.y,
	}, fullWidth, fullHeight
}

// tickLength is that of the X axis. Categories have names, no ticks.
func (c *Chart) tickLength() float64 {
	if c.columns > 0 {
		return 0
	}
	return tickLength
}

// namesHeight is the height of the marks of the X axis.
func (c *Chart) namesHeight() float64 {
	if c.upright {
		return max(c.x.marksWidth(), lineHeight*markSize)
	}
	return lineHeight * markSize
}

// Save writes the chart to a file, in place of an older one. Where a pipe stands
// there it waits for a reader until the context is done.
func (c *Chart) Save(ctx context.Context, path string) error {
	return lasting.Write(ctx, path, c.Draw)
}

// Draw writes the chart as SVG.
func (c *Chart) Draw(w io.Writer) error {
	_, err := w.Write(c.svg())
	return err
}

// svg draws the chart, the legend to its right.
func (c *Chart) svg() []byte {
	f, width, height := c.layout()
	d := newDrawing(width, height, c.labels.Title)
	c.drawTitle(d, f)
	if c.grid {
		for _, m := range c.y.marks {
			d.line(gridLine, f.left, f.y(m.at), f.right, f.y(m.at))
		}
	}
	c.drawX(d, f, height)
	c.drawY(d, f)
	for i, l := range c.layers {
		l.shape.draw(d, f, l.colour)
		l.drawKey(d, f, i)
	}
	return d.finish()
}

// drawKey writes a line of the legend, right of the data.
func (l layer) drawKey(d *drawing, f frame, line int) {
	x, y := f.right+margin, f.top+(float64(line)+0.5)*1.25*lineHeight*markSize
	l.shape.key(d, x+keyWidth/2, y, l.colour)
	d.text(words{size: markSize, anchor: leftAligned}, x+keyWidth+margin/2, y+halfCapital*markSize, l.name)
}

// drawTitle writes the title above the data, or from the left edge where it is
// longer than that.
func (c *Chart) drawTitle(d *drawing, f frame) {
	half := textWidth(c.labels.Title, titleSize) / 2
	d.text(words{size: titleSize, anchor: centred}, max((f.left+f.right)/2, margin+half), margin+titleSize, c.labels.Title)
}

// drawX draws the axis a little below the data.
func (c *Chart) drawX(d *drawing, f frame, height float64) {
	y := f.bottom + margin/2
	names := y + c.tickLength() + margin/2
	if c.columns == 0 {
		d.line(axisLine, f.x(c.x.low), y, f.x(c.x.high), y)
	}
	for _, m := range c.x.marks {
		x := f.x(m.at)
		switch {
		case c.upright:
			d.text(words{size: markSize, anchor: rightAligned, upright: true}, x+halfCapital*markSize, names, m.name)
			continue
		case c.columns == 0:
			d.line(axisLine, x, y, x, y+tickLength)
		}
		d.text(words{size: markSize, anchor: centred}, x, names+capital*markSize, m.name)
	}
	d.text(words{size: labelSize, anchor: centred}, (f.left+f.right)/2, height-margin-descent*labelSize, c.labels.X)
}

// drawY draws the axis a little to the left of the data.
func (c *Chart) drawY(d *drawing, f frame) {
	x := f.left - margin/2
	d.line(axisLine, x, f.top, x, f.bottom)
	for _, m := range c.y.marks {
		y := f.y(m.at)
		d.line(axisLine, x-tickLength, y, x, y)
		d.text(words{size: markSize, anchor: rightAligned}, x-tickLength-margin/3, y+halfCapital*markSize, m.name)
	}
	d.text(words{size: labelSize, anchor: centred, upright: true}, margin+capital*labelSize, (f.top+f.bottom)/2, c.labels.Y)
}
