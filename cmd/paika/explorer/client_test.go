package explorer

import (
	"bytes"
	"fmt"
	"io"
	"net"
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
	for _, long := range []string{strings.Repeat("B", 700_000), strings.Repeat("\xff", 2000)} {
		output, problems = ask("fanorona", won, long, long, won)
		if lines := strings.Split(strings.TrimSpace(output), "\n"); problems != "" || len(lines) != 4 || lines[0] != said || !strings.HasPrefix(lines[1], "? ") || !strings.HasPrefix(lines[2], "? ") || lines[3] != said {
			t.Errorf("a line of %d bytes between others: %.300s; %s", len(long), output, problems)
		}
	}
	if _, problems = ask("fan orona?", won); !strings.Contains(problems, "unknown game") || strings.Contains(problems, "Traceback") {
		t.Errorf("a name with a blank: %s", problems)
	}
	if output, problems = ask("fanorona", "\xff\xfe"); !strings.HasPrefix(output, "? ") || problems != "" {
		t.Errorf("what is no UTF-8: %s, %s", output, problems)
	}
	for name, answer := range map[string]string{"a list": "[]", "a text": `"no"`, "half an object": "{"} {
		failing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "Sat, 28 Nov 2026 16:00:00 GMT")
			w.WriteHeader(http.StatusTeapot)
			io.WriteString(w, answer)
		}))
		url = failing.URL
		if _, problems = ask("fanorona", won); !strings.Contains(problems, "418") || strings.Contains(problems, "Traceback") {
			t.Errorf("%s: %s", name, problems)
		}
		failing.Close()
	}
	for _, answer := range []string{"[]", "{}", "null", `{"answers":null}`, `{"answers":[]}`, `{"answers":[{}]}`, `{"answers":[null]}`,
		`{"answers":[{"value":"win"}]}`, `{"answers":[{"value":1,"distance":2}]}`, `{"answers":[{"problem":{}}]}`,
		`{"answers":[{"value":"win","distance":1},{"value":"win","distance":1}]}`} {
		other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, answer) }))
		url = other.URL
		if output, problems := ask("fanorona", won); output != "" || !strings.Contains(problems, "gives no answers to 1 positions") || strings.Contains(problems, "Traceback") {
			t.Errorf("%s: %s, %s", answer, output, problems)
		}
		other.Close()
	}
	url = "nowhere"
	if _, problems = ask("fanorona", won); problems == "" || strings.Contains(problems, "Traceback") {
		t.Errorf("an address that is none: %s", problems)
	}
	url = server.URL
	if _, problems = ask("chess", won); !strings.Contains(problems, "unknown game") || strings.Contains(problems, "Traceback") {
		t.Errorf("problems %s", problems)
	}

	// What ends in the middle of an answer may close the connection, or reset it, as the
	// system does for a server that ends before it has read the whole request.
	for ending, linger := range map[string]int{"an answer that breaks off": -1, "a reset": 0} {
		broken := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
			io.Copy(io.Discard, request.Body)
			connection, answer, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			answer.WriteString("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"answers\":[")
			answer.Flush()
			connection.(*net.TCPConn).SetLinger(linger)
			connection.Close()
		}))
		url = broken.URL
		if _, problems = ask("fanorona", won); !strings.Contains(problems, "breaks off") || strings.Contains(problems, "Traceback") {
			t.Errorf("%s: %s", ending, problems)
		}
		broken.Close()
	}
}
