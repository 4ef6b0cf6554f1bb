package badgerdir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
)

// What the operating system says is passed on as one of this package's errors,
// where there is one: a disk that is full is not a store that is damaged.

// SystemError is that error, one of ErrDiskFull, ErrFileTooLarge, ErrTooManyFiles,
// ErrNotWritable and ErrNotReadable, or nil.
func SystemError(err error) error {
	for _, known := range []error{ErrDiskFull, ErrFileTooLarge, ErrTooManyFiles, ErrNotWritable, ErrNotReadable} {
		if errors.Is(err, known) {
			return known
		}
	}
	switch {
	case err == nil:
		return nil
	case isDiskFull(err):
		return ErrDiskFull
	case isFileTooLarge(err):
		return ErrFileTooLarge
	case isTooManyFiles(err):
		return ErrTooManyFiles
	case errors.Is(err, fs.ErrPermission):
		return ErrNotWritable
	}
	return nil
}

// Named puts that error in front of one of the system. Others it leaves as they are.
func Named(err error) error {
	known := SystemError(err)
	if known == nil || errors.Is(err, known) {
		return err
	}
	return fmt.Errorf("%w: %w", known, err)
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

// spareFiles is how many files Badger opens beside its logs and tables.
const spareFiles = 16

// CheckLimits looks whether the system lets Badger open its files, and make new
// ones as large as it does: it would fail half-way.
func (f *Folder) CheckLimits() error {
	dir, files := f.dir, spareFiles
	for _, suffix := range numberedSuffixes {
		list, err := numberedFiles(dir, suffix)
		if err != nil {
			return fmt.Errorf("%s: %w", dir, Named(err))
		}
		files += len(list)
	}
	if err := tryFiles(dir, files); err != nil {
		return fmt.Errorf("%s: %w", dir, Named(err))
	}
	if f.access != Writing {
		return nil
	}
	if err := trySize(filepath.Join(dir, sizeFile), 2*valueLogBytes); err != nil {
		return fmt.Errorf("%s: %w", dir, Named(err))
	}
	return nil
}

// tryFiles opens a folder so many times.
func tryFiles(dir string, n int) error {
	for range n {
		f, err := os.Open(dir)
		if err != nil {
			return err
		}
		defer f.Close()
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
