package catalogue

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"unicode"

	"paika/bitboard"
	"paika/internal/lasting"
	"paika/proofs"
	"paika/solver/checkpoint"
	"paika/solver/proofnumber"
	"paika/solver/retrograde"
	"paika/solver/winone"
	"paika/tablebase"
	"paika/tablebase/lookup"
)

// Code says what kind of error it was, to programs. Codes stay the same when
// messages change.
type Code string

// The codes of what can't be answered as it was asked.
const (
	CodeParameter  Code = "parameter"      // an option or argument is missing, or can't be read
	CodePosition   Code = "position"       // the text of a position is wrong
	CodeTurn       Code = "turn"           // a turn is illegal, or its text wrong
	CodeNotFound   Code = "not-found"      // no such slice or longest win
	CodeOutOfReach Code = "out-of-reach"   // no table can have the position
	CodeTooMany    Code = "too-many-turns" // the positions have more turns than are listed
	CodeLimit      Code = "limit"          // the input is larger than allowed
	CodeRefused    Code = "refused"        // the question makes no sense, or not for this game
)

// The codes of limits that were met.
const (
	CodeUndecided Code = "undecided"
	CodeMemory    Code = "memory"
	CodeTime      Code = "time"
	CodeStopped   Code = "stopped" // by a signal
)

// The codes of what is needed and can't be had.
const (
	CodeNotStored Code = "not-stored" // no table has it; Build tells how to make one
	CodeMissing   Code = "missing"    // a file, or what a certificate relies on
	CodeLocked    Code = "locked"     // another process has it
	CodeDamaged   Code = "damaged"
	CodeFile      Code = "file" // a file or folder can't be read or written, or holds something else
	CodeBusy      Code = "busy" // somebody else has the place
)

// CodeInternal is a mistake of the program itself.
const CodeInternal Code = "internal"

// Fault is an error as programs are told of it, the same by every way to ask.
type Fault struct {
	Code      Code   `json:"code"`
	Message   string `json:"message"`             // for people, on one line
	Parameter string `json:"parameter,omitempty"` // that is wrong
	Column    int    `json:"column,omitempty"`    // in the text of the position, turn or option, from 1
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

// BuildError adds to an error how to build what is missing.
type BuildError struct {
	Err     error
	Command string // what a shell would run
	Cost    string // of the build, for people; empty where it is small
}

func (e *BuildError) Error() string {
	what := "it"
	if errors.Is(e.Err, tablebase.ErrNoStore) {
		what = "them"
	}
	text := fmt.Sprintf("%v: build %s with: %s", e.Err, what, e.Command)
	if e.Cost != "" {
		text += " (" + e.Cost + ")"
	}
	return text
}

// Unwrap returns the error about what is missing.
func (e *BuildError) Unwrap() error { return e.Err }

// FaultOf says what kind of error it is and where. An error that nobody knows is
// CodeRefused: games and options have many ways to say no.
func FaultOf(err error) Fault {
	f := Fault{Code: codeOf(err), Message: message(err)}
	var (
		parameter *ParameterError
		syntax    *bitboard.SyntaxError
		missing   *tablebase.MissingError
		slice     *tablebase.SliceError
		need      *proofs.NeedError
		build     *BuildError
	)
	if errors.As(err, &parameter) {
		f.Parameter = parameter.Parameter
	}
	if errors.As(err, &syntax) {
		f.Column = syntax.Offset + 1
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
	case CodePosition, CodeTurn:
		f.Parameter = string(f.Code)
	case CodeNotFound:
		f.Parameter = "slice"
	}
	return f
}

// codeOf looks for the outermost reason first: what stopped the work, then what
// was asked, then what was missing for it.
func codeOf(err error) Code {
	for _, kind := range []func(error) Code{stoppedCode, askedCode, storeCode, fileCode} {
		if code := kind(err); code != "" {
			return code
		}
	}
	return CodeRefused
}

func stoppedCode(err error) Code {
	var memory *retrograde.MemoryError
	switch {
	case errors.Is(err, context.Canceled):
		return CodeStopped
	case errors.Is(err, context.DeadlineExceeded):
		return CodeTime
	case errors.As(err, &memory), isAny(err, ErrMemory, proofnumber.ErrTableTooSmall, proofnumber.ErrSetTooSmall):
		return CodeMemory
	case errors.Is(err, ErrUndecided):
		return CodeUndecided
	case isAny(err, proofnumber.ErrContradiction, tablebase.ErrClosed, tablebase.ErrReadOnly):
		return CodeInternal
	}
	return ""
}

func askedCode(err error) Code {
	var (
		parameter *ParameterError
		turn      *TurnError
		syntax    *bitboard.SyntaxError
		start     *StartError
		slice     *SliceNameError
	)
	switch {
	case errors.Is(err, proofs.ErrFormat):
		return cmp.Or(fileCode(err), CodeDamaged) // whatever the text of the certificate is like
	case errors.Is(err, lookup.ErrOutOfReach):
		return CodeOutOfReach
	case errors.As(err, &parameter):
		return CodeParameter
	case errors.As(err, &turn):
		return CodeTurn
	case errors.As(err, &slice), errors.Is(err, ErrNoLongest):
		return CodeNotFound
	case isAny(err, ErrTooLarge, winone.ErrTooLarge):
		return CodeLimit
	case errors.Is(err, lookup.ErrTooManyTurns):
		return CodeTooMany
	case errors.As(err, &syntax), errors.As(err, &start):
		return CodePosition
	}
	return ""
}

// storeCode knows what is wrong with tables and with what is saved of a search.
func storeCode(err error) Code {
	var (
		need  *proofs.NeedError
		other *tablebase.IdentityError
	)
	switch {
	case isAny(err, syscall.EMFILE, syscall.ENFILE, syscall.ENOSPC, syscall.EFBIG):
		return CodeFile // what looks like damage then is none
	case isAny(err, tablebase.ErrLocked, lasting.ErrLocked):
		return CodeLocked
	case isAny(err, tablebase.ErrDamaged, tablebase.ErrUnclean, tablebase.ErrRecord, checkpoint.ErrFormat):
		return CodeDamaged
	case isAny(err, tablebase.ErrNoStore, tablebase.ErrNotStored):
		return CodeNotStored
	case errors.As(err, &need):
		return CodeMissing
	case errors.As(err, &other), isAny(err, tablebase.ErrNotFolder, tablebase.ErrForeignFiles,
		tablebase.ErrNotWritable, tablebase.ErrDiskFull, tablebase.ErrFileTooLarge, tablebase.ErrTooManyFiles,
		tablebase.ErrNewerFormat, tablebase.ErrOlderFormat, checkpoint.ErrOther):
		return CodeFile
	}
	return ""
}

// fileCode knows what the system refuses.
func fileCode(err error) Code {
	var (
		path   *fs.PathError
		link   *os.LinkError
		call   *os.SyscallError
		number syscall.Errno
	)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return CodeBusy
	case errors.Is(err, fs.ErrNotExist):
		return CodeMissing
	case errors.As(err, &path), errors.As(err, &link), errors.As(err, &call), errors.As(err, &number):
		return CodeFile
	}
	return ""
}

func isAny(err error, targets ...error) bool {
	for _, target := range targets {
		if errors.Is(err, target) {
			return true
		}
	}
	return false
}

// message is an error's text on one line, with control characters escaped. An
// error that was stopped is told by what went wrong beside, if anything did.
func message(err error) string {
	if errors.Is(err, context.Canceled) {
		beside := besideStop(err)
		if beside == nil {
			return "stopped"
		}
		return "stopped; " + message(beside)
	}
	var lines []string
	for line := range strings.Lines(err.Error()) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, escape(line))
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

// escape shows what can't be printed as Go writes it.
func escape(text string) string {
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
