package proofnumber

import (
	"sync/atomic"
	"unsafe"

	"paika/bitboard"
)

const (
	// mostTurns bounds the turns of a position that are listed, whatever memory there is.
	mostTurns = 1 << 20

	// fewTurns are listed whatever a worker has on its path.
	fewTurns = 1 << 12

	// leastTurns is the room of a worker at the least. Whoever works for others lists the turns of a
	// position that is to be split, if they are no more than a message tells of.
	leastTurns = 1 << 14

	// turnsShare is the part of the memory for sets that lists of turns take at most.
	turnsShare = 8
)

// turnsWithin is the turns that each worker has room for, in so many bytes for all of them.
// A list takes as much again while it grows.
func turnsWithin[P comparable](bytes uint64, workers int) int {
	each := 2 * uint64(unsafe.Sizeof(*new(P))+unsafe.Sizeof(uint64(0))+unsafe.Sizeof(state{})+2*unsafe.Sizeof(Unknown))
	return int(max(leastTurns, min(mostTurns, bytes/uint64(workers)/each)))
}

// A barred position has more turns than there is room to list. Nothing is found out about it:
// it is no end of the game, and neither side is known to reach its goal there. So its state
// is the hopeless one.
var hopeless = state{phi: most, delta: most}

// hopeless tells whether nothing is left to be tried at a node: each side fails, but for what
// may follow from barred positions.
func (r *run) hopeless(s state) bool {
	return s.phi >= most && s.delta >= most && !s.solved() && r.barred.Load() != nil
}

// barredNode is a node whose position is barred.
type barredNode struct {
	position any
	attacker bool // has the move
}

// bars tells whether a node is barred: it has more turns than its worker has room for beside
// those on its path. A game that is no bitboard.Prolific has no such node.
func (w *worker[P]) bars(f *frame[P]) bool {
	if w.prolific == nil || !w.prolific.MoreTurnsThan(f.position, w.room()) {
		return false
	}
	w.table.barred.Store(true)
	if w.run.barred.Load() == nil {
		w.run.barred.CompareAndSwap(nil, &barredNode{f.position, f.attacker})
	}
	return true
}

// room is how many turns a worker may list: those of long lists on its path take some.
func (w *worker[P]) room() int {
	few := min(fewTurns, w.options.Turns)
	left := w.options.Turns
	for _, f := range w.frames[:w.depth] {
		if len(f.turns) > few {
			left -= len(f.turns)
		}
	}
	return max(left, few)
}

// shed gives the memory of a long list back. The first frame shows its turns to who has asked.
func (w *worker[P]) shed(f *frame[P], ply int) {
	if w.prolific != nil && ply > 0 && len(f.turns) > fewTurns {
		f.turns, f.keys, f.states, f.values, f.hinted = nil, nil, nil, nil, nil
	}
}

// end is the state of a node of which no turns are listed: the game is over there, or it is
// barred.
func (w *worker[P]) end(f *frame[P]) state {
	if f.barred {
		return hopeless
	}
	return valued(f.attacker, w.rules.Ended(f.position))
}

// tooMany says which position is barred, where a node has that state because of it; nil where it
// has not.
func (s *Search[P]) tooMany(r *run, st state) error {
	if !r.hopeless(st) {
		return nil
	}
	at := r.barred.Load()
	return &bitboard.TooManyTurnsError[P]{Position: at.position.(P), Other: at.attacker != r.attacker, Most: s.options.Turns}
}

// hopeless tells whether an entry has the numbers of a barred node, or of one where nothing but such
// is left to be tried. They hold for the room that there was.
func (r record) hopeless() bool { return !r.solved() && r.phi >= most && r.delta >= most }

// dropHopeless drops the entries that barred nodes have left, if there may be some: a search that
// begins may have room for what the one before had not. A search over the table meanwhile loses
// nothing that it has found.
func (t *Table) dropHopeless() {
	if !t.barred.Swap(false) {
		return
	}
	t.layout.RLock()
	defer t.layout.RUnlock()
	for i := range t.buckets.Load() * bucketEntries {
		at := &t.words[2*i+1]
		if data := atomic.LoadUint64(at); unpack(data).hopeless() {
			atomic.CompareAndSwapUint64(at, data, 0)
		}
	}
}
