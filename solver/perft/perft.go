package perft

import (
	"context"
	"fmt"
	"slices"

	"paika/bitboard"
	"paika/internal/parallel"
)

// Counting says which turns of a node count.
type Counting uint8

const (
	// Sequences counts every turn.
	Sequences Counting = iota
	// Positions counts one turn for each position that a node's turns lead to.
	Positions
)

var countings = [...]string{"sequences", "positions"}

func (c Counting) String() string { return countings[c] }

// ParseCounting reads "sequences" or "positions".
func ParseCounting(s string) (Counting, error) {
	i := slices.Index(countings[:], s)
	if i < 0 {
		return 0, fmt.Errorf("unknown counting %s: want sequences or positions", bitboard.Quote(s))
	}
	return Counting(i), nil
}

// Options say what to count and with how many goroutines.
type Options struct {
	Depth    int // turns, at least 1
	Counting Counting
	Workers  int // goroutines, at least 1; the counts do not depend on it
}

func (o Options) check() error {
	if o.Depth < 1 || o.Workers < 1 {
		return fmt.Errorf("perft to depth %d with %s: want at least 1 of each", o.Depth, bitboard.Count(o.Workers, "worker"))
	}
	return nil
}

// Count is the number of nodes at each depth, from 1 to o.Depth, below a
// position. It fails with the context's error, or on options out of range.
func Count[P comparable](ctx context.Context, game bitboard.Rules[P], root P, o Options) ([]uint64, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	frontier, upper := spread(game, root, o)
	lower, err := countBelow(ctx, game, frontier, o, o.Depth-len(upper))
	if err != nil {
		return nil, err
	}
	return append(upper, lower...), nil
}

// spread lists the nodes of the first ply that has enough of them to keep all
// workers busy, or else those above the last ply, and counts the nodes of each
// ply down to there.
func spread[P comparable](game bitboard.Rules[P], root P, o Options) (frontier []P, nodes []uint64) {
	const perWorker = 64
	w := newWalker(game, o.Counting, 1)
	frontier = []P{root}
	for len(nodes) < o.Depth-1 && len(frontier) < perWorker*o.Workers {
		var next []P
		for _, p := range frontier {
			next = append(next, w.successors(0, p)...)
		}
		frontier = next
		nodes = append(nodes, uint64(len(frontier)))
	}
	return frontier, nodes
}

// countBelow counts the nodes at each depth below all the nodes of a frontier.
func countBelow[P comparable](ctx context.Context, game bitboard.Rules[P], frontier []P, o Options, depth int) ([]uint64, error) {
	walkers := make([]*walker[P], o.Workers)
	for i := range walkers {
		walkers[i] = newWalker(game, o.Counting, depth)
	}
	err := parallel.Each(ctx, o.Workers, uint64(len(frontier)), func(ctx context.Context, worker int, i uint64) error {
		return walkers[worker].walk(ctx, 0, frontier[i])
	})
	if err != nil {
		return nil, err
	}
	nodes := make([]uint64, depth)
	for _, w := range walkers {
		for ply, n := range w.nodes {
			nodes[ply] += n
		}
	}
	return nodes, nil
}

// walker counts nodes on one goroutine.
type walker[P comparable] struct {
	game    bitboard.Rules[P]
	counter bitboard.Counter[P] // for the last ply; nil if turns must be listed to be counted
	merge   bool                // turns to the same position are one

	nodes   []uint64 // by ply
	buffers [][]P    // a node's successors, by ply
}

func newWalker[P comparable](game bitboard.Rules[P], counting Counting, depth int) *walker[P] {
	w := &walker[P]{game: game, merge: counting == Positions, nodes: make([]uint64, depth), buffers: make([][]P, depth)}
	if !w.merge {
		w.counter, _ = game.(bitboard.Counter[P])
	}
	return w
}

// walk adds the nodes below p, whose turns lead to a ply, to the counts.
func (w *walker[P]) walk(ctx context.Context, ply int, p P) error {
	last := ply == len(w.nodes)-1
	if last && w.counter != nil {
		w.nodes[ply] += uint64(w.counter.Count(p))
		return nil
	}
	successors := w.successors(ply, p)
	w.nodes[ply] += uint64(len(successors))
	if last {
		return nil
	}
	for _, q := range successors {
		if err := w.walk(ctx, ply+1, q); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// successors lists the turns of p that count, in the ply's buffer.
func (w *walker[P]) successors(ply int, p P) []P {
	list := w.game.Turns(w.buffers[ply][:0], p)
	if w.merge {
		list = distinct(list)
	}
	w.buffers[ply] = list
	return list
}

// distinct keeps the first of every position in a list, in place.
func distinct[P comparable](list []P) []P {
	const scannable = 48 // up to here, comparing all beats a map
	kept := list[:0]
	if len(list) <= scannable {
		for _, p := range list {
			if !slices.Contains(kept, p) {
				kept = append(kept, p)
			}
		}
		return kept
	}
	seen := make(map[P]struct{}, len(list))
	for _, p := range list {
		if _, again := seen[p]; !again {
			seen[p] = struct{}{}
			kept = append(kept, p)
		}
	}
	return kept
}

// Branch is a first turn and the number of nodes below it.
type Branch struct {
	Turn  string
	Nodes uint64
}

// Divide splits the count at o.Depth by first turns, in the order of the game's
// own list. Where turns to the same position are one, the first stands for all.
func Divide[P comparable](ctx context.Context, game interface {
	bitboard.Rules[P]
	bitboard.Notation[P]
}, root P, s bitboard.Side, o Options) ([]Branch, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	below := o
	below.Depth--
	var branches []Branch
	var reached []P
	for _, turn := range game.Notated(root, s) {
		if o.Counting == Positions && slices.Contains(reached, turn.To) {
			continue
		}
		reached = append(reached, turn.To)
		branch := Branch{Turn: turn.Notation, Nodes: 1}
		if below.Depth > 0 {
			nodes, err := Count(ctx, game, turn.To, below)
			if err != nil {
				return nil, err
			}
			branch.Nodes = nodes[below.Depth-1]
		}
		branches = append(branches, branch)
	}
	return branches, nil
}
