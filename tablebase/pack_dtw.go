package tablebase

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"

	"paika/bitboard"
)

// Packed depths are the length of the palette (2 bytes, little endian), the
// palette in rising order (2 bytes each), and a number into it for each index:
// one byte where the palette has at most 256 depths, else two, little endian.

// smallPalette is the longest palette that one byte numbers.
const smallPalette = 256

// dtwPacker keeps what packing needs from chunk to chunk. It belongs to one
// goroutine.
type dtwPacker struct {
	used [1 << 16 / 64]uint64 // a bit for each Depth that occurs
	code [1 << 16]uint16      // its place in the palette
}

// pack appends the packed depths to dst.
func (p *dtwPacker) pack(dst []byte, depths []bitboard.Depth) (chunkKind, []byte, error) {
	for _, d := range depths {
		p.used[d>>6] |= 1 << (d & 63)
	}
	start := len(dst)
	dst = append(dst, 0, 0)
	count := 0
	for i := range p.used {
		for ; p.used[i] != 0; count++ {
			d := bitboard.Depth(i<<6 | bits.TrailingZeros64(p.used[i]))
			p.used[i] &= p.used[i] - 1
			p.code[d] = uint16(count)
			dst = binary.LittleEndian.AppendUint16(dst, uint16(d))
		}
	}
	binary.LittleEndian.PutUint16(dst[start:], uint16(count))
	if err := checkPalette(dst[start+2:]); err != nil {
		return 0, nil, err
	}
	if count <= smallPalette {
		for _, d := range depths {
			dst = append(dst, byte(p.code[d]))
		}
		return dtwZstd, dst, nil
	}
	for _, d := range depths {
		dst = binary.LittleEndian.AppendUint16(dst, p.code[d])
	}
	return dtwZstdDouble, dst, nil
}

// packedDTW is packed depths taken apart, without a copy.
type packedDTW struct {
	palette []byte
	codes   []byte
	double  bool // two bytes a code
}

var errPalette = errors.New("the palette of depths is broken")

// openDTW takes n packed depths apart and checks every one of them.
func openDTW(kind chunkKind, packed []byte, n int) (packedDTW, error) {
	if len(packed) < 2 {
		return packedDTW{}, errPalette
	}
	count := int(binary.LittleEndian.Uint16(packed))
	c := packedDTW{double: kind == dtwZstdDouble}
	if len(packed) < 2+2*count || c.double != (count > smallPalette) {
		return packedDTW{}, errPalette
	}
	c.palette, c.codes = packed[2:2+2*count], packed[2+2*count:]
	want := n
	if c.double {
		want = 2 * n
	}
	if len(c.codes) != want {
		return packedDTW{}, fmt.Errorf("%s of depths, want %d", bitboard.Count(len(c.codes), "byte"), want)
	}
	if err := checkPalette(c.palette); err != nil {
		return packedDTW{}, err
	}
	return c, c.checkCodes(count)
}

// at is the depth of index i of the chunk.
func (c *packedDTW) at(i uint64) bitboard.Depth {
	code := int(c.codes[i])
	if c.double {
		code = int(binary.LittleEndian.Uint16(c.codes[2*i:]))
	}
	return bitboard.Depth(binary.LittleEndian.Uint16(c.palette[2*code:]))
}

// unpack fills dst, which has one Depth an index.
func (c *packedDTW) unpack(dst []bitboard.Depth) {
	var palette [smallPalette]bitboard.Depth
	if c.double {
		for i := range dst {
			dst[i] = c.at(uint64(i))
		}
		return
	}
	for i := 0; i < len(c.palette); i += 2 {
		palette[i/2] = bitboard.Depth(binary.LittleEndian.Uint16(c.palette[i:]))
	}
	for i := range dst {
		dst[i] = palette[c.codes[i]]
	}
}

func (c *packedDTW) checkCodes(count int) error {
	if c.double {
		for i := 0; i < len(c.codes); i += 2 {
			if int(binary.LittleEndian.Uint16(c.codes[i:])) >= count {
				return errPalette
			}
		}
		return nil
	}
	if count == smallPalette {
		return nil
	}
	for _, code := range c.codes {
		if int(code) >= count {
			return errPalette
		}
	}
	return nil
}

// checkPalette wants rising depths, each of them an outcome.
func checkPalette(palette []byte) error {
	last := -1
	for i := 0; i < len(palette); i += 2 {
		d := bitboard.Depth(binary.LittleEndian.Uint16(palette[i:]))
		if int(d) <= last {
			return errPalette
		}
		if !d.IsOutcome() {
			return noOutcome(d)
		}
		last = int(d)
	}
	return nil
}

func noOutcome(d bitboard.Depth) error { return fmt.Errorf("depth %#x is no outcome", uint16(d)) }
