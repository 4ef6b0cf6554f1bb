package verify

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"paika/bitboard"
	"paika/tablebase"
)

// scan reads every chunk of every listed slice and compares what it finds with
// the manifest. Some tables it loads as it reads them, if they are sound.
func (v *verifier[P]) scan(ctx context.Context, load []place) error {
	for m := range bitboard.MetricCount {
		for _, info := range v.store.Slices(m) {
			if err := v.scanSlice(ctx, m, info, load); err != nil {
				return err
			}
		}
	}
	return nil
}

func (v *verifier[P]) scanSlice(ctx context.Context, m bitboard.Metric, info tablebase.SliceInfo, load []place) error {
	s, sound := v.checkInfo(m, info)
	if !v.readable(info) {
		v.markBroken(m, info)
		return nil // the size of what is there is unknown
	}
	if v.tables[m][s] == nil && slices.Contains(load, place{m, s}) {
		if _, err := v.makeTable(m, s); err != nil {
			return err
		}
	}
	found, err := v.store.Tables(m, v.game).ScanInto(ctx, info, v.tables[m][s], v.opts.Workers, func(c tablebase.ScannedChunk) {
		sound = v.checkChunk(m, info, c) && sound
		v.progress.Add(uint64(c.Indices))
	})
	if err != nil {
		return err
	}
	v.report.Chunks += found.Chunks
	compare := func(what, stored, derived string) {
		if stored != derived {
			v.findings.add(Finding{Metric: m, Slice: info.Name, What: what, Stored: stored, Derived: derived})
			sound = false
		}
	}
	if sound {
		compare("checksum", info.Checksum, found.Checksum)
		compare("bytes", fmt.Sprint(info.Bytes), fmt.Sprint(found.Bytes))
		if m != bitboard.WDL || !v.leavesOut[s] {
			compare("fingerprint", info.Fingerprint, found.Fingerprint)
		}
	}
	if !sound {
		v.markBroken(m, info)
		v.drop(m, s)
	}
	v.sums[m][s] = found.Fingerprint
	return nil
}

// readable tells whether a slice has the size that the game gives it. What a
// manifest claims beyond that is not believed so far as to be read.
func (v *verifier[P]) readable(info tablebase.SliceInfo) bool {
	s, err := v.game.ParseSlice(info.Name)
	return err == nil && v.game.Indices(s) == info.Indices
}

// checkChunk reports a chunk that could not be read, and why.
func (v *verifier[P]) checkChunk(m bitboard.Metric, info tablebase.SliceInfo, c tablebase.ScannedChunk) bool {
	if c.Err == nil {
		return true
	}
	err := c.Err
	var chunkErr *tablebase.ChunkError
	if errors.As(err, &chunkErr) {
		err = chunkErr.Err
	}
	v.findings.add(Finding{
		Metric: m, Slice: info.Name, What: fmt.Sprintf("chunk %d", c.Number), Index: c.First,
		Stored: err.Error(),
	})
	return false
}

// checkInfo compares what the manifest says of a slice with the game.
func (v *verifier[P]) checkInfo(m bitboard.Metric, info tablebase.SliceInfo) (s bitboard.Slice, sound bool) {
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
	compare("chunks", info.Chunks, tablebase.ChunkCount(m, info.Indices))
	return s, sound
}

// markBroken keeps a slice from being loaded.
func (v *verifier[P]) markBroken(m bitboard.Metric, info tablebase.SliceInfo) {
	if s, err := v.game.ParseSlice(info.Name); err == nil {
		v.broken[m][s] = true
	}
}
