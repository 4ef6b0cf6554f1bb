package catalogue

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"syscall"

	"paika/bitboard"
	"paika/bitboard/record"
	"paika/cmd/paika/hub/inspection"
	"paika/cmd/paika/prover"
	"paika/internal/lasting"
	"paika/internal/network"
	"paika/internal/offheap"
	"paika/proofs"
	"paika/proofs/complete"
	"paika/proofs/walk"
	"paika/solver/cgt"
	"paika/solver/checkpoint"
	"paika/solver/proofnumber"
	"paika/solver/retrograde"
	"paika/solver/winone"
	"paika/tablebase"
	"paika/tablebase/lookup"
	"paika/tablebase/verify"
)

// Code says what kind of error it was, to programs. Codes stay the same when
// messages change.
type Code string

// The codes of what can't be answered as it was asked.
const (
	CodeParameter  Code = "parameter"      // an option or argument is missing, or can't be read
	CodePosition   Code = "position"       // the text of a position is wrong
	CodeTurn       Code = "turn"           // a turn is illegal, or its text wrong
	CodeRecord     Code = "record"         // the text of a game record is wrong, or a turn in it illegal
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
	var (
		memory *retrograde.MemoryError
		tables *prover.MemoryError

		mistake *PanicError
	)
	switch {
	case errors.Is(err, context.Canceled):
		return CodeStopped
	case errors.Is(err, context.DeadlineExceeded):
		return CodeTime
	case errors.As(err, &memory), errors.As(err, &tables), isAny(err, ErrMemory, tablebase.ErrNoMemory, offheap.ErrMemory, inspection.ErrMemory, complete.ErrMemory, cgt.ErrMemory, proofnumber.ErrTableTooSmall, proofnumber.ErrSetTooSmall):
		return CodeMemory
	case errors.Is(err, prover.ErrUndecided):
		return CodeUndecided
	case errors.As(err, &mistake), isAny(err, ErrAnswers, ErrContradiction, proofnumber.ErrContradiction, tablebase.ErrClosed, tablebase.ErrReadOnly):
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
		game      *record.Error
	)
	switch {
	case errors.Is(err, proofs.ErrFormat):
		return cmp.Or(fileCode(err), CodeDamaged) // whatever the text of the certificate is like
	case errors.Is(err, record.ErrTooLarge):
		return CodeLimit
	case errors.As(err, &game):
		return CodeRecord
	case errors.Is(err, lookup.ErrOutOfReach):
		return CodeOutOfReach
	case errors.As(err, &slice), errors.Is(err, ErrNoLongest):
		return CodeNotFound // whatever parameter named it
	case errors.As(err, &parameter):
		return CodeParameter
	case errors.As(err, &turn):
		return CodeTurn
	case isAny(err, ErrTooLarge, ErrTooManyPositions, winone.ErrTooLarge):
		return CodeLimit
	case errors.Is(err, bitboard.ErrTooManyTurns):
		return CodeTooMany
	case errors.As(err, &syntax), errors.As(err, &start):
		return CodePosition
	}
	return ""
}

// storeCode knows what is wrong with tables and with what is saved of a search.
func storeCode(err error) Code {
	var (
		need    *proofs.NeedError
		invalid *proofs.InvalidPartError
		other   *tablebase.IdentityError
		wrong   *UncompletedError
	)
	switch {
	case lasting.DiskFull(err), lasting.FileTooLarge(err), lasting.TooManyFiles(err):
		return CodeFile // what looks like damage then is none
	case isAny(err, tablebase.ErrLocked, lasting.ErrLocked):
		return CodeLocked
	case isAny(err, tablebase.ErrDamaged, tablebase.ErrUnclean, tablebase.ErrNotReplaced, verify.ErrRecord, verify.ErrTable, checkpoint.ErrFormat, walk.ErrTorn), errors.As(err, &invalid), errors.As(err, &wrong):
		return CodeDamaged
	case isAny(err, tablebase.ErrNoStore, tablebase.ErrNotStored):
		return CodeNotStored
	case errors.As(err, &need):
		return CodeMissing
	case errors.As(err, &other), isAny(err, ErrDraw, ErrUnknownRows, ErrNotExported, tablebase.ErrNotFolder, tablebase.ErrForeignFiles,
		tablebase.ErrNotWritable, tablebase.ErrNotMovable, tablebase.ErrNoRepair, tablebase.ErrNotReadable, tablebase.ErrDiskFull, tablebase.ErrFileTooLarge, tablebase.ErrTooManyFiles, tablebase.ErrMoved, tablebase.ErrFile,
		tablebase.ErrNewerFormat, tablebase.ErrOlderFormat, tablebase.ErrOtherCheckpoint, checkpoint.ErrOther):
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
	case network.Taken(err):
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
