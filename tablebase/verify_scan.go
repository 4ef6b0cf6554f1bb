package tablebase

import (
	"context"
	"errors"
	"fmt"

	"github.com/zeebo/xxh3"

	"paika/bitboard"
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
	packed []byte
	stored int
	err    error
}

func (v *verifier[P]) scanSlice(ctx context.Context, m bitboard.Metric, info SliceInfo) error {
	sound := v.checkInfo(m, info)
	var mask bitboard.HeldMask
	if s, err := v.game.ParseSlice(info.Name); err == nil {
		mask = heldMask(v.game, m, s)
	}
	r := v.store.newSliceReader(m, info, mask)
	buffers := make([][]byte, v.opts.Workers*slotsPerWorker)
	hash := xxh3.New()
	var bytes uint64
	chunks := chunkCount(m, info.Indices)
	err := inOrder(ctx, v.opts.Workers, chunks,
		func(_, slot int, number uint64) (scanned, error) {
			if buffers[slot] == nil {
				buffers[slot] = make([]byte, maxPackedBytes)
			}
			c, stored, err := r.read(number, buffers[slot])
			if errors.Is(err, ErrClosed) {
				return scanned{}, err
			}
			return scanned{c.packed, stored, err}, nil
		},
		func(number uint64, c scanned) error {
			bytes += uint64(c.stored)
			hash.Write(c.packed)
			sound = v.checkChunk(m, info, number, c.err) && sound
			v.progress.add(uint64(chunkLength(m, info.Indices, number)))
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
	}
	if !sound {
		v.markBroken(m, info)
	}
	return nil
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
	v.findings.add(Finding{Metric: m, Slice: info.Name, What: fmt.Sprintf("chunk %d", number), Stored: "values", Derived: err.Error()})
	return false
}

// checkInfo compares what the manifest says of a slice with the game.
func (v *verifier[P]) checkInfo(m bitboard.Metric, info SliceInfo) bool {
	s, err := v.game.ParseSlice(info.Name)
	if err != nil {
		return false // reported by list
	}
	sound := true
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
	return sound
}

// markBroken keeps a slice from being loaded.
func (v *verifier[P]) markBroken(m bitboard.Metric, info SliceInfo) {
	if s, err := v.game.ParseSlice(info.Name); err == nil {
		v.broken[m][s] = true
	}
}
