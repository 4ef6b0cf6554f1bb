//go:build invariants

package mobility

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
	n := node{own: 1, opp: 2}
	checkEntry(n, pack(won))
	breaks(t, "a number of 0 beside another", func() { checkEntry(n, 0) })
	breaks(t, "a point with two stones", func() { checkEntry(node{own: 3, opp: 2}, pack(won)) })

	table, err := newTable(1 << 12)
	if err != nil {
		t.Fatal(err)
	}
	defer table.free()
	table.store(n, won, 1)
	table.checkPlaces()
	at := 0
	for table.words[at+1] == 0 {
		at += 2
	}
	other := (at + 2*bucket) % int(2*table.capacity())
	table.words[other], table.words[other+1] = table.words[at], table.words[at+1]
	breaks(t, "an entry in another bucket", table.checkPlaces)
}
