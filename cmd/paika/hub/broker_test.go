package hub

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"paika/cmd/paika/hub/keys"
	"paika/cmd/paika/hub/link"
	"paika/cmd/paika/hub/wire"
)

// elsewhere is a NATS server that a hub did not start. It has JetStream, the certificate of the
// hub, and of the hub's folder what Admission prints: all by a file, as an administrator has it.
type elsewhere struct {
	t      *testing.T
	file   string
	tls    string // its settings
	server *server.Server
	port   int
}

// natsElsewhere starts one for the hub of a folder with keys. It ends with the test.
func natsElsewhere(t *testing.T, dir, jetStream string) *elsewhere {
	t.Helper()
	admission, err := Admission(dir)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	pair := filepath.Join(dir, "keys", "server.pem")
	e := &elsewhere{t: t, file: filepath.Join(folder, "nats.conf"), port: server.RANDOM_PORT}
	e.tls = fmt.Sprintf("tls { cert_file: %q, key_file: %q }", pair, pair)
	e.configure(string(admission), strings.ReplaceAll(jetStream, "STORE", filepath.Join(folder, "store")))
	e.start()
	t.Cleanup(e.stop)
	return e
}

const withJetStream = `jetstream { store_dir: "STORE" }`

// configure writes its file.
func (e *elsewhere) configure(authorization, jetStream string) {
	e.t.Helper()
	if err := os.WriteFile(e.file, fmt.Appendf(nil, "authorization: %s\n%s\n%s\n", authorization, e.tls, jetStream), 0o600); err != nil {
		e.t.Fatal(err)
	}
}

// admit has it begin anew, let in nobody but the hub of a folder, and let that do all.
func (e *elsewhere) admit(dir string) {
	e.t.Helper()
	file, err := keys.In(dir).Own()
	if err != nil {
		e.t.Fatal(err)
	}
	own, err := keys.Read(file)
	if err != nil {
		e.t.Fatal(err)
	}
	e.stop()
	e.configure(fmt.Sprintf("{ users: [ { nkey: %s } ] }", own.Name), "")
	e.start()
}

func (e *elsewhere) start() {
	e.t.Helper()
	o, err := server.ProcessConfigFile(e.file)
	if err != nil {
		e.t.Fatal(err)
	}
	o.Host, o.Port, o.NoSigs, o.NoLog = "127.0.0.1", e.port, true, true
	if e.server, err = server.NewServer(o); err != nil {
		e.t.Fatal(err)
	}
	e.server.Start()
	if !e.server.ReadyForConnections(time.Minute) {
		e.t.Fatal("the server does not start")
	}
	e.port = o.Port
}

func (e *elsewhere) stop() {
	e.server.Shutdown()
	e.server.WaitForShutdown()
}

func (e *elsewhere) url() string { return e.server.ClientURL() }

// TestAHubWorksByANATSServerElsewhere: workers and clients come to that server with their keys,
// and answers are those of a hub with its own.
func TestAHubWorksByANATSServerElsewhere(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	dir, files := madeKeys(t, "ann", "bob")
	e := natsElsewhere(t, dir, withJetStream)
	h := startHub(t, dir, func(o *Options) { o.NATS, o.Address = e.url(), "127.0.0.1:0" }, g)
	if h.URL() != e.url() {
		t.Errorf("it is at %s, want %s", h.URL(), e.url())
	}
	work(t, link.Access{URL: e.url(), Credentials: files[0]}, "one", 2, g)
	work(t, link.Access{URL: e.url(), Credentials: files[1]}, "two", 1, g)
	c := dial(t, link.Access{URL: e.url(), Credentials: files[1]})
	for _, claim := range []string{"white-wins", "black-not-lost"} {
		answered(t, c, g, claim)
	}
	if s := h.Status(); s.Jobs.Accepted == 0 || s.Jobs.Rejected+s.Jobs.Unknown+s.Jobs.Refused > 0 {
		t.Errorf("%+v", s.Jobs)
	}
}

// TestAHubIsAloneAtANATSServer: a second one would have the same stream.
func TestAHubIsAloneAtANATSServer(t *testing.T) {
	dir, _ := madeKeys(t)
	e := natsElsewhere(t, dir, withJetStream)
	h := startHub(t, dir, func(o *Options) { o.NATS = e.url() })
	other := t.TempDir()
	if err := os.CopyFS(filepath.Join(other, "keys"), os.DirFS(filepath.Join(dir, "keys"))); err != nil {
		t.Fatal(err)
	}
	options := Options{Dir: other, NATS: e.url(), Version: version, Workers: 1, Memory: 1 << 24}
	if h, err := Start(t.Context(), options); !errors.Is(err, ErrTaken) {
		t.Errorf("a second hub: %v", err)
		if err == nil {
			h.Close()
		}
	}
	h.Close()
	again, err := Start(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
}

// TestOfHubsThatBeginAtOnceOneStays, and the next one begins as soon as that is gone.
func TestOfHubsThatBeginAtOnceOneStays(t *testing.T) {
	dir, _ := madeKeys(t)
	e := natsElsewhere(t, dir, withJetStream)
	rounds := 10
	if testing.Short() {
		rounds = 3
	}
	for _, n := range []int{2, 5} {
		dirs := make([]string, n)
		for i := range dirs {
			dirs[i] = t.TempDir()
			if err := os.CopyFS(filepath.Join(dirs[i], "keys"), os.DirFS(filepath.Join(dir, "keys"))); err != nil {
				t.Fatal(err)
			}
		}
		for range rounds {
			hubs, errs := make([]*Hub, n), make([]error, n)
			var starting sync.WaitGroup
			for i := range n {
				starting.Go(func() {
					hubs[i], errs[i] = Start(t.Context(), Options{Dir: dirs[i], NATS: e.url(), Version: version, Workers: 1, Memory: 1 << 24})
				})
			}
			starting.Wait()
			stayed := 0
			for i, h := range hubs {
				if h != nil {
					stayed++
					h.Close()
				} else if !errors.Is(errs[i], ErrTaken) {
					t.Error(errs[i])
				}
			}
			if stayed != 1 {
				t.Errorf("of %d hubs, %d stayed", n, stayed)
			}
		}
	}
}

// TestAHubThatComesGivesWay to who goes first, refuses all others, and everybody once it is there.
func TestAHubThatComesGivesWay(t *testing.T) {
	dir, _ := madeKeys(t)
	e := natsElsewhere(t, dir, withJetStream)
	own, err := keys.In(dir).Own()
	if err != nil {
		t.Fatal(err)
	}
	other := connected(t, link.Access{URL: e.url(), Credentials: own, NoEcho: true})
	asked := make(chan struct{}, 100)
	listens, err := other.Subscribe(wire.SubjectHub, func(m *nats.Msg) {
		_ = m.Respond([]byte(givesWay))
		asked <- struct{}{}
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Flush(); err != nil {
		t.Fatal(err)
	}
	hears := func(name, want string) {
		t.Helper()
		m, err := other.Request(wire.SubjectHub, []byte(name), patience)
		if err != nil || string(m.Data) != want {
			t.Errorf("%q is told %q, %v; want %q", name, m.Data, err, want)
		}
	}
	var started sync.WaitGroup
	started.Go(func() { startHub(t, dir, func(o *Options) { o.NATS = e.url() }) })
	<-asked
	hears("1", givesWay) // names have letters, or digits from 2 on
	hears("a", "")
	if err := listens.Unsubscribe(); err != nil {
		t.Fatal(err)
	}
	started.Wait()
	for _, name := range []string{"", "1", "a"} {
		hears(name, "")
	}
}

// line is a way to a server on which all that is said comes some time later, and that can be cut.
type line struct {
	t        *testing.T
	to       string
	late     time.Duration
	listener net.Listener
	mutex    sync.Mutex
	open     []net.Conn
}

// lineTo is one that ends with the test.
func lineTo(t *testing.T, to string, late time.Duration) *line {
	l := &line{t: t, to: to, late: late}
	l.mend("127.0.0.1:0")
	t.Cleanup(l.cut)
	return l
}

func (l *line) address() string { return l.listener.Addr().String() }

// mend lets connections in, at an address.
func (l *line) mend(at string) {
	l.t.Helper()
	listener, err := net.Listen("tcp", at)
	if err != nil {
		l.t.Fatal(err)
	}
	l.listener = listener
	go func() {
		for {
			in, err := listener.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", l.to)
			if err != nil {
				in.Close()
				continue
			}
			l.mutex.Lock()
			l.open = append(l.open, in, out)
			l.mutex.Unlock()
			go l.pass(in, out)
			go l.pass(out, in)
		}
	}()
}

// tries is how many connections were let in.
func (l *line) tries() int {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return len(l.open) / 2
}

func (l *line) pass(in, out net.Conn) {
	defer out.Close()
	for text := make([]byte, 1<<16); ; {
		n, err := in.Read(text)
		time.Sleep(l.late)
		if _, failed := out.Write(text[:n]); err != nil || failed != nil {
			return
		}
	}
}

// cut ends all connections, and lets no other in.
func (l *line) cut() {
	l.listener.Close()
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for _, c := range l.open {
		c.Close()
	}
}

// TestAHubThatComesBackEndsWhereAnotherIs, and else goes on.
func TestAHubThatComesBackEndsWhereAnotherIs(t *testing.T) {
	dir, _ := madeKeys(t)
	e := natsElsewhere(t, dir, withJetStream)
	at, err := url.Parse(e.url())
	if err != nil {
		t.Fatal(err)
	}
	l := lineTo(t, at.Host, 0)
	at.Host = l.address()
	h := startHub(t, dir, func(o *Options) { o.NATS = at.String() })
	comeBack := func() {
		t.Helper()
		before := h.own.Stats().Reconnects
		l.mend(l.address())
		for deadline := time.Now().Add(time.Minute); h.own.Stats().Reconnects == before; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("it does not come back")
			}
		}
	}
	l.cut()
	comeBack()
	time.Sleep(looks * 2 * link.Pause)
	if err := h.context.Err(); err != nil {
		t.Fatal("alone, it ends: ", err)
	}
	l.cut()
	other := t.TempDir()
	if err := os.CopyFS(filepath.Join(other, "keys"), os.DirFS(filepath.Join(dir, "keys"))); err != nil {
		t.Fatal(err)
	}
	stays := startHub(t, other, func(o *Options) { o.NATS = e.url() })
	comeBack()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	context.AfterFunc(ctx, func() { h.cancel(ctx.Err()) })
	if err := h.Wait(t.Context()); !errors.Is(err, ErrTaken) {
		t.Errorf("%v", err)
	}
	if err := stays.context.Err(); err != nil {
		t.Error("the other one ends: ", err)
	}
}

// TestOfHubsAtAClusterOneStays: a server hears a moment later who listens at another.
func TestOfHubsAtAClusterOneStays(t *testing.T) {
	var servers []*server.Server
	for range 2 {
		o := &server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true, Cluster: server.ClusterOpts{Name: "two", Host: "127.0.0.1", Port: server.RANDOM_PORT}}
		for _, other := range servers {
			o.Routes = server.RoutesFromStr("nats://" + lineTo(t, other.ClusterAddr().String(), 50*time.Millisecond).address())
		}
		s, err := server.NewServer(o)
		if err != nil {
			t.Fatal(err)
		}
		s.Start()
		defer s.WaitForShutdown()
		defer s.Shutdown()
		if !s.ReadyForConnections(time.Minute) {
			t.Fatal("a server does not start")
		}
		servers = append(servers, s)
	}
	for i, s := range servers { // until each hears of what is heard at the other
		hears, says := connected(t, link.Access{URL: s.ClientURL()}), connected(t, link.Access{URL: servers[1-i].ClientURL()})
		if _, err := hears.Subscribe("ready", func(m *nats.Msg) { _ = m.Respond(nil) }); err != nil {
			t.Fatal(err)
		}
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
			if _, err := says.Request("ready", nil, time.Second); err == nil {
				break
			} else if time.Now().After(deadline) {
				t.Fatal(err)
			}
		}
		hears.Close()
	}
	for range 5 {
		var coming sync.WaitGroup
		links, errs := make([]*link.Link, 4), make([]error, 4)
		for i := range links {
			url := servers[i%2].ClientURL()
			var err error
			if links[i], err = (link.Access{URL: url, NoEcho: true}).Connect("hub"); err != nil {
				t.Fatal(err)
			}
			coming.Go(func() {
				if errs[i] = (&Hub{context: t.Context(), options: Options{NATS: url}}).alone(links[i]); errs[i] != nil {
					links[i].Close()
				}
			})
		}
		coming.Wait()
		stayed := 0
		for i, err := range errs {
			if err == nil {
				stayed++
				links[i].Close()
			} else if !errors.Is(err, ErrTaken) {
				t.Error(err)
			}
		}
		if stayed != 1 {
			t.Errorf("%d stayed", stayed)
		}
	}
}

// TestAHubFollowsOneThatWasKilled: the server may not have heard yet that its connection has ended.
func TestAHubFollowsOneThatWasKilled(t *testing.T) {
	dir, _ := madeKeys(t)
	e := natsElsewhere(t, dir, withJetStream)
	own, err := keys.In(dir).Own()
	if err != nil {
		t.Fatal(err)
	}
	killed := connected(t, link.Access{URL: e.url(), Credentials: own})
	asked := make(chan struct{}, 100)
	if _, err := killed.Subscribe(wire.SubjectHub, func(*nats.Msg) { asked <- struct{}{} }); err != nil {
		t.Fatal(err)
	}
	if err := killed.Flush(); err != nil {
		t.Fatal(err)
	}
	go func() { <-asked; killed.Close() }()
	startHub(t, dir, func(o *Options) { o.NATS = e.url() })
}

// TestAHubThatIsLetInNoMoreWhileItBeginsSaysSo, and not that it was stopped: nobody stopped it.
func TestAHubThatIsLetInNoMoreWhileItBeginsSaysSo(t *testing.T) {
	dir, _ := madeKeys(t)
	strange, _ := madeKeys(t)
	e := natsElsewhere(t, dir, "")
	e.admit(dir)
	file, err := keys.In(dir).Own()
	if err != nil {
		t.Fatal(err)
	}
	asked := make(chan struct{}, 100)
	silent := connected(t, link.Access{URL: e.url(), Credentials: file}) // stands in for JetStream
	if _, err := silent.Subscribe("$JS.API.>", func(*nats.Msg) { asked <- struct{}{} }); err != nil {
		t.Fatal(err)
	}
	if err := silent.Flush(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		h, err := Start(t.Context(), Options{Dir: dir, NATS: e.url(), Version: version, Workers: 1, Memory: 1 << 24})
		if err == nil {
			h.Close()
		}
		ended <- err
	}()
	select {
	case <-asked: // it has come in, and makes its stream
	case err := <-ended:
		t.Fatal(err)
	}
	e.admit(strange)
	if err := <-ended; !errors.Is(err, link.ErrAway) || !errors.Is(err, nats.ErrAuthorization) || errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestAHubSaysWhatAServerElsewhereLacks, and what it lacks itself, and leaves no ledger open.
func TestAHubSaysWhatAServerElsewhereLacks(t *testing.T) {
	dir, _ := madeKeys(t)
	e := natsElsewhere(t, dir, "")
	start := func(dir, url, address string) error {
		h, err := Start(t.Context(), Options{Dir: dir, NATS: url, Address: address, Version: version, Workers: 1, Memory: 1 << 24})
		if err == nil {
			h.Close()
		}
		return err
	}
	if err := start(dir, e.url(), ""); !errors.Is(err, ErrCarrier) {
		t.Errorf("without JetStream: %v", err)
	}
	if err := start(t.TempDir(), e.url(), ""); !errors.Is(err, keys.ErrNone) {
		t.Errorf("without keys: %v", err)
	}
	strange, _ := madeKeys(t)
	if err := start(strange, e.url(), ""); !errors.Is(err, link.ErrAway) {
		t.Errorf("with other keys: %v", err)
	}
	for _, address := range []string{"0.0.0.0:0", "[::]:0", ":0"} {
		if err := start(dir, e.url(), address); !errors.Is(err, ErrAddress) {
			t.Errorf("tables at %s: %v", address, err)
		}
	}
	e.stop()
	if err := start(dir, e.url(), ""); !errors.Is(err, link.ErrAway) {
		t.Errorf("without a server: %v", err)
	}
	if _, err := Admission(t.TempDir()); !errors.Is(err, keys.ErrNone) {
		t.Errorf("admission without keys: %v", err)
	}
}

// TestAHubLeavesAStreamAloneThatIsNotItsOwn, and names it: whose it is may need what is in there.
func TestAHubLeavesAStreamAloneThatIsNotItsOwn(t *testing.T) {
	dir, _ := madeKeys(t)
	e := natsElsewhere(t, dir, withJetStream)
	file, err := keys.In(dir).Own()
	if err != nil {
		t.Fatal(err)
	}
	js, err := jetstream.New(connected(t, link.Access{URL: e.url(), Credentials: file}).Conn)
	if err != nil {
		t.Fatal(err)
	}
	start := func() error {
		h, err := Start(t.Context(), Options{Dir: dir, NATS: e.url(), Version: version, Workers: 1, Memory: 1 << 24})
		if err == nil {
			h.Close()
		}
		return err
	}
	own := jetstream.StreamConfig{Name: wire.Stream, Subjects: []string{wire.SubjectJobs}, Retention: jetstream.WorkQueuePolicy, Storage: jetstream.MemoryStorage}
	for name, change := range map[string]func(*jetstream.StreamConfig){
		"other subjects":    func(c *jetstream.StreamConfig) { c.Subjects = []string{"letters"} },
		"another retention": func(c *jetstream.StreamConfig) { c.Retention = jetstream.LimitsPolicy },
		"another storage":   func(c *jetstream.StreamConfig) { c.Storage = jetstream.FileStorage },
	} {
		c := own
		change(&c)
		before, err := js.CreateStream(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		if err := start(); !errors.Is(err, ErrCarrier) || !strings.Contains(err.Error(), wire.Stream) {
			t.Errorf("%s: %v", name, err)
		}
		after, err := js.Stream(t.Context(), wire.Stream)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if made := after.CachedInfo().Created; !made.Equal(before.CachedInfo().Created) {
			t.Errorf("%s: it was made at %v, and not at %v", name, made, before.CachedInfo().Created)
		}
		if err := js.DeleteStream(t.Context(), wire.Stream); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := js.CreateStream(t.Context(), own); err != nil {
		t.Fatal(err)
	}
	if err := start(); err != nil {
		t.Errorf("its own, of an earlier start: %v", err)
	}
}

// TestAHubThatIsLetInNoMoreEnds: who started it has to know, and workers wait for another.
func TestAHubThatIsLetInNoMoreEnds(t *testing.T) {
	dir, _ := madeKeys(t)
	e := natsElsewhere(t, dir, withJetStream)
	h := startHub(t, dir, func(o *Options) { o.NATS = e.url() })
	other, _ := madeKeys(t)
	own, err := keys.In(dir).Own()
	if err != nil {
		t.Fatal(err)
	}
	was, err := keys.Read(own)
	if err != nil {
		t.Fatal(err)
	}
	if own, err = keys.In(other).Own(); err != nil {
		t.Fatal(err)
	}
	is, err := keys.Read(own)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(e.file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(e.file, bytes.ReplaceAll(text, []byte(was.Name), []byte(is.Name)), 0o600); err != nil {
		t.Fatal(err)
	}
	e.stop()
	e.start()
	ended := make(chan error)
	go func() { ended <- h.Wait(t.Context()) }()
	select {
	case err := <-ended:
		if !errors.Is(err, link.ErrAway) {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Error("it waits for ever")
	}
}

// TestWhoHasAKeyThatTheHubDoesNotKnowIsTold: a NATS server that runs elsewhere lets in whom it was
// told of, and keys come and go.
func TestWhoHasAKeyThatTheHubDoesNotKnowIsTold(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	dir, files := madeKeys(t, "ann", "bob")
	e := natsElsewhere(t, dir, withJetStream)
	list := filepath.Join(dir, "keys", "workers")
	text, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	known, _, _ := strings.Cut(string(text), "bob ")
	if err := os.WriteFile(list, []byte(known), 0o600); err != nil {
		t.Fatal(err)
	}
	h := startHub(t, dir, func(o *Options) { o.NATS = e.url() }, g)
	bob := link.Access{URL: e.url(), Credentials: files[1]}
	c := dial(t, bob)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if _, err := c.Status(ctx); !errors.Is(err, link.ErrRefused) {
		t.Errorf("a client: %v", err)
	}
	if _, err := c.Ask(ctx, g.question("white-wins")); !errors.Is(err, link.ErrRefused) {
		t.Errorf("a question: %v", err)
	}
	l := connected(t, bob)
	if _, err := l.Greet(ctx, wire.Hello{Worker: "bob", Version: version, Lanes: 1}); !errors.Is(err, link.ErrRefused) {
		t.Errorf("a worker: %v", err)
	}
	if _, err := l.Next(ctx, "w"); !errors.Is(err, link.ErrRefused) {
		t.Errorf("a lane: %v", err)
	}
	if s := h.Status(); len(s.Workers)+len(s.Questions) > 0 {
		t.Errorf("%+v", s)
	}
}

// TestAHubSaysThatAServerElsewhereHasAnOldLine: it does not begin where it would hear nothing.
func TestAHubSaysThatAServerElsewhereHasAnOldLine(t *testing.T) {
	dir, _ := madeKeys(t)
	e := natsElsewhere(t, dir, withJetStream)
	text, err := os.ReadFile(e.file)
	if err != nil {
		t.Fatal(err)
	}
	heard := fmt.Sprintf("%q,", wire.By(wire.SubjectHello, wire.Anybody))
	if err := os.WriteFile(e.file, bytes.Replace(text, []byte(heard), nil, 1), 0o600); err != nil {
		t.Fatal(err)
	}
	e.stop()
	e.start()
	h, err := Start(t.Context(), Options{Dir: dir, NATS: e.url(), Version: version, Workers: 1, Memory: 1 << 24})
	if err == nil {
		h.Close()
	}
	if !errors.Is(err, ErrCarrier) || !strings.Contains(err.Error(), "hub admission") {
		t.Errorf("%v", err)
	}
}

// hubElsewhere is a hub by a server that runs elsewhere, and how ann comes to it.
func hubElsewhere(t *testing.T, lease time.Duration, g *game) (h *Hub, e *elsewhere, ann link.Access) {
	t.Helper()
	dir, files := madeKeys(t, "ann")
	e = natsElsewhere(t, dir, withJetStream)
	h = startHub(t, dir, func(o *Options) { o.NATS, o.Lease = e.url(), lease }, g)
	return h, e, link.Access{URL: e.url(), Credentials: files[0]}
}

// TestAServerElsewhereThatLosesItsStream: the jobs go out again, once a lease has passed.
func TestAServerElsewhereThatLosesItsStream(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	h, e, ann := hubElsewhere(t, time.Second, g)
	silent := connected(t, ann)
	if _, err := silent.Greet(t.Context(), wire.Hello{Worker: "silent", Version: version, Lanes: 4}); err != nil {
		t.Fatal(err)
	}
	c := dial(t, ann)
	if _, err := c.Ask(t.Context(), g.question("white-wins")); err != nil {
		t.Fatal(err)
	}
	placed := func() int {
		h.mutex.Lock()
		defer h.mutex.Unlock()
		return len(h.placed)
	}
	for placed() == 0 {
		time.Sleep(time.Millisecond)
	}
	e.stop()
	e.start()
	work(t, ann, "loud", 1, g)
	answered(t, c, g, "white-wins")
	if s := h.Status(); s.Jobs.Lost == 0 {
		t.Errorf("%+v: want jobs that were lost", s.Jobs)
	}
}

// TestNoJobIsLostWhereAStreamBeginsAnew: a cluster that loses the server which has the stream makes
// it anew by itself, and places in it are given away a second time.
func TestNoJobIsLostWhereAStreamBeginsAnew(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	h, _, ann := hubElsewhere(t, time.Hour, g)
	worker := connected(t, ann)
	come := func(name string) {
		if _, err := worker.Greet(t.Context(), wire.Hello{Worker: name, Version: version, Lanes: 256}); err != nil {
			t.Fatal(err)
		}
	}
	jobs := func() (out, placed int) {
		h.mutex.Lock()
		defer h.mutex.Unlock()
		for _, g := range h.out {
			if m, err := h.stream.GetMsg(t.Context(), g.sequence); err == nil && strings.Contains(string(m.Data), fmt.Sprintf(`"message":%d,`, g.message)) {
				placed++
			}
		}
		return len(h.out), placed
	}
	await := func(least int) {
		t.Helper()
		for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
			h.Audit()
			out, placed := jobs()
			if out >= least && placed == out {
				return
			}
			if time.Now().After(deadline) {
				t.Fatalf("%d jobs are out, %d of them in the stream", out, placed)
			}
		}
	}
	come("one")
	if _, err := dial(t, ann).Ask(t.Context(), g.question("white-wins")); err != nil {
		t.Fatal(err)
	}
	await(2)
	stream, consumer := h.stream.CachedInfo().Config, h.consumer.CachedInfo().Config
	if err := h.js.DeleteStream(t.Context(), wire.Stream); err != nil {
		t.Fatal(err)
	}
	if _, err := h.js.CreateStream(t.Context(), stream); err != nil {
		t.Fatal(err)
	}
	if _, err := h.js.CreateConsumer(t.Context(), wire.Stream, consumer); err != nil {
		t.Fatal(err)
	}
	before, _ := jobs()
	come("two")
	await(before + 1)
}

// TestAJobForALaneThatHasGoneComesBackAtOnce, and not when its lease ends.
func TestAJobForALaneThatHasGoneComesBackAtOnce(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	h, _, ann := hubElsewhere(t, time.Hour, g)
	going := connected(t, ann)
	if _, err := going.Greet(t.Context(), wire.Hello{Worker: "going", Version: version, Lanes: 4}); err != nil {
		t.Fatal(err)
	}
	ask := &nats.Msg{Subject: wire.By(wire.SubjectNext, going.Name()), Reply: wire.Inbox(going.Name()) + ".gone"}
	if err := going.PublishMsg(ask); err != nil {
		t.Fatal(err)
	}
	if _, err := dial(t, ann).Ask(t.Context(), g.question("white-wins")); err != nil {
		t.Fatal(err)
	}
	back := func() bool {
		h.mutex.Lock()
		defer h.mutex.Unlock()
		for _, given := range h.out {
			if given.delivery > 0 && given.kept.IsZero() {
				return true
			}
		}
		return false
	}
	for deadline := time.Now().Add(time.Minute); !back(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the job is with a lane that has gone")
		}
	}
}

// TestAHubMayDoNoMoreElsewhereThanItNeeds: it is one of many who use the server.
func TestAHubMayDoNoMoreElsewhereThanItNeeds(t *testing.T) {
	dir, _ := madeKeys(t, "ann")
	e := natsElsewhere(t, dir, withJetStream)
	own, err := keys.In(dir).Own()
	if err != nil {
		t.Fatal(err)
	}
	l := connected(t, link.Access{URL: e.url(), Credentials: own})
	denied := make(chan error, 1)
	l.SetErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { denied <- err })
	for _, subject := range []string{"other", "$JS.API.STREAM.DELETE.OTHER", "$JS.API.STREAM.MSG.GET.OTHER", "$JS.API.CONSUMER.MSG.NEXT.OTHER.workers", "$JS.ACK.OTHER.workers.1.1.1.1.1"} {
		if err := l.Publish(subject, nil); err != nil {
			t.Fatal(err)
		}
		if err := <-denied; !errors.Is(err, nats.ErrPermissionViolation) {
			t.Errorf("%s: %v", subject, err)
		}
	}
	for _, subject := range []string{">", "_INBOX.>", "other"} {
		if _, err := l.Subscribe(subject, func(*nats.Msg) {}); err != nil {
			t.Fatal(err)
		}
		if err := <-denied; !errors.Is(err, nats.ErrPermissionViolation) {
			t.Errorf("%s: %v", subject, err)
		}
	}
}

// TestAServerInsideIsNotAskedForItsStream, which it has as long as it runs.
func TestAServerInsideIsNotAskedForItsStream(t *testing.T) {
	h := startHub(t, t.TempDir(), nil)
	asked := func() uint64 {
		info, err := h.server.Jsz(nil)
		if err != nil {
			t.Fatal(err)
		}
		return info.API.Total
	}
	before := asked()
	h.Audit()
	if after := asked(); before == 0 || after != before {
		t.Errorf("%d requests, and %d after an audit", before, after)
	}
}
