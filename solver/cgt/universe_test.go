package cgt

import (
	"context"
	"errors"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// drawGame draws a game that is born within so many days.
func drawGame(t *rapid.T, u *Universe, days int) Game {
	if days == 0 {
		return Zero
	}
	draw := func(label string) []Game {
		var options []Game
		for range rapid.IntRange(0, 2).Draw(t, label) {
			options = append(options, drawGame(t, u, rapid.IntRange(0, days-1).Draw(t, "days")))
		}
		return options
	}
	return u.Make(draw("left"), draw("right"))
}

const days = 4

func TestGamesAreAnOrderedGroup(t *testing.T) {
	u := NewUniverse()
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := drawGame(t, u, days), drawGame(t, u, days), drawGame(t, u, 2)
		switch {
		case u.Sum(a, b) != u.Sum(b, a):
			t.Error("a + b is not b + a")
		case u.Sum(u.Sum(a, b), c) != u.Sum(a, u.Sum(b, c)):
			t.Error("(a + b) + c is not a + (b + c)")
		case u.Sum(a, Zero) != a:
			t.Error("a + 0 is not a")
		case u.Sum(a, u.Negative(a)) != Zero:
			t.Error("a - a is not 0")
		case u.Negative(u.Negative(a)) != a:
			t.Error("-(-a) is not a")
		case u.Negative(u.Sum(a, b)) != u.Sum(u.Negative(a), u.Negative(b)):
			t.Error("-(a + b) is not -a - b")
		case u.LessOrEqual(a, b) && u.LessOrEqual(b, c) && !u.LessOrEqual(a, c):
			t.Error("a <= b <= c but not a <= c")
		case u.LessOrEqual(a, b) != u.LessOrEqual(u.Sum(a, c), u.Sum(b, c)):
			t.Error("a <= b and a + c <= b + c are not the same")
		}
	})
}

// wins tells whether a player (0 for Left) who is to move wins the sum of some
// games, by play alone.
func wins(u *Universe, games []Game, player int) bool {
	for i, g := range games {
		options := u.Left(g)
		if player == 1 {
			options = u.Right(g)
		}
		for _, o := range options {
			after := append([]Game{o}, games[:i]...)
			if !wins(u, append(after, games[i+1:]...), 1-player) {
				return true
			}
		}
	}
	return false
}

func TestSumsAndOrderAreThoseOfPlay(t *testing.T) {
	u := NewUniverse()
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawGame(t, u, 2), drawGame(t, u, 2)
		left, right := wins(u, []Game{a, b}, 0), wins(u, []Game{a, b}, 1)
		want := map[[2]bool]Outcome{{false, false}: SecondWins, {true, true}: FirstWins, {true, false}: LeftWins, {false, true}: RightWins}[[2]bool{left, right}]
		if got := u.Outcome(u.Sum(a, b)); got != want {
			t.Errorf("%s + %s: %v, want %v", u.Format(a), u.Format(b), got, want)
		}
		// a <= b if Left, moving second, wins b - a.
		if got, want := u.LessOrEqual(a, b), !wins(u, []Game{b, u.Negative(a)}, 1); got != want {
			t.Errorf("%s <= %s: %v, want %v", u.Format(a), u.Format(b), got, want)
		}
	})
}

func TestCanonicalFormIsIdempotentAndMinimal(t *testing.T) {
	u := NewUniverse()
	rapid.Check(t, func(t *rapid.T) {
		g := drawGame(t, u, days)
		if again := u.Make(u.Left(g), u.Right(g)); again != g {
			t.Errorf("%s becomes %s", u.Format(g), u.Format(again))
		}
		for i, a := range u.Left(g) {
			for j, b := range u.Left(g) {
				if i != j && u.LessOrEqual(a, b) {
					t.Errorf("%s: left option %s is dominated", u.Format(g), u.Format(a))
				}
			}
			for _, answer := range u.Right(a) {
				if u.LessOrEqual(answer, g) {
					t.Errorf("%s: left option %s is reversible", u.Format(g), u.Format(a))
				}
			}
		}
	})
}

// By day 1 there are 4 games, by day 2 there are 22 (On Numbers and Games).
func TestGamesBornByDay(t *testing.T) {
	u := NewUniverse()
	born := []Game{Zero}
	for day, want := range []int{4, 22} {
		var next []Game
		for left := range 1 << len(born) {
			for right := range 1 << len(born) {
				next = append(next, u.Make(chosen(born, left), chosen(born, right)))
			}
		}
		if born = distinct(next); len(born) != want {
			t.Fatalf("%d games by day %d, want %d", len(born), day+1, want)
		}
	}
}

// chosen is the games whose bit is set.
func chosen(games []Game, set int) []Game {
	var some []Game
	for i, g := range games {
		if set>>i&1 != 0 {
			some = append(some, g)
		}
	}
	return some
}

func TestMeansAddUpAndTemperaturesDoNotRise(t *testing.T) {
	u := NewUniverse()
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawGame(t, u, days), drawGame(t, u, 2)
		sum := u.Sum(a, b)
		if got, want := u.Mean(sum), u.Mean(a).plus(u.Mean(b)); got != want {
			t.Errorf("mean of %s + %s: %v, want %v", u.Format(a), u.Format(b), got, want)
		}
		hotter := u.Temperature(a)
		if u.Temperature(b).compare(hotter) > 0 {
			hotter = u.Temperature(b)
		}
		if u.Temperature(sum).compare(hotter) > 0 {
			t.Errorf("temperature of %s + %s: %v", u.Format(a), u.Format(b), u.Temperature(sum))
		}
	})
}

// Stops by their definition.
func TestStopsAreThoseOfPlay(t *testing.T) {
	u := NewUniverse()
	var stop func(g Game, player int) Dyadic
	stop = func(g Game, player int) Dyadic {
		if value, is := u.Number(g); is {
			return value
		}
		options, sign := u.Left(g), 1
		if player == 1 {
			options, sign = u.Right(g), -1
		}
		best := stop(options[0], 1-player)
		for _, o := range options[1:] {
			if s := stop(o, 1-player); s.compare(best)*sign > 0 {
				best = s
			}
		}
		return best
	}
	rapid.Check(t, func(t *rapid.T) {
		g := drawGame(t, u, days)
		if l, r := u.LeftStop(g), u.RightStop(g); l != stop(g, 0) || r != stop(g, 1) {
			t.Errorf("%s: stops %v and %v, want %v and %v", u.Format(g), l, r, stop(g, 0), stop(g, 1))
		}
		cooled := u.thermograph(g)
		if l, r := cooled.left.at(Dyadic{}), cooled.right.at(Dyadic{}); l != u.LeftStop(g) || r != u.RightStop(g) {
			t.Errorf("%s: the thermograph has stops %v and %v, want %v and %v", u.Format(g), l, r, u.LeftStop(g), u.RightStop(g))
		}
	})
}

// A stop is that of the best option, whichever was made first: 0 and -1/2 of {0|-1/2,{0|-1}}.
func TestStopsAreThoseOfTheBestOption(t *testing.T) {
	half, zero := MakeDyadic(1, 1), Dyadic{}
	for _, numberFirst := range []bool{true, false} {
		u := NewUniverse()
		if numberFirst {
			u.OfNumber(half.negative())
		}
		hot := u.Make([]Game{Zero}, []Game{u.OfNumber(MakeDyadic(-1, 0))})
		g := u.Make([]Game{Zero}, []Game{u.OfNumber(half.negative()), hot})
		if got := u.Format(g); len(u.Right(g)) != 2 {
			t.Fatalf("%s: want two options of Right", got)
		}
		n := u.Negative(g)
		if l, r := u.LeftStop(g), u.RightStop(g); l != zero || r != half.negative() {
			t.Errorf("%s: stops %v and %v, want 0 and -1/2", u.Format(g), l, r)
		}
		if l, r := u.LeftStop(n), u.RightStop(n); l != half || r != zero {
			t.Errorf("%s: stops %v and %v, want 1/2 and 0", u.Format(n), l, r)
		}
	}
}

func TestNumbersAddAsNumbers(t *testing.T) {
	u := NewUniverse()
	rapid.Check(t, func(t *rapid.T) {
		draw := func() Dyadic {
			return MakeDyadic(rapid.Int64Range(-20, 20).Draw(t, "numerator"), rapid.Uint8Range(0, 3).Draw(t, "exponent"))
		}
		a, b := draw(), draw()
		x, y := u.OfNumber(a), u.OfNumber(b)
		sum, is := u.Number(u.Sum(x, y))
		if !is || sum != a.plus(b) || u.LessOrEqual(x, y) != (a.compare(b) <= 0) {
			t.Errorf("%v + %v = %v (%v)", a, b, sum, is)
		}
	})
}

// Numbers of many digits are right, or refused.
func TestNumbersOutOfRangeAreRefused(t *testing.T) {
	u := NewUniverse()
	least, one := u.OfNumber(Dyadic{1, 62}), u.OfNumber(Dyadic{1, 0})
	if !u.LessOrEqual(least, one) || u.LessOrEqual(one, least) || u.LessOrEqual(least, Zero) {
		t.Errorf("1/2^62 is not between 0 and 1")
	}
	for name, work := range map[string]func(){
		"1/2^63":              func() { MakeDyadic(1, 63) },
		"1/2^64":              func() { MakeDyadic(1, 64) },
		"1/2^63, as it is":    func() { u.OfNumber(Dyadic{1, 63}) },
		"-2^63":               func() { MakeDyadic(math.MinInt64, 0) },
		"1/2^62 + 1":          func() { u.Sum(least, one) },
		"-1/2^62 - 1":         func() { u.Sum(u.Negative(least), u.Negative(one)) },
		"half of 1/2^62":      func() { u.Make([]Game{Zero}, []Game{least}) },
		"a mean that is that": func() { u.Mean(u.Make([]Game{least}, []Game{Zero})) },
	} {
		if err := u.Within(t.Context(), work); err != ErrRange {
			t.Errorf("%s: %v, want %v", name, err, ErrRange)
		}
	}
	if value, is := u.Number(u.Sum(least, u.Negative(least))); !is || value != (Dyadic{}) {
		t.Errorf("1/2^62 - 1/2^62 is %v, a number %v", value, is)
	}
	for _, d := range []Dyadic{{1<<62 - 1, 62}, {0x2aaaaaaaaaaaaaab, 62}, {-0x2aaaaaaaaaaaaaab, 62}, {100_000, 0}} {
		if value, is := u.Number(u.OfNumber(d)); !is || value != d {
			t.Errorf("%v is %v, a number %v", d, value, is)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		draw := func() (Dyadic, *big.Rat) {
			d := MakeDyadic(rapid.Int64Range(-mostNumerator, mostNumerator).Draw(t, "numerator"), rapid.Uint8Range(0, mostExponent).Draw(t, "exponent"))
			return d, new(big.Rat).SetFrac(big.NewInt(d.Numerator), new(big.Int).Lsh(big.NewInt(1), uint(d.Exponent)))
		}
		a, x := draw()
		b, y := draw()
		if a.compare(b) != x.Cmp(y) {
			t.Errorf("%v and %v compare as %d", a, b, a.compare(b))
		}
		var sum Dyadic
		want := new(big.Rat).Add(x, y)
		fits := want.Num().BitLen() <= 62 && want.Denom().BitLen() <= mostExponent+1
		err := u.Within(t.Context(), func() { sum = a.plus(b) })
		if (err == nil) != fits || fits && sum.String() != want.RatString() {
			t.Errorf("%v + %v = %v, %v, want %v", a, b, sum, err, want)
		}
	})
}

// What has nothing to do with ranges is no error of theirs.
func TestWithinLetsOtherPanicsPass(t *testing.T) {
	defer func() {
		if got := recover(); got != "a broken invariant" {
			t.Errorf("panics with %v", got)
		}
	}()
	t.Errorf("returns %v", NewUniverse().Within(t.Context(), func() { panic("a broken invariant") }))
}

// The sums of a number, ups and a nimber are known by their canonical forms, and nothing else is
// taken for one: what Format reads there are the sums themselves.
func TestNumberishGamesAreReadFromTheirForms(t *testing.T) {
	u := NewUniverse()
	texts := make(map[string]Game)
	for _, x := range []Dyadic{{}, {3, 0}, {-5, 2}} {
		for n := -6; n <= 6; n++ {
			for k := range 10 {
				g := u.Sum(u.OfNumber(x), u.Sum(u.Up(n), u.Nimber(k)))
				if got := u.forms[g].rest; got != (infinitesimal{true, n, k}) || u.LeftStop(g) != x {
					t.Errorf("%v + %d·↑ + *%d is read as %v + %+v", x, n, k, u.LeftStop(g), got)
				}
				text := u.Format(g)
				if other, taken := texts[text]; taken && other != g {
					t.Errorf("%s is the text of two games", text)
				}
				texts[text] = g
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		g := drawGame(t, u, days)
		f := u.forms[g]
		sum := u.Sum(u.OfNumber(f.stops[0]), u.Sum(u.Up(f.rest.n), u.Nimber(f.rest.k)))
		if f.rest.is != (sum == g) {
			t.Errorf("%s is read as %v + %+v", u.Format(g), f.stops[0], f.rest)
		}
	})
}

func TestBirthdays(t *testing.T) {
	u := NewUniverse()
	var naive func(g Game) int
	naive = func(g Game) int {
		days := 0
		for _, o := range slices.Concat(u.Left(g), u.Right(g)) {
			days = max(days, naive(o)+1)
		}
		return days
	}
	rapid.Check(t, func(t *rapid.T) {
		if g := drawGame(t, u, days); u.Birthday(g) != naive(g) {
			t.Errorf("%s: %d, want %d", u.Format(g), u.Birthday(g), naive(g))
		}
	})
}

// A nimber has two to the power of its size of lines, and a hot game its options in every text:
// neither is gone through more than once.
func TestGamesOfManyLinesAreReadAtOnce(t *testing.T) {
	u := NewUniverse()
	big := u.Sum(u.Up(30), u.Nimber(60))
	if days, text := u.Birthday(u.Nimber(60)), u.Format(big); days != 60 || text != "^30*60" {
		t.Errorf("*60 is born on day %d, and ^30*60 is written %s", days, text)
	}
}

// switches is ±1 ± 2 ± 4 ... of so many.
func switches(u *Universe, many int) Game {
	sum := Zero
	for n := range many {
		hot := u.OfNumber(Dyadic{Numerator: 1 << n})
		sum = u.Sum(sum, u.Make([]Game{hot}, []Game{u.Negative(hot)}))
	}
	return sum
}

// Comparisons, sums and texts stop where the memory ends or the context does, and what was there
// before is good after that.
func TestWorkStopsAtItsLimits(t *testing.T) {
	for _, many := range []int{6, 7} {
		u := NewUniverse()
		var sum Game
		ctx := newEndsAtLook(t, 3)
		if err := u.Within(ctx, func() { sum = switches(u, many) }); !errors.Is(err, context.Canceled) || ctx.looks != 0 {
			t.Errorf("%d switches: %v, and it was asked %d times more", many, err, -ctx.looks)
		}
		u.Memory = 2*u.Bytes() + 10_000
		if err := u.Within(t.Context(), func() { sum = switches(u, many) }); err != ErrMemory || u.Bytes() > u.Memory {
			t.Errorf("%d switches in %d bytes: %v, with %d held", many, u.Memory, err, u.Bytes())
		}
		u.Memory = 0
		if sum = switches(u, many); sum != switches(u, many) || u.Sum(sum, sum) != Zero {
			t.Errorf("%d switches are not their own negative", many)
		}
		var text string
		if err := u.Within(t.Context(), func() { text = u.Format(sum) }); err != nil || strings.Count(text, "|") < 1<<many-1 {
			t.Errorf("%d switches: %v, a text of %d bytes", many, err, len(text))
		}
		u.Memory = 2*u.Bytes() + uint64(len(text))
		if err := u.Within(t.Context(), func() { u.Format(sum) }); err != ErrMemory {
			t.Errorf("a text of %d bytes in %d: %v", len(text), len(text)/2, err)
		}
		if err := u.Within(t.Context(), func() { u.Hold(uint64(len(text))) }); err != ErrMemory {
			t.Errorf("%d bytes in %d: %v", len(text), len(text)/2, err)
		}
		if err := u.Within(t.Context(), func() { u.Hold(uint64(len(text)) / 4) }); err != nil || u.beside != 0 {
			t.Errorf("a quarter of that: %v, and %d are held after that", err, u.beside)
		}
	}
}

func TestNimbersAddWithoutCarry(t *testing.T) {
	u := NewUniverse()
	for a := range 6 {
		for b := range 6 {
			if u.Sum(u.Nimber(a), u.Nimber(b)) != u.Nimber(a^b) {
				t.Errorf("*%d + *%d is not *%d", a, b, a^b)
			}
		}
	}
}

func TestFormatAndThermographs(t *testing.T) {
	u := NewUniverse()
	number := func(numerator int64, exponent uint8) Game { return u.OfNumber(MakeDyadic(numerator, exponent)) }
	of := func(options ...Game) []Game { return options }
	up, star := u.Up(1), u.Nimber(1)
	for _, c := range []struct {
		game              Game
		text, temperature string
		mean              string
		outcome           Outcome
	}{
		{Zero, "0", "-1", "0", SecondWins},
		{number(-3, 2), "-3/4", "-1/4", "-3/4", RightWins},
		{number(5, 0), "5", "-1", "5", LeftWins},
		{star, "*", "0", "0", FirstWins},
		{u.Nimber(2), "*2", "0", "0", FirstWins},
		{up, "^", "0", "0", LeftWins},
		{u.Negative(up), "v", "0", "0", RightWins},
		{u.Sum(up, star), "^*", "0", "0", FirstWins},
		{u.Sum(up, up), "^2", "0", "0", LeftWins},
		{u.Sum(u.Up(-3), star), "v3*", "0", "0", RightWins},
		{u.Sum(u.Up(2), u.Nimber(2)), "^2*2", "0", "0", LeftWins},
		{u.Sum(number(2, 0), u.Sum(up, star)), "2^*", "0", "2", LeftWins},
		{u.Sum(number(1, 1), u.Nimber(3)), "1/2*3", "0", "1/2", LeftWins},
		{u.Make(of(number(1, 0)), of(number(-1, 0))), "{1|-1}", "1", "0", FirstWins},
		{u.Make(of(number(2, 0)), of(number(1, 1))), "{2|1/2}", "3/4", "5/4", LeftWins},
		{u.Make(of(Zero), of(u.Make(of(Zero), of(number(-2, 0))))), "{0|{0|-2}}", "0", "0", LeftWins},
		{u.Make(of(u.Make(of(number(3, 0)), of(number(1, 0))), star), of(number(-1, 0))), "{{3|1}|-1}", "3/2", "1/2", FirstWins},
	} {
		if got := u.Format(c.game); got != c.text {
			t.Errorf("%s is written %s", c.text, got)
		}
		if got := u.Temperature(c.game).String(); got != c.temperature {
			t.Errorf("temperature of %s: %s, want %s", c.text, got, c.temperature)
		}
		if got := u.Mean(c.game).String(); got != c.mean {
			t.Errorf("mean of %s: %s, want %s", c.text, got, c.mean)
		}
		if got := u.Outcome(c.game); got != c.outcome {
			t.Errorf("outcome of %s: %v, want %v", c.text, got, c.outcome)
		}
	}
}
