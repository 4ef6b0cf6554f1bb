package foreign

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"paika/bitboard"
	"paika/bitboard/record"
)

// Format is a way in which another program writes games.
type Format uint8

const (
	AbstractPlay Format = iota
	OpenSpiel
	Ludii // is read and not written
)

var names = [...]string{"abstractplay", "openspiel", "ludii"}

func (f Format) String() string { return names[f] }

// Names lists the names of all formats.
func Names() []string { return slices.Clone(names[:]) }

// Written lists the names of the formats that Write writes.
func Written() []string { return slices.Clone(names[:Ludii]) }

// ParseFormat reads what String writes.
func ParseFormat(name string) (Format, error) {
	if i := slices.Index(names[:], name); i >= 0 {
		return Format(i), nil
	}
	return 0, fmt.Errorf("unknown format %s: want %s", bitboard.Quote(name), strings.Join(names[:], ", "))
}

// ParseWritten reads the name of a format that Write writes.
func ParseWritten(name string) (Format, error) {
	want := strings.Join(Written(), ", ")
	switch i := slices.Index(names[:], name); {
	case i < 0:
		return 0, fmt.Errorf("unknown format %s: want %s", bitboard.Quote(name), want)
	case Format(i) == Ludii:
		return 0, fmt.Errorf("%v is read and not written: want %s", Ludii, want)
	default:
		return Format(i), nil
	}
}

// ErrUnwritable says that a format has no way to write a record.
var ErrUnwritable = errors.New("the format cannot say this")

// Setting is what a text may leave open, and what is written is about.
type Setting struct {
	Game  string         // "fanorona" or "konane"; empty to read the first that the format has
	Board bitboard.Board // zero for the one that the other program has where none is named
}

const (
	fanoronaName = "fanorona"
	konaneName   = "konane"
)

// Read reads a game. Tags of the record name game, board and rules as the other program
// has them; those that the text leaves open are as the setting says. Errors are of type
// *record.Error.
func Read(f Format, text string, s Setting) (*record.Record, error) {
	if len(text) > record.MostBytes {
		return nil, &record.Error{At: beginning(), Err: fmt.Errorf("%w: %d bytes, want at most %d", record.ErrTooLarge, len(text), record.MostBytes)}
	}
	in := &input{text: strings.TrimPrefix(text, record.ByteOrderMark), at: beginning()}
	switch f {
	case AbstractPlay:
		return readReport(in, s)
	case OpenSpiel:
		return readSpiel(in, s)
	}
	return readTrial(in)
}

// Write writes the game of a record, on the setting's board, which must be given: the
// first of what follows each position, without comments. Turns must be legal, as
// record.Replay tells. Errors are of type *record.Error and wrap ErrUnwritable.
func Write(f Format, r *record.Record, s Setting) (string, error) {
	var text string
	var err error
	switch f {
	case AbstractPlay:
		text, err = writeRounds(r, s)
	case OpenSpiel:
		text, err = writeSpiel(r, s)
	default:
		err = fmt.Errorf("%w: %v is read and not written", ErrUnwritable, f)
	}
	var placed *record.Error
	if err != nil && !errors.As(err, &placed) {
		err = &record.Error{At: beginning(), Err: err}
	}
	return text, err
}

// unwritable says what a format cannot say, and where that stands.
func unwritable(at record.Place, format string, args ...any) error {
	if at == (record.Place{}) {
		at = beginning()
	}
	return &record.Error{At: at, Err: fmt.Errorf("%w: %s", ErrUnwritable, fmt.Sprintf(format, args...))}
}

// game is the turns that were played.
func game(r *record.Record) (turns []*record.Node) {
	for at := r.Root; at != nil && len(at.Next) > 0; at = at.Next[0] {
		turns = append(turns, at.Next[0])
	}
	return turns
}

// recordOf is a record of turns that follow each other.
func recordOf(tags []record.Tag, turns []*record.Node) *record.Record {
	root := &record.Node{}
	for i, at := 0, root; i < len(turns); i, at = i+1, turns[i] {
		at.Next = []*record.Node{turns[i]}
	}
	return &record.Record{Tags: tags, Root: root}
}

// tag is one that no text has; what is wrong with it is told of the text's beginning.
func tag(name, text string) record.Tag {
	return record.Tag{Name: name, Text: text, At: beginning()}
}

// beginning is where a text begins.
func beginning() record.Place { return record.Place{Line: 1, Column: 1} }

// input is a text and places in it. Places are asked for in their order.
type input struct {
	text   string
	offset int // of at
	at     record.Place
}

// place is that of an offset, or of the last one asked for where that lies behind it.
func (in *input) place(offset int) record.Place {
	offset = max(in.offset, min(offset, len(in.text)))
	for _, r := range in.text[in.offset:offset] {
		if in.at.Column++; r == '\n' {
			in.at = record.Place{Line: in.at.Line + 1, Column: 1}
		}
	}
	in.offset = offset
	return in.at
}

// fail says what is wrong at an offset.
func (in *input) fail(offset int, format string, args ...any) error {
	return &record.Error{At: in.place(offset), Err: fmt.Errorf(format, args...)}
}
