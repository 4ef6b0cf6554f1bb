package proofnumber

import (
	"math"
	"sync/atomic"
)

// budget is the nodes that a run may still visit. Workers take them in blocks
// before they visit any, so that together they never visit more.
type budget struct {
	left      atomic.Uint64
	unlimited bool
}

// BlockNodes is how many nodes a worker takes at a time, and may have left when
// another one finds that there are no more.
const BlockNodes = 1 << 6

// newBudget is one of that many nodes, or without a limit for 0.
func newBudget(nodes uint64) *budget {
	b := &budget{unlimited: nodes == 0}
	b.left.Store(nodes)
	return b
}

// take gives as many nodes as are left, up to a number.
func (b *budget) take(nodes uint64) uint64 {
	if b.unlimited {
		return math.MaxUint64 / 2
	}
	for {
		left := b.left.Load()
		given := min(left, nodes)
		if b.left.CompareAndSwap(left, left-given) {
			return given
		}
	}
}

// afford tells whether a worker may visit another node. If it may not, the run
// is over.
func (w *worker[P]) afford() bool {
	if w.nodes < w.allowed {
		return true
	}
	w.allowed += w.run.budget.take(BlockNodes)
	if w.nodes < w.allowed {
		return true
	}
	w.run.ended.Store(true)
	return false
}

// giveBack returns what a worker has taken and not used.
func (w *worker[P]) giveBack() {
	if b := w.run.budget; !b.unlimited {
		b.left.Add(w.allowed - w.nodes)
	}
	w.allowed = w.nodes
}
