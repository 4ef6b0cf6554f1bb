package flat

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"

	"paika/bitboard"
	"paika/internal/parallel"
	"paika/tablebase/internal/frames"
)

// entryBytes is what the directory has for each block.
const entryBytes = 16

// checksumBytes is the checksum at the end.
const checksumBytes = 4

// entry is a block's in the directory.
type entry struct {
	offset uint64
	length uint32
	crc    uint32 // of the compressed bytes
}

func (e entry) append(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, e.offset)
	dst = binary.LittleEndian.AppendUint32(dst, e.length)
	return binary.LittleEndian.AppendUint32(dst, e.crc)
}

// Write writes the file of a slice. The table must have every value, at its full
// length, and draws at gaps; its fingerprint must be the header's, as whoever loaded
// it knows. The same header and table give the same bytes with any number of workers,
// each a goroutine, and at least one. It tells watch, if there is one, how many indices are written.
//
// Errors: that of a table of another length, ErrBlock where it holds what is no value,
// those of w, and that of ctx.
func Write(ctx context.Context, w io.Writer, h Header, t *bitboard.Table, workers int, watch func(indices uint64)) error {
	if err := t.CheckLength(h.Metric, h.Indices); err != nil {
		return err
	}
	// The one choice of a compression: part of what a file depends on, and no reader does.
	encoders := frames.NewEncoders(frames.Best)
	defer encoders.Leave()
	text := h.text()
	if len(text) > maxHeaderBytes {
		return fmt.Errorf("%w: %d bytes, want at most %d", ErrHeader, len(text), maxHeaderBytes)
	}
	if _, err := w.Write(text); err != nil {
		return err
	}
	sum := crc32.NewIEEE()
	sum.Write(text)
	offset := uint64(len(text))
	var directory []byte
	workers = max(1, workers)
	contents := make([][]byte, workers)
	packed := make([][]byte, workers*parallel.SlotsPerWorker)
	err := parallel.InOrder(ctx, workers, h.blocks(),
		func(worker, slot int, block uint64) ([]byte, error) {
			lo, hi := h.span(block)
			contents[worker] = appendValues(contents[worker][:0], t, lo, hi)
			if err := checkValues(h.Metric, contents[worker], hi-lo); err != nil {
				return nil, fmt.Errorf("block %d: %w", block, err)
			}
			packed[slot] = encoders.Append(packed[slot][:0], contents[worker])
			return packed[slot], nil
		},
		func(block uint64, frame []byte) error {
			directory = entry{offset, uint32(len(frame)), crc32.ChecksumIEEE(frame)}.append(directory)
			offset += uint64(len(frame))
			if watch != nil {
				_, hi := h.span(block)
				watch(hi)
			}
			_, err := w.Write(frame)
			return err
		})
	if err != nil {
		return err
	}
	sum.Write(directory)
	_, err = w.Write(binary.LittleEndian.AppendUint32(directory, sum.Sum32()))
	return err
}

// appendValues appends the values of the indices from lo, where a block begins, up to
// hi, as they stand in the block.
func appendValues(dst []byte, t *bitboard.Table, lo, hi uint64) []byte {
	if t.DTW != nil {
		for _, d := range t.DTW[lo:hi] {
			dst = binary.LittleEndian.AppendUint16(dst, uint16(d))
		}
		return dst
	}
	begin := len(dst)
	for _, word := range t.WDL[lo/32 : bitboard.PackedWords(hi)] {
		dst = binary.LittleEndian.AppendUint64(dst, word)
	}
	dst = dst[:begin+int(blockBytes(bitboard.WDL, hi-lo))]
	if rest := (hi - lo) % 4; rest != 0 {
		dst[len(dst)-1] &= 1<<(2*rest) - 1
	}
	return dst
}

// fillValues is the reverse of appendValues. The part of the table must be clear.
func fillValues(t *bitboard.Table, lo uint64, content []byte) {
	if t.DTW != nil {
		for i := 0; i < len(content); i += 2 {
			t.DTW[lo+uint64(i/2)] = bitboard.Depth(binary.LittleEndian.Uint16(content[i:]))
		}
		return
	}
	for i, b := range content {
		t.WDL[lo/32+uint64(i/8)] |= uint64(b) << (i % 8 * 8)
	}
}

// checkValues wants the values of n indices, each of them a value, and nothing more.
func checkValues(m bitboard.Metric, content []byte, n uint64) error {
	if uint64(len(content)) != blockBytes(m, n) {
		return fmt.Errorf("%w: %s of values, want %d", ErrBlock, bitboard.Count(len(content), "byte"), blockBytes(m, n))
	}
	if m == bitboard.DTW {
		return checkDepths(content)
	}
	for i, b := range content {
		if b&(b>>1)&0x55 != 0 {
			return fmt.Errorf("%w: no value stands at one of the indices %d to %d of it", ErrBlock, 4*i, 4*i+3)
		}
	}
	if rest := n % 4; rest != 0 && content[len(content)-1]>>(2*rest) != 0 {
		return fmt.Errorf("%w: something stands behind its last value", ErrBlock)
	}
	return nil
}

func checkDepths(content []byte) error {
	for i := 0; i < len(content); i += 2 {
		if d := bitboard.Depth(binary.LittleEndian.Uint16(content[i:])); !d.IsOutcome() {
			return fmt.Errorf("%w: no value stands at index %d of it", ErrBlock, i/2)
		}
	}
	return nil
}
