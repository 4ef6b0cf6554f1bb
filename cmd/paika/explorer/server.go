package explorer

import (
	"cmp"
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/klauspost/compress/gzhttp"

	"paika/cmd/paika/catalogue"
)

// Config is what a server serves, and how.
type Config struct {
	// Tables to serve. They stay the caller's to close, after Serve.
	Tables []Table

	// More, if not nil, opens tables that have come since the server was made or
	// More was last called. They stay the caller's to close. It is called as requests
	// come, now and then, by one of them at a time.
	More func() []Table
	// Proofs to walk through, at most one about each game, board and rules. They
	// stay the caller's to prepare, also while they are served, and to close after
	// Serve.
	Proofs []catalogue.Walk

	// First is what the page begins with, where it has tables or Named tells that
	// somebody asked for it. Else it begins with other tables, those of the same
	// game before others.
	First catalogue.Instance
	Named bool

	// Build tells how tables of an instance are built that hold these slices, or
	// where none is named, small ones, with a metric or, where that is empty, with the one
	// of those that are served. It is called by many requests at a time.
	Build func(instance catalogue.Instance, metric string, slices ...string) BuildHint

	// Hosts are names and addresses of this server beside those that its
	// connections show: that of a proxy in front, or a name of the machine. Requests
	// for other hosts are refused.
	Hosts []string

	// Version is that of the program.
	Version string

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
	routes  []route
	handler http.Handler
	manual  func() (files, error) // rendered when it is first asked for

	working, searching gate // of requests
	surveying          gate // likewise
	sending, finished  gate // of bytes
	opening            opening
	arrivals           arrivals
	longest            sync.Map // catalogue.Probe by sliceKey, for answers that take a scan
	complete           sync.Map // int by the instance's folder name: up to how many pieces tables have all
	surveys            sync.Map // catalogue.SliceStats, likewise

	atWork           atomic.Int64    // requests
	stopping, ending context.Context // done when searches, and all requests, are to end
	stop, end        context.CancelFunc
}

// New makes a server.
func New(c Config) (*Server, error) {
	s := &Server{
		config: c, limits: c.Limits, log: c.Logger,
		views:   newViews(c.Tables, c.Limits.Turns),
		metrics: newMetrics(),
		working: newGate(int64(c.Limits.Working)), searching: newGate(int64(c.Limits.Searches)),
		sending: newGate(sendingBytes), finished: newGate(finishedBytes),
		surveying: newGate(1), opening: opening{one: newGate(1)},
		manual: sync.OnceValues(readManual),
	}
	s.stopping, s.stop = context.WithCancel(context.Background())
	s.ending, s.end = context.WithCancel(context.Background())
	files, err := newFiles()
	if err != nil {
		return nil, err
	}
	compress, err := gzhttp.NewWrapper(gzhttp.CompressionLevel(1), gzhttp.EnableZstd(false)) // which takes megabytes for each answer
	if err != nil {
		return nil, err
	}
	s.routes = s.listRoutes(files)
	s.handler = s.observe(s.guard(s.addressed(s.dispatch(compress))))
	return s, nil
}

// Handler answers requests, for tests and for servers of one's own.
func (s *Server) Handler() http.Handler { return s.handler }

// Serve answers on a listener until ctx is done. Then it stops searches at once,
// lets other requests finish for some seconds, and returns nil. It does so within
// ten seconds, whatever clients do. Where the listener fails it ends in the same way, with
// that error.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	open := &connections{
		Listener: listener, most: s.limits.Connections, each: s.limits.Client,
		open: s.metrics.connections, closed: s.metrics.closed,
		all: make(map[netip.Prefix]map[*connection]struct{}),
	}
	server := &http.Server{
		Handler:           s.handler,
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       bodyTime,
		WriteTimeout:      bodyTime + s.limits.Time + writeTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    headerBytes,
		ConnState:         changed,
		ConnContext:       withConnection,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),

		DisableGeneralOptionsHandler: true,
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(open) }()
	var failure error
	select {
	case failure = <-failed:
	case <-ctx.Done():
	}
	s.log.Info("stopping")
	s.stop()
	defer time.AfterFunc(patience, s.end).Stop()
	patient, cancel := context.WithTimeout(context.Background(), shutdownTime)
	defer cancel()
	open.end()
	if server.Shutdown(patient) != nil {
		failure = cmp.Or(failure, server.Close())
	}
	s.leave()
	return failure
}

// leave waits until no request is at work, and so none reads the tables, which are
// closed next.
func (s *Server) leave() {
	s.end()
	for began := time.Now(); s.atWork.Load() > 0; time.Sleep(5 * time.Millisecond) {
		if time.Since(began) > leaveTime {
			s.log.Warn("left behind", "requests", s.atWork.Load())
			return
		}
	}
}

// observe counts, logs, and keeps a panic to the request that it is in. So it does
// with a fault in memory that is mapped from a file, which someone has cut short.
func (s *Server) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.atWork.Add(1)
		defer s.atWork.Add(-1)
		defer waits(r, true) // to take the answer, and to send the rest of a body that was not read
		defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
		began := time.Now()
		out := &countingWriter{ResponseWriter: w}
		defer func() {
			caught := recover()
			if caught != nil && caught != http.ErrAbortHandler {
				mistake := &catalogue.PanicError{Caught: caught, Stack: debug.Stack()}
				if out.status == 0 {
					s.fail(out, mistake, nil, "")
					caught = nil
				} else {
					s.logFailure(mistake, nil)
				}
			}
			took := time.Since(began)
			s.metrics.request(r, out.status, took)
			s.log.Info("request", "method", shortened(r.Method), "uri", shortened(r.RequestURI), "status", out.status,
				"bytes", out.bytes, "seconds", took.Seconds(), "remote", r.RemoteAddr)
			if caught != nil { // the answer is broken off: the client must see that
				panic(http.ErrAbortHandler)
			}
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
		header.Set("Content-Security-Policy", policy+noFrame)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("Cross-Origin-Opener-Policy", "same-origin")
		next.ServeHTTP(w, r)
	})
}

// policy lets the page load its own files and ask its own server, and no more.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors "

// Who may show an answer in a frame, as the end of the policy.
const (
	noFrame  = "'none'"
	anyFrame = "*"
)

// picturePolicy is that of a picture, which loads nothing.
const picturePolicy = "default-src 'none'; frame-ancestors 'none'"

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
