package tablebase

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"

	"paika/bitboard"
	"paika/internal/parallel"
)

// A slice travels from one store to another in a file that holds it as it is stored,
// compressed, and without the values that are left out of it:
//
//	length      4 bytes, little endian: of the document
//	document    a manifest that lists this slice alone
//	chunks      as they are stored, with their seals, one behind the other
//	lengths     of the chunks, 4 bytes each, little endian
//
// The bytes depend on what the store holds, and on nothing else.

const (
	lengthBytes = 4

	// maxDocument bounds a document that is read, in bytes.
	maxDocument = 4096
)

// SliceFileSuffix is behind the name of a file that a slice travels in.
const SliceFileSuffix = ".slice"

// SliceFileName is that of the file of a slice in a metric.
func SliceFileName(slice string, m bitboard.Metric) string {
	return slice + "." + m.String() + SliceFileSuffix
}

// SliceFileError says which file of a slice is wrong, and how. It matches ErrDamaged.
type SliceFileError struct {
	Metric bitboard.Metric
	Slice  string
	Err    error
}

func (e *SliceFileError) Error() string {
	return fmt.Sprintf("%s: %v", SliceFileName(e.Slice, e.Metric), e.Err)
}

// Unwrap returns what is wrong.
func (e *SliceFileError) Unwrap() error { return e.Err }

// Is makes the error match ErrDamaged.
func (e *SliceFileError) Is(target error) bool { return target == ErrDamaged }

// WriteSlice writes the file of a slice that is stored. It looks at the seal of each chunk,
// and decompresses none, unless to tell what is wrong. Errors: *ChunkError, *SliceError, which
// wraps ErrStoredSo where a repair would keep what is wrong, ErrClosed, those of the writer and of
// ctx.
func (t *Tables) WriteSlice(ctx context.Context, s bitboard.Slice, out io.Writer) error {
	name := t.space.SliceName(s)
	info, ok := t.store.Slice(t.metric, name)
	if !ok {
		return &SliceError{t.metric, name, ErrNotStored}
	}
	document, err := newManifest(t.store.id, t.metric, []SliceInfo{info})
	if err != nil {
		return err
	}
	heading := binary.LittleEndian.AppendUint32(nil, uint32(len(document.text)))
	if _, err := out.Write(append(heading, document.text...)); err != nil {
		return err
	}
	lengths, err := t.writeChunks(ctx, info, out)
	if err != nil {
		return err
	}
	_, err = out.Write(lengths)
	return err
}

// writeChunks writes the chunks of a slice, and gives their lengths as a file has them.
func (t *Tables) writeChunks(ctx context.Context, info SliceInfo, out io.Writer) (lengths []byte, err error) {
	r := t.store.newSliceReader(ctx, t.metric, info, t.space)
	workers := t.store.opts.Workers
	buffers := make([][]byte, workers*parallel.SlotsPerWorker)
	var sum uint64
	err = parallel.InOrder(ctx, workers, info.Chunks,
		func(_, slot int, number uint64) ([]byte, error) {
			err := r.copySealed(number, &buffers[slot])
			return buffers[slot], err
		},
		func(_ uint64, value []byte) error {
			lengths = binary.LittleEndian.AppendUint32(lengths, uint32(len(value)))
			sum += uint64(len(value))
			_, err := out.Write(value)
			return err
		})
	if err == nil && sum != info.Bytes {
		err = t.otherLength(ctx, info, sum)
	}
	return lengths, err
}

// otherLength says that the chunks of a slice have other bytes than the manifest says: as it was
// stored so, or as they are others than those that were stored.
func (t *Tables) otherLength(ctx context.Context, info SliceInfo, bytes uint64) error {
	found, err := t.Scan(ctx, info, t.store.opts.Workers, func(ScannedChunk) {})
	if err != nil {
		return err
	}
	wrong := ErrDamaged
	if found.Checksum == info.Checksum {
		wrong = ErrStoredSo
	}
	return &SliceError{t.metric, info.Name, fmt.Errorf("%w: its chunks have %s, and the manifest has %d", wrong, bitboard.Count(bytes, "byte"), info.Bytes)}
}

// copySealed reads a chunk as it is stored, and checks its seal.
func (r *sliceReader) copySealed(number uint64, buffer *[]byte) error {
	key := r.keys.key(nil, number)
	err := r.store.copyValue(key, buffer)
	if err == nil {
		_, err = r.store.codec.unseal(key, *buffer)
	}
	return r.failed(number, err)
}
