package prover

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync/atomic"
	"time"

	"paika/proofs"
	"paika/proofs/complete"
	"paika/solver/checkpoint"
)

// completion is what is kept of the completing of a certificate, so that it can go on.
type completion struct {
	choices complete.Choices
	looked  atomic.Uint64    // positions that were looked at
	before  uint64           // of them, in what was taken up
	began   time.Time        // this run
	spent   float64          // seconds, by runs before that this one goes on from
	file    *checkpoint.File // nil: nothing is saved
	about   string
	stop    func()       // ends the saving at intervals
	notice  func(string) // told what the user should know of
}

// StoppedError says that completing was stopped, and saved. It wraps the reason.
type StoppedError struct {
	Checkpoint string // the file
	Positions  uint64 // that need not be looked for again
	Err        error
}

func (e *StoppedError) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e *StoppedError) Unwrap() error { return e.Err }

// takeUp opens the file for completing a certificate, and takes up what it has. A folder
// that can't be written to is told, and keeps no one from completing. The run began then.
func takeUp[P comparable](ctx context.Context, began time.Time, of Subject[P], file *proofs.File, o CompleteOptions) (*completion, error) {
	c := &completion{began: began, stop: func() {}, notice: func(string) {}}
	if o.Notice != nil {
		c.notice = o.Notice
	}
	if o.Checkpoints == "" || len(file.Header.Tables) == 0 {
		return c, nil
	}
	id, claim, sum := of.Identity, file.Header.Claim, file.Part().Checksum
	saved, err := checkpoint.OpenOwn(o.Checkpoints, completionName(claim, sum))
	var refused *checkpoint.SaveError
	if errors.As(err, &refused) {
		c.notice(unsavedNotice(err))
		return c, nil
	}
	if err != nil {
		return nil, err
	}
	c.about = fmt.Sprintf("%s on %s, rules %s, completing %s with checksum %s", id.Game, id.Board, id.Rules, claim, sum)
	full := false
	restore := func(first, second uint64) bool {
		restored := c.choices.Restore(first, second)
		full = c.choices.Bytes() >= o.Memory/choicesShare
		return restored && !full
	}
	header, err := saved.Load(ctx, complete.ChoicesFormat, c.about, restore)
	if full {
		err = fmt.Errorf("%s: %w: what is saved there takes an eighth of it", saved.Path(), complete.ErrMemory)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		saved.Close()
		return nil, err
	}
	c.before, c.spent = header.Nodes, header.Seconds
	if c.before > 0 {
		c.notice(GoingOn(c.before, "position", "looked at", saved.Path()))
	}
	c.file, c.stop = saved, checkpoint.Every(ctx, o.SaveEvery, c.saveTo(saved), func(err error) {
		c.notice(UnsavedNotice(err))
	})
	return c, nil
}

// completionName names the file for completing a certificate of a claim.
func completionName(claim, checksum string) string {
	return fmt.Sprintf("complete-%s-%s.search", claim, checksum)
}

// choicesShare bounds choices by the memory for all: a position takes many times more.
const choicesShare = 8

func (c *completion) saveTo(file *checkpoint.File) func(context.Context) error {
	return func(ctx context.Context) error {
		return file.Save(ctx, checkpoint.Header{Format: complete.ChoicesFormat, About: c.about, Nodes: c.reached(), Seconds: c.seconds()}, c.choices.Entries())
	}
}

// reached is how many positions the choices are good for: those that were taken up stay,
// though they are looked at anew.
func (c *completion) reached() uint64 { return max(c.before, c.looked.Load()) }

// seconds is the time that all runs have taken, this one so far.
func (c *completion) seconds() float64 { return c.spent + time.Since(c.began).Seconds() }

// finish ends the work on the file, and gives the error for what the work came to. Where
// the next call can come further the choices are saved, though the context has ended.
// Otherwise the file goes.
func (c *completion) finish(ctx context.Context, err error) error {
	c.stop()
	if c.file == nil {
		return err
	}
	err = c.settle(context.WithoutCancel(ctx), err)
	c.file.Close()
	return err
}

// settle saves the choices, or removes the file.
func (c *completion) settle(ctx context.Context, err error) error {
	path := c.file.Path()
	switch {
	case errors.Is(err, complete.ErrChoices):
		return fmt.Errorf("%s: %w: %w; remove the file to start anew", path, checkpoint.ErrFormat, err)
	case answered(err):
		if left := c.file.Remove(); left != nil {
			c.notice(left.Error())
		}
		return err
	case c.looked.Load() == 0: // what was saved before stands
		return err
	}
	if unsaved := c.saveTo(c.file)(ctx); unsaved != nil {
		return errors.Join(unsaved, err)
	}
	return &StoppedError{path, c.reached(), err}
}

// answered tells whether the next call would come to the same.
func answered(err error) bool {
	return err == nil || Unfounded(err) || errors.Is(err, complete.ErrNoDistance)
}

// Unfounded tells whether an error of completing a certificate says that it, or a table, is wrong.
func Unfounded(err error) bool {
	var (
		refused *RefusedError
		wrong   *complete.ContradictionError
		unknown *complete.UnknownError
	)
	return errors.As(err, &refused) || errors.As(err, &wrong) || errors.As(err, &unknown)
}
