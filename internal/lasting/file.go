package lasting

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"paika/internal/progress"
)

// PartSuffix is behind the name of a file that is not whole yet. It is this program's alone: what
// has such a name may be removed, and people name files of their own ".part".
const PartSuffix = ".paika-part"

// ErrLocked says that somebody else is writing the file.
var ErrLocked = errors.New("another process is writing it")

// ErrIrregular says that a file is asked for where a pipe or a device is, or where the
// program makes one that it locks, a link.
var ErrIrregular = errors.New("want a file")

var (
	errDevice = fmt.Errorf("it is a pipe or a device: %w", ErrIrregular)
	errLink   = fmt.Errorf("it is a link: %w", ErrIrregular)
)

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

	// Of a pipe or a device: why no more is written, and what stops asking.
	ended   func() error
	release func() bool
}

// Create begins to write a file that a user names. It fails at once where the file
// can't be written, with ErrLocked where somebody else is writing it.
//
// A pipe waits for its reader, who may never come or may read no more. Opening and
// writing it end with the context's error when the context is done. Regular files
// wait for nobody: they are written whether it is done or not.
func Create(ctx context.Context, path string) (*File, error) {
	if info, err := os.Stat(path); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return openAsIs(ctx, path)
	}
	return CreateRegular(path)
}

// CreateRegular is Create of a file of the program's own. It fails with
// ErrIrregular where a pipe or a device stands in its place, and waits for nobody.
func CreateRegular(path string) (*File, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return createPart(path, 0o666)
	case err != nil:
		return nil, err
	}
	if err := refuse(path, info); err != nil {
		return nil, err
	}
	// Renaming would replace a file that may not be written, too.
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	f.Close()
	return createPartAs(path, info.Mode().Perm())
}

// refuse fails for what is no regular file.
func refuse(path string, info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return &fs.PathError{Op: "create", Path: path, Err: errFolder}
	case info.Mode()&fs.ModeSymlink != 0:
		return &fs.PathError{Op: "create", Path: path, Err: errLink}
	case !info.Mode().IsRegular():
		return &fs.PathError{Op: "create", Path: path, Err: errDevice}
	}
	return nil
}

func openAsIs(ctx context.Context, path string) (*File, error) {
	file, err := progress.Await(ctx, func() (*os.File, error) { return os.OpenFile(path, os.O_WRONLY, 0) })
	if err != nil {
		return nil, err
	}
	f := newFile(file, path, "")
	f.ended = ctx.Err
	f.release = context.AfterFunc(ctx, func() {
		_ = file.SetWriteDeadline(time.Unix(1, 0)) // long ago; a device that has none waits for nobody
	})
	return f, nil
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
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = c.of.ended()
	}
	return n, err
}

// createPart opens the part of a regular file, as its only writer.
func createPart(path string, mode fs.FileMode) (*File, error) {
	final, err := Follow(path)
	if err != nil {
		return nil, err
	}
	file, err := openLocked(final+PartSuffix, mode)
	var at *fs.PathError
	switch {
	case errors.As(err, &at) && at.Op == "open":
		return nil, &notCreatedError{fs.PathError{Op: "create", Path: path, Err: at.Err}}
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return newFile(file, path, final), nil
}

// createPartAs is createPart with just that mode, of which the user's mask takes nothing away.
func createPartAs(path string, mode fs.FileMode) (*File, error) {
	f, err := createPart(path, mode)
	if err != nil {
		return nil, err
	}
	info, err := f.file.Stat()
	if err == nil && info.Mode().Perm() != mode {
		err = f.file.Chmod(mode)
	}
	if err != nil {
		f.Discard()
		return nil, err
	}
	return f, nil
}

// notCreatedError says why a file can't be made, and names it as it was asked for: nobody knows its part.
type notCreatedError struct{ of fs.PathError }

func (e *notCreatedError) Error() string { return e.of.Path + ": " + e.of.Err.Error() }
func (e *notCreatedError) Unwrap() error { return &e.of }

// mostLinks bounds a chain of symbolic links, as the kernel does.
const mostLinks = 40

// Follow gives the name of the file that a path leads to by symbolic links, be it there or
// not. It is not cleaned: what is behind a linked folder and .. is another file than where
// the text leads.
func Follow(path string) (string, error) {
	at := path
	for range mostLinks {
		target, err := os.Readlink(at)
		if err != nil {
			return at, nil // no link: a file, or nothing
		}
		if !filepath.IsAbs(target) {
			folder, _ := filepath.Split(at)
			target = folder + target
		}
		at = target
	}
	return "", &fs.PathError{Op: "follow", Path: path, Err: errors.New("too many symbolic links")}
}

// Path is the name that was asked for.
func (f *File) Path() string { return f.path }

// Written gives what was written so far, to be read before the file is kept. It fails
// with ErrIrregular where that is gone.
func (f *File) Written() (at io.ReaderAt, size int64, err error) {
	if f.final == "" {
		return nil, 0, &fs.PathError{Op: "read", Path: f.path, Err: errDevice}
	}
	if err := f.Flush(); err != nil {
		return nil, 0, err
	}
	return f.file, f.size, nil
}

// Keep gives the file its name once what is in it would survive a power cut, then has the name
// survive one, too, and tells its size in bytes. Where it fails the file is discarded; or, where only
// the last step fails, the name may be that of the file before after a power cut.
func (f *File) Keep() (size int64, err error) { return f.keep((*os.File).Sync, SyncFolder) }

// keep is Keep with what brings a file, and the names in a folder, to disk.
func (f *File) keep(syncFile func(*os.File) error, syncFolder func(dir string) error) (size int64, err error) {
	defer f.Discard()
	if err := f.Flush(); err != nil {
		return 0, err
	}
	if f.final == "" {
		f.release()
		err := f.file.Close()
		f.file = nil
		return f.size, err
	}
	if err := syncFile(f.file); err != nil {
		return 0, err
	}
	if err := renameOpen(f.file, f.final); err != nil {
		return 0, err
	}
	f.file = nil
	return f.size, syncFolder(FolderOf(f.final))
}

// Discard gives a file up that was not kept: what stood under its name still
// does.
func (f *File) Discard() {
	if f.file == nil {
		return
	}
	if f.final == "" {
		f.release()
		f.file.Close()
	} else {
		_ = removeOpen(f.file)
	}
	f.file = nil
}

// Write writes a whole file that a user names, by a function, as Create and Keep do.
func Write(ctx context.Context, path string, write func(io.Writer) error) error {
	f, err := Create(ctx, path)
	if err != nil {
		return err
	}
	return f.fill(write)
}

// WriteRegular writes a whole file of the program's own, by a function, as
// CreateRegular and Keep do.
func WriteRegular(path string, write func(io.Writer) error) error {
	f, err := CreateRegular(path)
	if err != nil {
		return err
	}
	return f.fill(write)
}

func (f *File) fill(write func(io.Writer) error) error {
	defer f.Discard()
	if err := write(f); err != nil {
		return err
	}
	_, err := f.Keep()
	return err
}

// WriteFile writes a whole file of the program's own, as WriteRegular does.
func WriteFile(path string, text []byte) error {
	return WriteRegular(path, all(text))
}

// all writes the whole text.
func all(text []byte) func(w io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	}
}

// WriteSecret writes a whole file that its owner alone may read, whatever folder it
// is in, and whoever could read the one before.
func WriteSecret(path string, text []byte) error {
	const owner = 0o600
	if info, err := os.Stat(path); err == nil {
		if err := refuse(path, info); err != nil {
			return err
		}
	}
	f, err := createPartAs(path, owner)
	if err != nil {
		return err
	}
	return f.fill(all(text))
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

// RemovePart removes what a killed process left of a file that it was writing under that
// very name: where a link stands there, what it leads to is somebody else's, and its part as
// well. A part that is being written stays. A link, a pipe or a device, which nobody writes
// so, goes.
func RemovePart(path string) error {
	part := path + PartSuffix
	info, err := os.Lstat(part)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && !info.Mode().IsRegular() && !info.IsDir():
		return Remove(part)
	}
	err = removeLeft(part)
	if errors.Is(err, ErrLocked) {
		return nil
	}
	return err
}
