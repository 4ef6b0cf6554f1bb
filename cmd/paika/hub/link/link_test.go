package link_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"paika/cmd/paika/hub/hubtest"
	"paika/cmd/paika/hub/keys"
	"paika/cmd/paika/hub/link"
	"paika/cmd/paika/hub/wire"
)

// TestWhoCantConnectIsToldWhy: whether nobody is there, or who is there lets one not in.
func TestWhoCantConnectIsToldWhy(t *testing.T) {
	s := hubtest.Start(t)
	access, wrong := s.Access(), s.As(keys.Credentials{Name: "worker", Secret: "guess"})
	for _, c := range []struct {
		link.Access
		denied bool
		says   string
	}{
		{wrong, true, wrong.Credentials},
		{link.Access{URL: access.URL}, true, "--creds names the file, worker.creds in the hub's folder"},
		{link.Access{URL: access.URL, Credentials: access.Credentials}, false, ""},
	} {
		l, err := c.Connect("test")
		switch {
		case c.says == "" && err == nil:
			l.Close()
		case !errors.Is(err, link.ErrAway) || errors.Is(err, nats.ErrAuthorization) != c.denied || !strings.Contains(err.Error(), c.says):
			t.Errorf("%+v: %v", c.Access, err)
		}
	}
	s.Stop()
	if _, err := access.Connect("test"); !errors.Is(err, link.ErrAway) || !strings.Contains(err.Error(), access.URL) {
		t.Errorf("a server that is away: %v", err)
	}
	none := link.Access{URL: access.URL, Credentials: filepath.Join(t.TempDir(), "none")}
	if _, err := none.Connect("test"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file of credentials: %v", err)
	}
}

// TestAHubThatIsNotThereYetIsWaitedFor, which is told once, and by who wants that alone. Who is there and
// lets one not in is none.
func TestAHubThatIsNotThereYetIsWaitedFor(t *testing.T) {
	s := hubtest.Start(t)
	access, wrong := s.Access(), s.As(keys.Credentials{Name: "worker", Secret: "guess"})
	if _, err := wrong.Await(t.Context(), "test"); !errors.Is(err, link.ErrAway) || !errors.Is(err, nats.ErrAuthorization) {
		t.Errorf("with a wrong secret: %v", err)
	}
	s.Stop()
	told := make(chan string, 10)
	access.Tell = func(text string) { told <- text }
	came := make(chan error)
	go func() {
		l, err := access.Await(t.Context(), "test")
		if err == nil {
			l.Close()
		}
		came <- err
	}()
	if got, want := <-told, "the hub at "+access.URL+" is away, and is waited for"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	s.Restart()
	if err := <-came; err != nil {
		t.Error(err)
	}
	if got, want := <-told, "the hub at "+access.URL+" is back"; got != want || len(told) > 0 {
		t.Errorf("%q, want %q; then %d more", got, want, len(told))
	}
	s.Stop()
	ended, end := context.WithCancel(t.Context())
	access.Tell = func(string) { end() }
	if _, err := access.Await(ended, "test"); !errors.Is(err, context.Canceled) {
		t.Errorf("until it ends: %v", err)
	}
	none := link.Access{URL: access.URL, Credentials: filepath.Join(t.TempDir(), "none")}
	if _, err := none.Await(t.Context(), "test"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file of credentials: %v", err)
	}
}

// TestALineThatIsForwardedNowhereIsNoHub: whoever forwards takes connections, and closes them.
func TestALineThatIsForwardedNowhereIsNoHub(t *testing.T) {
	to, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	go func() {
		for {
			conn, err := to.Accept()
			if err != nil {
				return
			}
			conn.Close()
		}
	}()
	ctx, stop := context.WithCancel(t.Context())
	access := link.Access{URL: "nats://" + to.Addr().String(), Tell: func(string) { stop() }}
	if _, err := access.Await(ctx, "test"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestAnAnswerThatIsNoneIsAnError, not an empty answer.
func TestAnAnswerThatIsNoneIsAnError(t *testing.T) {
	s := hubtest.Start(t)
	for i, text := range []string{"", "no JSON", `{"version":`, `{"questions":3}`, "[]"} {
		subject := "odd." + strconv.Itoa(i)
		s.Say(subject, text)
		var status wire.Status
		if err := s.Link().Ask(t.Context(), subject, struct{}{}, &status); !errors.Is(err, link.ErrAnswer) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestAQuestionThatIsTooLargeIsNotAskedAgain: it would be for ever.
func TestAQuestionThatIsTooLargeIsNotAskedAgain(t *testing.T) {
	l := hubtest.Start(t).Link()
	if err := l.Ask(t.Context(), wire.SubjectAsk, make([]byte, l.MaxPayload()), nil); !errors.Is(err, nats.ErrMaxPayload) {
		t.Errorf("%v", err)
	}
}

// TestWhatIsDeniedIsNotAskedAgain either. The server says so of the connection, not in answer.
func TestWhatIsDeniedIsNotAskedAgain(t *testing.T) {
	s := hubtest.Start(t, wire.SubjectAsk)
	s.Say(wire.SubjectStatus, "{}")
	l := s.Link()
	if err := l.Ask(t.Context(), wire.SubjectAsk, struct{}{}, new(wire.State)); !errors.Is(err, link.ErrRefused) || !strings.Contains(err.Error(), wire.SubjectAsk) {
		t.Errorf("%v", err)
	}
	if err := l.Ask(t.Context(), wire.SubjectStatus, struct{}{}, new(wire.Status)); err != nil {
		t.Errorf("what is not denied: %v", err)
	}
}

// TestALinkWaitsUntilItsContextEnds: nobody answers, or there is an answer to nobody.
func TestALinkWaitsUntilItsContextEnds(t *testing.T) {
	s := hubtest.Start(t)
	heard := make(chan struct{}, 1)
	s.Answer(wire.SubjectStatus, func(*nats.Msg) { heard <- struct{}{} })
	l := s.Link()
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-heard; cancel() }()
	if err := l.Ask(ctx, wire.SubjectStatus, struct{}{}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("no answer: %v", err)
	}
	if err := l.Ask(ctx, wire.SubjectAsk, struct{}{}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("nobody there: %v", err)
	}
	if m, err := l.Next(ctx, "w"); m != nil || err != nil {
		t.Errorf("a job of nobody: %v, %v", m, err)
	}
}

// leftAlone is a link that has noticed that its hub is away.
func leftAlone(t *testing.T) (*hubtest.Server, *link.Link) {
	t.Helper()
	s := hubtest.Start(t)
	l := s.Link()
	away := make(chan struct{})
	gone := sync.OnceFunc(func() { close(away) })
	l.SetDisconnectErrHandler(func(*nats.Conn, error) { gone() })
	s.Stop()
	<-away
	return s, l
}

// TestALinkOutlivesItsHub: a question that is asked while the hub is away is answered by the
// next one.
func TestALinkOutlivesItsHub(t *testing.T) {
	s, l := leftAlone(t)
	status, asked := wire.Status{}, make(chan error)
	go func() { asked <- l.Ask(t.Context(), wire.SubjectStatus, struct{}{}, &status) }()
	s.Restart()
	s.Say(wire.SubjectStatus, `{"version":"next"}`)
	if err := <-asked; err != nil || status.Version != "next" {
		t.Errorf("%+v, %v", status, err)
	}
}

// TestWhatWasAskedWhileAHubIsAwayIsNotAskedLater, if nobody waits for it any more.
func TestWhatWasAskedWhileAHubIsAwayIsNotAskedLater(t *testing.T) {
	s := hubtest.Start(t)
	l := s.Link()
	s.Stop()
	for began := time.Now(); !l.IsReconnecting(); time.Sleep(time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatal("the link does not see that the server has gone")
		}
	}
	for range 3 {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		if err := l.Ask(ctx, wire.SubjectStatus, struct{}{}, nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v", err)
		}
		cancel()
	}
	s.Restart()
	asked := 0
	s.Answer(wire.SubjectStatus, func(m *nats.Msg) {
		asked++
		_ = m.Respond([]byte("{}"))
	})
	if err := l.Ask(t.Context(), wire.SubjectStatus, struct{}{}, new(struct{})); err != nil || asked != 1 {
		t.Errorf("%v after %d requests, want 1", err, asked)
	}
}

// TestNobodyWaitsForAJobAtAHubThatIsAway: it would hear of all that waited, and hand jobs to lanes
// that have gone.
func TestNobodyWaitsForAJobAtAHubThatIsAway(t *testing.T) {
	s, l := leftAlone(t)
	for range 3 {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		if d, err := l.Next(ctx, "w"); d != nil || err != nil {
			t.Errorf("%v, %v", d, err)
		}
		cancel()
	}
	s.Restart()
	var waited atomic.Int32
	s.Answer("paika.*", func(m *nats.Msg) { // in the order in which they come
		if strings.HasPrefix(m.Subject, wire.SubjectNext) {
			waited.Add(1)
			return
		}
		_ = m.Respond([]byte("{}"))
	})
	if err := l.Ask(t.Context(), wire.SubjectStatus, struct{}{}, new(wire.Status)); err != nil {
		t.Fatal(err)
	}
	if n := waited.Load(); n > 0 {
		t.Errorf("the hub hears of %d lanes that wait no more", n)
	}
}

// TestALinkTellsThatItsHubIsAway, and that it is back: with its server, or without it. Of its own end
// it tells nothing.
func TestALinkTellsThatItsHubIsAway(t *testing.T) {
	s := hubtest.Start(t)
	told := make(chan string, 10)
	access := s.Access()
	access.Tell = func(text string) { told <- text }
	l, err := access.Connect("test")
	if err != nil {
		t.Fatal(err)
	}
	s.Stop()
	if got, want := <-told, "the hub at "+access.URL+" is away, and is waited for"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	s.Restart()
	if got, want := <-told, "the hub at "+access.URL+" is back"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	asked := make(chan error)
	go func() { asked <- l.Ask(t.Context(), wire.SubjectStatus, struct{}{}, new(wire.Status)) }()
	if got, want := <-told, "the hub at "+access.URL+" is away, and is waited for"; got != want {
		t.Errorf("where nobody hears: %q, want %q", got, want)
	}
	s.Say(wire.SubjectStatus, "{}")
	if err := <-asked; err != nil {
		t.Error(err)
	}
	if got, want := <-told, "the hub at "+access.URL+" is back"; got != want {
		t.Errorf("where somebody does: %q, want %q", got, want)
	}
	ended := make(chan struct{})
	l.SetClosedHandler(func(*nats.Conn) { close(ended) })
	l.Close()
	<-ended
	if len(told) > 0 {
		t.Errorf("then %q", <-told)
	}
}

// TestALinkEndsWhereItIsLetInNoMore, and says why.
func TestALinkEndsWhereItIsLetInNoMore(t *testing.T) {
	s := hubtest.Start(t)
	l := s.Link()
	s.Stop()
	s.TurnAway()
	s.Restart()
	if err := l.Ask(t.Context(), wire.SubjectStatus, struct{}{}, nil); !errors.Is(err, link.ErrAway) || !errors.Is(err, nats.ErrAuthorization) {
		t.Errorf("%v", err)
	}
}

// TestAGreetingThatIsRefusedSaysWhy.
func TestAGreetingThatIsRefusedSaysWhy(t *testing.T) {
	s := hubtest.Start(t)
	s.Say(wire.SubjectHello, `{"error":"want the same version"}`, `{"known":"ann"}`)
	l := s.Link()
	if _, err := l.Greet(t.Context(), wire.Hello{}); !errors.Is(err, link.ErrRefused) || !strings.Contains(err.Error(), "want the same version") {
		t.Errorf("%v", err)
	}
	if said, err := l.Greet(t.Context(), wire.Hello{}); said.Known != "ann" || err != nil {
		t.Errorf("%q, %v", said.Known, err)
	}
}

// TestTablesAreOfferedOrNot: a refusal is another thing than that there are none.
func TestTablesAreOfferedOrNot(t *testing.T) {
	s := hubtest.Start(t)
	s.Say(wire.SubjectTables, `{}`, `{"error":"no files"}`, `{"offered":true,"tables":[{"slice":"1v1"}]}`)
	l := s.Link()
	for _, want := range []error{wire.ErrNotOffered, link.ErrRefused, nil} {
		if offer, err := l.Tables(t.Context(), wire.TablesAsk{}); !errors.Is(err, want) || (err == nil) != (len(offer.Tables) == 1) {
			t.Errorf("%+v, %v: want %v", offer, err, want)
		}
	}
}

// sent is a file of some pieces, and what a server has of it.
func sent(t *testing.T) (path string, content []byte) {
	content = bytes.Repeat([]byte("part"), wire.PieceBytes*5/8) // two pieces and a half
	path = filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, content, 0o666); err != nil {
		t.Fatal(err)
	}
	return path, content
}

// tell answers an upload.
func tell(m *nats.Msg, header, text string) {
	out := nats.NewMsg(m.Reply)
	out.Header.Set(header, text)
	_ = m.RespondMsg(out) // who asks has gone
}

// TestAFileIsSentFromWhereTheHubWantsIt: one that is started again has nothing of it.
func TestAFileIsSentFromWhereTheHubWantsIt(t *testing.T) {
	path, content := sent(t)
	s := hubtest.Start(t)
	var mutex sync.Mutex
	var got []byte
	lost := false
	s.Answer(wire.SubjectUpload, func(m *nats.Msg) {
		mutex.Lock()
		defer mutex.Unlock()
		if at, err := strconv.Atoi(m.Header.Get(wire.HeaderOffset)); err == nil && at == len(got) {
			got = append(got, m.Data...)
		}
		if len(got) > wire.PieceBytes && !lost {
			lost, got = true, nil
		}
		tell(m, wire.HeaderSize, strconv.Itoa(len(got)))
	})
	if err := s.Link().Upload(t.Context(), wire.NewName(), path, nil, func(why string) { t.Log(why) }); err != nil {
		t.Fatal(err)
	}
	mutex.Lock()
	defer mutex.Unlock()
	if !lost || !bytes.Equal(got, content) {
		t.Errorf("%d bytes of %d came", len(got), len(content))
	}
}

// TestAFileWaitsForRoom, and who sends it is told why, once.
func TestAFileWaitsForRoom(t *testing.T) {
	path, content := sent(t)
	s := hubtest.Start(t)
	got, crowded := 0, 2
	s.Answer(wire.SubjectUpload, func(m *nats.Msg) {
		out := nats.NewMsg(m.Reply)
		if crowded--; crowded >= 0 {
			out.Header.Set(wire.HeaderWait, "too many files")
		} else {
			got += len(m.Data)
		}
		out.Header.Set(wire.HeaderSize, strconv.Itoa(got))
		_ = m.RespondMsg(out)
	})
	var told []string
	if err := s.Link().Upload(t.Context(), wire.NewName(), path, nil, func(why string) { told = append(told, why) }); err != nil {
		t.Fatal(err)
	}
	if got != len(content) || len(told) != 1 || told[0] != "too many files" {
		t.Errorf("%d bytes of %d came, told %q", got, len(content), told)
	}
}

// TestAFileThatIsNotTakenIsSentNoMore, nor where the hub makes no sense of it.
func TestAFileThatIsNotTakenIsSentNoMore(t *testing.T) {
	path, content := sent(t)
	for _, c := range []struct {
		header, text string
		want         error
	}{
		{wire.HeaderError, "too large", link.ErrNotTaken},
		{wire.HeaderSize, "", link.ErrAnswer},
		{wire.HeaderSize, "many", link.ErrAnswer},
		{wire.HeaderSize, "-1", link.ErrAnswer},
		{wire.HeaderSize, strconv.Itoa(len(content)), link.ErrAnswer}, // after one piece
	} {
		s := hubtest.Start(t)
		s.Answer(wire.SubjectUpload, func(m *nats.Msg) { tell(m, c.header, c.text) })
		if err := s.Link().Upload(t.Context(), wire.NewName(), path, nil, func(why string) { t.Log(why) }); !errors.Is(err, c.want) {
			t.Errorf("%s %q: %v, want %v", c.header, c.text, err, c.want)
		}
	}
}

// TestAFileThatNeverComesIsSentUntilTheContextEnds, with a rest between attempts.
func TestAFileThatNeverComesIsSentUntilTheContextEnds(t *testing.T) {
	path, _ := sent(t)
	s := hubtest.Start(t)
	ctx, cancel := context.WithCancel(t.Context())
	s.Answer(wire.SubjectUpload, func(m *nats.Msg) {
		tell(m, wire.HeaderSize, "0")
		cancel()
	})
	if err := s.Link().Upload(ctx, wire.NewName(), path, nil, func(why string) { t.Log(why) }); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestAFileIsSentWhileItIsWritten: what is there at first, what comes, and the last of it once it is whole. Pieces are
// whole but for the last one.
func TestAFileIsSentWhileItIsWritten(t *testing.T) {
	_, content := sent(t)
	path := filepath.Join(t.TempDir(), "file")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	s := hubtest.Start(t)
	came := make(chan int, 10)
	var got []byte
	s.Answer(wire.SubjectUpload, func(m *nats.Msg) {
		got = append(got, m.Data...)
		tell(m, wire.HeaderSize, strconv.Itoa(len(got)))
		came <- len(m.Data)
	})
	whole, ended := make(chan struct{}), make(chan error)
	go func() {
		ended <- s.Link().Upload(t.Context(), wire.NewName(), path, whole, func(why string) { t.Log(why) })
	}()
	for _, part := range [][]byte{content[:10], content[10 : wire.PieceBytes+10]} {
		if _, err := file.Write(part); err != nil {
			t.Fatal(err)
		}
	}
	if piece := <-came; piece != wire.PieceBytes {
		t.Errorf("the first piece has %d bytes", piece)
	}
	select {
	case piece := <-came:
		t.Errorf("a piece of %d bytes comes before there are more", piece)
	case err := <-ended:
		t.Fatalf("it ends before the file is whole: %v", err)
	case <-time.After(200 * time.Millisecond):
	}
	if _, err := file.Write(content[wire.PieceBytes+10:]); err != nil {
		t.Fatal(err)
	}
	close(whole)
	if err := <-ended; err != nil || !bytes.Equal(got, content) {
		t.Errorf("%d bytes of %d came: %v", len(got), len(content), err)
	}
}

// TestAFileThatIsNeverWholeIsSentUntilTheContextEnds: that is then the error.
func TestAFileThatIsNeverWholeIsSentUntilTheContextEnds(t *testing.T) {
	path, content := sent(t)
	s := hubtest.Start(t)
	ctx, cancel := context.WithCancel(t.Context())
	got := 0
	s.Answer(wire.SubjectUpload, func(m *nats.Msg) {
		got += len(m.Data)
		tell(m, wire.HeaderSize, strconv.Itoa(got))
		if got > len(content)/2 {
			cancel()
		}
	})
	if err := s.Link().Upload(ctx, wire.NewName(), path, make(chan struct{}), func(why string) { t.Log(why) }); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
