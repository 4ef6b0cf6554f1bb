package tablebase

import (
	"encoding/binary"
	"fmt"

	"github.com/klauspost/compress/zstd"

	"paika/bitboard"
	"paika/tablebase/internal/frames"
)

// Indices of a chunk: about 16 KiB of packed values.
const (
	wdlChunkIndices = 1 << 16
	dtwChunkIndices = 1 << 14
)

func chunkIndices(m bitboard.Metric) uint64 {
	if m == bitboard.DTW {
		return dtwChunkIndices
	}
	return wdlChunkIndices
}

// ChunkCount is the number of chunks of a slice with that many indices.
func ChunkCount(m bitboard.Metric, indices uint64) uint64 {
	return (indices + chunkIndices(m) - 1) / chunkIndices(m)
}

// chunkLength is the number of indices of one chunk.
func chunkLength(m bitboard.Metric, indices, chunk uint64) int {
	size := chunkIndices(m)
	return int(min(size, indices-chunk*size))
}

// chunkKind says how a chunk is packed. A new packing gets a new kind.
type chunkKind uint8

const (
	wdlZstd       chunkKind = 1 // 2 bits an index
	dtwZstd       chunkKind = 2 // a palette, one byte an index
	dtwZstdDouble chunkKind = 3 // a palette, two bytes an index
	wdlHeldZstd   chunkKind = 4 // 2 bits an index, some of them left out
)

// A stored chunk is
//
//	seal            8 bytes
//	kind            1 byte
//	indices         4 bytes, little endian
//	packed length   4 bytes, little endian
//	packed values, a zstd frame
const chunkHeaderBytes = 1 + 4 + 4

// maxPackedBytes bounds the packed values of any chunk: dtw with a palette of
// as many depths as indices.
const maxPackedBytes = 2 + 4*dtwChunkIndices

// mostStored bounds a chunk as it is stored: values that can't be compressed take little
// more than they are.
const mostStored = leastChunkBytes + maxPackedBytes + 1<<10

// codec makes and takes apart the stored values of one store. It is safe for
// concurrent use.
type codec struct {
	sealer
	best, better *frames.Encoders
	decoder      *zstd.Decoder
}

// smallSlice is how many indices a small slice has at most.
const smallSlice = 1 << 22

// newCodec makes the codec of the store of id, which decodes for that many goroutines.
func newCodec(id Identity, workers int) *codec {
	return &codec{newSealer(id), frames.NewEncoders(frames.Best), frames.NewEncoders(frames.Better), frames.NewDecoder(workers)}
}

// leave lets other stores compress with what this one took.
func (c *codec) leave() {
	c.best.Leave()
	c.better.Leave()
}

// encoders are those for a slice with that many indices. The compression is chosen here and
// nowhere else; a reader does not depend on it.
//
// The best level makes Fanorona's tables 3 to 5 % smaller than the next. It compresses 80
// million indices of wdl a second and core, which is little time beside solving them. Of
// dtw it compresses 15 million, which is a quarter to a third of a build, and the next one
// 100.
//
// Small slices of wdl are solved before the tables are filled that the best level looks things
// up in: without it builds of these are up to a seventh faster. Five stones of 9x5 take 16 KB
// more so, 6 %. With distances a level below saves 3 % of the time, and makes small boards of
// Phutball a third larger.
func (c *codec) encoders(m bitboard.Metric, indices uint64) *frames.Encoders {
	if m == bitboard.DTW || indices <= smallSlice {
		return c.better
	}
	return c.best
}

// encode makes the stored value of a chunk at key.
func (c *codec) encode(encoders *frames.Encoders, key []byte, kind chunkKind, indices int, packed []byte) []byte {
	value := make([]byte, sealBytes, sealBytes+chunkHeaderBytes+len(packed)/4)
	value = append(value, byte(kind))
	value = binary.LittleEndian.AppendUint32(value, uint32(indices))
	value = binary.LittleEndian.AppendUint32(value, uint32(len(packed)))
	value = encoders.Append(value, packed)
	c.seal(key, value)
	return value
}

// open checks that a stored value belongs at key, and gives its kind and what follows
// the seal.
func (c *codec) open(key, value []byte) (chunkKind, []byte, error) {
	body, err := c.unseal(key, value)
	if err != nil {
		return 0, nil, err
	}
	if len(body) < chunkHeaderBytes {
		return 0, nil, errShortChunk
	}
	return chunkKind(body[0]), body, nil
}

// decode takes a stored value apart. It checks that the value belongs at key
// and has that many indices. The packed values are in buffer, if it has room
// for maxPackedBytes.
func (c *codec) decode(key, value []byte, indices int, buffer []byte) (chunkKind, []byte, error) {
	kind, body, err := c.open(key, value)
	if err != nil {
		return 0, nil, err
	}
	if n := binary.LittleEndian.Uint32(body[1:]); n != uint32(indices) {
		return 0, nil, fmt.Errorf("the chunk has %s, want %d", bitboard.Count(n, "index"), indices)
	}
	size := binary.LittleEndian.Uint32(body[5:])
	if size > maxPackedBytes {
		return 0, nil, fmt.Errorf("the chunk claims %s, want at most %d", bitboard.Count(size, "byte"), maxPackedBytes)
	}
	if cap(buffer) < int(size) {
		buffer = make([]byte, size)
	}
	packed, err := c.decoder.DecodeAll(body[chunkHeaderBytes:], buffer[:0:size])
	if err != nil {
		return 0, nil, err
	}
	if len(packed) != int(size) {
		return 0, nil, fmt.Errorf("the chunk has %s, want %d", bitboard.Count(len(packed), "byte"), size)
	}
	return kind, packed, nil
}
