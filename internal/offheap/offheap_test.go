package offheap

import (
	"runtime"
	"strings"
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

// What is refused is told as amounts are told everywhere.
func TestARefusalTellsAnAmountThatCanBeRead(t *testing.T) {
	for _, c := range []struct {
		n    uint64
		want string
	}{
		{1 << 44, "134,217,728 MiB"},
		{1 << 46, "an array of 70,368,744,177,664 elements of 8 bytes can't be had"},
	} {
		a, err := Make[uint64](c.n)
		if err == nil {
			Free(a)
			t.Skip("the system promises whatever is asked for")
		}
		if !strings.Contains(err.Error(), c.want) {
			t.Errorf("Make(%d): %v, want %s in it", c.n, err, c.want)
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
