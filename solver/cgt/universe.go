package cgt

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
)

// Game is a game of one Universe: the number of its canonical form.
type Game uint32

// Zero is the game without moves, in every universe.
const Zero Game = 0

// ErrMemory says that the games of a universe, or a text, take more memory than they may. What
// has no error of its own panics with it; Within gives it as an error.
var ErrMemory = errors.New("the canonical forms take more memory than is allowed")

// Universe holds canonical forms. It is not safe for concurrent use.
type Universe struct {
	// Memory bounds what games, the values of positions and a text take, in bytes with garbage;
	// 0 for no bound. It may be passed by what one more game takes.
	Memory uint64

	forms     []canonical
	byOptions map[string]Game

	atMost    map[pair]bool
	sums      map[pair]Game
	negatives map[Game]Game
	nimbers   []Game
	ups       []Game // ups[n] is n·↑
	thermos   map[Game]thermograph

	options uint64 // of all forms

	ctx    context.Context // of Within, or nil
	beside uint64          // bytes that are held beside the games in it
	steps  int             // since the last look at the context
}

// form is the options of a game, canonical themselves.
type form struct{ left, right []Game }

// canonical is a canonical form: no option is dominated, none reversible, and they are
// in rising order of their numbers.
type canonical struct {
	form
	isNumber bool
	stops    [2]Dyadic // Left's and Right's; the value itself of a number
	birthday int
	rest     infinitesimal // beside the number that both stops are
}

type pair struct{ a, b Game }

// NewUniverse makes one that holds Zero.
func NewUniverse() *Universe {
	u := &Universe{
		byOptions: make(map[string]Game),
		atMost:    make(map[pair]bool),
		sums:      make(map[pair]Game),
		negatives: make(map[Game]Game),
		thermos:   make(map[Game]thermograph),
	}
	u.nimbers = []Game{u.intern(form{})}
	u.ups = []Game{Zero}
	return u
}

// Left lists Left's options of a game's canonical form. The caller must not change them.
func (u *Universe) Left(g Game) []Game { return u.forms[g].left }

// Right lists Right's options of a game's canonical form. The caller must not change them.
func (u *Universe) Right(g Game) []Game { return u.forms[g].right }

// What is held, in bytes: a form, with its thermograph and its places in maps; an option, in
// the form and in its key; a comparison or a sum; and a text beside what it says. Maps are half
// full at worst.
const (
	formBytes   = 480
	optionBytes = 12
	pairBytes   = 32
	textBytes   = 48
)

// Bytes is about what the universe takes.
func (u *Universe) Bytes() uint64 {
	return uint64(len(u.forms))*formBytes + u.options*optionBytes + uint64(len(u.atMost)+len(u.sums))*pairBytes
}

// fits tells whether the universe, what is held beside it, and so many bytes more keep within
// Memory.
func (u *Universe) fits(more uint64) bool {
	const garbage = 2 // times what is held, before the collector comes
	return u.Memory == 0 || (u.Bytes()+u.beside+more)*garbage <= u.Memory
}

// intern gives the number of a canonical form.
func (u *Universe) intern(f form) Game {
	key := make([]byte, 0, 4*(len(f.left)+len(f.right)+1))
	key = binary.LittleEndian.AppendUint32(key, uint32(len(f.left)))
	for _, g := range f.left {
		key = binary.LittleEndian.AppendUint32(key, uint32(g))
	}
	for _, g := range f.right {
		key = binary.LittleEndian.AppendUint32(key, uint32(g))
	}
	if g, known := u.byOptions[string(key)]; known {
		return g
	}
	u.step()
	g := Game(len(u.forms))
	u.forms = append(u.forms, u.facts(f))
	u.options += uint64(len(f.left) + len(f.right))
	u.byOptions[string(key)] = g
	return g
}

// facts is a canonical form with what is known of it.
func (u *Universe) facts(f form) canonical {
	c := canonical{form: f}
	for _, o := range slices.Concat(f.left, f.right) {
		c.birthday = max(c.birthday, u.forms[o].birthday+1)
	}
	value, isNumber := u.readNumber(f)
	if isNumber {
		c.isNumber, c.stops, c.rest.is = true, [2]Dyadic{value, value}, true
		return c
	}
	// A game that is no number has options of both players.
	c.stops = [2]Dyadic{u.RightStop(f.left[0]), u.LeftStop(f.right[0])}
	for _, o := range f.left[1:] {
		if stop := u.RightStop(o); stop.compare(c.stops[0]) > 0 {
			c.stops[0] = stop
		}
	}
	for _, o := range f.right[1:] {
		if stop := u.LeftStop(o); stop.compare(c.stops[1]) < 0 {
			c.stops[1] = stop
		}
	}
	if c.stops[0] == c.stops[1] {
		c.rest = u.readInfinitesimal(f, c.stops[0])
	}
	return c
}

// Make is the game with these options, in canonical form. It does not keep the
// slices.
func (u *Universe) Make(left, right []Game) Game {
	f := form{distinct(left), distinct(right)}
	f = form{u.bypassLeft(f), u.bypassRight(f)}
	return u.intern(form{u.undominated(f.left, u.LessOrEqual), u.undominated(f.right, u.greaterOrEqual)})
}

func distinct(options []Game) []Game {
	options = slices.Clone(options)
	slices.Sort(options)
	return slices.Compact(options)
}

// bypassLeft replaces Left's reversible options: one from which Right can
// answer with something no better for Left than the whole game stands for
// Left's options in that answer.
func (u *Universe) bypassLeft(f form) []Game {
	var kept []Game
	seen := make(map[Game]bool)
	for waiting := f.left; len(waiting) > 0; waiting = waiting[1:] {
		option := waiting[0]
		if seen[option] {
			continue
		}
		seen[option] = true
		answer := slices.IndexFunc(u.Right(option), func(r Game) bool { return u.formAtLeast(f, r) })
		if answer < 0 {
			kept = append(kept, option)
			continue
		}
		waiting = slices.Concat(waiting, u.Left(u.Right(option)[answer]))
	}
	return distinct(kept)
}

// bypassRight is bypassLeft with the players exchanged.
func (u *Universe) bypassRight(f form) []Game {
	var kept []Game
	seen := make(map[Game]bool)
	for waiting := f.right; len(waiting) > 0; waiting = waiting[1:] {
		option := waiting[0]
		if seen[option] {
			continue
		}
		seen[option] = true
		answer := slices.IndexFunc(u.Left(option), func(l Game) bool { return u.formAtMost(f, l) })
		if answer < 0 {
			kept = append(kept, option)
			continue
		}
		waiting = slices.Concat(waiting, u.Right(u.Left(option)[answer]))
	}
	return distinct(kept)
}

// undominated keeps the options that are not worse than, in an order, another.
func (u *Universe) undominated(options []Game, worse func(a, b Game) bool) []Game {
	var kept []Game
	for i, a := range options {
		dominated := slices.ContainsFunc(options, func(b Game) bool { return b != options[i] && worse(a, b) })
		if !dominated {
			kept = append(kept, a)
		}
	}
	return kept
}

// formAtLeast tells f >= g, formAtMost f <= g, for options f that need not be
// in canonical form.
func (u *Universe) formAtLeast(f form, g Game) bool {
	return !slices.ContainsFunc(f.right, func(r Game) bool { return u.LessOrEqual(r, g) }) &&
		!slices.ContainsFunc(u.Left(g), func(l Game) bool { return u.formAtMost(f, l) })
}

func (u *Universe) formAtMost(f form, g Game) bool {
	return !slices.ContainsFunc(f.left, func(l Game) bool { return u.LessOrEqual(g, l) }) &&
		!slices.ContainsFunc(u.Right(g), func(r Game) bool { return u.formAtLeast(f, r) })
}

// LessOrEqual tells a <= b: Left, moving second, wins b - a. Mostly stops tell: those of
// a are no larger than those of b then, and where Left's of a is less than Right's of b,
// a is less than b.
func (u *Universe) LessOrEqual(a, b Game) bool {
	if a == b {
		return true
	}
	low, high := &u.forms[a].stops, &u.forms[b].stops
	switch {
	case low[0].compare(high[1]) < 0:
		return true
	case low[0].compare(high[0]) > 0, low[1].compare(high[1]) > 0:
		return false
	}
	key := pair{a, b}
	if known, ok := u.atMost[key]; ok {
		return known
	}
	u.step()
	is := !slices.ContainsFunc(u.Left(a), func(l Game) bool { return u.LessOrEqual(b, l) }) &&
		!slices.ContainsFunc(u.Right(b), func(r Game) bool { return u.LessOrEqual(r, a) })
	u.atMost[key] = is
	return is
}

func (u *Universe) greaterOrEqual(a, b Game) bool { return u.LessOrEqual(b, a) }

// Sum is the game in which a player moves in a or in b.
func (u *Universe) Sum(a, b Game) Game {
	switch {
	case a == Zero:
		return b
	case b == Zero:
		return a
	case a > b:
		a, b = b, a
	}
	key := pair{a, b}
	if known, ok := u.sums[key]; ok {
		return known
	}
	u.step()
	sum := u.Make(
		slices.Concat(u.sumEach(u.Left(a), b), u.sumEach(u.Left(b), a)),
		slices.Concat(u.sumEach(u.Right(a), b), u.sumEach(u.Right(b), a)))
	u.sums[key] = sum
	return sum
}

func (u *Universe) sumEach(options []Game, b Game) []Game {
	var sums []Game
	for _, a := range options {
		sums = append(sums, u.Sum(a, b))
	}
	return sums
}

// Negative is the game with the players exchanged.
func (u *Universe) Negative(g Game) Game {
	if g == Zero {
		return Zero
	}
	if known, ok := u.negatives[g]; ok {
		return known
	}
	negate := func(options []Game) []Game {
		var negated []Game
		for _, o := range options {
			negated = append(negated, u.Negative(o))
		}
		slices.Sort(negated)
		return negated
	}
	n := u.intern(form{negate(u.Right(g)), negate(u.Left(g))})
	u.negatives[g], u.negatives[n] = n, g
	return n
}

// Outcome says who wins a game.
type Outcome uint8

const (
	SecondWins Outcome = iota // whoever moves second
	FirstWins                 // whoever moves first
	LeftWins                  // whoever begins
	RightWins
)

var outcomeNames = [...]string{"second", "first", "left", "right"}

func (o Outcome) String() string { return outcomeNames[o] }

// Outcome is the outcome class of a game.
func (u *Universe) Outcome(g Game) Outcome {
	switch atLeast, atMost := u.LessOrEqual(Zero, g), u.LessOrEqual(g, Zero); {
	case atLeast && atMost:
		return SecondWins
	case atLeast:
		return LeftWins
	case atMost:
		return RightWins
	}
	return FirstWins
}
