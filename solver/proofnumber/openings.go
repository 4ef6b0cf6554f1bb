package proofnumber

import (
	"maps"
	"sync"
)

// work counts the nodes below each turn from the root, by the key of the
// position that the turn leads to.
type work struct {
	mutex sync.Mutex
	nodes map[uint64]uint64
}

func (w *work) add(key, nodes uint64) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.nodes == nil {
		w.nodes = make(map[uint64]uint64)
	}
	w.nodes[key] += nodes
}

func (w *work) of(key uint64) uint64 {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.nodes[key]
}

func (w *work) clear() {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	clear(w.nodes)
}

func (w *work) copy() map[uint64]uint64 {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return maps.Clone(w.nodes)
}

// Opening is what the search has found out about one turn from a position.
type Opening[P any] struct {
	To       P       // the position that it leads to
	Verdict  Verdict // a refutation is what the search believes; it is not settled
	Proof    uint32  // numbers of a turn that is undecided
	Disproof uint32
	Nodes    uint64 // searched below it, or an image, on the way from a root that was asked for; df-pn alone counts them
}

// Openings tells how far the search of a position has come, turn by turn, in
// the order of the rules, and nothing where the position has more turns than there is
// room to list. It may be asked while the search goes on, whose table does not grow meanwhile.
func (s *Search[P]) Openings(p P, attackerMoves bool) []Opening[P] {
	w := newWorker(s, &run{})
	f := w.frame(0)
	f.position, f.attacker = p, attackerMoves
	s.table.layout.RLock()
	w.listByRules(f)
	w.rate(f)
	s.table.layout.RUnlock()
	openings := make([]Opening[P], 0, len(f.turns))
	for i, st := range f.states {
		o := Opening[P]{To: f.turns[i], Verdict: st.verdict(!attackerMoves)}
		if o.Verdict == Undecided {
			o.Proof, o.Disproof = st.phi, st.delta
			if attackerMoves { // the turn is the defender's to answer
				o.Proof, o.Disproof = st.delta, st.phi
			}
		}
		if f.values[i] == Unknown {
			o.Nodes = s.work.of(f.keys[i])
		}
		openings = append(openings, o)
	}
	return openings
}
