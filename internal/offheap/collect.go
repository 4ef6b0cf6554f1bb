package offheap

import (
	"runtime"
	"runtime/metrics"
)

// littleGarbage is what may lie on the heap uncollected, in bytes.
const littleGarbage = 32 << 20

// Collect has the garbage on the heap collected, before much else is taken: else it would lie
// beside that until the heap has doubled. A heap on which there can't be much of it is left
// alone.
func Collect() {
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	if metrics.Read(heap); heap[0].Value.Uint64() > littleGarbage {
		runtime.GC()
	}
}
