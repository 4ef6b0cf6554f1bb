//go:build unix

package walk

import (
	"os"
	"path/filepath"
	"testing"
)

// In a folder that everybody may look into, and in place of a file that everybody could
// read, the key is still its owner's alone.
func TestTheKeyIsItsOwnersAlone(t *testing.T) {
	for name, there := range map[string][]string{
		"a new key":           nil,
		"a key that was cut":  {keyFile},
		"a part that is left": {keyFile + ".part"},
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
	}
}
