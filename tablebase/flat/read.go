package flat

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"

	"github.com/klauspost/compress/zstd"

	"paika/bitboard"
	"paika/internal/parallel"
)

// File is a file whose header and directory are whole. What its blocks say is not
// known yet.
type File struct {
	Header Header

	name    string
	source  io.ReaderAt
	entries []entry
}

// Read takes up a file of so many bytes, and reads its header and its directory. The
// name, without the folder, must be that of the slice. No memory is taken for what the
// header claims beyond the size of the file.
//
// Errors: *FileError, tablebase.ErrNewerFormat, those of the source.
func Read(name string, source io.ReaderAt, size int64) (*File, error) {
	f := &File{name: name, source: source}
	if err := f.read(uint64(size)); err != nil {
		return nil, f.failed(err)
	}
	return f, nil
}

// failed says which file is damaged. Other errors stay as they are.
func (f *File) failed(err error) error {
	for _, damage := range [...]error{ErrNotFlat, ErrHeader, ErrDirectory, ErrChecksum, ErrBlock, ErrFingerprint, ErrCounts, ErrName} {
		if errors.Is(err, damage) {
			return &FileError{f.name, err}
		}
	}
	return fmt.Errorf("%s: %w", f.name, err)
}

func (f *File) read(size uint64) (err error) {
	text := make([]byte, min(size, maxHeaderBytes))
	if err := readAt(f.source, text, 0); err != nil {
		return err
	}
	var length int
	if f.Header, length, err = parseHeader(text); err != nil {
		return err
	}
	if f.Header.FileName() != f.name {
		return fmt.Errorf("%w: it holds %s of %v", ErrName, bitboard.Shorten(f.Header.FileName()), f.Header.Identity)
	}
	blocks := f.Header.blocks()
	if room := size - uint64(length); room < checksumBytes || blocks > (room-checksumBytes)/entryBytes {
		return fmt.Errorf("%w: it is too short for %d blocks", ErrDirectory, blocks)
	}
	directory := make([]byte, blocks*entryBytes+checksumBytes)
	begin := size - uint64(len(directory))
	if err := readAt(f.source, directory, begin); err != nil {
		return err
	}
	if err := f.readDirectory(directory, uint64(length), begin); err != nil {
		return err
	}
	directory, sum := directory[:len(directory)-checksumBytes], directory[len(directory)-checksumBytes:]
	if crc32.Update(crc32.ChecksumIEEE(text[:length]), crc32.IEEETable, directory) != binary.LittleEndian.Uint32(sum) {
		return fmt.Errorf("header and directory: %w", ErrChecksum)
	}
	return nil
}

// readDirectory wants blocks that fill the file from one offset to another.
func (f *File) readDirectory(directory []byte, from, to uint64) error {
	f.entries = make([]entry, len(directory)/entryBytes)
	for i := range f.entries {
		text := directory[i*entryBytes:]
		e := entry{binary.LittleEndian.Uint64(text), binary.LittleEndian.Uint32(text[8:]), binary.LittleEndian.Uint32(text[12:])}
		if e.offset != from || uint64(e.length) > to-from {
			return fmt.Errorf("%w: block %d is not where the one before ends", ErrDirectory, i)
		}
		if most := f.Header.mostFrame(); uint64(e.length) > most {
			return fmt.Errorf("%w: block %d has %d bytes, want at most %d", ErrDirectory, i, e.length, most)
		}
		from += uint64(e.length)
		f.entries[i] = e
	}
	if from != to {
		return fmt.Errorf("%w: it begins at %d, and the blocks end at %d", ErrDirectory, to, from)
	}
	return nil
}

// readAt fills a buffer. A source that is shorter than it said was cut short in
// between.
func readAt(source io.ReaderAt, buffer []byte, offset uint64) error {
	n, err := source.ReadAt(buffer, int64(offset))
	switch {
	case n == len(buffer):
		return nil
	case err == io.EOF:
		return fmt.Errorf("%w: it was cut short", ErrDirectory)
	}
	return err
}

// Load fills a table, which must be clear and as long as the header's number of
// indices takes, and checks every block and the fingerprint of them all, with so many
// goroutines. It tells watch, if there is one, how many indices are loaded.
//
// Errors: *FileError, those of the source, and that of ctx.
func (f *File) Load(ctx context.Context, t *bitboard.Table, workers int, watch func(indices uint64)) error {
	if err := f.load(ctx, t, workers, watch); err != nil {
		return f.failed(err)
	}
	h := f.Header
	found, err := h.Identity.TableFingerprint(ctx, h.Metric, h.Slice, h.Indices, t, workers)
	if err == nil && found != h.Fingerprint {
		err = fmt.Errorf("%w: that of the values is %s", ErrFingerprint, found)
	}
	if err != nil {
		return f.failed(err)
	}
	return nil
}

func (f *File) load(ctx context.Context, t *bitboard.Table, workers int, watch func(indices uint64)) error {
	decoder, err := zstd.NewReader(nil,
		zstd.WithDecoderConcurrency(workers),
		zstd.WithDecoderLowmem(true),
		zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		return err
	}
	defer decoder.Close()
	buffers := make([]buffer, workers)
	return parallel.InOrder(ctx, workers, uint64(len(f.entries)),
		func(worker, _ int, block uint64) (struct{}, error) {
			content, err := f.block(decoder, &buffers[worker], block)
			if err != nil {
				return struct{}{}, fmt.Errorf("block %d: %w", block, err)
			}
			lo, _ := f.Header.span(block)
			fillValues(t, lo, content)
			return struct{}{}, nil
		},
		func(block uint64, _ struct{}) error {
			if watch != nil {
				_, hi := f.Header.span(block)
				watch(hi)
			}
			return nil
		})
}

// buffer is what a worker reads with.
type buffer struct{ frame, content []byte }

// block reads the values of a block into a buffer and checks them.
func (f *File) block(decoder *zstd.Decoder, b *buffer, block uint64) ([]byte, error) {
	e := f.entries[block]
	lo, hi := f.Header.span(block)
	size := int(blockBytes(f.Header.Metric, hi-lo))
	b.frame = slices.Grow(b.frame[:0], int(e.length))[:e.length]
	if err := readAt(f.source, b.frame, e.offset); err != nil {
		return nil, err
	}
	if crc32.ChecksumIEEE(b.frame) != e.crc {
		return nil, ErrChecksum
	}
	b.content = slices.Grow(b.content[:0], size)
	content, err := decoder.DecodeAll(b.frame, b.content[:0:size])
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBlock, err)
	}
	return content, checkValues(f.Header.Metric, content, hi-lo)
}
