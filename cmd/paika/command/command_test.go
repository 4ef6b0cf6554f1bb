package command

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

func TestEveryCommandHasAnExample(t *testing.T) {
	for _, cmd := range append(newRoot(newOptions(nil)).Commands(), newRoot(newOptions(nil))) {
		if !strings.HasPrefix(cmd.Example, "  paika") {
			t.Errorf("paika %s: Example is %q", cmd.Name(), cmd.Example)
		}
		if cmd.Short == "" || cmd.Long == "" && cmd.Name() != "help" {
			t.Errorf("paika %s: no description", cmd.Name())
		}
	}
}

// TestExamplesParse runs no example, but has each one's flags read.
func TestExamplesParse(t *testing.T) {
	for _, cmd := range append(newRoot(newOptions(nil)).Commands(), newRoot(newOptions(nil))) {
		for line := range strings.Lines(cmd.Example) {
			for call := range strings.SplitSeq(line, "&&") {
				checkExample(t, call)
			}
		}
	}
}

func checkExample(t *testing.T, call string) {
	call, _, _ = strings.Cut(call, "<")
	call, _, _ = strings.Cut(call, "|")
	words := strings.Fields(call)[1:]
	root := newRoot(newOptions(words))
	var cmd *cobra.Command
	cmd, rest, err := root.Find(words)
	if err == nil {
		err = cmd.ParseFlags(rest)
	}
	if err != nil || cmd == root {
		t.Errorf("%q: %v", call, err)
	}
}

// A build that is cancelled before it begins is stopped like any other.
func TestCancelledContextIsStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stdout, stderr bytes.Buffer
	status := Run(ctx, []string{"build", "--board", "telo", "--pieces", "3", "--db", t.TempDir()}, strings.NewReader(""), &stdout, &stderr)
	if status != stopped {
		t.Errorf("exit status %d, want %d", status, stopped)
	}
	if want := "go on with: paika build --board telo --pieces 3"; !strings.Contains(stderr.String(), want) {
		t.Errorf("standard error is %q, want in it %q", stderr.String(), want)
	}
	if stdout.Len() > 0 {
		t.Errorf("standard output is %q", stdout.String())
	}
}

// TestWordsAreCountedInWords: a command that gets too few words, or too many, says what
// it wants, and not how many of which kind another program counts.
func TestWordsAreCountedInWords(t *testing.T) {
	said := 0
	for _, cmd := range newRoot(newOptions(nil)).Commands() {
		for _, words := range [][]string{nil, {"x", "y", "z"}} {
			err := cmd.ValidateArgs(words)
			if err == nil {
				continue
			}
			said++
			if want := cmd.Name() + ": "; !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), "want ") {
				t.Errorf("paika %s %v: %q, want %q and what is wanted", cmd.Name(), words, err, want)
			}
		}
	}
	if said < 10 {
		t.Errorf("%d commands count their words, want 10", said)
	}
}

// Help fits a terminal. Examples may be longer: they are to be pasted.
func TestHelpFitsATerminal(t *testing.T) {
	root := newRoot(newOptions(nil))
	for _, cmd := range append(root.Commands(), root) {
		help, _, _ := strings.Cut(cmd.Long+"\n\n"+cmd.UsageString(), "Examples:")
		_, flags, _ := strings.Cut(cmd.UsageString(), "Flags:")
		for line := range strings.Lines(help + flags) {
			if line = strings.TrimSuffix(line, "\n"); len([]rune(line)) > helpWidth {
				t.Errorf("paika help %s: a line of %d characters: %s", cmd.Name(), len([]rune(line)), line)
			}
		}
	}
}

// quietPipe is standard input that brings nothing for a long time. It stops who reads it.
type quietPipe struct{ stop context.CancelFunc }

func (p quietPipe) Read([]byte) (int, error) {
	p.stop()
	time.Sleep(10 * time.Second)
	return 0, io.EOF
}

func TestOneSignalEndsWhoWaitsForAPipe(t *testing.T) {
	for _, args := range []string{
		"annotate fanorona -", "record fanorona -", "check -", "complete - --out " + filepath.Join(t.TempDir(), "whole.proof"),
		"query - --board telo", "win-in-one phutball -", "prove --board telo --claim draw -",
	} {
		t.Run(args, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			var stdout, stderr bytes.Buffer
			status := Run(ctx, strings.Fields(args), quietPipe{cancel}, &stdout, &stderr)
			if status != stopped {
				t.Errorf("status %d: %s%s", status, &stdout, &stderr)
			}
		})
	}
}
