//go:build unix

package lasting

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

func TestAPipeIsWrittenTo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := unix.Mkfifo(path, 0o666); err != nil {
		t.Fatal(err)
	}
	got := make(chan string, 1)
	go func() {
		f, err := os.Open(path)
		if err != nil {
			got <- err.Error()
			return
		}
		defer f.Close()
		text, _ := io.ReadAll(f)
		got <- string(text)
	}()
	write(t, path, "through")
	if text := <-got; text != "through" {
		t.Errorf("%q came through", text)
	}
	if info, err := os.Stat(path); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		t.Errorf("the pipe is gone (%v)", err)
	}
}

func TestADeviceIsWrittenTo(t *testing.T) {
	write(t, os.DevNull, "nothing")
	info, err := os.Stat(os.DevNull)
	if err != nil || info.Mode()&os.ModeDevice == 0 {
		t.Fatalf("%s is no device any more (%v)", os.DevNull, err)
	}
	f, err := Create(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	f.Discard()
	if _, err := os.Stat(os.DevNull); err != nil {
		t.Fatal(err)
	}
}
