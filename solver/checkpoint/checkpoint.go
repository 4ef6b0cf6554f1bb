// Package checkpoint keeps the entries of a transposition table in a file, so
// that a search that was stopped goes on from what it had found.
//
//	file, err := checkpoint.Open(path) // fails here if another search has it, or it can't be written
//	defer file.Close()
//	header, err := file.LoadInto(ctx, format, about, table.reserve, table.add)
//	err = file.Save(ctx, checkpoint.Header{Format: format, About: about, Nodes: n}, table.entries)
//
// # Format
//
// The file is one zstd stream with a checksum: a line of JSON, the header, then
// pairs of 64-bit words, little-endian: the entries, and at the end a pair of zero
// and their number. It is there whole or not at all.
//
// Tables write their entries in the order of their places, and a place is the upper bits of a hash.
// In a table that is smaller while it is filled the first entries share few places, and drive each
// other out. So the header tells the room that the table had, and who loads it takes as much before
// the first entry. Files from before say nothing of it, and are read to count their entries.
//
// What the entries mean is the affair of each kind of search. It has a number for
// that, the format in the header, and raises it when it changes its entries. Files
// of other kinds stay good.
//
// # Trust
//
// A checksum keeps damage out, not forgery: anyone can write a file whose
// checksum is right. So entries are claims. Load makes sure that a file takes no
// more memory than a real one, and that its numbers are in range; a search that
// answers by what it loaded has to derive the answer again first.
package checkpoint

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"strings"

	"paika/bitboard"

	"github.com/klauspost/compress/zstd"
)

// Header is what a file says beside the entries. A search may leave out what it
// has no use for.
type Header struct {
	Format  int               `json:"format"`            // of the entries, in the count of this kind of search
	About   string            `json:"about"`             // the search that the entries are of, in any words
	Nodes   uint64            `json:"nodes"`             // searched so far
	Seconds float64           `json:"seconds,omitempty"` // that it took
	Room    uint64            `json:"room,omitempty"`    // entries that the table had room for; see File.LoadInto
	Work    map[uint64]uint64 `json:"work,omitempty"`    // nodes below each turn from the root, by key

	// Certificates are the checksums of those that the search came to, where work on them goes on, and of
	// what that made of them in their places.
	Certificates []string `json:"certificates,omitempty"`
}

var (
	// ErrFormat says that a file is no checkpoint, or a damaged one.
	ErrFormat = errors.New("not a checkpoint that this program reads")

	// ErrOther says that a checkpoint is of another search.
	ErrOther = errors.New("the checkpoint is of another search")
)

// errForeign says that a file is something else, such as a certificate: nobody
// should remove it.
var errForeign = fmt.Errorf("%w: it is something else", ErrFormat)

// errUnknown says that nothing tells what a file is: it may be a checkpoint that was cut short
// or damaged, or something else.
var errUnknown = fmt.Errorf("%w: its first line, which tells what it is, can't be read", ErrFormat)

// Bounds of what a file may hold.
const (
	entryBytes = 16

	// block is how many entries are read or written between two looks at the
	// context.
	block = 1 << 14

	// maxHeaderBytes bounds the header's line. What a writer has of the work
	// below turns stays out where the line would be longer.
	maxHeaderBytes = 1 << 20

	// maxWindow is the memory that unpacking may take. Writers use half of it.
	maxWindow = 8 << 20

	// Sums of counts must not run over.
	maxNodes   = math.MaxUint64 >> 8
	maxSeconds = 1e9
	maxRoom    = math.MaxUint64 >> 8
)

// write writes entries: pairs of which the first word is not 0, in any order.
func write(ctx context.Context, out io.Writer, h Header, entries iter.Seq2[uint64, uint64]) error {
	line, err := headerLine(h)
	if err != nil {
		return err
	}
	z, err := zstd.NewWriter(out, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(maxWindow/2))
	if err != nil {
		return err
	}
	if _, err := z.Write(line); err != nil {
		return err
	}
	var written uint64
	buffer := make([]byte, 0, entryBytes*block)
	for first, second := range entries {
		buffer = append2(buffer, first, second)
		if written++; written%block != 0 {
			continue
		}
		if _, err := z.Write(buffer); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		buffer = buffer[:0]
	}
	if _, err := z.Write(append2(buffer, 0, written)); err != nil {
		return err
	}
	return z.Close()
}

func headerLine(h Header) ([]byte, error) {
	line, err := json.Marshal(h)
	if err == nil && len(line) >= maxHeaderBytes {
		h.Work = nil
		line, err = json.Marshal(h)
	}
	return append(line, '\n'), err
}

func append2(buffer []byte, first, second uint64) []byte {
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(buffer, first), second)
}

// read calls add for each entry of a file. It fails with ErrOther where about is
// not what the header says, and ErrFormat, perhaps after some entries, where the
// format is another, the file is damaged or add does not take an entry. Where reading
// itself fails, that is its error: a file that nobody could read is not damaged. With nil for add
// it reads the header alone.
func read(ctx context.Context, file io.Reader, format int, about string, add func(first, second uint64) bool) (Header, error) {
	from := &source{file: file}
	h, err := unpack(ctx, from, format, about, add)
	if from.failed != nil {
		return Header{}, from.failed
	}
	return h, err
}

// roomEach is the room for each entry of a file that does not tell it: as much as a table has that
// has just grown.
const roomEach = 4

// readRoom gives how many entries the table had room for that a file was written from. A file that
// does not tell is read to its end. The errors are those of read.
func readRoom(ctx context.Context, file io.ReadSeeker, format int, about string) (uint64, error) {
	h, err := read(ctx, file, format, about, nil)
	if err != nil || h.Room > 0 {
		return h.Room, err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return 0, err
	}
	entries := uint64(0)
	_, err = read(ctx, file, format, about, func(uint64, uint64) bool {
		entries++
		return true
	})
	return roomEach * entries, err
}

// source reads a file, and keeps why that failed.
type source struct {
	file   io.Reader
	failed error
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.file.Read(p)
	if err != nil && err != io.EOF {
		s.failed = err
	}
	return n, err
}

// unpacker unpacks what a file holds.
func unpacker(file io.Reader) (*zstd.Decoder, error) {
	// What lies in a buffer would be unpacked whole, but for the last option.
	return zstd.NewReader(file, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true), zstd.WithDecodeBuffersBelow(0))
}

// readAnyHeader reads the header of a file of whatever kind of search.
func readAnyHeader(file io.Reader) (Header, error) {
	z, err := unpacker(file)
	if err != nil {
		return Header{}, err
	}
	defer z.Close()
	return readHeader(bufio.NewReaderSize(z, maxHeaderBytes), anyFormat)
}

// anyFormat stands for the format of whatever kind of search.
const anyFormat = -1

// unpack reads what a source gives.
func unpack(ctx context.Context, file io.Reader, format int, about string, add func(first, second uint64) bool) (Header, error) {
	z, err := unpacker(file)
	if err != nil {
		return Header{}, err
	}
	defer z.Close()
	in := bufio.NewReaderSize(z, maxHeaderBytes)
	h, err := readHeader(in, format)
	if err != nil {
		return Header{}, err
	}
	if h.About != about {
		is, want := differing(h.About, about)
		return Header{}, fmt.Errorf("%w: it is about %s, want %s", ErrOther, bitboard.Quote(is), bitboard.Quote(want))
	}
	if add == nil {
		return h, nil
	}
	return h, readEntries(ctx, in, add)
}

// differing are two texts without the parts, behind commas, that both end with.
func differing(a, b string) (string, string) {
	i, j := strings.LastIndex(a, ", "), strings.LastIndex(b, ", ")
	if i < 0 || j < 0 || a[i:] != b[j:] {
		return a, b
	}
	return differing(a[:i], b[:j])
}

func readHeader(in *bufio.Reader, format int) (Header, error) {
	line, err := in.ReadSlice('\n')
	switch {
	case errors.Is(err, zstd.ErrMagicMismatch):
		return Header{}, errForeign
	case err != nil:
		return Header{}, fmt.Errorf("%w: %w", errUnknown, err)
	}
	var h struct {
		Header
		About *string `json:"about"` // nil where the line is that of something else
	}
	if err := json.Unmarshal(line, &h); err != nil {
		return Header{}, fmt.Errorf("%w: its first line is no header", ErrFormat)
	}
	switch {
	case h.About == nil:
		return Header{}, errForeign
	case h.Format != format && format != anyFormat:
		return Header{}, fmt.Errorf("%w: format %d, want %d", ErrFormat, h.Format, format)
	case h.Nodes > maxNodes || h.Seconds < 0 || h.Seconds > maxSeconds:
		return Header{}, fmt.Errorf("%w: %s in %g s", ErrFormat, bitboard.Count(h.Nodes, "node"), h.Seconds)
	case h.Room > maxRoom:
		return Header{}, fmt.Errorf("%w: room for %s", ErrFormat, bitboard.Count(h.Room, "entry"))
	}
	sum := uint64(0)
	for _, nodes := range h.Work {
		if nodes > maxNodes || sum > maxNodes-nodes {
			return Header{}, fmt.Errorf("%w: too many nodes below its turns", ErrFormat)
		}
		sum += nodes
	}
	h.Header.About = *h.About
	return h.Header, nil
}

func readEntries(ctx context.Context, in io.Reader, add func(first, second uint64) bool) error {
	var entry [entryBytes]byte
	for n := uint64(0); ; n++ {
		if n%block == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if _, err := io.ReadFull(in, entry[:]); err != nil {
			return fmt.Errorf("%w: entry %d: %w", ErrFormat, n, err)
		}
		first, second := binary.LittleEndian.Uint64(entry[:]), binary.LittleEndian.Uint64(entry[8:])
		if first != 0 {
			if !add(first, second) {
				return fmt.Errorf("%w: entry %d is one that no search writes", ErrFormat, n)
			}
			continue
		}
		if second != n {
			return fmt.Errorf("%w: %s, want %d", ErrFormat, bitboard.Count(n, "entry"), second)
		}
		// The stream's own checksum comes after its last byte.
		if _, err := in.Read(entry[:1]); err != io.EOF {
			return fmt.Errorf("%w: no end after entry %d: %v", ErrFormat, n, err)
		}
		return nil
	}
}
