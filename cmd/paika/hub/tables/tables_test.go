package tables

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// name is what the file of the tests goes by.
var name = strings.Repeat("0a", 32)

// content is that file.
func content() []byte {
	text := make([]byte, 200_000)
	source := rand.New(rand.NewPCG(1, 2))
	for i := range text {
		text[i] = byte(source.Uint32())
	}
	return text
}

// line is what lies between a server and its clients: requests are noted, and answers
// may be changed.
type line struct {
	*Server
	change func(request int, w http.ResponseWriter) http.ResponseWriter // nil: as they are
	ticket func(*Ticket)                                                // likewise

	mutex  sync.Mutex
	ranges []string // that were asked for
	http   *httptest.Server
}

func newLine(t *testing.T) *line {
	t.Helper()
	s, err := Listen(filepath.Join(t.TempDir(), "tables"), "127.0.0.1", 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	if err := s.Make(name, write(content())); err != nil {
		t.Fatal(err)
	}
	return lineOf(t, s)
}

// lineOf is a line to a server.
func lineOf(t *testing.T, s *Server) *line {
	l := &line{Server: s}
	l.http = httptest.NewServer(l)
	t.Cleanup(l.http.Close)
	return l
}

func write(text []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	}
}

func (l *line) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mutex.Lock()
	l.ranges = append(l.ranges, r.Header.Get("Range"))
	request := len(l.ranges)
	l.mutex.Unlock()
	if l.change != nil {
		w = l.change(request, w)
	}
	l.Server.ServeHTTP(w, r)
}

// ask gives a ticket for the line.
func (l *line) ask(context.Context) (Ticket, error) {
	ticket, made := l.Ticket(name)
	if !made {
		return ticket, errors.New("no such file")
	}
	ticket.Port = l.http.Listener.Addr().(*net.TCPAddr).Port
	if l.ticket != nil {
		l.ticket(&ticket)
	}
	return ticket, nil
}

// client is one that does not wait.
func client(t *testing.T) *Client {
	c := NewClient("127.0.0.1", nil)
	c.pause = 0
	c.Notice = func(text string) { t.Log(text) }
	t.Cleanup(c.Close)
	return c
}

func fetch(t *testing.T, l *line, path string) error {
	t.Helper()
	return client(t).Fetch(t.Context(), l.ask, path, 1<<20, nil)
}

// came wants the file at a path, whole, and nothing beside it.
func came(t *testing.T, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(text, content()) {
		t.Errorf("%d bytes came, %v", len(text), err)
	}
	if files, err := os.ReadDir(filepath.Dir(path)); err != nil || len(files) != 1 {
		t.Errorf("files %v, %v", files, err)
	}
}

// altered passes on what a function makes of each piece, or ends the connection.
type altered struct {
	http.ResponseWriter
	pass func(piece []byte) (passed []byte, end bool)
}

func (a altered) Unwrap() http.ResponseWriter { return a.ResponseWriter }

func (a altered) Write(piece []byte) (int, error) {
	passed, end := a.pass(bytes.Clone(piece))
	_, err := a.ResponseWriter.Write(passed)
	if end {
		_ = http.NewResponseController(a.ResponseWriter).Flush()
		panic(http.ErrAbortHandler)
	}
	return len(piece), err
}

// cut ends an answer after its first piece.
func cut(_ int, w http.ResponseWriter) http.ResponseWriter {
	return altered{w, func(piece []byte) ([]byte, bool) { return piece, true }}
}

func TestAFileComesWhole(t *testing.T) {
	l := newLine(t)
	path := filepath.Join(t.TempDir(), "file")
	var last, total int64
	err := client(t).Fetch(t.Context(), l.ask, path, 200_000, func(done, of int64) { last, total = done, of })
	if err != nil || last != 200_000 || total != 200_000 {
		t.Errorf("%d of %d bytes, %v", last, total, err)
	}
	came(t, path)
	if err := fetch(t, l, path); err != nil || len(l.ranges) != 1 {
		t.Errorf("what is there is fetched again: %q, %v", l.ranges, err)
	}
}

// TestABrokenLineGoesOn where it broke, so that each byte comes once.
func TestABrokenLineGoesOn(t *testing.T) {
	l := newLine(t)
	l.change = cut
	path := filepath.Join(t.TempDir(), "file")
	if err := fetch(t, l, path); err != nil {
		t.Fatal(err)
	}
	came(t, path)
	if len(l.ranges) < 3 {
		t.Errorf("the line did not break: %q", l.ranges)
	}
	before := 0
	for _, asked := range l.ranges[1:] {
		from, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(asked, "bytes="), "-"))
		if err != nil || from <= before {
			t.Errorf("ranges %q, %v", l.ranges, err)
		}
		before = from
	}
}

// TestAnotherProcessGoesOn with what one left that was killed.
func TestAnotherProcessGoesOn(t *testing.T) {
	l := newLine(t)
	l.change = func(request int, w http.ResponseWriter) http.ResponseWriter {
		if request == 1 {
			return cut(request, w)
		}
		return w
	}
	path := filepath.Join(t.TempDir(), "file")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	err := client(t).Fetch(ctx, l.ask, path, 1<<20, func(int64, int64) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if err := fetch(t, l, path); err != nil {
		t.Fatal(err)
	}
	came(t, path)
	if last := l.ranges[len(l.ranges)-1]; last == "" {
		t.Errorf("it begins anew: %q", l.ranges)
	}
}

// TestWhatIsThereIsKept and only what is missing comes, unless it is of another file.
func TestWhatIsThereIsKept(t *testing.T) {
	for _, one := range []struct {
		there  []byte
		ranges []string
	}{
		{content()[:150_000], []string{"bytes=150000-"}},
		{content(), nil},
		{append(content(), 'x'), []string{""}},
		{make([]byte, 1000), []string{"bytes=1000-", ""}},
	} {
		l := newLine(t)
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path+partSuffix, one.there, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := fetch(t, l, path); err != nil {
			t.Fatal(err)
		}
		came(t, path)
		if strings.Join(l.ranges, ",") != strings.Join(one.ranges, ",") {
			t.Errorf("with %d bytes there it asks for %q", len(one.there), l.ranges)
		}
	}
}

// TestADamagedFileIsFetchedAgain, and not for ever.
func TestADamagedFileIsFetchedAgain(t *testing.T) {
	for _, times := range []int{1, mostDamaged - 1, mostDamaged} {
		l := newLine(t)
		l.change = func(request int, w http.ResponseWriter) http.ResponseWriter {
			if request > times {
				return w
			}
			return altered{w, func(piece []byte) ([]byte, bool) {
				piece[len(piece)/2] ^= 1
				return piece, false
			}}
		}
		path := filepath.Join(t.TempDir(), "file")
		err := fetch(t, l, path)
		if times < mostDamaged {
			if err != nil {
				t.Fatal(err)
			}
			came(t, path)
			continue
		}
		if files, _ := os.ReadDir(filepath.Dir(path)); !errors.Is(err, ErrDigest) || len(files) > 0 {
			t.Errorf("%v, files %v", err, files)
		}
	}
}

// TestAHubThatLies about the digest is found out; about the size, before anything comes.
func TestAHubThatLies(t *testing.T) {
	l := newLine(t)
	path := filepath.Join(t.TempDir(), "file")
	l.ticket = func(t *Ticket) { t.Digest = name }
	if err := fetch(t, l, path); !errors.Is(err, ErrDigest) {
		t.Errorf("another digest: %v", err)
	}
	asked := len(l.ranges)
	l.ticket = func(t *Ticket) { t.Bytes = 1<<20 + 1 }
	if err := fetch(t, l, path); !errors.Is(err, ErrSize) || len(l.ranges) != asked {
		t.Errorf("another size: %v", err)
	}
}

// TestAHubThatStartsAgain has the file later, with another token, and may have another
// file by then.
func TestAHubThatStartsAgain(t *testing.T) {
	l := newLine(t)
	other := append([]byte("other"), content()...)
	digest := sha256.Sum256(other)
	path := filepath.Join(t.TempDir(), "file")
	l.ticket = func(t *Ticket) {
		switch len(l.ranges) {
		case 0:
			t.Token = "1.0"
		case 1:
			t.Name = strings.Repeat("0", 64) // not made yet
		case 2:
			l.mutex.Lock()
			defer l.mutex.Unlock()
			if err := os.WriteFile(l.path(name), other, 0o666); err != nil {
				panic(err)
			}
			l.files[name] = made{hex.EncodeToString(digest[:]), int64(len(other))}
			t.Digest, t.Bytes = l.files[name].digest, l.files[name].bytes
		}
	}
	if err := os.WriteFile(path+partSuffix, content()[:1000], 0o666); err != nil {
		t.Fatal(err)
	}
	if err := fetch(t, l, path); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(path); err != nil || !bytes.Equal(text, other) {
		t.Errorf("%d bytes, %v", len(text), err)
	}
}

// TestAFullDiskIsTold, and waits for nobody.
func TestAFullDiskIsTold(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there is no /dev/full")
	}
	path := filepath.Join(t.TempDir(), "file")
	if err := os.Symlink("/dev/full", path+partSuffix); err != nil {
		t.Fatal(err)
	}
	if err := fetch(t, newLine(t), path); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("%v", err)
	}
}

// TestASilentLineIsGivenUp and another one taken.
func TestASilentLineIsGivenUp(t *testing.T) {
	l := newLine(t)
	l.change = func(request int, w http.ResponseWriter) http.ResponseWriter {
		if request > 1 {
			return w
		}
		return altered{w, func(piece []byte) ([]byte, bool) {
			_, _ = w.Write(piece)
			_ = http.NewResponseController(w).Flush()
			<-t.Context().Done()
			return nil, true
		}}
	}
	c := client(t)
	c.silence = time.Millisecond
	c.Notice = func(string) { c.silence = time.Hour } // of the first line; the other one may be slow
	path := filepath.Join(t.TempDir(), "file")
	if err := c.Fetch(t.Context(), l.ask, path, 1<<20, nil); err != nil {
		t.Fatal(err)
	}
	came(t, path)
	if len(l.ranges) != 2 {
		t.Errorf("asked for %q, want one line given up", l.ranges)
	}
}

// TestWithoutATokenThereIsNothing, whatever is asked for; and with one, nothing but files.
func TestWithoutATokenThereIsNothing(t *testing.T) {
	l := newLine(t)
	ticket, err := l.ask(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	stranger := newLine(t)
	late := newLine(t)
	late.secret = l.secret
	late.now = func() time.Time { return time.Now().Add(-2 * validity) }
	right := scheme + " " + ticket.Token
	until, signature, _ := strings.Cut(ticket.Token, ".")
	for _, one := range []struct {
		method, path, header string
		status               int
	}{
		{"GET", folder + name, right, http.StatusOK},
		{"GET", folder + name, "", http.StatusUnauthorized},
		{"GET", folder + name, ticket.Token, http.StatusUnauthorized},
		{"GET", folder + name, "Basic " + ticket.Token, http.StatusUnauthorized},
		{"GET", folder + name, scheme + " " + until, http.StatusUnauthorized},
		{"GET", folder + name, scheme + " " + until + "0." + signature, http.StatusUnauthorized},
		{"GET", folder + name, scheme + " " + stranger.token(), http.StatusUnauthorized},
		{"GET", folder + name, scheme + " " + late.token(), http.StatusUnauthorized},
		{"GET", "/", "", http.StatusUnauthorized},
		{"POST", folder + name, "", http.StatusUnauthorized},
		{"POST", folder + name, right, http.StatusMethodNotAllowed},
		{"GET", "/", right, http.StatusNotFound},
		{"GET", "/" + name, right, http.StatusNotFound},
		{"GET", folder, right, http.StatusNotFound},
		{"GET", folder + "../ledger", right, http.StatusNotFound},
		{"GET", folder + "%2e%2e%2fledger", right, http.StatusNotFound},
	} {
		r := httptest.NewRequest(one.method, one.path, nil)
		r.Header.Set("Authorization", one.header)
		w := &deadlines{httptest.NewRecorder()}
		l.Server.ServeHTTP(w, r)
		if w.Code != one.status {
			t.Errorf("%s %s with %q: %d, want %d", one.method, one.path, one.header, w.Code, one.status)
		}
	}
}

// deadlines is a recorder that may have them.
type deadlines struct{ *httptest.ResponseRecorder }

func (deadlines) SetWriteDeadline(time.Time) error { return nil }

// TestAFileIsMadeOnce, by its name alone, and one that fails leaves nothing.
func TestAFileIsMadeOnce(t *testing.T) {
	l := newLine(t)
	if err := l.Make(name, func(io.Writer) error { return errors.New("again") }); err != nil {
		t.Error(err)
	}
	for _, wrong := range []string{"", "x", "../" + name[3:], strings.ToUpper(name)} {
		if err := l.Make(wrong, write(nil)); !errors.Is(err, ErrName) {
			t.Errorf("%q: %v", wrong, err)
		}
	}
	failing, other := errors.New("the disk"), strings.Repeat("1", 64)
	if err := l.Make(other, func(io.Writer) error { return failing }); !errors.Is(err, failing) {
		t.Error(err)
	}
	if _, there := l.Ticket(other); there {
		t.Error("a file that failed is offered")
	}
	if files, err := os.ReadDir(l.dir); err != nil || len(files) != 1 {
		t.Errorf("files %v, %v", files, err)
	}
}

// TestFilesThatAreNotWantedGo, and who has a ticket for one has it made anew.
func TestFilesThatAreNotWantedGo(t *testing.T) {
	l := newLine(t)
	other := strings.Repeat("1", 64)
	if err := l.Make(other, write([]byte("another"))); err != nil {
		t.Fatal(err)
	}
	gone := false
	l.change = func(_ int, w http.ResponseWriter) http.ResponseWriter {
		if !gone {
			gone = true
			l.Keep(func(file string) bool { return file == other })
		}
		return w
	}
	ask := func(ctx context.Context) (Ticket, error) {
		if gone {
			if files, err := os.ReadDir(l.dir); err != nil || len(files) != 1 || files[0].Name() != other {
				t.Errorf("files %v, %v", files, err)
			}
			if err := l.Make(name, write(content())); err != nil {
				return Ticket{}, err
			}
		}
		return l.ask(ctx)
	}
	path := filepath.Join(t.TempDir(), "file")
	if err := client(t).Fetch(t.Context(), ask, path, 1<<20, nil); err != nil || !gone {
		t.Error(err)
	}
	came(t, path)
	l.Keep(func(string) bool { return false })
	if _, there := l.Ticket(other); there || !l.Empty() {
		t.Error("a file is left that nobody wants")
	}
}

// TestConnectionsAreBounded: one that finds no place is closed, and the place of one that
// ends is free again.
func TestConnectionsAreBounded(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer inner.Close()
	l := &limited{inner, newCrowd(1, 1)}
	accepted := make(chan net.Conn)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				close(accepted)
				return
			}
			accepted <- conn
		}
	}()
	dial := func() net.Conn {
		conn, err := net.Dial("tcp", inner.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		return conn
	}
	dial()
	first := <-accepted
	if _, err := dial().Read(make([]byte, 1)); err == nil {
		t.Error("a second one finds a place")
	}
	first.Close()
	first.Close() // again: it gives no other place back
	dial()
	(<-accepted).Close()
}

// TestNoAddressTakesAllPlaces: connections on which nothing comes leave others theirs.
func TestNoAddressTakesAllPlaces(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("this machine has one address")
	}
	s := newLine(t).Server
	stranger := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}}
	for range usual.connections {
		conn, err := stranger.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(s.Port())))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
	}
	path := filepath.Join(t.TempDir(), "file")
	ask := func(context.Context) (Ticket, error) {
		ticket, _ := s.Ticket(name)
		return ticket, nil
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c := client(t)
	c.Notice = func(text string) { t.Error(text); cancel() }
	if err := c.Fetch(ctx, ask, path, 1<<20, nil); err != nil {
		t.Fatal(err)
	}
	came(t, path)
}

// TestAStalledConnectionIsClosed, whatever it is that does not come: a request, the next one, or
// what a request says that it sends.
func TestAStalledConnectionIsClosed(t *testing.T) {
	short := usual
	short.request, short.idle = 100*time.Millisecond, 100*time.Millisecond
	s, err := listen(filepath.Join(t.TempDir(), "tables"), "127.0.0.1", 0, nil, short)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	for what, text := range map[string]string{
		"no request":   "",
		"a part of it": "GET / HTTP/1.1\r\nHost:",
		"one request":  "GET / HTTP/1.1\r\nHost: hub\r\n\r\n",
		"no content":   "GET / HTTP/1.1\r\nHost: hub\r\nContent-Length: 1000\r\n\r\n",
		"no chunk":     "POST / HTTP/1.1\r\nHost: hub\r\nTransfer-Encoding: chunked\r\n\r\n",
	} {
		conn, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(s.Port())))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := io.WriteString(conn, text); err != nil {
			t.Fatal(err)
		}
		if err := conn.SetReadDeadline(time.Now().Add(silence)); err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, conn); errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%s: the connection stays open", what)
		}
	}
}

// spans counts how often more time is given.
type spans struct {
	*httptest.ResponseRecorder
	given int
}

func (s *spans) SetWriteDeadline(time.Time) error { s.given++; return nil }

// TestWhoTakesNextToNothingIsCutOff: time is given for so many bytes, not for each piece.
func TestWhoTakesNextToNothingIsCutOff(t *testing.T) {
	l := newLine(t)
	l.limits.least = 100_000
	r := httptest.NewRequest("GET", folder+name, nil)
	r.Header.Set("Authorization", scheme+" "+l.token())
	w := &spans{httptest.NewRecorder(), 0}
	l.Server.ServeHTTP(w, r)
	if w.Code != http.StatusOK || w.Body.Len() != 200_000 || w.given != 2 {
		t.Errorf("%d with %d bytes, %d spans: want 2 of them", w.Code, w.Body.Len(), w.given)
	}
}

// TestAPortThatIsTaken is no reason not to listen.
func TestAPortThatIsTaken(t *testing.T) {
	l := newLine(t)
	s, err := Listen(t.TempDir(), "127.0.0.1", l.Port(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if s.Port() == l.Port() || s.Port() == 0 {
		t.Errorf("port %d", s.Port())
	}
}
