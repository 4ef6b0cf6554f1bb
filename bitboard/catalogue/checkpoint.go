package catalogue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/zeebo/xxh3"

	"paika/solver/checkpoint"
	"paika/solver/proofnumber"
)

// saver keeps the file by which a search that was stopped goes on, and the
// goroutine that writes it now and then.
type saver[P comparable] struct {
	search  *proofnumber.Search[P]
	table   *proofnumber.Table
	path    string // empty: there is none
	about   string
	began   time.Time
	before  time.Duration // that earlier runs took
	resumed uint64        // nodes of earlier runs

	stop    context.CancelFunc
	writing sync.WaitGroup
}

// checkpointPath names the file for a claim about a position, in a folder.
func checkpointPath(folder, claim, position string) string {
	return filepath.Join(folder, fmt.Sprintf("%s-%016x.search", claim, xxh3.HashString(position)))
}

// openCheckpoint takes up what the file has. A file that is missing is none
// yet; one that is damaged, or of another search, is an error.
func (p *prover[P]) openCheckpoint(ctx context.Context, o ProveOptions, began time.Time) (*saver[P], error) {
	c := &saver[P]{search: p.search, table: p.table, began: began, stop: func() {}}
	if o.Checkpoints == "" {
		return c, nil
	}
	ends, err := json.Marshal([]any{p.shelf.named, p.parts})
	if err != nil {
		return nil, err
	}
	position := p.game.Format(p.root, p.side)
	c.path = checkpointPath(o.Checkpoints, o.Claim, position)
	c.about = fmt.Sprintf("%s on %s, rules %s, %s from %s, %d tables and %d parts with checksum %016x",
		p.identity.Game, p.identity.Board, p.identity.Rules, o.Claim, position, len(p.shelf.named), len(p.parts), xxh3.Hash(ends))
	saved, err := p.table.Load(ctx, c.path, c.about)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case errors.Is(err, checkpoint.ErrFormat), errors.Is(err, checkpoint.ErrOther):
		return nil, fmt.Errorf("%w; remove the file to start anew", err)
	case err != nil:
		return nil, err
	}
	p.search.Resume(saved)
	c.before, c.resumed = time.Duration(saved.Seconds*float64(time.Second)), saved.Nodes
	if o.SaveEvery > 0 {
		c.start(ctx, o.SaveEvery)
	}
	return c, nil
}

// start saves at intervals until finish. That one of them could not be saved is
// told by finish, which tries again.
func (c *saver[P]) start(ctx context.Context, every time.Duration) {
	ctx, c.stop = context.WithCancel(ctx)
	c.writing.Go(func() {
		ticker := time.NewTicker(every)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				_ = c.save(ctx)
			case <-ctx.Done():
				return
			}
		}
	})
}

// seconds is the time that the search has taken, earlier runs included.
func (c *saver[P]) seconds() float64 { return (c.before + time.Since(c.began)).Seconds() }

func (c *saver[P]) save(ctx context.Context) error {
	if err := os.MkdirAll(filepath.Dir(c.path), 0o777); err != nil {
		return err
	}
	return c.table.Save(ctx, c.path, c.search.Checkpoint(c.about, c.seconds()))
}

// finish ends the work on the file. A search that is not done is saved, though
// the context has ended, and finish gives the file's name. Otherwise the file
// goes, and its folder if that is empty.
func (c *saver[P]) finish(ctx context.Context, done bool) (path string, err error) {
	c.stop()
	c.writing.Wait()
	if c.path == "" {
		return "", nil
	}
	if !done {
		return c.path, c.save(context.WithoutCancel(ctx))
	}
	if err := os.Remove(c.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	_ = os.Remove(filepath.Dir(c.path)) // where others are saved, it stays
	return "", nil
}
