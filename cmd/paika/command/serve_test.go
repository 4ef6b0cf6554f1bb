package command

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"paika/cmd/paika/explorer"
)

// serving runs paika serve until the test ends, and gives its address.
func serving(t *testing.T, args ...string) string {
	t.Helper()
	return servingAt(t, "127.0.0.1:0", args...)
}

// servingAt is serving at an address of the machine.
func servingAt(t *testing.T, at string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	var log bytes.Buffer
	status := make(chan int, 1)
	go func() {
		defer in.Close()
		status <- Run(ctx, append([]string{"serve", "--addr", at, "--json"}, args...), strings.NewReader(""), in, &log)
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
	if _, got := fetch(t, address+"api/v1/games"); !strings.Contains(got, `"first":{"game":"konane","board":"4x3","rules":"","position":"`) || strings.Contains(got, other) {
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
		"127.0.0.1:": false, "127.0.0.1:-1": false, "127.0.0.1:65536": false, "127.0.0.1:http": false, "127.0.0.1:1e3": false, "1:2:3": false, "": false,
	} {
		if _, err := checkHosts(address, false, nil); (err == nil) != want {
			t.Errorf("%s: %v", address, err)
		}
	}
	if _, err := checkHosts(":80", true, nil); err != nil {
		t.Errorf("--public: %v", err)
	}
	var stdout, stderr bytes.Buffer
	if status := Run(t.Context(), []string{"serve", "--addr", ":0"}, strings.NewReader(""), &stdout, &stderr); status != misused || !strings.Contains(stderr.String(), "--public") {
		t.Errorf("exit status %d, %s", status, stderr.String())
	}
}

// The host of --addr, and those of --host, are those that requests may name.
func TestServeKnowsItsHosts(t *testing.T) {
	for _, c := range []struct {
		address string
		given   []string
		want    []string
	}{
		{"127.0.0.1:80", nil, nil},
		{":80", []string{"a.example", "192.0.2.1"}, []string{"a.example", "192.0.2.1"}},
		{"b.example:80", []string{"a.example"}, []string{"a.example", "b.example"}},
		{"192.0.2.1:80", nil, nil}, // connections tell it
	} {
		got, err := checkHosts(c.address, true, c.given)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s %v: %v, %v, want %v", c.address, c.given, got, err, c.want)
		}
	}
	for _, host := range []string{"", "a.example:80", "http://a.example/", "*", strings.Repeat("x", 300)} {
		if _, err := checkHosts("127.0.0.1:80", false, []string{host}); err == nil || len(err.Error()) > 250 {
			t.Errorf("--host %q: %v", host, err)
		}
	}
}

func TestServeAnswersItsHostsAlone(t *testing.T) {
	t.Setenv(dataVariable, t.TempDir())
	address := serving(t, "--host", "tables.example.org")
	for host, want := range map[string]int{"": http.StatusOK, "tables.example.org": http.StatusOK, "evil.example": http.StatusMisdirectedRequest} {
		request, err := http.NewRequest(http.MethodGet, address+"api/v1", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Host = host
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("host %q: status %d, want %d", host, response.StatusCode, want)
		}
	}
}

// What can be wrong with how it is called is said in plain words, and nothing is
// served.
// The URL that is printed is one that is answered, also where connections come in at any
// address of the machine.
func TestServePrintsAURLThatItAnswers(t *testing.T) {
	t.Setenv(dataVariable, t.TempDir())
	for _, at := range []string{":0", "0.0.0.0:0", "[::]:0", "127.0.0.1:0"} {
		address := servingAt(t, at, "--public")
		if status, got := fetch(t, address+"healthz"); status != http.StatusOK {
			t.Errorf("%s: %s: status %d, %s", at, address, status, got)
		}
	}
	if address := servingAt(t, ":0", "--public", "--host", "localhost.", "--host", "b.example"); !strings.HasPrefix(address, "http://localhost.:") {
		t.Errorf("%s: want the first --host", address)
	}
}

func TestServeSaysWhyItDoesNot(t *testing.T) {
	t.Setenv(dataVariable, t.TempDir())
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for _, c := range []struct {
		args       []string
		status     int
		code, says string
	}{
		{[]string{"--memory", "64M"}, undecided, "memory", "to serve 0 boards takes up to "},
		{[]string{"--memory", "0"}, misused, "parameter", "--memory 0: "},
		{[]string{"--memory", "-1G"}, misused, "parameter", "--memory -1G: "},
		{[]string{"--workers", "0"}, misused, "parameter", "--workers 0: "},
		{[]string{"--workers", "4000000000"}, misused, "parameter", "--workers 4000000000: "},
		{[]string{"--addr", "127.0.0.1:99999"}, misused, "parameter", "a port from 0 to 65535"},
		{[]string{"--addr", "127.0.0.1:" + strings.Repeat("9", 9999)}, misused, "parameter", "a port from 0 to 65535"},
		{[]string{"--addr", taken.Addr().String()}, unavailable, "busy", "--addr " + taken.Addr().String() + ": address already in use"},
		{[]string{"--host", "a b"}, misused, "parameter", "without a port"},
		{[]string{"--public=maybe"}, misused, "parameter", "--public maybe: want true or false"},
	} {
		var stdout, stderr bytes.Buffer
		status := Run(t.Context(), append([]string{"serve", "--json", "--quiet"}, c.args...), strings.NewReader(""), &stdout, &stderr)
		var got shownFault
		if err := json.Unmarshal(stdout.Bytes(), &got); err != nil {
			t.Fatalf("%v: %s, %s", c.args, stdout.String(), stderr.String())
		}
		if status != c.status || string(got.Error.Code) != c.code || !strings.Contains(got.Error.Message, c.says) || len(got.Error.Message) > 300 {
			t.Errorf("%v: exit status %d, %+v; want %d, %s, %q", c.args, status, got.Error, c.status, c.code, c.says)
		}
	}
}

// No answer tells where on the disk the tables are.
func TestServeTellsNoPaths(t *testing.T) {
	data, other := t.TempDir(), t.TempDir()
	t.Setenv(dataVariable, data)
	printed(t, "build", "konane", "--board", "4x3", "--pieces", "all", "--quiet")
	printed(t, "build", "--board", "telo", "--pieces", "3", "--db", other, "--quiet")
	address := serving(t, "fanorona", "--board", "telo", "--db", other)
	for _, path := range []string{
		"", "api/v1", "api/v1/games", "api/v1/fanorona/3x3/stats", "api/v1/fanorona/3x3/position?p=start", "api/v1/fanorona/3x3/random?slice=4v4",
		"api/v1/fanorona/3x3/longest?slice=2v1", "api/v1/konane/4x3/stats", "api/v1/konane/4x3/longest?slice=x", "api/v1/konane/5x5/position?p=start",
		"metrics", "nowhere",
	} {
		_, got := fetch(t, address+path)
		if strings.Contains(got, other) || strings.Contains(got, data) || strings.Contains(got, "/tmp") {
			t.Errorf("%s: %s", path, got)
		}
	}
	_, got := fetch(t, address+"api/v1/fanorona/3x3/position?p=start")
	if want := `"build":"paika build fanorona --slices 4v4 --board 3x3 --db DIR"`; !strings.Contains(got, want) {
		t.Errorf("%s; want in it %s", got, want)
	}
}

// What a check of certificates is lent is promised to no tables that come meanwhile.
func TestACheckAndTablesThatComeShareTheMemory(t *testing.T) {
	limits := explorer.DefaultLimits()
	for _, spare := range []int{0, 1, 4} {
		budget := limits.Memory(3 + spare)
		a := newAccount(limits, budget, 3)
		lent, back := a.lend()
		most := 3
		for a.fits(most + 1) {
			most++
		}
		if most != 3+min(spare, boardsToCome) || limits.Memory(most)+lent > budget {
			t.Errorf("room for %d more: %d boards beside a check with %d of %d bytes", spare, most, lent, budget)
		}
		back()
		if !a.fits(3+spare) || a.fits(4+spare) {
			t.Errorf("room for %d more: after the check %t, one more %t", spare, a.fits(3+spare), a.fits(4+spare))
		}
	}
}
