package hub

import (
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"paika/cmd/paika/hub/client"
	"paika/cmd/paika/hub/construction"
	"paika/cmd/paika/hub/keys"
	"paika/cmd/paika/hub/link"
	"paika/cmd/paika/hub/wire"
	"paika/internal/lasting"
)

// madeKeys is the folder of a hub with a key for each of the workers, and their files.
func madeKeys(t *testing.T, workers ...string) (dir string, files []string) {
	t.Helper()
	dir = t.TempDir()
	files, err := keys.Make(dir, nil, workers)
	if err != nil {
		t.Fatal(err)
	}
	return dir, files
}

// TestAHubWithKeysListensToOthers: it encrypts, and lets in who has a key, and no one
// else.
func TestAHubWithKeysListensToOthers(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	dir, files := madeKeys(t, "ann", "bob")
	h := startHub(t, dir, func(o *Options) { o.Address = "0.0.0.0:0" }, g)
	url := strings.Replace(h.URL(), "0.0.0.0", "127.0.0.1", 1)
	if !strings.HasPrefix(url, "tls://") {
		t.Errorf("it is at %s", url)
	}
	work(t, link.Access{URL: url, Credentials: files[0]}, "ann", 2, g)
	answered(t, dial(t, link.Access{URL: url, Credentials: files[1]}), g, "white-wins")

	_, strangers := madeKeys(t, "ann")
	plain := filepath.Join(t.TempDir(), "creds")
	if err := lasting.WriteSecret(plain, []byte(h.worker.Name+":guess\n")); err != nil {
		t.Fatal(err)
	}
	for credentials, says := range map[string]string{"": "wants credentials", plain: "for another hub", strangers[0]: strangers[0] + " are for another hub"} {
		c, err := client.Dial(link.Access{URL: url, Credentials: credentials})
		if err == nil {
			c.Close()
			t.Errorf("with %q it lets in", credentials)
		} else if !strings.Contains(err.Error(), says) {
			t.Errorf("with %q: %v, want %q", credentials, err, says)
		}
	}
	if _, err := os.Stat(h.path(keys.CredentialsFile)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a secret without a key lies there: %v", err)
	}
}

// TestWhyAHubIsNotReachedIsTold: its certificate is out of date, or for other names, or it has none.
func TestWhyAHubIsNotReachedIsTold(t *testing.T) {
	dir, files := madeKeys(t, "ann")
	authority, err := tls.LoadX509KeyPair(filepath.Join(dir, "keys", "authority.pem"), filepath.Join(dir, "keys", "authority.pem"))
	if err != nil {
		t.Fatal(err)
	}
	certify := func(name string, until time.Time) {
		key, err := x509.MarshalPKCS8PrivateKey(authority.PrivateKey)
		if err != nil {
			t.Fatal(err)
		}
		c := &x509.Certificate{SerialNumber: big.NewInt(1), IPAddresses: []net.IP{net.ParseIP(name)}, NotAfter: until}
		signed, err := x509.CreateCertificate(rand.Reader, c, authority.Leaf, authority.Leaf.PublicKey, authority.PrivateKey)
		if err != nil {
			t.Fatal(err)
		}
		pair := append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signed}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})...)
		if err := lasting.WriteSecret(filepath.Join(dir, "keys", "server.pem"), pair); err != nil {
			t.Fatal(err)
		}
	}
	says := func(dir, credentials, scheme, what string) {
		t.Helper()
		h := startHub(t, dir, func(o *Options) { o.Address = "127.0.0.1:0" })
		defer h.Close()
		_, at, _ := strings.Cut(h.URL(), "://")
		if _, err := client.Dial(link.Access{URL: scheme + "://" + at, Credentials: credentials}); !errors.Is(err, link.ErrAway) || !strings.Contains(err.Error(), what) {
			t.Errorf("%v, want %q", err, what)
		}
	}
	certify("10.0.0.1", time.Now().Add(time.Hour))
	says(dir, files[0], "tls", "not for that name")
	certify("127.0.0.1", time.Now().Add(-time.Hour))
	says(dir, files[0], "tls", "out of date")
	plain := t.TempDir()
	says(plain, files[0], "nats", files[0]+" are for another hub")
	says(plain, filepath.Join(plain, keys.CredentialsFile), "tls", "does not encrypt")
}

// TestAKeyHearsItsOwnRepliesAlone: neither those of others, nor jobs on their way.
func TestAKeyHearsItsOwnRepliesAlone(t *testing.T) {
	dir, files := madeKeys(t, "ann", "bob")
	h := startHub(t, dir, func(o *Options) { o.Address = "127.0.0.1:0" })
	l := connected(t, link.Access{URL: h.URL(), Credentials: files[0]})
	bob, err := keys.Read(files[1])
	if err != nil {
		t.Fatal(err)
	}
	denied := make(chan error, 10)
	l.SetErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { denied <- err })
	for _, subject := range []string{wire.Inbox(bob.Name) + ".>", "_INBOX.>", wire.SubjectJobs, wire.SubjectResult, ">"} {
		if _, err := l.Subscribe(subject, func(*nats.Msg) {}); err != nil {
			t.Fatal(err)
		}
		if err := <-denied; !errors.Is(err, nats.ErrPermissionViolation) {
			t.Errorf("%s: %v", subject, err)
		}
	}
}

// keyed is how to reach a hub with a key.
func keyed(h *Hub, file string) link.Access { return link.Access{URL: h.URL(), Credentials: file} }

// TestAKeySpeaksUnderItsOwnNameAlone: the server denies the name of another, in what is said and
// in where the answer is to go, and what a worker calls itself is for show.
func TestAKeySpeaksUnderItsOwnNameAlone(t *testing.T) {
	dir, files := madeKeys(t, "ann", "bob")
	h := startHub(t, dir, func(o *Options) { o.Address = "127.0.0.1:0" })
	ann, err := keys.Read(files[0])
	if err != nil {
		t.Fatal(err)
	}
	bob, err := keys.Read(files[1])
	if err != nil {
		t.Fatal(err)
	}
	l := connected(t, keyed(h, files[1]))
	denied := make(chan error, 1)
	l.SetErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { denied <- err })
	notBobs := []string{wire.SubjectJobs, "$JS.ACK." + wire.Stream + "." + wire.Consumer + ".1.1.1.1.1", "$JS.API.STREAM.DELETE." + wire.Stream}
	for _, subject := range said {
		notBobs = append(notBobs, wire.By(subject, ann.Name), wire.By(subject, h.worker.Name), subject)
	}
	for _, as := range notBobs {
		if err := l.Publish(as, []byte("{}")); err != nil {
			t.Fatal(err)
		}
		if err := <-denied; !errors.Is(err, nats.ErrPermissionViolation) || !strings.Contains(err.Error(), strconv.Quote(as)) {
			t.Errorf("%s: %v", as, err)
		}
	}
	hears := 0
	hear := h.fromHolders(func(key holder, _ *nats.Msg) {
		if hears++; key != "bob" {
			t.Errorf("%q is heard", key)
		}
	})
	for _, m := range []*nats.Msg{
		{Subject: wire.By(wire.SubjectAsk, bob.Name), Reply: wire.Inbox(ann.Name) + ".x"},
		{Subject: wire.By(wire.SubjectAsk, bob.Name), Reply: wire.Inbox(bob.Name)},
		{Subject: wire.By(wire.SubjectAsk, "nobody")},
		{Subject: wire.By(wire.SubjectAsk, bob.Name), Reply: wire.Inbox(bob.Name) + ".x"},
		{Subject: wire.By(wire.SubjectAsk, bob.Name)},
	} {
		hear(m)
	}
	if hears != 2 {
		t.Errorf("%d messages are heard, want 2", hears)
	}
	said, err := l.Greet(t.Context(), wire.Hello{Worker: "ann", Version: version, Lanes: 1})
	if workers := h.Status().Workers; err != nil || said.Known != "bob" || len(workers) != 1 || workers[0].Key != "bob" || workers[0].Name != "ann" {
		t.Errorf("%q is known, and %+v there, %v: want bob", said.Known, workers, err)
	}
	if said, err := connected(t, h.Inside()).Greet(t.Context(), wire.Hello{Worker: "own", Version: version, Lanes: 1}); said.Known != "own" || err != nil {
		t.Errorf("without a key %q is known, %v: want what it calls itself", said.Known, err)
	}
}

// TestOneKeyIsOneWorker, whatever its processes call themselves: none of them derives what
// another has built. Where nobody else is there, the hub derives all.
func TestOneKeyIsOneWorker(t *testing.T) {
	y := fanoronaYard(t, construction.Order{Metric: "wdl", Pieces: 4})
	dir, files := madeKeys(t, "ann", "bob")
	h := y.start(t, dir, func(o *Options) { o.Address = "127.0.0.1:0" })
	for _, name := range []string{"first", "second", "bob"} {
		atWork(t, y.brings(t, keyed(h, files[0]), name))
	}
	for len(h.Status().Workers) < 3 {
		time.Sleep(time.Millisecond)
	}
	y.built(t, dial(t, keyed(h, files[1])))
	text, err := os.ReadFile(filepath.Join(dir, "ledger"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entriesOf(t, text) {
		if e.Built != nil && e.Built.Worker != "ann" {
			t.Errorf("%+v: want ann to have built it", e.Built)
		}
		if e.Piece != nil && e.Piece.Worker != "" {
			t.Errorf("%+v: want the hub to have derived it", e.Piece)
		}
	}
}
