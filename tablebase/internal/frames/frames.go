// Package frames compresses blocks of values, each to a zstd frame, and has the decoder of these.
//
// An encoder of the best level has tables of 34 MiB. To make them takes longer than to
// compress a small slice. So an encoder is made when a block waits for one, and one that is
// done with serves the next who compresses, until the garbage collector takes it. What was
// compressed before does not change a frame.
package frames

import (
	"sync"

	"github.com/klauspost/compress/zstd"
)

// Level is how well blocks are compressed.
type Level int

const (
	Best   Level = iota
	Better       // some times as fast, and a little larger
	levels
)

// left are the encoders that were left by others, by their level.
var left [levels]sync.Pool

// Encoders compress blocks at one level. They are safe for concurrent use.
type Encoders struct {
	level Level
	mutex sync.Mutex
	idle  []*zstd.Encoder
}

// NewEncoders returns encoders of a level, as many as are used at once. Leave them at the end.
func NewEncoders(level Level) *Encoders { return &Encoders{level: level} }

// Append appends the frame of a block.
func (e *Encoders) Append(dst, block []byte) []byte {
	encoder := e.take()
	dst = encoder.EncodeAll(block, dst)
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.idle = append(e.idle, encoder)
	return dst
}

// Leave gives what is idle to others.
func (e *Encoders) Leave() {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	for _, encoder := range e.idle {
		left[e.level].Put(encoder)
	}
	e.idle = nil
}

func (e *Encoders) take() *zstd.Encoder {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if last := len(e.idle) - 1; last >= 0 {
		encoder := e.idle[last]
		e.idle = e.idle[:last]
		return encoder
	}
	if encoder, ok := left[e.level].Get().(*zstd.Encoder); ok {
		return encoder
	}
	return newEncoder(e.level)
}

func newEncoder(level Level) *zstd.Encoder {
	encoder, err := zstd.NewWriter(nil,
		zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderLevel([levels]zstd.EncoderLevel{zstd.SpeedBestCompression, zstd.SpeedBetterCompression}[level]),
		zstd.WithWindowSize(128<<10),
		zstd.WithSingleSegment(true),
		zstd.WithLowerEncoderMem(true),
		zstd.WithEncoderCRC(false)) // who stores a frame has one
	if err != nil {
		panic(err) // no other options are ever given
	}
	return encoder
}

// NewDecoder returns a decoder for that many goroutines, at least one. Its DecodeAll gives no block
// that is longer than the room in its buffer.
func NewDecoder(workers int) *zstd.Decoder {
	decoder, err := zstd.NewReader(nil,
		zstd.WithDecoderConcurrency(workers),
		zstd.WithDecoderLowmem(true),
		zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		panic(err) // no other options are ever given
	}
	return decoder
}
