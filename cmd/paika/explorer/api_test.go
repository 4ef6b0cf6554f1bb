package explorer

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/explorer/picture"
)

// won is a position of 5x5 in the tables.
const won = "B..../...../...../.W.../..W.. w"

// get asks a handler, with header fields as pairs.
func get(h http.Handler, target string, header ...string) *httptest.ResponseRecorder {
	return send(h, http.MethodGet, target, "", header...)
}

func send(h http.Handler, method, target, body string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func post(h http.Handler, target, body string, header ...string) *httptest.ResponseRecorder {
	return send(h, http.MethodPost, target, body, append(header, "Content-Type", "application/json")...)
}

// about is the path of a question about a position.
func about(game, board, what, position string, more ...string) string {
	query := url.Values{"p": {position}}
	for i := 0; i < len(more); i += 2 {
		query.Set(more[i], more[i+1])
	}
	return "/api/v1/" + game + "/" + board + "/" + what + "?" + query.Encode()
}

func decode[T any](t *testing.T, body []byte) (result T) {
	t.Helper()
	if err := json.Unmarshal(body, &result); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	return result
}

// asCommands encodes a result as the commands print it with --json.
func asCommands(t *testing.T, result any) string {
	t.Helper()
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(result); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func TestAnswersAreTheCommandsObjects(t *testing.T) {
	h := newServer(t, unhurried()).Handler()
	all, err := tables()
	if err != nil {
		t.Fatal(err)
	}
	for i, position := range []string{won, "oxox/xoxo/o..x/xoxo b", ".../.*./.@./.../*.. ohs"} {
		game, board := small[i].game, small[i].board
		query, err := all[i].Tables.Query(t.Context(), []string{position})
		if err != nil || query[0].Err != nil {
			t.Fatal(err, query[0].Err)
		}
		if got, want := get(h, about(game, board, "position", position)).Body.String(), asCommands(t, query[0].Result); got != want {
			t.Errorf("position: %s\nwant %s", got, want)
		}
		turns, err := all[i].Tables.Turns(t.Context(), []string{position})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := get(h, about(game, board, "turns", position)).Body.String(), asCommands(t, turns[0].Result); got != want {
			t.Errorf("turns: %s\nwant %s", got, want)
		}
		stats, err := all[i].Tables.Stats()
		if err != nil {
			t.Fatal(err)
		}
		if got, want := get(h, "/api/v1/"+game+"/"+board+"/stats").Body.String(), asCommands(t, stats); got != want {
			t.Errorf("stats: %s\nwant %s", got, want)
		}
		body, err := json.Marshal(bulk{[]string{position, "nonsense", position}})
		if err != nil {
			t.Fatal(err)
		}
		answers := decode[struct{ Answers []json.RawMessage }](t, post(h, "/api/v1/"+game+"/"+board+"/positions", string(body)).Body.Bytes()).Answers
		want := strings.TrimSpace(asCommands(t, query[0].Result))
		if len(answers) != 3 || string(answers[0]) != want || string(answers[2]) != want {
			t.Errorf("positions: %s", answers)
		}
		if p := decode[unanswered](t, answers[1]); p.Position != "nonsense" || p.Problem.Code != catalogue.CodePosition {
			t.Errorf("nonsense is answered with %s", answers[1])
		}
	}
}

func TestProblemsNameWhatIsWrong(t *testing.T) {
	h := newServer(t, unhurried()).Handler()
	for _, c := range []struct {
		target string
		status int
		want   problem // Type, Title and Detail apart
		detail string
	}{
		{about("fanorona", "5x5", "position", "B..../..x"), 400, problem{Code: catalogue.CodePosition, Parameter: "p", Column: 9}, "unknown letter 'x' in rank 4"},
		{about("fanorona", "5x5", "position", ""), 400, problem{Code: catalogue.CodeParameter, Parameter: "p"}, "want the parameter p"},
		{about("fanorona", "5x5", "position", strings.Repeat("B", 3000)), 413, problem{Code: catalogue.CodeLimit, Parameter: "p"}, "at most 2048"},
		{about("fanorona", "5x5", "position", "start"), 404, problem{Code: catalogue.CodeNotStored, Parameter: "p", Slice: "12v12", Build: "paika build fanorona 5x5 --slices 12v12", Served: true}, "is not stored"},
		{about("fanorona", "9x5", "position", "start"), 404, problem{Code: catalogue.CodeOutOfReach, Parameter: "p"}, "no tables can hold it: 44 stones"},
		{about("fanorona", "4x4", "turns", "start"), 400, problem{Code: catalogue.CodePosition, Parameter: "p"}, "no start position"},
		{about("fanorona", "99x5", "turns", "start"), 400, problem{Code: catalogue.CodeParameter, Parameter: "board"}, "want 3 to 9 files"},
		{about("fanorona", "5x5", "turns", "start", "rules", "stalemate"), 400, problem{Code: catalogue.CodeParameter, Parameter: "rules"}, "want name=value"},
		{about("fanorona", "5x5", "turns", "start", "rules", "stalemate=win"), 400, problem{Code: catalogue.CodeParameter, Parameter: "rules"}, "want loss or draw"},
		{about("chess", "8x8", "turns", "start"), 404, problem{Code: catalogue.CodeNotFound, Parameter: "game"}, "unknown game"},
		{about("fanorona", "5x5", "play", won, "turn", "b2-d4"), 422, problem{Code: catalogue.CodeTurn, Parameter: "turn"}, "no line joins the points"},
		{about("fanorona", "5x5", "play", won, "turn", "b2_b3"), 400, problem{Code: catalogue.CodeTurn, Parameter: "turn", Column: 3}, "want - and the point"},
		{about("fanorona", "5x5", "win-in-one", won), 404, problem{Code: catalogue.CodeNotFound, Parameter: "game"}, "phutball alone"},
		{about("phutball", "3x5", "win-in-one", "start", "shortest", "maybe"), 400, problem{Code: catalogue.CodeParameter, Parameter: "shortest"}, "want true or false"},
		{"/api/v1/fanorona/5x5/longest?slice=2x2", 404, problem{Code: catalogue.CodeNotFound, Parameter: "slice"}, "want OWNvOPPONENT"},
		{"/api/v1/fanorona/5x5/random?slice=4v4", 404, problem{Code: catalogue.CodeNotStored, Parameter: "slice", Slice: "4v4", Build: "paika build fanorona 5x5 --slices 4v4", Served: true}, "is not stored"},
		{"/api/v1/fanorona/5x5/random", 400, problem{Code: catalogue.CodeParameter, Parameter: "slice"}, "want the parameter slice"},
		{"/api/v1/fanorona/7x5/stats", 404, problem{Code: catalogue.CodeNotStored, Build: "paika build fanorona 7x5"}, "no tables of this board"},
		{"/api/v1/fanorona/5x5/secrets", 404, problem{Code: catalogue.CodeNotFound}, "there is nothing at"},
		{"/assets/../server.go", 404, problem{Code: catalogue.CodeNotFound}, "there is nothing at"},
		{"/assets/%2e%2e%2fserver.go", 404, problem{Code: catalogue.CodeNotFound}, "there is nothing at"},
		{"/etc/passwd", 404, problem{Code: catalogue.CodeNotFound}, "there is nothing at"},
	} {
		w := get(h, c.target)
		got := decode[problem](t, w.Body.Bytes())
		if w.Code != c.status || got.Status != c.status || w.Header().Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s: status %d, %s, want %d", c.target, w.Code, w.Header(), c.status)
		}
		if !strings.Contains(got.Detail, c.detail) {
			t.Errorf("%s: detail %q, want in it %q", c.target, got.Detail, c.detail)
		}
		c.want.Type, c.want.Title, c.want.Status, c.want.Detail = "about:blank", http.StatusText(c.status), c.status, got.Detail
		if got != c.want {
			t.Errorf("%s: %+v, want %+v", c.target, got, c.want)
		}
	}
}

func TestBodiesAreChecked(t *testing.T) {
	limits := DefaultLimits()
	limits.Body, limits.Positions = 4096, 10
	h := newServer(t, limits).Handler()
	const bulkPath, searchPath = "/api/v1/fanorona/5x5/positions", "/api/v1/fanorona/5x5/search"
	for _, c := range []struct {
		target, body, parameter, detail string
	}{
		{bulkPath, "", "", "no JSON object"},
		{bulkPath, `[]`, "", "no JSON object"},
		{bulkPath, `null`, "", "no JSON object"},
		{bulkPath, `{"positions":["start"]`, "", "wrong after byte 22"},
		{bulkPath, `{"positions":["start"]} {}`, "", "nothing behind it"},
		{bulkPath, `{"positions":["start"],}`, "", "no JSON object"},
		{bulkPath, `{"positions":NaN}`, "", "wrong after byte 13"},
		{bulkPath, "{\"positions\":[\"\xff\"]}", "", "not UTF-8"},
		{bulkPath, strings.Repeat(`{"positions":`, 300), "", "no JSON object"},
		{bulkPath, `{"positions":` + strings.Repeat("[", 3000) + `}`, "", "no JSON object"},
		{bulkPath, `{"position":["start"]}`, "position", `unknown field "position": want positions`},
		{bulkPath, `{"Positions":["start"]}`, "Positions", `unknown field "Positions": want positions`},
		{bulkPath, `{"` + strings.Repeat("x", 300) + `":1}`, strings.Repeat("x", 100) + "...", `xxx...": want positions`},
		{bulkPath, `{"positions":[],"positions":["start"]}`, "positions", "given twice"},
		{bulkPath, `{}`, "positions", "want the field positions: a list of texts"},
		{bulkPath, `{"positions":null}`, "positions", "positions: want a list of texts"},
		{bulkPath, `{"positions":"start"}`, "positions", "positions: want a list of texts"},
		{bulkPath, `{"positions":["start",null]}`, "positions", "positions: want a list of texts"},
		{bulkPath, `{"positions":["start",7]}`, "positions", "positions: want a list of texts"},
		{bulkPath, `{"positions":[` + strings.Repeat(`"x",`, 10) + `"x"]}`, "positions", "11 positions: want at most 10"},
		{bulkPath, `{"positions":["` + strings.Repeat("x", 5000) + `"]}`, "", "larger than 4096 bytes"},
		{bulkPath + "?detail=all", `{"positions":["start"]}`, "detail", "want query, turns or value"},
		{searchPath, `{"position":"start","nodes":99999999}`, "nodes", "want at most 5000000"},
		{searchPath, `{"position":"start","nodes":-1}`, "nodes", "want a whole number"},
		{searchPath, `{"position":"start","nodes":1.5}`, "nodes", "want a whole number"},
		{searchPath, `{"position":"start","nodes":"1"}`, "nodes", "want a whole number"},
		{searchPath, `{"position":"start","nodes":1e999}`, "nodes", "want a whole number"},
		{searchPath, `{"position":"start","nodes":null}`, "nodes", "want a whole number"},
		{searchPath, `{"position":"start","nodes":1} x`, "", "nothing behind it"},
		{searchPath, `{"position":"start","workers":8}`, "workers", `unknown field "workers": want position, nodes`},
		{searchPath, `{"nodes":1}`, "position", "want the field position: a text"},
		{searchPath, `{"position":"` + strings.Repeat("x", 3000) + `"}`, "position", "3000 bytes: want at most 2048"},
	} {
		w := post(h, c.target, c.body)
		status, code := http.StatusBadRequest, catalogue.CodeParameter
		if strings.Contains(c.detail, "at most") || strings.Contains(c.detail, "larger") {
			status, code = http.StatusRequestEntityTooLarge, catalogue.CodeLimit
		}
		got := decode[problem](t, w.Body.Bytes())
		if w.Code != status || got.Code != code || got.Parameter != c.parameter || !strings.Contains(got.Detail, c.detail) {
			t.Errorf("%.60s: status %d, %+v; want %d, %s of %q, %q", c.body, w.Code, got, status, code, c.parameter, c.detail)
		}
		if strings.Contains(got.Detail, "Go ") || strings.Contains(got.Detail, "json:") {
			t.Errorf("%.60s: %s", c.body, got.Detail)
		}
	}
	for _, coding := range []string{"", "identity", "Identity"} { // which are none
		if w := post(h, bulkPath, `{"positions":["start"]}`, "Content-Encoding", coding); w.Code != http.StatusOK {
			t.Errorf("Content-Encoding %q: status %d, %s", coding, w.Code, w.Body)
		}
	}
	for _, header := range [][]string{
		{"Content-Type", "text/plain"},
		{},
		{"Content-Type", "application/json", "Content-Encoding", "gzip"},
	} {
		for _, target := range []string{bulkPath, searchPath} {
			w := send(h, http.MethodPost, target, `{"positions":["start"]}`, header...)
			if got := decode[problem](t, w.Body.Bytes()); w.Code != http.StatusUnsupportedMediaType || got.Code != codeMedia {
				t.Errorf("%v: status %d, %+v", header, w.Code, got)
			}
		}
	}
}

// What is as large as a limit allows is looked at; what is larger by one is refused for its size.
func TestLimitsAreTheLargestThatIsTaken(t *testing.T) {
	limits := unhurried()
	limits.Positions, limits.SearchNodes, limits.Body = 3, 1000, 5000
	h := newServer(t, limits).Handler()
	const board = "/api/v1/fanorona/5x5/"
	for name, c := range map[string]struct {
		most int
		ask  func(n int) *httptest.ResponseRecorder
	}{
		"bytes of a position": {longestPosition, func(n int) *httptest.ResponseRecorder {
			return get(h, about("fanorona", "5x5", "turns", strings.Repeat("x", n)))
		}},
		"bytes of a turn": {longestPosition, func(n int) *httptest.ResponseRecorder {
			return get(h, about("fanorona", "5x5", "play", won, "turn", strings.Repeat("x", n)))
		}},
		"bytes of a turn that is drawn": {longestPosition, func(n int) *httptest.ResponseRecorder {
			return get(h, about("fanorona", "5x5", "image.svg", won, "turn", strings.Repeat("x", n)))
		}},
		"bytes of a position that is searched": {longestPosition, func(n int) *httptest.ResponseRecorder {
			return post(h, board+"search", asCommands(t, searchRequest{Position: strings.Repeat("x", n)}))
		}},
		"positions": {limits.Positions, func(n int) *httptest.ResponseRecorder {
			return post(h, board+"positions", asCommands(t, bulk{repeated(won, n)}))
		}},
		"turns of a record": {limits.Positions, func(n int) *httptest.ResponseRecorder {
			return post(h, board+"annotate", asCommands(t, recordRequest{strings.Repeat("x ", n)}))
		}},
		"nodes": {int(limits.SearchNodes), func(n int) *httptest.ResponseRecorder {
			return post(h, board+"search", asCommands(t, searchRequest{Position: won, Nodes: uint64(n)}))
		}},
		"bytes of a body": {int(limits.Body), func(n int) *httptest.ResponseRecorder {
			return post(h, board+"positions", strings.Repeat(" ", n))
		}},
	} {
		if w := c.ask(c.most); w.Code == http.StatusRequestEntityTooLarge {
			t.Errorf("%d %s: %s", c.most, name, w.Body)
		}
		if w := c.ask(c.most + 1); w.Code != http.StatusRequestEntityTooLarge || decode[problem](t, w.Body.Bytes()).Code != catalogue.CodeLimit {
			t.Errorf("%d %s: status %d, %s", c.most+1, name, w.Code, w.Body)
		}
	}
	for size, want := range map[int]int{picture.Smallest: 200, picture.Smallest - 1: 400, picture.Largest: 200, picture.Largest + 1: 400} {
		if w := get(h, about("fanorona", "5x5", "image.svg", won, "size", fmt.Sprint(size))); w.Code != want {
			t.Errorf("a picture of %d pixels: status %d", size, w.Code)
		}
	}
}

func TestNoPositionsAreNoAnswers(t *testing.T) {
	h := newServer(t, unhurried()).Handler()
	for _, detail := range []string{"query", "turns", "value"} {
		w := post(h, "/api/v1/fanorona/5x5/positions?detail="+detail, `{"positions": []}`)
		if w.Code != http.StatusOK || w.Body.String() != "{\"answers\":[]}\n" {
			t.Errorf("status %d, %s", w.Code, w.Body)
		}
	}
}

// Of many positions, one that is longer than any has a problem of its own, which does not repeat all
// of it. The others keep their places.
func TestLongPositionsAmongMany(t *testing.T) {
	h := newServer(t, unhurried()).Handler()
	body := asCommands(t, bulk{[]string{won, strings.Repeat("W", 4000), won, "nonsense"}})
	answers := decode[struct {
		Answers []struct {
			Position string
			Problem  *problem
		}
	}](t, post(h, "/api/v1/fanorona/5x5/positions", body).Body.Bytes()).Answers
	if len(answers) != 4 || answers[0].Problem != nil || answers[2].Problem != nil || answers[1].Problem == nil || answers[1].Problem.Code != catalogue.CodeLimit {
		t.Fatalf("%+v", answers)
	}
	if long := answers[1].Position; len(long) > 200 || !strings.HasPrefix(long, "WWW") {
		t.Errorf("it is told again: %s", long)
	}
	if last := answers[3]; last.Position != "nonsense" || last.Problem == nil || last.Problem.Code != catalogue.CodePosition {
		t.Errorf("the last: %+v", last)
	}
}

// Answers about a slice that are kept are those of its board, and none is kept of what failed.
func TestKeptAnswersAreOfTheirBoard(t *testing.T) {
	kept := newServer(t, unhurried()).Handler()
	for _, what := range []string{"longest", "survey"} {
		for _, board := range []string{"fanorona/5x5", "konane/4x4", "fanorona/5x5"} {
			target := "/api/v1/" + board + "/" + what + "?slice=2v2"
			got, want := get(kept, target), get(newServer(t, unhurried()).Handler(), target)
			if got.Code != http.StatusOK || got.Body.String() != want.Body.String() {
				t.Errorf("%s: status %d, %s, want %s", target, got.Code, got.Body, want.Body)
			}
		}
		for range 2 {
			if w := get(kept, "/api/v1/fanorona/5x5/"+what+"?slice=4v4"); w.Code != http.StatusNotFound {
				t.Errorf("%s of a slice that is not there: status %d, %s", what, w.Code, w.Body)
			}
		}
	}
}

func TestUnknownParametersAreRefused(t *testing.T) {
	h := newServer(t, unhurried()).Handler()
	for target, want := range map[string]struct{ parameter, detail string }{
		"/api/v1?x=1":               {"x", `unknown parameter "x": want none`},
		"/api/v1/openapi.json?x=1":  {"x", `unknown parameter "x": want none`},
		"/api/v1/games?game=konane": {"game", `unknown parameter "game": want none`},
		about("fanorona", "5x5", "turns", "start", "depth", "3"):                 {"depth", `unknown parameter "depth": want p, rules`},
		about("fanorona", "5x5", "turns", "start", "P", "start"):                 {"P", `unknown parameter "P": want p, rules`},
		about("fanorona", "5x5", "turns", "start", strings.Repeat("x", 999), ""): {strings.Repeat("x", 100) + "...", `xxx...": want p, rules`},
		about("fanorona", "5x5", "turns", "start") + "&p=start":                  {"p", "the parameter p is given 2 times"},
		about("fanorona", "5x5", "turns", "start") + "&rules=&rules=":            {"rules", "the parameter rules is given 2 times"},
		"/api/v1/fanorona/5x5/stats?p=start":                                     {"p", `unknown parameter "p": want rules`},
		"/api/v1/fanorona/5x5/turns?p=start;rules=x":                             {"", "the query cannot be read"},
		"/api/v1/fanorona/5x5/turns?p=%zz":                                       {"", "the query cannot be read"},
	} {
		w := get(h, target)
		if got := decode[problem](t, w.Body.Bytes()); w.Code != http.StatusBadRequest || got.Code != catalogue.CodeParameter || got.Parameter != want.parameter || !strings.Contains(got.Detail, want.detail) {
			t.Errorf("%.80s: status %d, %+v, want %+v", target, w.Code, got, want)
		}
	}
	for _, target := range []string{"/api/v1/fanorona/5x5/positions?limit=1", "/api/v1/fanorona/5x5/search?nodes=1"} {
		w := post(h, target, `{}`)
		if got := decode[problem](t, w.Body.Bytes()); w.Code != http.StatusBadRequest || !strings.Contains(got.Detail, "unknown parameter") {
			t.Errorf("%s: status %d, %+v", target, w.Code, got)
		}
	}
	// The page has parameters of its own, and is asked with those of others.
	if w := get(h, "/?game=konane&utm_source=x"); w.Code != http.StatusOK {
		t.Errorf("the page: status %d", w.Code)
	}
}

// What is asked of a search is looked at before it begins.
func TestSearchesOfNothingAreRefused(t *testing.T) {
	h := newServer(t, unhurried()).Handler()
	for _, c := range []struct {
		path, position string
		status         int
		code           catalogue.Code
		column         int
	}{
		{"fanorona/5x5", "nonsense", 400, catalogue.CodePosition, 1},
		{"fanorona/5x5", "", 400, catalogue.CodePosition, 1},
		{"fanorona/5x5", "B..../..x", 400, catalogue.CodePosition, 9},
		{"fanorona/4x4", "start", 400, catalogue.CodePosition, 0},
		{"chess/8x8", "start", 404, catalogue.CodeNotFound, 0},
		{"konane/99x99", "start", 400, catalogue.CodeParameter, 0},
	} {
		w := post(h, "/api/v1/"+c.path+"/search", asCommands(t, searchRequest{Position: c.position}))
		got := decode[problem](t, w.Body.Bytes())
		if w.Code != c.status || got.Code != c.code || got.Column != c.column || w.Header().Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s %q: status %d, %+v, want %d, %s, column %d", c.path, c.position, w.Code, got, c.status, c.code, c.column)
		}
	}
}

func TestBulkByDetail(t *testing.T) {
	h := newServer(t, unhurried()).Handler()
	body := asCommands(t, bulk{[]string{won}})
	for detail, want := range map[string]string{
		"value": `{"answers":[{"position":"` + won + `","over":false,"slice":"2v1","metric":"dtw","value":"win","distance":5}]}`,
		"turns": `{"answers":[{"position":"` + won + `","over":false,"value":"win","distance":5,"turns":[{"turn":`,
		"query": `{"answers":[{"position":"` + won + `","over":false,"slice":"2v1","metric":"dtw","value":"win","distance":5,"turns":[{"turn":`,
	} {
		if got := post(h, "/api/v1/fanorona/5x5/positions?detail="+detail, body).Body.String(); !strings.HasPrefix(got, want) {
			t.Errorf("detail=%s: %s\nwant %s", detail, got, want)
		}
	}
}

func TestTagsSaveTheBody(t *testing.T) {
	h := newServer(t, unhurried()).Handler()
	for _, target := range []string{about("fanorona", "5x5", "position", won), "/", "/assets/main.js", "/api/v1/games"} {
		first := get(h, target)
		tag := first.Header().Get("ETag")
		if first.Code != http.StatusOK || tag == "" {
			t.Fatalf("%s: status %d, tag %q", target, first.Code, tag)
		}
		again := get(h, target, "If-None-Match", tag)
		if again.Code != http.StatusNotModified || again.Body.Len() != 0 {
			t.Errorf("%s: status %d with %d bytes, want 304", target, again.Code, again.Body.Len())
		}
		if other := get(h, target, "If-None-Match", `W/"0"`); other.Code != http.StatusOK {
			t.Errorf("%s with another tag: status %d", target, other.Code)
		}
		packed := get(h, target, "Accept-Encoding", "gzip")
		if packed.Body.Len() < 1024 && packed.Header().Get("Content-Encoding") == "" {
			continue // not worth it
		}
		reader, err := gzip.NewReader(packed.Body)
		if err != nil {
			t.Fatalf("%s: %v", target, err)
		}
		plain, err := io.ReadAll(reader)
		if err != nil || !bytes.Equal(plain, first.Body.Bytes()) {
			t.Errorf("%s: the compressed body differs (%v)", target, err)
		}
		if packed.Header().Get("ETag") != tag || !strings.Contains(packed.Header().Get("Vary"), "Accept-Encoding") {
			t.Errorf("%s: compressed, headers are %v", target, packed.Header())
		}
	}
}

func TestEveryAnswerIsGuarded(t *testing.T) {
	h := newServer(t, unhurried()).Handler()
	for _, target := range []string{"/", "/assets/main.js", "/api/v1/games", "/nowhere", "/healthz", "/metrics", about("fanorona", "5x5", "turns", "x")} {
		header := get(h, target).Header()
		csp := header.Get("Content-Security-Policy")
		if csp != "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "+
			"base-uri 'none'; form-action 'none'; frame-ancestors 'none'" {
			t.Errorf("%s: policy %q", target, csp)
		}
		if header.Get("X-Content-Type-Options") != "nosniff" || header.Get("Referrer-Policy") != "no-referrer" ||
			header.Get("Cross-Origin-Opener-Policy") != "same-origin" {
			t.Errorf("%s: headers %v", target, header)
		}
	}
}

func TestPagesFromElsewhereMayRead(t *testing.T) {
	h := newServer(t, unhurried()).Handler()
	elsewhere := []string{"Origin", "https://example.org", "Sec-Fetch-Site", "cross-site"}
	for _, target := range []string{"/api/v1/games", about("fanorona", "5x5", "position", won), about("fanorona", "5x5", "position", "x"),
		"/api/v1/nowhere", "/api//v1", "/api/v1/fanorona/5x5/annotate"} {
		if got := get(h, target, elsewhere...).Header().Get("Access-Control-Allow-Origin"); got != "*" {
			t.Errorf("%s: allows %q", target, got)
		}
	}
	if got := send(h, http.MethodOptions, "/api/v1/fanorona/5x5/positions", "", elsewhere...); got.Code != http.StatusNoContent || got.Header().Get("Access-Control-Allow-Headers") != "Content-Type, If-None-Match" {
		t.Errorf("preflight: %d %v", got.Code, got.Header())
	}
	if got := post(h, "/api/v1/fanorona/5x5/positions", asCommands(t, bulk{[]string{won}}), elsewhere...); got.Code != http.StatusOK {
		t.Errorf("bulk: status %d", got.Code)
	}
	got := post(h, "/api/v1/fanorona/5x5/search", `{"position":"start"}`, elsewhere...)
	if got.Code != http.StatusForbidden || decode[problem](t, got.Body.Bytes()).Code != codeOrigin || got.Header().Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("search: %d %s %v", got.Code, got.Body, got.Header())
	}
}

func TestMethodsAreNamed(t *testing.T) {
	h := newServer(t, unhurried()).Handler()
	for target, allow := range map[string]string{"/api/v1/games": "GET, HEAD", "/": "GET, HEAD", "/api/v1/fanorona/5x5/positions": "POST", "/api/v1/fanorona/5x5/search": "POST"} {
		for _, method := range []string{http.MethodPut, http.MethodDelete} {
			w := send(h, method, target, "")
			if w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != allow {
				t.Errorf("%s %s: status %d, allow %q; want 405, %q", method, target, w.Code, w.Header().Get("Allow"), allow)
			}
		}
	}
	if w := send(h, http.MethodHead, "/api/v1/games", ""); w.Code != http.StatusOK {
		t.Errorf("HEAD: status %d", w.Code)
	}
}

func TestRandomAndLongestAreOfTheSlice(t *testing.T) {
	s := newServer(t, unhurried())
	h := s.Handler()
	stats := decode[catalogue.Stats](t, get(h, "/api/v1/fanorona/5x5/stats").Body.Bytes())
	seen := make(map[string]bool)
	for _, slice := range stats.Slices {
		for range 3 {
			w := get(h, "/api/v1/fanorona/5x5/random?slice="+slice.Slice)
			got := decode[catalogue.Probe](t, w.Body.Bytes())
			if got.Slice != slice.Slice && !got.Over || w.Header().Get("Cache-Control") != "no-store" {
				t.Errorf("random of %s: %s", slice.Slice, w.Body)
			}
			seen[got.Position] = true
		}
		for range 2 { // found, then remembered
			w := get(h, "/api/v1/fanorona/5x5/longest?slice="+slice.Slice)
			got := decode[catalogue.Probe](t, w.Body.Bytes())
			if slice.LongestWin == nil {
				if w.Code != http.StatusNotFound {
					t.Errorf("longest of %s: %s", slice.Slice, w.Body)
				}
			} else if got.Value != "win" || got.Slice != slice.Slice || got.Distance == nil || *got.Distance != *slice.LongestWin {
				t.Errorf("longest of %s: %s, want %d turns", slice.Slice, w.Body, *slice.LongestWin)
			}
		}
	}
	if len(seen) < 2*len(stats.Slices) {
		t.Errorf("%d random positions are %d different ones", 3*len(stats.Slices), len(seen))
	}
}

// dense is a board whose series of jumps nobody can list.
func dense() string {
	r := rand.New(rand.NewPCG(7, 7))
	rows := make([]string, 19)
	for i := range rows {
		row := []byte(strings.Repeat(".", 15))
		for j := range row {
			if r.IntN(100) < 40 {
				row[j] = '*'
			}
		}
		rows[i] = string(row)
	}
	rows[9] = rows[9][:7] + "@" + rows[9][8:]
	return strings.Join(rows, "/") + " ohs"
}

func TestTooManyTurnsAreRefusedAtOnce(t *testing.T) {
	h := newServer(t, unhurried()).Handler()
	for _, w := range []*httptest.ResponseRecorder{
		get(h, about("phutball", "15x19", "turns", dense())),
	} {
		if got := decode[problem](t, w.Body.Bytes()); w.Code != 422 || got.Code != catalogue.CodeTooMany {
			t.Errorf("status %d, %+v", w.Code, got)
		}
	}
	if w := get(h, about("phutball", "15x19", "win-in-one", dense())); w.Code != http.StatusOK {
		t.Errorf("win-in-one: %d %s", w.Code, w.Body)
	}
	w := post(h, "/api/v1/phutball/15x19/search", asCommands(t, searchRequest{Position: dense(), Nodes: 1000}))
	if !strings.Contains(w.Body.String(), string(catalogue.CodeTooMany)) {
		t.Errorf("search: %s", w.Body)
	}
	// The bound holds where tables are served as where none are.
	limits := unhurried()
	limits.Turns = 2
	h = newServer(t, limits).Handler()
	for _, target := range []string{about("fanorona", "5x5", "turns", won), about("fanorona", "5x5", "position", won), about("fanorona", "9x5", "turns", "start")} {
		w := get(h, target)
		if got := decode[problem](t, w.Body.Bytes()); w.Code != 422 || got.Code != catalogue.CodeTooMany {
			t.Errorf("%s: status %d, %+v", target, w.Code, got)
		}
	}
	h = newServer(t, unhurried()).Handler()
	// Of a bulk request, those before the bound are answered.
	body := asCommands(t, bulk{[]string{"start", dense(), "start"}})
	answers := decode[struct{ Answers []struct{ Problem *problem } }](t, post(h, "/api/v1/phutball/15x19/positions?detail=turns", body).Body.Bytes()).Answers
	if len(answers) != 3 || answers[0].Problem != nil || answers[1].Problem == nil || answers[1].Problem.Code != catalogue.CodeTooMany {
		t.Errorf("bulk: %+v", answers)
	}
}

func TestHealthAndMetrics(t *testing.T) {
	h := newServer(t, unhurried()).Handler()
	if w := get(h, "/healthz"); w.Code != http.StatusOK || w.Body.String() != "ok\n" {
		t.Errorf("healthz: %d %q", w.Code, w.Body)
	}
	post(h, "/api/v1/fanorona/5x5/positions", asCommands(t, bulk{[]string{won, won, won}}))
	get(h, "/nowhere/"+strings.Repeat("x", 20))
	text := get(h, "/metrics").Body.String()
	for _, want := range []string{
		"paika_positions_total 3\n",
		`paika_http_requests_total{route="POST /api/v1/{game}/{board}/positions",status="200"} 1`,
		`paika_http_requests_total{route="/",status="404"} 1`,
		"go_goroutines ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("metrics lack %s", want)
		}
	}
}

func TestViewsAreBoundedInNumber(t *testing.T) {
	s := newServer(t, unhurried())
	for w := 1; w <= 16; w++ {
		for h := 1; h <= 6; h++ {
			position := get(s.Handler(), fmt.Sprintf("/api/v1/konane/%dx%d/turns?p=start", w, h))
			if position.Code != http.StatusOK {
				t.Fatalf("%d: %s", position.Code, position.Body)
			}
		}
	}
	s.views.mu.Lock()
	defer s.views.mu.Unlock()
	if n := len(s.views.pool); n > pooled {
		t.Errorf("%d views are kept, want at most %d", n, pooled)
	}
}

func TestRequestsWaitNoLongerThanTheirTime(t *testing.T) {
	limits := DefaultLimits()
	limits.Working, limits.Time = 1, 50*time.Millisecond
	s := newServer(t, limits)
	leave, err := s.working.enter(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	w := get(s.Handler(), about("fanorona", "5x5", "turns", "start"))
	if got := decode[problem](t, w.Body.Bytes()); w.Code != http.StatusServiceUnavailable || got.Code != catalogue.CodeBusy || w.Header().Get("Retry-After") == "" {
		t.Errorf("status %d, %+v", w.Code, got)
	}
	leave()
	s.limits.Time = long
	if w := get(s.Handler(), about("fanorona", "5x5", "turns", "start")); w.Code != http.StatusOK {
		t.Errorf("afterwards: status %d", w.Code)
	}
}

// The small board alone may stand in frames of other sites.
func TestOnlyTheSmallBoardMayBeFramed(t *testing.T) {
	h := newServer(t, unhurried()).Handler()
	for path, want := range map[string]string{"/": "frame-ancestors 'none'", "/facts": "frame-ancestors 'none'", "/embed": "frame-ancestors *", "/api/v1/games": "frame-ancestors 'none'"} {
		w := get(h, path)
		policy := w.Header().Get("Content-Security-Policy")
		if w.Code != http.StatusOK || !strings.HasSuffix(policy, want) || !strings.HasPrefix(policy, "default-src 'none'; script-src 'self'") {
			t.Errorf("%s: status %d, policy %s, want %s", path, w.Code, policy, want)
		}
	}
}

// Where no command makes first tables, none is offered.
func TestGreetingsOfferACommand(t *testing.T) {
	for command, want := range map[string]bool{"paika build": true, "": false} {
		s := newServer(t, DefaultLimits())
		s.views = newViews(nil, s.limits.Turns)
		s.config.Build = func(catalogue.Instance, string, ...string) BuildHint {
			return BuildHint{Command: command, TooMuch: "it takes 190.0 GiB of memory"}
		}
		list := decode[gameList](t, get(s.Handler(), "/api/v1/games").Body.Bytes())
		if (list.Greeting != nil) != want || want && list.Greeting.Build != command {
			t.Errorf("command %q: greeting %+v", command, list.Greeting)
		}
	}
}

// Tables that cannot be looked into are told beside the others, without what is for the log.
func TestGamesTellOfTablesThatCannotBeRead(t *testing.T) {
	broken := trouble(t, nil)
	broken.Tables = unreadable{broken.Tables}
	s := newServer(t, unhurried(), broken)
	log := logged(s)
	w := get(s.Handler(), "/api/v1/games")
	if w.Code != http.StatusOK {
		t.Fatalf("status %d, %s", w.Code, w.Body)
	}
	list := decode[gameList](t, w.Body.Bytes())
	if len(list.Solved) != len(small)+1 {
		t.Fatalf("%d tables", len(list.Solved))
	}
	for _, table := range list.Solved {
		if bad := table.Board == "3x3"; (table.Error != "") != bad || bad == (len(table.Totals) > 0) || strings.Contains(table.Error, "secret") {
			t.Errorf("%+v", table)
		}
	}
	if !strings.Contains(log.String(), "/srv/secret") {
		t.Errorf("the log has %s", log)
	}
}

// unreadable is tables that cannot be looked into.
type unreadable struct{ catalogue.Tables }

func (unreadable) Stats() (catalogue.Stats, error) {
	return catalogue.Stats{}, errors.New("read /srv/secret: input/output error")
}

// What is played is told with the position, however that was named.
func TestPlayTellsThePosition(t *testing.T) {
	h := newServer(t, unhurried()).Handler()
	got := decode[played](t, get(h, "/api/v1/fanorona/5x5/play?p=start&turn=b3-c3A").Body.Bytes())
	if got.Position != draw {
		t.Errorf("%+v, want the position %s", got, draw)
	}
}

// An answer that is not small does not wait for ever for those that are being sent.
func TestTheDescriptionWaitsNoLongerThanOthers(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		s := newServer(t, DefaultLimits())
		leave, err := s.sending.try(sendingBytes)
		if err != nil {
			t.Fatal(err)
		}
		defer leave()
		if w := get(s.Handler(), "/api/v1/openapi.json"); w.Code != http.StatusServiceUnavailable {
			t.Errorf("status %d", w.Code)
		}
	})
}

// What many positions of a request miss alike is reckoned once.
func TestABuildThatManyMissIsReckonedOnce(t *testing.T) {
	s, asked := newServer(t, unhurried()), 0
	s.config.Build = func(catalogue.Instance, string, ...string) BuildHint {
		asked++
		return BuildHint{Command: "paika build"}
	}
	const missing, other = "BB.../...../..W../...../WW... b", "BBB../...../..W../...../WW... b"
	w := post(s.Handler(), "/api/v1/fanorona/5x5/positions", asCommands(t, bulk{[]string{missing, missing, other, missing}}))
	if got := strings.Count(w.Body.String(), `"build":"paika build"`); got != 4 || asked != 2 {
		t.Errorf("%d commands, reckoned %d times; %s", got, asked, w.Body)
	}
}

// Who asks for distances, and there are none, is told what builds them.
func TestDistancesThatAreMissingAreBuiltByACommand(t *testing.T) {
	game, _ := catalogue.Find("fanorona")
	instance, err := game.Open("3x3", nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, err := instance.Build(t.Context(), dir, catalogue.BuildOptions{Pieces: 3, Metric: bitboard.WDL, Workers: 1, Memory: 1 << 30}); err != nil {
		t.Fatal(err)
	}
	opened, err := instance.Open(dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	w := get(newServer(t, unhurried(), Table{instance, opened}).Handler(), "/api/v1/fanorona/3x3/longest?slice=2v1")
	if got := decode[problem](t, w.Body.Bytes()); w.Code != 404 || got.Build != "paika build fanorona 3x3 --slices 2v1 --metric dtw" || !got.Served {
		t.Errorf("status %d, %+v", w.Code, got)
	}
}
