package keys

import (
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"paika/cmd/paika/hub/wire"
	"paika/internal/lasting"
)

// ErrCredentials says that a file holds no name and secret.
var ErrCredentials = errors.New("no credentials of a hub")

// Credentials are that by which a hub knows who may talk to it: a name and a secret on
// one machine, a key from elsewhere. With a key goes the authority that vouches for the
// hub.
type Credentials struct {
	Name, Secret string         // without a secret the name is a public key
	Authority    *x509.CertPool // nil on one machine
	key          nkeys.KeyPair
}

// workerName is that of all who use the secret of one machine.
const workerName = "worker"

// CredentialsFile is where they lie in the folder of a hub without keys.
const CredentialsFile = "worker.creds"

// String is their form in a file, where they are no key: name and secret with a colon between.
func (c Credentials) String() string { return c.Name + ":" + c.Secret + "\n" }

// Read reads a file of credentials. Errors wrap ErrCredentials, or are those of the file and of
// what it holds.
func Read(path string) (c Credentials, err error) {
	text, err := readFile(path)
	if err != nil {
		return c, err
	}
	if c.key, c.Authority, err = readKey(text); err != nil {
		return c, fmt.Errorf("%s: %w", path, err)
	}
	if c.key != nil {
		c.Name, err = c.key.PublicKey()
		return c, err
	}
	var found bool
	c.Name, c.Secret, found = strings.Cut(strings.TrimSpace(string(text)), ":")
	if !found || !wire.Speakable(c.Name) || c.Secret == "" || strings.ContainsFunc(c.Secret, notPrinted) {
		// Any other file is no secret to be sent to a hub.
		return Credentials{}, fmt.Errorf("%s: %w: want NAME:SECRET, or a key", path, ErrCredentials)
	}
	return c, nil
}

// mostBytes bounds a file of credentials, of certificates, or of the list of workers.
const mostBytes = 1 << 20

// readFile is os.ReadFile for a file of no more than mostBytes. Errors wrap ErrCredentials where it has more,
// or are those of the file.
func readFile(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, mostBytes+1))
	if err == nil && len(text) > mostBytes {
		err = fmt.Errorf("%s: %w: it has more than %d bytes", path, ErrCredentials, mostBytes)
	}
	return text, err
}

// notPrinted tells whether a character is a space, or none that ASCII prints.
func notPrinted(r rune) bool { return r <= ' ' || r > '~' }

// Kept are those of the folder of a hub, made at its first use. With keys they are for this
// process alone, and in no file. Errors are those of Read, and of writing.
func Kept(dir string, keyed bool) (Credentials, error) {
	c := Credentials{Name: workerName, Secret: rand.Text()}
	if keyed {
		return c, nil
	}
	path := filepath.Join(dir, CredentialsFile)
	kept, err := Read(path)
	if !errors.Is(err, os.ErrNotExist) {
		return kept, err
	}
	return c, lasting.WriteSecret(path, []byte(c.String()))
}

// Options are how to connect with them. Those without a name are nobody's.
func (c Credentials) Options() []nats.Option {
	if c.Name == "" { // nobody, whom a hub refuses
		return nil
	}
	o := []nats.Option{nats.CustomInboxPrefix(wire.Inbox(c.Name))}
	if c.key == nil {
		return append(o, nats.UserInfo(c.Name, c.Secret))
	}
	return append(o, nats.Nkey(c.Name, c.key.Sign), nats.Secure(&tls.Config{RootCAs: c.Authority, MinVersion: tls.VersionTLS13}))
}
