package tablebase

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/zeebo/xxh3"

	"paika/bitboard"
)

// Sections of a checkpoint are counted in the units of a table: words of
// values for wdl, depths for dtw.

// words is the length of a table.
func words(t *bitboard.Table) int { return max(len(t.WDL), len(t.DTW)) }

// sectionEnd is where the section that begins there ends.
func sectionEnd(t *bitboard.Table, at int) int {
	if t.DTW != nil {
		return min(at+sectionBytes/2, len(t.DTW))
	}
	return min(at+sectionBytes/8, len(t.WDL))
}

// appendSection appends a section without its checksum, and tells where it
// ends.
func appendSection(dst []byte, t *bitboard.Table, at int) ([]byte, int) {
	end := sectionEnd(t, at)
	if t.DTW != nil {
		for _, d := range t.DTW[at:end] {
			dst = binary.LittleEndian.AppendUint16(dst, uint16(d))
		}
		return dst, end
	}
	for _, w := range t.WDL[at:end] {
		dst = binary.LittleEndian.AppendUint64(dst, w)
	}
	return dst, end
}

// sealSection appends the checksum.
func sealSection(section []byte, number uint64) []byte {
	return binary.LittleEndian.AppendUint64(section, xxh3.HashSeed(section, number))
}

// readSection fills a part of a table, and tells where it ends.
func readSection(r io.Reader, buffer []byte, number uint64, t *bitboard.Table, at int) (int, error) {
	end := sectionEnd(t, at)
	size := 8 * (end - at)
	if t.DTW != nil {
		size = 2 * (end - at)
	}
	if _, err := io.ReadFull(r, buffer[:size+sealBytes]); err != nil {
		return at, unread(err)
	}
	section := buffer[:size]
	if binary.LittleEndian.Uint64(buffer[size:]) != xxh3.HashSeed(section, number) {
		return at, fmt.Errorf("%w: %w", errNoCheckpoint, errSeal)
	}
	if t.DTW != nil {
		for i := range t.DTW[at:end] {
			t.DTW[at+i] = bitboard.Depth(binary.LittleEndian.Uint16(section[2*i:]))
		}
		return end, nil
	}
	for i := range t.WDL[at:end] {
		t.WDL[at+i] = binary.LittleEndian.Uint64(section[8*i:])
	}
	return end, nil
}
