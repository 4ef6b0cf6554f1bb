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

func (c Counting) String() string {
	if int(c) < len(countings) {
		return countings[c]
	}
	return fmt.Sprintf("counting(%d)", uint8(c))
}

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
	Depth    int // turns, 1 to MostDepth
	Counting Counting
	Workers  int // goroutines, at least 1; the counts do not depend on it

	// Turns bounds the turns of a position that have to be listed, in a game that is a
	// bitboard.Prolific; 0 for no bound. Those of the last ply are counted without a list
	// where that is Sequences, and the game a bitboard.Counter.
	Turns int
}

// MostDepth bounds the depth: every ply has a list of its own.
const MostDepth = 1000

func (o Options) check() error {
	switch {
	case o.Depth < 1 || o.Depth > MostDepth:
		return fmt.Errorf("perft to depth %d: want 1 to %d", o.Depth, MostDepth)
	case int(o.Counting) >= len(countings):
		return fmt.Errorf("perft with %v: want %v or %v", o.Counting, Sequences, Positions)
	case o.Workers < 1:
		return fmt.Errorf("perft with %s: want at least 1", bitboard.Count(o.Workers, "worker"))
	case o.Turns < 0:
		return fmt.Errorf("perft with lists of %d turns: want 0 for no bound, or more", o.Turns)
	}
	return nil
}

// Count is the number of nodes at each depth, from 1 to o.Depth, below a
// position. It fails with the context's error, on options out of range, and with a
// *bitboard.TooManyTurnsError.
func Count[P comparable](ctx context.Context, game bitboard.Rules[P], root P, o Options) ([]uint64, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	return count(ctx, game, root, 0, o)
}

// count is Count from a position behind so many turns.
func count[P comparable](ctx context.Context, game bitboard.Rules[P], root P, turns int, o Options) ([]uint64, error) {
	frontier, upper, err := spread(ctx, game, root, turns, o)
	if err != nil {
		return nil, err
	}
	lower, err := countBelow(ctx, game, frontier, turns+len(upper), o, o.Depth-len(upper))
	if err != nil {
		return nil, err
	}
	return append(upper, lower...), nil
}

// spread lists the nodes of the first ply that has enough of them to keep all
// workers busy, or else those above the last ply, and counts the nodes of each
// ply down to there.
func spread[P comparable](ctx context.Context, game bitboard.Rules[P], root P, turns int, o Options) (frontier []P, nodes []uint64, err error) {
	const perWorker = 64
	w := newWalker(game, turns, o, 1)
	frontier = []P{root}
	for len(nodes) < o.Depth-1 && len(frontier) < perWorker*o.Workers {
		next, fits, err := w.spread(ctx, frontier)
		if err != nil {
			return nil, nil, err
		}
		if !fits {
			break
		}
		frontier = next
		nodes = append(nodes, uint64(len(frontier)))
		w.above++
	}
	return frontier, nodes, nil
}

// spread lists the nodes behind those of a frontier, if there are no more together than of one
// node may be listed.
func (w *walker[P]) spread(ctx context.Context, frontier []P) (next []P, fits bool, err error) {
	for _, p := range frontier {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		successors, err := w.successors(0, p)
		if err != nil {
			return nil, false, err
		}
		if w.turns > 0 && len(next) > 0 && len(next)+len(successors) > w.turns {
			return nil, false, nil
		}
		next = append(next, successors...)
	}
	return next, true, nil
}

// countBelow counts the nodes at each depth below all the nodes of a frontier, which lie behind so
// many turns.
func countBelow[P comparable](ctx context.Context, game bitboard.Rules[P], frontier []P, turns int, o Options, depth int) ([]uint64, error) {
	walkers := make([]*walker[P], o.Workers)
	for i := range walkers {
		walkers[i] = newWalker(game, turns, o, depth)
	}
	err := parallel.Each(ctx, o.Workers, uint64(len(frontier)), func(ctx context.Context, worker int, i uint64) error {
		w := walkers[worker]
		w.wanted = func() bool { return ctx.Err() == nil }
		return w.walk(ctx, 0, frontier[i])
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
	counter bitboard.Counter[P]      // for the last ply; nil if turns must be listed to be counted
	patient bitboard.CounterWhile[P] // the same, if it can be stopped
	wanted  func() bool              // tells whether it is not
	merge   bool                     // turns to the same position are one
	turns   int                      // of a node that are listed; 0 for no bound
	above   int                      // turns before those of ply 0

	nodes   []uint64 // by ply
	buffers [][]P    // a node's successors, by ply
}

func newWalker[P comparable](game bitboard.Rules[P], above int, o Options, depth int) *walker[P] {
	w := &walker[P]{game: game, merge: o.Counting == Positions, turns: o.Turns, above: above, nodes: make([]uint64, depth), buffers: make([][]P, depth)}
	if !w.merge {
		w.counter, _ = game.(bitboard.Counter[P])
		w.patient, _ = game.(bitboard.CounterWhile[P])
	}
	return w
}

// walk adds the nodes below p, whose turns lead to a ply, to the counts.
func (w *walker[P]) walk(ctx context.Context, ply int, p P) error {
	last := ply == len(w.nodes)-1
	if last && w.patient != nil {
		turns, all := w.patient.CountWhile(p, w.wanted)
		w.nodes[ply] += turns
		if !all {
			return ctx.Err()
		}
		return nil
	}
	if last && w.counter != nil {
		w.nodes[ply] += uint64(w.counter.Count(p))
		return nil
	}
	successors, err := w.successors(ply, p)
	if err != nil {
		return err
	}
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
func (w *walker[P]) successors(ply int, p P) ([]P, error) {
	if err := admit(w.game, p, w.above+ply, w.turns); err != nil {
		return nil, err
	}
	list := w.game.Turns(w.buffers[ply][:0], p)
	if w.merge {
		list = distinct(list)
	}
	w.buffers[ply] = list
	return list, nil
}

// admit fails where a position behind so many turns has more of its own than are listed.
func admit[P comparable](game bitboard.Rules[P], p P, behind, most int) error {
	if most > 0 && bitboard.MoreTurnsThan(game, p, most) {
		return &bitboard.TooManyTurnsError[P]{Position: p, Other: behind%2 == 1, Most: most}
	}
	return nil
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

// Divide is Count, with the nodes at the last depth by first turns, in the order of the game's
// own list. Where turns to the same position are one, the first stands for all.
func Divide[P comparable](ctx context.Context, game interface {
	bitboard.Rules[P]
	bitboard.Notation[P]
}, root P, s bitboard.Side, o Options) (nodes []uint64, branches []Branch, err error) {
	if err := o.check(); err != nil {
		return nil, nil, err
	}
	if err := admit(game, root, 0, o.Turns); err != nil {
		return nil, nil, err
	}
	below := o
	below.Depth--
	nodes = make([]uint64, o.Depth)
	reached := make(map[P]struct{})
	for _, turn := range game.Notated(root, s) {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		if o.Counting == Positions {
			if _, again := reached[turn.To]; again {
				continue
			}
			reached[turn.To] = struct{}{}
		}
		branch := Branch{Turn: turn.Notation, Nodes: 1}
		nodes[0]++
		if below.Depth > 0 {
			behind, err := count(ctx, game, turn.To, 1, below)
			if err != nil {
				return nil, nil, err
			}
			for i, n := range behind {
				nodes[i+1] += n
			}
			branch.Nodes = behind[below.Depth-1]
		}
		branches = append(branches, branch)
	}
	return nodes, branches, nil
}
