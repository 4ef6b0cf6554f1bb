package lasting

import (
	"errors"
	"io/fs"
	"testing"
)

// In /proc no folder can be made, not even by root, though the error is that of a path that leads
// nowhere. It is told which folder was asked for, and which one is in the way.
func TestAFolderThatCanNotBeMadeIsNamed(t *testing.T) {
	ways := map[string]func(dir string) error{
		"MakeFolder":    func(dir string) error { return MakeFolder(dir, 0o777) },
		"MakeFolderFor": func(dir string) error { return MakeFolderFor(dir, 0o777, func() error { return nil }) },
	}
	for name, way := range ways {
		err := way("/proc/paika/hub")
		if !errors.Is(err, ErrNotWritable) || !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: error %v, want %v and the system's", name, err, ErrNotWritable)
		}
		if want := "/proc/paika/hub can't be made: /proc: the folder is not writable"; err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}
