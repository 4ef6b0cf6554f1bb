package inspection

import (
	"context"
	"errors"
	"fmt"
	"io"

	"paika/bitboard"
	"paika/bitboard/ranking"
	"paika/internal/usage"
	"paika/proofs"
	"paika/tablebase"
	"paika/tablebase/verify"
)

// Game is a game on a board under one set of rules, whose tables are verified: what a hub
// and a worker need alike. Its methods are safe for concurrent use.
type Game interface {
	// Memory is about the number of bytes that the tables of the folder take here, before they are read:
	// the pieces of the largest group, and a table beside that, to be written. Errors are those of
	// tablebase.Open.
	Memory() (uint64, error)

	// Begin opens the tables of the folder and reads all of them. Watch is told how many
	// indices of how many. Errors: ErrMemory, and those of tablebase.Open and verify.Begin.
	Begin(ctx context.Context, watch func(done, total uint64)) (Verification, error)

	// Pieces loads the tables of a group. Errors: ErrMemory, and those of verify.LoadPieces.
	Pieces(ctx context.Context, g verify.Group, load verify.Loader) (Pieces, error)
}

// Opener opens a game whose tables are verified.
type Opener func(setting proofs.Setting) (Game, error)

// Verification is one that has begun. See verify.Verification, whose methods it has.
type Verification interface {
	Groups() []verify.Group
	Indices(slice string) uint64
	Take(group int, sums []verify.Sums) bool
	Derive(ctx context.Context, group int) error
	Report() verify.Report

	// Load loads the values of a table as they are stored, and Write writes them, to be read
	// elsewhere by ReadValues. They may be called at any time by many.
	Load(ctx context.Context, t verify.Table, into *bitboard.Table) error
	Write(ctx context.Context, t verify.Table, out io.Writer) error

	// Close closes the folder.
	Close() error
}

// ErrMemory says that tables take more memory than is allowed.
var ErrMemory = errors.New("too little memory")

// Options are the folder and the limits of a game.
type Options struct {
	Dir      string
	Workers  int    // goroutines, at least 1
	Memory   uint64 // bytes that the whole program may take
	Sharers  int    // of one program, who have a game each and an equal part of Memory; 1 by default
	Overhead uint64 // bytes of a part beside the tables of a group
}

// sharers is how many share the memory.
func (o Options) sharers() uint64 { return uint64(max(o.Sharers, 1)) }

// Part is what one of those who share the memory may take, in bytes.
func (o Options) Part() uint64 { return o.Memory / o.sharers() }

// Together is what all who share the memory take where each takes so many bytes.
func (o Options) Together(each uint64) (all uint64) {
	for range o.sharers() {
		all = ranking.Sum(all, each)
	}
	return all
}

// Admit refuses work on tables of so many bytes where it takes more memory than there is. What it takes
// is told of all who share the memory: with that there is enough for each.
func (o Options) Admit(doing string, tables uint64) error {
	need, together := ranking.Sum(tables, o.Overhead), ""
	if need <= o.Part() {
		return nil
	}
	if o.sharers() > 1 {
		together = " for hub and worker together"
	}
	return fmt.Errorf("%w: %s takes %s%s, and %s", ErrMemory, doing, usage.Needed(o.Together(need)), together, usage.Allowed(o.Memory))
}

// game is a Game.
type game[P comparable] struct {
	of      verify.Game[P]
	id      tablebase.Identity
	options Options
}

// New makes a Game of a typed one.
func New[P comparable](of verify.Game[P], id tablebase.Identity, o Options) Game {
	return &game[P]{of, id, o}
}

// admit refuses what takes more memory than there is.
func (g *game[P]) admit(tables uint64) error { return g.options.Admit("to verify", tables) }

// limits is what the verifier may take beside so many bytes that a store maps.
func (g *game[P]) limits(mapped uint64) verify.Options {
	part, beside := g.options.Part(), ranking.Sum(g.options.Overhead, mapped)
	return verify.Options{Workers: g.options.Workers, Memory: max(1, part-min(part, beside))}
}

// open opens the tables of the folder.
func (g *game[P]) open() (*tablebase.Store, error) {
	store, err := tablebase.Open(g.options.Dir, g.id, tablebase.Options{ReadOnly: true, Workers: g.options.Workers})
	if err != nil {
		return nil, err
	}
	if !verify.HasSlices(store) {
		return nil, errors.Join(fmt.Errorf("%s: %w: not one slice is stored", g.options.Dir, tablebase.ErrNoStore), store.Close())
	}
	return store, nil
}

func (g *game[P]) Memory() (bytes uint64, err error) {
	store, err := g.open()
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	var largest uint64
	for m := range bitboard.MetricCount {
		for _, info := range store.Slices(m) {
			if s, err := g.of.ParseSlice(info.Name); err == nil {
				largest = max(largest, bitboard.TableBytes(m, g.of.Indices(s)))
			}
		}
	}
	return ranking.Sum(verify.Memory(g.of, store, g.limits(store.MappedBytes())), largest), nil
}

func (g *game[P]) Begin(ctx context.Context, watch func(done, total uint64)) (v Verification, err error) {
	store, err := g.open()
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, store.Close())
		}
	}()
	o := g.limits(store.MappedBytes())
	o.Progress = watch
	if err := g.admit(verify.Memory(g.of, store, o)); err != nil {
		return nil, err
	}
	begun, err := verify.Begin(ctx, g.of, store, o)
	if err != nil {
		return nil, err
	}
	return &verification[P]{begun, g, store}, nil
}

func (g *game[P]) Pieces(ctx context.Context, group verify.Group, load verify.Loader) (Pieces, error) {
	need, err := verify.GroupMemory(g.of, group)
	if err == nil {
		err = g.admit(need)
	}
	if err != nil {
		return nil, err
	}
	return verify.LoadPieces(ctx, g.of, g.id, group, load, g.limits(0))
}

// verification is a Verification.
type verification[P comparable] struct {
	*verify.Verification[P]
	*game[P]
	store *tablebase.Store
}

func (v *verification[P]) Close() error { return v.store.Close() }

// Indices counts those of a slice; none of one that there is not.
func (v *verification[P]) Indices(slice string) uint64 {
	s, err := v.of.ParseSlice(slice)
	if err != nil {
		return 0
	}
	return v.of.Indices(s)
}

func (v *verification[P]) Write(ctx context.Context, t verify.Table, out io.Writer) error {
	metric, err := bitboard.ParseMetric(t.Metric)
	if err != nil {
		return err
	}
	slice, err := v.of.ParseSlice(t.Slice)
	if err != nil {
		return err
	}
	table := bitboard.NewTable(metric, slice, v.of.Indices(slice))
	if err := v.Load(ctx, t, table); err != nil {
		return err
	}
	return WriteValues(out, table)
}
