package mobility

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/bits"
	"sync"
	"sync/atomic"
	"time"

	"paika/bitboard"
	"paika/bitboard/konane"
	"paika/solver/checkpoint"
	"paika/solver/proofnumber"
)

// ErrUndecided says that a search came to its limit of nodes.
var ErrUndecided = errors.New("not decided within the limit of nodes")

// Options of a search.
type Options struct {
	// Workers is the number of goroutines. With more than one, the number of
	// nodes changes from run to run; the result does not. Default: 1.
	Workers int

	// Memory is the size of the transposition table, in bytes; it takes the
	// largest power of two that fits. A small one costs time, not rightness.
	// Default: 256 MiB.
	Memory uint64

	// Nodes is the most that are visited, beside those before a checkpoint. A
	// search that needs more ends with ErrUndecided; with several workers it may
	// leave up to 256 nodes of each of them unused. Default: no limit.
	Nodes uint64

	// Tables, if not nil, end the search in positions that they know.
	Tables proofnumber.Values[konane.Position[konane.Word]]

	// Checkpoint is a file that the transposition table is saved to every
	// SaveEvery (default: 10 minutes) and when the search ends undecided. A
	// search of the same position goes on from it, and has confirmed what it took
	// from it before it answers; one that decides the position leaves it, for
	// checkpoint.Remove once the answer is told. No other search may have it at
	// the same time. Default: none.
	Checkpoint string
	SaveEvery  time.Duration

	// Keep has a search that decides the position save its table, too: the same search from there takes
	// little. Default: what was saved last stands.
	Keep bool

	// GoingOn, if not nil, is told before the search of how many nodes its checkpoint tells, where
	// these are any.
	GoingOn func(nodes uint64)

	// Unfit, if not nil, is told before the search where entries of the checkpoint found no room
	// in the memory. Then, and where the memory turns out to be too small to confirm what it holds,
	// it is kept when the search is saved, and Kept, if not nil, is told the name.
	Unfit func(checkpoint.Fit)
	Kept  func(path string)

	// Unsaved, if not nil, is told while the search goes on that its checkpoint could not be written: of
	// the first time, and of the first after one that went well.
	Unsaved func(error)

	// Progress, if not nil, is called now and then with the nodes so far, by
	// one goroutine at a time.
	Progress func(nodes uint64)

	// unfinished keeps finishers out, so that tests of the search above them do
	// not need large boards.
	unfinished bool

	// impatient has confirmations search nothing again, as if the table lost all that a claim
	// rests on.
	impatient bool
}

// Result is what a search found.
type Result struct {
	Value bitboard.Value // Win or Loss, for the side to move

	// Nodes counts the positions whose turns were generated, again at every
	// visit, before a checkpoint too. Those that were looked at to confirm what a
	// checkpoint claims are not counted, but where they were searched again.
	Nodes uint64

	// Resumed is how many of these nodes were before the checkpoint that the search went on from.
	// Nothing but that file tells of them. 0 where the search began anew.
	Resumed uint64

	// Table is the size of the transposition table when it is whole, in bytes. With one worker
	// and a table of that size a search visits as many nodes.
	Table uint64

	// Anew says that what the checkpoint held is not true, or with Crowded that the memory was
	// too small to confirm it, so that the search began anew.
	Anew, Crowded bool

	// Kept says that the checkpoint has these nodes, and the same search goes on from there.
	Kept bool

	// Left says why the checkpoint of a position that is decided could not be saved, with Keep; else
	// nil. The value stands.
	Left error
}

// Solve finds the winner of a position, the opening still to be played
// included. With an error the result has the nodes, whether they began anew and whether
// they are kept, and the table. Errors are the context's, ErrUndecided, those of a
// checkpoint, which stand beside them or, where it can't be used at all, alone, and one
// that says that the memory is refused.
func Solve(ctx context.Context, game *konane.Game[konane.Word], p konane.Position[konane.Word], o Options) (Result, error) {
	if o.Memory == 0 {
		o.Memory = 256 << 20
	}
	table, err := newTable(o.Memory)
	if err != nil {
		return Result{}, fmt.Errorf("transposition table: %w", err)
	}
	defer table.free()
	s := newSearch(game, table, o)
	saver, err := s.resume(ctx, p)
	if err != nil {
		return Result{}, err
	}
	defer saver.close()
	defer context.AfterFunc(ctx, func() {
		s.ended.Store(true)
		s.stop.Store(true)
	})()
	found, why := s.decide(s.node(p))
	result := Result{Nodes: s.visited.Load(), Resumed: s.before, Table: table.bytes(), Anew: why != confirmed, Crowded: why == unconfirmed}
	switch {
	case found == won:
		result.Value = bitboard.Win
	case found == lost:
		result.Value = bitboard.Loss
	default:
		result.Kept, err = saver.leave(cmp.Or(ctx.Err(), ErrUndecided))
		return result, err
	}
	result.Kept, result.Left = saver.end()
	return result, nil
}

// search is what its workers share.
type search struct {
	game    *konane.Game[konane.Word]
	guide   guide
	table   *table
	options Options
	opening int    // positions with that many stones are of the opening; 65 for none
	finish  uint64 // finishers are asked where a guessed number is less
	patient int    // how often in a row a confirmation searches the same position again

	symmetries konane.Symmetries

	before  uint64         // nodes before a checkpoint
	left    atomic.Uint64  // nodes of the limit that no worker has taken
	busy    []atomic.Int32 // workers in a position, by hash; nil with one worker
	visited atomic.Uint64  // nodes of all workers
	stop    atomic.Bool    // the root is decided, or the search has ended
	ended   atomic.Bool    // by the context or the limit
	crowded atomic.Bool    // what was saved could not be confirmed, and is to be kept
	result  atomic.Uint64  // the root's numbers, packed, once they decide it
	report  sync.Mutex
}

// busyBits is the binary logarithm of the number of counters of workers. Two
// positions with one counter cost a detour.
const busyBits = 12

func newSearch(game *konane.Game[konane.Word], t *table, o Options) *search {
	s := &search{game: game, guide: newGuide(game), table: t, options: o, opening: 65, symmetries: konane.NewSymmetries(game)}
	if o.Workers > 1 {
		s.busy = make([]atomic.Int32, 1<<busyBits)
	}
	if !o.unfinished {
		s.finish = finishBelow
	}
	if !o.impatient {
		s.patient = patience
	}
	if game.Rules().Opening.Removes() {
		s.opening = game.Board().Points() - 1
	}
	s.left.Store(o.Nodes)
	s.result.Store(pack(undecided))
	return s
}

// decide searches until the root is decided by what needs no claim of a file, or
// the search ends. Claims that are not true, or can't be confirmed, are dropped, with
// all that may rest on them. Why is what they were: untrue, unconfirmed, or else confirmed.
func (s *search) decide(root node) (v numbers, why finding) {
	for {
		v = s.run(root)
		if !v.decided() || s.table.claim == 0 {
			return v, why
		}
		switch found := s.confirm(root, v); found {
		case confirmed:
			return v, why
		case interrupted:
			return undecided, why
		default:
			why = found
		}
		s.crowded.Store(why == unconfirmed)
		s.startAnew()
	}
}

// startAnew forgets all that was found, and the nodes that a checkpoint told of.
func (s *search) startAnew() {
	s.table.clear()
	s.visited.Add(-s.before)
	s.before = 0
	s.result.Store(pack(undecided))
	s.goOn()
}

// goOn lets workers work again, unless the search has ended.
func (s *search) goOn() {
	s.stop.Store(false)
	if s.ended.Load() {
		s.stop.Store(true)
	}
}

// run has the workers search from the root, and gives its numbers if they are
// decided.
func (s *search) run(root node) numbers {
	var group sync.WaitGroup
	for range max(1, s.options.Workers) {
		group.Go(func() { s.work(root) })
	}
	group.Wait()
	return unpack(s.result.Load())
}

// node is a position in the search.
type node struct {
	own, opp uint64
	side     uint64 // to move: 0 or 1
}

func (s *search) node(p konane.Position[konane.Word]) node {
	return node{uint64(p.Own), uint64(p.Opp), uint64(s.game.Mover(p))}
}

// opens tells whether the turns of a position are removals.
func (s *search) opens(n node) bool { return bits.OnesCount64(n.own|n.opp) >= s.opening }

// hash spreads positions. It is different for the two sides to move.
func (n node) hash() uint64 {
	h := (n.own | n.opp) ^ n.side*0x9e3779b97f4a7c15
	h *= 0xbf58476d1ce4e5b9
	h ^= h >> 32
	return h * 0x94d049bb133111eb
}
