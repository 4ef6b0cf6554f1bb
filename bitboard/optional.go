package bitboard

import (
	"errors"
	"fmt"
	"math/big"
)

// What a game may have beside the contracts. It is declared here and nowhere else. Callers
// find it by a type assertion, and do without where a game does not have it.
//
//	interface     what it gives                         who has it              without it
//	Counter       the number of turns                   all                     perft and estimates list turns: slower
//	CounterTo     that number up to a bound             Fanorona, Phutball      a bound on turns comes after listing them
//	TurnWalker    turns one by one                      Fanorona, Phutball      a check of certificates holds all turns of a position
//	CounterWhile  that number, as long as it is wanted  Phutball                a count ends when it is done
//	Prolific      tells of too many turns               Phutball                turns are taken to fit into memory
//	Estimator     first proof numbers                   Fanorona, Breakthrough  proof search starts from the turns' number, or from 1
//	Evaluator     guesses, and the size of the game     all                     no `complexity`
//	PieceCounter  the pieces of a position              Fanorona, Konane        an error does not say by how much tables are too small
//	Passer        the position after a pass             all                     no zugzwangs in `stats`
//	NamedPlayers  what players are called               Konane                  they are called by their sides
//	Colourless    sides that are players                Konane                  claims name sides alone
//	BatchRanker   places of many positions at once      Fanorona                derived kernels rank one by one: slower
//	TurnNamer     the notation of one turn              Fanorona, Konane        certificates are written by naming all turns: slower
//	TurnRanker    turns and their places, one by one    all but Phutball        verification in dtw lists turns first: slower
//	TurnValuer    the values that turns lead to         all but Phutball        verification in wdl asks turn by turn: slower
//	ChosenWalker  walks that leave indices out          all but Breakthrough    verification walks over all: slower
//	Sparse        values that follow from others        Fanorona                every value is stored: larger tables
//	NearWalker    walks that turns keep together        Fanorona                verification waits for memory: slower
//	SparseValuer  such values, many at a time           Fanorona, Konane        verification derives them one by one: slower
//	DepthValuer   the same with distances               Fanorona, Konane        verification in dtw derives them one by one: slower
//	Tracer        where turns into a set begin          Phutball                verification asks position by position: slower
//	Symmetric     one position for all its images       all                     proof search takes images for different positions: more of them
//	BestSettler   deciding by values at hand            Fanorona, Konane        builds look up every turn: slower
//	Judge         the same of open positions            Fanorona                builds look up every turn: slower
//	NearJudge     the same in an order of its own       Fanorona                builds wait for memory: slower
//	DepthKernel   the same where distances are asked    Fanorona, Konane        builds in dtw look up every turn: slower
//	SetKernel     turns of sets, 64 positions a word    Phutball                builds go index by index: slower
//	KernelSizer   what a kernel keeps in memory         Fanorona, Konane        builds count no more than tables and a fixed sum
//	Resembler     a smaller slice much like another     Fanorona                what a build takes is guessed by the largest slice measured
//	CostKernel    what settling costs, by slice         Fanorona                the time of a build is guessed by the share of open positions
//
// HeldMask is the part of Sparse for those who have no positions.

// Counter is a game that counts the turns of a position faster than it lists
// them. Calls are safe for concurrent use.
type Counter[P any] interface {
	// Count is the number of positions that Turns would append.
	Count(p P) int
}

// CounterTo is a game that counts turns up to a bound: its positions can have
// more of them than anyone could list. Calls are safe for concurrent use.
type CounterTo[P any] interface {
	// CountTo is the number of positions that Turns would append, or most if
	// there are more: none where most is 0 or less. It takes no longer than most turns do.
	CountTo(p P, most int) int
}

// CounterWhile is a game that stops counting when it is told to: it can have positions
// with more turns than anyone could count. Calls are safe for concurrent use.
type CounterWhile[P any] interface {
	// CountWhile is the number of positions that Turns would append. It asks now and then
	// whether that is still wanted, and tells false where it is not: it has not counted all
	// then.
	CountWhile(p P, wanted func() bool) (turns uint64, all bool)
}

// CountTurns is the number of turns of a position, or most if there are more, as CountTo counts. It
// costs no more than counting up to there where the game can do that.
func CountTurns[P comparable](rules Rules[P], p P, most int) int {
	most = max(0, most)
	if game, ok := rules.(CounterTo[P]); ok {
		return game.CountTo(p, most)
	}
	if game, ok := rules.(Counter[P]); ok {
		return min(game.Count(p), most)
	}
	return min(len(rules.Turns(nil, p)), most)
}

// Over tells whether the game is over: whether a position has no turns.
func Over[P comparable](rules Rules[P], p P) bool { return CountTurns(rules, p, 1) == 0 }

// TurnWalker is a game that gives turns one by one: its positions can have more of them
// than anyone should hold. Calls are safe for concurrent use.
type TurnWalker[P any] interface {
	// WalkTurns calls yield with each position that Turns would append, in that order,
	// until yield answers false.
	WalkTurns(p P, yield func(after P) bool)
}

// TurnNamer is a game that writes one turn without writing all. Calls are safe for concurrent
// use.
type TurnNamer[P comparable] interface {
	// TurnName is the notation of the first turn of p, as Notated lists them, that leads to a
	// position. It tells false where none does.
	TurnName(p P, s Side, to P) (notation string, found bool)
}

// TurnName asks a game that is a TurnNamer, and else looks among all turns.
func TurnName[P comparable](game Notation[P], p P, s Side, to P) (notation string, found bool) {
	if namer, ok := game.(TurnNamer[P]); ok {
		return namer.TurnName(p, s, to)
	}
	for _, t := range game.Notated(p, s) {
		if t.To == to {
			return t.Notation, true
		}
	}
	return "", false
}

// Prolific is a game in which play comes to positions whose turns do not fit
// into memory. Calls are safe for concurrent use.
type Prolific[P any] interface {
	// MoreTurnsThan tells whether a position has more turns than most. It takes no longer
	// than most turns do.
	MoreTurnsThan(p P, most int) bool
}

// MoreTurnsThan tells whether a position has more turns than most: of a game that is a Prolific,
// as others have no such position.
func MoreTurnsThan[P comparable](rules Rules[P], p P, most int) bool {
	game, ok := rules.(Prolific[P])
	return ok && game.MoreTurnsThan(p, most)
}

// ErrTooManyTurns says that a position has more turns than a bound allows.
var ErrTooManyTurns = errors.New("too many turns")

// TooManyTurnsError says which position has too many. It is an ErrTooManyTurns.
type TooManyTurnsError[P comparable] struct {
	Position P
	Other    bool // it is the turn of the side that does not have it where the work began
	Most     int  // turns that are allowed
}

func (e *TooManyTurnsError[P]) Error() string {
	return fmt.Sprintf("%v: want at most %d", ErrTooManyTurns, e.Most)
}

// Unwrap returns ErrTooManyTurns.
func (e *TooManyTurnsError[P]) Unwrap() error { return ErrTooManyTurns }

// NameTooMany makes of a *TooManyTurnsError one that names the position. The side is the one that
// had the turn where the work began. Other errors stay as they are.
func NameTooMany[P comparable](game Notation[P], s Side, err error) error {
	var many *TooManyTurnsError[P]
	if !errors.As(err, &many) {
		return err
	}
	if many.Other {
		s = s.Other()
	}
	return fmt.Errorf("%s: %w", game.Format(many.Position, s), err)
}

// AdmitTurns fails with ErrTooManyTurns, and names the position, where that has more turns than most
// (MoreTurnsThan). The side is the one to move.
func AdmitTurns[P comparable](game interface {
	Rules[P]
	Notation[P]
}, p P, s Side, most int) error {
	if !MoreTurnsThan(game, p, most) {
		return nil
	}
	return NameTooMany(game, s, &TooManyTurnsError[P]{Position: p, Most: most})
}

// Estimator is a game that guesses how hard a position is to prove. Calls are
// safe for concurrent use.
type Estimator[P any] interface {
	// Estimate is the proof and the disproof number that a search starts a
	// position with, as the side to move sees them: phi to reach its goal, delta
	// to fail. attacker tells whether that side is the one whose win is asked
	// for. Both are 0 where the game is over, and nowhere else: a search asks
	// Ended then. Otherwise 0 counts as 1.
	Estimate(p P, attacker bool) (phi, delta uint32)
}

// Sure is the worth of a position that is over and won; no guess reaches it.
const Sure = 1 << 20

// Evaluator is a game that can be played by guessing, and whose positions can
// be counted: what it takes to measure how large it is. Methods are safe for
// concurrent use.
type Evaluator[P comparable] interface {
	Rules[P]

	// Evaluate guesses what a position is worth to the side to move: above 0 if
	// it stands better, less than Sure either way. Where the game is over it is
	// Sure, -Sure or 0.
	Evaluate(p P) int

	// Lookahead is the depth, in turns, that a player looks ahead where nobody
	// asks for another: such that a game takes milliseconds.
	Lookahead() int

	// States is the number of positions that can be set up and are not over
	// for want of pieces, seen from the side to move, with no symmetry of the
	// board taken out; text says what is counted. Play from the start may reach
	// more: each position counts for both sides then.
	States() (count *big.Int, text string)
}

// PieceCounter is a game that counts the pieces of any position, those in no
// slice among them.
type PieceCounter[P any] interface {
	CountPieces(p P) int
}

// Passer is a game that knows what a position is with the other side to move.
type Passer[P comparable] interface {
	// Pass is p with every piece where it is and the other side to move, seen
	// from that side. It tells false where there is no such position. Pass
	// undoes itself, and takes all positions of a slice to one slice.
	Pass(p P) (passed P, exists bool)
}

// NamedPlayers is a game whose players are not called by their sides all the
// time: in Konane's opening nobody has a colour yet.
type NamedPlayers[P comparable] interface {
	Players(p P, s Side) (mover, opponent string)
}

// Colourless is a game whose players have no sides yet in some positions.
type Colourless[P comparable] interface {
	NamedPlayers[P]

	// ByPlayers is the same game with the players for sides.
	ByPlayers() Game[P]

	// SideToMove is the side whose turn it is in p, where p tells that, and else s. Sides
	// come about as the game is played: there, they need not take turns.
	SideToMove(p P, s Side) Side
}

// BatchRanker is a Space that ranks many positions faster together than one by
// one, above all those that follow from the same position.
type BatchRanker[P comparable] interface {
	// RankAll appends the place of each position to dst. One whose slice is in
	// no group, since the game is over there, gets index 0 of that slice.
	RankAll(dst []Ref, positions []P) []Ref
}

// TurnRanker is a Space that ranks what turns lead to as it makes them: faster for those
// who stop at the turn that tells enough. Its turns do not mix, but where it is a TurnValuer, too:
// those of a position stay in its group all, or all leave it.
type TurnRanker[P comparable] interface {
	// RankTurns makes a function that calls look for each turn of p, in the order of
	// Turns, with the position after it and that one's place, until look answers false.
	// One whose slice is in no group, since the game is over there, has index 0 of that
	// slice. Such a function is for one goroutine.
	RankTurns() func(p P, look func(after P, at Ref) bool)
}

// TurnValuer is a Space that looks up the values that turns lead to as it makes them, in
// one call a position.
type TurnValuer[P comparable] interface {
	// ValueTurns makes a function that tells the values of the positions after turns of p,
	// by the tables known of its group and what that needs: a bit 1<<v each. That 3 is no
	// value makes no difference to it. What is in no slice, since the game is over there, has
	// the value of Ended. It may stop once it has seen one of enough. inside tells, whatever
	// was seen, whether a turn stays in the group and none ends the game and wins it. What
	// known has of the group is read atomically. Such a function is for one goroutine.
	ValueTurns(known *[MaxSlices]Packed) func(p P, enough Values) (seen Values, inside bool)
}

// ChosenWalker is a Space that goes to chosen indices alone, and counts without a call a
// position. Calls are safe for concurrent use.
type ChosenWalker[P comparable] interface {
	// WalkChosen is Walk over the indices i of [lo, hi) whose bit i-lo is set in chosen.
	// That has a word for every 64 indices, and does not change meanwhile.
	WalkChosen(s Slice, lo, hi uint64, chosen []uint64, yield func(index uint64, p P, weight int) bool)

	// Tally counts, by their values, the positions that the indices of [lo, hi) stand for,
	// symmetry undone, and the gaps there that have another value than Draw. The first word
	// of values is that of lo.
	Tally(s Slice, values Packed, lo, hi uint64) (positions [3]uint64, filled uint64)
}

// Symmetric is a game whose board has symmetries: maps of the board onto itself
// that take a position to an image with the same value, whose turns are the images
// of its turns. Calls are safe for concurrent use.
type Symmetric[P any] interface {
	// Representative is p or one of its images: the same one for all of them.
	// Positions where the game is over have one as well. It need not be the one
	// that Unrank gives. A search asks for it once a turn, so that it has to be
	// cheap; where it can't be, on boards too large for an index, it may be p.
	Representative(p P) P
}

// Sparse is a game with positions whose values stored tables, in the metric wdl, may
// leave out. Each turn of such a position leads out of its group, or to the end of
// the game: where the tables of other groups are whole, one look ahead finds the
// value. Which slices are stored so is for the store to choose.
type Sparse[P comparable] interface {
	HeldMask

	// Holds tells whether a stored table has the value of p, even if it leaves
	// others out.
	Holds(p P) bool
}

// NearWalker is a Sparse game that goes to the positions of a slice that Holds tells of in an
// order in which the turns of one lead near those of the next, where the order of indices has
// them lead far apart. Calls are safe for concurrent use.
type NearWalker[P comparable] interface {
	// NearParts is how many parts such a walk has, or 0 where indices are in a good order.
	NearParts(s Slice) uint64

	// WalkNear yields the positions of a part, with their indices and how many they stand for.
	// What it yields may be an image of what Unrank gives. All parts together have each index
	// once.
	WalkNear(s Slice, part uint64, yield func(index uint64, p P, weight int))
}

// SparseValuer is a game that derives, for many indices at once, values which follow from
// tables of other groups alone: those that Holds does not tell of where it is Sparse, and
// all where it is not. No turn stays in the group then. Calls are safe for concurrent use.
type SparseValuer interface {
	// SparseRoom is the room that ValueSparse takes for a slice, and what each
	// SparseDeriver takes beside it, in words.
	SparseRoom(s Slice) (shared, each uint64)

	// ValueSparse begins to derive the values of a slice. known has, by slice, the tables
	// of all that its group needs, which nobody may change meanwhile. The result makes a
	// SparseDeriver for each goroutine; it is nil where that would be no faster than one by
	// one. Errors are those of run.
	ValueSparse(s Slice, known *[MaxSlices]Packed, run Run) (func() SparseDeriver, error)
}

// A SparseDeriver sets the values at the indices of [lo, hi) that it derives, and that of a
// gap: Draw. The first word of values is that of lo. It leaves the others as they are, and
// fills held with a bit for each of them, as Held does where the game is Sparse. It tells in
// how many of the positions that it derives the game is over. It is for one goroutine, and
// faster where a call goes on from the one before.
type SparseDeriver func(values Packed, held []uint64, lo, hi uint64) (over uint64)

// DepthValuer is a SparseValuer that derives distances as well: of the same positions. Calls
// are safe for concurrent use.
type DepthValuer interface {
	SparseValuer

	// DepthsRoom is what SparseRoom is, for ValueDepths.
	DepthsRoom(s Slice) (shared, each uint64)

	// ValueDepths is what ValueSparse is, for the metric dtw.
	ValueDepths(s Slice, known *[MaxSlices][]Depth, run Run) (func() DepthDeriver, error)
}

// A DepthDeriver is what a SparseDeriver is, for the metric dtw: a gap has 0. The first of
// depths is that of lo.
type DepthDeriver func(depths []Depth, held []uint64, lo, hi uint64) (over uint64)

// Tracer is a game that traces turns back to where they begin, for all positions of a slice
// at once: of one that is a group alone, and has 64 indices or a multiple of that. Each
// position there has a turn that stays in the group or one that ends the game and wins, and
// no turn ends it with a draw. Calls are safe for concurrent use on different room.
type Tracer interface {
	// TraceRoom is the room that Trace needs for a slice, in words, or 0 where it can't.
	TraceRoom(s Slice) uint64

	// Trace fills dst with the positions from which a turn leads into a set, a bit an
	// index, or, where set is nil, ends the game and wins. What set has at gaps says
	// nothing, and dst has none. Errors are those of run.
	Trace(s Slice, dst, set, room []uint64, run Run) error

	// Weigh is the number of positions for which the bits of a set's word k stand.
	Weigh(s Slice, k, word uint64) (positions uint64)
}

// HeldMask is the part of Sparse that asks for no position. Calls are safe for
// concurrent use.
type HeldMask interface {
	// Held sets bit i-lo of dst, whose first word has bit 0, for each index i of
	// [lo, hi) whose position Holds tells of, and clears the others, gaps among
	// them. dst has a word for every 64 indices.
	Held(dst []uint64, s Slice, lo, hi uint64)
}

// SetKernel is a Kernel that can follow the turns of whole sets of positions at
// once. It is for groups of one slice whose positions are numbered so regularly
// that one operation on words answers for 64 of them.
//
// A set is a bit a position, in an order of the game's own, that counts images
// under symmetries apart: the number of its bits is one of positions, not of
// indices. Bits that stand for no position are 0. Calls are safe for concurrent
// use on different sets.
type SetKernel interface {
	Kernel

	// Sets tells how long a set of positions of a slice is, and the room that
	// Wins and Before need, in words. Both are 0 for a slice that has none.
	Sets(s Slice) (set, room uint64)

	// Parts is how many parts Wins and Before share out in all, each of them.
	Parts(s Slice) uint64

	// FillAll fills words [lo, hi) of the set of all positions.
	FillAll(s Slice, set []uint64, lo, hi uint64)

	// Wins fills dst with the positions in which the side to move ends the game
	// with this turn, and wins. Errors are those of run.
	Wins(s Slice, dst, room []uint64, run Run) error

	// Before fills dst with the positions from which a turn leads into a set.
	Before(s Slice, dst, set, room []uint64, run Run) error

	// Members appends to dst the indices of the positions in words [lo, hi) of a
	// set that has all the images of its members: each index once.
	Members(s Slice, dst, set []uint64, lo, hi uint64) []uint64

	// Collect fills words [lo, hi) of a set with the positions whose indices are
	// chosen.
	Collect(s Slice, set []uint64, lo, hi uint64, chosen func(index uint64) bool)
}

// Run shares work that can be done in any order, and at the same time, among a
// solver's workers: do is called for each part in [0, parts). It returns when
// all is done, or with an error if that can't be.
type Run func(parts uint64, do func(part uint64)) error

// KernelSizer is a kernel that makes big tables of its own, on first use, and keeps
// them. Calls are safe for concurrent use.
type KernelSizer interface {
	// KernelBytes is about what they take once a slice is solved, in bytes, those for
	// all that its turns lead to among them, and no less.
	KernelBytes(s Slice) uint64
}

// Resembler is a game that knows for a slice a smaller one that is much like it: in how
// its positions are played, and so in the time to solve an index and the bits to store a
// value.
type Resembler interface {
	// Resembles tells false where there is none.
	Resembles(s Slice) (smaller Slice, exists bool)
}

// CostKernel is a kernel that can guess what makes settling slices slow.
type CostKernel interface {
	// SettleCost is about what it costs to settle an index of a slice for a metric, on
	// average, with so much room in words: what BestSettler.SettleRoom or
	// DepthKernel.DepthRoom are about. Its unit is the kernel's: it compares slices.
	SettleCost(s Slice, m Metric, room uint64) float64
}

// BestSettler is a kernel that decides faster for those who ask only who wins.
// Calls are safe for concurrent use.
type BestSettler interface {
	Kernel

	// SettleRoom is the room that makes settling a slice faster, in words: any from the
	// least on, and the more the faster, up to the most. Both are 0 where none does.
	SettleRoom(s Slice) (least, most uint64)

	// Settler begins to settle a slice. known has, by slice, the tables of all slices
	// that turns out of the group lead to, which nobody may change meanwhile. room has
	// a length that SettleRoom allows, is zero, and the Settler's from now on; or it is
	// nil. It tells false where the kernel's Settle is to be asked.
	Settler(s Slice, known *[MaxSlices]Packed, room []uint64) (settler Settler, fits bool)
}

// A Judge is a kernel that decides open positions faster for those who ask only who wins.
// Calls are safe for concurrent use.
type Judge interface {
	// Judge appends to dst, for each of the open indices given, what the turns come
	// to that it has looked at: of all its turns, or of as many as lead to a
	// value of enough. It reads atomically what known has of the group.
	Judge(dst []Value, s Slice, indices []uint64, known *[MaxSlices]Packed, enough Values) []Value
}

// NearJudge is a Judge that finds the open positions of a slice by itself, in an order in which
// the turns of one lead near those of the next, where the order of indices has them lead far
// apart. Calls are safe for concurrent use.
type NearJudge interface {
	Judge

	// NearParts is how many parts such a slice has, with as many indices each, or 0 where
	// indices are in a good order.
	NearParts(s Slice) uint64

	// JudgeNear appends the open indices of a part to indices, and to dst what Judge does for
	// them. All parts together have each open index once. Open is what known has as Draw: what
	// turns out of the group decide must have its value there, or Settled.
	JudgeNear(indices []uint64, dst []Value, s Slice, part uint64, known *[MaxSlices]Packed, enough Values) ([]uint64, []Value)
}

// A Settler decides the positions of a slice whose every turn leaves its group. They are
// taken up in portions; calls of Settle for one portion are safe for concurrent use on
// different words.
type Settler interface {
	// Ready takes up the indices from lo on and tells where those that it has room for
	// end. Errors are those of run; a Settler is of no use after one.
	Ready(lo uint64, run Run) (hi uint64, err error)

	// Settle sets the values at the indices [lo, hi), which Ready has taken up, as
	// far as turns out of the group or the end of the game decide them: Win, Loss, or
	// Settled for a draw and for a gap. Those of open positions stay Draw. It tells how
	// many positions turns out of the group do not decide. The first word of dst is
	// that of lo; values are added to what is there, as Packed.Or does.
	Settle(dst Packed, lo, hi uint64) (inside uint64)
}

// DepthKernel is a kernel that settles faster for those who ask for distances, if it has
// room. Calls are safe for concurrent use.
type DepthKernel interface {
	Kernel

	// DepthRoom is what BestSettler.SettleRoom is, for DepthSettler.
	DepthRoom(s Slice) (least, most uint64)

	// DepthSettler begins to settle a slice, as BestSettler.Settler does. It tells false
	// where it needs room that is not there, and where distances are too long for it: it
	// settles none of MaxDistance turns or more.
	DepthSettler(s Slice, known *[MaxSlices][]Depth, room []uint64) (settler DepthSettler, fits bool)
}

// A DepthSettler decides the positions of a slice whose every turn leaves its group, with
// their distances. Ready is that of a Settler.
type DepthSettler interface {
	Ready(lo uint64, run Run) (hi uint64, err error)

	// Settle sets the depths at the indices [lo, hi), which Ready has taken up: 0 for a
	// draw and for a gap, OpenDepth for open positions. It tells how many positions turns
	// out of the group do not decide. The first of dst is that of lo.
	Settle(dst []Depth, lo, hi uint64) (inside uint64)
}

// OpenDepth marks, while a group is solved for dtw, what is not decided yet.
const OpenDepth Depth = 3

// Settled marks, while a group is solved, what is no win, no loss and not open: draws
// outside the group's play, and gaps. Values of 0 are open positions then.
const Settled Value = 3

// Values is a set of values, a bit 1<<v each.
type Values uint8

// NotWon is all values but a win.
const NotWon Values = 1<<Draw | 1<<Loss | 1<<Settled

// Verdict is the value of a position whose turns lead to these: Draw if they do not
// decide it. No turns decide nothing: where there are none the game is over, and its
// rules tell the value (Lost, Drawn).
func (s Values) Verdict() Value {
	switch {
	case s>>Loss&1 != 0:
		return Win
	case s == 1<<Win:
		return Loss
	}
	return Draw
}

// VerdictDepth is the value of a position whose turns lead to these, which are final, or 0
// if they do not decide it, as Values.Verdict does. It tells false where that is a win or a
// loss in more than MaxDistance turns, which no Depth holds.
func VerdictDepth(turns []Depth) (verdict Depth, fits bool) {
	const none = MaxDistance + 1
	quickest, slowest, wins := none, 0, 0
	for _, v := range turns {
		switch v.Value() {
		case Win:
			slowest = max(slowest, v.Distance())
			wins++
		case Loss:
			quickest = min(quickest, v.Distance())
		}
	}
	switch {
	case quickest < none:
		return MakeDepth(Win, quickest+1), quickest < MaxDistance
	case wins == len(turns) && wins > 0:
		return MakeDepth(Loss, slowest+1), slowest < MaxDistance
	}
	return 0, true
}
