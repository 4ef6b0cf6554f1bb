package explorer

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
)

// listen has a server answer on loopback, as it does for the command, until stop
// is called.
func listen(t testing.TB, s *Server) (address string, stop func()) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return "http://" + listener.Addr().String(), serveAt(t, s, listener)
}

// serveAt has a server answer until stop is called, which waits for its end.
func serveAt(t testing.TB, s *Server, listener net.Listener) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, listener) }()
	return func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// Texts that are hardly HTTP. What cannot be read as a request is answered by the
// status alone; all else by a problem.
func TestHardlyHTTP(t *testing.T) { inBubble(t, hardlyHTTP) }

func hardlyHTTP(t *testing.T) {
	s := onWires(t, newServer(t, DefaultLimits()))
	defer s.stop()
	host := s.host() + "Connection: close\r\n"
	for text, want := range map[string]string{
		"GET / HTTP/1.1\r\nConnection: close\r\n\r\n":                                  "400",
		"GET / HTTP/1.0\r\n\r\n":                                                       "421",
		"GET / HTTP/1.1\r\n" + host + "Host: other\r\n\r\n":                            "400",
		"GET / HTTP/1.1\r\nHost: a b\r\n\r\n":                                          "400",
		"GET / HTTP/9.9\r\n" + host + "\r\n":                                           "505",
		"GARBAGE\r\n\r\n":                                                              "400",
		"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n":                         "400", // TLS
		"GET http://evil.example/ HTTP/1.1\r\n" + host + "\r\n":                        "421",
		"CONNECT evil.example:443 HTTP/1.1\r\n" + host + "\r\n":                        "421",
		"OPTIONS * HTTP/1.1\r\n" + host + "\r\n":                                       "404",
		"GET * HTTP/1.1\r\n" + host + "Accept: text/html\r\n\r\n":                      "404",
		"GET http:x HTTP/1.1\r\n" + host + "Accept: text/html\r\n\r\n":                 "404",
		"GET http://localhost HTTP/1.1\r\n" + host + "Accept: text/html\r\n\r\n":       "404",
		"GET / HTTP/1.1\r\n" + host + "X: " + strings.Repeat("x", 64<<10) + "\r\n\r\n": "431",
		"GET / HTTP/1.1\r\n" + host + strings.Repeat("X: y\r\n", 9999) + "\r\n":        "431",
		"GET /" + strings.Repeat("a", 64<<10) + " HTTP/1.1\r\n" + host + "\r\n":        "431",
		"GET /a\x00b HTTP/1.1\r\n" + host + "\r\n":                                     "400",
		"GET /%00 HTTP/1.1\r\n" + host + "\r\n":                                        "404",
		"GET / HTTP/1.1\r\n" + host + "Transfer-Encoding: gzip\r\n\r\n":                "501",
		"GET / HTTP/1.1\r\n" + host + "Content-Length: -1\r\n\r\n":                     "400",
		"GET / HTTP/1.1\r\n" + host + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n": "400",
		"GET / HTTP/1.1\r\n" + host + "Expect: cookies\r\n\r\n":                        "417",
		"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n":                                             "421",
		"POST /api/v1/fanorona/5x5/positions HTTP/1.1\r\n" + host + "Content-Type: application/json\r\nContent-Length: 999999999999\r\n\r\n" +
			strings.Repeat(" ", 600<<10): "413",
		"POST /api/v1/fanorona/5x5/positions HTTP/1.1\r\n" + host + "Content-Type: application/json\r\nContent-Length: 999999\r\n\r\n":                          "413", // it waits for no body
		"POST /api/v1/fanorona/5x5/positions HTTP/1.1\r\n" + host + "Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 999999\r\n\r\n":  "413", // nor asks for one
		"POST /api/v1/fanorona/5x5/positions HTTP/1.1\r\n" + host + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n": "400",
		"POST /api/v1/fanorona/5x5/positions HTTP/1.1\r\n" + host + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n" +
			strings.Repeat("1\r\n \r\n", 600<<10) + "0\r\n\r\n": "413",
	} {
		began := time.Now()
		got := s.raw(t, text)
		if took := time.Since(began); took > time.Second {
			t.Errorf("%.80q, %d bytes: answered after %v: %.300q", text, len(text), took, got)
		}
		_, after, _ := strings.Cut(got, " ")
		status, _, _ := strings.Cut(after, " ")
		if status != want {
			t.Errorf("%.80q: status %s, want %s; %.200q", text, status, want, got)
		}
		if _, body, _ := strings.Cut(got, "\r\n\r\n"); strings.Contains(got, "problem+json") != json.Valid([]byte(body)) {
			t.Errorf("%.80q: %.300q", text, got)
		}
	}
}

// Whatever path, method or part is asked for, the answer is an answer or a problem.
func TestHostilePaths(t *testing.T) {
	h := newServer(t, unhurried()).Handler()
	for target, want := range map[string]int{
		"//":                                    404,
		"/.":                                    404,
		"/..":                                   404,
		"/../../etc/passwd":                     404,
		"/assets/":                              404,
		"/assets/main.js/":                      404,
		"/assets//main.js":                      404,
		"/assets/..%2f..%2fserver.go":           404,
		"/assets/%2fetc%2fpasswd":               404,
		"/assets/main.js%00":                    404,
		"/assets/main.js%2500":                  404,
		"/assets/MAIN.JS":                       404,
		"/%2e%2e/%2e%2e/etc/passwd":             404,
		"/api":                                  404,
		"/api/":                                 404,
		"/api/v1/":                              404,
		"/api/v2":                               404,
		"/api/v1/..%2f../games":                 404,
		"/api/v1/fanorona/5x5":                  404,
		"/api/v1/fanorona/5x5/":                 404,
		"/api/v1/fanorona//turns?p=start":       404,
		"/api/v1//5x5/turns?p=start":            404,
		"/api/v1/fanorona/5x5/turns/?p=start":   404,
		"/api/v1/fanorona/5%2f5/turns?p=start":  400,
		"/api/v1/fanorona/%2e%2e/turns?p=start": 404,
		"/api/v1/fanorona/%00/turns?p=start":    400,
		"/api/v1/fanorona/%ff%fe/turns?p=start": 400,
		"/api/v1/fan%6frona/5x5/turns?p=start":  200,
		"/api/v1/fanorona/5x5/turns?p=start%00": 400,
		"/api/v1/fanorona/5x5/turns?p=%ff%fe":   400,
		"/api/v1/fanorona/5x5/turns?p=start#x":  400,
		"/api/v1/fanorona/9999999999999999999x5/turns?p=start":                     400,
		"/api/v1/fanorona/5x5/turns?p=start&rules=" + strings.Repeat("a=b,", 1500): 400,
		"/api/v1/konane/4x4/turns?p=start&rules=opening%3dgap:zz-zz":               400,
	} {
		for _, part := range [][]string{nil, {"Range", "bytes=0-1"}, {"Range", "bytes=" + strings.Repeat("0-,", 500)}, {"If-Match", "x"}, {"If-None-Match", strings.Repeat("x,", 3000)}} {
			w := get(h, target, part...)
			if w.Code != want {
				t.Errorf("%.80s %.20s: status %d, want %d: %s", target, part, w.Code, want, w.Body)
			}
			checkAnswer(t, target, w)
		}
	}
	for _, method := range []string{"PUT", "DELETE", "PATCH", "TRACE", "CONNECT", "PROPFIND", "get", "QUERY", "A-VERY-LONG-METHOD-" + strings.Repeat("X", 500), "OPTIONS"} {
		for _, target := range []string{"/", "/assets/main.js", "/api/v1", "/api/v1/games", "/api/v1/fanorona/5x5/turns?p=start", "/api/v1/fanorona/5x5/search", "/healthz", "/metrics", "/nowhere"} {
			w := send(h, method, target, "")
			want := http.StatusMethodNotAllowed
			switch {
			case method == "OPTIONS" && strings.HasPrefix(target, "/api/"):
				want = http.StatusNoContent
			case target == "/nowhere":
				want = http.StatusNotFound
			}
			if w.Code != want {
				t.Errorf("%.20s %s: status %d, want %d", method, target, w.Code, want)
			}
			checkAnswer(t, method+" "+target, w)
		}
	}
}

// checkAnswer holds what must be true of every answer to whatever was asked.
func checkAnswer(t *testing.T, asked string, w *httptest.ResponseRecorder) {
	t.Helper()
	problemSent := w.Header().Get("Content-Type") == "application/problem+json"
	if ranges := w.Header().Get("Accept-Ranges"); ranges != "" && ranges != "none" {
		t.Errorf("%.200q: Accept-Ranges %s, and answers are sent whole", asked, ranges)
	}
	switch {
	case w.Code >= 500 && w.Code != http.StatusServiceUnavailable:
		t.Errorf("%.200q: a failure of the server: %s", asked, w.Body)
	case w.Code >= 400 != problemSent:
		t.Errorf("%.200q: status %d, %v", asked, w.Code, w.Header())
	case w.Code >= 300 && w.Code < 400 && w.Code != http.StatusNotModified, w.Code == http.StatusPartialContent:
		t.Errorf("%.200q: status %d", asked, w.Code)
	}
	if !problemSent {
		return
	}
	if stored := w.Header().Get("Cache-Control"); stored != notStored {
		t.Errorf("%.200q: a problem with Cache-Control %q", asked, stored)
	}
	var p problem
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || p.Status != w.Code || p.Code == "" || p.Detail == "" || len(p.Detail) > 500 {
		t.Errorf("%.200q: %v in %s", asked, err, w.Body)
	}
	if strings.Contains(p.Detail, "json:") || strings.Contains(p.Detail, "strconv") || strings.Contains(p.Detail, "explorer.") {
		t.Errorf("%.200q: the detail tells of the program: %s", asked, p.Detail)
	}
}

// A thousand at once, most of them hostile, get answers that are no failures of
// the server, and it serves on.
func TestThousandsAtOnce(t *testing.T) {
	address, stop := listen(t, newServer(t, unhurried()))
	defer stop()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}}
	targets := []string{
		about("fanorona", "5x5", "position", won),
		about("fanorona", "5x5", "position", "start"),
		about("phutball", "15x19", "turns", dense()),
		about("fanorona", "5x5", "turns", strings.Repeat("B/", 900)),
		"/api/v1/konane/16x16/turns?p=start&rules=" + strings.Repeat("x=y,", 300),
		"/" + strings.Repeat("a", 12<<10), // longer than a header may be
		"/api/v1/%00/%ff/turns?p=%00",
	}
	var failed atomic.Int32
	var group sync.WaitGroup
	for i := range 1000 {
		group.Go(func() {
			response, err := client.Get(address + targets[i%len(targets)])
			if err != nil {
				return // refused, which is as good
			}
			defer response.Body.Close()
			io.Copy(io.Discard, response.Body)
			if response.StatusCode >= 500 && response.StatusCode != http.StatusServiceUnavailable {
				failed.Add(1)
			}
		})
	}
	group.Wait()
	client.CloseIdleConnections()
	if n := failed.Load(); n > 0 {
		t.Errorf("%d answers are failures of the server", n)
	}
	response, err := http.Get(address + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
}

// FuzzQuestions asks about anything; whatever it is, the answer is JSON, and no
// failure of the server.
func FuzzQuestions(f *testing.F) {
	for _, what := range []string{"position", "turns", "play", "random", "longest", "win-in-one", "stats", "image.svg"} {
		f.Add("fanorona", "5x5", what, won, "b2-b3", "")
		f.Add("konane", "4x4", what, "oxox/xoxo/o..x/xoxo b", "b4-b2", "opening=any")
		f.Add("phutball", "3x5", what, "ball=B3 men=B4 to=ohs", "B3-B5", "goal-stop=true")
	}
	h := newServer(f, unhurried()).Handler()
	f.Fuzz(func(t *testing.T, game, board, what, position, turn, rules string) {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.URL.Path = "/api/v1/" + game + "/" + board + "/" + what
		query := r.URL.Query()
		query.Set("p", position)
		query.Set("turn", turn)
		query.Set("slice", turn)
		query.Set("rules", rules)
		r.URL.RawQuery = query.Encode()
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code >= 500 {
			t.Errorf("status %d: %s", w.Code, w.Body)
		}
		if w.Header().Get("Content-Type") == svgType {
			checkXML(t, r.URL.String(), w.Body.String())
			return
		}
		if w.Code != http.StatusMovedPermanently && w.Code != http.StatusTemporaryRedirect && !json.Valid(w.Body.Bytes()) {
			t.Errorf("status %d, and no JSON: %q", w.Code, w.Body)
		}
	})
}

// FuzzRequest asks for anything, of a server of whole tables of 3x3: the answer is
// what every answer is.
func FuzzRequest(f *testing.F) {
	const turns, positions, search = "/api/v1/fanorona/telo/turns", "/api/v1/fanorona/telo/positions", "/api/v1/fanorona/telo/search"
	f.Add("GET", turns, "p=start", "", "")
	f.Add("GET", "/api/v1/fanorona/3x3/position", "p=B../.W./... w&rules=stalemate%3Dloss", "", "")
	f.Add("GET", "/api/v1/fanorona/telo/play", "p=start&turn=b1-b2A", "", "")
	f.Add("GET", "/api/v1/fanorona/telo/longest", "slice=2v1", "", "")
	f.Add("GET", "/api/v1/fanorona/telo/random", "slice=4v4", "", "")
	f.Add("GET", "/assets/main.js", "v=1", "", "")
	f.Add("OPTIONS", "/api/v1/games", "", "", "")
	f.Add("HEAD", "/api/v1", "", "", "")
	f.Add("GET", "/api/v1/konane/4x4/turns", "p=oxox/xoxo/o..x/xoxo+b&rules=opening=any", "", "")
	f.Add("GET", "/api/v1/phutball/3x5/win-in-one", "p=ball%3DB3+men%3DB4+to%3Dohs&shortest=true", "", "")
	f.Add("POST", positions, "detail=turns", "application/json", `{"positions":["start","BBB/B.W/WWW w",""]}`)
	f.Add("POST", positions, "", "application/json; charset=utf-8", `{"positions":["\ud800",null,{}]}`)
	f.Add("POST", positions, "detail=value", "application/json", `{"positions":[],"positions":[1e999]}`)
	f.Add("POST", search, "", "application/json", `{"position":"start","nodes":100}`)
	f.Add("POST", search, "rules=direction-rule=never-twice", "application/json", `{"position":"B../.../..W b"}`)
	limits := DefaultLimits()
	limits.SearchNodes, limits.SearchMemory, limits.SearchTime, limits.Time = 1000, 1<<20, time.Second, 5*time.Second
	h := newServer(f, limits, wholeTelo(f)).Handler()
	f.Fuzz(func(t *testing.T, method, path, query, media, body string) {
		r := httptest.NewRequest(http.MethodGet, "/", strings.NewReader(body))
		r.Method, r.URL.Path, r.URL.RawQuery = method, path, query
		r.Header.Set("Content-Type", media)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		asked := fmt.Sprintf("%s %s?%s %s %s", method, path, query, media, body)
		checkAnswer(t, asked, w)
		if strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") && !json.Valid(w.Body.Bytes()) && method != http.MethodHead {
			t.Errorf("%q: no JSON: %s", asked, w.Body)
		}
	})
}

// wholeTelo is the tables of all positions of 3x3.
func wholeTelo(f *testing.F) Table {
	f.Helper()
	game, _ := catalogue.Find("fanorona")
	instance, err := game.Open("telo", nil)
	if err != nil {
		f.Fatal(err)
	}
	dir := f.TempDir()
	_, err = instance.Build(context.Background(), dir, catalogue.BuildOptions{
		Pieces: bitboard.AllPieces, Metric: bitboard.DTW, Workers: 1, Memory: 1 << 30, Version: "test",
	})
	if err != nil {
		f.Fatal(err)
	}
	opened, err := instance.Open(dir, 1)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { opened.Close() })
	return Table{instance, opened}
}
