package proofs

import (
	"cmp"
	"context"
	"fmt"
	"hash/maphash"
	"io"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"paika/bitboard"
)

// Tables are solved slices that a check may rely on. Methods are safe for
// concurrent use.
type Tables[P comparable] interface {
	// Checksum is that of a slice's table in a metric, as its manifest has it.
	Checksum(metric bitboard.Metric, slice string) (checksum string, found bool)

	// ProbeAll sets outcomes[i] to what the tables say of positions[i]. Every
	// position lies in a slice that Checksum found.
	ProbeAll(ctx context.Context, positions []P, outcomes []bitboard.Outcome) error
}

// Options of a check.
type Options struct {
	// Workers is the number of goroutines; one by default.
	Workers int

	// Memory bounds, in bytes, the positions that are held at a time. A
	// certificate with more is checked in several passes over the file, a
	// power of two of them. 1 GiB by default.
	Memory uint64
}

const defaultMemory = 1 << 30

// Report is the outcome of a check.
type Report struct {
	Header    Header
	Positions uint64    // records of the certificate
	Leaves    uint64    // turns that lead into tables
	Passes    int       // over the file
	Faults    uint64    // found in all
	Findings  []Finding // the first of them
	Seconds   float64
}

// Valid tells whether the certificate proves its claim.
func (r Report) Valid() bool { return r.Faults == 0 }

// PositionsPerSecond is the speed of the check.
func (r Report) PositionsPerSecond() float64 { return float64(r.Positions) / r.Seconds }

// Check checks a certificate with the rules alone. The game must be the one
// that the header names (ReadHeader), tables may be nil where it names none, and
// open is called for every pass over the file.
//
// Faults of the certificate are findings. Errors are of what the check needs: a
// file that can't be opened or is no certificate (ErrFormat), tables that are
// missing or have other values (*TableError), a root or claim that is none in
// the game, the context's.
func Check[P comparable](ctx context.Context, game Game[P], tables Tables[P], open func() (io.ReadCloser, error), o Options) (Report, error) {
	began := time.Now()
	c, err := newChecker(game, tables, open, o)
	if err != nil {
		return Report{}, err
	}
	for part := uint64(0); part < c.parts && !c.damaged; part++ {
		c.part = part
		if err := c.pass(ctx); err != nil {
			return Report{}, err
		}
	}
	return Report{
		Header:    c.header,
		Positions: c.records,
		Leaves:    c.leaves.Load(),
		Passes:    int(c.parts),
		Faults:    c.faults.count,
		Findings:  c.faults.list(),
		Seconds:   time.Since(began).Seconds(),
	}, nil
}

// A node is a position with the side to move.
type node[P comparable] struct {
	position P
	side     bitboard.Side
}

// An entry is what the check keeps of a record.
type entry struct {
	record uint64 // its number, from 1
	rank   uint32
}

// A checker checks one certificate. The nodes are divided in parts by their
// hash, and each pass sees to the turns that lead into one part.
type checker[P comparable] struct {
	game    Game[P]
	tables  Tables[P]
	open    func() (io.ReadCloser, error)
	workers int
	most    int // entries held at a time

	header Header
	claim  Claim
	root   node[P]
	tabled [bitboard.MaxSlices]bool

	seed        maphash.Seed
	part, parts uint64
	set         map[node[P]]entry // the records of the part
	filling     sync.Mutex        // of set
	records     uint64
	leaves      atomic.Uint64
	damaged     bool // the file can't be read to its end
	faults      faults
}

func newChecker[P comparable](game Game[P], tables Tables[P], open func() (io.ReadCloser, error), o Options) (*checker[P], error) {
	if o.Memory == 0 {
		o.Memory = defaultMemory
	}
	// A map is between 7/16 and 7/8 full.
	each := 5 * (reflect.TypeFor[node[P]]().Size() + reflect.TypeFor[entry]().Size()) / 2
	c := &checker[P]{
		game: game, tables: tables, open: open,
		workers: max(1, o.Workers),
		most:    max(1, int(o.Memory/uint64(each))),
		seed:    maphash.MakeSeed(),
		parts:   1,
		set:     make(map[node[P]]entry),
	}
	file, err := open()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if c.header, err = ReadHeader(file); err != nil {
		return nil, err
	}
	if c.claim, err = ParseClaim(c.header.Claim, game.SideName); err != nil {
		return nil, err
	}
	if c.root.position, c.root.side, err = game.Parse(c.header.Root); err != nil {
		return nil, fmt.Errorf("root of the certificate: %w", err)
	}
	return c, c.admitTables()
}

// admitTables makes sure that the tables are those that the header names.
func (c *checker[P]) admitTables() error {
	for _, t := range c.header.Tables {
		slice, err := c.game.ParseSlice(t.Slice)
		if err != nil {
			return &TableError{Table: t, Reason: err.Error()}
		}
		metric, err := bitboard.ParseMetric(t.Metric)
		if err != nil {
			return &TableError{Table: t, Reason: err.Error()}
		}
		if c.tables == nil {
			return &TableError{Table: t, Reason: "there are no tables"}
		}
		switch have, found := c.tables.Checksum(metric, t.Slice); {
		case !found:
			return &TableError{Table: t, Reason: "it is missing"}
		case have != t.Checksum:
			return &TableError{Table: t, Reason: fmt.Sprintf("its checksum is %s", have)}
		}
		c.tabled[slice] = true
	}
	return nil
}

// partOf is the part that a node belongs to.
func (c *checker[P]) partOf(n node[P]) uint64 {
	return maphash.Comparable(c.seed, n) & (c.parts - 1)
}

// pass checks all turns that lead into the part.
func (c *checker[P]) pass(ctx context.Context) error {
	clear(c.set)
	if err := c.stream(ctx, c.collect); err != nil || c.damaged {
		return err
	}
	root := new(block[P])
	c.follow(root, "the root", 1<<32, c.root)
	if err := c.probe(ctx, root); err != nil {
		return err
	}
	return c.stream(ctx, c.verify)
}

// A block is a run of records, and what a worker needs to check them.
type block[P comparable] struct {
	first uint64 // number of the first record
	lines []string

	number  uint64 // the record at hand
	turns   []P    // that it answers for
	replies []P
	leaves  []node[P]
	sources []source // of the leaves
}

// A source is the record that a leaf belongs to.
type source struct {
	record   uint64
	position string
}

const blockLines = 512

// stream reads the file and has workers do their work on every block of it. A
// file that is damaged is a fault.
func (c *checker[P]) stream(ctx context.Context, work func(context.Context, *block[P]) error) error {
	file, err := c.open()
	if err != nil {
		return err
	}
	defer file.Close()
	r, err := newReader(file)
	if err != nil {
		return err
	}
	defer r.close()
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(c.workers)
	for end := false; !end && inner.Err() == nil; {
		b := &block[P]{first: r.records + 1}
		end = c.fill(b, r)
		group.Go(func() error { return work(inner, b) })
	}
	c.records = r.records
	return cmp.Or(group.Wait(), ctx.Err())
}

// fill gives a block the next records. It tells whether the file has no more.
func (c *checker[P]) fill(b *block[P], r *reader) (end bool) {
	for len(b.lines) < blockLines {
		line, err := r.next()
		if err == io.EOF {
			return true
		}
		if err != nil {
			c.damaged = true
			c.faults.add(Finding{Record: r.records + 1, Reason: err.Error()})
			return true
		}
		b.lines = append(b.lines, line)
	}
	return false
}

// collect takes the records of the part into the set. Those that can't be read
// are left to verify.
func (c *checker[P]) collect(_ context.Context, b *block[P]) error {
	for i, line := range b.lines {
		rec, err := parseRecord(line, c.claim.Wins)
		if err != nil {
			continue
		}
		if p, side, err := c.game.Parse(rec.position); err == nil {
			c.keep(node[P]{p, side}, entry{b.first + uint64(i), rec.rank}, rec.position)
		}
	}
	return nil
}

// keep adds an entry to the set. A set that is full is halved, along with what
// every pass sees to; the passes after the first have parts of like size.
func (c *checker[P]) keep(n node[P], e entry, position string) {
	c.filling.Lock()
	defer c.filling.Unlock()
	if c.partOf(n) != c.part {
		return
	}
	if old, twice := c.set[n]; twice {
		c.faults.add(Finding{max(e.record, old.record), position, "the position stands in the certificate twice"})
		if old.record < e.record {
			return
		}
	}
	c.set[n] = e
	for c.part == 0 && len(c.set) > c.most {
		c.parts *= 2
		for n := range c.set {
			if c.partOf(n) != 0 {
				delete(c.set, n)
			}
		}
	}
}

// verify checks the records of a block.
func (c *checker[P]) verify(ctx context.Context, b *block[P]) error {
	for i, line := range b.lines {
		b.number = b.first + uint64(i)
		c.record(b, line)
	}
	return c.probe(ctx, b)
}

// record checks one record: itself in the first pass, in every pass those of
// its turns that lead into the part.
func (c *checker[P]) record(b *block[P], line string) {
	fail := func(position string, err error) {
		if c.part == 0 {
			c.faults.add(Finding{b.number, position, err.Error()})
		}
	}
	rec, err := parseRecord(line, c.claim.Wins)
	if err != nil {
		fail(line, err)
		return
	}
	p, side, err := c.game.Parse(rec.position)
	if err != nil {
		fail(rec.position, err)
		return
	}
	if err := c.turns(b, rec.turn, p, side); err != nil {
		fail(rec.position, err)
		return
	}
	for _, to := range b.turns {
		c.follow(b, rec.position, uint64(rec.rank), node[P]{to, side.Other()})
	}
}

// turns sets b.turns to where the turns lead that a record answers for.
func (c *checker[P]) turns(b *block[P], turn string, p P, side bitboard.Side) error {
	b.turns = b.turns[:0]
	switch chosen := turn != allTurns; {
	case chosen && side != c.claim.Side:
		return fmt.Errorf("turn %s is chosen for %s: want all turns, %s", turn, c.game.SideName(side), allTurns)
	case !chosen && side == c.claim.Side:
		return fmt.Errorf("no turn is chosen for %s", c.game.SideName(side))
	case chosen:
		t, err := c.game.ParseTurn(p, side, turn)
		if err != nil {
			return err
		}
		b.turns = append(b.turns, t.To)
	default:
		if b.turns = c.game.Turns(b.turns, p); len(b.turns) == 0 {
			return fmt.Errorf("the game is over: want a position with turns")
		}
	}
	return nil
}

// follow checks where a turn leads: into the set, with a rank below the bound
// if the claim is a win, into the tables, or to an end of the game.
func (c *checker[P]) follow(b *block[P], position string, bound uint64, n node[P]) {
	if c.partOf(n) != c.part {
		return
	}
	fail := func(format string, args ...any) {
		c.faults.add(Finding{b.number, position, c.game.Format(n.position, n.side) + fmt.Sprintf(format, args...)})
	}
	if e, found := c.set[n]; found {
		if c.claim.Wins && uint64(e.rank) >= bound {
			fail(", which follows, has rank %d: want less than %d", e.rank, bound)
		}
		return
	}
	if c.tabled[c.game.SliceOf(n.position)] {
		b.leaves = append(b.leaves, n)
		b.sources = append(b.sources, source{b.number, position})
		return
	}
	b.replies = c.game.Turns(b.replies[:0], n.position)
	if len(b.replies) > 0 {
		fail(", which follows, is neither in the certificate nor in its tables")
	} else if v := c.game.Ended(n.position); !c.claim.holds(n.side, v) {
		fail(" ends the game with a %v for %s", v, c.game.SideName(n.side))
	}
}

// probe checks the leaves of a block.
func (c *checker[P]) probe(ctx context.Context, b *block[P]) error {
	if len(b.leaves) == 0 {
		return nil
	}
	asked := make([]P, 0, len(b.leaves))
	for _, n := range b.leaves {
		asked = append(asked, n.position)
	}
	outcomes := make([]bitboard.Outcome, len(asked))
	if err := c.tables.ProbeAll(ctx, asked, outcomes); err != nil {
		return err
	}
	for i, n := range b.leaves {
		if v := outcomes[i].Value; !c.claim.holds(n.side, v) {
			c.faults.add(Finding{b.sources[i].record, b.sources[i].position,
				fmt.Sprintf("%s is a %v for %s in the tables", c.game.Format(n.position, n.side), v, c.game.SideName(n.side))})
		}
	}
	c.leaves.Add(uint64(len(b.leaves)))
	return nil
}
