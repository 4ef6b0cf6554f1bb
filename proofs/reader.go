package proofs

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/zeebo/xxh3"
)

const (
	// maxLineBytes bounds a line: longer than any board's position and turn.
	maxLineBytes = 1 << 16

	// maxWindowBytes bounds what decompression keeps.
	maxWindowBytes = 32 << 20
)

// ReadHeader reads the first line of a certificate, by which the caller finds
// the game and the tables for Check. Its error wraps ErrFormat unless reading
// itself failed.
func ReadHeader(in io.Reader) (Header, error) {
	r, err := newReader(in)
	if err != nil {
		return Header{}, err
	}
	defer r.close()
	return r.header, nil
}

// A reader gives the lines of a certificate and makes sure that it is whole.
type reader struct {
	zstd    *zstd.Decoder
	lines   *bufio.Reader
	header  Header
	records uint64 // given so far
}

func newReader(in io.Reader) (*reader, error) {
	z, err := zstd.NewReader(&sealReader{in: bufio.NewReader(in), hash: xxh3.New()}, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindowBytes))
	if err != nil {
		return nil, err
	}
	r := &reader{zstd: z, lines: bufio.NewReaderSize(z, maxLineBytes)}
	line, err := r.line()
	if err == nil {
		err = json.Unmarshal([]byte(line), &r.header)
	}
	if err == nil && r.header.Format != formatVersion {
		err = fmt.Errorf("format %d, want %d", r.header.Format, formatVersion)
	}
	if err != nil {
		r.close()
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	return r, nil
}

func (r *reader) close() { r.zstd.Close() }

// line reads a line, without its end.
func (r *reader) line() (string, error) {
	line, err := r.lines.ReadSlice('\n')
	switch {
	case err == io.EOF:
		return "", errors.New("the file is cut short")
	case err == bufio.ErrBufferFull:
		return "", fmt.Errorf("a line is longer than %d bytes", maxLineBytes)
	case err != nil:
		return "", err
	}
	return string(line[:len(line)-1]), nil
}

// next gives the next record. At the end, which must be as the last line says,
// it gives io.EOF.
func (r *reader) next() (string, error) {
	line, err := r.line()
	if err != nil {
		return "", err
	}
	if !strings.HasPrefix(line, endWord+separator) {
		r.records++
		return line, nil
	}
	if want := endLine(r.records); line != want {
		return "", fmt.Errorf("the last line is %q, want %q", line, want)
	}
	switch _, err := r.lines.ReadByte(); err {
	case io.EOF:
		return "", io.EOF
	case nil:
		return "", errors.New("the file goes on behind its last line")
	default:
		return "", err
	}
}

// A record is a line of a certificate taken apart.
type record struct {
	position string
	turn     string
	rank     uint32
}

// parseRecord takes a line apart; ranked lines have a rank.
func parseRecord(line string, ranked bool) (record, error) {
	fields := strings.Split(line, separator)
	want := 2
	if ranked {
		want = 3
	}
	if len(fields) != want {
		return record{}, fmt.Errorf("%d fields, want %d", len(fields), want)
	}
	rec := record{position: fields[0], turn: fields[1]}
	if !ranked {
		return rec, nil
	}
	rank, err := strconv.ParseUint(fields[2], 10, 32)
	if err != nil {
		return record{}, fmt.Errorf("rank %q: want a number below 2^32", fields[2])
	}
	rec.rank = uint32(rank)
	return rec, nil
}
