package prover

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"paika/bitboard"
	"paika/internal/lasting"
	"paika/proofs"
	"paika/proofs/complete"
	"paika/tablebase"
)

// CompleteBytes is what completing takes at the least beside its tables, in bytes.
const CompleteBytes = 64 << 20

// CompleteOptions are the limits of completing a certificate.
type CompleteOptions struct {
	Workers int        // goroutines, at least 1
	Memory  uint64     // bytes that the whole program may take, tables included
	Watch   func(Work) // told how it goes, if it is not nil

	// Checkpoints is the folder where work that does not come to its end is saved, and
	// where the next one about the same certificate looks; empty for none. It is made
	// when it is needed.
	Checkpoints string

	SaveEvery time.Duration // between two times that it is saved; 0: only at the end
	Notice    func(string)  // told what the user should know of, if it is not nil

	// Ready is called, if it is not nil, once nothing more is read of the certificate given, and
	// before the completed one, which has that checksum, gets its name: Windows replaces no file that is open.
	Ready func(checksum string)
}

// Completed is a certificate that was completed, and checked with the rules alone.
type Completed struct {
	complete.Result
	Bytes  int64 // of the file
	Report proofs.Report
	Before float64 // seconds that runs took which were stopped, and that this one went on from
}

// LackingError says that tables are needed that a folder does not have. It is a
// tablebase.ErrNotStored.
type LackingError struct {
	Slices []string // the largest: with these come all the others
	Metric bitboard.Metric
}

func (e *LackingError) Error() string {
	return fmt.Sprintf("going on takes %v tables of %s, which are not stored", e.Metric, strings.Join(e.Slices, ", "))
}

// Is makes the error match tablebase.ErrNotStored.
func (e *LackingError) Is(target error) bool { return target == tablebase.ErrNotStored }

// RefusedError says that a certificate was completed, and does not prove its claim: the
// one to begin with or the tables are wrong.
type RefusedError struct{ Report proofs.Report }

func (e *RefusedError) Error() string {
	return "the completed certificate does not prove its claim, so that the one given or the tables are wrong" + e.Report.FirstFindings()
}

// pickBelow picks, of the tables in a folder, those that tell how to go on from some:
// these, and those of all that follows. A win takes distances. Its error is a
// *LackingError, or one of opening the folder.
func pickBelow[P comparable](of Subject[P], dir string, tables []proofs.Table, wins bool) ([]proofs.Table, error) {
	if len(tables) == 0 {
		return nil, nil
	}
	store, err := tablebase.Open(dir, of.Identity, tablebase.Options{ReadOnly: true, Workers: 1})
	if errors.Is(err, tablebase.ErrNoStore) {
		return below(of, tables, wins, nil)
	}
	if err != nil {
		return nil, err
	}
	named, err := below(of, tables, wins, stored(store))
	return named, errors.Join(err, store.Close())
}

// below is pickBelow of the tables that there are.
func below[P comparable](of Subject[P], tables []proofs.Table, wins bool, have []proofs.Table) ([]proofs.Table, error) {
	var edge []bitboard.Slice
	for _, t := range tables {
		slice, err := of.Game.ParseSlice(t.Slice)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", proofs.ErrFormat, err)
		}
		edge = append(edge, slice)
	}
	groups, err := of.Game.Groups()
	if err != nil {
		return nil, err
	}
	if wins {
		have = slices.DeleteFunc(have, func(t proofs.Table) bool { return t.Metric != bitboard.DTW.String() })
	}
	return pickGroups(of, bitboard.Closure(groups, edge), have, wins)
}

// pickGroups picks a table of every slice, the one that takes less memory.
func pickGroups[P comparable](of Subject[P], groups []bitboard.Group, have []proofs.Table, wins bool) (named []proofs.Table, err error) {
	var missing []bitboard.Slice
	for _, g := range groups {
		for _, slice := range g.Slices {
			name := of.Game.SliceName(slice)
			i := slices.IndexFunc(have, func(t proofs.Table) bool { return t.Slice == name })
			if i < 0 {
				missing = append(missing, slice)
				continue
			}
			named = append(named, have[i])
		}
	}
	if len(missing) == 0 {
		return named, nil
	}
	e := &LackingError{}
	if wins {
		e.Metric = bitboard.DTW
	}
	most := bitboard.PiecesOf(of.Game, bitboard.Group{Slices: missing})
	for _, slice := range missing {
		if of.Game.Pieces(slice) == most {
			e.Slices = append(e.Slices, of.Game.SliceName(slice))
		}
	}
	return nil, e
}

// Admit fails as Complete would for want of tables in a folder.
func Admit[P comparable](of Subject[P], dir string, tables []proofs.Table, wins bool) error {
	_, err := pickBelow(of, dir, tables, wins)
	return err
}

// Complete makes of a certificate that ends in tables one that rests on the rules alone,
// with hints of the tables in a folder, and checks it before it is kept. The certificate
// given is believed in nothing. The subject's game names sides as its claim does.
//
// Work that is stopped is saved where the options say, and the next call about the same
// certificate goes on from there. Its error is a *StoppedError then.
//
// Beside an error only Before is told.
//
// Errors: *MemoryError and *LackingError before any work, *RefusedError, those of loading
// tables, of complete.Write and of writing. They wrap checkpoint.ErrFormat or
// checkpoint.ErrOther where what is saved can't be used, and lasting.ErrLocked where
// somebody else goes on with it. The file is not kept then.
func Complete[P comparable](ctx context.Context, of Subject[P], dir string, file *proofs.File, out *lasting.File, o CompleteOptions) (Completed, error) {
	began := time.Now()
	claim, err := proofs.ParseClaim(file.Header.Claim, of.Game.SideName)
	if err != nil {
		return Completed{}, fmt.Errorf("%w: %w", proofs.ErrFormat, err)
	}
	h, err := newHints(of, dir, file.Header.Tables, claim.Wins, o)
	if err != nil {
		return Completed{}, err
	}
	saved, err := takeUp(ctx, began, of, file, o)
	if err != nil {
		return Completed{}, err
	}
	made, err := completeBy(ctx, h, file, out, o, saved)
	made.Before = saved.spent
	return made, saved.finish(ctx, err)
}

// completeBy writes and checks a certificate. It takes the hints with it.
func completeBy[P comparable](ctx context.Context, h *hints[P], file *proofs.File, out *lasting.File, o CompleteOptions, saved *completion) (Completed, error) {
	result, err := follow(ctx, h, file, out, o, saved)
	if err != nil {
		return Completed{}, err
	}
	at, size, err := out.Written()
	if err != nil {
		return Completed{}, err
	}
	written, err := proofs.Open(at, size)
	if err != nil {
		return Completed{}, err
	}
	of := h.of
	chain := NewChain(of, NewShelf(of), o.Workers, o.Memory, o.Watch)
	report, err := chain.Check(ctx, proofs.Source{Name: out.Path(), File: written, Setting: proofs.Setting(of.Identity)})
	if err != nil {
		return Completed{}, err
	}
	if !report.Valid() {
		return Completed{}, &RefusedError{report}
	}
	if o.Ready != nil {
		o.Ready(report.Checksum)
	}
	bytes, err := out.Keep()
	return Completed{Result: result, Bytes: bytes, Report: report}, err
}

// follow writes a certificate. The memory is free again when it returns.
func follow[P comparable](ctx context.Context, h *hints[P], file *proofs.File, out *lasting.File, o CompleteOptions, saved *completion) (complete.Result, error) {
	defer h.Free()
	return complete.Write(ctx, out, h.of.Game, file, h, complete.Options{
		Workers: o.Workers, Memory: max(o.Memory, h.most+CompleteBytes) - h.most - CompleteBytes/2,
		Choices: &saved.choices,
		Progress: func(done, known uint64) {
			saved.looked.Store(done)
			if o.Watch != nil {
				o.Watch(Work{"completing " + out.Path(), "position", done, known})
			}
		},
	})
}
