package tablebase

import (
	"cmp"
	"context"
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
	readers [bitboard.MaxSlices]atomic.Pointer[sliceReader] // of the slices probed so far
	turns   sync.Pool                                       // *[]P, for the question whether the game is over
}

// NewProber makes a prober of a store for the game that it was opened for. cacheBytes bounds the chunks that it keeps decompressed; 0 stands
// for DefaultCacheBytes.
func NewProber[P comparable](store *Store, game Game[P], cacheBytes int64) *Prober[P] {
	if cacheBytes <= 0 {
		cacheBytes = DefaultCacheBytes
	}
	p := &Prober[P]{game: game, store: store, cache: newChunkCache(cacheBytes)}
	p.turns.New = func() any { return new([]P) }
	return p
}

// Probe is the value of a position for the side to move, with its distance
// where the slice was stored in dtw when it was first probed. Where the game is
// over, the distance is 0. A probe of a chunk in the cache allocates nothing.
//
// Errors: *MissingError, *ChunkError, *SliceError, ErrClosed.
func (p *Prober[P]) Probe(pos P) (bitboard.Outcome, error) {
	if p.over(pos) {
		return bitboard.Outcome{Value: p.game.Ended(pos), Distance: 0}, nil
	}
	return p.stored(p.game.Rank(pos))
}

// ProbeAll probes every position into the outcome of the same index, each
// chunk once however the positions are ordered. It stops at the first error.
func (p *Prober[P]) ProbeAll(ctx context.Context, positions []P, outcomes []bitboard.Outcome) error {
	type probe struct {
		ref bitboard.Ref
		to  int
	}
	probes := make([]probe, 0, len(positions))
	for i, pos := range positions {
		if p.over(pos) {
			outcomes[i] = bitboard.Outcome{Value: p.game.Ended(pos), Distance: 0}
			continue
		}
		probes = append(probes, probe{bitboard.MakeRef(p.game.Rank(pos)), i})
	}
	slices.SortFunc(probes, func(a, b probe) int { return cmp.Compare(a.ref, b.ref) })
	for _, q := range probes {
		if err := ctx.Err(); err != nil {
			return err
		}
		var err error
		if outcomes[q.to], err = p.stored(q.ref.Slice(), q.ref.Index()); err != nil {
			return err
		}
	}
	return nil
}

// over tells whether pos has no turns.
func (p *Prober[P]) over(pos P) bool {
	buffer := p.turns.Get().(*[]P)
	*buffer = p.game.Turns((*buffer)[:0], pos)
	over := len(*buffer) == 0
	p.turns.Put(buffer)
	return over
}

// stored is the value at an index, from the cache or the store.
func (p *Prober[P]) stored(s bitboard.Slice, index uint64) (bitboard.Outcome, error) {
	r, err := p.reader(s)
	if err != nil {
		return bitboard.Outcome{}, err
	}
	size := chunkIndices(r.metric)
	key := chunkKey{r.metric, s, index / size}
	c := p.cache.find(key)
	if c == nil {
		if c, err = r.readNew(key.number); err != nil {
			return bitboard.Outcome{}, err
		}
		p.cache.keep(key, c)
	}
	return c.outcome(index % size), nil
}

// reader finds a slice in the store, in dtw if possible.
func (p *Prober[P]) reader(s bitboard.Slice) (*sliceReader, error) {
	if r := p.readers[s].Load(); r != nil {
		return r, nil
	}
	name := p.game.SliceName(s)
	for _, m := range [...]bitboard.Metric{bitboard.DTW, bitboard.WDL} {
		info, ok := p.store.Slice(m, name)
		if !ok {
			continue
		}
		if err := checkIndices(info, p.game.Indices(s)); err != nil {
			return nil, &SliceError{m, name, err}
		}
		r := p.store.newSliceReader(m, info)
		p.readers[s].Store(r)
		return r, nil
	}
	return nil, &MissingError{Slice: name}
}
