package keys

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nkeys"

	"paika/cmd/paika/hub/wire"
	"paika/internal/lasting"
)

// ErrName says that a name can't be that of a worker or a host.
var ErrName = errors.New("no name for a worker or a host")

// ErrNone says that a hub has no keys.
var ErrNone = errors.New("the hub has no keys")

// ErrGone says that a worker has a key whose file is no longer there.
var ErrGone = errors.New("the worker has a key, and its file is gone")

// FolderName is the name of the folder of keys in that of a hub.
const FolderName = "keys"

// Files of that folder. The secrets are those of the authority, of the
// server, of the hub itself, and of each worker; these last ones leave the folder.
const (
	authorityFile = "authority.pem" // certificate and key that sign the server's
	serverFile    = "server.pem"    // certificate and key of the server
	workersFile   = "workers"       // a line for each: name and public key
	ownFile       = "own.pem"       // that by which a hub comes to a NATS server that runs elsewhere
	credsSuffix   = ".creds"        // behind a worker's name: its secret and the authority's certificate
)

// Blocks of these files.
const (
	certificateBlock = "CERTIFICATE"
	keyBlock         = "PRIVATE KEY"
	seedBlock        = "NKEY SEED"
)

// validity is how long certificates hold.
const validity = 10 * 365 * 24 * time.Hour

// Make makes what a hub needs to be reached from other machines by the names or
// addresses hosts, and a key for each of the workers. It gives the paths of the workers'
// files. What is there already stays, but for the server's certificate where hosts are
// given. Errors wrap ErrName or ErrGone, and then nothing was made, or are those of files.
func Make(dir string, hosts, workers []string) (credentials []string, err error) {
	for _, name := range append(append([]string{}, hosts...), workers...) {
		if !wire.Proper(name) || strings.ContainsAny(name, `/\`) || strings.HasPrefix(name, ".") {
			return nil, fmt.Errorf("%w: %q", ErrName, name)
		}
	}
	for _, host := range hosts {
		if strings.Contains(host, ":") && net.ParseIP(host) == nil {
			return nil, fmt.Errorf("%w: %q: want no port", ErrName, host)
		}
	}
	k := In(dir)
	if err := k.admit(workers); err != nil { // before anything is written
		return nil, err
	}
	if err := lasting.MakeFolder(string(k), 0o700); err != nil {
		return nil, err
	}
	unlock, err := lasting.Lock(k.path(workersFile))
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := k.admit(workers); err != nil { // some may have come meanwhile
		return nil, err
	}
	authority, err := k.authority()
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(k.path(serverFile)); len(hosts) > 0 || errors.Is(err, os.ErrNotExist) {
		if err := k.makeServer(authority, hosts); err != nil {
			return nil, err
		}
	}
	for _, name := range workers {
		path, err := k.addWorker(authority, name)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(credentials, path) { // some may be named twice
			credentials = append(credentials, path)
		}
	}
	return credentials, nil
}

// Folder is the folder of a hub's keys: In has it.
type Folder string

// In is the folder of keys in that of a hub. It need not be there.
func In(dir string) Folder { return Folder(filepath.Join(dir, FolderName)) }

func (k Folder) path(name string) string { return filepath.Join(string(k), name) }

// Server is the path of the server's certificate, with its key.
func (k Folder) Server() string { return k.path(serverFile) }

// There tells whether keys were made. Where one of the files is gone, they were all the same.
func (k Folder) There() bool {
	_, err := os.Stat(string(k))
	return err == nil
}

// authority reads the pair that signs, and makes it at its first use: before it has signed anything.
// Another one would sign for workers that the server's pair is unknown to.
func (k Folder) authority() (tls.Certificate, error) {
	path := k.path(authorityFile)
	_, missing := os.Stat(path)
	_, unsigned := os.Stat(k.path(serverFile))
	if errors.Is(missing, os.ErrNotExist) && errors.Is(unsigned, os.ErrNotExist) {
		err := makePair(path, nil, &x509.Certificate{
			Subject: pkix.Name{CommonName: "paika hub authority"}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
		})
		if err != nil {
			return tls.Certificate{}, err
		}
	}
	return readPair(path)
}

// readPair reads a certificate and its key. Errors name the file.
func readPair(path string) (tls.Certificate, error) {
	text, err := readFile(path)
	if err != nil {
		return tls.Certificate{}, err
	}
	pair, err := tls.X509KeyPair(text, text)
	if err != nil {
		return pair, fmt.Errorf("%s: %w", path, err)
	}
	return pair, nil
}

// makeServer makes the server's pair, for hosts and for this machine.
func (k Folder) makeServer(authority tls.Certificate, hosts []string) error {
	c := &x509.Certificate{
		Subject: pkix.Name{CommonName: "paika hub"}, KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	for _, host := range append([]string{"localhost", "127.0.0.1", "::1"}, hosts...) {
		if ip := net.ParseIP(host); ip != nil {
			c.IPAddresses = append(c.IPAddresses, ip)
		} else {
			c.DNSNames = append(c.DNSNames, host)
		}
	}
	return makePair(k.path(serverFile), &authority, c)
}

// makePair writes a certificate with a key of its own, signed by a pair or by itself.
func makePair(path string, by *tls.Certificate, c *x509.Certificate) (err error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	if c.SerialNumber, err = rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127)); err != nil {
		return err
	}
	c.NotBefore = time.Now().Add(-time.Hour) // clocks differ
	c.NotAfter = c.NotBefore.Add(validity)
	parent, signer := c, any(key)
	if by != nil {
		parent, signer = by.Leaf, by.PrivateKey
	}
	signed, err := x509.CreateCertificate(rand.Reader, c, parent, &key.PublicKey, signer)
	if err != nil {
		return err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	return lasting.WriteSecret(path, blocks(block(certificateBlock, signed), block(keyBlock, secret)))
}

func block(kind string, content []byte) *pem.Block { return &pem.Block{Type: kind, Bytes: content} }

func blocks(list ...*pem.Block) (text []byte) {
	for _, b := range list {
		text = append(text, pem.EncodeToMemory(b)...)
	}
	return text
}

// admit refuses names for workers that differ from each other, or from those that are listed, in
// case alone: on some file systems they would have one file, and one would come as the other. Nor does
// it take the name of one whose file was there once: the key that is listed could not be given out.
func (k Folder) admit(workers []string) error {
	_, listed, err := k.listed()
	if err != nil {
		return err
	}
	all := slices.Clone(listed)
	for _, name := range workers {
		if slices.Contains(listed, name) {
			if _, err := os.Stat(k.path(name + credsSuffix)); errors.Is(err, os.ErrNotExist) {
				return fmt.Errorf("%w: %s; for another key, remove the line of %q from %s first", ErrGone, k.path(name+credsSuffix), name, k.path(workersFile))
			} else if err != nil {
				return err
			}
		}
		if slices.Contains(all, name) {
			continue
		}
		if at := slices.IndexFunc(all, func(other string) bool { return strings.EqualFold(other, name) }); at >= 0 {
			return fmt.Errorf("%w: %q differs from %q in case alone, and some file systems would keep both in one file", ErrName, name, all[at])
		}
		all = append(all, name)
	}
	return nil
}

// listed is the text of the list of workers, and the names in it.
func (k Folder) listed() (text []byte, names []string, err error) {
	text, err = readFile(k.path(workersFile))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, nil, err
	}
	for line := range strings.Lines(string(text)) {
		name, _, _ := strings.Cut(line, " ")
		names = append(names, name)
	}
	return text, names, nil
}

// addWorker makes a key for a worker, and its file. One that has a key keeps it.
func (k Folder) addWorker(authority tls.Certificate, name string) (path string, err error) {
	path = k.path(name + credsSuffix)
	text, names, err := k.listed()
	if err != nil || slices.Contains(names, name) {
		return path, err
	}
	public, err := makeKey(authority, path)
	if err != nil {
		return "", err
	}
	return path, lasting.WriteSecret(k.path(workersFile), fmt.Appendf(text, "%s %s\n", name, public))
}

// makeKey makes a key, and writes it to a file together with the certificate of the authority.
func makeKey(authority tls.Certificate, path string) (public string, err error) {
	pair, err := nkeys.CreateUser()
	if err != nil {
		return "", err
	}
	defer pair.Wipe()
	seed, err := pair.Seed()
	if err != nil {
		return "", err
	}
	if public, err = pair.PublicKey(); err != nil {
		return "", err
	}
	return public, lasting.WriteSecret(path, blocks(block(certificateBlock, authority.Certificate[0]), block(seedBlock, seed)))
}

// Own is the file of credentials by which a hub itself comes to a NATS server that runs
// elsewhere. It is made at its first use. Errors wrap ErrNone where there are no keys, or are
// those of files.
func (k Folder) Own() (path string, err error) {
	if !k.There() {
		return "", fmt.Errorf("%s: %w: paika hub init makes them", string(k), ErrNone)
	}
	unlock, err := lasting.Lock(k.path(workersFile))
	if err != nil {
		return "", err
	}
	defer unlock()
	path = k.path(ownFile)
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		return path, err
	}
	authority, err := k.authority()
	if err != nil {
		return "", err
	}
	_, err = makeKey(authority, path)
	return path, err
}

// Workers has the name of each public key that the hub takes. Keys of one name are one worker's.
// Errors wrap ErrCredentials, or are those of the file.
func (k Folder) Workers() (names map[string]string, err error) {
	text, err := readFile(k.path(workersFile))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	names = make(map[string]string)
	for line := range strings.Lines(string(text)) {
		name, key, _ := strings.Cut(strings.TrimSpace(line), " ")
		if !wire.Proper(name) || !nkeys.IsValidPublicUserKey(key) {
			return nil, fmt.Errorf("%s: %w: want lines NAME KEY", k.path(workersFile), ErrCredentials)
		}
		names[key] = name
	}
	return names, nil
}

// ServerTLS is how the server encrypts. Errors are those of its pair.
func (k Folder) ServerTLS() (*tls.Config, error) {
	pair, err := readPair(k.path(serverFile))
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS13}, err
}

// readKey reads the file of a worker with a key. It gives nil where the text is none.
func readKey(text []byte) (nkeys.KeyPair, *x509.CertPool, error) {
	if !bytes.HasPrefix(bytes.TrimSpace(text), []byte("-----BEGIN")) {
		return nil, nil, nil
	}
	var pair nkeys.KeyPair
	authority, found := x509.NewCertPool(), false
	for b, rest := pem.Decode(text); b != nil; b, rest = pem.Decode(rest) {
		switch b.Type {
		case certificateBlock:
			c, err := x509.ParseCertificate(b.Bytes)
			if err != nil {
				return nil, nil, err
			}
			authority.AddCert(c)
			found = true
		case seedBlock:
			p, err := nkeys.FromSeed(b.Bytes)
			if err != nil {
				return nil, nil, err
			}
			pair = p
		}
	}
	if pair == nil || !found {
		return nil, nil, fmt.Errorf("%w: want a certificate and a seed", ErrCredentials)
	}
	return pair, authority, nil
}
