//go:build unix

package lasting

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestAPipeIsWrittenTo(t *testing.T) {
	path := namedPipe(t)
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
	f, err := Create(t.Context(), os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	f.Discard()
	if _, err := os.Stat(os.DevNull); err != nil {
		t.Fatal(err)
	}
}

func TestAContextEndsWhoWaitsForTheReaderOfAPipe(t *testing.T) {
	for _, comes := range []bool{false, true} {
		path := namedPipe(t)
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		if comes { // and reads nothing
			reader, err := os.OpenFile(path, os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer reader.Close()
		}
		err := withinSeconds(func() error {
			return Write(ctx, path, func(w io.Writer) error {
				_, err := w.Write(make([]byte, 1<<20)) // more than a pipe holds
				return err
			})
		})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a reader comes %v: error %v, want the context's", comes, err)
		}
	}
}

// A file that nobody waits for is written when all else has ended, such as a checkpoint.
func TestAContextThatIsDoneKeepsNoFileFromBeingWritten(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	path := filepath.Join(t.TempDir(), "f")
	err := Write(ctx, path, func(w io.Writer) error {
		_, err := io.WriteString(w, "whole")
		return err
	})
	if err != nil || read(t, path) != "whole" {
		t.Errorf("%q, error %v", read(t, path), err)
	}
}

func TestFilesOfTheProgramAreRegular(t *testing.T) {
	ways := map[string]func(path string) error{
		"CreateRegular": func(path string) error {
			f, err := CreateRegular(path)
			if err == nil {
				f.Discard()
			}
			return err
		},
		"WriteRegular": func(path string) error { return WriteRegular(path, func(io.Writer) error { return nil }) },
		"WriteFile":    func(path string) error { return WriteFile(path, nil) },
		"WriteSecret":  func(path string) error { return WriteSecret(path, nil) },
	}
	for name, way := range ways {
		path := namedPipe(t)
		if err := withinSeconds(func() error { return way(path) }); !errors.Is(err, ErrIrregular) {
			t.Errorf("%s of a pipe: error %v, want %v", name, err, ErrIrregular)
		}
		if info, err := os.Stat(path); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
			t.Errorf("%s: the pipe is gone (%v)", name, err)
		}
	}
}

func namedPipe(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pipe")
	if err := unix.Mkfifo(path, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// withinSeconds does what may wait for ever. Its error then says so.
func withinSeconds(do func() error) error {
	done := make(chan error, 1)
	go func() { done <- do() }()
	select {
	case err := <-done:
		return err
	case <-time.After(5 * time.Second):
		return errors.New("it waits")
	}
}
