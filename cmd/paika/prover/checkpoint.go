package prover

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/zeebo/xxh3"

	"paika/bitboard"
	"paika/internal/usage"
	"paika/proofs"
	"paika/solver/checkpoint"
	"paika/solver/proofnumber"
)

// saver keeps the file by which a search that was stopped goes on.
type saver[P comparable] struct {
	options Options
	search  *proofnumber.Search[P]
	table   *proofnumber.Table
	file    *checkpoint.File // nil: nothing is saved
	refused error            // why nothing is, where it should be
	about   string
	began   time.Time
	before  time.Duration     // that earlier runs took
	saved   checkpoint.Header // of what was taken up
	stop    func()            // ends the saving at intervals

	crowded bool // the file was to be kept since the table turned out too small

	certificates []string // checksums of those that the search came to, now or in a run before
	replaced     []string // files by which completing them went on, where others take their places
}

// checkpointPath names the file for a search of a claim, in a folder, by all that the search
// is about: those of one position under two sets of rules have a file each.
func checkpointPath(folder, claim, about string) string {
	return filepath.Join(folder, fmt.Sprintf("%s-%016x.search", claim, xxh3.HashString(about)))
}

// openCheckpoint takes the file for this search. Errors: lasting.ErrLocked where another
// search has it. A folder that can't be written to is told, and keeps no one from searching.
func (a *attempt[P]) openCheckpoint() (*saver[P], error) {
	o, q := a.options, a.question
	c := &saver[P]{options: o, search: a.search, table: a.table, began: q.Began, stop: func() {}}
	if o.Checkpoints == "" {
		return c, nil
	}
	if o.Method != proofnumber.DFPN {
		o.notice(fmt.Sprintf("%v keeps its tree in memory alone: it starts anew each time, and is not saved", o.Method))
		return c, nil
	}
	id, claim := a.of.Identity, claimsText(q.Claims, q.Game.SideName)
	c.about = fmt.Sprintf("%s on %s, rules %s, %s from %s", id.Game, id.Board, id.Rules, claim, q.Game.Format(q.Root, q.Side))
	if err := c.take(checkpointPath(o.Checkpoints, claim, c.about)); err != nil {
		return nil, err
	}
	if c.file == nil {
		o.notice(unsavedNotice(c.refused))
	}
	return c, nil
}

// load takes up what the file has. What was found with other tables, or with parts that
// are not given now, is found again where the answer needs it. Errors are those of loading
// one that is damaged, or another search's.
func (a *attempt[P]) load(ctx context.Context, c *saver[P]) error {
	if c.file == nil {
		return nil
	}
	saved, err := a.table.Load(ctx, c.file, c.about)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if a.table.Cramped() {
		fit := a.table.Fit()
		a.options.notice(UnfitNotice(c.file.Path(), fit, a.memoryFor(fit.Bytes)))
		c.file.Preserve(c.tellKept)
	}
	if a.table.Fit().Entries == 0 && len(saved.Certificates) > 0 {
		a.options.notice(fmt.Sprintf("the search begins anew: %s tells of certificates alone", c.file.Path()))
		saved = checkpoint.Header{}
	}
	c.saved, c.before = saved, time.Duration(saved.Seconds*float64(time.Second))
	return nil
}

// resume counts what runs before have done, and begins to save.
func (c *saver[P]) resume(ctx context.Context) {
	if c.file == nil {
		return
	}
	if c.saved.Nodes > 0 {
		c.options.notice(GoingOn(c.saved.Nodes, "node", "searched", c.file.Path()))
	}
	c.search.Resume(c.saved)
	c.stop = checkpoint.Every(ctx, c.options.SaveEvery, c.save, c.tellUnsaved)
}

// GoingOn says that work goes on from a file: how much of it was done before.
func GoingOn(done uint64, unit, how, path string) string {
	was := " were "
	if done == 1 {
		was = " was "
	}
	return "going on: " + usage.Thousands(done) + " " + bitboard.Plural(done == 1, unit) + was + how + " before, as " + path + " tells"
}

// UnsavedNotice says, while work goes on, that it could not be saved.
func UnsavedNotice(why error) string { return why.Error() + "; it goes on all the same" }

// unsavedNotice says, before work begins, that it can't be saved.
func unsavedNotice(why error) string { return why.Error() + "; it begins all the same" }

// claimsText names claims that are searched together: one, or a draw's two.
func claimsText(claims []proofs.Claim, sideName func(bitboard.Side) string) string {
	if len(claims) > 1 {
		return Draw
	}
	return claims[0].Text(sideName)
}

// Draw is the claim that neither side loses, which is two claims of package proofs.
const Draw = "draw"

// take opens the file, and makes its folder.
func (c *saver[P]) take(path string) error {
	file, err := checkpoint.OpenOwn(filepath.Split(path))
	var refused *checkpoint.SaveError
	if errors.As(err, &refused) {
		c.refused = err
		return nil
	}
	c.file = file
	return err
}

// seconds is the time that the search has taken, earlier runs included.
func (c *saver[P]) seconds() float64 { return (c.before + time.Since(c.began)).Seconds() }

// UnfitNotice says that a checkpoint holds more than there is memory for, and with how much of that
// all is taken up, in bytes.
func UnfitNotice(path string, fit checkpoint.Fit, memory uint64) string {
	const mib = 1 << 20
	return fmt.Sprintf("%s holds %s, and %d of them find no room in memory: --memory %dMiB takes all", path, bitboard.Count(fit.Entries, "position"), fit.Unfit, (memory+mib-1)/mib)
}

// KeptNotice says where a checkpoint is kept of which less was taken up than it holds.
func KeptNotice(path, kept string) string {
	return fmt.Sprintf("what %s held is kept in %s until the search is decided, which has not taken up all of it; moved back, it serves with more memory", path, kept)
}

func (c *saver[P]) tellUnsaved(err error) { c.options.notice(UnsavedNotice(err)) }

func (c *saver[P]) tellKept(kept string) { c.options.notice(KeptNotice(c.file.Path(), kept)) }

// whyAnew says why nothing is used of what was saved.
func (c *saver[P]) whyAnew() string {
	if errors.Is(c.search.Anew(), proofnumber.ErrTableTooSmall) {
		return CrowdedNotice(c.file.Path())
	}
	return UntrueNotice(c.file.Path())
}

// UntrueNotice and CrowdedNotice say why a search that went on from a checkpoint began anew.
func UntrueNotice(path string) string {
	return path + " held what is not true: the search began anew"
}

func CrowdedNotice(path string) string {
	return "there was too little memory to make sure of what " + path + " held: the search began anew"
}

// save saves the search. Where the table turned out too small for what was loaded, that is kept.
func (c *saver[P]) save(ctx context.Context) error {
	if !c.crowded && errors.Is(c.search.Anew(), proofnumber.ErrTableTooSmall) {
		c.crowded = true
		c.file.Preserve(c.tellKept)
	}
	h := c.search.Checkpoint(c.about, c.seconds())
	h.Certificates = c.certificates
	return c.table.Save(ctx, c.file, h)
}

// finish ends the work on the file. A search that is not done is saved, though
// the context has ended, and finish gives the file's name. Otherwise the file
// goes.
func (c *saver[P]) finish(ctx context.Context, done bool) (path string, err error) {
	c.stop()
	switch {
	case c.file == nil && done:
		return "", nil
	case c.file == nil:
		return "", c.refused
	}
	path = c.file.Path()
	if done {
		err = c.file.Remove()
	} else {
		err = c.save(context.WithoutCancel(ctx))
	}
	c.file.Close()
	if done || err != nil {
		path = ""
	}
	return path, err
}
