package cgt

import (
	"fmt"
	"slices"
	"strings"
)

// Nimber is *n, the heap of n in Nim. It panics where n is less than 0.
func (u *Universe) Nimber(n int) Game {
	for len(u.nimbers) <= n {
		u.nimbers = append(u.nimbers, u.intern(form{slices.Sorted(slices.Values(u.nimbers)), slices.Sorted(slices.Values(u.nimbers))}))
	}
	return u.nimbers[n]
}

// Up is n·↑, for n < 0 the negative of -n·↑.
func (u *Universe) Up(n int) Game {
	if n < 0 {
		return u.Negative(u.Up(-n))
	}
	if len(u.ups) == 1 {
		u.ups = append(u.ups, u.Make([]Game{Zero}, []Game{u.Nimber(1)}))
	}
	for len(u.ups) <= n {
		u.ups = append(u.ups, u.Sum(u.ups[len(u.ups)-1], u.ups[1]))
	}
	return u.ups[n]
}

// isNimber tells whether a game is *n, and which.
func (u *Universe) isNimber(g Game) (n int, is bool) {
	n = len(u.Left(g))
	if len(u.Right(g)) != n {
		return 0, false
	}
	return n, u.Nimber(n) == g
}

// Birthday is the number of moves in the longest line of a game's canonical
// form.
func (u *Universe) Birthday(g Game) int {
	days := 0
	for _, o := range slices.Concat(u.Left(g), u.Right(g)) {
		days = max(days, u.Birthday(o)+1)
	}
	return days
}

// infinitesimal tells whether a game is n·↑ + *k, and which. Its birthday is
// more than n and no less than k.
func (u *Universe) infinitesimal(g Game) (n, k int, is bool) {
	days := u.Birthday(g)
	for n := -days; n <= days; n++ {
		if k, is := u.isNimber(u.Sum(g, u.Negative(u.Up(n)))); is {
			return n, k, true
		}
	}
	return 0, 0, false
}

// Format writes a canonical form: "-3/4" for numbers, "*2" for nimbers, "^2*"
// and "v3" for multiples of up and down with a nimber, a number before one of
// these for their sum, and "{L,...|R,...}", options in the order of their
// texts, for everything else.
func (u *Universe) Format(g Game) string {
	if value, is := u.Number(g); is {
		return value.String()
	}
	if left, right := u.LeftStop(g), u.RightStop(g); left == right {
		if n, k, is := u.infinitesimal(u.Sum(g, u.OfNumber(left.negative()))); is {
			return formatNumberish(left, n, k)
		}
	}
	return "{" + u.formatOptions(u.Left(g)) + "|" + u.formatOptions(u.Right(g)) + "}"
}

func (u *Universe) formatOptions(options []Game) string {
	var texts []string
	for _, o := range options {
		texts = append(texts, u.Format(o))
	}
	slices.Sort(texts)
	return strings.Join(texts, ",")
}

// formatNumberish writes a number + n·↑ + *k, in which n or k is not 0.
func formatNumberish(value Dyadic, n, k int) string {
	text := ""
	if value != (Dyadic{}) {
		text = value.String()
	}
	switch {
	case n > 0:
		text += "^"
	case n < 0:
		text, n = text+"v", -n
	}
	if n > 1 {
		text += fmt.Sprint(n)
	}
	if k > 0 {
		text += "*"
	}
	if k > 1 {
		text += fmt.Sprint(k)
	}
	return text
}
