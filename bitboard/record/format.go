package record

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"paika/bitboard"
)

// lineWidth is where lines of turns are broken, in characters.
const lineWidth = 79

// Format writes a record: a line for each tag, an empty one, and the turns. It fails
// where the record can't be written so that it is read again: a turn, a tag or a
// comment with characters that none may have, a root with a turn, or more than the limits allow.
func (r *Record) Format() (string, error) {
	if err := r.checkRoot(); err != nil {
		return "", err
	}
	w := &writer{}
	seen := make(map[string]bool)
	for _, t := range r.Tags {
		if !validTagName(t.Name) || seen[t.Name] || !printable(t.Text) {
			return "", fmt.Errorf("the tag %s can't be written", bitboard.Quote(t.Name))
		}
		seen[t.Name] = true
		fmt.Fprintf(&w.text, "[%s \"%s\"]\n", t.Name, escaped(t.Text, `"`))
	}
	if len(r.Tags) > 0 {
		w.text.WriteByte('\n')
	}
	root := r.root()
	w.comment(root.Comment)
	w.line(root, 1, 0)
	w.text.WriteByte('\n')
	if w.err == nil && w.text.Len() > MostBytes {
		w.err = ErrTooLarge
	}
	return w.text.String(), w.err
}

// writer puts words into lines, until something can't be written.
type writer struct {
	text   strings.Builder
	column int    // of the line so far, in characters
	glued  string // what goes in front of the next word without a blank
	turns  int
	err    error // the first one
}

func (w *writer) word(word string) {
	word, w.glued = w.glued+word, ""
	length := utf8.RuneCountInString(word)
	switch {
	case w.column == 0:
	case w.column+1+length > lineWidth:
		w.text.WriteByte('\n')
		w.column = 0
	default:
		w.text.WriteByte(' ')
		w.column++
	}
	w.text.WriteString(word)
	w.column += length
}

// end puts a sign behind the word before.
func (w *writer) end(sign string) {
	w.text.WriteString(sign)
	w.column += len(sign)
}

// line writes the turns that follow a node, and variations behind the turns that
// they replace. Its own depth is that of variations.
func (w *writer) line(before *Node, number, depth int) {
	for ; len(before.Next) > 0 && w.err == nil; before, number = before.Next[0], number+1 {
		w.turn(before.Next[0], number)
		for _, other := range before.Next[1:] {
			if w.err == nil && depth == MostDepth {
				w.err = ErrTooLarge
			}
			if w.err != nil {
				return
			}
			w.glued += "("
			w.turn(other, number)
			w.line(other, number+1, depth+1)
			w.end(")")
		}
	}
}

func (w *writer) turn(n *Node, number int) {
	if w.turns++; w.turns > MostTurns {
		w.err = ErrTooLarge
		return
	}
	if !validTurn(n.Turn) {
		w.err = fmt.Errorf("the turn %s can't be written", bitboard.Quote(n.Turn))
		return
	}
	w.word(fmt.Sprintf("%d.", number))
	w.word(n.Turn)
	w.comment(n.Comment)
}

func (w *writer) comment(text string) {
	if text == "" {
		return
	}
	words := strings.Split(text, " ")
	if joinWords(text) != text || !printable(text) {
		w.err = fmt.Errorf("the comment %s can't be written", bitboard.Quote(text))
		return
	}
	w.glued += "{"
	for _, word := range words {
		w.word(escaped(word, "}"))
	}
	w.end("}")
}

// escaped puts a backslash in front of a sign and of backslashes.
func escaped(text, sign string) string {
	return strings.NewReplacer(`\`, `\\`, sign, `\`+sign).Replace(text)
}

func printable(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return !textRune(r) })
}

// validTurn tells whether a turn is read as one word.
func validTurn(turn string) bool {
	return turn != "" && !digit(turn[0]) && utf8.ValidString(turn) &&
		!strings.ContainsFunc(turn, func(r rune) bool { return !wordRune(r) })
}
