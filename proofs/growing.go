package proofs

import (
	"errors"
	"hash/maphash"
	"io"
	"math"
	"slices"
)

// OpenGrowing is Open for a certificate that is still being written, from its beginning on, with the same errors.
// ReadAt waits for bytes that are to come. It gives io.EOF where the file ends, and another error where it will not
// be written to its end: no context ends a ReadAt that waits, so whoever gives up has it fail. Bytes stay as
// they were once written. Such a file is for one goroutine at a time. Check reads it once: see ErrReadAgain.
func OpenGrowing(at io.ReaderAt) (*File, error) {
	f := &File{at: at, size: endless, growing: true, key: maphash.MakeSeed()}
	r, err := f.newReader()
	if err != nil {
		return nil, err
	}
	return r.opened()
}

// ErrReadAgain says that a file which grows would have to be read again to be checked: a record has a fault, or
// memory does not hold them all with their turns.
var ErrReadAgain = errors.New("to check a certificate that is still being written takes another reading")

// endless is the size of a file whose end nobody has seen.
const endless = math.MaxInt64

// growingBytes are read at a time of a file that grows.
const growingBytes = 1 << 17

// A growingReader gives what stands before the seal of a file that grows. What may be the seal is held back
// until the end is there. Then the file has its size and its seal.
type growingReader struct {
	of    *File
	next  int64  // byte of the file to be read
	held  []byte // that were read, and not given
	ended bool
}

func (g *growingReader) Read(p []byte) (int, error) {
	for !g.ended && len(g.held) <= sealBytes {
		if err := g.readOn(); err != nil {
			return 0, err
		}
	}
	ready := len(g.held)
	if !g.ended {
		ready -= sealBytes
	}
	if ready == 0 {
		return 0, io.EOF
	}
	n := copy(p, g.held[:ready])
	g.held = g.held[n:]
	return n, nil
}

// readOn reads the next bytes.
func (g *growingReader) readOn() error {
	at := len(g.held)
	g.held = slices.Grow(slices.Clone(g.held), growingBytes)[:at+growingBytes]
	n, err := g.of.at.ReadAt(g.held[at:], g.next)
	g.next += int64(n)
	g.held = g.held[:at+n]
	if err != io.EOF {
		return err
	}
	g.ended, g.of.size = true, g.next
	if end := len(g.held) - sealBytes; end >= 0 && isSeal(g.held[end:]) {
		g.held, g.of.seal = g.held[:end], g.held[end:]
	}
	return nil
}
