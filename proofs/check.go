package proofs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"paika/bitboard"
)

// Tables are solved slices that a check may rely on. Methods are safe for
// concurrent use.
type Tables[P comparable] interface {
	// Checksum is that of a slice's table in a metric, computed from the table.
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
	// certificate with more is checked in several passes over the file. 1 GiB
	// by default.
	Memory uint64

	// Proved are the headers of certificates that were checked and found valid,
	// by checksum: those that this one may name as its parts.
	Proved map[string]Header
}

const defaultMemory = 1 << 30

// Report is the outcome of a check.
type Report struct {
	Header    Header
	Checksum  string    // of the file, by which other certificates name it
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
// missing or have other values and parts that are not among those proved
// (*NeedError), a root or claim that is none in the game, the context's.
func Check[P comparable](ctx context.Context, game Game[P], tables Tables[P], open func() (io.ReadSeekCloser, error), o Options) (Report, error) {
	began := time.Now()
	c := &checker[P]{game: game, tables: tables, open: open, workers: max(1, o.Workers), seed: maphash.MakeSeed()}
	if err := c.admit(o.Proved); err != nil {
		return Report{}, err
	}
	if err := c.stream(ctx, func(context.Context, *block[P]) error { return nil }); err != nil {
		return Report{}, err
	}
	// A map is between 7/16 and 7/8 full.
	each := uint64(5 * (reflect.TypeFor[node[P]]().Size() + reflect.TypeFor[entry]().Size()) / 2)
	c.passes = 1 + c.records*each/cmp.Or(o.Memory, defaultMemory)
	for ; c.pass < c.passes && !c.damaged; c.pass++ {
		if err := c.check(ctx); err != nil {
			return Report{}, err
		}
	}
	return Report{
		Header: c.header, Checksum: c.checksum,
		Positions: c.records, Leaves: c.leaves.Load(), Passes: int(c.passes),
		Faults: c.faults.count, Findings: c.faults.list(),
		Seconds: time.Since(began).Seconds(),
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

// A checker checks one certificate. Nodes are dealt to the passes by their hash,
// and each pass sees to the turns that lead to its own.
type checker[P comparable] struct {
	game    Game[P]
	tables  Tables[P]
	open    func() (io.ReadSeekCloser, error)
	workers int

	header   Header
	claim    Claim
	root     node[P]
	parts    map[node[P]]bool
	tabled   [bitboard.MaxSlices]bool
	checksum string
	records  uint64

	seed         maphash.Seed
	pass, passes uint64
	set          map[node[P]]entry // the records of the pass
	filling      sync.Mutex        // of set
	leaves       atomic.Uint64
	damaged      bool // the file can't be read to its end
	faults       faults
}

// admit reads the header, and makes sure that tables and parts are those that it
// names.
func (c *checker[P]) admit(proved map[string]Header) error {
	file, err := c.open()
	if err != nil {
		return err
	}
	defer file.Close()
	if c.header, err = ReadHeader(file); err != nil {
		return err
	}
	if c.claim, err = ParseClaim(c.header.Claim, c.game.SideName); err != nil {
		return err
	}
	if c.root.position, c.root.side, err = c.game.Parse(c.header.Root); err != nil {
		return fmt.Errorf("root of the certificate: %w", err)
	}
	for _, t := range c.header.Tables {
		if err := c.admitTable(t); err != nil {
			return &NeedError{t, err.Error()}
		}
	}
	c.parts = make(map[node[P]]bool)
	for _, part := range c.header.Parts {
		if err := c.admitPart(part, proved); err != nil {
			return &NeedError{part, err.Error()}
		}
	}
	return nil
}

func (c *checker[P]) admitTable(t Table) error {
	slice, err := c.game.ParseSlice(t.Slice)
	if err != nil {
		return err
	}
	metric, err := bitboard.ParseMetric(t.Metric)
	if err != nil {
		return err
	}
	have, found := "", false
	if c.tables != nil {
		have, found = c.tables.Checksum(metric, t.Slice)
	}
	switch {
	case !found:
		return errors.New("it is missing")
	case have != t.Checksum:
		return errors.New(t.Differs(have))
	}
	c.tabled[slice] = true
	return nil
}

func (c *checker[P]) admitPart(part Part, proved map[string]Header) error {
	p, side, err := c.game.Parse(part.Root)
	if err != nil {
		return err
	}
	h, found := proved[part.Checksum]
	switch want := c.header; {
	case !found:
		return errors.New("it is missing, or not valid")
	case h.Game != want.Game || h.Board != want.Board || h.Rules != want.Rules || h.Claim != want.Claim || h.Root != part.Root:
		return fmt.Errorf("that is of %s from %s, %s on %s, %s", h.Claim, h.Root, h.Game, h.Board, h.Rules)
	}
	c.parts[node[P]{p, side}] = true
	return nil
}

// passOf is the pass that sees to a node.
func (c *checker[P]) passOf(n node[P]) uint64 { return maphash.Comparable(c.seed, n) % c.passes }

// check does a pass: it takes its records into the set, then looks at all turns
// that lead to a node of the pass.
func (c *checker[P]) check(ctx context.Context) error {
	c.set = make(map[node[P]]entry)
	if err := c.stream(ctx, c.collect); err != nil {
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
	leaves  []leaf[P]
}

// A leaf is a node to be looked up in the tables, and the record that leads there.
type leaf[P comparable] struct {
	node[P]
	record   uint64
	position string
}

const blockLines = 512

// stream reads the file and has workers do their work on every block of it. A
// file that is damaged is a fault, told once.
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
	defer r.zstd.Close()
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(c.workers)
	for err == nil && inner.Err() == nil {
		b := &block[P]{first: r.records + 1}
		var line string
		for len(b.lines) < blockLines {
			if line, err = r.next(); err != nil {
				break
			}
			b.lines = append(b.lines, line)
		}
		group.Go(func() error { return work(inner, b) })
	}
	if err != nil && err != io.EOF && !c.damaged {
		c.damaged = true
		c.faults.add(Finding{Record: r.records + 1, Reason: err.Error()})
	}
	c.records, c.checksum = r.records, checksum(r.hash.Sum64())
	return cmp.Or(group.Wait(), ctx.Err())
}

// A record is a line of a certificate taken apart.
type record[P comparable] struct {
	node[P]
	position string
	turn     string
	rank     uint32
}

// parse takes a line apart. What it has of a record that is wrong says where.
func (c *checker[P]) parse(line string) (rec record[P], err error) {
	fields, want := strings.Split(line, separator), 2
	if c.claim.Wins {
		want = 3
	}
	if rec.position = fields[0]; len(fields) != want {
		return rec, fmt.Errorf("%d fields, want %d", len(fields), want)
	}
	rec.turn = fields[1]
	if c.claim.Wins {
		rank, err := strconv.ParseUint(fields[2], 10, 32)
		if err != nil {
			return rec, fmt.Errorf("rank %q: want a number below 2^32", fields[2])
		}
		rec.rank = uint32(rank)
	}
	rec.node.position, rec.side, err = c.game.Parse(rec.position)
	return rec, err
}

// collect takes the records of the pass into the set. Those that can't be read
// are left to verify.
func (c *checker[P]) collect(_ context.Context, b *block[P]) error {
	for i, line := range b.lines {
		rec, err := c.parse(line)
		if err != nil || c.passOf(rec.node) != c.pass {
			continue
		}
		e := entry{b.first + uint64(i), rec.rank}
		c.filling.Lock()
		old, twice := c.set[rec.node]
		if !twice || e.record < old.record {
			c.set[rec.node] = e
		}
		c.filling.Unlock()
		if twice {
			c.faults.add(Finding{max(e.record, old.record), rec.position, "the position stands in the certificate twice"})
		}
	}
	return nil
}

// verify checks the records of a block: themselves in the first pass, in every
// pass those of their turns that it sees to.
func (c *checker[P]) verify(ctx context.Context, b *block[P]) error {
	for i, line := range b.lines {
		b.number = b.first + uint64(i)
		rec, err := c.parse(line)
		if err == nil {
			err = c.turns(b, rec)
		}
		switch {
		case err == nil:
			for _, to := range b.turns {
				c.follow(b, rec.position, uint64(rec.rank), node[P]{to, rec.side.Other()})
			}
		case c.pass == 0:
			c.faults.add(Finding{b.number, rec.position, err.Error()})
		}
	}
	return c.probe(ctx, b)
}

// turns sets b.turns to where the turns lead that a record answers for.
func (c *checker[P]) turns(b *block[P], rec record[P]) error {
	b.turns = b.turns[:0]
	switch chosen := rec.turn != allTurns; {
	case chosen && rec.side != c.claim.Side:
		return fmt.Errorf("turn %s is chosen for %s: want all turns, %s", rec.turn, c.game.SideName(rec.side), allTurns)
	case !chosen && rec.side == c.claim.Side:
		return fmt.Errorf("no turn is chosen for %s", c.game.SideName(rec.side))
	case chosen:
		t, err := c.game.ParseTurn(rec.node.position, rec.side, rec.turn)
		if err != nil {
			return err
		}
		b.turns = append(b.turns, t.To)
	default:
		if b.turns = c.game.Turns(b.turns, rec.node.position); len(b.turns) == 0 {
			return fmt.Errorf("the game is over: want a position with turns")
		}
	}
	return nil
}

// follow checks where a turn leads: into the set, with a rank below the bound
// if the claim is a win, to a part, into the tables, or to an end of the game.
func (c *checker[P]) follow(b *block[P], position string, bound uint64, n node[P]) {
	if c.passOf(n) != c.pass || c.parts[n] {
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
		b.leaves = append(b.leaves, leaf[P]{n, b.number, position})
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
	asked, outcomes := make([]P, len(b.leaves)), make([]bitboard.Outcome, len(b.leaves))
	for i, l := range b.leaves {
		asked[i] = l.node.position
	}
	if err := c.tables.ProbeAll(ctx, asked, outcomes); err != nil {
		return err
	}
	for i, l := range b.leaves {
		if v := outcomes[i].Value; !c.claim.holds(l.side, v) {
			c.faults.add(Finding{l.record, l.position,
				fmt.Sprintf("%s is a %v for %s in the tables", c.game.Format(l.node.position, l.side), v, c.game.SideName(l.side))})
		}
	}
	c.leaves.Add(uint64(len(b.leaves)))
	return nil
}
