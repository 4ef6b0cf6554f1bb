package cgt

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"
)

// Dyadic is the number Numerator / 2^Exponent, of which the first is less than 2^62 either way,
// and the second at most 62. In lowest terms the numerator is odd or the exponent is 0, and equal
// numbers are equal values.
type Dyadic struct {
	Numerator int64
	Exponent  uint8
}

const (
	mostNumerator = 1<<62 - 1
	mostExponent  = 62
)

// ErrRange says that a number is no Dyadic: games can be numbers of any size. What makes or sums
// games or numbers, or asks for a mean or a temperature, panics with it where it has no error of
// its own. Within gives it as an error.
var ErrRange = errors.New("a number has more binary digits than are computed with: want at most 62")

// MakeDyadic is numerator / 2^exponent in lowest terms.
func MakeDyadic(numerator int64, exponent uint8) Dyadic {
	if numerator == 0 {
		return Dyadic{}
	}
	cancel := min(uint8(bits.TrailingZeros64(uint64(numerator))), exponent)
	d := Dyadic{numerator >> cancel, exponent - cancel}
	if d.Numerator < -mostNumerator || d.Numerator > mostNumerator || d.Exponent > mostExponent {
		panic(ErrRange)
	}
	return d
}

// String is "3", "-3/4" or the like.
func (d Dyadic) String() string {
	if d.Exponent == 0 {
		return fmt.Sprint(d.Numerator)
	}
	return fmt.Sprintf("%d/%d", d.Numerator, uint64(1)<<d.Exponent)
}

// over is the numerator of d over 2^exponent, which is no less than d's own.
func (d Dyadic) over(exponent uint8) int64 {
	by := exponent - d.Exponent
	n := d.Numerator << by
	if n>>by != d.Numerator {
		panic(ErrRange)
	}
	return n
}

// plus has a sum of at most 64 bits, of which MakeDyadic refuses those that are too many: where one
// number over the other's exponent has more, the sum has more than 62.
func (d Dyadic) plus(e Dyadic) Dyadic {
	exponent := max(d.Exponent, e.Exponent)
	a, b := d.over(exponent), e.over(exponent)
	if sum := a + b; (sum > a) == (b > 0) {
		return MakeDyadic(sum, exponent)
	}
	panic(ErrRange)
}

func (d Dyadic) negative() Dyadic      { return Dyadic{-d.Numerator, d.Exponent} }
func (d Dyadic) minus(e Dyadic) Dyadic { return d.plus(e.negative()) }
func (d Dyadic) half() Dyadic          { return MakeDyadic(d.Numerator, d.Exponent+1) }

func (d Dyadic) times(n int64) Dyadic {
	product := d.Numerator * n
	if n != 0 && product/n != d.Numerator {
		panic(ErrRange)
	}
	return MakeDyadic(product, d.Exponent)
}

// compare is negative, 0 or positive as d is less than, equal to or more than e.
func (d Dyadic) compare(e Dyadic) int {
	if d.Exponent == e.Exponent {
		return cmp.Compare(d.Numerator, e.Numerator)
	}
	if order := cmp.Compare(d.whole(), e.whole()); order != 0 {
		return order
	}
	return cmp.Compare(d.part(), e.part())
}

// whole is the largest integer that is no more than d.
func (d Dyadic) whole() int64 { return d.Numerator >> d.Exponent }

// part is what d is more than that, in units of 2^-62.
func (d Dyadic) part() int64 {
	return (d.Numerator - d.whole()<<d.Exponent) << (mostExponent - d.Exponent)
}

// Number tells whether a game is a number, and which.
func (u *Universe) Number(g Game) (value Dyadic, is bool) {
	f := &u.forms[g]
	if !f.isNumber {
		return Dyadic{}, false
	}
	return f.stops[0], true
}

// readNumber knows the canonical forms of numbers: {n-1|} and {|n+1} for
// integers n, and the two neighbours with the same denominator for others.
func (u *Universe) readNumber(f form) (Dyadic, bool) {
	if len(f.left) > 1 || len(f.right) > 1 {
		return Dyadic{}, false
	}
	var below, above Dyadic
	for _, o := range f.left {
		value, is := u.Number(o)
		if !is {
			return Dyadic{}, false
		}
		below = value
	}
	for _, o := range f.right {
		value, is := u.Number(o)
		if !is {
			return Dyadic{}, false
		}
		above = value
	}
	one := Dyadic{Numerator: 1}
	switch {
	case len(f.left) == 0 && len(f.right) == 0:
		return Dyadic{}, true
	case len(f.right) == 0:
		return below.plus(one), true
	case len(f.left) == 0:
		return above.minus(one), true
	}
	return below.plus(above).half(), below.compare(above) < 0
}

// OfNumber is the game that is a number. It makes a game for each unit of that, and for each binary
// digit behind the point: a large integer takes as much time and memory.
func (u *Universe) OfNumber(d Dyadic) Game {
	d = MakeDyadic(d.Numerator, d.Exponent)
	low := u.integer(d.whole())
	if d.Exponent == 0 {
		return low
	}
	high := u.integer(d.whole() + 1)
	for digit := d.Exponent - 1; ; digit-- {
		middle := u.Make([]Game{low}, []Game{high})
		switch {
		case digit == 0: // the last one, which is 1
			return middle
		case d.Numerator>>digit&1 != 0:
			low = middle
		default:
			high = middle
		}
	}
}

// integer is the game that is n.
func (u *Universe) integer(n int64) Game {
	g := Zero
	for ; n > 0; n-- {
		g = u.Make([]Game{g}, nil)
	}
	for ; n < 0; n++ {
		g = u.Make(nil, []Game{g})
	}
	return g
}
