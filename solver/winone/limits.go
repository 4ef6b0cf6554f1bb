package winone

import (
	"context"
	"time"

	"paika/bitboard"
	"paika/bitboard/phutball"
)

// Limit is what ended a search before the answer.
type Limit string

// The limits, by the option that sets them.
const (
	NoLimit     Limit = "" // the answer is known
	TimeLimit   Limit = "time"
	NodesLimit  Limit = "nodes"
	MemoryLimit Limit = "memory"
)

// clock tells when to stop.
type clock struct {
	ctx    context.Context
	end    time.Time // zero for never
	err    error     // the context's, once it is done
	met    Limit     // once a limit was met
	passed int       // work since the last look at the time
}

// clockWork is how much work passes between looks at the time. A unit is a few
// instructions: the look at a point or an edge.
const clockWork = 1 << 15

// searchWork is the work of a node of a search, beside looking at jumps.
const searchWork = clockWork / 64

// over looks whether the time is over or the context done.
func (c *clock) over() bool {
	if c.met != NoLimit {
		return true
	}
	if c.err = c.ctx.Err(); c.err != nil || !c.end.IsZero() && time.Now().After(c.end) {
		c.met = TimeLimit
	}
	return c.met != NoLimit
}

// spend counts work, and is over now and then.
func (c *clock) spend(work int) bool {
	if c.passed += work; c.passed < clockWork {
		return c.met != NoLimit
	}
	c.passed = 0
	return c.over()
}

// stopped tells whether a limit was met.
func (c *clock) stopped() bool { return c.met != NoLimit }

// The memory of a solver, in bytes. What grows with the question gets shares of
// what the board leaves.
const (
	// mostMemory is what a solver takes at the most: it counts places, edges and
	// the men that these jump in 31 bits.
	mostMemory = 16 << 30

	// placeBytes is what a solver takes for each place beside the grid: men, bans,
	// the root's relaxation.
	placeBytes = 64

	boardBytes = 16 << 10 // beside its places

	// What support, a pincer and a best-first search with their graph take, for each place, edge, and
	// man that an edge jumps.
	graphPlaceBytes = 780
	graphEdgeBytes  = 370
	graphManBytes   = 48

	// stateBytes is what a state takes in a memory that has just grown.
	stateBytes = 48
)

// Bytes is what a solver and its grid take on a board before any search.
func Bytes(board bitboard.Board) uint64 {
	return boardBytes + uint64(board.Points()+2*board.Width)*(phutball.GridBytes+placeBytes)
}

// room is what a search may take beside the board, in bytes: half is for graphs, a
// quarter for the two memories of states that failed, an eighth for the states of the
// best-first search, an eighth for the formula.
func room(board bitboard.Board, memory uint64) uint64 {
	if memory == 0 || memory > mostMemory {
		memory = mostMemory
	}
	return memory - min(memory, Bytes(board))
}

// deepest bounds how deep calls nest, so that the stack stays below some 32 MiB. On
// a board with fewer men none gets so deep.
const deepest = 1 << 16

// nesting keeps calls that spread over a board from nesting too deep. What would
// waits until the others are done; the order makes no difference to what they find.
type nesting struct {
	depth int
	later []int32
}

// enter tells whether a call for x may go on. It must then leave.
func (n *nesting) enter(x int32) bool {
	if n.depth == deepest {
		n.later = append(n.later, x)
		return false
	}
	n.depth++
	return true
}

func (n *nesting) leave() { n.depth-- }

// next takes up what waits.
func (n *nesting) next() (x int32, found bool) {
	if len(n.later) == 0 {
		return 0, false
	}
	x = n.later[len(n.later)-1]
	n.later = n.later[:len(n.later)-1]
	return x, true
}
