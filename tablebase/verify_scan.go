package tablebase

import (
	"context"
	"errors"
	"fmt"

	"github.com/zeebo/xxh3"

	"paika/bitboard"
	"paika/internal/parallel"
)

// scan reads every chunk of every listed slice and compares what it finds with
// the manifest.
func (v *verifier[P]) scan(ctx context.Context) error {
	for m := range bitboard.Metric(metricCount) {
		for _, info := range v.store.Slices(m) {
			if err := v.scanSlice(ctx, m, info); err != nil {
				return err
			}
		}
	}
	return nil
}

// scanned is a chunk that was read, or could not be.
type scanned struct {
	packed   []byte
	sections []digest
	stored   int
	err      error
}

// scanner is what one worker reads with.
type scanner struct {
	buffers [][]byte // by slot
	hashers []sectionHasher
}

func (v *verifier[P]) newScanner() *scanner {
	return &scanner{make([][]byte, v.opts.Workers*parallel.SlotsPerWorker), make([]sectionHasher, v.opts.Workers)}
}

// read reads a chunk. Damage is no error of its own.
func (sc *scanner) read(r *sliceReader, worker, slot int, number uint64) (scanned, error) {
	if sc.buffers[slot] == nil {
		sc.buffers[slot] = make([]byte, maxPackedBytes)
	}
	c, stored, err := r.read(number, sc.buffers[slot])
	switch {
	case errors.Is(err, ErrClosed):
		return scanned{}, err
	case err != nil:
		return scanned{stored: stored, err: err}, nil
	}
	return scanned{c.packed, sc.hashers[worker].chunk(nil, &c), stored, nil}, nil
}

func (v *verifier[P]) scanSlice(ctx context.Context, m bitboard.Metric, info SliceInfo) error {
	s, sound := v.checkInfo(m, info)
	if !v.readable(info) {
		v.markBroken(m, info)
		return nil // the size of what is there is unknown
	}
	mask := heldMask(v.game, m, s)
	r, sc := v.store.newSliceReader(m, info, mask), v.newScanner()
	hash, sum := xxh3.New(), newFingerprint(v.store.id, m, info.Name, info.Indices)
	var bytes uint64
	chunks := chunkCount(m, info.Indices)
	err := parallel.InOrder(ctx, v.opts.Workers, chunks,
		func(worker, slot int, number uint64) (scanned, error) { return sc.read(r, worker, slot, number) },
		func(number uint64, c scanned) error {
			bytes += uint64(c.stored)
			hash.Write(c.packed)
			sum.add(c.sections)
			sound = v.checkChunk(m, info, number, c.err) && sound
			v.progress.Add(uint64(chunkLength(m, info.Indices, number)))
			return nil
		})
	if err != nil {
		return err
	}
	v.report.Chunks += chunks
	compare := func(what, stored, derived string) {
		if stored != derived {
			v.findings.add(Finding{Metric: m, Slice: info.Name, What: what, Stored: stored, Derived: derived})
			sound = false
		}
	}
	if sound {
		compare("checksum", info.Checksum, fmt.Sprintf("%016x", hash.Sum64()))
		compare("bytes", fmt.Sprint(info.Bytes), fmt.Sprint(bytes))
		if mask == nil {
			compare("fingerprint", info.Fingerprint, sum.String())
		}
	}
	if !sound {
		v.markBroken(m, info)
	}
	v.sums[m][s] = sum.String()
	return nil
}

// readable tells whether a slice has the size that the game gives it. What a
// manifest claims beyond that is not believed so far as to be read.
func (v *verifier[P]) readable(info SliceInfo) bool {
	s, err := v.game.ParseSlice(info.Name)
	return err == nil && v.game.Indices(s) == info.Indices
}

// checkChunk reports a chunk that could not be read, and why.
func (v *verifier[P]) checkChunk(m bitboard.Metric, info SliceInfo, number uint64, err error) bool {
	if err == nil {
		return true
	}
	var chunkErr *ChunkError
	if errors.As(err, &chunkErr) {
		err = chunkErr.Err
	}
	v.findings.add(Finding{
		Metric: m, Slice: info.Name, What: fmt.Sprintf("chunk %d", number), Index: number * chunkIndices(m),
		Stored: "values", Derived: err.Error(),
	})
	return false
}

// checkInfo compares what the manifest says of a slice with the game.
func (v *verifier[P]) checkInfo(m bitboard.Metric, info SliceInfo) (s bitboard.Slice, sound bool) {
	s, err := v.game.ParseSlice(info.Name)
	if err != nil {
		return s, false // reported by list
	}
	sound = true
	compare := func(what string, stored, derived uint64) {
		if stored != derived {
			v.findings.add(Finding{Metric: m, Slice: info.Name, What: what, Stored: fmt.Sprint(stored), Derived: fmt.Sprint(derived)})
			sound = false
		}
	}
	compare("indices", info.Indices, v.game.Indices(s))
	compare("positions", info.Positions, v.game.Positions(s))
	compare("sum of win, loss and draw", info.Win+info.Loss+info.Draw, v.game.Positions(s))
	compare("chunks", info.Chunks, chunkCount(m, info.Indices))
	return s, sound
}

// markBroken keeps a slice from being loaded.
func (v *verifier[P]) markBroken(m bitboard.Metric, info SliceInfo) {
	if s, err := v.game.ParseSlice(info.Name); err == nil {
		v.broken[m][s] = true
	}
}
