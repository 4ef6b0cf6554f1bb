//go:build unix

package catalogue_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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

// The readers do not wait for it either.
func TestReadersWaitForNoPipe(t *testing.T) {
	for language, command := range readers(t) {
		from := t.TempDir()
		if err := syscall.Mkfifo(filepath.Join(from, "2v1.wdl.flat"), 0o666); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		output, err := exec.CommandContext(ctx, command[0], append(command[1:], from)...).CombinedOutput()
		if err == nil || ctx.Err() != nil || !strings.Contains(string(output), "it is no regular file") {
			t.Errorf("%s: %v, %s", language, err, output)
		}
	}
}
