package catalogue_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/prover"
	"paika/internal/lasting"
	"paika/internal/offheap"
	"paika/proofs"
	"paika/solver/cgt"
	"paika/solver/checkpoint"
	"paika/solver/proofnumber"
	"paika/solver/retrograde"
	"paika/tablebase"
	"paika/tablebase/lookup"
	"paika/tablebase/verify"
)

// A slice that there is not is told with the name of what named it: a flag, or a parameter of HTTP.
func TestASliceThatThereIsNotHasItsParameter(t *testing.T) {
	wrong := &catalogue.SliceNameError{"3v", errors.New("wrong")}
	if got := catalogue.FaultOf(wrong).Parameter; got != "slice" {
		t.Errorf("alone: %q", got)
	}
	telo, err := catalogue.Games()[0].Open("telo", nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = telo.Build(t.Context(), filepath.Join(t.TempDir(), "none"), catalogue.BuildOptions{Slices: []string{"9v9"}, Workers: 1, Memory: 1 << 30})
	if got := catalogue.FaultOf(err); got.Parameter != "slices" || got.Code != catalogue.CodeNotFound {
		t.Errorf("of a build: %+v", got)
	}
}

// Every kind of error has its code, however deep it is wrapped.
func TestCodesOfErrors(t *testing.T) {
	_, noFile := os.Open(filepath.Join(t.TempDir(), "nosuch"))
	syntax := &bitboard.SyntaxError{Text: "x", What: "wrong"}
	for _, c := range []struct {
		err  error
		want catalogue.Code
	}{
		{&catalogue.ParameterError{"depth", errors.New("wrong")}, catalogue.CodeParameter},
		{&catalogue.ParameterError{"rules", syntax}, catalogue.CodeParameter},
		{syntax, catalogue.CodePosition},
		{&catalogue.StartError{errors.New("none")}, catalogue.CodePosition},
		{&catalogue.TurnError{errors.New("illegal")}, catalogue.CodeTurn},
		{&catalogue.TurnError{syntax}, catalogue.CodeTurn},
		{&catalogue.SliceNameError{"3v", errors.New("wrong")}, catalogue.CodeNotFound},
		{&catalogue.ParameterError{"slices", &catalogue.SliceNameError{"3v", errors.New("wrong")}}, catalogue.CodeNotFound},
		{catalogue.ErrNoLongest, catalogue.CodeNotFound},
		{lookup.ErrOutOfReach, catalogue.CodeOutOfReach},
		{bitboard.ErrTooManyTurns, catalogue.CodeTooMany},
		{catalogue.ErrTooLarge, catalogue.CodeLimit},
		{catalogue.ErrNoCGT, catalogue.CodeRefused},
		{errors.New("anything else"), catalogue.CodeRefused},
		{prover.ErrUndecided, catalogue.CodeUndecided},
		{errors.Join(prover.ErrUndecided, errors.New("and more")), catalogue.CodeUndecided},
		{catalogue.ErrMemory, catalogue.CodeMemory},
		{fmt.Errorf("%w: %w", offheap.ErrMemory, syscall.ENOMEM), catalogue.CodeMemory},
		{cgt.ErrMemory, catalogue.CodeMemory},
		{&retrograde.MemoryError{}, catalogue.CodeMemory},
		{proofnumber.ErrTableTooSmall, catalogue.CodeMemory},
		{proofnumber.ErrSetTooSmall, catalogue.CodeMemory},
		{context.DeadlineExceeded, catalogue.CodeTime},
		{context.Canceled, catalogue.CodeStopped},
		{errors.Join(context.Canceled, tablebase.ErrDiskFull), catalogue.CodeStopped},
		{&tablebase.MissingError{Slice: "3v2"}, catalogue.CodeNotStored},
		{&tablebase.SliceError{Slice: "3v2", Err: tablebase.ErrNotStored}, catalogue.CodeNotStored},
		{tablebase.ErrNoStore, catalogue.CodeNotStored},
		{&proofs.NeedError{Need: proofs.Table{Slice: "3v2"}}, catalogue.CodeMissing},
		{noFile, catalogue.CodeMissing},
		{tablebase.ErrLocked, catalogue.CodeLocked},
		{lasting.ErrLocked, catalogue.CodeLocked},
		{tablebase.ErrDamaged, catalogue.CodeDamaged},
		{tablebase.ErrUnclean, catalogue.CodeDamaged},
		{tablebase.ErrNotReplaced, catalogue.CodeDamaged},
		{tablebase.ErrNotMovable, catalogue.CodeFile},
		{tablebase.ErrNoRepair, catalogue.CodeFile},
		{&tablebase.CheckpointError{Err: tablebase.ErrOtherCheckpoint}, catalogue.CodeFile},
		{&tablebase.CheckpointError{Err: &retrograde.MemoryError{}}, catalogue.CodeMemory},
		{verify.ErrTable, catalogue.CodeDamaged},
		{checkpoint.ErrFormat, catalogue.CodeDamaged},
		{proofs.ErrFormat, catalogue.CodeDamaged},
		{checkpoint.ErrOther, catalogue.CodeFile},
		{catalogue.ErrDraw, catalogue.CodeFile},
		{catalogue.ErrUnknownRows, catalogue.CodeFile},
		{catalogue.ErrNotExported, catalogue.CodeFile},
		{tablebase.ErrNotFolder, catalogue.CodeFile},
		{tablebase.ErrForeignFiles, catalogue.CodeFile},
		{tablebase.ErrNotWritable, catalogue.CodeFile},
		{tablebase.ErrNotReadable, catalogue.CodeFile},
		{tablebase.ErrDiskFull, catalogue.CodeFile},
		{tablebase.ErrMoved, catalogue.CodeFile},
		{tablebase.ErrFile, catalogue.CodeFile},
		{tablebase.ErrNoMemory, catalogue.CodeMemory},
		{tablebase.ErrNewerFormat, catalogue.CodeFile},
		{&tablebase.IdentityError{}, catalogue.CodeFile},
		{&fs.PathError{Op: "open", Path: "f", Err: syscall.EMFILE}, catalogue.CodeFile},
		{&fs.PathError{Op: "open", Path: "f", Err: fs.ErrPermission}, catalogue.CodeFile},
		{&fs.PathError{Op: "write", Path: "f", Err: syscall.EFBIG}, catalogue.CodeFile},
		{syscall.ENOSPC, catalogue.CodeFile},
		{fmt.Errorf("%w: %w", tablebase.ErrDamaged, syscall.EMFILE), catalogue.CodeFile},
		{os.NewSyscallError("bind", syscall.EADDRINUSE), catalogue.CodeBusy},
		{proofnumber.ErrContradiction, catalogue.CodeInternal},
		{catalogue.ErrContradiction, catalogue.CodeInternal},
		{tablebase.ErrClosed, catalogue.CodeInternal},
		{&catalogue.PanicError{Caught: "x"}, catalogue.CodeInternal},
	} {
		for _, err := range []error{c.err, fmt.Errorf("around: %w", c.err), errors.Join(errors.New("beside"), c.err)} {
			if got := catalogue.FaultOf(err).Code; got != c.want {
				t.Errorf("%v: code %s, want %s", err, got, c.want)
			}
		}
	}
}

func TestFaultsNameWhatIsWrongAndWhere(t *testing.T) {
	missing := &tablebase.MissingError{Slice: "3v2"}
	for _, c := range []struct {
		err  error
		want catalogue.Fault
	}{
		{&bitboard.SyntaxError{Text: "ab", Offset: 1, What: "want c"},
			catalogue.Fault{Code: catalogue.CodePosition, Message: `"ab": column 2: want c`, Parameter: "position", Column: 2}},
		{&catalogue.TurnError{&bitboard.SyntaxError{Text: "ab", Offset: 1, What: "want c"}},
			catalogue.Fault{Code: catalogue.CodeTurn, Message: `"ab": column 2: want c`, Parameter: "turn", Column: 2}},
		{&catalogue.ParameterError{"depth", errors.New("--depth 0: want at least 1")},
			catalogue.Fault{Code: catalogue.CodeParameter, Message: "--depth 0: want at least 1", Parameter: "depth"}},
		{&catalogue.BuildError{Err: missing, Command: "paika build"},
			catalogue.Fault{Code: catalogue.CodeNotStored, Message: "slice 3v2 is not stored: build it with: paika build", Slice: "3v2", Build: "paika build"}},
		{&catalogue.BuildError{Err: tablebase.ErrNoStore, Many: true, Command: "paika build", Cost: "much"},
			catalogue.Fault{Code: catalogue.CodeNotStored, Message: "no tables there: build them with: paika build (much)", Build: "paika build"}},
		{&catalogue.BuildError{Err: missing, TooMuch: "it takes a year"},
			catalogue.Fault{Code: catalogue.CodeNotStored, Message: "slice 3v2 is not stored; to build it is too much here: it takes a year", Slice: "3v2"}},
		{&catalogue.SliceNameError{"3v", errors.New("want 3v2")},
			catalogue.Fault{Code: catalogue.CodeNotFound, Message: "want 3v2", Parameter: "slice"}},
		{context.Canceled, catalogue.Fault{Code: catalogue.CodeStopped, Message: "stopped"}},
		{errors.Join(context.Canceled, errors.New("saving: the disk is full")),
			catalogue.Fault{Code: catalogue.CodeStopped, Message: "stopped; saving: the disk is full"}},
	} {
		if got := catalogue.FaultOf(c.err); got != c.want {
			t.Errorf("%v: %+v, want %+v", c.err, got, c.want)
		}
	}
}

// A name that has what is not seen is shown as a shell takes it, in messages, answers and the
// command lines that they offer.
func TestNamesAreWhatAShellTakes(t *testing.T) {
	for name, want := range map[string]string{
		"a b": "a b", "a\nb c": `$'a\nb c'`, "\ta'\\": `$'\011a\'\\'`, "\x1b\xff\u202eé": `$'\033\377\342\200\256é'`,
	} {
		shown, line := catalogue.ShownName(name), catalogue.CommandLine(name)
		if shown != want || line != "paika "+want && name != "a b" {
			t.Errorf("%q: %s and %s, want %s", name, shown, line, want)
		}
		fault := catalogue.FaultOf(fmt.Errorf("open %s/x: no", name), name)
		if got := fault.Message; got != "open "+want+"/x: no" {
			t.Errorf("%q: %s", name, got)
		}
		if bash, err := exec.LookPath("bash"); err == nil {
			given, err := exec.Command(bash, "-c", "printf %s "+strings.TrimPrefix(line, "paika ")).Output()
			if err != nil || string(given) != name {
				t.Errorf("%q: a shell takes %s as %q, %v", name, line, given, err)
			}
		}
	}
}

// Nothing that a message repeats can move a terminal's cursor or start a line.
func TestMessagesAreOnOneLine(t *testing.T) {
	err := errors.Join(errors.New("open \x1b[31mred\x07\r: no"), errors.New("b\u202e"))
	if got, want := catalogue.FaultOf(err).Message, `open \x1b[31mred\a\r: no; b\u202e`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if strings.ContainsAny(catalogue.FaultOf(err).Message, "\n\r\x1b") {
		t.Error("control characters are left")
	}
}
