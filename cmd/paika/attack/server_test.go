package attack

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"
)

// server is a paika serve that runs until the test ends.
type server struct {
	address string // host and port
	oracle  oracle
	hard    []hardBoard
}

// hardBoard is a board of Phutball on which it takes long to tell whether a turn wins.
type hardBoard struct {
	position string
	win      bool
}

// hardBoards reads some that the tests of the solver have, with their answers: those that
// take a second at the most, with the memory that a server gives to one.
func hardBoards(t *testing.T) (boards []hardBoard) {
	t.Helper()
	text, err := os.ReadFile("../../../solver/winone/testdata/hard.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		work, position, found := strings.Cut(strings.TrimSpace(line), "; ")
		if strings.HasPrefix(work, "#") || !found {
			continue
		}
		h := hardBoard{position: position}
		var jumps, conflicts uint64
		if _, err := fmt.Sscan(work, &h.win, &jumps, &conflicts); err != nil {
			t.Fatalf("%q: %v", work, err)
		}
		if conflicts == 0 || h.win && jumps < 300_000 {
			boards = append(boards, h)
		}
	}
	return boards
}

var listening = regexp.MustCompile(`http://([^/]+)/`)

func newServer(t *testing.T) server {
	t.Helper()
	dir := t.TempDir()
	must(t, dir, "", append([]string{"build", "--pieces", "all", "--metric", "dtw"}, board...)...)
	o := newOracle(t, dir, "paika-data/fanorona-3x3")
	cmd := exec.Command("paika", "serve", "--addr", "127.0.0.1:0")
	cmd.Dir = dir
	said, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	cmd.Stderr = &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		if err := cmd.Wait(); err != nil || strings.Contains(log.String(), "goroutine ") {
			t.Errorf("the server ends with %v: %s", err, last(log.String(), 2000)) // who hangs up is not told of a panic
		}
	})
	address, ended := make(chan string, 1), make(chan error, 1)
	go func() {
		lines := bufio.NewScanner(said)
		for lines.Scan() {
			if found := listening.FindStringSubmatch(lines.Text()); found != nil {
				address <- found[1]
			}
		}
		ended <- lines.Err()
	}()
	select {
	case a := <-address:
		return server{a, o, hardBoards(t)}
	case err := <-ended:
		t.Fatalf("the server ends and does not say where it listens: %v", err)
		return server{}
	case <-time.After(patience):
		t.Fatal("the server does not say where it listens")
		return server{}
	}
}

// nasty is what is put where a request has a word.
var nasty = []string{
	"", "0", "-1", "start", "9x5", "3x3", "telo", "999999999x999999999", "..", "%2e%2e%2f", "%00", "/etc/passwd", "<script>", "NaN", "1e309",
	strings.Repeat("W", 5000), strings.Repeat("[", 3000), "{}", "[]", "null", "true", "\"", "'", "\xff\xfe", "W/W w", "WWW/B.B/WBW w", "b",
	"18446744073709551616", "9223372036854775807", "2v2", "1v1", "12v12", "konane", "phutball", "fanorona", "gap:a1-b1",
}

// request is what is sent to the server.
type request struct {
	text    string
	long    bool          // the server may be at work for a while
	hangsUp time.Duration // after which who asks does; 0 for who waits
}

// request makes one of a shape that the server knows, with a word or two
// replaced.
func (s server) request(r *rand.Rand) request {
	if r.IntN(8) == 0 {
		return s.longRequest(r)
	}
	word := func(usual string) string {
		if r.IntN(4) > 0 {
			return usual
		}
		return nasty[r.IntN(len(nasty))]
	}
	game, size, position := "fanorona", "3x3", s.oracle.right[r.IntN(len(s.oracle.right))].Position
	if r.IntN(4) == 0 {
		game, size, position = "phutball", hardSize, s.hard[r.IntN(len(s.hard))].position
	}
	method, body := "GET", ""
	endpoint := []string{"position", "turns", "play", "stats", "random", "longest", "win-in-one", "positions", "search", "image.svg"}[r.IntN(10)]
	if endpoint == "positions" || endpoint == "search" {
		method = "POST"
		body = fmt.Sprintf([]string{
			`{"positions": ["%s", "%s"]}`, `{"position": "%s", "nodes": 100, "x": "%s"}`, `{"position": "%s", "nodes": %s}`, `%s%s`, `{"positions": %s, "%s": 1}`,
		}[r.IntN(5)], word(position), word(position))
	}
	method = []string{method, method, method, method, "PUT", "HEAD", "DELETE", "OPTIONS"}[r.IntN(8)]
	path := fmt.Sprintf("/api/v1/%s/%s/%s?%s=%s&%s=%s", escape(word(game)), escape(word(size)), escape(word(endpoint)),
		escape(word("p")), escape(word(position)), escape(word("slice")), escape(word("2v2")))
	length := fmt.Sprint(len(body))
	if r.IntN(12) == 0 {
		length = nasty[r.IntN(len(nasty))]
	}
	host := s.address
	if r.IntN(12) == 0 {
		host = nasty[r.IntN(len(nasty))]
	}
	return request{text: fmt.Sprintf("%s %s HTTP/1.1\r\nHost: %s\r\nContent-Type: %s\r\nContent-Length: %s\r\nConnection: close\r\n\r\n%s",
		method, path, host, word("application/json"), length, body)}
}

// hardSize is that of the hard boards.
const hardSize = "19x21"

// longRequest asks whether a turn wins on a hard board. One in two hangs up, most of them while
// the server is at work.
func (s server) longRequest(r *rand.Rand) request {
	var hangsUp time.Duration
	if r.IntN(2) == 0 {
		hangsUp = 1 + time.Duration(r.Int64N(int64(100*time.Millisecond)))
	}
	shortest := hangsUp > 0 && r.IntN(2) == 0 // it takes seconds
	path := fmt.Sprintf("/api/v1/phutball/%s/win-in-one?p=%s&shortest=%t", hardSize, escape(s.hard[r.IntN(len(s.hard))].position), shortest)
	return request{fmt.Sprintf("GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", path, s.address), true, hangsUp}
}

// escape is a word as a request has it.
func escape(word string) string {
	return strings.NewReplacer(" ", "+", "\"", "%22", "\xff", "%ff", "\xfe", "%fe", "<", "%3c", ">", "%3e").Replace(word)
}

// ask sends a request as it is. An answer is JSON, and never one that says that
// the server failed.
func (s server) ask(r *rand.Rand) (what string, v verdict) {
	asked := s.request(r)
	what = asked.text
	conn, err := net.Dial("tcp", s.address)
	if err != nil {
		return what, verdict{crashed, err.Error()}
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(patience))
	if _, err := io.WriteString(conn, what); err != nil {
		return what, verdict{outcome: noticed} // it did not want the rest
	}
	switch {
	case !asked.long:
		conn.(*net.TCPConn).CloseWrite() // which ends long work, as hanging up does
	case asked.hangsUp > 0:
		defer time.AfterFunc(asked.hangsUp, func() { conn.Close() }).Stop()
	}
	method, _, _ := strings.Cut(what, " ")
	answer, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
	if err != nil {
		return what, unanswered(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	switch {
	case err != nil:
		return what, unanswered(err)
	case answer.StatusCode >= 500 && answer.StatusCode != http.StatusServiceUnavailable:
		return what, verdict{crashed, answer.Status + ": " + last(string(body), 300)}
	case strings.Contains(string(body), "goroutine ") || strings.Contains(string(body), "Go struct") || strings.Contains(string(body), "strconv"):
		return what, verdict{wrong, "an answer in words of the program: " + last(string(body), 300)}
	case answer.StatusCode >= 400:
		return what, verdict{outcome: noticed}
	case strings.Contains(answer.Header.Get("Content-Type"), "json") && len(body) > 0 && !eachJSON(body):
		return what, verdict{wrong, "no JSON: " + last(string(body), 300)}
	}
	return what, s.oracle.judgeAll(body).worse(s.judgeWin(body))
}

// judgeWin compares what is told of a win on a hard board, if anything is.
func (s server) judgeWin(body []byte) verdict {
	var told struct {
		Position string
		Win      *bool
	}
	if json.Unmarshal(body, &told) != nil || told.Win == nil {
		return verdict{}
	}
	for _, h := range s.hard {
		if h.position == told.Position && h.win != *told.Win {
			return verdict{wrong, fmt.Sprintf("%s: a win is there: %t, want %t", h.position, *told.Win, h.win)}
		}
	}
	return verdict{}
}

// judgeAll compares the value of every position of the board that is told of in lines of JSON, as
// they are for the side to move: of where turns lead they are for the other side.
func (o oracle) judgeAll(body []byte) (v verdict) {
	var judge func(told any)
	judge = func(told any) {
		switch told := told.(type) {
		case []any:
			for _, one := range told {
				judge(one)
			}
		case map[string]any:
			position, _ := told["position"].(string)
			value, valued := told["value"].(string)
			if right, known := o.values[position]; known && valued && value != right {
				v = v.worse(verdict{wrong, fmt.Sprintf("%s: %s, want %s", position, value, right)})
			}
			for key, one := range told {
				if key != "turns" {
					judge(one)
				}
			}
		}
	}
	for line := range bytes.Lines(body) {
		var told any
		if json.Unmarshal(line, &told) == nil { // else it is no JSON, and nothing is told of positions
			judge(told)
		}
	}
	return v
}

// unanswered judges an answer that did not come whole: the server may break off what
// is no request by HTTP's own rules, but not leave it waiting.
func unanswered(err error) verdict {
	if timeout, ok := err.(net.Error); ok && timeout.Timeout() {
		return verdict{hung, err.Error()}
	}
	if errors.Is(err, net.ErrClosed) { // who hangs up gets no answer
		return verdict{}
	}
	return verdict{outcome: noticed}
}

// eachJSON tells whether a text is JSON, line by line.
func eachJSON(body []byte) bool {
	for line := range strings.Lines(string(body)) {
		if !json.Valid([]byte(line)) {
			return false
		}
	}
	return true
}

func TestHostileRequestsGetAnAnswer(t *testing.T) {
	s := newServer(t)
	campaign{"requests", 30, 5000, 60}.run(t, func(t *testing.T, r *rand.Rand) (string, verdict) { return s.ask(r) })
	// After all of them it answers as before.
	position := strings.ReplaceAll(s.oracle.right[0].Position, " ", "+")
	answer, err := http.Get("http://" + s.address + "/api/v1/fanorona/3x3/position?p=" + position)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var got struct{ Value string }
	if err := json.NewDecoder(answer.Body).Decode(&got); err != nil || got.Value != s.oracle.right[0].Value {
		t.Errorf("%s: %q, %v, want %q", s.oracle.right[0].Position, got.Value, err, s.oracle.right[0].Value)
	}
}
