package bitboard

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// MostEchoed is about the most characters of a text from outside that a message
// repeats.
const MostEchoed = 100

// Quote is a text from outside as a message shows it: in quotes, with control
// characters escaped, and only its beginning where it is long.
func Quote(text string) string { return `"` + Shorten(text) + `"` }

// Shorten is Quote without the quotes.
func Shorten(text string) string {
	var shown strings.Builder
	for at := 0; at < len(text); {
		_, size := utf8.DecodeRuneInString(text[at:])
		quoted := strconv.Quote(text[at : at+size])
		letter := quoted[1 : len(quoted)-1]
		if shown.Len()+len(letter) > MostEchoed {
			return shown.String() + "..."
		}
		shown.WriteString(letter)
		at += size
	}
	return shown.String()
}

// around is Quote of the part of a long text that is about an offset.
func around(text string, offset int) string {
	if len(text) <= MostEchoed {
		return Quote(text)
	}
	from := max(0, min(offset, len(text))-MostEchoed/2)
	for from > 0 && from < len(text) && !utf8.RuneStart(text[from]) {
		from++
	}
	if from == 0 {
		return Quote(text)
	}
	return `"...` + Shorten(text[from:]) + `"`
}

// Count is a number and what it counts, such as "1 point" or "2 points".
func Count[N int | int64 | uint32 | uint64](n N, thing string) string {
	return fmt.Sprintf("%d %s", n, Plural(n == 1, thing))
}

// Enumerate writes words as prose does, with "or" or another word before the last: "a, b or c".
func Enumerate(conjunction string, words ...string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " " + conjunction + " " + words[last]
}

// Plural is the word for things of a number, which is one or another: "point" or "points",
// "index" or "indices", "entry" or "entries", "ply" or "plies", "loss" or "losses".
func Plural(one bool, thing string) string {
	stem, isY := strings.CutSuffix(thing, "y")
	switch {
	case one:
		return thing
	case thing == "index":
		return "indices"
	case isY:
		return stem + "ies"
	case strings.HasSuffix(thing, "s"):
		return thing + "es"
	}
	return thing + "s"
}
