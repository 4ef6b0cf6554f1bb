package proofs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"paika/bitboard"
	"paika/proofs/internal/nodes"
)

// NamedTables are solved slices that a check may rely on, by the names that
// certificates have for them. Methods are safe for
// concurrent use.
type NamedTables[P comparable] interface {
	// Checksum is that of a slice's table in a metric, computed from the table.
	Checksum(metric bitboard.Metric, slice string) (checksum string, found bool)

	// ProbeAll sets outcomes[i] to what the tables in a metric say of positions[i].
	// Every position lies in a slice that Checksum found in that metric.
	ProbeAll(ctx context.Context, metric bitboard.Metric, positions []P, outcomes []bitboard.Outcome) error
}

// MostTurns is the most turns that a position may have for which a record stands for all
// turns: a check lists them.
const MostTurns = 1 << 20

// Options of a check.
type Options struct {
	// Workers is the number of goroutines; one by default.
	Workers int

	// Memory bounds, in bytes, the positions that are held at a time. A
	// certificate with more is checked in several passes over the file. 1 GiB
	// by default. What else a check takes comes beside it: see Beside.
	Memory uint64

	// Proved are the headers of certificates that were checked and found valid,
	// by checksum: those that this one may name as its parts.
	Proved map[string]Header

	// Progress, if it is there, is told now and then how many bytes of how many
	// were read, all passes counted. The second can grow. Of a file that grows nothing is told.
	Progress func(done, total int64)
}

const defaultMemory = 1 << 30

// Beside is what a check takes at most beside Options.Memory and its tables, in bytes,
// whatever the file: what decompression keeps, and what each worker has at hand.
func Beside(workers int) uint64 { return maxWindowBytes + uint64(blocksOf(workers))*bytesOfBlock }

// bytesOfBlock are those of a block with its lines, turns and leaves.
const bytesOfBlock = 2 << 20

// Report is the outcome of a check.
type Report struct {
	Header    Header
	Checksum  string    // of the file, by which other certificates name it
	Positions uint64    // records of the certificate, as far as it was read
	Leaves    uint64    // turns that lead into tables
	Passes    int       // over the file
	Faults    uint64    // found in all
	More      bool      // so many were found that the check ended: there can be more
	Findings  []Finding // the first of them
	Seconds   float64
}

// Valid tells whether the certificate was checked and proves its claim.
func (r Report) Valid() bool { return r.Passes > 0 && r.Faults == 0 }

// Check checks a certificate by the rules, and by the tables and proved parts that its header
// names: nothing else in it is believed. The game must be that of the
// setting, which must be the certificate's own. Tables may be nil where it names
// none.
//
// Faults of the certificate are findings. Errors are of what the check needs: a
// file that can't be read, another setting (*SettingError), tables that are
// missing or have other values and parts that are not among those proved
// (*NeedError), a root or claim that is none in the game (ErrFormat), that a file which
// grows would have to be read again (ErrReadAgain), the context's.
func Check[P comparable](ctx context.Context, setting Setting, game Game[P], tables NamedTables[P], file *File, o Options) (Report, error) {
	began := time.Now()
	if file.Header.Setting != setting {
		return Report{}, &SettingError{file.Header.Setting, setting}
	}
	c := &checker[P]{
		game: game, tables: tables, file: file, size: file.size, header: file.Header,
		workers: max(1, o.Workers), memory: cmp.Or(o.Memory, defaultMemory),
		progress: o.Progress, seed: maphash.MakeSeed(), passes: 1,
	}
	c.walker, _ = game.(bitboard.TurnWalker[P])
	if err := c.admit(o.Proved); err != nil {
		return Report{}, err
	}
	c.set = newSet[P](c.claim)
	defer c.set.Free()
	defer c.chosen.Free()
	c.most = max(1, c.set.Room(c.memory))
	for ; c.pass < c.passes && !c.ended(); c.pass++ {
		if err := c.check(ctx); err != nil {
			return Report{}, err
		}
	}
	return Report{
		Header: c.header, Checksum: c.checksum,
		Positions: c.records, Leaves: c.leaves.Load(), Passes: int(c.passes),
		Faults: c.faults.count(), More: c.faults.full(), Findings: c.faults.list(),
		Seconds: time.Since(began).Seconds(),
	}, nil
}

// newSet makes a set for records of a claim: those of a win have ranks. The check sees to
// how many there are.
func newSet[P comparable](claim Claim) *nodes.Set[P] {
	if claim.Wins {
		return nodes.NewValued[P](math.MaxUint64)
	}
	return nodes.New[P](math.MaxUint64)
}

// A node is a position with the side to move.
type node[P comparable] struct {
	position P
	side     bitboard.Side
}

// A checker checks one certificate. Nodes are dealt to the passes by their hash,
// and each pass sees to the turns that lead to its own.
type checker[P comparable] struct {
	game     Game[P]
	walker   bitboard.TurnWalker[P] // the game, if it is one
	tables   NamedTables[P]
	file     *File
	size     int64 // of the file, as far as it is known at the beginning
	workers  int
	memory   uint64
	progress func(done, total int64)

	header Header
	claim  Claim

	// The game where players come to have sides, if the claim is about a side, else nil; and
	// the names of players.
	colourless bitboard.Colourless[P]
	players    [2]string

	root     node[P]
	parts    map[node[P]]bool
	tabled   map[bitboard.Slice]bitboard.Metric
	checksum string
	records  uint64

	seed         maphash.Seed
	pass, passes uint64        // a power of two, which grows in the first pass alone
	set          *nodes.Set[P] // the records of the pass, with their ranks
	most         uint64        // of them in memory
	intake       intake[P]
	reserved     bool // the set has its room
	known[P]
	telling  sync.Mutex // of progress, and so of how many passes there are
	streamed int64      // bytes of the file that were read by streams before
	told     int64      // bytes, of the progress
	leaves   atomic.Uint64
	damaged  bool // the file can't be read to its end
	faults   faults
}

// ended tells whether the check is over before its passes are.
func (c *checker[P]) ended() bool { return c.damaged || c.faults.full() }

// admit makes sure that claim and root are some in the game, and that tables and
// parts are those that the header names.
func (c *checker[P]) admit(proved map[string]Header) (err error) {
	if c.claim, err = ParseClaim(c.header.Claim, c.game.SideName); err != nil {
		return fmt.Errorf("%w: %w", ErrFormat, err)
	}
	if game, ok := c.game.(bitboard.Colourless[P]); ok {
		players := game.ByPlayers()
		if c.players = [2]string{players.SideName(0), players.SideName(1)}; c.game.SideName(0) != c.players[0] {
			c.colourless = game
		}
	}
	if c.root.position, c.root.side, err = c.game.Parse(c.header.Root); err != nil {
		return fmt.Errorf("%w: its root: %w", ErrFormat, err)
	}
	if err := c.coloured(c.root); err != nil {
		return fmt.Errorf("%w: its root: %w", ErrFormat, err)
	}
	c.tabled = make(map[bitboard.Slice]bitboard.Metric)
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

// coloured fails where the players have no sides yet at a node, and the claim is about a
// side. Sides that take turns there are the players, and to whom a side falls differs from one
// line of play to the next: what holds of a player holds of no side. A claim about players may
// be about any root that names one.
func (c *checker[P]) coloured(n node[P]) error {
	if c.colourless == nil {
		return nil
	}
	mover, opponent := c.colourless.Players(n.position, n.side)
	if !slices.Contains(c.players[:], mover) {
		return nil
	}
	return fmt.Errorf("nobody is %s yet: want a claim about %s or %s",
		c.game.SideName(c.claim.Side), min(mover, opponent), max(mover, opponent))
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
	if _, twice := c.tabled[slice]; twice {
		return errors.New("the slice is named twice")
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
	c.tabled[slice] = metric
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
	case h.Setting != want.Setting || h.Claim != want.Claim || h.Root != part.Root:
		return fmt.Errorf("that is of %s from %s, %v", bitboard.Shorten(h.Claim), bitboard.Shorten(h.Root), h.Setting)
	}
	c.parts[node[P]{p, side}] = true
	return nil
}

// sees tells whether a node is one of the pass: each is seen to by the pass of its hash,
// modulo the number of passes.
func (c *checker[P]) sees(n node[P]) bool {
	return c.passes == 1 || maphash.Comparable(c.seed, n)%c.passes == c.pass
}

// check does a pass: it takes its records into the set, then looks at all turns
// that lead to a node of the pass.
func (c *checker[P]) check(ctx context.Context) error {
	c.set.Free()
	c.intake = intake[P]{next: 1, ready: make(map[uint64]*block[P])}
	if err := c.stream(ctx, c.collect); err != nil || c.ended() {
		return err
	}
	root := new(block[P])
	if c.sees(c.root) {
		root.ahead = append(root.ahead, follower[P]{c.root, 0, 1 << 32})
	}
	c.catchUp(root)
	if err := c.probe(ctx, root); err != nil {
		return err
	}
	switch valid, err := c.verifyKnown(ctx); {
	case valid || err != nil:
		return err
	case c.file.growing:
		return ErrReadAgain
	}
	return c.stream(ctx, c.verify)
}

// A block is a run of records, and what a worker needs to check them.
type block[P comparable] struct {
	first uint64 // number of the first record
	at    int64  // how much of the file is read with it
	text  []byte // of the lines
	ends  []int  // of the lines, in the text
	lines []string
	spare chan<- *block[P] // where it goes when it is done with

	found []found[P] // records that can be read

	number   uint64                              // the record at hand
	turns    []P                                 // that it answers for, where they are few
	followed uint64                              // turns of all records so far
	ahead    []follower[P]                       // that wait to be looked for
	leaves   [bitboard.MetricCount][]follower[P] // that wait to be looked up, by the metric of their tables
	known    bool                                // its records are no lines, but those in the set
}

// A follower is a node to which a turn leads, and the record of that turn: its number, and in a win its
// rank, below which that of the follower is to be.
type follower[P comparable] struct {
	node[P]
	record uint64
	bound  uint64
}

// What a block holds at most: the few bytes of a file may stand for very long lines, and a
// record for MostTurns turns.
const (
	blockLines = 512
	blockBytes = 1 << 18 // of lines, but for the last one
	mostListed = 1 << 12 // turns together; where there are more they are taken one by one
	mostLeaves = 1 << 12 // that wait
)

// blocksOf is how many blocks there are for so many workers: some wait to be worked at, or to be taken in,
// and one is being read.
func blocksOf(workers int) int { return 2*max(1, workers) + 1 }

// read fills a block with the next lines. It has those before an error.
func (b *block[P]) read(r *reader) (err error) {
	b.first, b.text, b.ends = r.records+1, b.text[:0], b.ends[:0]
	for err == nil && len(b.ends) < blockLines && len(b.text) < blockBytes {
		var line []byte
		if line, err = r.next(); err == nil {
			b.text = append(b.text, line...)
			b.ends = append(b.ends, len(b.text))
		}
	}
	b.at = r.read
	text, from := string(b.text), 0
	b.lines = b.lines[:0]
	for _, end := range b.ends {
		b.lines = append(b.lines, text[from:end])
		from = end
	}
	return err
}

// position is that of a record of the block, as it stands there.
func (b *block[P]) position(record uint64) string {
	if record == 0 {
		return "the root"
	}
	text, _, _ := strings.Cut(b.lines[record-b.first], separator)
	return text
}

// heedTurns is after how many turns a worker looks whether it is to go on.
const heedTurns = 1 << 10

// stream reads the file and has workers do their work on every block of it, up to
// where enough faults are found. A file that is damaged is a fault, told once.
func (c *checker[P]) stream(ctx context.Context, work func(context.Context, *block[P]) error) error {
	r, err := c.file.records()
	if err != nil {
		return err
	}
	defer r.zstd.Close()
	blocks := blocksOf(c.workers)
	spare, full := make(chan *block[P], blocks), make(chan *block[P], blocks)
	for range blocks {
		spare <- &block[P]{spare: spare}
	}
	group, inner := errgroup.WithContext(ctx)
	for range c.workers {
		group.Go(func() error {
			for b := range full {
				if err := work(inner, b); err != nil {
					return err
				}
			}
			return nil
		})
	}
	for err == nil && inner.Err() == nil && !c.faults.full() {
		select {
		case <-inner.Done():
		case b := <-spare:
			err = b.read(r)
			full <- b
			c.tell(r.read)
		}
	}
	close(full)
	failed := cmp.Or(group.Wait(), ctx.Err(), r.failed)
	c.streamed += r.read
	c.records = max(c.records, r.records)
	switch {
	case err == nil, r.failed != nil: // it was not read to its end
	case err != io.EOF:
		c.damage(r.records+1, err)
	default:
		c.checksum = checksum(r.hash.Sum64())
	}
	return failed
}

// tell reports progress: so many bytes of the reading at hand. What comes later than more is not told.
func (c *checker[P]) tell(read int64) {
	if c.progress == nil || c.file.growing {
		return
	}
	c.telling.Lock()
	defer c.telling.Unlock()
	if now := c.streamed + read; now >= c.told {
		c.told = now
		c.progress(now, int64(2*c.passes)*c.size)
	}
}

// damage notes why the file can't be read to its end.
func (c *checker[P]) damage(record uint64, err error) {
	c.damaged = true
	c.faults.add(Finding{Record: record, Reason: err.Error()})
}

// A record is a line of a certificate taken apart.
type record[P comparable] struct {
	node[P]
	position string
	turn     string
	rank     uint32
}

func (r *record[P]) origin() origin[P] { return origin[P]{r.node, r.rank} }

// parse takes a line apart. What it has of a record that is wrong says where.
func (c *checker[P]) parse(line string) (rec record[P], err error) {
	read, err := ParseRecord(line, c.claim.Wins)
	rec.position, rec.turn, rec.rank = read.Position, read.Turn, read.Rank
	if err != nil {
		return rec, err
	}
	if rec.node.position, rec.side, err = c.game.Parse(rec.position); err != nil {
		return rec, plainly(err)
	}
	return rec, c.coloured(rec.node)
}

// plainly leaves out of an error of a game the text that it is about. What it says of that is
// whole: games quote no more than the beginning of a text.
func plainly(err error) error {
	var syntax *bitboard.SyntaxError
	var illegal *bitboard.IllegalTurnError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("column %d: %s", syntax.Offset+1, syntax.What)
	case errors.As(err, &illegal):
		return illegal.Err
	}
	return err
}

// verify checks the turns of the records of a block: in the first pass what
// stands there, in every pass where those lead that it sees to. It ends where what it
// would find is not kept; leaves of records before are still looked up.
func (c *checker[P]) verify(ctx context.Context, b *block[P]) error {
	for i, line := range b.lines {
		b.number = b.first + uint64(i)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if c.enough(b) {
			break
		}
		rec, err := c.parse(line)
		if err != nil {
			continue // collect has told
		}
		var many bool
		if rec.turn == AllTurns {
			many, err = c.allTurns(b, rec.node)
		} else {
			var to P
			to, err = c.chosenTurn(rec)
			b.turns = append(b.turns[:0], to)
		}
		switch {
		case err == nil:
			if err := c.followAll(ctx, b, rec.origin(), many); err != nil {
				return err
			}
		case c.pass == 0:
			c.faults.add(Finding{b.number, bitboard.Shorten(rec.position), err.Error()})
		}
	}
	c.catchUp(b)
	if err := c.probe(ctx, b); err != nil {
		return err
	}
	b.spare <- b
	return nil
}

// chosenTurn tells where the turn leads that a record chooses. An error says what is wrong with it.
func (c *checker[P]) chosenTurn(rec record[P]) (to P, err error) {
	if rec.side != c.claim.Side {
		return to, fmt.Errorf("turn %s is chosen for %s: want all turns, %s", bitboard.Shorten(rec.turn), c.game.SideName(rec.side), AllTurns)
	}
	t, err := c.game.ParseTurn(rec.node.position, rec.side, rec.turn)
	if err != nil {
		return to, fmt.Errorf("turn %s: %w", bitboard.Quote(rec.turn), plainly(err))
	}
	return t.To, nil
}

// allTurns sets b.turns to where all turns of a node lead, or tells that they are many, to be walked. An
// error says why no record may stand for them.
func (c *checker[P]) allTurns(b *block[P], n node[P]) (many bool, err error) {
	if n.side == c.claim.Side {
		return false, fmt.Errorf("no turn is chosen for %s", c.game.SideName(n.side))
	}
	turns := c.countTo(n.position, MostTurns+1)
	switch {
	case turns > MostTurns:
		return false, fmt.Errorf("the position has more than %d turns", MostTurns)
	case c.walker != nil && turns > mostListed:
		return true, nil
	}
	if b.turns = c.game.Turns(b.turns[:0], n.position); len(b.turns) == 0 {
		return false, errors.New("the game is over: want a position with turns")
	}
	return false, nil
}

// countTo is the number of a position's turns, or most if there are more: 0 where the game
// can't tell without listing them.
func (c *checker[P]) countTo(p P, most int) int {
	if game, ok := c.game.(bitboard.CounterTo[P]); ok {
		return game.CountTo(p, most)
	}
	return 0
}

// An origin is what a turn's follower is checked against: a node, with its rank.
type origin[P comparable] struct {
	node[P]
	rank uint32
}

// followAll checks where the turns lead that are listed in b.turns, or all of a position that has many.
func (c *checker[P]) followAll(ctx context.Context, b *block[P], from origin[P], many bool) (err error) {
	if many {
		c.walker.WalkTurns(from.position, func(to P) (more bool) {
			more, err = c.followNext(ctx, b, from, to)
			return more
		})
		return err
	}
	for _, to := range b.turns {
		if more, err := c.followNext(ctx, b, from, to); !more {
			return err
		}
	}
	return nil
}

// followNext has one more turn checked, with others, and tells whether to go on.
func (c *checker[P]) followNext(ctx context.Context, b *block[P], from origin[P], to P) (more bool, err error) {
	if b.followed++; b.followed%heedTurns == 0 && (ctx.Err() != nil || c.enough(b)) {
		return false, ctx.Err()
	}
	if n := (node[P]{to, from.side.Other()}); c.sees(n) {
		b.ahead = append(b.ahead, follower[P]{n, b.number, uint64(from.rank)})
	}
	if len(b.ahead) < nodes.Together {
		return true, nil
	}
	if c.catchUp(b); len(b.leaves[bitboard.WDL])+len(b.leaves[bitboard.DTW]) < mostLeaves {
		return true, nil
	}
	err = c.probe(ctx, b)
	return err == nil, err
}

// enough tells whether what a block would find from the record at hand on is not kept.
func (c *checker[P]) enough(b *block[P]) bool {
	if b.known {
		return c.doubted.Load()
	}
	return c.faults.enoughBefore(b.number)
}

// fault notes that something is wrong with a follower: of records that are only known, that the file is to
// be read again.
func (c *checker[P]) fault(b *block[P], f follower[P], format string, args ...any) {
	if b.known {
		c.doubted.Store(true)
		return
	}
	c.faults.add(Finding{f.record, b.position(f.record), c.game.Format(f.position, f.side) + fmt.Sprintf(format, args...)})
}

// catchUp checks the followers that wait.
func (c *checker[P]) catchUp(b *block[P]) {
	c.set.FindAll(len(b.ahead), func(i int) (P, bitboard.Side) { return b.ahead[i].position, b.ahead[i].side },
		func(i int, member uint64, found bool) { c.follow(b, b.ahead[i], member, found) })
	b.ahead = b.ahead[:0]
}

// follow checks where a turn leads: to a member of the set, with a rank below the bound
// if the claim is a win, to a part, into the tables, or to an end of the game.
func (c *checker[P]) follow(b *block[P], f follower[P], member uint64, found bool) {
	if c.parts[f.node] {
		return
	}
	if found {
		if rank := c.set.Value(member); c.claim.Wins && uint64(rank) >= f.bound {
			c.fault(b, f, ", which follows, has rank %d: want less than %d", rank, f.bound)
		}
		return
	}
	if metric, found := c.tabled[c.game.SliceOf(f.position)]; found {
		b.leaves[metric] = append(b.leaves[metric], f)
		return
	}
	if !bitboard.Over(c.game, f.position) {
		c.fault(b, f, ", which follows, is neither in the certificate nor in its tables")
	} else if v := c.game.Ended(f.position); !c.claim.Holds(f.side, v) {
		c.fault(b, f, " ends the game with a %v for %s", v, c.game.SideName(f.side))
	}
}

// probe looks up the leaves of a block that wait.
func (c *checker[P]) probe(ctx context.Context, b *block[P]) error {
	for metric, leaves := range b.leaves {
		if len(leaves) == 0 {
			continue
		}
		asked, outcomes := make([]P, len(leaves)), make([]bitboard.Outcome, len(leaves))
		for i, l := range leaves {
			asked[i] = l.position
		}
		if err := c.tables.ProbeAll(ctx, bitboard.Metric(metric), asked, outcomes); err != nil {
			return err
		}
		for i, l := range leaves {
			if v := outcomes[i].Value; !c.claim.Holds(l.side, v) {
				c.fault(b, l, " is a %v for %s in the tables", v, c.game.SideName(l.side))
			}
		}
		c.leaves.Add(uint64(len(leaves)))
		b.leaves[metric] = leaves[:0]
	}
	return nil
}
