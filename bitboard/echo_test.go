package bitboard

import (
	"strings"
	"testing"
)

func TestQuoteShowsTextAsItIsWhereItIsShort(t *testing.T) {
	for text, want := range map[string]string{
		"":             `""`,
		"BWB/.W. w":    `"BWB/.W. w"`,
		"a\tb\x00\x1b": `"a\tb\x00\x1b"`,
		"\xff":         `"\xff"`,
		`say "no"`:     `"say \"no\""`,
		"♟":            `"♟"`,
	} {
		if got := Quote(text); got != want {
			t.Errorf("Quote(%q) = %s, want %s", text, got, want)
		}
	}
}

func TestQuoteIsShort(t *testing.T) {
	for _, letter := range []string{"a", "\x00", "♟", "\xff", `"`} {
		got := Quote(strings.Repeat(letter, 1_000_000))
		if len(got) > MostEchoed+len(`"..."`) || !strings.HasSuffix(got, `..."`) {
			t.Errorf("a million of %q: %d bytes, %s", letter, len(got), got)
		}
	}
}

// What is wrong in a long text is in the part that is shown.
func TestSyntaxErrorsShowWhereTheyAre(t *testing.T) {
	text := strings.Repeat(".", 5000) + "X" + strings.Repeat(".", 5000)
	err := &SyntaxError{text, 5000, "unknown letter"}
	got := err.Error()
	if len(got) > 2*MostEchoed || !strings.Contains(got, "X") || !strings.Contains(got, "column 5001: unknown letter") {
		t.Errorf("%s", got)
	}
	for _, offset := range []int{0, 10_001} {
		if got := (&SyntaxError{text, offset, "wrong"}).Error(); len(got) > 2*MostEchoed {
			t.Errorf("column %d: %d bytes", offset+1, len(got))
		}
	}
}

func TestCountHasTheNumberOfItsThing(t *testing.T) {
	for n, want := range map[int]string{-1: "-1 points", 0: "0 points", 1: "1 point", 2: "2 points"} {
		if got := Count(n, "point"); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
	for thing, want := range map[string]string{"index": "2 indices", "entry": "2 entries", "ply": "2 plies", "loss": "2 losses", "byte": "2 bytes"} {
		if got := Count(uint64(2), thing); got != want || Count(int64(1), thing) != "1 "+thing {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestEnumerate(t *testing.T) {
	for want, words := range map[string][]string{"": nil, "a": {"a"}, "a or b": {"a", "b"}, "a, b or c": {"a", "b", "c"}} {
		if got := Enumerate("or", words...); got != want {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
	}
}
