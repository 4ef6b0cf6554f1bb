package cgt

import (
	"fmt"
	"math/bits"
)

// Dyadic is the number Numerator / 2^Exponent. In lowest terms the numerator
// is odd or the exponent is 0, and equal numbers are equal values.
type Dyadic struct {
	Numerator int64
	Exponent  uint8
}

// MakeDyadic is numerator / 2^exponent in lowest terms.
func MakeDyadic(numerator int64, exponent uint8) Dyadic {
	if numerator == 0 {
		return Dyadic{}
	}
	cancel := min(uint8(bits.TrailingZeros64(uint64(numerator))), exponent)
	return Dyadic{numerator >> cancel, exponent - cancel}
}

// String is "3", "-3/4" or the like.
func (d Dyadic) String() string {
	if d.Exponent == 0 {
		return fmt.Sprint(d.Numerator)
	}
	return fmt.Sprintf("%d/%d", d.Numerator, uint64(1)<<d.Exponent)
}

// over is the numerator of d over 2^exponent, which is no less than d's own.
func (d Dyadic) over(exponent uint8) int64 { return d.Numerator << (exponent - d.Exponent) }

func (d Dyadic) plus(e Dyadic) Dyadic {
	exponent := max(d.Exponent, e.Exponent)
	return MakeDyadic(d.over(exponent)+e.over(exponent), exponent)
}

func (d Dyadic) negative() Dyadic      { return Dyadic{-d.Numerator, d.Exponent} }
func (d Dyadic) minus(e Dyadic) Dyadic { return d.plus(e.negative()) }
func (d Dyadic) half() Dyadic          { return MakeDyadic(d.Numerator, d.Exponent+1) }
func (d Dyadic) times(n int64) Dyadic  { return MakeDyadic(d.Numerator*n, d.Exponent) }

// compare is negative, 0 or positive as d is less than, equal to or more than e.
func (d Dyadic) compare(e Dyadic) int64 {
	exponent := max(d.Exponent, e.Exponent)
	return d.over(exponent) - e.over(exponent)
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

// OfNumber is the game that is a number.
func (u *Universe) OfNumber(d Dyadic) Game {
	one := Dyadic{Numerator: 1}
	switch {
	case d == Dyadic{}:
		return Zero
	case d.Exponent == 0 && d.Numerator > 0:
		return u.Make([]Game{u.OfNumber(d.minus(one))}, nil)
	case d.Exponent == 0:
		return u.Make(nil, []Game{u.OfNumber(d.plus(one))})
	}
	below, above := MakeDyadic(d.Numerator-1, d.Exponent), MakeDyadic(d.Numerator+1, d.Exponent)
	return u.Make([]Game{u.OfNumber(below)}, []Game{u.OfNumber(above)})
}
