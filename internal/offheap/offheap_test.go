package offheap

import (
	"runtime"
	"testing"
)

func TestMakeGivesZeroedWritableMemory(t *testing.T) {
	for _, n := range []uint64{1, 1000, 3 << 20} {
		a, err := Make[uint16](n)
		if err != nil {
			t.Fatal(err)
		}
		if uint64(len(a)) != n || a[0] != 0 || a[n-1] != 0 {
			t.Errorf("Make(%d): length %d, ends %d %d", n, len(a), a[0], a[n-1])
		}
		a[0], a[n-1] = 1, 2
		Free(a)
	}
}

func TestMakeRefusesWhatCannotBe(t *testing.T) {
	for _, n := range []uint64{0, 1 << 60, ^uint64(0)} {
		if _, err := Make[uint64](n); err == nil {
			t.Errorf("Make(%d) succeeded", n)
		}
	}
}

// TestCollectLeavesASmallHeapAlone, and no other.
func TestCollectLeavesASmallHeapAlone(t *testing.T) {
	collected := func() bool {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		Collect()
		runtime.ReadMemStats(&after)
		return after.NumForcedGC > before.NumForcedGC
	}
	runtime.GC()
	if collected() {
		t.Error("a small heap was collected")
	}
	big := make([]byte, littleGarbage)
	if !collected() {
		t.Error("a big heap was not collected")
	}
	runtime.KeepAlive(big)
}
