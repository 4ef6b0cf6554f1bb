package lasting

import (
	"errors"
	"io/fs"
	"os"
)

// StillAt tells whether a file or folder that is open is what a name leads to now: it may have been
// moved or removed since, and another put in its place. look is os.Stat, or os.Lstat where a link is
// another file than the one that it leads to. That nothing has the name is no error; what can't be
// looked at is one.
func StillAt(open interface{ Stat() (fs.FileInfo, error) }, name string, look func(name string) (fs.FileInfo, error)) (bool, error) {
	opened, err := open.Stat()
	if err != nil {
		return false, err
	}
	named, err := look(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	}
	return os.SameFile(opened, named), nil
}
