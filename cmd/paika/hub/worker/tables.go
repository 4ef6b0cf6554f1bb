package worker

import (
	"context"
	"crypto/x509"
	"fmt"
	"net/url"
	"strings"
	"time"

	"paika/cmd/paika/hub/keys"
	"paika/cmd/paika/hub/link"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/tables"
	"paika/cmd/paika/hub/wire"
	"paika/internal/progress"
	"paika/proofs"
)

// open opens the site of a task with the hub's tables, which are fetched where they are
// missing. In the hub's own process it has those that are there.
func (w *worker) open(ctx context.Context, t share.Task) (share.Site, error) {
	if w.Near() {
		return w.openThere(ctx, t, nil)
	}
	offer, err := w.link.Tables(ctx, wire.TablesAsk{Tables: t.Tables})
	if err != nil {
		return nil, err
	}
	get, done, err := w.fetcher(t.Tables)
	if err != nil {
		return nil, err
	}
	defer done()
	return w.Open(ctx, t.Setting(), t.Claim, &share.Supply{Tables: offer.Tables, Fetch: get})
}

// openThere is the same with tables that are there, all of those that the hub has.
func (w *worker) openThere(ctx context.Context, t share.Task, named []proofs.Table) (share.Site, error) {
	if w.Near() {
		return w.Open(ctx, t.Setting(), t.Claim, nil)
	}
	return w.Open(ctx, t.Setting(), t.Claim, &share.Supply{Tables: named})
}

// download has the file of a table under a path.
type download = func(ctx context.Context, t proofs.Table, path string, most int64, watch func(done, total int64)) error

// fetcher fetches tables that a question of the hub is at work with.
func (w *worker) fetcher(fingerprint string) (get download, done func(), err error) {
	files, err := w.fileClient()
	if err != nil {
		return nil, nil, err
	}
	get = func(ctx context.Context, t proofs.Table, path string, most int64, watch func(done, total int64)) error {
		ticket := func(ctx context.Context) (tables.Ticket, error) {
			return w.ticket(ctx, wire.TablesAsk{Tables: fingerprint, File: &t})
		}
		return files.Fetch(ctx, ticket, path, most, watch)
	}
	return get, files.Close, nil
}

// firstPause is the time between the first two questions for a file: most are made at once.
const firstPause = 5 * time.Millisecond

// ticket waits until the hub has made a file. Where that waits for something, the user is told once.
func (w *worker) ticket(ctx context.Context, asked wire.TablesAsk) (tables.Ticket, error) {
	told := false
	for pause := firstPause; ; pause = min(2*pause, link.Pause) {
		offer, err := w.link.Tables(ctx, asked)
		if err != nil {
			return tables.Ticket{}, err
		}
		if offer.Ticket != nil {
			return *offer.Ticket, nil
		}
		if offer.Waits != "" && !told {
			told = true
			w.Notice(fmt.Sprintf("the hub can't send table %s now, which is waited for: %s", asked.File.Slice, offer.Waits))
		}
		if err := progress.Wait(ctx, pause); err != nil {
			return tables.Ticket{}, err
		}
	}
}

// fileClient fetches files from where the worker's hub is, as one that has its
// credentials.
func (w *worker) fileClient() (*tables.Client, error) {
	var authority *x509.CertPool
	if w.Credentials != "" {
		c, err := keys.Read(w.Credentials)
		if err != nil {
			return nil, err
		}
		authority = c.Authority
	}
	host, err := hostOf(w.URL)
	if err != nil {
		return nil, err
	}
	c := tables.NewClient(host, authority)
	c.Notice = w.Notice
	return c, nil
}

// hostOf is the host of the URL of a hub, the first where there are several.
func hostOf(text string) (string, error) {
	text, _, _ = strings.Cut(text, ",")
	if !strings.Contains(text, "://") {
		text = "nats://" + text
	}
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil {
		return "", err
	}
	return u.Hostname(), nil
}
