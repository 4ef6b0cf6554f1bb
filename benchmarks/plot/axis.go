package plot

import (
	"fmt"
	"math"
	"strconv"
)

// axis is a scale from low to high, with its marks.
type axis struct {
	low, high float64
	marks     []mark
}

// mark is a place on an axis that has a name.
type mark struct {
	at   float64
	name string
}

// share tells how far along the axis a value lies, from 0 to 1.
func (a axis) share(value float64) float64 { return (value - a.low) / (a.high - a.low) }

// marksWidth is the width of the longest name.
func (a axis) marksWidth() float64 {
	widest := 0.0
	for _, m := range a.marks {
		widest = max(widest, textWidth(m.name, markSize))
	}
	return widest
}

// nominal is an axis of categories, a column for each.
func nominal(categories []string) axis {
	a := axis{low: -0.5, high: float64(len(categories)) - 0.5}
	for i, name := range categories {
		a.marks = append(a.marks, mark{float64(i), name})
	}
	return a
}

// between is an axis for values from low to high, which may be one: then there is room on
// both sides, more for a large one, from which taking 1 away may change nothing.
func between(low, high float64) axis {
	if low == high {
		room := max(1, math.Abs(low)/1000)
		return axis{low: max(low-room, -math.MaxFloat64), high: min(high+room, math.MaxFloat64)}
	}
	return axis{low: low, high: high}
}

// mostEvenMarks is how many marks there is room for.
const mostEvenMarks = 12

// even marks multiples of 1, 2 or 5 times a power of ten, of whole numbers only if
// there are no others.
func (a axis) even(whole bool) axis {
	step := evenStep((a.high - a.low) / (mostEvenMarks - 1))
	if whole {
		step = max(step, 1)
	}
	first := math.Ceil(a.low / step)
	for i := range mostEvenMarks { // adding 1 to a large number may change nothing
		at := (first + float64(i)) * step
		if !(at <= a.high) { // or it is no number
			break
		}
		a.marks = append(a.marks, mark{at, strconv.FormatFloat(at, 'g', 6, 64)})
	}
	return a
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

// doublings marks the powers of two on an axis of their logarithms.
func (a axis) doublings() axis {
	for power := math.Ceil(a.low); power <= a.high; power++ {
		a.marks = append(a.marks, mark{power, strconv.FormatFloat(math.Exp2(power), 'g', 6, 64)})
	}
	return a
}

// powersOfTen is an axis of logarithms that begins and ends at a power of ten, and
// marks all of them.
func powersOfTen(low, high float64) axis {
	a := axis{low: math.Floor(low), high: math.Ceil(high)}
	a.high = max(a.high, a.low+1)
	for power := int(a.low); power <= int(a.high); power++ {
		a.marks = append(a.marks, mark{float64(power), powerOfTen(power)})
	}
	return a
}

// powerOfTen writes it with the prefixes of SI: 1, 10, 100, 1k, ...
func powerOfTen(power int) string {
	const prefixes = "kMGTPE"
	if power < 0 && power >= -3 {
		return strconv.FormatFloat(math.Pow10(power), 'f', -power, 64)
	}
	if power < 0 || power/3 > len(prefixes) {
		return fmt.Sprintf("1e%d", power)
	}
	number := strconv.Itoa(int(math.Pow10(power % 3)))
	if power < 3 {
		return number
	}
	return number + prefixes[power/3-1:power/3]
}
