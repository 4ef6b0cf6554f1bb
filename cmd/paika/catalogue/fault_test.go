package catalogue

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"paika/bitboard"
	"paika/cmd/paika/prover"
	"paika/internal/lasting"
	"paika/proofs"
	"paika/solver/checkpoint"
	"paika/solver/proofnumber"
	"paika/solver/retrograde"
	"paika/tablebase"
	"paika/tablebase/lookup"
	"paika/tablebase/verify"
)

// Every kind of error has its code, however deep it is wrapped.
func TestCodesOfErrors(t *testing.T) {
	_, noFile := os.Open(filepath.Join(t.TempDir(), "nosuch"))
	syntax := &bitboard.SyntaxError{Text: "x", What: "wrong"}
	for _, c := range []struct {
		err  error
		want Code
	}{
		{&ParameterError{"depth", errors.New("wrong")}, CodeParameter},
		{&ParameterError{"rules", syntax}, CodeParameter},
		{syntax, CodePosition},
		{&StartError{errors.New("none")}, CodePosition},
		{&TurnError{errors.New("illegal")}, CodeTurn},
		{&TurnError{syntax}, CodeTurn},
		{&SliceNameError{"3v", errors.New("wrong")}, CodeNotFound},
		{ErrNoLongest, CodeNotFound},
		{lookup.ErrOutOfReach, CodeOutOfReach},
		{lookup.ErrTooManyTurns, CodeTooMany},
		{ErrTooLarge, CodeLimit},
		{ErrNoCGT, CodeRefused},
		{errors.New("anything else"), CodeRefused},
		{prover.ErrUndecided, CodeUndecided},
		{errors.Join(prover.ErrUndecided, errors.New("and more")), CodeUndecided},
		{ErrMemory, CodeMemory},
		{&retrograde.MemoryError{}, CodeMemory},
		{proofnumber.ErrTableTooSmall, CodeMemory},
		{proofnumber.ErrSetTooSmall, CodeMemory},
		{context.DeadlineExceeded, CodeTime},
		{context.Canceled, CodeStopped},
		{errors.Join(context.Canceled, tablebase.ErrDiskFull), CodeStopped},
		{&tablebase.MissingError{Slice: "3v2"}, CodeNotStored},
		{&tablebase.SliceError{Slice: "3v2", Err: tablebase.ErrNotStored}, CodeNotStored},
		{tablebase.ErrNoStore, CodeNotStored},
		{&proofs.NeedError{Need: proofs.Table{Slice: "3v2"}}, CodeMissing},
		{noFile, CodeMissing},
		{tablebase.ErrLocked, CodeLocked},
		{lasting.ErrLocked, CodeLocked},
		{tablebase.ErrDamaged, CodeDamaged},
		{tablebase.ErrUnclean, CodeDamaged},
		{verify.ErrTable, CodeDamaged},
		{checkpoint.ErrFormat, CodeDamaged},
		{proofs.ErrFormat, CodeDamaged},
		{checkpoint.ErrOther, CodeFile},
		{tablebase.ErrNotFolder, CodeFile},
		{tablebase.ErrForeignFiles, CodeFile},
		{tablebase.ErrNotWritable, CodeFile},
		{tablebase.ErrDiskFull, CodeFile},
		{tablebase.ErrNewerFormat, CodeFile},
		{&tablebase.IdentityError{}, CodeFile},
		{&fs.PathError{Op: "open", Path: "f", Err: syscall.EMFILE}, CodeFile},
		{&fs.PathError{Op: "open", Path: "f", Err: fs.ErrPermission}, CodeFile},
		{&fs.PathError{Op: "write", Path: "f", Err: syscall.EFBIG}, CodeFile},
		{syscall.ENOSPC, CodeFile},
		{fmt.Errorf("%w: %w", tablebase.ErrDamaged, syscall.EMFILE), CodeFile},
		{os.NewSyscallError("bind", syscall.EADDRINUSE), CodeBusy},
		{proofnumber.ErrContradiction, CodeInternal},
		{tablebase.ErrClosed, CodeInternal},
	} {
		for _, err := range []error{c.err, fmt.Errorf("around: %w", c.err), errors.Join(errors.New("beside"), c.err)} {
			if got := FaultOf(err).Code; got != c.want {
				t.Errorf("%v: code %s, want %s", err, got, c.want)
			}
		}
	}
}

func TestFaultsNameWhatIsWrongAndWhere(t *testing.T) {
	missing := &tablebase.MissingError{Slice: "3v2"}
	for _, c := range []struct {
		err  error
		want Fault
	}{
		{&bitboard.SyntaxError{Text: "ab", Offset: 1, What: "want c"},
			Fault{Code: CodePosition, Message: `"ab": column 2: want c`, Parameter: "position", Column: 2}},
		{&TurnError{&bitboard.SyntaxError{Text: "ab", Offset: 1, What: "want c"}},
			Fault{Code: CodeTurn, Message: `"ab": column 2: want c`, Parameter: "turn", Column: 2}},
		{&ParameterError{"depth", errors.New("--depth 0: want at least 1")},
			Fault{Code: CodeParameter, Message: "--depth 0: want at least 1", Parameter: "depth"}},
		{&BuildError{Err: missing, Command: "paika build"},
			Fault{Code: CodeNotStored, Message: "slice 3v2 is not stored: build it with: paika build", Slice: "3v2", Build: "paika build"}},
		{&BuildError{Err: tablebase.ErrNoStore, Command: "paika build", Cost: "much"},
			Fault{Code: CodeNotStored, Message: "no tables there: build them with: paika build (much)", Build: "paika build"}},
		{&BuildError{Err: missing, TooMuch: "it takes a year"},
			Fault{Code: CodeNotStored, Message: "slice 3v2 is not stored; to build it is too much here: it takes a year", Slice: "3v2"}},
		{&SliceNameError{"3v", errors.New("want 3v2")},
			Fault{Code: CodeNotFound, Message: "want 3v2", Parameter: "slice"}},
		{context.Canceled, Fault{Code: CodeStopped, Message: "stopped"}},
		{errors.Join(context.Canceled, errors.New("saving: the disk is full")),
			Fault{Code: CodeStopped, Message: "stopped; saving: the disk is full"}},
	} {
		if got := FaultOf(c.err); got != c.want {
			t.Errorf("%v: %+v, want %+v", c.err, got, c.want)
		}
	}
}

// Nothing that a message repeats can move a terminal's cursor or start a line.
func TestMessagesAreOnOneLine(t *testing.T) {
	err := errors.Join(errors.New("open \x1b[31mred\x07\r: no"), errors.New("b\u202e"))
	if got, want := FaultOf(err).Message, `open \x1b[31mred\a\r: no; b\u202e`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if strings.ContainsAny(FaultOf(err).Message, "\n\r\x1b") {
		t.Error("control characters are left")
	}
}
