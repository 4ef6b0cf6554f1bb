package explorer

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"paika/cmd/paika/catalogue"
	"paika/tablebase"
)

// described is the description as the server sends it.
func described(t *testing.T, h http.Handler) schemas {
	t.Helper()
	w := get(h, "/api/v1/openapi.json")
	if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "application/json" || w.Header().Get("ETag") == "" {
		t.Fatalf("status %d, %v", w.Code, w.Header())
	}
	return schemas{decode[map[string]any](t, w.Body.Bytes())}
}

// operation is what is described of a path and a method; nil if nothing is.
func (s schemas) operation(method, path string) map[string]any {
	item := s.resolved(s.document["paths"].(map[string]any)[path])
	return s.resolved(item[strings.ToLower(method)])
}

// parametersOf lists an operation's parameters of one kind.
func (s schemas) parametersOf(operation map[string]any, in string) (names []string) {
	for _, p := range list(operation["parameters"]) {
		if parameter := s.resolved(p); parameter["in"] == in {
			names = append(names, parameter["name"].(string))
		}
	}
	slices.Sort(names)
	return names
}

// Every route is described, with its parameters, and nothing else is.
func TestEveryRouteIsDescribed(t *testing.T) {
	server := newServer(t, unhurried())
	s := described(t, server.Handler())
	served := make(map[string]bool)
	for _, r := range server.routes {
		path := strings.TrimSuffix(r.path, "{$}")
		served[r.method+" "+path] = true
		operation := s.operation(r.method, path)
		if operation == nil {
			t.Errorf("%s %s is not described", r.method, path)
			continue
		}
		if got, want := s.parametersOf(operation, "query"), slices.Sorted(slices.Values(r.parameters)); !slices.Equal(got, want) {
			t.Errorf("%s %s takes %v, and is described with %v", r.method, path, want, got)
		}
		var inPath []string
		for _, name := range regexp.MustCompile(`\{(\w+)\}`).FindAllStringSubmatch(path, -1) {
			inPath = append(inPath, name[1])
		}
		slices.Sort(inPath)
		if got := s.parametersOf(operation, "path"); !slices.Equal(got, inPath) {
			t.Errorf("%s: the path is described with %v", path, got)
		}
		if hasBody := operation["requestBody"] != nil; hasBody != (r.method == http.MethodPost) {
			t.Errorf("%s: a body is described: %v", path, hasBody)
		}
	}
	identifiers := make(map[any]bool)
	for path, item := range s.document["paths"].(map[string]any) {
		for method, operation := range item.(map[string]any) {
			if name := strings.ToUpper(method) + " " + path; !served[name] {
				t.Errorf("%s is described and not served", name)
			}
			id := operation.(map[string]any)["operationId"]
			if id == nil || identifiers[id] {
				t.Errorf("%s %s: operationId %v", method, path, id)
			}
			identifiers[id] = true
		}
	}
}

// Every code that a problem can have is described, and no other.
func TestEveryCodeIsDescribed(t *testing.T) {
	s := described(t, newServer(t, unhurried()).Handler())
	problem := s.find("#/components/schemas/Problem").(map[string]any)["properties"].(map[string]any)
	var got []string
	for _, code := range problem["code"].(map[string]any)["enum"].([]any) {
		got = append(got, code.(string))
		if status := statusOf(catalogue.Code(code.(string))); status == http.StatusInternalServerError && code != string(catalogue.CodeInternal) {
			t.Errorf("no problem has the code %s", code)
		}
	}
	for _, code := range []catalogue.Code{
		catalogue.CodeParameter, catalogue.CodePosition, catalogue.CodeTurn, catalogue.CodeRecord, catalogue.CodeNotFound, catalogue.CodeOutOfReach, catalogue.CodeTooMany,
		catalogue.CodeLimit, catalogue.CodeTime, catalogue.CodeStopped, catalogue.CodeNotStored, catalogue.CodeBusy, catalogue.CodeInternal,
		codeMethod, codeMedia, codeOrigin, codeHost,
	} {
		if !slices.Contains(got, string(code)) {
			t.Errorf("the code %s is not described", code)
		}
	}
}

// Pages from elsewhere can read the headers that are described.
func TestPagesFromElsewhereReadTheHeaders(t *testing.T) {
	h := newServer(t, unhurried()).Handler()
	got := strings.Split(get(h, "/api/v1/games").Header().Get("Access-Control-Expose-Headers"), ", ")
	text := get(h, "/api/v1/openapi.json").Body.String()
	var want []string
	for _, header := range regexp.MustCompile(`"([\w-]+)": *\{"\$ref": *"#/components/headers/`).FindAllStringSubmatch(text, -1) {
		want = append(want, header[1])
	}
	slices.Sort(want)
	if want = slices.Compact(want); !slices.Equal(got, want) {
		t.Errorf("pages from elsewhere read %q, and %q are described", got, want)
	}
}

// Every reference of the description leads somewhere, and every part is referred to.
func TestTheDescriptionIsWhole(t *testing.T) {
	s := described(t, newServer(t, unhurried()).Handler())
	text, err := json.Marshal(s.document)
	if err != nil {
		t.Fatal(err)
	}
	used := make(map[string]bool)
	for _, found := range regexp.MustCompile(`"\$ref":"([^"]*)"`).FindAllSubmatch(text, -1) {
		used[string(found[1])] = true
		if s.find(string(found[1])) == nil {
			t.Errorf("%s leads nowhere", found[1])
		}
	}
	for kind, parts := range s.document["components"].(map[string]any) {
		for name := range parts.(map[string]any) {
			if !used["#/components/"+kind+"/"+name] {
				t.Errorf("%s %s is not used", kind, name)
			}
		}
	}
}

// asked is a request to the server, by the path that is described.
type asked struct {
	method, path string
	board        string // game and board
	query, body  string
	status       int
	header       []string
}

// Every path is asked, in every way that makes another answer, and each answer is
// as it is described.
func TestAnswersAreAsDescribed(t *testing.T) {
	limits := unhurried()
	limits.SearchNodes, limits.Positions, limits.Survey = 3000, 10, 10_000
	h := newServerOf(t, limits, []catalogue.Walk{proven(t)}, trouble(t, func(context.Context) error { return tablebase.ErrDamaged })).Handler()
	s := described(t, h)
	const board = "/api/v1/{game}/{board}/"
	seen := make(map[string]bool)
	for _, a := range []asked{
		{path: "/", status: 200},
		{path: "/facts", status: 200},
		{path: "/embed", status: 200},
		{path: "/doc", status: 200},
		{path: "/doc/{file}", board: "tables", status: 200},
		{path: "/doc/{file}", board: "nothing", status: 404},
		{path: "/assets/{file}", board: "main.js", status: 200},
		{path: "/assets/{file}", board: "nothing.js", status: 404},
		{path: "/healthz", status: 200},
		{path: "/metrics", status: 200},
		{path: "/api/v1", status: 200},
		{path: "/api/v1", query: "x=1", status: 400},
		{path: "/api/v1/openapi.json", status: 200},
		{path: "/api/v1/openapi.json", query: "x=1", status: 400},
		{path: "/api/v1/games", status: 200},
		{path: "/api/v1/games", query: "x=1", status: 400},
		{path: board + "position", board: "fanorona/5x5", query: "p=" + won, status: 200},
		{path: board + "position", board: "konane/4x4", query: "p=start", status: 200},
		{path: board + "position", board: "phutball/3x5", query: "p=start", status: 200},
		{path: board + "position", board: "phutball/3x5", query: "p=.@./.../.../.../... eks", status: 200},
		{path: board + "position", board: "fanorona/5x5", query: "p=start", status: 404},
		{path: board + "position", board: "fanorona/9x5", query: "p=start", status: 404},
		{path: board + "position", board: "fanorona/5x5", query: "p=x", status: 400},
		{path: board + "position", board: "fanorona/5x5", query: "p=" + strings.Repeat("x", 3000), status: 413},
		{path: board + "position", board: "fanorona/3x3", query: "p=start", status: 500},
		{path: board + "image.svg", board: "fanorona/9x5", query: "p=start&size=96", status: 200},
		{path: board + "image.svg", board: "fanorona/5x5", query: "p=" + won + "&turn=b2-b3", status: 200},
		{path: board + "image.svg", board: "fanorona/5x5", query: "p=" + won + "&turn=b2-e5", status: 422},
		{path: board + "image.svg", board: "fanorona/5x5", query: "p=x", status: 400},
		{path: board + "image.svg", board: "chess/5x5", query: "p=start", status: 404},
		{path: board + "image.svg", board: "fanorona/5x5", query: "p=" + strings.Repeat("x", 3000), status: 413},
		{path: board + "turns", board: "fanorona/9x5", query: "p=start", status: 200},
		{path: board + "turns", board: "fanorona/5x5", query: "p=" + won + "&rules=stalemate=draw", status: 200},
		{path: board + "turns", board: "phutball/15x19", query: "p=" + dense(), status: 422},
		{path: board + "turns", board: "breakthrough/5x5", query: "p=start", status: 200},
		{path: board + "turns", board: "chess/8x8", query: "p=start", status: 404},
		{path: board + "turns", board: "fanorona/99x99", query: "p=start", status: 400},
		{path: board + "turns", board: "fanorona/5x5", query: "p=" + strings.Repeat("x", 3000), status: 413},
		{path: board + "play", board: "fanorona/5x5", query: "p=" + won + "&turn=b2-b3", status: 200},
		{path: board + "play", board: "fanorona/5x5", query: "p=" + won + "&turn=b2-d4", status: 422},
		{path: board + "play", board: "fanorona/5x5", query: "p=" + won + "&turn=b2_b3", status: 400},
		{path: board + "play", board: "fanorona/5x5", query: "p=" + won, status: 400},
		{path: board + "play", board: "fanorona/5x5", query: "turn=b2&p=" + strings.Repeat("x", 3000), status: 413},
		{path: board + "proof", board: "fanorona/5x5", query: "p=start", status: 200},
		{path: board + "proof", board: "fanorona/5x5", query: "p=" + won, status: 200},
		{path: board + "proof", board: "fanorona/9x5", query: "p=start", status: 404},
		{path: board + "proof", board: "fanorona/5x5", query: "p=x", status: 400},
		{path: board + "proof", board: "fanorona/5x5", query: "p=" + strings.Repeat("x", 3000), status: 413},
		{path: board + "stats", board: "fanorona/5x5", status: 200},
		{path: board + "stats", board: "konane/4x4", status: 200},
		{path: board + "stats", board: "fanorona/7x5", status: 404},
		{path: board + "stats", board: "fanorona/7x5", query: "x=", status: 400},
		{path: board + "random", board: "fanorona/5x5", query: "slice=2v1", status: 200},
		{path: board + "random", board: "fanorona/5x5", query: "slice=4v4", status: 404},
		{path: board + "random", board: "fanorona/5x5", query: "slice=" + strings.Repeat("4", 3000), status: 413},
		{path: board + "random", board: "fanorona/5x5", status: 400},
		{path: board + "longest", board: "fanorona/5x5", query: "slice=2v1", status: 200},
		{path: board + "longest", board: "fanorona/5x5", query: "slice=1v0", status: 404},
		{path: board + "longest", board: "fanorona/5x5", query: "slice=" + strings.Repeat("4", 3000), status: 413},
		{path: board + "longest", board: "fanorona/5x5", status: 400},
		{path: board + "survey", board: "fanorona/5x5", query: "slice=2v1", status: 200},
		{path: board + "survey", board: "konane/4x4", query: "slice=b8", status: 404},
		{path: board + "survey", board: "fanorona/5x5", query: "slice=4v4", status: 404},
		{path: board + "survey", board: "fanorona/5x5", query: "slice=3v1", status: 413},
		{path: board + "survey", board: "fanorona/7x5", query: "slice=1v1", status: 404},
		{path: board + "survey", board: "fanorona/5x5", status: 400},
		{path: board + "win-in-one", board: "phutball/3x5", query: "p=ball=B4 men=B5 to=ohs&shortest=true", status: 200},
		{path: board + "win-in-one", board: "phutball/3x5", query: "p=start", status: 200},
		{path: board + "win-in-one", board: "phutball/3x5", query: "p=start&shortest=1", status: 400},
		{path: board + "win-in-one", board: "konane/4x4", query: "p=start", status: 404},
		{path: board + "win-in-one", board: "phutball/3x5", query: "p=" + strings.Repeat("4", 3000), status: 413},
		{method: "POST", path: board + "positions", board: "fanorona/5x5", body: asCommands(t, bulk{[]string{won, "start", "x", strings.Repeat("x", 3000)}}), status: 200},
		{method: "POST", path: board + "positions", board: "fanorona/5x5", query: "detail=turns", body: asCommands(t, bulk{[]string{won, "start"}}), status: 200},
		{method: "POST", path: board + "positions", board: "konane/4x4", query: "detail=value", body: asCommands(t, bulk{[]string{"start"}}), status: 200},
		{method: "POST", path: board + "positions", board: "konane/4x4", body: `{"positions":[]}`, status: 200},
		{method: "POST", path: board + "positions", board: "konane/4x4", body: `{}`, status: 400},
		{method: "POST", path: board + "positions", board: "chess/4x4", body: `{}`, status: 404},
		{method: "POST", path: board + "positions", board: "konane/4x4", body: asCommands(t, bulk{make([]string, 11)}), status: 413},
		{method: "POST", path: board + "positions", board: "konane/4x4", body: `{}`, header: []string{"Content-Encoding", "br"}, status: 415},
		{method: "POST", path: board + "annotate", board: "fanorona/5x5", body: asCommands(t, recordRequest{`[White "A"] [Position "` + won + `"] b2-b3 {x} (b2-c2)`}), status: 200},
		{method: "POST", path: board + "annotate", board: "fanorona/9x5", body: `{"record":"f2-e3A"}`, status: 200},
		{method: "POST", path: board + "annotate", board: "fanorona/5x5", body: `{"record":"a1-a1"}`, status: 400},
		{method: "POST", path: board + "annotate", board: "fanorona/5x5", body: `{"record":"{"}`, status: 400},
		{method: "POST", path: board + "annotate", board: "fanorona/5x5", body: `{"record":"[Board \"9x5\"]"}`, status: 400},
		{method: "POST", path: board + "annotate", board: "fanorona/5x5", body: `{}`, status: 400},
		{method: "POST", path: board + "annotate", board: "chess/5x5", body: `{"record":""}`, status: 404},
		{method: "POST", path: board + "annotate", board: "fanorona/4x4", body: `{"record":""}`, status: 400},
		{method: "POST", path: board + "annotate", board: "fanorona/5x5", body: asCommands(t, recordRequest{strings.Repeat("a ", 11)}), status: 413},
		{method: "POST", path: board + "annotate", board: "fanorona/5x5", body: `{}`, header: []string{"Content-Encoding", "br"}, status: 415},
		{method: "POST", path: board + "search", board: "fanorona/5x5", body: `{"position":"` + won + `"}`, status: 200},
		{method: "POST", path: board + "search", board: "konane/5x4", body: `{"position":"start","nodes":0}`, status: 200},
		{method: "POST", path: board + "search", board: "fanorona/9x5", body: `{"position":"start","nodes":1000}`, status: 200},
		{method: "POST", path: board + "search", board: "phutball/15x19", body: asCommands(t, searchRequest{Position: dense()}), status: 200},
		{method: "POST", path: board + "search", board: "fanorona/5x5", body: `{"position":"x"}`, status: 400},
		{method: "POST", path: board + "search", board: "fanorona/5x5", body: `{"position":"start"}`, header: []string{"Origin", "https://example.org"}, status: 403},
		{method: "POST", path: board + "search", board: "chess/5x5", body: `{"position":"start"}`, status: 404},
		{method: "POST", path: board + "search", board: "fanorona/5x5", body: `{"position":"start","nodes":3001}`, status: 413},
		{method: "POST", path: board + "search", board: "fanorona/5x5", body: `{}`, header: []string{"Content-Encoding", "gzip"}, status: 415},
	} {
		a.method = cmp.Or(a.method, http.MethodGet)
		seen[a.method+" "+a.path] = true
		w := a.ask(h)
		s.check(t, a, w)
		if w.Code != a.status {
			t.Errorf("%s %s of %s, %.60s: status %d, want %d; %s", a.method, a.path, a.board, a.query+a.body, w.Code, a.status, w.Body)
		}
		a.header = append(a.header, "If-None-Match", cmp.Or(w.Header().Get("ETag"), "*"))
		s.check(t, a, a.ask(h))
	}
	for _, r := range newServer(t, limits).routes {
		if name := r.method + " " + strings.TrimSuffix(r.path, "{$}"); !seen[name] {
			t.Errorf("%s is not asked", name)
		}
	}
	// What concerns all paths alike.
	for name := range seen {
		method, path, _ := strings.Cut(name, " ")
		a := asked{method: method, path: path, board: "fanorona/5x5", body: "{}"}
		r := a.request()
		r.Host = "evil.example"
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		s.check(t, a, w)
		if w.Code != http.StatusMisdirectedRequest {
			t.Errorf("%s of another host: status %d", name, w.Code)
		}
		busy := newServer(t, Limits{Working: 1, Searches: 1, Body: 100, Positions: 1, Turns: 100, Time: 1, SearchNodes: 1, SearchTime: 1, SearchMemory: 1 << 20})
		if leave, err := busy.working.enter(t.Context(), 1); err == nil {
			defer leave()
		}
		a.body = `{"position":"start"}`
		if !strings.Contains(path, "search") {
			a.body = `{"positions":["start"]}`
		}
		if strings.Contains(path, "{game}") {
			w := a.ask(busy.Handler())
			s.check(t, a, w)
			if w.Code != http.StatusServiceUnavailable {
				t.Errorf("%s of a busy server: status %d, %s", name, w.Code, w.Body)
			}
		}
	}
}

func (a asked) request() *http.Request {
	path := strings.NewReplacer("{game}/{board}", a.board, "{file}", a.board).Replace(a.path)
	query := strings.NewReplacer(" ", "%20", "@", "%40").Replace(a.query)
	r := httptest.NewRequest(a.method, path+"?"+query, strings.NewReader(a.body))
	if a.method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(a.header); i += 2 {
		r.Header.Set(a.header[i], a.header[i+1])
	}
	return r
}

func (a asked) ask(h http.Handler) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, a.request())
	return w
}

// check compares an answer with what is described of it: status, type, headers and
// body.
func (s schemas) check(t *testing.T, a asked, w *httptest.ResponseRecorder) {
	t.Helper()
	name := fmt.Sprintf("%s %s of %s, %.60s: %d", a.method, a.path, a.board, a.query+a.body, w.Code)
	response := s.resolved(s.resolved(s.operation(a.method, a.path)["responses"])[fmt.Sprint(w.Code)])
	if response == nil {
		t.Errorf("%s is not described: %s", name, w.Body)
		return
	}
	for header := range s.resolved(response["headers"]) {
		if w.Header().Get(header) == "" {
			t.Errorf("%s has no %s", name, header)
		}
	}
	content := s.resolved(response["content"])
	if len(content) == 0 {
		if w.Body.Len() > 0 {
			t.Errorf("%s: no body is described: %s", name, w.Body)
		}
		return
	}
	kind := slices.Collect(maps.Keys(content))[0]
	media, _, _ := strings.Cut(w.Header().Get("Content-Type"), ";")
	if kind != "*/*" && media != kind {
		t.Errorf("%s: the type is %s, and %s is described", name, media, kind)
		return
	}
	schema := s.resolved(content[kind])["schema"]
	var texts []string
	switch kind {
	case "application/x-ndjson":
		texts = slices.Collect(strings.Lines(w.Body.String()))
	case "application/json", "application/problem+json":
		texts = []string{w.Body.String()}
	}
	for _, text := range texts {
		value, err := parsed([]byte(text))
		if err != nil {
			t.Errorf("%s: %v in %s", name, err, text)
			continue
		}
		if _, whole := value.(map[string]any)["openapi"]; whole && a.path == "/api/v1/openapi.json" {
			continue // it is what the schemas are of
		}
		for _, fault := range s.faults("answer", schema, value) {
			t.Errorf("%s: %s", name, fault)
		}
	}
}

// The index leads to what is there.
func TestTheIndexLeadsToEverything(t *testing.T) {
	server := newServer(t, unhurried())
	h := server.Handler()
	all := decode[links](t, get(h, "/api/v1").Body.Bytes())
	if all.Version != "test" {
		t.Errorf("version %q", all.Version)
	}
	base := httptest.NewRequest(http.MethodGet, "/api/v1", nil).URL
	for _, href := range []string{all.OpenAPI, all.Games, all.Page, all.Health, all.Metrics} {
		at, err := base.Parse(href)
		if err != nil {
			t.Fatal(err)
		}
		if w := get(h, at.String()); w.Code != http.StatusOK {
			t.Errorf("%s leads to %s: status %d", href, at, w.Code)
		}
	}
	for _, q := range all.Questions {
		path, parameters, _ := strings.Cut(q.Href, "{?")
		found := slices.IndexFunc(server.routes, func(r route) bool { return r.path == "/api/"+path && r.method == q.Method })
		if found < 0 || strings.Join(server.routes[found].parameters, ",")+"}" != parameters {
			t.Errorf("%+v is no route", q)
		}
	}
	if want := 13; len(all.Questions) != want {
		t.Errorf("%d questions, want %d", len(all.Questions), want)
	}
}
