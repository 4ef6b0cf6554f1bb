package proofs

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
func ReadHeader(file io.ReadSeeker) (Header, error) {
	r, err := newReader(file)
	if err != nil {
		return Header{}, err
	}
	defer r.zstd.Close()
	return r.header, nil
}

// A reader gives the lines of a certificate and makes sure that it is whole.
type reader struct {
	file    io.ReadSeeker
	hash    *xxh3.Hasher // of what stands before the seal
	zstd    *zstd.Decoder
	lines   *bufio.Reader
	header  Header
	records uint64 // given so far
}

func newReader(file io.ReadSeeker) (*reader, error) {
	size, err := file.Seek(0, io.SeekEnd)
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, err
	}
	r := &reader{file: file, hash: xxh3.New()}
	sealed := io.TeeReader(io.LimitReader(file, size-sealBytes), r.hash)
	if r.zstd, err = zstd.NewReader(sealed, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindowBytes)); err != nil {
		return nil, err
	}
	r.lines = bufio.NewReaderSize(r.zstd, maxLineBytes)
	line, err := r.line()
	if err == nil {
		err = json.Unmarshal([]byte(line), &r.header)
	}
	if err == nil && r.header.Format != formatVersion {
		err = fmt.Errorf("format %d, want %d", r.header.Format, formatVersion)
	}
	if err != nil {
		r.zstd.Close()
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	return r, nil
}

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
	if _, err := r.lines.ReadByte(); err != io.EOF {
		return "", errors.New("the file goes on behind its last line")
	}
	if end, err := io.ReadAll(r.file); err != nil || string(end) != string(seal(r.hash.Sum64())) {
		return "", errors.New("the file was changed: its seal does not fit")
	}
	return "", io.EOF
}

// A seal ends the file: a zstd frame that decompressors skip (RFC 8878, section
// 3.1.2), with XXH3 of all bytes before it. It covers what decompression does
// not look at, and is the checksum by which a certificate is known.
const (
	sealFrame = 0x184d2a50
	hashBytes = 8
	sealBytes = 8 + hashBytes
)

func seal(hash uint64) []byte {
	s := binary.LittleEndian.AppendUint32(nil, sealFrame)
	s = binary.LittleEndian.AppendUint32(s, hashBytes)
	return binary.LittleEndian.AppendUint64(s, hash)
}

// checksum writes a hash as headers have it.
func checksum(hash uint64) string { return fmt.Sprintf("%016x", hash) }
