package tablebase

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"paika/bitboard"
)

// Game is what probing needs of a game: every bitboard.Game has it.
type Game[P comparable] interface {
	bitboard.Rules[P]
	bitboard.Space[P]
}

// DefaultCacheBytes is the size of a Prober's cache where none is given.
const DefaultCacheBytes = 64 << 20

// Prober reads values position by position. It is safe for concurrent use, as
// long as its store is open.
type Prober[P comparable] struct {
	game    Game[P]
	store   *Store
	cache   *chunkCache
	metrics []bitboard.Metric                               // those to read a slice in, the first one in which it is stored
	sparse  bitboard.Sparse[P]                              // the game, if it is one
	readers [bitboard.MaxSlices]atomic.Pointer[sliceReader] // of the slices probed so far
	turns   sync.Pool                                       // *[]P, for the turns of a position
}

// NewProber makes a prober of a store for the game that it was opened for. cacheBytes bounds the
// chunks that it keeps decompressed; 0 stands for DefaultCacheBytes.
func NewProber[P comparable](store *Store, game Game[P], cacheBytes int64) *Prober[P] {
	if cacheBytes <= 0 {
		cacheBytes = DefaultCacheBytes
	}
	return newProber(store, game, newChunkCache(cacheBytes), bitboard.DTW, bitboard.WDL)
}

// In makes a prober that knows the tables in one metric alone. Both share a cache.
func (p *Prober[P]) In(m bitboard.Metric) *Prober[P] { return newProber(p.store, p.game, p.cache, m) }

func newProber[P comparable](store *Store, game Game[P], cache *chunkCache, metrics ...bitboard.Metric) *Prober[P] {
	p := &Prober[P]{game: game, store: store, cache: cache, metrics: metrics}
	p.turns.New = func() any { return new([]P) }
	p.sparse, _ = game.(bitboard.Sparse[P])
	return p
}

// Metric is the one in which the values of a slice are read: dtw, if it is stored so and the prober
// is not In another one.
func (p *Prober[P]) Metric(s bitboard.Slice) (m bitboard.Metric, stored bool) {
	m, _, stored = p.find(p.game.SliceName(s))
	return m, stored
}

// find is the metric in which a slice is read, with what is stored of it.
func (p *Prober[P]) find(name string) (m bitboard.Metric, info SliceInfo, stored bool) {
	for _, m := range p.metrics {
		if info, stored := p.store.Slice(m, name); stored {
			return m, info, true
		}
	}
	return 0, SliceInfo{}, false
}

// Probe is the value of a position for the side to move, with its distance
// where the slice was stored in dtw when it was first probed. Where the game is
// over, the distance is 0. A probe of chunks in the cache allocates nothing.
//
// Errors: *MissingError, *ChunkError, *SliceError, ErrClosed.
func (p *Prober[P]) Probe(pos P) (bitboard.Outcome, error) {
	turns, out, err := p.follow(pos)
	defer p.turns.Put(turns)
	switch {
	case err != nil:
		return bitboard.Outcome{}, err
	case !out:
		return p.held(pos, *turns)
	}
	best := unknownLoss
	for _, next := range *turns {
		after := p.generate(next)
		reply, err := p.held(next, *after)
		p.turns.Put(after)
		if err != nil {
			return bitboard.Outcome{}, err
		}
		if best = better(best, reply.Value); best.Value == bitboard.Win {
			break
		}
	}
	return best, nil
}

// ProbeAll probes every position into the outcome of the same index, each
// chunk once however the positions are ordered. There is an outcome for each position.
// It stops at the first error.
func (p *Prober[P]) ProbeAll(ctx context.Context, positions []P, outcomes []bitboard.Outcome) error {
	return p.ProbeEach(ctx, positions, outcomes, func(_ int, err error) error { return err })
}

// ProbeEach is ProbeAll that goes on past what it can't find. It tells failed the index of a position
// with an error of Probe, once for every place in a table that can't be read, and the outcome of that index means
// nothing. Where failed returns an error, that ends it, and so does that of ctx.
func (p *Prober[P]) ProbeEach(ctx context.Context, positions []P, outcomes []bitboard.Outcome, failed func(i int, err error) error) error {
	if len(outcomes) < len(positions) {
		return fmt.Errorf("there is room for %d outcomes of %d positions", len(outcomes), len(positions))
	}
	probes := make([]probe, 0, len(positions))
	for i, pos := range positions {
		planned, err := p.plan(probes, pos, i, outcomes)
		if err == nil {
			probes = planned
		} else if err := failed(i, err); err != nil {
			return err
		}
	}
	slices.SortFunc(probes, func(a, b probe) int { return cmp.Compare(a.ref, b.ref) })
	for _, q := range probes {
		if err := ctx.Err(); err != nil {
			return err
		}
		found, err := p.stored(q.ref.Slice(), q.ref.Index())
		if err != nil {
			if err := failed(q.to, err); err != nil {
				return err
			}
			continue
		}
		if q.reply {
			found = better(outcomes[q.to], found.Value)
		}
		outcomes[q.to] = found
	}
	return nil
}

// probe is a look into a table for an outcome that is asked for, or for a
// position that a turn leads to from one whose outcome is.
type probe struct {
	ref   bitboard.Ref
	to    int
	reply bool
}

// plan appends the probes that the outcome of one position takes, and sets what
// is known of it without them.
func (p *Prober[P]) plan(probes []probe, pos P, to int, outcomes []bitboard.Outcome) ([]probe, error) {
	turns, out, err := p.follow(pos)
	defer p.turns.Put(turns)
	switch {
	case err != nil:
		return probes, err
	case len(*turns) == 0:
		outcomes[to] = bitboard.Outcome{Value: p.game.Ended(pos), Distance: 0}
		return probes, nil
	case !out:
		ref, err := p.place(pos)
		return append(probes, probe{ref, to, false}), err
	}
	outcomes[to] = unknownLoss
	for _, next := range *turns {
		after := p.generate(next)
		over := len(*after) == 0
		p.turns.Put(after)
		if over {
			outcomes[to] = better(outcomes[to], p.game.Ended(next))
			continue
		}
		ref, err := p.place(next)
		if err != nil {
			return probes, err
		}
		probes = append(probes, probe{ref, to, true})
	}
	return probes, nil
}

// place is where the value of a position that is not over lies. Errors are those of reader: where its
// slice is not stored it need have no index.
func (p *Prober[P]) place(pos P) (bitboard.Ref, error) {
	if _, err := p.reader(p.game.SliceOf(pos)); err != nil {
		return 0, err
	}
	return bitboard.MakeRef(p.game.Rank(pos)), nil
}

// unknownLoss is what a position is worth while none of its turns are known.
var unknownLoss = bitboard.Outcome{Value: bitboard.Loss, Distance: bitboard.UnknownDistance}

// better is the better one of what a position was worth before and of a turn
// that leads to that value for the opponent.
func better(before bitboard.Outcome, next bitboard.Value) bitboard.Outcome {
	if reply := next.Reply(); reply == bitboard.Win || before.Value == bitboard.Loss {
		before.Value = reply
	}
	return before
}

// Find calls yield with the positions of a slice that have an outcome, of those
// whose values the table holds, in the order of indices, until yield answers false:
// with its distance where the slice was stored in dtw when it was first probed,
// else with UnknownDistance. It reads the slice up to there, beside the cache.
// Errors: *MissingError, *ChunkError, *SliceError, ErrClosed, the context's.
func (p *Prober[P]) Find(ctx context.Context, s bitboard.Slice, want bitboard.Outcome, yield func(P) bool) error {
	r, err := p.reader(s)
	if err != nil {
		return err
	}
	buffer, size := make([]byte, maxPackedBytes), chunkIndices(r.metric)
	for number := range ChunkCount(r.metric, r.indices) {
		if err := ctx.Err(); err != nil {
			return err
		}
		c, _, err := r.read(number, buffer)
		if err != nil {
			return err
		}
		for i := range uint64(c.n) {
			if c.outcome(i) != want {
				continue
			}
			pos, weight := p.game.Unrank(s, number*size+i)
			if weight > 0 && (!r.leavesOut || p.sparse.Holds(pos)) && !yield(pos) {
				return nil
			}
		}
	}
	return nil
}

// generate lists the turns of pos in memory of the pool.
func (p *Prober[P]) generate(pos P) *[]P {
	buffer := p.turns.Get().(*[]P)
	*buffer = p.game.Turns((*buffer)[:0], pos)
	return buffer
}

// follow lists the turns of pos, and tells whether its value is left out of the
// table, and follows from where they lead.
func (p *Prober[P]) follow(pos P) (turns *[]P, out bool, err error) {
	turns = p.generate(pos)
	if p.sparse == nil || len(*turns) == 0 {
		return turns, false, nil
	}
	r, err := p.reader(p.game.SliceOf(pos))
	return turns, err == nil && r.leavesOut && !p.sparse.Holds(pos), err
}

// held is the value of a position that a table has, or where the game is over.
func (p *Prober[P]) held(pos P, turns []P) (bitboard.Outcome, error) {
	if len(turns) == 0 {
		return bitboard.Outcome{Value: p.game.Ended(pos), Distance: 0}, nil
	}
	ref, err := p.place(pos)
	if err != nil {
		return bitboard.Outcome{}, err
	}
	return p.stored(ref.Slice(), ref.Index())
}

// stored is the value at an index, from the cache or the store.
func (p *Prober[P]) stored(s bitboard.Slice, index uint64) (bitboard.Outcome, error) {
	r, err := p.reader(s)
	if err != nil {
		return bitboard.Outcome{}, err
	}
	size := chunkIndices(r.metric)
	c, err := p.chunk(r, s, index/size)
	if err != nil {
		return bitboard.Outcome{}, err
	}
	return c.outcome(index % size), nil
}

// chunk is a chunk of a slice, from the cache or the store.
func (p *Prober[P]) chunk(r *sliceReader, s bitboard.Slice, number uint64) (*chunk, error) {
	key := chunkKey{r.metric, s, number}
	if c := p.cache.find(key); c != nil {
		return c, nil
	}
	c, err := r.readNew(number)
	if err == nil {
		p.cache.keep(key, c)
	}
	return c, err
}

// reader finds a slice in the store, in dtw if possible.
func (p *Prober[P]) reader(s bitboard.Slice) (*sliceReader, error) {
	if r := p.readers[s].Load(); r != nil {
		return r, nil
	}
	name := p.game.SliceName(s)
	m, info, stored := p.find(name)
	if !stored {
		return nil, &MissingError{Slice: name}
	}
	if err := checkIndices(info, p.game.Indices(s)); err != nil {
		return nil, &SliceError{m, name, err}
	}
	r := p.store.newSliceReader(context.Background(), m, info, p.game)
	if err := p.checkNeeds(r, s); err != nil {
		return nil, err
	}
	if !r.unsure {
		p.readers[s].Store(r)
	}
	return r, nil
}

// checkNeeds sees that one look ahead is enough: what a slice that leaves values out
// leads to is whole, as far as it is stored. Where that can't be read now, r is unsure of it.
func (p *Prober[P]) checkNeeds(r *sliceReader, s bitboard.Slice) error {
	if !r.leavesOut {
		return nil
	}
	groups, err := p.game.Groups()
	if err != nil {
		return err
	}
	for _, g := range groups {
		if !slices.Contains(g.Slices, s) {
			continue
		}
		for _, need := range g.Needs {
			below, err := p.reader(need)
			if err != nil {
				continue
			}
			if below.leavesOut {
				err := fmt.Errorf("%w: it leaves out values that follow from those that %s leaves out", ErrDamaged, below.name)
				return &SliceError{r.metric, r.name, err}
			}
			r.unsure = r.unsure || below.unsure
		}
	}
	return nil
}
