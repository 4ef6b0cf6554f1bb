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

// A part and a lock are files of the program's own, and what else stands in their place is
// no way to the file of somebody else.
func TestNobodyLocksALink(t *testing.T) {
	ways := map[string]struct {
		suffix string
		open   func(path string) error
	}{
		"Lock": {LockSuffix, func(path string) error {
			unlock, err := Lock(path)
			if err == nil {
				unlock()
			}
			return err
		}},
		"Create":      {PartSuffix, func(path string) error { return Write(t.Context(), path, all([]byte("new"))) }},
		"WriteSecret": {PartSuffix, func(path string) error { return WriteSecret(path, []byte("new")) }},
	}
	for name, way := range ways {
		for what, target := range linkTargets(t) {
			path := filepath.Join(t.TempDir(), "f")
			if err := os.Symlink(target, path+way.suffix); err != nil {
				t.Fatal(err)
			}
			if err := withinSeconds(func() error { return way.open(path) }); !errors.Is(err, ErrIrregular) {
				t.Errorf("%s, a link to %s: error %v, want %v", name, what, err, ErrIrregular)
			}
			onlyFiles(t, filepath.Dir(path), "f"+way.suffix)
			unharmed(t, what, target)
		}
		path := namedPipe(t)
		if err := os.Rename(path, path+way.suffix); err != nil {
			t.Fatal(err)
		}
		if err := withinSeconds(func() error { return way.open(path) }); !errors.Is(err, ErrIrregular) {
			t.Errorf("%s, a pipe: error %v, want %v", name, err, ErrIrregular)
		}
	}
}

func TestAPartThatIsALinkIsRemoved(t *testing.T) {
	for what, target := range linkTargets(t) {
		path := filepath.Join(t.TempDir(), "f")
		if err := os.Symlink(target, path+PartSuffix); err != nil {
			t.Fatal(err)
		}
		if err := withinSeconds(func() error { return RemovePart(path) }); err != nil {
			t.Errorf("a link to %s: %v", what, err)
		}
		onlyFiles(t, filepath.Dir(path))
		unharmed(t, what, target)
	}
}

const (
	aFile   = "a file"
	nothing = "nothing"
)

// linkTargets are paths that a link may lead to, by what is there.
func linkTargets(t *testing.T) map[string]string {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	write(t, file, "of the user")
	return map[string]string{aFile: file, nothing: filepath.Join(dir, "none"), "a device": os.DevNull}
}

// unharmed fails where what a link leads to is not what linkTargets made.
func unharmed(t *testing.T, what, target string) {
	t.Helper()
	_, err := os.Lstat(target)
	switch {
	case what == nothing && !errors.Is(err, os.ErrNotExist):
		t.Errorf("a file was made where the link leads, error %v", err)
	case what == aFile && read(t, target) != "of the user":
		t.Errorf("the file that the link leads to has %q", read(t, target))
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
