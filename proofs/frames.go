package proofs

import (
	"encoding/binary"
	"errors"
)

// errSkipped says that a stream has what decompression passes over. The seal is such a frame, and
// ends a file: bytes that nobody reads stand nowhere else.
var errSkipped = errors.New("the file has a frame that zstd skips, and that is not the seal at its end")

const (
	zstdFrame    = 0xfd2fb528
	skippedFrame = 0x184d2a50 // to 0x184d2a5f: magic numbers of frames that are skipped
)

// frames follows the frames of a zstd stream that is written to it (RFC 8878, section 3.1), and fails at
// the first that is skipped. What else is wrong with a stream is for decompression to tell.
type frames struct {
	head   []byte // of a frame or of a block, so far
	within bool   // a frame: the head is a block's
	pass   int    // bytes that come before the next head
	check  int    // bytes of the frame's checksum
	lost   bool   // what came last is no frame
}

const (
	frameHead = 5 // magic number and descriptor
	blockHead = 3
)

func (f *frames) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0 && !f.lost; {
		if f.pass > 0 {
			n := min(f.pass, len(rest))
			f.pass, rest = f.pass-n, rest[n:]
			continue
		}
		f.head, rest = append(f.head, rest[0]), rest[1:]
		switch {
		case !f.within && len(f.head) == frameHead:
			if err := f.beginFrame(); err != nil {
				return 0, err
			}
		case f.within && len(f.head) == blockHead:
			f.beginBlock()
		}
	}
	return len(p), nil
}

// beginFrame reads the head of a frame.
func (f *frames) beginFrame() error {
	magic, descriptor := binary.LittleEndian.Uint32(f.head), f.head[4]
	if magic&^0xf == skippedFrame {
		return errSkipped
	}
	single := int(descriptor >> 5 & 1)
	window, dictionary := 1-single, [...]int{0, 1, 2, 4}[descriptor&3]
	size := [...]int{single, 2, 4, 8}[descriptor>>6]
	f.pass, f.check = window+dictionary+size, 4*int(descriptor>>2&1)
	f.head, f.within, f.lost = f.head[:0], true, magic != zstdFrame
	return nil
}

// beginBlock reads the head of a block.
func (f *frames) beginBlock() {
	const repeated = 1 // the kind of a block of one byte, which stands for as many as the size says
	head := int(f.head[0]) | int(f.head[1])<<8 | int(f.head[2])<<16
	f.pass = head >> 3
	if head>>1&3 == repeated {
		f.pass = 1
	}
	if last := head&1 != 0; last {
		f.pass += f.check
		f.within = false
	}
	f.head = f.head[:0]
}
