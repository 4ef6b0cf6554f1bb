package hub

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"

	"paika/cmd/paika/hub/client"
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
	for _, credentials := range []string{"", plain, strangers[0]} {
		if c, err := client.Dial(link.Access{URL: url, Credentials: credentials}); err == nil {
			c.Close()
			t.Errorf("with %q it lets in", credentials)
		}
	}
	if _, err := os.Stat(h.path(keys.CredentialsFile)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a secret without a key lies there: %v", err)
	}
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
