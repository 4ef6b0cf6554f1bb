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

// Birthday is the number of moves in the longest line of a game's canonical
// form.
func (u *Universe) Birthday(g Game) int { return u.forms[g].birthday }

// infinitesimal is n·↑ + *k, if a game is that and a number.
type infinitesimal struct {
	is   bool
	n, k int
}

// readInfinitesimal knows the canonical forms of sums of the number x and an infinitesimal, if x
// is not all of the sum and both its stops:
//
//	x + *k         {x, ..., x + *(k-1) | x, ..., x + *(k-1)}
//	x + ↑ + *      {x, x + * | x}
//	x + n·↑ + *k   {x | x + (n-1)·↑ + *(k XOR 1)}  for all other n > 0
//
// and the negatives of these for n < 0 (Berlekamp, Conway and Guy, Winning Ways, 1982).
func (u *Universe) readInfinitesimal(f form, x Dyadic) infinitesimal {
	if k := len(f.left); slices.Equal(f.left, f.right) && u.areNimbers(f.left, x, k) {
		return infinitesimal{true, 0, k}
	}
	if ups := u.readUps(f.left, f.right, x, 1); ups.is {
		return ups
	}
	return u.readUps(f.right, f.left, x, -1)
}

// readUps is readInfinitesimal for n of one sign, which is given, and the options of the player
// who likes that and of the other one.
func (u *Universe) readUps(own, other []Game, x Dyadic, sign int) infinitesimal {
	if len(other) != 1 {
		return infinitesimal{}
	}
	answer, nimbers := u.besides(x, other[0]), 1
	if answer == (infinitesimal{is: true}) {
		nimbers = 2
	}
	if !answer.is || answer.n*sign < 0 || !u.areNimbers(own, x, nimbers) {
		return infinitesimal{}
	}
	return infinitesimal{true, answer.n + sign, answer.k ^ 1}
}

// areNimbers tells whether games are x, x + *, ..., x + *(k-1).
func (u *Universe) areNimbers(games []Game, x Dyadic, k int) bool {
	return len(games) == k && !slices.ContainsFunc(games, func(g Game) bool {
		rest := u.besides(x, g)
		return !rest.is || rest.n != 0 || rest.k >= k
	})
}

// besides is what a game is besides x, if that is infinitesimal.
func (u *Universe) besides(x Dyadic, g Game) infinitesimal {
	if f := &u.forms[g]; f.stops == [2]Dyadic{x, x} {
		return f.rest
	}
	return infinitesimal{}
}

// Format writes a canonical form: "-3/4" for numbers, "*2" for nimbers, "^2*"
// and "v3" for multiples of up and down with a nimber, a number before one of
// these for their sum, and "{L,...|R,...}", options in the order of their
// texts, for everything else. A text repeats what occurs more than once, and so it can take much
// more than the game: Format panics with ErrMemory where it passes Memory.
func (u *Universe) Format(g Game) string {
	w := writer{universe: u, texts: make(map[Game]string)}
	return w.text(g)
}

// writer writes a text. It holds those of the games that occur in it.
type writer struct {
	universe *Universe
	texts    map[Game]string
	bytes    uint64
}

func (w *writer) text(g Game) string {
	if known, ok := w.texts[g]; ok {
		return known
	}
	u := w.universe
	u.step()
	var text string
	if f := &u.forms[g]; f.rest.is {
		text = formatNumberish(f.stops[0], f.rest)
	} else {
		text = "{" + w.options(f.left) + "|" + w.options(f.right) + "}"
	}
	w.texts[g] = text
	if w.bytes += textBytes + uint64(len(text)); !u.fits(w.bytes) {
		panic(ErrMemory)
	}
	return text
}

func (w *writer) options(options []Game) string {
	var texts []string
	for _, o := range options {
		texts = append(texts, w.text(o))
	}
	slices.Sort(texts)
	return strings.Join(texts, ",")
}

// formatNumberish writes a number + n·↑ + *k.
func formatNumberish(value Dyadic, rest infinitesimal) string {
	text, n, k := "", rest.n, rest.k
	if value != (Dyadic{}) || rest == (infinitesimal{is: true}) {
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
