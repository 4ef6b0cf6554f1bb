package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"paika/cmd/paika/prover"
)

// openTerminal opens a pseudo-terminal of some width: what is written to terminal
// comes out of reader.
func openTerminal(t *testing.T, width uint16) (reader, terminal *os.File) {
	t.Helper()
	reader, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { reader.Close() })
	fd := int(reader.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { terminal.Close() })
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: width}); err != nil {
		t.Fatal(err)
	}
	return reader, terminal
}

// shownOn is what is to be seen on a terminal, and a last line.
func shownOn(t *testing.T, reader, terminal *os.File) []string {
	t.Helper()
	terminal.WriteString("the end\n")
	var written strings.Builder
	for one := make([]byte, 1); !strings.Contains(written.String(), "end\r\n"); {
		if _, err := io.ReadFull(reader, one); err != nil {
			t.Fatalf("%q, %v", written.String(), err)
		}
		written.Write(one)
	}
	return visible(written.String())
}

// A real terminal shows progress, as wide as it is, unless --quiet says no.
func TestProgressOnATerminal(t *testing.T) {
	for _, quiet := range []bool{false, true} {
		reader, terminal := openTerminal(t, 30)
		o := newOptions(nil)
		o.quiet = quiet
		p := o.startProgress(terminal)
		p.set("building a very long name", "index", 1, 2)
		p.close()
		want := []string{"building a very long name: 50", "the end", ""}
		if quiet {
			want = want[1:]
		}
		if got := shownOn(t, reader, terminal); strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("quiet %v: %q, want %q", quiet, got, want)
		}
	}
}

// TestAnAnswerBeginsALine: what a search tells of its progress stands above its answer, not before
// and behind it.
func TestAnAnswerBeginsALine(t *testing.T) {
	reader, terminal := openTerminal(t, 80)
	cmd := newRoot(newOptions(nil))
	cmd.SetArgs([]string{"value", "konane", "--board", "6x6", "--opening", "middle-h", "--workers", "1", "--memory", "256M"})
	cmd.SetOut(terminal)
	cmd.SetErr(terminal)
	if err := cmd.ExecuteContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	lines := shownOn(t, reader, terminal)
	if len(lines) != 5 || !strings.HasPrefix(lines[0], "searching: ") || lines[1] != "oxoxox/xoxoxo/oxoxox/xo..xo/oxoxox/xoxoxo b" {
		t.Errorf("%q", lines)
	}
}

// TestEveryAnswerToManyLinesBeginsALine.
func TestEveryAnswerToManyLinesBeginsALine(t *testing.T) {
	t.Chdir(t.TempDir())
	reader, terminal := openTerminal(t, 200)
	cmd := newRoot(newOptions(nil))
	cmd.SetArgs([]string{"prove", "konane", "-", "--board", "7x6", "--opening", "middle-h", "--claim", "white-wins", "--nodes", "700000", "--workers", "1", "--memory", "256M"})
	cmd.SetIn(strings.NewReader("start\nstart\n"))
	cmd.SetOut(terminal)
	cmd.SetErr(terminal)
	if err := cmd.ExecuteContext(t.Context()); !errors.Is(err, prover.ErrUndecided) {
		t.Fatal(err)
	}
	for _, line := range shownOn(t, reader, terminal) {
		if strings.Contains(line, `"position":`) && !strings.HasPrefix(line, "{") {
			t.Errorf("an answer stands behind %q", line[:20])
		}
	}
}

// A drawing on a terminal has signs that a file, which may be read by anything, has not.
func TestDrawingsHaveTheirSignsOnATerminal(t *testing.T) {
	reader, terminal := openTerminal(t, 80)
	if status := Run(t.Context(), []string{"turns", "phutball", "--board", "3x3"}, nil, terminal, terminal); status != 0 {
		t.Fatal(status)
	}
	if lines := shownOn(t, reader, terminal); lines[1] != "  2  · ◎ ·" {
		t.Errorf("%q", lines)
	}
}
