package tables

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"paika/internal/lasting"
	"paika/internal/progress"
)

// ErrDigest says that a file came whole, again and again, and never as the hub says
// that it is.
var ErrDigest = errors.New("the file is another than the hub says")

// ErrSize says that a file is larger than what it should hold.
var ErrSize = errors.New("the file is too large")

// errLine says that a file did not come whole this time.
var errLine = errors.New("the file did not come whole")

const (
	// partSuffix is behind the name of a file that is not whole yet.
	partSuffix = ".part"

	// mostDamaged is how often in a row a file may come with another digest.
	mostDamaged = 3

	// pause is the time between two attempts, silence how long nothing may come.
	pause   = time.Second
	silence = time.Minute
)

// Client fetches files from the server of one hub. It is safe for concurrent use.
type Client struct {
	// Notice, if not nil, is told in a sentence why a file does not come, once a fetch.
	Notice func(text string)

	host    string
	scheme  string
	http    *http.Client
	pause   time.Duration
	silence time.Duration
}

// NewClient is for the hub on a host, unless a ticket names another one, for which an authority
// vouches. Without one nothing is encrypted.
func NewClient(host string, authority *x509.CertPool) *Client {
	transport := &http.Transport{
		DialContext:         (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
		TLSHandshakeTimeout: 10 * time.Second, ResponseHeaderTimeout: silence,
		DisableCompression: true, // digests are of the bytes as they are
	}
	c := &Client{host: host, scheme: "http", http: &http.Client{Transport: transport, CheckRedirect: follow}, pause: pause, silence: silence}
	if authority != nil {
		c.scheme = "https"
		transport.TLSClientConfig = &tls.Config{RootCAs: authority, MinVersion: tls.VersionTLS13}
	}
	return c
}

// follow follows no redirection: tokens are for the hub.
func follow(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// Close gives idle connections up.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Fetch has a file under a path, whole. ask gets a ticket for it, and waits until the hub
// has one. It goes on with what is there of the file, and waits for a hub that is away
// until the context ends. One fetch at a time writes to a path, and at most that many
// bytes. Watch is told how many of how many are there.
//
// Errors: ErrDigest, ErrSize, those of ask, of this machine's disk, and that of ctx.
func (c *Client) Fetch(ctx context.Context, ask func(context.Context) (Ticket, error), path string, most int64, watch func(done, total int64)) error {
	told := false
	for damaged := 0; ; {
		t, err := ask(ctx)
		if err != nil {
			return err
		}
		if t.Bytes > most {
			return fmt.Errorf("%s: %w: %d bytes, want at most %d", filepath.Base(path), ErrSize, t.Bytes, most)
		}
		err = c.attempt(ctx, t, path, watch)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, ErrDigest):
			if damaged++; damaged == mostDamaged {
				return err
			}
			continue
		case !errors.Is(err, errLine):
			return err
		}
		if c.Notice != nil && !told {
			told = true
			c.Notice(fmt.Sprintf("%v: trying again", err))
		}
		if err := progress.Wait(ctx, c.pause); err != nil {
			return err
		}
	}
}

// attempt fetches what is missing of a file, and gives it its name if it is whole.
// Errors wrap errLine where it is worth another attempt, and ErrDigest where nothing is
// left of the file.
func (c *Client) attempt(ctx context.Context, t Ticket, path string, watch func(done, total int64)) error {
	if whole, err := hasDigest(ctx, path, t); whole || err != nil {
		return err
	}
	part, err := os.OpenFile(path+partSuffix, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	err = c.complete(ctx, t, part, watch)
	if err = errors.Join(err, part.Close()); err != nil {
		return err
	}
	whole, err := hasDigest(ctx, part.Name(), t)
	switch {
	case err != nil:
		return err
	case !whole:
		return errors.Join(fmt.Errorf("%s: %w", filepath.Base(path), ErrDigest), os.Remove(part.Name()))
	}
	if err := lasting.SyncFile(part.Name()); err != nil {
		return err
	}
	if err := os.Rename(part.Name(), path); err != nil {
		return err
	}
	return lasting.SyncFolder(lasting.FolderOf(path))
}

// hasDigest tells whether a file is there with the digest of a ticket.
func hasDigest(ctx context.Context, path string, t Ticket) (bool, error) {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer file.Close()
	hash := sha256.New()
	_, err = io.Copy(hash, reading{ctx, file})
	return hex.EncodeToString(hash.Sum(nil)) == t.Digest, err
}

// reading ends with a context.
type reading struct {
	context context.Context
	io.Reader
}

func (r reading) Read(p []byte) (int, error) {
	if err := r.context.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}

// complete appends what a part lacks.
func (c *Client) complete(ctx context.Context, t Ticket, part *os.File, watch func(done, total int64)) error {
	there, err := part.Seek(0, io.SeekEnd)
	if err != nil || there == t.Bytes {
		return err
	}
	have := there
	if there > t.Bytes { // of another file
		have = 0
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	answer, err := c.request(ctx, t, have)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode == http.StatusOK { // from its beginning, whatever was asked for
		have = 0
	}
	if there > have {
		if err := part.Truncate(have); err != nil {
			return err
		}
	}
	if _, err := part.Seek(have, io.SeekStart); err != nil {
		return err
	}
	quiet := time.AfterFunc(c.silence, cancel)
	defer quiet.Stop()
	arriving := &arrival{file: part, have: have, total: t.Bytes, watch: watch, sign: func() { quiet.Reset(c.silence) }}
	_, err = io.Copy(arriving, io.LimitReader(answer.Body, t.Bytes-have))
	switch {
	case arriving.err != nil:
		return arriving.err
	case err != nil:
		return c.failed(t, err)
	case arriving.have < t.Bytes:
		return c.failed(t, io.ErrUnexpectedEOF)
	}
	return nil
}

// request asks for a file from a byte on.
func (c *Client) request(ctx context.Context, t Ticket, from int64) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url(t), nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", scheme+" "+t.Token)
	if from > 0 {
		r.Header.Set("Range", fmt.Sprintf("bytes=%d-", from))
		r.Header.Set("If-Range", made{digest: t.Digest}.tag())
	}
	answer, err := c.http.Do(r)
	if err != nil {
		return nil, c.failed(t, err)
	}
	if answer.StatusCode != http.StatusOK && answer.StatusCode != http.StatusPartialContent {
		answer.Body.Close()
		return nil, c.failed(t, errors.New(answer.Status))
	}
	return answer, nil
}

func (c *Client) url(t Ticket) string {
	return c.scheme + "://" + net.JoinHostPort(cmp.Or(t.Host, c.host), strconv.Itoa(t.Port)) + folder + t.Name
}

// failed says that a file did not come from where it should.
func (c *Client) failed(t Ticket, err error) error {
	return fmt.Errorf("%s: %w: %w", c.url(t), errLine, err)
}

// arrival is a file as it comes.
type arrival struct {
	file        *os.File
	have, total int64
	watch       func(done, total int64)
	sign        func() // of life
	err         error  // of the disk
}

func (a *arrival) Write(piece []byte) (n int, err error) {
	n, a.err = a.file.Write(piece)
	a.have += int64(n)
	a.sign()
	if a.watch != nil {
		a.watch(a.have, a.total)
	}
	return n, a.err
}
