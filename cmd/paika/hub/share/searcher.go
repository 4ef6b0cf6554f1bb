package share

import (
	"bufio"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"time"

	"paika/bitboard"
	"paika/internal/progress"
	"paika/proofs"
	"paika/solver/jobs"
	"paika/solver/proofnumber"
)

// Searcher searches tasks, as many at a time as its options say, of one claim or of several: all use one
// transposition table, which outlives them. A task that follows from one before finds
// what that one left.
type Searcher interface {
	// Search searches a task within its nodes, by so many goroutines. Where it is decided,
	// a file takes its part. Errors wrap ErrOther and ErrResult for a task that is for others,
	// or none at all.
	Search(ctx context.Context, t Task, version string, workers int, file string, watch Watch) (Found, error)

	// Say appends what was found out since it was called before, for the searchers of others
	// with the same tables, and Hear takes up what those say. A task goes faster by it, and
	// no part says anything that was not found here as well. Both may be called while tasks
	// are searched, and Hear after Close.
	Say(dst []byte) []byte
	Hear(said []byte) error

	// Close saves the table, where it is to be kept, and frees it.
	Close()
}

// Watch is told of a search while it goes on.
type Watch struct {
	// Moved is told how many nodes it took since the last call: all that the result counts,
	// and none where other work goes on.
	Moved func(nodes uint64)

	// Decided, if not nil, is called before the part of a task that is decided is put together.
	Decided func()
}

// SearcherOptions are what a searcher has of the machine.
type SearcherOptions struct {
	// Tasks is how many are searched at a time, one unless told. The table of one task grows as
	// it fills. That of several has its size from the beginning.
	Tasks int

	// Table is the size of the transposition table at most, Sets that of the sets of a search
	// for each of its goroutines, in bytes, where there are no tables. Where these take a part of
	// the memory, both are smaller by that part.
	Table, Sets uint64

	// Keep, if not nil, has the table saved, and begin with what was saved before.
	Keep *Keeping
}

type searcher[P comparable] struct {
	*site[P]
	table   *proofnumber.Table
	kept    *kept
	with    *proofnumber.Exchange
	name    uint64 // of the exchange
	sets    uint64
	workers int    // of a search
	seed    uint64 // of a search: the order of its turns
}

// mostSaid bounds the entries that a searcher tells others of at a time, to 128 KiB, and
// mostPassed those that come to all others together, to 2 MiB: what a hub sends fifty times a
// second.
const (
	mostSaid   = 1 << 13
	mostPassed = 1 << 17
)

func (s *site[P]) Searcher(o SearcherOptions) (Searcher, error) {
	newTable := proofnumber.NewTable
	if o.Tasks > 1 {
		newTable = proofnumber.NewFullTable
	}
	empty := func() (*proofnumber.Table, error) { return newTable(s.left(o.Table)) }
	t, err := empty()
	if err != nil {
		return nil, err
	}
	kept, t, err := s.keep(o.Keep, t, empty)
	if err != nil {
		if t != nil {
			t.Close()
		}
		return nil, err
	}
	name := max(1, rand.Uint64())
	return &searcher[P]{site: s, table: t, kept: kept, with: proofnumber.NewExchange(t, name, mostSaid, mostPassed), name: name, sets: s.left(o.Sets)}, nil
}

// left is what tables leave of a share of the memory.
func (s *site[P]) left(bytes uint64) uint64 {
	tables := s.shelf.Bytes()
	if tables == 0 {
		return bytes
	}
	return uint64(float64(bytes) * float64(s.memory-tables) / float64(s.memory))
}

func (s *searcher[P]) Close() {
	s.with.Close()
	s.kept.close()
	s.table.Close()
}

func (s *searcher[P]) Say(dst []byte) []byte  { return s.with.Say(dst) }
func (s *searcher[P]) Hear(said []byte) error { return s.with.Hear(said) }

// hopeful is the number of what the search believes to know, and has not shown.
const hopeful = 1 << 20

func (s *searcher[P]) Search(ctx context.Context, t Task, version string, workers int, file string, watch Watch) (Found, error) {
	mine := *s
	s = &mine
	s.site, s.workers = s.named(t.Claim), max(1, workers)
	s.seed = s.order(t)
	if err := s.admit(t, version); err != nil {
		return Found{}, err
	}
	wins, not, err := attack(t.Claim, s.of.Game.SideName)
	if err != nil {
		return Found{}, errors.Join(ErrResult, err)
	}
	p, side, err := s.of.Game.Parse(t.Position)
	if err != nil {
		return Found{}, errors.Join(ErrResult, err)
	}
	search, err := s.search(t.Nodes)
	if err != nil {
		return Found{}, err
	}
	stop := s.follow(ctx, search, watch.Moved)
	result, err := search.Solve(ctx, p, side == wins.Side)
	stop()
	found := Found{Verdict: result.Verdict, Nodes: search.Nodes()}
	if err == nil && result.Verdict != proofnumber.Undecided {
		if watch.Decided != nil {
			watch.Decided()
		}
		var extracted uint64
		extracted, err = s.write(ctx, t, p, side == wins.Side, result.Verdict, shown(result.Verdict, wins, not), file, watch.Moved)
		found.Nodes += extracted
	}
	if ctx.Err() != nil {
		return Found{}, ctx.Err()
	}
	switch {
	case errors.Is(err, proofnumber.ErrTableTooSmall), errors.Is(err, proofnumber.ErrSetTooSmall), errors.Is(err, bitboard.ErrTooManyTurns):
		found.Verdict, found.Smaller = proofnumber.Undecided, true
	case errors.Is(err, errTakesMore):
		found.Verdict = proofnumber.Undecided
	case err != nil:
		return Found{}, err
	}
	found.Turns = hints(search.Openings(p, side == wins.Side))
	found.Smaller = found.Smaller && len(found.Turns) > 0 // else it goes without saying
	return found, nil
}

// order is the seed of a task's order of turns. Two searches in the same order that begin at the
// same time do the same, until they hear of each other. So who is alone has the game's order,
// which is the best on the whole, and who joins others one of its own.
func (s *searcher[P]) order(t Task) uint64 {
	if t.Beside == 0 {
		return 0
	}
	return s.name + uint64(t.Beside)
}

func (s *searcher[P]) search(nodes uint64) (*proofnumber.Search[P], error) {
	o := s.of.Search(s.shelf, proofnumber.DFPN, 0)
	o.Nodes, o.Sets, o.Workers = max(1, nodes), s.sets*uint64(s.workers), s.workers
	o.Exchange, o.Shown, o.Seed = s.with, true, s.seed
	return proofnumber.New(s.of.Game, s.table, o)
}

// pulse is the time between two looks at how far a search has come.
const pulse = 200 * time.Millisecond

// follow tells of the nodes of a search while it goes on, and at the end.
func (s *searcher[P]) follow(ctx context.Context, search *proofnumber.Search[P], moved func(nodes uint64)) (stop func()) {
	told, seen := uint64(0), uint64(0)
	tell := func() {
		nodes := search.Nodes()
		moved(nodes - told)
		told = nodes
	}
	end := progress.Every(ctx, pulse, func(context.Context) {
		if now := search.Nodes() + search.Settling(); now != seen {
			seen = now
			tell()
		}
	})
	return func() {
		end()
		tell()
	}
}

// errTakesMore says that a task is decided, and to show it takes more than its nodes.
var errTakesMore = errors.New("the part takes more nodes")

// write writes the part of a verdict. It tells the nodes that this took. Where the verdict came
// of what others said, and they were wrong, there is none.
func (s *searcher[P]) write(ctx context.Context, t Task, p P, attackerMoves bool, v proofnumber.Verdict, claim proofs.Claim, file string, moved func(nodes uint64)) (uint64, error) {
	search, err := s.search(t.partNodes())
	if err != nil {
		return 0, err
	}
	defer s.follow(ctx, search, moved)()
	// Only the hub's copy has to last.
	err = writeFile(file, func(out io.Writer) error {
		w, err := proofs.NewWriter(out, s.of.Game, proofs.Header{
			Setting: s.Setting(), Claim: claim.Text(s.of.Game.SideName), Root: t.Position, Tables: s.shelf.Named(),
		}, s.workers)
		if err != nil {
			return err
		}
		defer w.Discard()
		attacker := claim.Side
		if !claim.Wins {
			attacker = attacker.Other()
		}
		r, err := search.Extract(ctx, p, attackerMoves, func(step proofnumber.Step[P]) error {
			mover := attacker
			if !step.AttackerMoves {
				mover = mover.Other()
			}
			return w.Add(proofs.Step[P]{Position: step.Position, Side: mover, Chosen: step.Chosen, To: step.To, Rank: step.Rank})
		})
		switch {
		case err != nil:
			return err
		case r.Verdict != v:
			return errTakesMore
		}
		return w.Close()
	})
	return search.Nodes(), err
}

// writeFile writes a file by a function.
func writeFile(path string, write func(io.Writer) error) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	buffered := bufio.NewWriterSize(file, 1<<16)
	return errors.Join(write(buffered), buffered.Flush(), file.Close())
}

// hints are what was found behind each turn. What is believed is the best to look at next.
func hints[P any](openings []proofnumber.Opening[P]) (turns []jobs.Turn) {
	for _, o := range openings {
		n := jobs.Numbers{Proof: o.Proof, Disproof: o.Disproof}
		switch o.Verdict {
		case proofnumber.Proved:
			n = jobs.Numbers{Proof: 1, Disproof: hopeful}
		case proofnumber.Refuted:
			n = jobs.Numbers{Proof: hopeful, Disproof: 1}
		}
		turns = append(turns, jobs.Turn{Numbers: n, Nodes: o.Nodes})
	}
	return turns
}
