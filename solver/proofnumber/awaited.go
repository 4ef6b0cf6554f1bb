package proofnumber

import "sync/atomic"

// awaited keeps facts about some nodes, by their keys, from the moment at which a
// search comes to them. A table may lose them again within the same search. The
// nodes are few and do not change: the turns of one position. Several workers may
// enter facts; nil keeps none.
type awaited map[uint64]*atomic.Uint64

// await waits for facts about the nodes with these keys.
func await(keys []uint64) awaited {
	a := make(awaited, len(keys))
	for _, key := range keys {
		a[key] = new(atomic.Uint64)
	}
	return a
}

// enter keeps what is a fact about a node that is waited for.
func (a awaited) enter(key uint64, r record) {
	if a == nil || !r.fact() {
		return
	}
	if kept := a[key]; kept != nil {
		kept.Store(r.pack())
	}
}

// recall puts facts that were kept in the place of what is said of nodes. The
// attacker has the move in all of them, or in none.
func (a awaited) recall(keys []uint64, states []state, attacker bool) {
	if a == nil {
		return
	}
	for i, key := range keys {
		kept := a[key]
		if kept == nil || states[i].fact {
			continue
		}
		if data := kept.Load(); data != 0 {
			states[i] = unpack(data).state(attacker)
		}
	}
}
