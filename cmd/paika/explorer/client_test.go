package explorer

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// python is the command of Python 3. Where there is none the test is skipped, unless the
// variable that asks for the tests of other languages demands it.
func python(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err != nil && os.Getenv("PAIKA_READER_TESTS") == "required" {
		t.Fatal(err)
	}
	if err != nil {
		t.Skip(err)
	}
	return path
}

// The client in Python says what the server says, of more positions than it asks about in
// one request, and tells problems in the server's words.
func TestClientInPython(t *testing.T) {
	interpreter := python(t)
	server := httptest.NewServer(newServer(t, unhurried()).Handler())
	defer server.Close()
	url := server.URL
	ask := func(game string, positions ...string) (output, problems string) {
		t.Helper()
		run := exec.CommandContext(t.Context(), interpreter, "client/client.py", url, game, "5x5")
		run.Stdin = strings.NewReader(strings.Join(positions, "\n") + "\n")
		var out, err bytes.Buffer
		run.Stdout, run.Stderr = &out, &err
		if failed := run.Run(); (failed != nil) != (err.Len() > 0) {
			t.Errorf("%v: %s", failed, err.String())
		}
		return out.String(), err.String()
	}

	all, err := tables()
	if err != nil {
		t.Fatal(err)
	}
	probed, err := all[0].Tables.Probe(t.Context(), []string{won})
	if err != nil {
		t.Fatal(err)
	}
	said := fmt.Sprintf("%s %d", probed[0].Result.Value, *probed[0].Result.Distance)
	var positions []string
	for range 120 {
		positions = append(positions, won)
	}
	output, problems := ask("fanorona", append(positions, "nonsense")...)
	lines := strings.Split(strings.TrimSpace(output), "\n")
	if len(lines) != 121 || lines[0] != said || lines[119] != said || !strings.HasPrefix(lines[120], "? ") {
		t.Errorf("%d lines, from %s to %s, want %s; %s", len(lines), lines[0], lines[len(lines)-1], said, problems)
	}
	if _, problems = ask("chess", won); !strings.Contains(problems, "unknown game") || strings.Contains(problems, "Traceback") {
		t.Errorf("problems %s", problems)
	}

	broken := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		io.WriteString(w, `{"answers":[`)
	}))
	defer broken.Close()
	url = broken.URL
	if _, problems = ask("fanorona", won); !strings.Contains(problems, "breaks off") || strings.Contains(problems, "Traceback") {
		t.Errorf("an answer that breaks off: %s", problems)
	}
}
