package explorer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"paika/cmd/paika/catalogue"
	"paika/tablebase"
)

// troubled is tables of which every question meets with the same.
type troubled struct {
	catalogue.Tables
	meet func(ctx context.Context) error
}

func (t troubled) Bounded(int) catalogue.Tables { return t }

func (t troubled) Query(ctx context.Context, positions []string) ([]catalogue.Answer[catalogue.Query], error) {
	return make([]catalogue.Answer[catalogue.Query], len(positions)), t.meet(ctx)
}

func (t troubled) Turns(ctx context.Context, positions []string) ([]catalogue.Answer[catalogue.Turns], error) {
	answers := make([]catalogue.Answer[catalogue.Turns], len(positions))
	for i := range answers {
		answers[i].Err = t.meet(ctx)
	}
	return answers, nil
}

func (t troubled) Stats() (catalogue.Stats, error) {
	return catalogue.Stats{Slices: []catalogue.SliceStats{}, Totals: []catalogue.SliceStats{}}, nil
}

func (t troubled) Probe(_ context.Context, positions []string) ([]catalogue.Answer[catalogue.Probe], error) {
	return make([]catalogue.Answer[catalogue.Probe], len(positions)), nil
}

func (t troubled) Search(ctx context.Context, _ string, o catalogue.SearchOptions) (catalogue.Searched, error) {
	return catalogue.Searched{}, t.meet(ctx)
}

// trouble is a table of 3x3, of which every question meets with the same.
func trouble(t testing.TB, meet func(ctx context.Context) error) Table {
	t.Helper()
	game, _ := catalogue.Find("fanorona")
	instance, err := game.Open("3x3", nil)
	if err != nil {
		t.Fatal(err)
	}
	opened, err := instance.Open("", 1)
	if err != nil {
		t.Fatal(err)
	}
	return Table{instance, troubled{opened, meet}}
}

// logged has a server log to where the test can read it.
func logged(s *Server) *bytes.Buffer {
	var log bytes.Buffer
	s.log = slog.New(slog.NewTextHandler(&log, nil))
	return &log
}

const troubledPath = "/api/v1/fanorona/3x3/"

// A panic, and a fault in mapped memory, end one answer: the next comes as ever.
func TestTroubleEndsOneAnswerAlone(t *testing.T) {
	for name, meet := range map[string]func(context.Context) error{
		"panic": func(context.Context) error { panic("something at " + scratch) },
		"kept":  func(context.Context) error { return &catalogue.PanicError{Caught: scratch, Stack: debug.Stack()} },
		"fault": func(context.Context) error { return fmt.Errorf("read %d", cutShort(t)) },
	} {
		s := newServer(t, unhurried(), trouble(t, meet))
		log := logged(s)
		address, stop := listen(t, s)
		for _, compressed := range []bool{false, true} {
			client := &http.Client{Transport: &http.Transport{DisableCompression: !compressed}}
			response, err := client.Get(address + about("fanorona", "3x3", "position", "start"))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			body, err := io.ReadAll(response.Body)
			response.Body.Close()
			got := decode[problem](t, body)
			if err != nil || response.StatusCode != http.StatusInternalServerError || got.Code != catalogue.CodeInternal || strings.Contains(string(body), scratch) {
				t.Errorf("%s: status %d, %s", name, response.StatusCode, body)
			}
			response, err = client.Get(address + about("fanorona", "5x5", "turns", "start"))
			if err != nil || response.StatusCode != http.StatusOK {
				t.Fatalf("%s: the next answer: %v, %v", name, response, err)
			}
			response.Body.Close()
			client.CloseIdleConnections()
		}
		stop()
		if !strings.Contains(log.String(), "trouble_test.go") {
			t.Errorf("%s: the log has no stack: %s", name, log)
		}
		if told := strings.Count(log.String(), "level=ERROR"); told != 2 {
			t.Errorf("%s: %d errors in the log for two answers: %s", name, told, log)
		}
	}
	if debug.SetPanicOnFault(false) {
		t.Error("faults are panics in the tests, too")
	}
}

// An answer that is broken off half-way is seen to be.
func TestBrokenAnswersAreSeenToBe(t *testing.T) {
	address, stop := listen(t, newServer(t, unhurried(), trouble(t, func(context.Context) error { panic("half-way") })))
	defer stop()
	response, err := http.Post(address+troubledPath+"search", "application/json", strings.NewReader(`{"position":"start"}`))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if body, err := io.ReadAll(response.Body); err == nil {
		t.Errorf("the search ended well with %s", body)
	}
}

// What goes wrong inside is for the log: answers tell nothing of the machine, nor
// of the program.
func TestErrorsInsideAreForTheLog(t *testing.T) {
	const dir = "/srv/secret/tables"
	for _, inside := range []error{
		&tablebase.SliceError{Slice: "2v1", Err: fmt.Errorf("%w: open %s/000001.vlog: %w", tablebase.ErrDamaged, dir, io.ErrUnexpectedEOF)},
		&tablebase.ChunkError{Slice: "2v1", Err: tablebase.ErrDamaged},
		&tablebase.IdentityError{Dir: dir},
		&os.PathError{Op: "read", Path: dir, Err: syscall.EIO},
		fmt.Errorf("%s: %w", dir, tablebase.ErrLocked),
		fmt.Errorf("%s: %w", dir, tablebase.ErrClosed),
		errors.New("badger: something at " + dir),
	} {
		s := newServer(t, unhurried(), trouble(t, func(context.Context) error { return inside }))
		log := logged(s)
		for _, w := range []string{
			get(s.Handler(), about("fanorona", "3x3", "position", "start")).Body.String(),
			get(s.Handler(), about("fanorona", "3x3", "turns", "start")).Body.String(),
			post(s.Handler(), troubledPath+"positions?detail=turns", `{"positions":["start"]}`).Body.String(),
			post(s.Handler(), troubledPath+"search", `{"position":"start"}`).Body.String(),
		} {
			if !strings.Contains(w, `"code":"internal"`) || strings.Contains(w, "secret") || strings.Contains(w, "badger") || strings.Contains(w, "2v1") {
				t.Errorf("%v is told as %s", inside, w)
			}
		}
		if !strings.Contains(log.String(), inside.Error()[:4]) {
			t.Errorf("%v is not in the log: %s", inside, log)
		}
	}
}

// A request about many positions that meet with the same is told once in the log.
func TestTheLogSaysOnceWhatManyPositionsMeetWith(t *testing.T) {
	s := newServer(t, unhurried(), trouble(t, func(context.Context) error { return &tablebase.ChunkError{Slice: "2v1", Err: tablebase.ErrDamaged} }))
	log := logged(s)
	for want := 1; want <= 2; want++ {
		body := post(s.Handler(), troubledPath+"positions?detail=turns", `{"positions":["start","start","start"]}`).Body.String()
		if told := strings.Count(body, `"code":"internal"`); told != 3 {
			t.Errorf("%d of 3 positions are told of: %s", told, body)
		}
		if told := strings.Count(log.String(), "no answer"); told != want {
			t.Errorf("request %d: %d lines in the log:\n%s", want, told, log)
		}
	}
}

// An answer that takes too long is told so, with the time that it had, and is about no parameter.
func TestAnswersHaveTheirTime(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		limits := DefaultLimits()
		s := newServer(t, limits, trouble(t, func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }))
		began := time.Now()
		w := get(s.Handler(), about("fanorona", "3x3", "position", "start"))
		took := time.Since(began)
		got := decode[problem](t, w.Body.Bytes())
		if w.Code != http.StatusServiceUnavailable || got.Code != catalogue.CodeTime || got.Parameter != "" || got.Detail != "no answer within 10s" || took != limits.Time {
			t.Errorf("after %v: status %d, %+v", took, w.Code, got)
		}
	})
}

// Requests at work may finish when the server stops. Those that do not are told.
func TestRequestsAtWorkAreAnsweredAtTheEnd(t *testing.T) {
	for name, c := range map[string]struct {
		until  func(s *Server) <-chan struct{}
		status int
	}{
		"in time":  {func(s *Server) <-chan struct{} { return s.stopping.Done() }, http.StatusOK},
		"too late": {func(*Server) <-chan struct{} { return nil }, http.StatusServiceUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) { answeredAtTheEnd(t, c.until, c.status) })
		})
	}
}

func answeredAtTheEnd(t *testing.T, until func(*Server) <-chan struct{}, status int) {
	limits := DefaultLimits()
	limits.Time = time.Hour
	var server *Server
	server = newServer(t, limits, trouble(t, func(ctx context.Context) error {
		select {
		case <-until(server):
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}))
	s := onWires(t, server)
	ended := make(chan struct{})
	go func() {
		synctest.Wait() // until the request is at work
		s.stop()
		close(ended)
	}()
	response, err := s.client(t, "127.0.0.1").Get(s.address + about("fanorona", "3x3", "position", "start"))
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(response.Body)
	response.Body.Close()
	<-ended
	if err != nil || response.StatusCode != status {
		t.Errorf("status %d, %s, %v", response.StatusCode, body, err)
	}
	if status != http.StatusOK && decode[problem](t, body).Code != catalogue.CodeStopped {
		t.Errorf("%s", body)
	}
}

// A request that heeds nothing does not keep the server from stopping.
func TestDeafRequestsAreLeftBehind(t *testing.T) { inBubble(t, deafRequests) }

func deafRequests(t *testing.T) {
	end := make(chan struct{})
	defer close(end)
	s := onWires(t, newServer(t, DefaultLimits(), trouble(t, func(context.Context) error {
		<-end
		return nil
	})))
	s.hold(t, "127.0.0.1", "GET "+about("fanorona", "3x3", "position", "start")+" HTTP/1.1\r\n"+s.host()+"\r\n")
	synctest.Wait()
	checkEnd(t, s)
}

// A request that ends a little after its connection is cut is waited for: it may still read tables,
// which are closed next.
func TestSlowRequestsAreWaitedForAtTheEnd(t *testing.T) { inBubble(t, slowRequests) }

func slowRequests(t *testing.T) {
	server := newServer(t, unhurried(), trouble(t, func(ctx context.Context) error {
		<-ctx.Done() // when patience is over
		time.Sleep(shutdownTime - patience + leaveTime/2)
		return ctx.Err()
	}))
	s := onWires(t, server)
	s.hold(t, "127.0.0.1", "GET "+about("fanorona", "3x3", "position", "start")+" HTTP/1.1\r\n"+s.host()+"\r\n")
	synctest.Wait()
	if server.atWork.Load() != 1 {
		t.Fatal("no request is at work")
	}
	checkEnd(t, s)
	if n := server.atWork.Load(); n != 0 {
		t.Errorf("%d requests at work", n)
	}
}

// A listener that fails ends the server as its context does: no request is at work any more when
// Serve returns, and so none reads tables that are closed next.
func TestNothingIsAtWorkWhenServeFails(t *testing.T) { inBubble(t, failingListener) }

func failingListener(t *testing.T) {
	var server *Server
	server = newServer(t, DefaultLimits(), trouble(t, func(ctx context.Context) error {
		select {
		case <-server.stopping.Done():
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}))
	w := &wires{new: make(chan net.Conn), closed: make(chan struct{})}
	s, ended := site{address: "http://" + w.Addr().String(), dial: w.dial}, make(chan error, 1)
	go func() { ended <- server.Serve(t.Context(), w) }()
	s.hold(t, "127.0.0.1", "GET "+about("fanorona", "3x3", "position", "start")+" HTTP/1.1\r\n"+s.host()+"\r\n")
	synctest.Wait()
	if server.atWork.Load() != 1 {
		t.Fatal("no request is at work")
	}
	w.Close()
	if err := <-ended; err == nil {
		t.Error("no error")
	}
	if n := server.atWork.Load(); n != 0 {
		t.Errorf("%d requests at work", n)
	}
}
