package hub

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"paika/internal/lasting"
)

// TestAFolderWithWorkIsNotCleared, nor one with anything else in it, or a hub.
func TestAFolderWithWorkIsNotCleared(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	for name, c := range map[string]struct {
		leave func(t *testing.T, dir string) error
		gone  bool
	}{
		"nothing": {func(*testing.T, string) error { return nil }, true},
		"a question": {func(t *testing.T, dir string) error {
			h := startHub(t, dir, nil, g)
			defer h.Close()
			_, err := dial(t, h.Inside()).Ask(t.Context(), g.question("white-wins"))
			for err == nil && h.Status().Questions[0].Stage == "preparing" {
			}
			return err
		}, false},
		"a torn line": {func(_ *testing.T, dir string) error {
			return os.WriteFile(filepath.Join(dir, "ledger"), []byte("x"), 0o600)
		}, false},
		"a part": {func(_ *testing.T, dir string) error {
			return os.WriteFile(filepath.Join(dir, "parts", "x"), nil, 0o600)
		}, false},
		"a checkpoint":  {func(_ *testing.T, dir string) error { return os.Mkdir(filepath.Join(dir, "work"), 0o700) }, false},
		"folders alone": {func(_ *testing.T, dir string) error { return os.MkdirAll(filepath.Join(dir, "built", "q", "x"), 0o700) }, true},
		"a file of a group": {func(_ *testing.T, dir string) error {
			if err := os.MkdirAll(filepath.Join(dir, "built", "q"), 0o700); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(dir, "built", "q", "x"), nil, 0o600)
		}, false},
	} {
		dir := filepath.Join(t.TempDir(), "hub")
		startHub(t, dir, nil, g).Close()
		if err := c.leave(t, dir); err != nil {
			t.Fatal(err)
		}
		gone, err := Clear(dir)
		if _, missing := os.Stat(dir); gone != c.gone || os.IsNotExist(missing) != c.gone || err != nil {
			t.Errorf("%s: %v, %v, %v", name, gone, err, missing)
		}
	}
	h := startHub(t, t.TempDir(), nil)
	if gone, err := Clear(h.options.Dir); gone || err != nil && !errors.Is(err, lasting.ErrLocked) {
		t.Errorf("of a hub at work: %v, %v", gone, err)
	}
	if gone, err := Clear(filepath.Join(t.TempDir(), "none")); !gone || err != nil {
		t.Errorf("of none: %v, %v", gone, err)
	}
}
