package proofs

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"

	"github.com/zeebo/xxh3"
)

// A seal ends the file: a zstd frame that decompressors skip (RFC 8878, section
// 3.1.2), with XXH3 of all bytes before it. It covers what decompression does
// not look at.
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

// sealWriter hashes what it passes on.
type sealWriter struct {
	out  io.Writer
	hash *xxh3.Hasher
}

func (w *sealWriter) Write(p []byte) (int, error) {
	_, _ = w.hash.Write(p) // it never fails
	return w.out.Write(p)
}

// close writes the seal.
func (w *sealWriter) close() error {
	_, err := w.out.Write(seal(w.hash.Sum64()))
	return err
}

// sealReader passes on all but the seal, and fails where that is not right.
type sealReader struct {
	in   *bufio.Reader
	hash *xxh3.Hasher
}

var errSeal = errors.New("the file was changed or cut short: its seal does not fit")

func (r *sealReader) Read(p []byte) (int, error) {
	ahead, err := r.in.Peek(min(sealBytes+len(p), r.in.Size()))
	if err != nil && err != io.EOF {
		return 0, err
	}
	if len(ahead) > sealBytes {
		n := copy(p, ahead[:len(ahead)-sealBytes])
		_, _ = r.hash.Write(p[:n]) // it never fails
		_, err = r.in.Discard(n)
		return n, err
	}
	if string(ahead) != string(seal(r.hash.Sum64())) {
		return 0, errSeal
	}
	return 0, io.EOF
}
