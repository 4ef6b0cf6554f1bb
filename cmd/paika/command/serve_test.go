package command

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// serving runs paika serve until the test ends, and gives its address.
func serving(t *testing.T, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	var log bytes.Buffer
	status := make(chan int, 1)
	go func() {
		defer in.Close()
		status <- Run(ctx, append([]string{"serve", "--addr", "127.0.0.1:0", "--json"}, args...), strings.NewReader(""), in, &log)
	}()
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err != nil {
		t.Fatalf("%v; %s", err, log.String())
	}
	t.Cleanup(func() {
		cancel()
		if got := <-status; got != done {
			t.Errorf("exit status %d, want %d; %s", got, done, log.String())
		}
		for line := range strings.Lines(log.String()) {
			if !json.Valid([]byte(line)) {
				t.Errorf("the log has %q", line)
			}
		}
	})
	var started served
	if err := json.Unmarshal(line, &started); err != nil {
		t.Fatal(err)
	}
	return started.URL
}

func fetch(t *testing.T, address string) (int, string) {
	t.Helper()
	response, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(body)
}

// printed is what a command prints, which must be done.
func printed(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if status := Run(t.Context(), args, strings.NewReader(""), &stdout, &stderr); status != done {
		t.Fatalf("paika %v: exit status %d, %s", args, status, stderr.String())
	}
	return stdout.String()
}

func TestServeAnswersAsTheCommandsDo(t *testing.T) {
	t.Setenv(dataVariable, t.TempDir())
	printed(t, "build", "--board", "dimy", "--pieces", "3", "--metric", "dtw", "--quiet")
	printed(t, "build", "--board", "telo", "--pieces", "3", "--rules", "stalemate=draw", "--quiet")
	other := t.TempDir()
	printed(t, "build", "konane", "--board", "4x3", "--pieces", "all", "--db", other, "--quiet")
	address := serving(t, "konane", "--board", "4x3", "--db", other)
	for _, c := range []struct {
		path, position string
		args           []string
	}{
		{"fanorona/5x5", ".B.../...../..W../...../W.... w", []string{"--board", "5x5"}},
		{"fanorona/dimy", "...../...../..W../...../W.... b", []string{"--board", "5x5"}},
		{"fanorona/3x3", "B../.../W.. w", []string{"--board", "3x3", "--rules", "stalemate=draw"}},
		{"konane/4x3", "start", []string{"--board", "4x3", "--db", other}},
	} {
		game, _, _ := strings.Cut(c.path, "/")
		rules := ""
		if len(c.args) > 2 && c.args[2] == "--rules" {
			rules = "&rules=" + c.args[3]
		}
		for what, command := range map[string]string{"position": "query", "turns": "turns"} {
			want := printed(t, append([]string{command, game, c.position, "--json"}, c.args...)...)
			_, got := fetch(t, fmt.Sprintf("%sapi/v1/%s/%s?p=%s%s", address, c.path, what, url.QueryEscape(c.position), rules))
			if got != want {
				t.Errorf("%s of %s: %s\nwant %s", what, c.position, got, want)
			}
		}
	}
	if _, got := fetch(t, address+"api/v1/games"); !strings.Contains(got, `"first":{"game":"konane","board":"4x3","rules":""}`) || strings.Contains(got, other) {
		t.Errorf("games: %s", got)
	}
	// The command that builds what lacks is the one that the other commands name.
	status, got := fetch(t, address+"api/v1/fanorona/5x5/position?p="+url.QueryEscape("BB.../...../..W../...../WW... b"))
	if want := `"build":"paika build fanorona --slices 2v3 --board 5x5 --metric dtw"`; status != http.StatusNotFound || !strings.Contains(got, want) {
		t.Errorf("status %d, %s; want in it %s", status, got, want)
	}
}

func TestServeRefusesOtherAddresses(t *testing.T) {
	for address, want := range map[string]bool{
		"127.0.0.1:80": true, "localhost:80": true, "[::1]:80": true, "127.9.9.9:0": true,
		":80": false, "0.0.0.0:80": false, "192.0.2.1:80": false, "[::]:80": false, "example.org:80": false, "127.0.0.1": false,
	} {
		if err := checkAddress(address, false); (err == nil) != want {
			t.Errorf("%s: %v", address, err)
		}
	}
	if err := checkAddress(":80", true); err != nil {
		t.Errorf("--public: %v", err)
	}
	var stdout, stderr bytes.Buffer
	if status := Run(t.Context(), []string{"serve", "--addr", ":0"}, strings.NewReader(""), &stdout, &stderr); status != misused || !strings.Contains(stderr.String(), "--public") {
		t.Errorf("exit status %d, %s", status, stderr.String())
	}
}
