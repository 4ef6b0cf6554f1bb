//go:build invariants

package mobility

import "fmt"

// What must hold of the table is looked at where that costs little beside the
// work just done. A search that breaks it panics: nothing that it says afterwards
// could be relied on.

// checkEntry panics on an entry that no search comes to.
func checkEntry(n node, entry uint64) {
	if v := unpack(entry); !v.sound() || n.own&n.opp != 0 || entry>>sideBit&1 != n.side {
		panic(fmt.Sprintf("mobility: %+v is stored for %+v, side %d", v, n, entry>>sideBit&1))
	}
}

// checkPlaces panics unless every entry of the table lies in its position's
// bucket. Nobody is inside.
func (t *table) checkPlaces() {
	for i := uint64(0); i < 2*t.capacity(); i += 2 {
		data := t.words[i+1]
		if data == 0 {
			continue
		}
		b := t.bucket(node{own: t.words[i] ^ spread(data), side: data >> sideBit & 1})
		if &b[0] != &t.words[i/(2*bucket)*(2*bucket)] {
			panic(fmt.Sprintf("mobility: entry %d is not of its bucket", i/2))
		}
	}
}
