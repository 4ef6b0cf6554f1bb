package plot

import (
	"errors"
	"fmt"
	"math"
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

var (
	// errNothing says that a chart would be empty.
	errNothing = errors.New("nothing to show")

	// errValue says that no chart has a place for a value.
	errValue = errors.New("want a number")
)

// StackedBars shows, for each category, the values of all series on top of each
// other. Every series has a value, 0 or more, for each category.
func StackedBars(l Labels, categories []string, series ...Series) (*Chart, error) {
	if len(categories) == 0 || len(series) == 0 {
		return nil, errNothing
	}
	c := newNominal(l, categories)
	top := make([]float64, len(categories))
	highest := 0.0
	for i, s := range series {
		if err := s.check(categories); err != nil {
			return nil, err
		}
		stack := make(bars, len(categories))
		for x, value := range s.Values {
			if value < 0 {
				return nil, fmt.Errorf("series %s: %v: %w of 0 or more", s.Name, value, errValue)
			}
			stack[x] = bar{top[x], top[x] + value}
			top[x] += value
			highest = max(highest, top[x])
		}
		c.add(i, s.Name, stack)
	}
	if highest == 0 {
		highest = 1
	}
	c.y = between(0, highest).even(false)
	return c, nil
}

// Dots shows a dot for each value above 0, by category, on a scale of powers of
// ten.
func Dots(l Labels, categories []string, series ...Series) (*Chart, error) {
	c := newNominal(l, categories)
	c.grid = true
	seen := newBounds()
	for i, s := range series {
		if err := s.check(categories); err != nil {
			return nil, err
		}
		var points dots
		for x, y := range s.Values {
			if y > 0 {
				points = append(points, seen.add(float64(x), math.Log10(y)))
			}
		}
		if len(points) > 0 {
			c.add(i, s.Name, points)
		}
	}
	return c, c.logarithmic(seen)
}

// Lines joins the points of each series by lines, on a scale of powers of ten
// for Y, and of powers of two for X where the labels ask for it. Points that these
// scales do not show (Labels.Shows) are left out, and there must be others.
func Lines(l Labels, series ...Points) (*Chart, error) {
	c := &Chart{labels: l, grid: true}
	seen := newBounds()
	for i, s := range series {
		var points line
		for _, p := range s.XY {
			if !finite(p.X) || !finite(p.Y) {
				return nil, fmt.Errorf("series %s: %v, %v: %w", s.Name, p.X, p.Y, errValue)
			}
			if !l.Shows(p) {
				continue
			}
			if l.XDoubles {
				p.X = math.Log2(p.X)
			}
			points = append(points, seen.add(p.X, math.Log10(p.Y)))
		}
		if len(points) > 0 {
			c.add(i, s.Name, points)
		}
	}
	if err := c.logarithmic(seen); err != nil {
		return nil, err
	}
	c.x = between(seen.left, seen.right)
	if l.XDoubles {
		c.x = c.x.doublings()
	} else {
		c.x = c.x.even(wholeNumbers(series))
	}
	return c, nil
}

// Shows tells whether Lines has a place for a point: scales of powers have none for what is not
// above 0.
func (l Labels) Shows(p XY) bool { return p.Y > 0 && (!l.XDoubles || p.X > 0) }

func (s Series) check(categories []string) error {
	if len(s.Values) != len(categories) {
		return fmt.Errorf("series %s: %d values for %d categories", s.Name, len(s.Values), len(categories))
	}
	for _, value := range s.Values {
		if !finite(value) {
			return fmt.Errorf("series %s: %v: %w", s.Name, value, errValue)
		}
	}
	return nil
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// shortName is the longest name, in bytes, that fits below its column.
const shortName = 3

// newNominal makes a chart by categories, without data.
func newNominal(l Labels, categories []string) *Chart {
	c := &Chart{labels: l, x: nominal(categories), columns: len(categories)}
	for _, name := range categories {
		c.upright = c.upright || len(name) > shortName
	}
	return c
}

// add draws a series, in the colour of its number, above those before it.
func (c *Chart) add(number int, name string, s shape) {
	c.layers = append(c.layers, layer{name, palette[number%len(palette)], s})
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

// bounds are how far points reach.
type bounds struct{ left, right, low, high float64 }

func newBounds() *bounds {
	return &bounds{math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)}
}

func (b *bounds) add(x, y float64) XY {
	b.left, b.right = min(b.left, x), max(b.right, x)
	b.low, b.high = min(b.low, y), max(b.high, y)
	return XY{x, y}
}

// logarithmic makes the Y axis one of logarithms, for the points seen.
func (c *Chart) logarithmic(seen *bounds) error {
	if seen.low > seen.high {
		return errNothing
	}
	c.y = powersOfTen(seen.low, seen.high)
	return nil
}
