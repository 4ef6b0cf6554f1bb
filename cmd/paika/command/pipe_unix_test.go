//go:build unix

package command

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Opening a pipe takes until somebody writes to it, which may be never.
func TestOneSignalEndsWhoWaitsForANamedPipe(t *testing.T) {
	for _, args := range []string{
		"annotate PIPE", "record PIPE", "check PIPE", "check --json PIPE",
		"complete PIPE --out " + filepath.Join(t.TempDir(), "whole.proof"),
		"query --proof PIPE start", "prove --board telo --claim white-wins --part PIPE",
		"win-in-one phutball --time 0 --from-cnf PIPE",
		"bench --report PIPE", "bench perft --compare PIPE",
		"bench perft --out PIPE", "prove --board telo --claim white-wins --out PIPE",
		"prove --board telo --claim white-wins --hub nats://127.0.0.1:1 --creds PIPE",
		"jobs --hub nats://127.0.0.1:1 --creds PIPE", "work nats://127.0.0.1:1 --creds PIPE",
	} {
		t.Run(args, func(t *testing.T) {
			args := strings.ReplaceAll(args, "PIPE", namedPipe(t)) // which nobody waits for yet
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(50*time.Millisecond, cancel)
			status, text := runWithin(t, ctx, args)
			if status != stopped {
				t.Errorf("status %d, want %d: %s", status, stopped, text)
			}
			if strings.Contains(args, "--json") && !strings.Contains(text, `{"error":{"code":"stopped"`) {
				t.Errorf("%s, want an object of the error", text)
			}
		})
	}
}

// A pipe can stand where a folder is to get a file.
func TestOneSignalEndsWhoWaitsForANamedPipeInAFolder(t *testing.T) {
	tables := t.TempDir()
	if status, text := runWithin(t, t.Context(), "build --board 3x3 --pieces 2 --db "+tables); status != done {
		t.Fatalf("status %d: %s", status, text)
	}
	certificate := filepath.Join(t.TempDir(), "small.proof")
	if status, text := runWithin(t, t.Context(), "prove --board telo --claim white-wins --db "+t.TempDir()+" --out "+certificate); status != done {
		t.Fatalf("status %d: %s", status, text)
	}
	for _, c := range []struct{ args, file string }{
		{"stats --board 3x3 --plot FOLDER --db " + tables, "values.svg"},
		{"export --board 3x3 FOLDER --db " + tables, "1v1.wdl.flat"},
		{"export --board 3x3 FOLDER --db " + tables, "vectors.txt"},
		{"complexity --board 3x3 --games 2 --plot FOLDER", "branching.svg"},
		{"bench --plot FOLDER --report ../../../benchmarks/results/win-in-one.json", "win-in-one-by-density.svg"},
		{"extract " + certificate + " --out FOLDER/small.extract", "small.extract"},
	} {
		t.Run(c.args, func(t *testing.T) {
			folder := t.TempDir()
			if err := syscall.Mkfifo(filepath.Join(folder, c.file), 0o666); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(500*time.Millisecond, cancel)
			if status, text := runWithin(t, ctx, strings.ReplaceAll(c.args, "FOLDER", folder)); status != stopped {
				t.Errorf("status %d, want %d: %s", status, stopped, text)
			}
		})
	}
}

// What is read again once it is written can be no pipe, which is known before anything is done.
func TestWhatIsReadAgainIsNoPipe(t *testing.T) {
	pipe := namedPipe(t)
	for _, args := range []string{"complete any.proof --out " + pipe, "prove --board telo --claim white-wins --complete --out " + pipe} {
		if status, text := runWithin(t, t.Context(), args); status != misused || !strings.Contains(text, "it is a pipe or a device: want a file") {
			t.Errorf("%s: status %d, %s", args, status, text)
		}
	}
	half := filepath.Join(t.TempDir(), "some.black")
	if err := syscall.Mkfifo(half, 0o666); err != nil {
		t.Fatal(err)
	}
	args := "prove --board 5x5 --claim draw --complete --out " + strings.TrimSuffix(half, ".black")
	if status, text := runWithin(t, t.Context(), args); status != misused || !strings.Contains(text, half+": it is a pipe") {
		t.Errorf("%s: status %d, %s", args, status, text)
	}
}

// What is written to a file is not mixed with the answer.
func TestStandardOutputIsNoFileForResults(t *testing.T) {
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(out.Name(), link); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{
		"prove --board telo --claim white-wins --json --out " + out.Name(), "prove --board telo --claim white-wins --out " + link,
		"bench perft --short --json --out " + link, "complete any.proof --out " + out.Name(),
	} {
		var stderr bytes.Buffer
		status := Run(t.Context(), strings.Fields(args), strings.NewReader(""), out, &stderr)
		answer, err := os.ReadFile(out.Name())
		if err != nil {
			t.Fatal(err)
		}
		if said := stderr.String() + string(answer); status != misused || !strings.Contains(said, "it is standard output, where the answer goes") {
			t.Errorf("%s: status %d, %s", args, status, said)
		}
		if err := errors.Join(out.Truncate(0), restart(out)); err != nil {
			t.Fatal(err)
		}
	}
}

// The time of win-in-one counts from the beginning.
func TestTimeEndsWhoWaitsForAFormula(t *testing.T) {
	if status, text := runWithin(t, t.Context(), "win-in-one phutball --time 50ms --from-cnf "+namedPipe(t)); status != undecided {
		t.Errorf("status %d, want %d: %s", status, undecided, text)
	}
}

// restart goes on at the beginning of a file.
func restart(file *os.File) error {
	_, err := file.Seek(0, io.SeekStart)
	return err
}

func namedPipe(t *testing.T) string {
	t.Helper()
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	return pipe
}

// runWithin runs a command that is to end within seconds.
func runWithin(t *testing.T, ctx context.Context, args string) (status int, text string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	ended := make(chan int, 1)
	words := strings.Fields(args)
	go func() { ended <- Run(ctx, words, strings.NewReader(""), &stdout, &stderr) }()
	select {
	case status := <-ended:
		return status, stdout.String() + stderr.String()
	case <-time.After(5 * time.Second):
		t.Fatalf("%s: it waits", args)
	}
	return 0, ""
}
