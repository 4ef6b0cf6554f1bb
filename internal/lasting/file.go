package lasting

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// partSuffix is behind the name of a file that is not whole yet.
const partSuffix = ".part"

// ErrLocked says that somebody else is writing the file.
var ErrLocked = errors.New("another process is writing it")

// errFolder says that a file is asked for where a folder is.
var errFolder = errors.New("it is a folder")

// File is a file that is being written. Its methods are for one goroutine at a
// time.
type File struct {
	*bufio.Writer
	file  *os.File // nil once it is kept or gone
	path  string   // as it was asked for
	final string   // what the part is renamed to; empty for a pipe or a device
	size  int64
}

// Create begins to write a file. It fails at once where the file can't be
// written, with ErrLocked where somebody else is writing it. Opening a pipe waits
// for a reader.
func Create(path string) (*File, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return createPart(path, 0o666)
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, &fs.PathError{Op: "create", Path: path, Err: errFolder}
	case !info.Mode().IsRegular():
		return openAsIs(path)
	}
	// Renaming would replace a file that may not be written, too.
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	f.Close()
	return createPart(path, info.Mode().Perm())
}

func openAsIs(path string) (*File, error) {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	return newFile(file, path, ""), nil
}

func newFile(file *os.File, path, final string) *File {
	f := &File{file: file, path: path, final: final}
	f.Writer = bufio.NewWriterSize(counter{f}, 1<<16)
	return f
}

// counter passes on what the buffer gives away, and counts it. It has no other method of
// the file's, which would be those of the buffer itself.
type counter struct{ of *File }

func (c counter) Write(p []byte) (int, error) {
	n, err := c.of.file.Write(p)
	c.of.size += int64(n)
	return n, err
}

// createPart opens the part of a regular file, as its only writer.
func createPart(path string, mode fs.FileMode) (*File, error) {
	final, err := followLinks(path)
	if err != nil {
		return nil, err
	}
	file, err := openLocked(final+partSuffix, mode)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if err := file.Truncate(0); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return newFile(file, path, final), nil
}

// mostLinks bounds a chain of symbolic links, as the kernel does.
const mostLinks = 40

// followLinks finds what a symbolic link points to, be it there or not.
func followLinks(path string) (string, error) {
	for range mostLinks {
		target, err := os.Readlink(path)
		if err != nil {
			return path, nil // no link: a file, or nothing
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		path = target
	}
	return "", &fs.PathError{Op: "create", Path: path, Err: errors.New("too many symbolic links")}
}

// Path is the name that was asked for.
func (f *File) Path() string { return f.path }

// errPipe says that what was written is gone.
var errPipe = errors.New("a pipe or a device can't be read again: want a file")

// Written gives what was written so far, to be read before the file is kept.
func (f *File) Written() (at io.ReaderAt, size int64, err error) {
	if f.final == "" {
		return nil, 0, &fs.PathError{Op: "read", Path: f.path, Err: errPipe}
	}
	if err := f.Flush(); err != nil {
		return nil, 0, err
	}
	return f.file, f.size, nil
}

// Keep gives the file its name once it would survive a power cut, and tells its
// size in bytes. Where it fails the file is discarded.
func (f *File) Keep() (size int64, err error) {
	defer f.Discard()
	if err := f.Flush(); err != nil {
		return 0, err
	}
	if f.final == "" {
		err := f.file.Close()
		f.file = nil
		return f.size, err
	}
	if err := f.file.Sync(); err != nil {
		return 0, err
	}
	if err := renameOpen(f.file, f.final); err != nil {
		return 0, err
	}
	f.file = nil
	return f.size, SyncFolder(filepath.Dir(f.final))
}

// Discard gives a file up that was not kept: what stood under its name still
// does.
func (f *File) Discard() {
	if f.file == nil {
		return
	}
	if f.final == "" {
		f.file.Close()
	} else {
		removeOpen(f.file)
	}
	f.file = nil
}

// Write writes a whole file by a function.
func Write(path string, write func(io.Writer) error) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	defer f.Discard()
	if err := write(f); err != nil {
		return err
	}
	_, err = f.Keep()
	return err
}

// WriteFile writes a whole file.
func WriteFile(path string, text []byte) error {
	return Write(path, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// WriteSecret writes a whole file that its owner alone may read, whatever folder it
// is in, and whoever could read the one before.
func WriteSecret(path string, text []byte) error {
	const owner = 0o600
	f, err := createPart(path, owner)
	if err != nil {
		return err
	}
	defer f.Discard()
	if err := f.file.Chmod(owner); err != nil { // of a part that was left
		return err
	}
	if _, err := f.Write(text); err != nil {
		return err
	}
	_, err = f.Keep()
	return err
}

// Remove removes a file if it is there. The folder is not synced.
func Remove(path string) error {
	// Where a disk is read-only, removing fails before anybody looks for the file.
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// RemovePart removes what a killed process left of a file that it was writing. A
// part that is being written stays.
func RemovePart(path string) error {
	part := path + partSuffix
	if _, err := os.Lstat(part); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	file, err := openLocked(part, 0o666)
	if errors.Is(err, ErrLocked) {
		return nil
	}
	if err != nil {
		return err
	}
	removeOpen(file)
	return nil
}
