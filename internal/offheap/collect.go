package offheap

import (
	"runtime/debug"
	"runtime/metrics"
)

// littleGarbage is what may lie on the heap unused, in bytes.
const littleGarbage = 32 << 20

// Collect has the garbage on the heap collected and given back to the system, before much else
// is taken: else it would lie beside that until the heap has doubled, and for some time after.
// A heap on which there can't be much of it is left alone.
func Collect() {
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/free:bytes"}}
	if metrics.Read(heap); heap[0].Value.Uint64()+heap[1].Value.Uint64() > littleGarbage {
		debug.FreeOSMemory()
	}
}
