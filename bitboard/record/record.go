package record

import (
	"errors"
	"fmt"
	"unicode"
	"unicode/utf8"

	"paika/bitboard"
)

// Limits of a record.
const (
	MostBytes = 1 << 20 // of its text
	MostTurns = 20_000  // with those of variations
	MostDepth = 100     // variations within each other
)

// FormatVersion counts the changes of the format after which an older reader would
// misread a record. A record does not say it.
const FormatVersion = 1

// ErrTooLarge says that a record passes one of the limits.
var ErrTooLarge = errors.New("the record is too large")

// Names of the tags that have a meaning.
const (
	TagGame     = "Game"
	TagBoard    = "Board"
	TagRules    = "Rules"
	TagPosition = "Position"
)

// Record is a game that was played, or might be.
type Record struct {
	Tags []Tag // in their order, each name once
	Root *Node // the position that play begins from; nil where no turn follows it, nor a comment
}

// checkRoot fails where the root has a turn, which nothing would read.
func (r *Record) checkRoot() error {
	if turn := r.root().Turn; turn != "" {
		return fmt.Errorf("the root of the record has the turn %s: want it in its Next", bitboard.Quote(turn))
	}
	return nil
}

// root is the Root, an empty one for nil.
func (r *Record) root() *Node {
	if r.Root == nil {
		return &Node{}
	}
	return r.Root
}

// Turns is the number of turns, those of variations among them.
func (r *Record) Turns() int {
	count := -1 // the root is none
	for open := []*Node{r.root()}; len(open) > 0; count++ {
		last := open[len(open)-1]
		open = append(open[:len(open)-1], last.Next...)
	}
	return count
}

// Tag says something of the game as a whole.
type Tag struct {
	Name, Text string
	At         Place
}

// Tag is the text of a tag, and whether there is one.
func (r *Record) Tag(name string) (tag Tag, found bool) {
	for _, t := range r.Tags {
		if t.Name == name {
			return t, true
		}
	}
	return Tag{}, false
}

// Node is a turn and what follows it. The root of a record has no turn.
type Node struct {
	Turn    string // as it was written
	Comment string // with single blanks, and none at its ends; empty for none
	Next    []*Node
	At      Place // of the turn; zero where it was never written
}

// Place is a line and a column of a text, both from 1. Columns are characters.
type Place struct{ Line, Column int }

// Error says what is wrong with a record, and where: nowhere in a text if At is zero.
type Error struct {
	At  Place
	Err error
}

func (e *Error) Error() string {
	if e.At == (Place{}) {
		return e.Err.Error()
	}
	return fmt.Sprintf("line %d, column %d: %v", e.At.Line, e.At.Column, e.Err)
}

// Unwrap returns what is wrong.
func (e *Error) Unwrap() error { return e.Err }

// wordRune tells whether a character can be part of a turn.
func wordRune(r rune) bool {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
		return true
	case r >= utf8.RuneSelf:
		return unicode.IsLetter(r)
	}
	switch r {
	case '!', '#', '$', '%', '&', '\'', '*', '+', ',', '-', '/', ':', '<', '=', '>', '@', '^', '_':
		return true
	}
	return false
}

// textRune tells whether a character can stand in a tag or, where it is no blank, in
// a comment.
func textRune(r rune) bool { return unicode.IsPrint(r) }

// validTagName tells whether a name is one.
func validTagName(name string) bool {
	if len(name) == 0 || len(name) > mostName || !letter(name[0]) {
		return false
	}
	for i := range len(name) {
		if !nameByte(name[i]) {
			return false
		}
	}
	return true
}

// mostName bounds the name of a tag, in bytes.
const mostName = 32

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func digit(c byte) bool { return c >= '0' && c <= '9' }

func nameByte(c byte) bool { return letter(c) || digit(c) || c == '_' }
