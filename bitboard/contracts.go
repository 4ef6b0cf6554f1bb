package bitboard

// Side is one of the two players: 0 is the one who moves first in the game's
// start position, 1 the other. It matters to notation alone.
type Side uint8

// Other returns the opponent of s.
func (s Side) Other() Side { return s ^ 1 }

// Rules is the part of the fine contract that a search needs. Methods are safe
// for concurrent use. Positions passed in must come from Start, Parse, Turns,
// Unrank or Walk of the same game.
type Rules[P comparable] interface {
	// Turns appends to dst the position after each legal turn of p, seen from
	// the side that moves next: one for every distinct sequence, so that the
	// same position can stand there more than once. It appends nothing where
	// the game is over.
	Turns(dst []P, p P) []P

	// Ended is the value, for the side to move, of a position where Turns
	// appends nothing. Its distance is 0. No slice holds a position where it is
	// Win: who has won by being blocked, say, has a turn to a position in no
	// slice, which is lost for the other side.
	Ended(p P) Value
}

// Turn is a legal turn as people read it, and the position that it leads to,
// seen from the side that moves next.
type Turn[P any] struct {
	Notation string
	To       P
}

// Notation is the part of the fine contract that reads and writes text.
// Methods are safe for concurrent use.
type Notation[P comparable] interface {
	// Start is the position that games begin with. It fails, saying why, on a
	// board that has none.
	Start() (P, Side, error)

	// Parse reads a position; Format writes it, and Parse(Format(p, s)) gives
	// p and s again. Errors are of type *SyntaxError.
	Parse(text string) (P, Side, error)
	Format(p P, s Side) string

	// Notated lists the legal turns in the order of Turns, with notation.
	Notated(p P, s Side) []Turn[P]

	// ParseTurn reads one turn of p. An illegal turn is an error, an *IllegalTurnError
	// or a *SyntaxError, that names the step and the rule it breaks.
	ParseTurn(p P, s Side, text string) (Turn[P], error)

	// SideName is the word for a side: "white", "black", "ohs", ...
	SideName(s Side) string
}

// Slice is a game's number for a set of positions that share one index.
// Numbers are below MaxSlices and mean nothing outside their game.
type Slice uint16

// MaxSlices bounds the slice numbers of every game.
const MaxSlices = 1 << 12

// Group is a set of slices solved together, since play inside it may go in
// circles, and the slices outside it that its turns reach.
type Group struct {
	Slices []Slice
	Needs  []Slice
}

// Space is the part of the fine contract that numbers positions. An index
// space may hold gaps: indices that stand for no position, since another index
// stands for the same one under a symmetry of the board. Methods are safe for
// concurrent use.
type Space[P comparable] interface {
	// Groups lists all groups of the board, in an order in which each finds
	// its needs solved before it. What a caller has no room for it leaves out
	// itself, by Pieces and Indices. Groups fails, saying why, on a board that
	// can't have tables.
	//
	// The order says nothing of pieces. Where captures take stones away, the
	// needs of a group have fewer, and groups stand by rising number. In a game
	// such as Hex, where every turn adds a stone, they have more, and the full
	// board comes first.
	Groups() ([]Group, error)

	// Pieces is the most pieces that a position of a slice has.
	Pieces(s Slice) int

	// SliceName is "3v2" or the like; ParseSlice reads it back.
	SliceName(s Slice) string
	ParseSlice(name string) (Slice, error)

	// Indices is the size of a slice's index space, Positions the number of
	// positions in the slice with no symmetry taken out. Each is the highest
	// number of 64 bits where that is less. No table can be made of a slice
	// with MaxIndices or more.
	Indices(s Slice) uint64
	Positions(s Slice) uint64

	// SliceOf tells where p belongs, Rank its index there too. Positions that
	// are images of each other under a symmetry have the same index. Where the
	// game is over, p may be in no slice that has an index: SliceOf then gives
	// one that is in no group, of no indices, and Rank must not be called. Nor must it
	// where Indices of the slice is MaxIndices or more: there, numbering may need more
	// memory than there is.
	SliceOf(p P) Slice
	Rank(p P) (Slice, uint64)

	// Unrank gives the canonical position of an index and the number of
	// positions, its images under symmetries, that the index stands for.
	// That weight is 0 for a gap.
	Unrank(s Slice, index uint64) (p P, weight int)

	// Walk calls yield for every index in [lo, hi) that is not a gap, in
	// rising order, until yield answers false.
	Walk(s Slice, lo, hi uint64, yield func(index uint64, p P, weight int) bool)
}

// Game is everything the toolkit asks of a game that has tables.
type Game[P comparable] interface {
	Rules[P]
	Notation[P]
	Space[P]
	Kernel
}

// Kernel is the coarse contract. Calls are safe for concurrent use on
// different Edges. An index passed in lies in the slice's index space.
type Kernel interface {
	// Settle fills e with one fate for each index of [lo, hi), and with the
	// edges of those whose fate is ByEdges: all their turns, each of which
	// leaves the group.
	Settle(s Slice, lo, hi uint64, e *Edges)

	// Weights appends to dst, for each index of [lo, hi), the number of
	// positions that it stands for, 0 for a gap.
	Weights(dst []uint8, s Slice, lo, hi uint64) []uint8

	// Forward fills e with the edges of open positions, for each of the
	// indices given (in any order, though rising runs are faster) all its
	// turns, inside the group or out of it.
	Forward(s Slice, indices []uint64, e *Edges)

	// Backward fills e with edges to the open positions from which a turn
	// leads to each of the indices given, which must be open ones too.
	Backward(s Slice, indices []uint64, e *Edges)
}

// Ref names a position in any slice: the slice in the top 16 bits, the index in
// the low 48.
type Ref uint64

// MaxIndices bounds the index space of a slice.
const MaxIndices = 1 << 48

// MakeRef packs a slice and an index below MaxIndices.
func MakeRef(s Slice, index uint64) Ref { return Ref(s)<<48 | Ref(index) }

// Slice and Index take a Ref apart.
func (r Ref) Slice() Slice  { return Slice(r >> 48) }
func (r Ref) Index() uint64 { return uint64(r) & (MaxIndices - 1) }

// Fate says how the value of an index is to be had.
type Fate uint8

const (
	Gap     Fate = iota // no position stands here
	Open                // decided by play inside the group, and not over
	ByEdges             // decided by the edges alone, all out of the group
	Won                 // the side to move ends the game with this turn: distance 1
	Lost                // over, and lost for the side to move: distance 0
	Drawn               // over, and drawn
)

// Edges is the answer of a Kernel. Its slices are reused from call to call and
// belong to the caller.
type Edges struct {
	Fates []Fate // Settle: one an index
	Ends  []uint32
	Refs  []Ref // those of entry i: Refs[Ends[i-1]:Ends[i]], from 0 for the first
}

// Reset empties e and keeps its memory.
func (e *Edges) Reset() {
	e.Fates, e.Ends, e.Refs = e.Fates[:0], e.Ends[:0], e.Refs[:0]
}
