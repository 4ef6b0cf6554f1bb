package explorer

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"sync"
	"time"

	"github.com/klauspost/compress/gzhttp"
	"golang.org/x/net/netutil"

	"paika/bitboard/catalogue"
)

// Config is what a server serves, and how.
type Config struct {
	// Tables to serve. They stay the caller's to close, after Serve.
	Tables []Table

	// First is what the page shows where its address names nothing.
	First catalogue.Instance

	// Build is the command line that builds tables of an instance, with flags.
	Build func(instance catalogue.Instance, flags ...string) string

	// Limits are DefaultLimits where nothing else is wanted.
	Limits Limits

	Logger *slog.Logger
}

// Server answers requests. It is safe for concurrent use.
type Server struct {
	config  Config
	limits  Limits
	log     *slog.Logger
	views   *views
	metrics *metrics
	handler http.Handler

	working, searching gate
	longest            sync.Map // catalogue.Probe by longestKey, for answers that take a scan

	stopping context.Context // done when searches are to end
	stop     context.CancelFunc
}

// New makes a server.
func New(c Config) (*Server, error) {
	s := &Server{
		config: c, limits: c.Limits, log: c.Logger,
		views:   newViews(c.Tables, c.Limits.Turns),
		metrics: newMetrics(),
		working: newGate(c.Limits.Working), searching: newGate(c.Limits.Searches),
	}
	s.stopping, s.stop = context.WithCancel(context.Background())
	files, err := newFiles()
	if err != nil {
		return nil, err
	}
	compress, err := gzhttp.NewWrapper(gzhttp.CompressionLevel(1))
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	s.routes(mux, files, func(h http.Handler) http.Handler { return compress(h) })
	s.handler = s.observe(s.guard(mux))
	return s, nil
}

// Handler answers requests, for tests and for servers of one's own.
func (s *Server) Handler() http.Handler { return s.handler }

// Serve answers on a listener until ctx is done. Then it lets requests finish
// for some seconds, stops searches at once, and returns nil.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	server := &http.Server{
		Handler:           s.handler,
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       bodyTime,
		WriteTimeout:      bodyTime + s.limits.Time + writeTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    headerBytes,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(netutil.LimitListener(listener, s.limits.Connections)) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	s.log.Info("stopping")
	s.stop()
	patient, cancel := context.WithTimeout(context.Background(), shutdownTime)
	defer cancel()
	if err := server.Shutdown(patient); err != nil {
		return server.Close()
	}
	return nil
}

// observe counts, logs, and keeps a panic to the request that it is in.
func (s *Server) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		out := &countingWriter{ResponseWriter: w}
		defer func() {
			caught := recover()
			if caught == http.ErrAbortHandler {
				panic(caught)
			}
			if caught != nil {
				s.log.Error("panic", "error", caught, "stack", string(debug.Stack()))
				if out.status == 0 {
					s.fail(out, errors.New("panic"), nil, "")
				}
			}
			took := time.Since(began)
			s.metrics.request(r, out.status, took)
			s.log.Info("request", "method", r.Method, "uri", shortened(r.RequestURI), "status", out.status,
				"bytes", out.bytes, "seconds", took.Seconds(), "remote", r.RemoteAddr)
		}()
		next.ServeHTTP(out, r)
	})
}

// loggedURI bounds what is logged of a request's URI, in bytes.
const loggedURI = 256

func shortened(uri string) string {
	if len(uri) > loggedURI {
		return uri[:loggedURI] + "..."
	}
	return uri
}

// guard sets the headers that every answer has.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Content-Security-Policy", policy)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("Cross-Origin-Opener-Policy", "same-origin")
		next.ServeHTTP(w, r)
	})
}

// policy lets the page load its own files and ask its own server, and no more.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// countingWriter knows what was sent.
type countingWriter struct {
	http.ResponseWriter
	status int
	bytes  int
}

func (w *countingWriter) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *countingWriter) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(p)
	w.bytes += n
	return n, err
}

// Unwrap lets an http.ResponseController through.
func (w *countingWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
