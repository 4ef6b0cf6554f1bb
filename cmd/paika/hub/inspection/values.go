package inspection

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"

	"paika/bitboard"
)

// Values travel as they lie in memory: words of 64 bits with 32 values each in wdl, of 16
// bits with one each in dtw, lowest byte first. They say nothing of themselves: their
// reader knows how many there are, and compares their fingerprint.

// ValueBytes is the number of bytes of a table as it travels.
func ValueBytes(t *bitboard.Table) int64 { return 8*int64(len(t.WDL)) + 2*int64(len(t.DTW)) }

// wordsAtOnce is how many words are written or read at a time.
const wordsAtOnce = 1 << 14

// WriteValues writes the values of a table.
func WriteValues(out io.Writer, t *bitboard.Table) error {
	if err := writeWords(out, t.WDL, binary.LittleEndian.AppendUint64); err != nil {
		return err
	}
	return writeWords(out, t.DTW, func(b []byte, d bitboard.Depth) []byte {
		return binary.LittleEndian.AppendUint16(b, uint16(d))
	})
}

func writeWords[W any](out io.Writer, words []W, put func([]byte, W) []byte) error {
	var bytes []byte
	for len(words) > 0 {
		n := min(wordsAtOnce, len(words))
		bytes = bytes[:0]
		for _, w := range words[:n] {
			bytes = put(bytes, w)
		}
		if _, err := out.Write(bytes); err != nil {
			return err
		}
		words = words[n:]
	}
	return nil
}

// ReadValues fills a table, and wants no byte more.
func ReadValues(in io.Reader, t *bitboard.Table) error {
	buffered := bufio.NewReaderSize(in, 8*wordsAtOnce)
	var word [8]byte
	for i := range t.WDL {
		if _, err := io.ReadFull(buffered, word[:]); err != nil {
			return fmt.Errorf("values of a table: %w", err)
		}
		t.WDL[i] = binary.LittleEndian.Uint64(word[:])
	}
	for i := range t.DTW {
		if _, err := io.ReadFull(buffered, word[:2]); err != nil {
			return fmt.Errorf("values of a table: %w", err)
		}
		t.DTW[i] = bitboard.Depth(binary.LittleEndian.Uint16(word[:2]))
	}
	if _, err := buffered.ReadByte(); err != io.EOF {
		return fmt.Errorf("values of a table: more than %d bytes", ValueBytes(t))
	}
	return nil
}
