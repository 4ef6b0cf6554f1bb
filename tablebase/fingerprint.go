package tablebase

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"slices"

	"paika/bitboard"
	"paika/internal/parallel"
)

// A fingerprint tells tables apart by what they say, and by nothing else: the
// package comment defines it. Its values are hashed a section at a time, so that
// several workers can do it.

// FingerprintVersion is that of the definition. Fingerprints of another version would
// differ for the same values.
const FingerprintVersion = 1

// sectionIndices is the number of indices of a section; the last one of a slice
// is shorter. It is part of the definition, and divides every chunk.
const sectionIndices = 1 << 14

// digest is the SHA-256 of a section's values.
type digest = [sha256.Size]byte

// fingerprintHeading begins what is hashed.
func fingerprintHeading(id Identity, m bitboard.Metric) string {
	return fmt.Sprintf("paika fingerprint %d\ngame %s\nboard %s\nrules %s\nmetric %v\n", FingerprintVersion, id.Game, id.Board, id.Rules, m)
}

// sliceHeading begins what is hashed of a slice.
func sliceHeading(id Identity, m bitboard.Metric, slice string, indices uint64) string {
	return fmt.Sprintf("%sslice %s\nindices %d\n", fingerprintHeading(id, m), slice, indices)
}

// fingerprint adds up to that of one slice.
type fingerprint struct{ hash hash.Hash }

func newFingerprint(id Identity, m bitboard.Metric, slice string, indices uint64) fingerprint {
	f := fingerprint{sha256.New()}
	io.WriteString(f.hash, sliceHeading(id, m, slice, indices))
	return f
}

// add adds the digests of the sections that follow.
func (f fingerprint) add(sections []digest) {
	for i := range sections {
		f.hash.Write(sections[i][:])
	}
}

func (f fingerprint) String() string { return hex.EncodeToString(f.hash.Sum(nil)) }

// Fingerprint is that of several slices of a metric together, whatever their
// order: two stores whose slices have the same names and fingerprints have the
// same.
func (id Identity) Fingerprint(m bitboard.Metric, infos []SliceInfo) string {
	infos = slices.Clone(infos)
	slices.SortFunc(infos, func(a, b SliceInfo) int { return cmp.Compare(a.Name, b.Name) })
	h := sha256.New()
	fmt.Fprintf(h, "%sslices %d\n", fingerprintHeading(id, m), len(infos))
	for _, info := range infos {
		fmt.Fprintf(h, "%s %s\n", info.Name, info.Fingerprint)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// TableFingerprint is that of one slice with so many indices: of a table in a metric
// that has every value, and draws at gaps. It is found by so many goroutines, at
// least one.
//
// Errors: *SliceError, and that of ctx.
func (id Identity) TableFingerprint(ctx context.Context, m bitboard.Metric, slice string, indices uint64, t *bitboard.Table, workers int) (string, error) {
	if err := t.CheckLength(m, indices); err != nil {
		return "", &SliceError{m, slice, err}
	}
	workers = max(1, workers)
	hashers := make([]sectionHasher, workers)
	f := newFingerprint(id, m, slice, indices)
	err := parallel.InOrder(ctx, workers, ChunkCount(m, indices),
		func(worker, _ int, chunk uint64) ([]digest, error) {
			from, n := chunk*chunkIndices(m), chunkLength(m, indices, chunk)
			if err := checkDepths(t, from, n); err != nil {
				return nil, err
			}
			return hashers[worker].table(nil, t, from, n)
		},
		func(_ uint64, sections []digest) error {
			f.add(sections)
			return nil
		})
	if err != nil {
		return "", &SliceError{m, slice, err}
	}
	return f.String(), nil
}

// sectionHasher takes the digests of sections. It belongs to one goroutine.
type sectionHasher struct {
	bytes  []byte           // of a section
	depths []bitboard.Depth // of a chunk
}

// checkDepths wants n indices of a table, from one on, to have outcomes, where it has depths.
func checkDepths(t *bitboard.Table, from uint64, n int) error {
	if t.DTW == nil {
		return nil
	}
	depths := t.DTW[from : from+uint64(n)]
	if i := slices.IndexFunc(depths, func(d bitboard.Depth) bool { return !d.IsOutcome() }); i >= 0 {
		return noOutcome(depths[i])
	}
	return nil
}

// table appends the digests of the sections of n indices of a table, from one that begins a
// section. Values of wdl that are none are an error; depths are outcomes.
func (h *sectionHasher) table(dst []digest, t *bitboard.Table, from uint64, n int) ([]digest, error) {
	if t.DTW != nil {
		return h.dtw(dst, t.DTW[from:from+uint64(n)]), nil
	}
	words := t.WDL[from/32 : from/32+bitboard.PackedWords(uint64(n))]
	for len(words) > 0 {
		section := words[:min(sectionIndices/32, len(words))]
		var err error
		if h.bytes, err = packWDL(h.bytes[:0], section, min(sectionIndices, n)); err != nil {
			return dst, err
		}
		dst = append(dst, sha256.Sum256(h.bytes[:wdlValueBytes(min(sectionIndices, n))]))
		words, n = words[len(section):], n-sectionIndices
	}
	return dst, nil
}

// chunk appends the digests of the sections of a chunk, by what is stored.
func (h *sectionHasher) chunk(dst []digest, c *chunk) []digest {
	if c.metric == bitboard.DTW {
		h.depths = slices.Grow(h.depths[:0], dtwChunkIndices)[:c.n]
		c.dtw.unpack(h.depths)
		return h.dtw(dst, h.depths)
	}
	for values := c.packed[:wdlValueBytes(c.n)]; len(values) > 0; {
		section := values[:min(wdlValueBytes(sectionIndices), len(values))]
		dst = append(dst, sha256.Sum256(section))
		values = values[len(section):]
	}
	return dst
}

// dtw appends the digests of the sections of depths.
func (h *sectionHasher) dtw(dst []digest, depths []bitboard.Depth) []digest {
	for section := range slices.Chunk(depths, sectionIndices) {
		h.bytes = slices.Grow(h.bytes[:0], 2*sectionIndices)[:2*len(section)]
		for i, d := range section {
			binary.LittleEndian.PutUint16(h.bytes[2*i:], uint16(d))
		}
		dst = append(dst, sha256.Sum256(h.bytes))
	}
	return dst
}

// wdlValueBytes is the number of bytes that n values take, 4 to a byte.
func wdlValueBytes(n int) int { return (n + 3) / 4 }
