package badgerdir

import (
	"errors"
	"fmt"

	"paika/internal/lasting"
)

// Who may use a folder.
var (
	// ErrNotFolder: the path names a file.
	ErrNotFolder = errors.New("not a folder")

	// ErrNotWritable: the user may not write in the folder, or to a file of it.
	ErrNotWritable = lasting.ErrNotWritable

	// ErrNotReadable: the user may not read a file of the folder.
	ErrNotReadable = errors.New("a file of the folder is not readable")

	// ErrLocked: another process has the folder open in a way that excludes this one.
	ErrLocked = errors.New("locked")

	// ErrNotMovable: the folder can't be renamed.
	ErrNotMovable = errors.New("a disk is mounted there, so that the folder can't be renamed")

	// ErrMoved: the folder was moved or removed under the one who has it locked, and perhaps
	// another is in its place.
	ErrMoved = errors.New("the folder was moved or removed while it was written, and nothing more is written")

	// ErrUnclean: a writer was killed. What it left is put in order by the next
	// writer; a reader changes nothing.
	ErrUnclean = errors.New("its last writer was killed before it could close the tables")

	// ErrClosed: a call after Close.
	ErrClosed = errors.New("the tables are closed")
)

// What is wrong with it.
var (
	// ErrDamaged: files were changed, cut short or removed from outside.
	ErrDamaged = errors.New("the tables are damaged")

	// ErrNotFile: a folder, a pipe or a device has the name of a file, or for one who
	// writes, a link.
	ErrNotFile = errors.New("tables have a file there: move it away")

	// ErrGone: a file is missing.
	ErrGone = errors.New("the file is gone")

	// ErrNoKey: there is no such key.
	ErrNoKey = errors.New("no such key")
)

// FileError says which file of a damaged folder is not as it was left, and why.
type FileError struct {
	Name string
	Err  error
}

func (e *FileError) Error() string { return e.Name + ": " + e.Err.Error() }

// Unwrap returns why.
func (e *FileError) Unwrap() error { return e.Err }

// DamagedFile is the error of a folder with such a file. It wraps ErrDamaged.
func DamagedFile(dir, name string, err error) error {
	return fmt.Errorf("%s: %w: %w", dir, ErrDamaged, &FileError{name, err})
}

// What the system does not give.
var (
	// ErrDiskFull: too little space is left to write.
	ErrDiskFull = errors.New("the disk is full")

	// ErrFileTooLarge: the system does not allow files as large as are needed.
	ErrFileTooLarge = errors.New("files may not be as large as the tables need them to be (ulimit -f)")

	// ErrTooManyFiles: the system does not allow as many open files as are needed.
	ErrTooManyFiles = errors.New("too many files are open (ulimit -n)")

	// ErrNoMemory: files are read and written through memory that stands for them, and the
	// system does not allow as much of it as is needed.
	ErrNoMemory = errors.New("files of the tables can't be mapped into memory, of which too little is allowed (ulimit -v)")

	// ErrFile: Badger could not open, read, write or close its files, and says why as a text
	// alone. Nobody has found anything damaged.
	ErrFile = errors.New("a file of the tables can't be used")
)
