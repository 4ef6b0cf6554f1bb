package catalogue

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// CommandLine is a call of paika as a shell takes it.
func CommandLine(args ...string) string {
	words := []string{"paika"}
	for _, arg := range args {
		words = append(words, quote(arg))
	}
	return strings.Join(words, " ")
}

// ShownName is the name of a file or a folder as an answer shows it: as it is or, where it has what
// is not seen, such as the end of a line, as a shell takes it.
func ShownName(name string) string {
	if Escape(name) == name {
		return name
	}
	return quote(name)
}

// quote puts a word in quotes where a shell would not take it as it is: single ones, or $'...' where
// it has what is not seen, which is then told by its bytes.
func quote(word string) string {
	if Escape(word) != word {
		return "$'" + escaped(word) + "'"
	}
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./=:,@%+", r)
	}
	if word != "" && strings.TrimFunc(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// escaped is a word as it stands within $'...'.
func escaped(word string) string {
	var text strings.Builder
	for at := 0; at < len(word); {
		_, size := utf8.DecodeRuneInString(word[at:])
		letter := word[at : at+size]
		at += size
		switch {
		case letter == "\n":
			text.WriteString(`\n`)
		case letter == "'", letter == `\`:
			text.WriteString(`\` + letter)
		case Escape(letter) == letter:
			text.WriteString(letter)
		default:
			for _, b := range []byte(letter) {
				fmt.Fprintf(&text, `\%03o`, b)
			}
		}
	}
	return text.String()
}
