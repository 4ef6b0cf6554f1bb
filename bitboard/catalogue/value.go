package catalogue

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"paika/bitboard"
	"paika/proofs"
)

// What says who wins.
const (
	ByTables = "tables"
	ByRules  = "rules" // the game is over
	BySearch = "search"
)

// ValueOptions bound a search, for games that have one, where tables say
// nothing.
type ValueOptions struct {
	Workers int
	Memory  uint64 // of the transposition table, in bytes; 0 for the search's own choice
	Nodes   uint64 // positions searched; 0 for no limit
	CGT     bool   // tell the canonical form

	// Checkpoint is a file that a search of one position is saved to now and
	// then and when it ends undecided, and goes on from; empty for none.
	Checkpoint string

	// Progress, if not nil, is called now and then with the nodes so far.
	Progress func(nodes uint64)
}

// Value is who wins from a position.
type Value struct {
	Position string  `json:"position"`
	Winner   string  `json:"winner"`        // a side or player, or "draw"
	Distance *int    `json:"distance"`      // in turns; null for draws and without dtw
	By       string  `json:"by"`            // ByTables, ByRules or BySearch
	CGT      string  `json:"cgt,omitempty"` // the canonical form, if asked for
	Nodes    uint64  `json:"nodes"`         // searched; tables need none
	Seconds  float64 `json:"seconds"`       // for many positions by tables together, their mean
}

// ErrNoCGT says that a game's positions have no values as combinatorial games.
var ErrNoCGT = errors.New("canonical forms are for games without draws that a player who cannot move loses, such as konane")

// ErrNoCheckpoint says that there is not one search to keep.
var ErrNoCheckpoint = errors.New("a checkpoint is for the search of one position, in a game that has a search, such as konane")

// Value tells who wins.
func (t *tables[P]) Value(ctx context.Context, positions []string, o ValueOptions) ([]Answer[Value], error) {
	if o.CGT && t.canonical == nil {
		return nil, ErrNoCGT
	}
	if o.Checkpoint != "" && (len(positions) != 1 || t.search == nil) {
		return nil, ErrNoCheckpoint
	}
	began := time.Now()
	all, err := answers(t, ctx, positions, func(ctx context.Context, roots []*node[P]) ([]Answer[Value], error) {
		leaves, err := t.leaves(ctx, roots, &o)
		if err != nil {
			return nil, err
		}
		defer leaves.free()
		results := make([]Answer[Value], 0, len(roots))
		for _, root := range roots {
			answer := t.value(ctx, root, leaves.tables, o)
			if ctx.Err() != nil {
				return nil, answer.Err
			}
			results = append(results, answer)
		}
		return results, nil
	})
	each := time.Since(began).Seconds() / float64(len(positions))
	for i := range all {
		if all[i].Result.Nodes == 0 {
			all[i].Result.Seconds = each
		}
	}
	return all, err
}

// leaves loads the stored tables that a search of the roots ends at, as many as
// fit in a quarter of its memory, small ones first, and takes what they
// need from that.
func (t *tables[P]) leaves(ctx context.Context, roots []*node[P], o *ValueOptions) (*shelf[P], error) {
	s := &shelf[P]{game: t.game}
	searched := func(root *node[P]) bool { return !root.over && !root.rating.known }
	if t.store == nil || t.search == nil || !slices.ContainsFunc(roots, searched) {
		return s, nil
	}
	named, err := t.stored(bitboard.AllPieces)(t.store)
	if err != nil {
		return nil, err
	}
	size := func(a, b proofs.Table) int { return cmp.Compare(t.tableBytes(a), t.tableBytes(b)) }
	slices.SortStableFunc(named, size)
	taken := uint64(0)
	for _, one := range named {
		bytes := t.tableBytes(one)
		if taken+bytes > o.Memory/4 {
			break
		}
		taken += bytes
		s.named = append(s.named, one)
	}
	err = s.load(ctx, t.store)
	if err == nil {
		err = t.complete(ctx, s, o.Workers)
	}
	if err != nil {
		s.free()
		return nil, err
	}
	o.Memory -= taken
	return s, nil
}

func (t *tables[P]) value(ctx context.Context, root *node[P], leaves []*bitboard.Table, o ValueOptions) Answer[Value] {
	v := Value{Position: t.game.Format(root.position, root.side), By: ByTables}
	switch {
	case root.over:
		v.By = ByRules
	case !root.rating.known && t.search == nil:
		err := t.missing(root.position)
		if t.unsearched != nil {
			err = fmt.Errorf("%w; %w", t.unsearched, err)
		}
		return Answer[Value]{Err: err}
	case !root.rating.known:
		began := time.Now()
		found, nodes, err := t.search(ctx, root.position, leaves, o)
		if err != nil {
			return Answer[Value]{Err: fmt.Errorf("after %d nodes: %w", nodes, err)}
		}
		v.By, v.Nodes, v.Seconds = BySearch, nodes, time.Since(began).Seconds()
		root.rating.Outcome = bitboard.Outcome{Value: found, Distance: bitboard.UnknownDistance}
	}
	v.Winner, v.Distance = t.winner(root), root.rating.distance()
	if o.CGT {
		form, err := t.canonical(ctx, root.position)
		if err != nil {
			return Answer[Value]{Err: err}
		}
		v.CGT = form
	}
	return Answer[Value]{Result: v}
}

// namedPlayers is a game whose players are not called by their sides all the
// time.
type namedPlayers[P comparable] interface {
	Players(p P, s bitboard.Side) (mover, opponent string)
}

func (t *tables[P]) winner(n *node[P]) string {
	mover, opponent := t.game.SideName(n.side), t.game.SideName(n.side.Other())
	if game, ok := t.game.(namedPlayers[P]); ok {
		mover, opponent = game.Players(n.position, n.side)
	}
	switch n.rating.Value {
	case bitboard.Win:
		return mover
	case bitboard.Loss:
		return opponent
	}
	return bitboard.Draw.String()
}
