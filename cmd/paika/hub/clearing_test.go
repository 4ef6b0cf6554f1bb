package hub

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"paika/cmd/paika/hub/ledger"
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
		"a checkpoint": {func(_ *testing.T, dir string) error { return os.Mkdir(filepath.Join(dir, "work"), 0o700) }, false},
		"the lock of a hub that was killed": {func(_ *testing.T, dir string) error {
			return os.WriteFile(filepath.Join(dir, "ledger.lock"), nil, 0o600)
		}, true},
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

// TestAHubKeepsItsFolderWhileOthersClear: it has the folder, or it finds none and makes one.
func TestAHubKeepsItsFolderWhileOthersClear(t *testing.T) {
	tries := 2000
	if testing.Short() {
		tries = 250
	}
	for name, clear := range map[string]func(dir string) error{
		"clear":  func(dir string) error { _, err := Clear(dir); return err },
		"remove": Remove,
	} {
		t.Run(name, func(t *testing.T) {
			dir, ended := filepath.Join(t.TempDir(), "hub"), make(chan struct{})
			var clearing sync.WaitGroup
			defer clearing.Wait()
			defer close(ended)
			for range 2 {
				clearing.Go(func() {
					for {
						select {
						case <-ended:
							return
						default:
							if err := clear(dir); err != nil && !errors.Is(err, lasting.ErrLocked) {
								t.Errorf("neither cleared nor somebody else's: %v", err)
								return
							}
						}
					}
				})
			}
			for range tries {
				h := &Hub{dataFolder: dataFolder(dir), options: Options{Dir: dir}, questions: map[string]*question{}, answers: map[string]ledger.Answer{}}
				err := h.openFolder()
				if errors.Is(err, lasting.ErrLocked) {
					continue
				}
				if err != nil {
					t.Fatalf("a hub can't start: %v", err)
				}
				for _, of := range []string{"ledger", "parts", "proofs", "incoming"} {
					if _, err := os.Stat(h.path(of)); err != nil {
						t.Errorf("a hub loses its folder: %v", err)
					}
				}
				h.ledger.Close()
			}
		})
	}
}

// TestAFolderIsRemoved with all that is in it, unless a hub has it.
func TestAFolderIsRemoved(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "hub")
	h := startHub(t, dir, nil)
	if err := os.WriteFile(h.partPath("x"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Remove(dir); !errors.Is(err, lasting.ErrLocked) {
		t.Errorf("of a hub at work: %v", err)
	}
	h.Close()
	for range 2 {
		if err := Remove(dir); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(dir); !os.IsNotExist(err) {
			t.Errorf("it is still there: %v", err)
		}
	}
}
