package frames

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// blocks are compressed well, badly and not at all.
func blocks() [][]byte {
	random := rand.New(rand.NewPCG(1, 1))
	list := [][]byte{nil, {7}, make([]byte, 1<<16)}
	for _, values := range []int{2, 3, 81, 256} {
		block := make([]byte, 1<<14)
		for i := range block {
			block[i] = byte(random.IntN(values))
		}
		list = append(list, block)
	}
	return list
}

// The bytes of a table depend on its values alone, whatever an encoder had before.
func TestFramesAreThoseOfANewEncoder(t *testing.T) {
	decoder, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer decoder.Close()
	for level := range levels {
		var want [][]byte
		for i, block := range blocks() {
			frame := newEncoder(level).EncodeAll(block, nil)
			if got, err := decoder.DecodeAll(frame, nil); err != nil || !bytes.Equal(got, block) {
				t.Errorf("level %d: block %d is another one: %v", level, i, err)
			}
			want = append(want, frame)
		}
		var workers sync.WaitGroup
		for worker := range 3 {
			random := rand.New(rand.NewPCG(2, uint64(worker)))
			workers.Go(func() {
				for range 3 {
					e := NewEncoders(level)
					for _, i := range random.Perm(len(want)) {
						before := fmt.Append(nil, "before ", i)
						got, ok := bytes.CutPrefix(e.Append(before, blocks()[i]), before)
						if !ok || !bytes.Equal(got, want[i]) {
							t.Errorf("level %d: the frame of block %d is another one", level, i)
						}
					}
					e.Leave()
				}
			})
		}
		workers.Wait()
	}
}

// Who compresses one block after another takes one encoder, and the next takes the same.
func TestEncodersAreTakenAgain(t *testing.T) {
	again := 0
	for range 20 { // the pool may lose some
		one := NewEncoders(Better)
		one.Append(nil, blocks()[2])
		one.Append(nil, blocks()[3])
		if len(one.idle) != 1 {
			t.Fatalf("%d encoders for one block at a time", len(one.idle))
		}
		encoder := one.idle[0]
		one.Leave()
		next := NewEncoders(Better)
		next.Append(nil, blocks()[4])
		if next.idle[0] == encoder {
			again++
		}
	}
	if again == 0 {
		t.Error("no encoder was taken again")
	}
}
