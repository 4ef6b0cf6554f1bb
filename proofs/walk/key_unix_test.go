//go:build unix

package walk

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"paika/internal/lasting"
)

// In a folder that everybody may look into, and in place of a file that everybody could
// read, the key is still its owner's alone.
func TestTheKeyIsItsOwnersAlone(t *testing.T) {
	for name, there := range map[string][]string{
		"a new key":           nil,
		"a key that was cut":  {keyFile},
		"a part that is left": {keyFile + lasting.PartSuffix},
	} {
		folder := t.TempDir()
		if err := os.Chmod(folder, 0o777); err != nil {
			t.Fatal(err)
		}
		for _, file := range there {
			path := filepath.Join(folder, file)
			if err := os.WriteFile(path, []byte("cut"), 0o666); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(path, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := LoadKey(folder); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(filepath.Join(folder, keyFile))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: mode %v, error %v", name, info.Mode(), err)
		}
		if info, err := os.Stat(folder); err != nil || info.Mode().Perm()&0o022 != 0 {
			t.Errorf("%s: others may still write to the folder: mode %v, error %v", name, info.Mode(), err)
		}
	}
}

// A folder is closed to all others who may write to it, be it their group or everybody, and to
// nobody else who may look into it.
func TestAFolderThatOthersMayWriteToIsClosed(t *testing.T) {
	for mode, want := range map[os.FileMode]os.FileMode{0o720: 0o700, 0o702: 0o700, 0o777: 0o700, 0o755: 0o755, 0o700: 0o700} {
		folder := t.TempDir()
		if err := os.Chmod(folder, mode); err != nil {
			t.Fatal(err)
		}
		if _, err := LoadKey(folder); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(folder); err != nil || info.Mode().Perm() != want {
			t.Errorf("a folder of mode %v: %v, error %v, want %v", mode, info.Mode(), err, want)
		}
	}
}

// Who can choose the key can seal an index of their own: a key that another user may have put there,
// or may know, is replaced, and a folder of another user's is refused.
func TestNobodyElseChoosesTheKey(t *testing.T) {
	const other = 12345 // a user
	for name, put := range map[string]func(path string) error{
		"others may read it":  func(path string) error { return os.Chmod(path, 0o640) },
		"others may write it": func(path string) error { return os.Chmod(path, 0o602) },
		"it is another's":     func(path string) error { return os.Chown(path, other, other) },
		"it is a link": func(path string) error {
			return errors.Join(os.Rename(path, path+".chosen"), os.Symlink(path+".chosen", path))
		},
	} {
		folder := filepath.Join(t.TempDir(), "proofs")
		chosen, err := LoadKey(folder)
		if err != nil {
			t.Fatal(err)
		}
		if err := put(filepath.Join(folder, keyFile)); errors.Is(err, os.ErrPermission) {
			continue // only root can do so
		} else if err != nil {
			t.Fatal(err)
		}
		if key, err := LoadKey(folder); err != nil || key == chosen {
			t.Errorf("%s: the key stays, error %v", name, err)
		}
		if text, err := os.ReadFile(filepath.Join(folder, keyFile+".chosen")); err == nil && !bytes.Equal(text, chosen[:]) {
			t.Errorf("%s: what it leads to was changed", name)
		}
	}
	folder := t.TempDir()
	if os.Chown(folder, other, other) != nil {
		return // likewise
	}
	if _, err := LoadKey(folder); !errors.Is(err, ErrForeign) {
		t.Errorf("a folder of another user's: %v, want %v", err, ErrForeign)
	}
}
