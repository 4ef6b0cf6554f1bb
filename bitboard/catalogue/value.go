package catalogue

import (
	"context"
	"time"

	"paika/bitboard"
)

// What says who wins.
const (
	ByTables = "tables"
	ByRules  = "rules" // the game is over
)

// Value is who wins from a position.
type Value struct {
	Position string  `json:"position"`
	Winner   string  `json:"winner"`   // a side or player, or "draw"
	Distance *int    `json:"distance"` // in turns; null for draws and without dtw
	By       string  `json:"by"`       // ByTables or ByRules
	Nodes    uint64  `json:"nodes"`    // searched; tables need none
	Seconds  float64 `json:"seconds"`  // for many positions together, their mean
}

// Value tells who wins.
func (t *tables[P]) Value(ctx context.Context, positions []string) ([]Answer[Value], error) {
	began := time.Now()
	all, err := answers(t, ctx, positions, func(_ context.Context, roots []*node[P]) ([]Answer[Value], error) {
		results := make([]Answer[Value], 0, len(roots))
		for _, root := range roots {
			results = append(results, t.value(root))
		}
		return results, nil
	})
	each := time.Since(began).Seconds() / float64(len(positions))
	for i := range all {
		all[i].Result.Seconds = each
	}
	return all, err
}

func (t *tables[P]) value(root *node[P]) Answer[Value] {
	if !root.rating.known {
		return Answer[Value]{Err: t.missing(root.position)}
	}
	v := Value{
		Position: t.game.Format(root.position, root.side),
		Winner:   t.winner(root),
		Distance: root.rating.distance(),
		By:       ByTables,
	}
	if root.over {
		v.By = ByRules
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
