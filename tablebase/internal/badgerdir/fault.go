package badgerdir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"syscall"

	"paika/internal/lasting"
)

// What the operating system says is passed on as one of this package's errors,
// where there is one: a disk that is full is not a store that is damaged.

// SystemError is that error, one of ErrDiskFull, ErrFileTooLarge, ErrTooManyFiles, ErrNoMemory,
// ErrNotWritable and ErrNotReadable, or nil.
func SystemError(err error) error {
	for _, known := range []error{ErrDiskFull, ErrFileTooLarge, ErrTooManyFiles, ErrNoMemory, ErrNotWritable, ErrNotReadable} {
		if errors.Is(err, known) {
			return known
		}
	}
	switch {
	case err == nil:
		return nil
	case lasting.DiskFull(err):
		return ErrDiskFull
	case lasting.FileTooLarge(err):
		return ErrFileTooLarge
	case lasting.TooManyFiles(err):
		return ErrTooManyFiles
	case isNoMemory(err):
		return ErrNoMemory
	case errors.Is(err, fs.ErrPermission):
		return ErrNotWritable
	}
	return nil
}

// IsSystems tells whether the system refused something, one of its errors that have no name here
// included: nobody knows then what a file holds. That a file is not there is no such error.
func IsSystems(err error) bool {
	var number syscall.Errno
	return SystemError(err) != nil || errors.As(err, &number) && !errors.Is(err, fs.ErrNotExist)
}

// badgersError is an error of Badger's, which passes most of those of the system on as texts. What
// can be damaged was looked at before, so that only what Badger panicked on counts as damage.
func badgersError(err error) error {
	if err == nil || IsSystems(err) || errors.Is(err, errFault) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrFile, err)
}

// Named puts that error in front of one of the system. Others it leaves as they are.
func Named(err error) error {
	known := SystemError(err)
	if known == nil || errors.Is(err, known) {
		return err
	}
	return fmt.Errorf("%w: %w", known, err)
}

// ReadError says why files of a folder could not be read. Where a permission is lacking, that is
// ErrNotReadable. Other errors are as Named has them.
func ReadError(dir string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrPermission):
		err = fmt.Errorf("%w: %w", ErrNotReadable, err)
	}
	return fmt.Errorf("%s: %w", dir, Named(err))
}

// WriteError says why a write failed, of Badger or of a file beside it. Badger passes the system's errors on as
// texts, and goes by the space there was.
func (f *Folder) WriteError(err error) error {
	if err == nil {
		return nil
	}
	if known := SystemError(err); known == nil && !errors.Is(err, errFault) {
		if full := f.CheckSpace(0); full != nil {
			return errors.Join(full, err)
		}
	}
	err = Named(err)
	return fmt.Errorf("%s: %w", f.dir, err)
}

// errFault says that memory which stands for a file could not be read or written:
// the file was cut short from outside, the disk is full, or it fails.
var errFault = errors.New("a file of the tables was cut short while in use, or can't be read")

// guardFaults calls Badger, in whose hands memory stands for files. Where such
// memory has no file behind it any more, the system sends a signal, which would end
// the process; here it becomes an error. So does a panic of Badger's on what it
// can't make sense of.
func guardFaults(f func() error) (err error) {
	before := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(before)
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: %w (%v)", ErrDamaged, errFault, r)
		}
	}()
	return f()
}

// CheckLimits looks whether the system lets Badger open its files, map them into memory, and make
// new ones as large as it does: it would fail half-way, and pass the error on as a text.
func (f *Folder) CheckLimits() error {
	if f.access != Writing {
		err := f.tryFiles(os.O_RDONLY)
		if err == nil {
			err = f.tryMemory(0)
		}
		return ReadError(f.dir, err)
	}
	err := f.tryFiles(os.O_RDWR)
	if err == nil {
		err = f.tryMemory(2*valueLogBytes + 2*memTableBytes + discardBytes)
	}
	if err == nil {
		err = trySize(filepath.Join(f.dir, sizeFile), 2*valueLogBytes)
	}
	return f.WriteError(err)
}

// tryMemory asks for memory to map all files into that are many, and so many bytes of new ones.
func (f *Folder) tryMemory(more uint64) error {
	for _, suffix := range numberedSuffixes {
		files, err := numberedFiles(f.dir, suffix)
		if err != nil {
			return err
		}
		for _, file := range files {
			more += uint64(file.size)
		}
	}
	return tryMap(more)
}

// spareFiles is how many more files Badger may open than are there.
const spareFiles = 16

// tryFiles opens Badger's files, and as many more as it may open, all at once.
func (f *Folder) tryFiles(flag int) error {
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !isBadgers(e.Name()) {
			continue
		}
		file, err := os.OpenFile(filepath.Join(f.dir, e.Name()), flag, 0)
		if err != nil {
			return err
		}
		defer file.Close()
	}
	for range spareFiles {
		file, err := os.Open(f.dir)
		if err != nil {
			return err
		}
		defer file.Close()
	}
	return nil
}

// sizeFile is made, with nothing in it, and removed to see how large a file may be.
const sizeFile = "SIZE"

func trySize(path string, size int64) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Truncate(size), f.Close(), os.Remove(path))
}
