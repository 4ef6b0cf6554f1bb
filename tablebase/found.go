package tablebase

import (
	"fmt"
	"strings"

	"paika/bitboard"
)

// foundChunks are the chunks that Badger will find, of those that are listed: a
// badgerdir.Wanted.
type foundChunks struct {
	slices [bitboard.MetricCount]map[string]*foundSlice
	order  []*foundSlice // as they are listed
}

type foundSlice struct {
	metric bitboard.Metric
	info   SliceInfo
	chunks []uint64 // a bit each
	count  uint64
}

func (s *Store) newFound() *foundChunks {
	f := new(foundChunks)
	for m := range s.manifests {
		f.slices[m] = make(map[string]*foundSlice)
		for _, info := range s.manifests[m].slices {
			slice := &foundSlice{metric: bitboard.Metric(m), info: info, chunks: make([]uint64, (info.Chunks+63)/64)}
			f.slices[m][info.Name] = slice
			f.order = append(f.order, slice)
		}
	}
	return f
}

// Found counts a chunk.
func (f *foundChunks) Found(key []byte) {
	m, name, chunk, ok := parseChunkKey(key)
	if !ok {
		return
	}
	slice := f.slices[m][name]
	if slice == nil || chunk >= slice.info.Chunks {
		return
	}
	if bit := uint64(1) << (chunk % 64); slice.chunks[chunk/64]&bit == 0 {
		slice.chunks[chunk/64] |= bit
		slice.count++
	}
}

// mostNamed bounds how many slices an error names.
const mostNamed = 5

// Missing names the slices of which chunks are not found.
func (f *foundChunks) Missing() error {
	var lost []string
	more := 0
	for _, slice := range f.order {
		switch {
		case slice.count == slice.info.Chunks:
		case len(lost) == mostNamed:
			more++
		default:
			lost = append(lost, fmt.Sprintf("%s %s", slice.metric, slice.info.Name))
		}
	}
	if more > 0 {
		lost = append(lost, fmt.Sprintf("and %d more", more))
	}
	if len(lost) == 0 {
		return nil
	}
	return fmt.Errorf("a writer was killed, and then files were changed: chunks are lost of %s", strings.Join(lost, ", "))
}
