package flat

import (
	"errors"

	"paika/tablebase"
)

// What can be wrong with a file.
var (
	// ErrNotFlat: the file is something else.
	ErrNotFlat = errors.New("it is no flat table")

	// ErrHeader: the header can't be read, or contradicts the game.
	ErrHeader = errors.New("the header is wrong")

	// ErrDirectory: the blocks that the directory lists do not fill the file. It was
	// cut short, or has something more.
	ErrDirectory = errors.New("the directory does not fit the file")

	// ErrChecksum: bytes were changed.
	ErrChecksum = errors.New("the checksum is wrong")

	// ErrBlock: a block whose checksum is right is not the values that it should be.
	ErrBlock = errors.New("the block is wrong")

	// ErrFingerprint: the values are not those that the header names.
	ErrFingerprint = errors.New("the fingerprint is wrong")

	// ErrCounts: the values are not counted as the header says, or contradict the
	// rules at once.
	ErrCounts = errors.New("the values do not fit the header")

	// ErrName: the file has the name of another slice.
	ErrName = errors.New("the file has another name than its slice")
)

// FileError says which file is damaged, and how. It matches tablebase.ErrDamaged.
type FileError struct {
	File string // its path
	Err  error
}

func (e *FileError) Error() string { return e.File + ": " + e.Err.Error() }

// Unwrap returns what is wrong.
func (e *FileError) Unwrap() error { return e.Err }

// Is makes the error match tablebase.ErrDamaged.
func (e *FileError) Is(target error) bool { return target == tablebase.ErrDamaged }
