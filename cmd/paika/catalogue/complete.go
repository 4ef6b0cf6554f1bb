package catalogue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"paika/cmd/paika/prover"
	"paika/internal/lasting"
	"paika/solver/checkpoint"
)

// CompleteOptions say where a completed certificate goes, and within which limits.
type CompleteOptions struct {
	Out      string            // file for it
	Workers  int               // goroutines, at least 1
	Memory   uint64            // bytes that the whole program may take
	Progress func(prover.Work) // called now and then, if not nil

	// Checkpoints, SaveEvery and Notice are those of prover.CompleteOptions.
	Checkpoints string
	SaveEvery   time.Duration
	Notice      func(string)
}

// Completed is a certificate that rests on the rules alone.
type Completed struct {
	File      string  `json:"file"`
	Checksum  string  `json:"checksum"` // in its seal
	Valid     bool    `json:"valid"`    // always: nothing else is kept
	Game      string  `json:"game"`
	Board     string  `json:"board"`
	Rules     string  `json:"rules"`
	Claim     string  `json:"claim"`
	Root      string  `json:"root"`
	Start     bool    `json:"start"`     // the root is the start position of the game
	Given     string  `json:"given"`     // the certificate to begin with
	Hints     int     `json:"hints"`     // slices that it ended in
	Kept      uint64  `json:"kept"`      // positions of the given one
	Added     uint64  `json:"added"`     // positions that follow
	Positions uint64  `json:"positions"` // both together
	Bytes     int64   `json:"bytes"`
	Passes    int     `json:"passes"`        // of the check over the file
	Checking  float64 `json:"check_seconds"` // of the seconds
	Seconds   float64 `json:"seconds"`
	Before    float64 `json:"seconds_before,omitzero"` // of them: of runs that were stopped, and that this one went on from
}

// Complete goes on below the tables of a certificate, down to the end of the game, with
// hints of the tables in a folder. The result is checked with the rules alone; where it
// is not valid there is no file. Work that is stopped is saved, and the next call about
// the same certificate goes on. Beside an error only Before is told.
//
// Errors: lasting.ErrInput where the file to write is the one given, and those of
// prover.Complete.
func (n *instance[P]) Complete(ctx context.Context, dir string, file *CertificateFile, o CompleteOptions) (Completed, error) {
	if err := lasting.NoInput(o.Out, file.Path); err != nil {
		return Completed{}, err
	}
	out, err := lasting.Create(ctx, o.Out)
	if err != nil {
		return Completed{}, err
	}
	defer out.Discard()
	return n.complete(ctx, dir, file, out, o, nil)
}

// complete is Complete into a file that was made, which may replace the one given: ready is called
// before, if it is not nil, with the checksum of what was made.
func (n *instance[P]) complete(ctx context.Context, dir string, file *CertificateFile, out *lasting.File, o CompleteOptions, ready func(checksum string)) (Completed, error) {
	began := time.Now()
	n, err := n.claimed(file)
	if err != nil {
		return Completed{}, err
	}
	made, err := prover.Complete(ctx, n.subject(), dir, file.proofs, out, prover.CompleteOptions{
		Workers: o.Workers, Memory: o.Memory, Watch: o.Progress,
		Checkpoints: o.Checkpoints, SaveEvery: o.SaveEvery, Notice: o.Notice, Ready: ready,
	})
	if err != nil {
		return Completed{Before: made.Before}, inFile(file.Path, err)
	}
	h := made.Report.Header
	return Completed{
		File: out.Path(), Checksum: made.Report.Checksum, Valid: made.Report.Valid(),
		Game: h.Game, Board: h.Board, Rules: h.Rules, Claim: h.Claim, Root: h.Root, Start: n.isStart(h.Root),
		Given: file.Path, Hints: len(file.proofs.Header.Tables),
		Kept: made.Kept, Added: made.Added, Positions: made.Positions(), Bytes: made.Bytes,
		Passes: made.Report.Passes, Checking: made.Report.Seconds, Seconds: made.Before + time.Since(began).Seconds(), Before: made.Before,
	}, nil
}

// completeProved completes the certificates of a proof, each in its place, in what is left of its time:
// one that is not completed stays as it is. The same call goes on from there, and so does paika complete.
// The seconds of the proof take in those of this, with what it went on from.
func (n *instance[P]) completeProved(ctx context.Context, dir string, proved *Proved, o ProveOptions) error {
	began := time.Now()
	defer func() { proved.Seconds += time.Since(began).Seconds() }()
	if !proved.ends.IsZero() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, proved.ends)
		defer cancel()
	}
	for i := range proved.Certificates {
		c := &proved.Certificates[i]
		before, err := n.completeInPlace(ctx, dir, c, o, proved.saved)
		proved.Seconds += before
		if err != nil {
			return late(uncompleted(c, err), c.Claim, proved.saved != nil && proved.saved.Recalled)
		}
	}
	return nil
}

// late is an error of completing where the time has ended: that stands for it, and for nothing else but
// work that could not be saved. What a certificate that was recalled proves is known at the end alone.
func late(err error, claim string, recalled bool) error {
	if !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	known := "is proved"
	if recalled {
		known = "was proved by a run before"
	}
	undecided := fmt.Errorf("%w: %s %s, its certificate without tables takes more", prover.ErrUndecided, claim, known)
	var unsaved *checkpoint.SaveError
	if errors.As(err, &unsaved) {
		return errors.Join(unsaved, undecided)
	}
	return undecided
}

// UncompletedError says that a certificate over tables was written of a claim, and that what was made of it
// proves nothing: tables are wrong that the search relied on, or that told how to go on. Whether
// the claim holds is not known.
type UncompletedError struct {
	File, Claim string
	Err         error
}

func (e *UncompletedError) Error() string {
	return fmt.Sprintf("%s is proved over tables alone, and not known to hold: %v", e.Claim, e.Err)
}

// Unwrap returns what is wrong.
func (e *UncompletedError) Unwrap() error { return e.Err }

// uncompleted is an error of completing a certificate that a search came to. What answers who asks about a
// certificate is no answer about its claim.
func uncompleted(c *Certificate, err error) error {
	if prover.Unfounded(err) {
		return &UncompletedError{c.File, c.Claim, err}
	}
	return err
}

// completeInPlace tells the seconds of runs before that it went on from, beside an error, too.
func (n *instance[P]) completeInPlace(ctx context.Context, dir string, c *Certificate, o ProveOptions, saved *prover.Saved) (before float64, err error) {
	file, err := OpenCertificate(ctx, c.File, nil)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	out, err := lasting.CreateRegular(c.File)
	if err != nil {
		return 0, err
	}
	defer out.Discard()
	made, err := n.complete(ctx, dir, file, out, CompleteOptions{
		Workers: o.Workers, Memory: o.Memory, Progress: o.Completing,
		Checkpoints: o.Checkpoints, SaveEvery: o.SaveEvery, Notice: o.Notice,
	}, func(checksum string) {
		file.Close()
		if saved != nil {
			saved.Completed(checksum)
		}
	})
	if err == nil {
		c.Positions, c.Bytes, c.Complete = made.Positions, made.Bytes, true
	}
	return made.Before, err
}
