package lookup

import (
	"cmp"
	"context"
	"errors"
	"sync"

	"paika/bitboard"
	"paika/tablebase"
)

// Lookup is a game on a board with the tables of a store, or with none.
type Lookup[P comparable] struct {
	game    tablebase.Game[P]
	board   bitboard.Board
	store   *tablebase.Store     // nil for no tables
	prober  *tablebase.Prober[P] // of the store
	missing *sync.Map            // error of every slice asked for in vain, by bitboard.Slice
	most    int                  // turns that the positions of a call may have together; 0 for no bound
}

// New makes a lookup in a store that was opened for the game on that board. A nil
// store is one without tables. The caller closes the store.
func New[P comparable](game tablebase.Game[P], board bitboard.Board, store *tablebase.Store) *Lookup[P] {
	l := &Lookup[P]{game: game, board: board, store: store, missing: new(sync.Map)}
	if store != nil {
		l.prober = tablebase.NewProber(store, game, 0)
	}
	return l
}

// In is the lookup that knows the tables in one metric alone.
func (l *Lookup[P]) In(m bitboard.Metric) *Lookup[P] {
	in := *l
	if l.prober != nil {
		in.prober = l.prober.In(m)
	}
	return &in
}

// Stored tells whether there are tables at all.
func (l *Lookup[P]) Stored() bool { return l.store != nil }

// Rated is a position and what is known of it.
type Rated[P comparable] struct {
	Position P
	Over     bool   // the rules alone decide it
	Rating   Rating // for the side to move

	// Where the rating is from tables: the slice of the position, and the metric in
	// which it was read.
	Slice  bitboard.Slice
	Metric bitboard.Metric

	Err error // why nothing is told, where a table can't be read: one of tablebase.Prober's Probe
}

// Rate rates positions in their order: by the rules where the game is over, else by
// the tables. Errors beside those of a position are that of ctx and tablebase.ErrClosed, which would
// meet every one.
func (l *Lookup[P]) Rate(ctx context.Context, positions []P) ([]Rated[P], error) {
	rated := make([]Rated[P], len(positions))
	var open []*Rated[P]
	for i, p := range positions {
		r := &rated[i]
		r.Position = p
		if r.Over = bitboard.Over(l.game, p); r.Over {
			r.Rating = l.ended(p)
		} else {
			open = append(open, r)
		}
	}
	return rated, l.probe(ctx, open)
}

// Probe rates positions by the tables alone, and does not ask whether the game is
// over. Those in slices that are not stored stay unknown. Errors are those of Rate.
func (l *Lookup[P]) Probe(ctx context.Context, positions []P) ([]Rated[P], error) {
	rated := make([]Rated[P], len(positions))
	all := make([]*Rated[P], len(positions))
	for i, p := range positions {
		rated[i].Position, all[i] = p, &rated[i]
	}
	return rated, l.probe(ctx, all)
}

// probe rates those positions whose slices are stored.
func (l *Lookup[P]) probe(ctx context.Context, all []*Rated[P]) error {
	metrics := make(map[bitboard.Slice]*bitboard.Metric) // nil for slices that are not stored
	var stored []*Rated[P]
	var asked []P
	for _, r := range all {
		s := l.game.SliceOf(r.Position)
		metric, seen := metrics[s]
		if !seen {
			if m, found := l.Metric(s); found {
				metric = &m
			}
			metrics[s] = metric
		}
		if metric != nil {
			r.Slice, r.Metric = s, *metric
			stored, asked = append(stored, r), append(asked, r.Position)
		}
	}
	if len(asked) == 0 {
		return nil
	}
	outcomes := make([]bitboard.Outcome, len(asked))
	err := l.prober.ProbeEach(ctx, asked, outcomes, func(i int, err error) error {
		if errors.Is(err, tablebase.ErrClosed) {
			return err
		}
		stored[i].Err = cmp.Or(stored[i].Err, err)
		return nil
	})
	if err != nil {
		return err
	}
	for i, r := range stored {
		if r.Err == nil {
			r.Rating = Rating{outcomes[i], true}
		}
	}
	return nil
}

// ended rates a position in which the game is over.
func (l *Lookup[P]) ended(p P) Rating {
	outcome := bitboard.Outcome{Value: l.game.Ended(p)}
	if outcome.Value == bitboard.Draw {
		outcome.Distance = bitboard.UnknownDistance
	}
	return Rating{outcome, true}
}

// Metric is the better one of those in which a slice is stored: dtw if it can be.
func (l *Lookup[P]) Metric(s bitboard.Slice) (m bitboard.Metric, stored bool) {
	if l.prober == nil {
		return 0, false
	}
	return l.prober.Metric(s)
}
