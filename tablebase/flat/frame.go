package flat

import (
	"fmt"

	"github.com/klauspost/compress/zstd"

	"paika/bitboard"
)

// mostWindow is how many bytes a reader keeps at most to decompress a block with.
const mostWindow = 128 << 10

// What stands in front of each block of a frame, as RFC 8878 calls its parts.
const (
	frameBlockHeader = 3 // bytes: one bit, two, and the length
	frameBlockLast   = 1
	frameBlockByte   = 1 // the kind that has one byte, to be repeated
)

// checkFrame wants a block to be one frame that tells so many bytes of content. A decoder
// takes more: frames one behind the other, those that say nothing, and any window.
func checkFrame(frame []byte, size int) error {
	var h zstd.Header
	if err := h.Decode(frame); err != nil {
		return fmt.Errorf("%w: %w", ErrBlock, err)
	}
	if h.Skippable || !h.HasFCS || h.FrameContentSize != uint64(size) {
		return fmt.Errorf("%w: no frame that tells of %s", ErrBlock, bitboard.Count(size, "byte"))
	}
	if h.WindowSize > mostWindow {
		return fmt.Errorf("%w: its frame has a window of %d bytes, want at most %d", ErrBlock, h.WindowSize, mostWindow)
	}
	end := h.HeaderSize
	for last := false; !last && end+frameBlockHeader <= len(frame); {
		head := int(frame[end]) | int(frame[end+1])<<8 | int(frame[end+2])<<16
		last = head&frameBlockLast != 0
		length := head >> 3
		if head>>1&3 == frameBlockByte {
			length = 1
		}
		end += frameBlockHeader + length
	}
	if h.HasCheckSum {
		end += checksumBytes
	}
	if end != len(frame) {
		return fmt.Errorf("%w: its frame ends at %d of %d bytes", ErrBlock, end, len(frame))
	}
	return nil
}
