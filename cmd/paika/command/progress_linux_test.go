package command

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
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

// A real terminal shows progress, as wide as it is, unless --quiet says no.
func TestProgressOnATerminal(t *testing.T) {
	for _, quiet := range []bool{false, true} {
		reader, terminal := openTerminal(t, 30)
		o := newOptions(nil)
		o.quiet = quiet
		p := o.startProgress(terminal)
		p.set("building a very long name", "indices", 1, 2)
		p.close()
		terminal.WriteString("the end\n")
		var written strings.Builder
		for one := make([]byte, 1); !strings.Contains(written.String(), "end\r\n"); {
			if _, err := io.ReadFull(reader, one); err != nil {
				t.Fatalf("%q, %v", written.String(), err)
			}
			written.Write(one)
		}
		want := []string{"building a very long name: 50", "the end", ""}
		if quiet {
			want = want[1:]
		}
		if got := visible(written.String()); strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("quiet %v: %q, want %q", quiet, got, want)
		}
	}
}
