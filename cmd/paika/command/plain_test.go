package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/hub/inspection"
)

// Characters that a terminal obeys are told, however they come, and all others stay.
func TestPlainText(t *testing.T) {
	for text, want := range map[string]string{
		"a1-b2\tdraw\n·● é":   "a1-b2\tdraw\n·● é",
		"\x1b[2J\r\a\x00\x7f": `\x1b[2J\r\a\x00\x7f`,
		"proved\u202edilav":   `proved\u202edilav`,
		"\u009b2J":            `\u009b2J`,
		"\x9b\xe2\x97":        `\x9b\xe2\x97`,
	} {
		for _, size := range []int{1, 2, 100} {
			var got strings.Builder
			err := printPlain(&got, func(w io.Writer) error {
				for at := 0; at < len(text); at += size {
					if n, err := io.WriteString(w, text[at:min(at+size, len(text))]); err != nil || n != min(size, len(text)-at) {
						return fmt.Errorf("%d bytes written, %w", n, err)
					}
				}
				return nil
			})
			if got.String() != want || err != nil {
				t.Errorf("%q, %d bytes at a time: %q, want %q; error %v", text, size, got.String(), want, err)
			}
		}
	}
	failing := errors.New("full")
	if err := printPlain(failingWriter{failing}, func(w io.Writer) error { _, err := io.WriteString(w, "a"); return err }); !errors.Is(err, failing) {
		t.Errorf("error %v, want %v", err, failing)
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

// What somebody else wrote into tables stays on its line, and no terminal obeys it.
func TestTextsOfOthersAreEscaped(t *testing.T) {
	const hostile = "\x1b[2J\nnothing is wrong"
	base := t.TempDir()
	t.Setenv("PAIKA_DATA", base)
	game := fmt.Sprintf(`{"format": 3, "game": "\u001b[2J\nnothing is wrong", "board": "", "rules": "", "checksum": "%016x"}`, xxh3.HashString(fmt.Sprintf("3 %q \"\" \"\"", hostile)))
	dir := filepath.Join(base, "fanorona-9x5")
	if err := errors.Join(os.Mkdir(dir, 0o777), os.WriteFile(filepath.Join(dir, "paika.json"), []byte(game), 0o666)); err != nil {
		t.Fatal(err)
	}
	var notice strings.Builder
	cmd := newValue(newOptions(nil))
	cmd.SetErr(&notice)
	notices(cmd)(hostile)
	_, games, _ := runQuietly(t, "games")
	for what, shown := range map[string]string{
		"games":     games,
		"a notice":  notice.String(),
		"a finding": catalogue.InspectedTables(inspection.Report{Unopened: hostile}, 0).Findings[0].String(),
	} {
		if !strings.Contains(shown, `\x1b[2J\nnothing is wrong`) || strings.Contains(shown, "\x1b") {
			t.Errorf("%s: %q", what, shown)
		}
	}
}

// Names of files that have the end of a line do not break the lines of an answer.
func TestNamesStayOnALine(t *testing.T) {
	t.Chdir(t.TempDir())
	const name, shown = "a\nb", `$'a\nb'`
	if err := os.Mkdir(name, 0o777); err != nil {
		t.Skip(err) // not everywhere may a name have that
	}
	for _, c := range []struct {
		args   []string
		status int
	}{
		{[]string{"build", "--board", "3x3", "--pieces", "2", "--metric", "dtw", "--db", name}, done},
		{[]string{"verify", "--board", "3x3", "--db", name}, done},
		{[]string{"repair", "--board", "3x3", "--db", name}, done},
		{[]string{"export", "--board", "3x3", "--db", name, name + "flat"}, done},
		{[]string{"import", "--board", "3x3", "--db", name + "db", name + "flat"}, done},
		{[]string{"prove", "--board", "3x3", "--claim", "white-wins", "--db", name, "--out", name + "proof"}, done},
		{[]string{"check", name + "proof", "--db", name}, done},
		{[]string{"complete", name + "proof", "--db", name, "--out", name + "whole"}, done},
		{[]string{"check", name + "none"}, unavailable},
		{[]string{"query", "--board", "3x3", "--db", name + "none", "start"}, unavailable},
	} {
		status, out, faults := runQuietly(t, c.args...)
		for line := range strings.Lines(out + faults) {
			if strings.HasPrefix(line, "b") {
				t.Errorf("%q: a line is %q", c.args, line)
			}
		}
		if c.status != status || !strings.Contains(out+faults, strings.TrimSuffix(shown, "'")) {
			t.Errorf("%q: status %d: %s%s", c.args, status, out, faults)
		}
	}
}
