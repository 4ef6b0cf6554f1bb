package explorer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/zeebo/xxh3"

	"paika/bitboard/catalogue"
)

// board is the part of the paths that names a view.
const board = "/api/v1/{game}/{board}/"

// routes registers everything that is served.
func (s *Server) routes(mux *http.ServeMux, f files, compress func(http.Handler) http.Handler) {
	get := func(path string, h http.HandlerFunc) { mux.Handle("GET "+path, compress(h)) }
	get("/{$}", f.page)
	get("/assets/{file}", s.asset(f))
	get("/api/v1/games", s.shared(s.games))
	get(board+"position", s.about("p", s.position))
	get(board+"turns", s.about("p", s.turns))
	get(board+"play", s.about("p", s.play))
	get(board+"stats", s.about("", s.stats))
	get(board+"random", s.about("slice", s.random))
	get(board+"longest", s.about("slice", s.longestWin))
	get(board+"win-in-one", s.about("p", s.winInOne))
	mux.Handle("POST "+board+"positions", compress(s.about("positions", s.positions)))
	mux.Handle("OPTIONS /api/", s.shared(preflight))
	mux.Handle("POST "+board+"search", s.sameOrigin(http.HandlerFunc(s.search)))
	mux.HandleFunc("GET /healthz", healthy)
	mux.Handle("GET /metrics", s.metrics.handler())
	mux.HandleFunc("/", s.elsewhere(mux))
}

// healthy answers as long as the server does.
func healthy(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "ok\n") }

func (s *Server) notFound(w http.ResponseWriter, r *http.Request) {
	s.fail(w, refuse(http.StatusNotFound, codeNotFound, "", "there is nothing at %s", shortened(r.URL.Path)), nil, "")
}

// elsewhere tells a path that is not there from a method that it does not have.
func (s *Server) elsewhere(mux *http.ServeMux) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var allowed []string
		for _, method := range [...]string{http.MethodGet, http.MethodPost} {
			other := r.Clone(r.Context())
			other.Method = method
			if _, pattern := mux.Handler(other); pattern != "/" {
				allowed = append(allowed, method)
			}
		}
		if allowed == nil {
			s.notFound(w, r)
			return
		}
		w.Header().Set("Allow", strings.Join(allowed, ", "))
		s.fail(w, refuse(http.StatusMethodNotAllowed, codeMethod, "", "%s: want %s", r.Method, strings.Join(allowed, " or ")), nil, "")
	}
}

// shared lets pages from elsewhere read the answer.
func (s *Server) shared(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		next(w, r)
	}
}

// preflight tells browsers what pages from elsewhere may send.
func preflight(w http.ResponseWriter, _ *http.Request) {
	header := w.Header()
	header.Set("Access-Control-Allow-Methods", "GET, HEAD, POST")
	header.Set("Access-Control-Allow-Headers", "Content-Type, If-None-Match")
	header.Set("Access-Control-Max-Age", "86400")
	w.WriteHeader(http.StatusNoContent)
}

// sameOrigin keeps pages from elsewhere from starting work.
func (s *Server) sameOrigin(next http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	protection.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		s.fail(w, refuse(http.StatusForbidden, codeOrigin, "", "searches cannot be started by pages from elsewhere"), nil, "")
	}))
	return protection.Handler(next)
}

// answer is the answer to a request about a view: anything that has a JSON form.
type answer func(ctx context.Context, v *view, r *http.Request) (any, error)

// about answers requests about a view, within the limits. Errors are about the
// parameter named where they do not say another.
func (s *Server) about(parameter string, f answer) http.HandlerFunc {
	return s.shared(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), s.limits.Time)
		defer cancel()
		if err := s.receive(w, r); err != nil {
			s.fail(w, err, nil, parameter)
			return
		}
		v, result, err := s.work(ctx, r, f)
		if err != nil {
			s.fail(w, err, v, parameter)
			return
		}
		if r.Method == http.MethodPost || strings.HasSuffix(r.Pattern, "random") {
			w.Header().Set("Cache-Control", "no-store")
		}
		s.send(w, r, result)
	})
}

// receive reads a request's body, so that none that comes slowly holds a place.
func (s *Server) receive(w http.ResponseWriter, r *http.Request) error {
	if r.Method != http.MethodPost {
		return nil
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.limits.Body))
	var oversize *http.MaxBytesError
	if err != nil && !errors.As(err, &oversize) {
		err = refuse(http.StatusBadRequest, codeParameter, "", "the body ends early: %v", err)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return err
}

// work waits for a place and works the answer out there.
func (s *Server) work(ctx context.Context, r *http.Request, f answer) (*view, any, error) {
	leave, err := s.working.enter(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer leave()
	v, err := s.view(r)
	if err != nil {
		return nil, nil, err
	}
	result, err := f(ctx, v, r)
	return v, result, err
}

// view is the one that a request's path and rules name.
func (s *Server) view(r *http.Request) (*view, error) {
	return s.views.find(name{r.PathValue("game"), r.PathValue("board"), r.URL.Query().Get("rules")})
}

// send answers with an object.
func (s *Server) send(w http.ResponseWriter, r *http.Request, result any) {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(result); err != nil {
		s.fail(w, err, nil, "")
		return
	}
	document{"application/json", tag(body.Bytes()), body.Bytes()}.send(w, r)
}

// tag is the entity tag of a body. It is a weak one: a compressed body has the
// same.
func tag(body []byte) string { return fmt.Sprintf(`W/"%016x"`, xxh3.Hash(body)) }

// text is a parameter that must be there.
func text(r *http.Request, parameter string) (string, error) {
	value := r.URL.Query().Get(parameter)
	switch {
	case value == "":
		return "", refuse(http.StatusBadRequest, codeParameter, parameter, "want the parameter %s", parameter)
	case len(value) > longestPosition:
		return "", refuse(http.StatusRequestEntityTooLarge, codeLimit, parameter, "%s has %d bytes: want at most %d", parameter, len(value), longestPosition)
	}
	return value, nil
}

// one asks about the position in the parameter p.
func one[T any](ctx context.Context, s *Server, r *http.Request, ask func(context.Context, []string) ([]catalogue.Answer[T], error)) (any, error) {
	position, err := text(r, "p")
	if err != nil {
		return nil, err
	}
	s.metrics.positions.Inc()
	answers, err := ask(ctx, []string{position})
	if err != nil {
		return nil, err
	}
	return answers[0].Result, answers[0].Err
}

func (s *Server) position(ctx context.Context, v *view, r *http.Request) (any, error) {
	return one(ctx, s, r, v.tables.Query)
}

func (s *Server) turns(ctx context.Context, v *view, r *http.Request) (any, error) {
	return one(ctx, s, r, v.tables.Turns)
}

// played is the answer of play.
type played struct {
	Position string `json:"position"`
	Turn     string `json:"turn"`
	After    string `json:"after"`
}

func (s *Server) play(_ context.Context, v *view, r *http.Request) (any, error) {
	position, err := text(r, "p")
	if err != nil {
		return nil, err
	}
	turn, err := text(r, "turn")
	if err != nil {
		return nil, err
	}
	after, err := v.tables.Play(position, turn)
	return played{position, turn, after}, err
}

func (s *Server) stats(_ context.Context, v *view, _ *http.Request) (any, error) {
	return v.tables.Stats()
}

func (s *Server) random(ctx context.Context, v *view, r *http.Request) (any, error) {
	slice, err := text(r, "slice")
	if err != nil {
		return nil, err
	}
	return v.tables.Random(ctx, slice)
}

// longestKey names an answer of longestWin.
type longestKey struct{ folder, slice string }

// longestWin keeps its answers, since each takes the reading of a slice. There
// are no more of them than slices.
func (s *Server) longestWin(ctx context.Context, v *view, r *http.Request) (any, error) {
	slice, err := text(r, "slice")
	if err != nil {
		return nil, err
	}
	key := longestKey{v.instance.Folder(), slice}
	if kept, found := s.longest.Load(key); found {
		return kept, nil
	}
	probe, err := v.tables.Longest(ctx, slice)
	if err == nil {
		s.longest.Store(key, probe)
	}
	return probe, err
}

func (s *Server) winInOne(ctx context.Context, v *view, r *http.Request) (any, error) {
	game, ok := v.instance.(catalogue.WinsInOne)
	if !ok {
		return nil, refuse(http.StatusNotFound, codeNotFound, "game", "win-in-one is a question of phutball alone")
	}
	o := catalogue.WinInOneOptions{Time: s.limits.Time / 2, Workers: 1}
	if shortest := r.URL.Query().Get("shortest"); shortest != "" {
		var err error
		if o.Shortest, err = strconv.ParseBool(shortest); err != nil {
			return nil, refuse(http.StatusBadRequest, codeParameter, "shortest", "shortest=%s: want true or false", shortest)
		}
	}
	return one(ctx, s, r, func(ctx context.Context, positions []string) ([]catalogue.Answer[catalogue.WinInOne], error) {
		return game.WinInOne(ctx, positions, o)
	})
}

// bulk is the body of a request about many positions.
type bulk struct {
	Positions []string `json:"positions"`
}

// unanswered stands in a bulk answer for a position that has none.
type unanswered struct {
	Position string  `json:"position"`
	Problem  problem `json:"problem"`
}

// answered is the answer to a bulk request: an object for each position, in
// order.
type answered struct {
	Answers []any `json:"answers"`
}

func (s *Server) positions(ctx context.Context, v *view, r *http.Request) (any, error) {
	var b bulk
	if err := readJSON(r, &b); err != nil {
		return nil, err
	}
	if n := len(b.Positions); n == 0 || n > s.limits.Positions {
		return nil, refuse(http.StatusRequestEntityTooLarge, codeLimit, "positions", "%d positions: want 1 to %d", n, s.limits.Positions)
	}
	s.metrics.positions.Add(float64(len(b.Positions)))
	switch detail := r.URL.Query().Get("detail"); detail {
	case "", "query":
		return many(ctx, s, v, b.Positions, v.tables.Query)
	case "turns":
		return many(ctx, s, v, b.Positions, v.tables.Turns)
	case "value":
		return many(ctx, s, v, b.Positions, v.tables.Probe)
	default:
		return nil, refuse(http.StatusBadRequest, codeParameter, "detail", "detail=%s: want query, turns or value", detail)
	}
}

// many asks about positions, and puts problems where there are no answers.
func many[T any](ctx context.Context, s *Server, v *view, positions []string, ask func(context.Context, []string) ([]catalogue.Answer[T], error)) (any, error) {
	answers, err := ask(ctx, positions)
	if err != nil {
		return nil, err
	}
	all := answered{make([]any, len(answers))}
	for i := range answers {
		if err := answers[i].Err; err != nil {
			all.Answers[i] = unanswered{positions[i], s.explain(err, v, "positions")}
		} else {
			all.Answers[i] = &answers[i].Result
		}
	}
	return all, nil
}

// readJSON reads a body that is one JSON object with no keys but those known.
func readJSON(r *http.Request, object any) error {
	if media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); media != "application/json" {
		return refuse(http.StatusUnsupportedMediaType, codeMedia, "", "Content-Type %q: want application/json", media)
	}
	decoder := json.NewDecoder(r.Body)
	decoder.DisallowUnknownFields()
	err := decoder.Decode(object)
	if err == nil {
		if _, err = decoder.Token(); err == io.EOF {
			return nil
		}
		if err == nil {
			err = errors.New("want one JSON object and nothing behind it")
		}
	}
	return refuse(http.StatusBadRequest, codeParameter, "", "the body: %v", err)
}

// gameList is the answer of games.
type gameList struct {
	Games  []catalogue.Game   `json:"games"`
	Solved []catalogue.Solved `json:"solved"`
	First  chosen             `json:"first"`
	Limits shownLimits        `json:"limits"`
}

// chosen names a view as the page's address does.
type chosen struct {
	Game  string `json:"game"`
	Board string `json:"board"`
	Rules string `json:"rules"` // those that are not the default
}

// shownLimits are the limits that a client can keep to.
type shownLimits struct {
	Body        int64   `json:"body"`
	Positions   int     `json:"positions"`
	Turns       int     `json:"turns"`
	Seconds     float64 `json:"seconds"`
	SearchNodes uint64  `json:"search_nodes"`
}

// games lists games and the tables that are served.
func (s *Server) games(w http.ResponseWriter, r *http.Request) {
	first := s.config.First
	list := gameList{
		Games: catalogue.Games(), Solved: []catalogue.Solved{},
		First:  chosen{first.Identity().Game, first.Identity().Board, strings.Join(first.ChosenRules(), ",")},
		Limits: shownLimits{s.limits.Body, s.limits.Positions, s.limits.Turns, s.limits.Time.Seconds(), s.limits.SearchNodes},
	}
	for _, t := range s.config.Tables {
		id := t.Instance.Identity()
		stats, err := t.Tables.Stats()
		if err != nil {
			s.fail(w, err, &view{instance: t.Instance}, "")
			return
		}
		list.Solved = append(list.Solved, catalogue.Solved{Game: id.Game, Board: id.Board, Rules: id.Rules, Totals: stats.Totals})
	}
	s.send(w, r, list)
}
