package lasting

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// ErrNotWritable says that the user may not write in a folder, or to a file of it.
var ErrNotWritable = errors.New("the folder is not writable")

// notMadeError says that a folder can't be made, as the one above it is not writable. It is an
// ErrNotWritable.
type notMadeError struct {
	dir, above string
	err        error // the system's
}

func (e *notMadeError) Error() string {
	return fmt.Sprintf("%s can't be made: %s: %v", e.dir, e.above, ErrNotWritable)
}

func (e *notMadeError) Unwrap() []error { return []error{ErrNotWritable, e.err} }

// notMade says why a folder could not be made. In /proc, the system says that a path leads nowhere.
func notMade(dir string, err error) error {
	var in *fs.PathError
	if errors.As(err, &in) && in.Op == "mkdir" && (errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist)) {
		return &notMadeError{dir, filepath.Clean(FolderOf(in.Path)), err}
	}
	return err
}

// MakeFolder makes a folder that lasts, and those above it that are missing. One that is
// there, or a link to one, stays as it is. Errors are those of os.MkdirAll; one of a folder that is
// not writable is an ErrNotWritable, too.
func MakeFolder(dir string, mode fs.FileMode) error {
	return notMade(dir, makeFolder(dir, mode, SyncFolder))
}

// MakeFolderFor is MakeFolder for something that is done in the folder at once, before the names of
// new folders are synced, and whose error it returns: where somebody else may remove the folder as
// long as it is empty.
func MakeFolderFor(dir string, mode fs.FileMode, do func() error) error {
	var above []string
	err := makeFolder(dir, mode, func(dir string) error {
		above = append(above, dir)
		return nil
	})
	err = notMade(dir, err)
	if err == nil {
		err = do()
	}
	for _, dir := range above {
		err = errors.Join(err, SyncFolder(dir))
	}
	return err
}

// makeFolder makes folders from the top down, and syncs the name of each before there is
// anything in it.
func makeFolder(dir string, mode fs.FileMode, sync func(dir string) error) error {
	info, err := os.Stat(dir)
	switch {
	case err == nil && info.IsDir():
		return nil
	case err == nil:
		return &fs.PathError{Op: "mkdir", Path: dir, Err: syscall.ENOTDIR}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	above := FolderOf(dir)
	if len(above) < len(dir) {
		if err := makeFolder(above, mode, sync); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, mode); err != nil && !isFolder(dir) { // else somebody has just made it
		return orDangling(dir, err)
	}
	return sync(above)
}

// orDangling is the error with which a folder was not made, or, where its name is that of a link
// to nothing, that it is one. Nothing is made where it leads: that may be a disk that is to come.
func orDangling(dir string, err error) error {
	link := FolderOf(dir) + string(filepath.Separator) + filepath.Base(dir) // a separator behind it would follow it
	if target, wrong := os.Readlink(link); wrong == nil {
		return &fs.PathError{Op: "mkdir", Path: dir, Err: fmt.Errorf("it is a link to %s, and nothing is there", target)}
	}
	return err
}

// EmptyFolder makes a folder, or removes from it what a function says is to go: files, links, and
// folders with nothing in them. All else stays. Nothing is synced.
func EmptyFolder(dir string, goes func(fs.DirEntry) bool) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !goes(e) {
			continue
		}
		err := Remove(filepath.Join(dir, e.Name()))
		if err != nil && !errors.Is(err, fs.ErrExist) { // which a folder with something in it fails with
			return err
		}
	}
	return nil
}

// Missing lists the folders that MakeFolder would make, the one asked for first.
func Missing(dir string) (missing []string) {
	for {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			return missing
		}
		missing = append(missing, dir)
		above := FolderOf(dir)
		if len(above) >= len(dir) {
			return missing
		}
		dir = above
	}
}

// RemoveEmpty removes a folder with nothing in it, which is not synced. A link to a folder stays,
// without an error: it says where the next one is to be. Errors are those of os.Remove.
func RemoveEmpty(dir string) error {
	dir = filepath.Clean(dir) // with a separator behind it, a link would be followed
	if info, err := os.Lstat(dir); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil
	}
	return os.Remove(dir)
}

// FolderOf is the folder that has a name, as the path spells it: what is behind a link and ..
// is another than where the text leads.
func FolderOf(path string) string {
	end := len(path)
	for end > 1 && os.IsPathSeparator(path[end-1]) {
		end--
	}
	if above, _ := filepath.Split(path[:end]); above != "" {
		return above
	}
	return "."
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
