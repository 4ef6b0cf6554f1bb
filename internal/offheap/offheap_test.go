package offheap

import "testing"

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
