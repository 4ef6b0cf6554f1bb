package hub

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"paika/cmd/paika/hub/ledger"
)

// TestAHubEndsWhoseFolderIsGone: what stands in its place by then is another's.
func TestAHubEndsWhoseFolderIsGone(t *testing.T) {
	for name, take := range map[string]func(dir string) error{
		"moved":    func(dir string) error { return os.Rename(dir, dir+"-moved") },
		"removed":  os.RemoveAll,
		"replaced": func(dir string) error { return errors.Join(os.Rename(dir, dir+"-moved"), os.Mkdir(dir, 0o777)) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "hub")
			h := startHub(t, dir, nil)
			if err := take(dir); err != nil {
				t.Skip(err) // a system may not allow it
			}
			if err := h.Wait(t.Context()); !errors.Is(err, ledger.ErrMoved) {
				t.Errorf("it ends with %v", err)
			}
		})
	}
}
