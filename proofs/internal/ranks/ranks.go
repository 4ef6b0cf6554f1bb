// Package ranks numbers the ranks of a certificate without gaps.
//
// That ranks fall is all that a valid certificate needs: the highest may be 2^32-1, though
// few are there. Who puts ranks on top of others numbers them first.
//
//	var order ranks.Order
//	order.Add(record.Rank) // of each record
//	order.Number(record.Rank)
package ranks

import "slices"

// Order is the order of some ranks. It holds four bytes for each rank that differs from all
// others, and at most as many again while ranks are added. It is for one goroutine.
type Order struct {
	ranks  []uint32
	sorted int // so many of them are in order, each once
}

const (
	// fewest is how many ranks at least are sorted together.
	fewest = 1 << 10

	// The lowest rank has the number 1 or 2. Certificates that are written here begin with one of
	// these, and have no gaps: they are to stay as they are. 0 would be above nothing.
	leastFirst, mostFirst = 1, 2
)

// Add adds a rank. It may be there already.
func (o *Order) Add(rank uint32) {
	if _, found := slices.BinarySearch(o.ranks[:o.sorted], rank); found {
		return
	}
	if o.ranks = append(o.ranks, rank); len(o.ranks)-o.sorted >= max(fewest, o.sorted) {
		o.sort()
	}
}

func (o *Order) sort() {
	slices.Sort(o.ranks)
	o.ranks = slices.Compact(o.ranks)
	o.sorted = len(o.ranks)
}

// Number is the number of a rank that was added: the lowest keeps its own if that is 1 or 2, and
// each other one has the next. So ranks keep their order, and on top of others they are above them.
func (o *Order) Number(rank uint32) uint32 {
	if o.sorted < len(o.ranks) {
		o.sort()
	}
	below, _ := slices.BinarySearch(o.ranks, rank)
	return min(max(o.ranks[0], leastFirst), mostFirst) + uint32(below)
}

// Highest is the number of the highest rank, 0 if there is none.
func (o *Order) Highest() uint32 {
	if len(o.ranks) == 0 {
		return 0
	}
	return o.Number(slices.Max(o.ranks))
}
