package plot

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Series is a name for the legend, and a value for each category of a chart.
type Series struct {
	Name   string
	Values []float64
}

// Points is a name for the legend, and points in rising order of X.
type Points struct {
	Name string
	XY   []XY
}

// XY is a point of a chart.
type XY struct{ X, Y float64 }

// StackedBars shows, for each category, the values of all series on top of each
// other. Every series has a value for each category.
func StackedBars(l Labels, categories []string, series ...Series) (*Chart, error) {
	c := newChart(l)
	var below *plotter.BarChart
	for i, s := range series {
		if err := s.check(categories); err != nil {
			return nil, err
		}
		bars, err := plotter.NewBarChart(plotter.Values(s.Values), columnWidth*3/4)
		if err != nil {
			return nil, fmt.Errorf("series %s: %w", s.Name, err)
		}
		bars.Color, bars.LineStyle.Width = colourOf(i), 0
		if below != nil {
			bars.StackOn(below)
		}
		below = bars
		c.plot.Add(bars)
		c.legend.Add(s.Name, bars)
	}
	c.plot.Y.Min = 0
	c.plot.Y.Tick.Marker = evenMarks{}
	c.name(categories)
	return c, nil
}

// Dots shows a dot for each value above 0, by category, on a scale of powers of
// ten.
func Dots(l Labels, categories []string, series ...Series) (*Chart, error) {
	c := newChart(l)
	c.grid()
	for i, s := range series {
		if err := s.check(categories); err != nil {
			return nil, err
		}
		var points plotter.XYs
		for x, y := range s.Values {
			if y > 0 {
				points = append(points, plotter.XY{X: float64(x), Y: math.Log10(y)})
			}
		}
		if err := c.dots(s.Name, i, points); err != nil {
			return nil, err
		}
	}
	c.name(categories)
	c.plot.X.Min, c.plot.X.Max = -0.5, float64(len(categories))-0.5
	return c, c.logarithmic()
}

// Lines joins the points of each series by lines, on a scale of powers of ten
// for Y; those not above 0 are left out.
func Lines(l Labels, series ...Points) (*Chart, error) {
	c := newChart(l)
	c.grid()
	c.plot.X.Tick.Marker = evenMarks{whole: wholeNumbers(series)}
	for i, s := range series {
		var points plotter.XYs
		for _, p := range s.XY {
			if p.Y > 0 {
				points = append(points, plotter.XY{X: p.X, Y: math.Log10(p.Y)})
			}
		}
		if err := c.line(s.Name, i, points); err != nil {
			return nil, err
		}
	}
	return c, c.logarithmic()
}

func (s Series) check(categories []string) error {
	if len(s.Values) != len(categories) {
		return fmt.Errorf("series %s: %d values for %d categories", s.Name, len(s.Values), len(categories))
	}
	return nil
}

func (c *Chart) dots(name string, series int, points plotter.XYs) error {
	if len(points) == 0 {
		return nil
	}
	scatter, err := plotter.NewScatter(points)
	if err != nil {
		return fmt.Errorf("series %s: %w", name, err)
	}
	scatter.GlyphStyle = draw.GlyphStyle{Color: colourOf(series), Radius: vg.Points(3), Shape: draw.CircleGlyph{}}
	c.plot.Add(scatter)
	c.legend.Add(name, scatter)
	return nil
}

func (c *Chart) line(name string, series int, points plotter.XYs) error {
	if len(points) == 0 {
		return nil
	}
	line, dots, err := plotter.NewLinePoints(points)
	if err != nil {
		return fmt.Errorf("series %s: %w", name, err)
	}
	line.Color, line.Width = colourOf(series), vg.Points(1.5)
	dots.GlyphStyle = draw.GlyphStyle{Color: colourOf(series), Radius: vg.Points(2), Shape: draw.CircleGlyph{}}
	c.plot.Add(line, dots)
	c.legend.Add(name, line, dots)
	return nil
}

// shortName is the longest name, in bytes, that fits below its column.
const shortName = 3

// name labels the categories along the X axis, upright where they are long.
func (c *Chart) name(categories []string) {
	c.columns = len(categories)
	c.plot.NominalX(categories...)
	label := &c.plot.X.Tick.Label
	for _, name := range categories {
		if len(name) > shortName {
			c.plot.X.Tick.Length = margin / 2
			label.Rotation, label.XAlign, label.YAlign = math.Pi/2, text.XRight, text.YCenter
		}
	}
}

// wholeNumbers tells whether every X is one.
func wholeNumbers(series []Points) bool {
	for _, s := range series {
		for _, p := range s.XY {
			if p.X != math.Trunc(p.X) {
				return false
			}
		}
	}
	return true
}

// evenMarks marks an axis by multiples of 1, 2 or 5 times a power of ten, of whole
// numbers only if there are no others.
type evenMarks struct{ whole bool }

// Ticks lists at most twelve marks.
func (e evenMarks) Ticks(low, high float64) (marks []gonum.Tick) {
	step := evenStep((high - low) / 11)
	if e.whole {
		step = max(step, 1)
	}
	for at := math.Ceil(low / step); at*step <= high; at++ {
		marks = append(marks, gonum.Tick{Value: at * step, Label: strconv.FormatFloat(at*step, 'g', 6, 64)})
	}
	return marks
}

// evenStep is the least even step that is no shorter than asked.
func evenStep(least float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(least)))
	for _, factor := range [...]float64{1, 2, 5} {
		if factor*power >= least {
			return factor * power
		}
	}
	return 10 * power
}

// grid draws a faint line at each mark of the Y axis.
func (c *Chart) grid() {
	grid := plotter.NewGrid()
	grid.Vertical.Width = 0
	grid.Horizontal.Color = faint
	c.plot.Add(grid)
}

// errNothing says that a chart would be empty.
var errNothing = errors.New("nothing to show")

// logarithmic marks the powers of ten along the Y axis, once all data are in,
// as their logarithms. (The library's own scale lets the axis's name push the
// chart aside.)
func (c *Chart) logarithmic() error {
	y := &c.plot.Y
	if y.Min > y.Max {
		return errNothing
	}
	y.Min = math.Floor(y.Min)
	y.Max = max(math.Ceil(y.Max), y.Min+1)
	var marks gonum.ConstantTicks
	for power := int(y.Min); power <= int(y.Max); power++ {
		marks = append(marks, gonum.Tick{Value: float64(power), Label: powerOfTen(power)})
	}
	y.Tick.Marker = marks
	return nil
}

// powerOfTen writes it with the prefixes of SI: 1, 10, 100, 1k, ...
func powerOfTen(power int) string {
	const prefixes = "kMGTPE"
	if power < 0 || power/3 > len(prefixes) {
		return fmt.Sprintf("1e%d", power)
	}
	number := strconv.Itoa(int(math.Pow10(power % 3)))
	if power < 3 {
		return number
	}
	return number + prefixes[power/3-1:power/3]
}
