package tables

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"paika/internal/lasting"
	"paika/internal/network"
	"paika/internal/origin"
)

// ErrName says that a file can't have a name.
var ErrName = errors.New("no name of a table")

// Ticket is what a worker must know to fetch a file.
type Ticket struct {
	Name   string `json:"name"`   // the fingerprint of the values
	Digest string `json:"digest"` // SHA-256 of the file, 64 hex digits
	Bytes  int64  `json:"bytes"`
	Host   string `json:"host,omitempty"` // of the hub; empty for that where NATS is
	Port   int    `json:"port"`
	Token  string `json:"token"`
}

// folder begins the path of every file.
const folder = "/tables/"

// mostHeader bounds a request, in bytes.
const mostHeader = 16 << 10

// limits are those of a server: how many there may be at a time, in all and of one address, and
// how long it waits for somebody.
type limits struct {
	connections, ofAddress        int
	downloads, downloadsOfAddress int
	request, idle, progress       time.Duration // for a request, for the next one, for the bytes below
	least                         int           // bytes that a client takes in a span of progress
}

// usual are the limits. A client whose line is so slow that it is cut off goes on where it was.
var usual = limits{
	connections: 256, ofAddress: 64, downloads: 16, downloadsOfAddress: 4,
	request: 10 * time.Second, idle: time.Minute, progress: time.Minute, least: 1 << 20,
}

// Server offers files. Its methods are safe for concurrent use.
type Server struct {
	dir       string
	secret    []byte // of this start
	now       func() time.Time
	http      *http.Server
	port      int
	serving   sync.WaitGroup
	limits    limits
	downloads *crowd

	making sync.Mutex // one file at a time
	mutex  sync.Mutex
	files  map[string]made
}

// made is a file that is whole.
type made struct {
	digest string
	bytes  int64
}

// IsFile tells whether an entry of a server's folder is a file that it has made, or was making.
func IsFile(e fs.DirEntry) bool {
	return !e.IsDir() && digits(strings.TrimSuffix(e.Name(), lasting.PartSuffix))
}

// Listen starts a server in a folder, from which the files of one before go, and no others. It takes
// the port, or if that is 0 or taken, any that is free. Without a configuration it does not encrypt.
func Listen(dir, host string, port int, encrypt *tls.Config) (*Server, error) {
	return listen(dir, host, port, encrypt, usual)
}

func listen(dir, host string, port int, encrypt *tls.Config, l limits) (*Server, error) {
	if err := lasting.EmptyFolder(dir, IsFile); err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if port != 0 && network.Taken(err) {
		listener, err = net.Listen("tcp", net.JoinHostPort(host, "0"))
	}
	if err != nil {
		return nil, err
	}
	s := &Server{
		dir: dir, secret: []byte(rand.Text()), now: time.Now, port: listener.Addr().(*net.TCPAddr).Port,
		limits: l, downloads: newCrowd(l.downloads, l.downloadsOfAddress), files: make(map[string]made),
	}
	s.http = &http.Server{
		Handler: s, ReadHeaderTimeout: l.request, IdleTimeout: l.idle, MaxHeaderBytes: mostHeader, ErrorLog: log.New(io.Discard, "", 0),
	}
	listener = &limited{listener, newCrowd(l.connections, l.ofAddress)}
	if encrypt != nil {
		listener = tls.NewListener(listener, encrypt)
	}
	s.serving.Go(func() { _ = s.http.Serve(listener) }) // until it is closed
	return s, nil
}

// Port is where it listens.
func (s *Server) Port() int { return s.port }

// Close ends the server, and every download.
func (s *Server) Close() {
	_ = s.http.Close()
	s.serving.Wait()
}

// Make has a file written, unless it is there. Errors: ErrName, those of the function,
// and of the disk.
func (s *Server) Make(name string, write func(io.Writer) error) error {
	if !digits(name) {
		return fmt.Errorf("%w: %q", ErrName, name)
	}
	s.making.Lock()
	defer s.making.Unlock()
	if _, there := s.file(name); there {
		return nil
	}
	hash := sha256.New()
	file, err := lasting.CreateRegular(s.path(name))
	if err != nil {
		return err
	}
	defer file.Discard()
	if err := write(io.MultiWriter(file, hash)); err != nil {
		return err
	}
	bytes, err := file.Keep()
	if err != nil {
		return err
	}
	s.add(name, made{hex.EncodeToString(hash.Sum(nil)), bytes})
	return nil
}

// Keep removes all files but those that are wanted. Who has a ticket for another finds it there no more, and
// is to ask again. One that can't be removed, as on Windows while it is sent, goes at a later call.
func (s *Server) Keep(wanted func(name string) bool) {
	s.making.Lock() // or another by the same name might come meanwhile, and go
	defer s.making.Unlock()
	for name, m := range s.drop(wanted) {
		if err := os.Remove(s.path(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			s.add(name, m)
		}
	}
}

// drop offers no files any more but those that are wanted, and gives the others.
func (s *Server) drop(wanted func(name string) bool) map[string]made {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	gone := make(map[string]made)
	for name, m := range s.files {
		if !wanted(name) {
			gone[name] = m
			delete(s.files, name)
		}
	}
	return gone
}

func (s *Server) add(name string, m made) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.files[name] = m
}

// Empty tells whether there are no files.
func (s *Server) Empty() bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return len(s.files) == 0
}

func (s *Server) path(name string) string { return filepath.Join(s.dir, name) }

func (s *Server) file(name string) (m made, there bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	m, there = s.files[name]
	return m, there
}

// Ticket lets whoever has it fetch a file, if that is made.
func (s *Server) Ticket(name string) (t Ticket, there bool) {
	m, there := s.file(name)
	return Ticket{Name: name, Digest: m.digest, Bytes: m.bytes, Port: s.port, Token: s.token()}, there
}

// ServeHTTP sends a file, or the part of it that is asked for.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	out := &patient{ResponseWriter: w, connection: http.NewResponseController(w), limits: s.limits}
	if out.extend() != nil {
		return
	}
	name, inFolder := strings.CutPrefix(r.URL.Path, folder)
	m, there := s.file(name)
	switch {
	case r.ContentLength != 0: // nobody is to send anything, nor is it waited for
		_ = out.connection.SetReadDeadline(time.Now().Add(s.limits.request))
		refuse(w, http.StatusBadRequest)
		return
	case !s.admits(r.Header.Get("Authorization")):
		w.Header().Set("WWW-Authenticate", scheme)
		refuse(w, http.StatusUnauthorized)
		return
	case r.Method != http.MethodGet:
		refuse(w, http.StatusMethodNotAllowed)
		return
	case !inFolder || !there:
		refuse(w, http.StatusNotFound)
		return
	}
	address := origin.Of(r.RemoteAddr)
	if !s.downloads.enter(address) {
		refuse(w, http.StatusServiceUnavailable)
		return
	}
	defer s.downloads.leave(address)
	file, err := os.Open(s.path(name))
	if err != nil {
		refuse(w, http.StatusInternalServerError)
		return
	}
	defer file.Close()
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Etag", m.tag())
	http.ServeContent(out, r, "", time.Time{}, file)
}

// tag is what a client knows the bytes by.
func (m made) tag() string { return `"` + m.digest + `"` }

func refuse(w http.ResponseWriter, status int) { http.Error(w, http.StatusText(status), status) }

// patient waits for a client as long as it goes on taking what it asked for.
type patient struct {
	http.ResponseWriter
	connection *http.ResponseController
	limits     limits
	taken      int // since the last span began
}

// extend begins a span.
func (p *patient) extend() error {
	p.taken = 0
	return p.connection.SetWriteDeadline(time.Now().Add(p.limits.progress))
}

func (p *patient) Write(piece []byte) (int, error) {
	if p.taken >= p.limits.least {
		if err := p.extend(); err != nil {
			return 0, err
		}
	}
	n, err := p.ResponseWriter.Write(piece)
	p.taken += n
	return n, err
}

// digits tells whether a name is a SHA-256 in hex digits: it is part of a path.
func digits(name string) bool {
	return len(name) == hex.EncodedLen(sha256.Size) && strings.Trim(name, "0123456789abcdef") == ""
}

// limited closes connections beyond a number at once: those that there are must not take
// the hub's last files, nor those of one address all that there may be.
type limited struct {
	net.Listener
	places *crowd
}

func (l *limited) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		address := origin.Of(conn.RemoteAddr().String())
		if l.places.enter(address) {
			return &placed{Conn: conn, leave: sync.OnceFunc(func() { l.places.leave(address) })}, nil
		}
		conn.Close()
	}
}

// placed gives its place back when it is closed.
type placed struct {
	net.Conn
	leave func()
}

func (p *placed) Close() error {
	defer p.leave()
	return p.Conn.Close()
}
