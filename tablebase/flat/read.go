package flat

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"path/filepath"
	"slices"

	"github.com/klauspost/compress/zstd"

	"paika/bitboard"
	"paika/internal/parallel"
	"paika/tablebase/internal/frames"
)

// File is a file whose header and directory are whole. What its blocks say is not
// known yet.
type File struct {
	Header Header

	path      string
	source    io.ReaderAt
	directory uint64 // where it begins
}

// Read takes up a file of so many bytes, and reads its header and its directory. Of the
// path, which errors name, the file's own name must be that of the slice. However long
// the directory is, it takes the same few kilobytes of memory.
//
// Errors: *FileError, tablebase.ErrNewerFormat, those of the source, and that of ctx.
func Read(ctx context.Context, path string, source io.ReaderAt, size int64) (*File, error) {
	f := &File{path: path, source: source}
	if err := f.read(ctx, uint64(size)); err != nil {
		return nil, f.failed(err)
	}
	return f, nil
}

// failed says which file is damaged. Other errors stay as they are.
func (f *File) failed(err error) error {
	for _, damage := range [...]error{ErrNotFlat, ErrHeader, ErrDirectory, ErrChecksum, ErrBlock, ErrFingerprint, ErrCounts, ErrName} {
		if errors.Is(err, damage) {
			return &FileError{f.path, err}
		}
	}
	return fmt.Errorf("%s: %w", f.path, err)
}

func (f *File) read(ctx context.Context, size uint64) (err error) {
	text := make([]byte, min(size, maxHeaderBytes))
	if err := readAt(f.source, text, 0); err != nil {
		return err
	}
	var length int
	if f.Header, length, err = parseHeader(text); err != nil {
		return err
	}
	if f.Header.FileName() != filepath.Base(f.path) {
		return fmt.Errorf("%w: it holds %s of %v", ErrName, bitboard.Shorten(f.Header.FileName()), f.Header.Identity)
	}
	blocks := f.Header.blocks()
	if room := size - uint64(length); room < checksumBytes || blocks > (room-checksumBytes)/entryBytes {
		return fmt.Errorf("%w: it is too short for %s", ErrDirectory, bitboard.Count(blocks, "block"))
	}
	f.directory = size - checksumBytes - blocks*entryBytes
	sum, err := f.checkDirectory(ctx, crc32.ChecksumIEEE(text[:length]), uint64(length))
	if err != nil {
		return err
	}
	checksum := make([]byte, checksumBytes)
	if err := readAt(f.source, checksum, size-checksumBytes); err != nil {
		return err
	}
	if sum != binary.LittleEndian.Uint32(checksum) {
		return fmt.Errorf("header and directory: %w", ErrChecksum)
	}
	return nil
}

// directoryPiece is how many entries are looked at together.
const directoryPiece = 1 << 10

// checkDirectory wants blocks that fill the file from an offset up to the directory. It
// adds the directory to a checksum.
func (f *File) checkDirectory(ctx context.Context, sum uint32, from uint64) (uint32, error) {
	piece := make([]byte, directoryPiece*entryBytes)
	for first, blocks := uint64(0), f.Header.blocks(); first < blocks; first += directoryPiece {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		piece = piece[:entryBytes*min(directoryPiece, blocks-first)]
		if err := readAt(f.source, piece, f.directory+first*entryBytes); err != nil {
			return 0, err
		}
		sum = crc32.Update(sum, crc32.IEEETable, piece)
		for i := range uint64(len(piece) / entryBytes) {
			e, err := f.parseEntry(first+i, piece[i*entryBytes:])
			if err != nil {
				return 0, err
			}
			if e.offset != from || uint64(e.length) > f.directory-from {
				return 0, fmt.Errorf("%w: block %d is not where the one before ends", ErrDirectory, first+i)
			}
			from += uint64(e.length)
		}
	}
	if from != f.directory {
		return 0, fmt.Errorf("%w: it begins at %d, and the blocks end at %d", ErrDirectory, f.directory, from)
	}
	return sum, nil
}

// parseEntry reads what the directory has for a block.
func (f *File) parseEntry(block uint64, text []byte) (entry, error) {
	e := entry{binary.LittleEndian.Uint64(text), binary.LittleEndian.Uint32(text[8:]), binary.LittleEndian.Uint32(text[12:])}
	if most := f.Header.mostFrame(); uint64(e.length) > most {
		return e, fmt.Errorf("%w: block %d has %s, want at most %d", ErrDirectory, block, bitboard.Count(e.length, "byte"), most)
	}
	return e, nil
}

// entry is that of a block. Who could change the file since it was taken up is not
// believed either.
func (f *File) entry(block uint64) (entry, error) {
	var text [entryBytes]byte
	if err := readAt(f.source, text[:], f.directory+block*entryBytes); err != nil {
		return entry{}, err
	}
	return f.parseEntry(block, text[:])
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
// goroutines, and at least one. It tells watch, if there is one, how many indices are loaded.
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
	workers = max(1, workers)
	decoder := frames.NewDecoder(workers)
	defer decoder.Close()
	buffers := make([]buffer, workers)
	return parallel.InOrder(ctx, workers, f.Header.blocks(),
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
	e, err := f.entry(block)
	if err != nil {
		return nil, err
	}
	lo, hi := f.Header.span(block)
	size := int(blockBytes(f.Header.Metric, hi-lo))
	b.frame = slices.Grow(b.frame[:0], int(e.length))[:e.length]
	if err := readAt(f.source, b.frame, e.offset); err != nil {
		return nil, err
	}
	if crc32.ChecksumIEEE(b.frame) != e.crc {
		return nil, ErrChecksum
	}
	if err := checkFrame(b.frame, size); err != nil {
		return nil, err
	}
	b.content = slices.Grow(b.content[:0], size)
	content, err := decoder.DecodeAll(b.frame, b.content[:0:size])
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBlock, err)
	}
	return content, checkValues(f.Header.Metric, content, hi-lo)
}
