//go:build invariants

package proofnumber

import "testing"

// breaks fails unless what it is given panics.
func breaks(t *testing.T, what string, do func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s: nobody notices", what)
		}
	}()
	do()
}

func TestBrokenInvariantsAreNoticed(t *testing.T) {
	breaks(t, "a number of 0 beside another", func() { checkRecord(record{}) })

	table, err := NewTable(minTableBytes)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	table.store(1, record{phi: 1, delta: 1})
	table.checkPlaces()
	last := table.at(table.buckets.Load() - 1)
	last[0], last[1] = table.at(0)[0], table.at(0)[1]
	breaks(t, "an entry in another bucket", table.checkPlaces)

	type position struct{ number uint64 }
	hasher, err := newHasher[position]()
	if err != nil {
		t.Fatal(err)
	}
	set, err := newNodeSet(hasher, 1<<12)
	if err != nil {
		t.Fatal(err)
	}
	defer set.free()
	for n := range uint64(20) {
		set.add(&position{n}, n%2 == 0)
	}
	set.checkSlots()
	set.list[7].position.number = 100
	breaks(t, "a member that is not found", set.checkSlots)
}
