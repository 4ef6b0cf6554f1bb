package explorer

import (
	"context"
	"io"
	"net/http"
	"path"
	"strings"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
)

// The paths of the API, and of questions about a game on a board.
const (
	version1 = "/api/v1"
	ofBoard  = version1 + "/{game}/{board}/"
)

// route is one kind of request that is answered.
type route struct {
	method, path string
	parameters   []string // of the query, where it is read
	handler      http.Handler
}

// listRoutes lists everything that is served.
func (s *Server) listRoutes(f files) []route {
	document := func(path string, h http.HandlerFunc) route {
		return route{http.MethodGet, path, nil, h}
	}
	plain := func(path string, h http.HandlerFunc) route {
		return route{http.MethodGet, version1 + path, nil, s.shared(s.unasked(h))}
	}
	// What a question is about, if not about a parameter that its problem names.
	view := func(method, what, about string, f answer, parameters ...string) route {
		parameters = append(parameters, "rules")
		return route{method, ofBoard + what, parameters, s.about(about, f, parameters)}
	}
	search := view(http.MethodPost, "search", "", nil)
	search.handler = s.sameOrigin(s.search(search.parameters))
	return []route{
		document("/{$}", f.page(index)),
		document("/facts", f.page(facts)),
		document("/embed", framed(f.page(embedded))),
		document("/doc", s.manualIndex),
		document("/doc/{file}", s.manualFile),
		document("/assets/{file}", s.asset(f)),
		document("/healthz", healthy),
		document("/metrics", s.metrics.handler().ServeHTTP),
		plain("", s.index),
		plain("/openapi.json", s.description),
		plain("/games", s.games),
		view(http.MethodGet, "position", "p", s.position, "p"),
		view(http.MethodGet, "turns", "p", s.turns, "p"),
		view(http.MethodGet, "play", "p", s.play, "p", "turn"),
		view(http.MethodGet, "image.svg", "p", s.image, "p", "turn", "size"),
		view(http.MethodGet, "proof", "p", s.proof, "p"),
		view(http.MethodGet, "stats", "", s.stats),
		view(http.MethodGet, "random", "slice", s.random, "slice"),
		view(http.MethodGet, "longest", "slice", s.longestWin, "slice"),
		view(http.MethodGet, "survey", "slice", s.survey, "slice"),
		view(http.MethodGet, "win-in-one", "p", s.winInOne, "p", "shortest"),
		view(http.MethodPost, "positions", "positions", s.positions, "detail"),
		view(http.MethodPost, "annotate", "record", s.annotate),
		search,
	}
}

// healthy answers as long as the server does.
func healthy(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "ok\n") }

// dispatch hands requests to their routes. What has none is answered elsewhere.
func (s *Server) dispatch(compress func(http.Handler) http.HandlerFunc) http.Handler {
	mux := http.NewServeMux()
	for _, r := range s.routes {
		h := r.handler
		if !strings.HasSuffix(r.path, "/search") && r.path != "/metrics" { // they compress, or stream, themselves
			h = compress(h)
		}
		mux.Handle(r.method+" "+r.path, h)
	}
	mux.HandleFunc("/", s.elsewhere(mux))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !clean(r.URL.Path) {
			s.notFound(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// clean tells whether a path is one that can be there. The multiplexer would send
// clients of another to the one that it may mean.
func clean(p string) bool {
	return strings.HasPrefix(p, "/") && (p == path.Clean(p) || p == path.Clean(p)+"/" && p != "//")
}

// ofAPI tells whether a request is for the API, whose answers pages from elsewhere may read.
func ofAPI(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/api/") }

func (s *Server) notFound(w http.ResponseWriter, r *http.Request) {
	if ofAPI(r) {
		allowOrigins(w)
	}
	w.Header().Add("Vary", "Accept")
	if wantsPage(r) {
		sendMissing(w, r)
		return
	}
	s.fail(w, refuse(catalogue.CodeNotFound, "", "there is nothing at %s", bitboard.Quote(r.URL.Path)), nil, "")
}

// elsewhere tells a path that is not there from a method that it does not have.
func (s *Server) elsewhere(mux *http.ServeMux) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodOptions && ofAPI(r) {
			preflight(w)
			return
		}
		var allowed []string
		for _, method := range [...]string{http.MethodGet, http.MethodHead, http.MethodPost} {
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
		if ofAPI(r) {
			allowOrigins(w)
		}
		w.Header().Set("Allow", strings.Join(allowed, ", "))
		s.fail(w, refuse(codeMethod, "", "method %s: want %s", bitboard.Quote(r.Method), strings.Join(allowed, " or ")), nil, "")
	}
}

// allowOrigins lets pages from elsewhere read the answer, and those of its headers that are
// described.
func allowOrigins(w http.ResponseWriter) {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Header().Set("Access-Control-Expose-Headers", "ETag, "+boardHeader+", Retry-After")
}

// preflight tells browsers what pages from elsewhere may send.
func preflight(w http.ResponseWriter) {
	allowOrigins(w)
	header := w.Header()
	header.Set("Access-Control-Allow-Methods", "GET, HEAD, POST")
	header.Set("Access-Control-Allow-Headers", "Content-Type, If-None-Match")
	header.Set("Access-Control-Max-Age", "86400")
	w.WriteHeader(http.StatusNoContent)
}

// shared lets pages from elsewhere read the answer.
func (s *Server) shared(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		allowOrigins(w)
		next(w, r)
	}
}

// unasked refuses parameters.
func (s *Server) unasked(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if _, err := readParameters(r, nil); err != nil {
			s.fail(w, err, nil, "")
			return
		}
		next(w, r)
	}
}

// sameOrigin keeps pages from elsewhere from starting work.
func (s *Server) sameOrigin(next http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	protection.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		allowOrigins(w) // they may read why not
		s.fail(w, refuse(codeOrigin, "", "searches cannot be started by pages from elsewhere"), nil, "")
	}))
	return protection.Handler(next)
}

// within bounds the time of a request's work. It also ends when the server does.
func (s *Server) within(r *http.Request) (ctx context.Context, cancel func()) {
	ctx, end := context.WithTimeout(r.Context(), s.limits.Time)
	forget := context.AfterFunc(s.ending, end)
	return ctx, func() {
		forget()
		end()
	}
}
