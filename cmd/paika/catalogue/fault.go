package catalogue

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"paika/bitboard"
	"paika/bitboard/record"
	"paika/internal/parallel"
	"paika/proofs"
	"paika/tablebase"
)

// Fault is an error as programs are told of it, the same by every way to ask.
type Fault struct {
	Code      Code   `json:"code"`
	Message   string `json:"message"`             // for people, on one line
	Parameter string `json:"parameter,omitempty"` // that is wrong
	Column    int    `json:"column,omitempty"`    // in the text of the position, turn, option or record, from 1
	Line      int    `json:"line,omitempty"`      // in the text of the record, from 1
	Slice     string `json:"slice,omitempty"`     // that is not stored
	Build     string `json:"build,omitempty"`     // the command that builds what is missing
}

// ParameterError says which option or argument an error is about.
type ParameterError struct {
	Parameter string // its name
	Err       error
}

func (e *ParameterError) Error() string { return e.Err.Error() }

// Unwrap returns what is wrong.
func (e *ParameterError) Unwrap() error { return e.Err }

// BuildError adds to an error how to build what is missing, or why not to.
type BuildError struct {
	Err     error
	Many    bool   // of what is missing
	Command string // what a shell would run; empty where that takes too much
	TooMuch string // what it takes then, for people
	Cost    string // of the build, for people; empty where it is small
}

func (e *BuildError) Error() string {
	what := "it"
	if e.Many {
		what = "them"
	}
	if e.Command == "" {
		return fmt.Sprintf("%v; to build %s is too much here: %s", e.Err, what, e.TooMuch)
	}
	text := fmt.Sprintf("%v: build %s with: %s", e.Err, what, e.Command)
	if e.Cost != "" {
		text += " (" + e.Cost + ")"
	}
	return text
}

// Unwrap returns the error about what is missing.
func (e *BuildError) Unwrap() error { return e.Err }

// PanicError is a panic that was kept to the question that it arose in: a mistake of the program.
type PanicError = parallel.PanicError

// FaultOf says what kind of error it is and where. An error that nobody knows is
// CodeRefused: games and options have many ways to say no. Of the names of files that it may
// repeat, those that have what is not seen stand in its message as ShownName has them.
func FaultOf(err error, names ...string) Fault {
	f := Fault{Code: codeOf(err), Message: message(err, names...)}
	var (
		parameter *ParameterError
		syntax    *bitboard.SyntaxError
		missing   *tablebase.MissingError
		slice     *tablebase.SliceError
		need      *proofs.NeedError
		build     *BuildError
		placed    *record.Error
	)
	if errors.As(err, &parameter) {
		f.Parameter = parameter.Parameter
	}
	if errors.As(err, &syntax) {
		f.Column = syntax.Offset + 1
	}
	if errors.As(err, &placed) {
		f.Line, f.Column = placed.At.Line, placed.At.Column
	}
	switch {
	case errors.As(err, &missing):
		f.Slice = missing.Slice
	case errors.As(err, &slice):
		f.Slice = slice.Slice
	case errors.As(err, &need):
		if table, ok := need.Need.(proofs.Table); ok {
			f.Slice = table.Slice
		}
	}
	if errors.As(err, &build) {
		f.Build = build.Command
	}
	switch f.Code {
	case CodePosition, CodeTurn, CodeRecord:
		f.Parameter = string(f.Code)
	case CodeNotFound:
		f.Parameter = cmp.Or(f.Parameter, "slice")
	}
	return f
}

// message is an error's text on one line, with control characters escaped. An
// error that was stopped is told by what went wrong beside, if anything did.
func message(err error, names ...string) string {
	if errors.Is(err, context.Canceled) {
		beside := besideStop(err)
		if beside == nil {
			return "stopped"
		}
		return "stopped; " + message(beside, names...)
	}
	text := err.Error()
	for _, name := range names {
		if shown := ShownName(name); shown != name && strings.TrimSpace(name) != "" { // else it may be the end of a line
			text = strings.ReplaceAll(text, name, shown)
		}
	}
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, Escape(line))
		}
	}
	return strings.Join(lines, "; ")
}

// besideStop is what of an error was not the end of the context; nil if nothing.
func besideStop(err error) error {
	switch e := err.(type) {
	case interface{ Unwrap() []error }:
		var rest []error
		for _, one := range e.Unwrap() {
			rest = append(rest, besideStop(one))
		}
		return errors.Join(rest...)
	case interface{ Unwrap() error }:
		if !errors.Is(err, context.Canceled) {
			return err
		}
		return besideStop(e.Unwrap())
	}
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// Escape shows a text from outside on one line: what can't be printed as Go writes it.
func Escape(text string) string {
	var plain strings.Builder
	for _, r := range text {
		if unicode.IsPrint(r) {
			plain.WriteRune(r)
		} else {
			plain.WriteString(bitboard.Shorten(string(r)))
		}
	}
	return plain.String()
}
