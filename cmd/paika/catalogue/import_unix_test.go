//go:build unix

package catalogue_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"paika/cmd/paika/catalogue"
	"paika/tablebase/flat"
)

// A pipe or a folder with the name of a flat table is refused: nobody waits for it.
func TestImportWaitsForNoPipe(t *testing.T) {
	instance := flatBoard{game: "fanorona", board: "3x3"}.open(t)
	for name, put := range map[string]func(path string) error{
		"pipe":   func(path string) error { return syscall.Mkfifo(path, 0o666) },
		"folder": func(path string) error { return os.Mkdir(path, 0o777) },
	} {
		from := t.TempDir()
		if err := put(filepath.Join(from, "2v1.wdl.flat")); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() {
			_, err := instance.Import(t.Context(), filepath.Join(from, "tables"), from, catalogue.ImportOptions{Workers: 1, Memory: enough})
			done <- err
		}()
		select {
		case err := <-done:
			if !errors.Is(err, flat.ErrNotFlat) {
				t.Errorf("%s: error %v, want ErrNotFlat", name, err)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%s: it waits", name)
		}
	}
}
