package tablebase

import (
	"errors"
	"fmt"

	"paika/bitboard"
	"paika/tablebase/internal/badgerdir"
)

// Some errors are those of the folder, whoever owns it; others are of its tables.

// Where a store should be, and is not.
var (
	// ErrNoStore: the folder is missing, or no store was ever created in it.
	ErrNoStore = errors.New("no tables there")

	// ErrNotReplaced: a repair has put the damaged tables aside, and was stopped before the
	// whole ones came into their place (FinishReplacing).
	ErrNotReplaced = errors.New("a repair of these tables was stopped before its last step")

	// ErrNoRepair: tables are in the folder where a repair makes its own, and no repair left them.
	ErrNoRepair = errors.New("these tables are not what a repair left")

	// ErrNotFolder: the path names a file.
	ErrNotFolder = badgerdir.ErrNotFolder

	// ErrForeignFiles: a store cannot be created in a folder that holds
	// something else.
	ErrForeignFiles = errors.New("the folder holds other files and no tables")
)

// Who may use a store.
var (
	// ErrNotWritable: the user may not write in the folder, or to a file of it.
	ErrNotWritable = badgerdir.ErrNotWritable

	// ErrNotReadable: the user may not read a file of the folder.
	ErrNotReadable = badgerdir.ErrNotReadable

	// ErrLocked: another process has the store open in a way that excludes
	// this one.
	ErrLocked = badgerdir.ErrLocked

	// ErrNotMovable: the folder can't be renamed, as a repair does.
	ErrNotMovable = badgerdir.ErrNotMovable

	// ErrMoved: the folder was moved or removed under a writer.
	ErrMoved = badgerdir.ErrMoved

	// ErrUnclean: a writer was killed. What it left is put in order by the next
	// writer; a reader changes nothing.
	ErrUnclean = badgerdir.ErrUnclean

	// ErrReadOnly: Save on a store that was opened to be read.
	ErrReadOnly = errors.New("the tables are open for reading only")

	// ErrClosed: a call on a store after Close.
	ErrClosed = badgerdir.ErrClosed
)

// What a store holds.
var (
	// ErrNewerFormat: a later version of the program wrote the store.
	ErrNewerFormat = errors.New("the tables have a newer format than this program reads")

	// ErrOlderFormat: an earlier version of the program wrote the store.
	ErrOlderFormat = errors.New("the tables have an older format than this program reads")

	// ErrDamaged: files were changed, cut short or removed from outside.
	ErrDamaged = badgerdir.ErrDamaged

	// ErrStoredSo: values, or what the manifest says of them, can't be right, and have the
	// checksums of what is right. It matches ErrDamaged. A Wreck takes them for whole.
	ErrStoredSo = fmt.Errorf("%w: what was stored is wrong", ErrDamaged)

	// ErrNotFile: a folder, a pipe or a device has the name of a file of the store. So has a
	// link, where the store is opened to be written: what it leads to is not the store's.
	ErrNotFile = badgerdir.ErrNotFile

	// ErrDiskFull: too little space is left to write. What was written before
	// is kept, and a later build goes on from there.
	ErrDiskFull = badgerdir.ErrDiskFull

	// ErrFileTooLarge: the system does not allow files as large as are needed.
	ErrFileTooLarge = badgerdir.ErrFileTooLarge

	// ErrTooManyFiles: the system does not allow as many open files as are needed.
	ErrTooManyFiles = badgerdir.ErrTooManyFiles

	// ErrNoMemory: the system does not allow as much memory to map files into as is needed.
	ErrNoMemory = badgerdir.ErrNoMemory

	// ErrFile: a file can't be opened, read or written, and nothing was found damaged.
	ErrFile = badgerdir.ErrFile

	// ErrOtherCheckpoint: the checkpoint of a group is that of another version of the program,
	// or of other tables, or a link, and so is not replaced.
	ErrOtherCheckpoint = errors.New("a checkpoint that this program does not go on from, and does not replace")

	// ErrLookTwice: a slice that leaves values out can't be stored beside those that
	// are there. It matches ErrDamaged: one of the two stores is none of a build's.
	ErrLookTwice = fmt.Errorf("%w: one look ahead would not find the values that are left out", ErrDamaged)

	// ErrReplacing: a slice was stored, and is lost, as a writer was killed or failed while it
	// stored another in its place. Nothing else is wrong with the store for that.
	ErrReplacing = errors.New("the slice was stored, and is lost until it is built anew: its chunks were being replaced")

	// ErrNotStored: a slice was asked for that the store does not list.
	ErrNotStored = errors.New("the slice is not stored")
)

// IdentityError says that a store belongs to another game, board or rules.
type IdentityError struct {
	Dir            string
	Stored, Wanted Identity
}

func (e *IdentityError) Error() string {
	return fmt.Sprintf("%s holds the tables of %s, not of %s", e.Dir, bitboard.Shorten(e.Stored.String()), e.Wanted)
}

// SliceError says which slice an operation failed on, and why.
type SliceError struct {
	Metric bitboard.Metric
	Slice  string
	Err    error
}

func (e *SliceError) Error() string { return fmt.Sprintf("%s %s: %v", e.Metric, e.Slice, e.Err) }

// Unwrap returns why.
func (e *SliceError) Unwrap() error { return e.Err }

// CheckpointError says which whole checkpoint is not gone on from, and why.
type CheckpointError struct {
	Path string
	Err  error
}

func (e *CheckpointError) Error() string {
	return fmt.Sprintf("%s: %v; or remove the file to start anew", e.Path, e.Err)
}

// Unwrap returns why.
func (e *CheckpointError) Unwrap() error { return e.Err }

// ChunkError says which chunk could not be read, and why. It matches ErrDamaged.
type ChunkError struct {
	Metric bitboard.Metric
	Slice  string
	Chunk  uint64
	Err    error
}

func (e *ChunkError) Error() string {
	return fmt.Sprintf("%s %s: chunk %d: %v", e.Metric, e.Slice, e.Chunk, e.Err)
}

// Unwrap returns why.
func (e *ChunkError) Unwrap() error { return e.Err }

// Is makes the error match ErrDamaged.
func (e *ChunkError) Is(target error) bool { return target == ErrDamaged }

// MissingError says that a position's slice is stored in no metric. It matches
// ErrNotStored.
type MissingError struct {
	Slice string
}

func (e *MissingError) Error() string { return fmt.Sprintf("slice %s is not stored", e.Slice) }

// Is makes the error match ErrNotStored.
func (e *MissingError) Is(target error) bool { return target == ErrNotStored }
