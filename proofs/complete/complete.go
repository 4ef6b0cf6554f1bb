package complete

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"paika/bitboard"
	"paika/internal/usage"
	"paika/proofs"
	"paika/proofs/internal/nodes"
	"paika/proofs/internal/ranks"
)

// Game is what completing needs of a game: every bitboard.Game has it.
type Game[P comparable] interface {
	proofs.Game[P]
	Groups() ([]bitboard.Group, error)
	Pieces(s bitboard.Slice) int
}

// Hints tell what positions are worth. Nothing relies on them: see the package. Calls of
// Has and Hint are safe for concurrent use.
type Hints[P comparable] interface {
	// Has tells whether positions of a slice can be known.
	Has(slice bitboard.Slice) bool

	// Ready is called, by one goroutine, before hints are asked for of a group's slices
	// and of those that the group needs. Groups come in the reverse order of the game's:
	// what no later group needs is not asked for again.
	Ready(ctx context.Context, group bitboard.Group) error

	// Hint is the outcome for the side to move, if it is known.
	Hint(p P) (outcome bitboard.Outcome, known bool)
}

// Options are the limits of completing.
type Options struct {
	// Workers is the number of goroutines; one by default.
	Workers int

	// Memory bounds the set of positions, in bytes; 1 GiB by default. What is found of a batch
	// comes beside it: 262,144 positions, and the turns of one member for each worker; and so do
	// four bytes for each rank of the certificate.
	Memory uint64

	// Choices, if they are there, are those of a call that was stopped, with the same
	// certificate, and grow by those of this one. To save them now and then is the
	// caller's affair.
	Choices *Choices

	// Progress, if it is there, is told now and then how many positions of how many
	// were looked at. The second grows.
	Progress func(done, known uint64)
}

const defaultMemory = 1 << 30

// Result is what was written.
type Result struct {
	Kept  uint64 // records of the given certificate
	Added uint64 // records that follow
}

// Positions is the number of records written.
func (r Result) Positions() uint64 { return r.Kept + r.Added }

// Write writes a certificate of the claim of another, with no tables. The game must be
// that of the other's header.
//
// What is written is a claim until it is checked. Errors: ErrParts, ErrNoDistance,
// ErrMemory, ErrChoices, ErrRank, *UnknownError, *ContradictionError, those of the file, of
// hints that are made ready, of writing, and the context's. What was written is no certificate then.
func Write[P comparable](ctx context.Context, out io.Writer, game Game[P], file *proofs.File, hints Hints[P], o Options) (Result, error) {
	h := file.Header
	if len(h.Parts) > 0 {
		return Result{}, ErrParts
	}
	claim, err := proofs.ParseClaim(h.Claim, game.SideName)
	if err != nil {
		return Result{}, err
	}
	root, side, err := game.Parse(h.Root)
	if err != nil {
		return Result{}, fmt.Errorf("%w: its root: %w", proofs.ErrFormat, err)
	}
	h.Tables = nil
	if o.Choices == nil {
		o.Choices = new(Choices)
	}
	c := &completion[P]{game: game, claim: claim, file: file, hints: hints, options: o}
	if c.out, err = proofs.NewWriter(out, proofs.Game[P](game), h, o.Workers); err != nil {
		return Result{}, err
	}
	defer c.out.Discard()
	c.set = nodes.New[P](cmp.Or(o.Memory, defaultMemory))
	defer c.set.Free()
	if err := c.complete(ctx, root, side); err != nil {
		return Result{}, err
	}
	return c.result, c.out.Close()
}

// completion is the making of one certificate.
type completion[P comparable] struct {
	game    Game[P]
	claim   proofs.Claim
	file    *proofs.File
	hints   Hints[P]
	options Options
	out     *proofs.Writer[P]

	set     *nodes.Set[P]
	given   uint64                        // members, the first ones, that have a record in the file
	left    [bitboard.MaxSlices][2]uint64 // members to look at, by their slice and the side to move
	highest uint32                        // rank of what was added
	order   ranks.Order                   // of the ranks of the file
	result  Result
}

// complete writes all records: first those that follow, whose ranks the others must pass.
func (c *completion[P]) complete(ctx context.Context, root P, side bitboard.Side) error {
	if err := c.collect(ctx); err != nil {
		return err
	}
	if err := c.leave(ctx, root, side); err != nil {
		return err
	}
	if err := c.follow(ctx); err != nil {
		return err
	}
	return c.copy(ctx)
}

// A given record is one of the file.
type given[P comparable] struct {
	proofs.Record
	position P
	side     bitboard.Side
}

// kept hands the records of the file over that are kept.
func (c *completion[P]) kept(ctx context.Context, do func(given[P]) error) error {
	return c.records(ctx, func(g given[P]) error {
		if c.dated(g.position) {
			return nil
		}
		return do(g)
	})
}

// records hands all records of the file over.
func (c *completion[P]) records(ctx context.Context, do func(given[P]) error) error {
	for rec, err := range c.file.Records(c.claim, c.file.Part().Checksum) {
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		g := given[P]{Record: rec}
		if g.position, g.side, err = c.game.Parse(rec.Position); err != nil {
			return fmt.Errorf("%w: %w", proofs.ErrFormat, err)
		}
		if err := do(g); err != nil {
			return err
		}
	}
	return nil
}

// dated tells whether a record of a position is made anew, by its distance to the win.
func (c *completion[P]) dated(p P) bool {
	return c.claim.Wins && c.hints.Has(c.game.SliceOf(p))
}

// collect makes the positions of the file members, and finds all its ranks.
func (c *completion[P]) collect(ctx context.Context) error {
	err := c.records(ctx, func(g given[P]) error {
		c.order.Add(g.Rank)
		if c.dated(g.position) {
			return nil
		}
		_, err := c.add(g.position, g.side)
		return err
	})
	c.given = c.set.Count()
	return err
}

// leave makes members of the positions to which turns of the file's records lead, and of
// the root.
func (c *completion[P]) leave(ctx context.Context, root P, side bitboard.Side) error {
	l := c.newLook()
	enter := func(to P, side bitboard.Side) error {
		adds, err := l.reach(to, side, c.set.Has(to, side))
		if err != nil || !adds {
			return err
		}
		return c.enter(to, side)
	}
	if err := enter(root, side); err != nil {
		return err
	}
	return c.kept(ctx, func(g given[P]) error {
		if g.Turn != proofs.AllTurns {
			t, err := c.game.ParseTurn(g.position, g.side, g.Turn)
			if err != nil {
				return &ContradictionError{g.Position, err.Error()}
			}
			return enter(t.To, g.side.Other())
		}
		var err error
		if l.turns, err = l.list(l.turns[:0], g.position, g.side); err != nil {
			return err
		}
		for _, to := range l.turns {
			if err := enter(to, g.side.Other()); err != nil {
				return err
			}
		}
		return nil
	})
}

// enter makes a position a member, which is to be looked at.
func (c *completion[P]) enter(p P, side bitboard.Side) error {
	added, err := c.add(p, side)
	if added {
		c.left[c.game.SliceOf(p)][side]++
	}
	return err
}

// add makes a position a member, and tells whether it is a new one.
func (c *completion[P]) add(p P, side bitboard.Side) (added bool, err error) {
	_, added, err = c.set.Add(p, side)
	if errors.Is(err, nodes.ErrFull) {
		err = fmt.Errorf("%w: %s of them take %s", ErrMemory, usage.Thousands(c.set.Count()), usage.Amount(c.set.Bytes()))
	}
	return added, err
}

// copy writes the records of the file that are kept, with ranks above all others: numbered
// without gaps, since a valid certificate may have any.
func (c *completion[P]) copy(ctx context.Context) error {
	return c.kept(ctx, func(g given[P]) error {
		rec := g.Record
		rec.Position = c.game.Format(g.position, g.side)
		if rec.Rank = c.order.Number(rec.Rank); rec.Rank > math.MaxUint32-c.highest {
			return ErrRank
		}
		rec.Rank += c.highest
		c.result.Kept++
		return c.out.Copy(rec)
	})
}
