package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"paika/bitboard"
	"paika/tablebase"
)

// Table names a table by what is stored of it.
type Table struct {
	Metric string `json:"metric"`
	Slice  string `json:"slice"`
	Stored string `json:"stored"` // the fingerprint of the values as they are stored

	// Whole is, where values are left out, the fingerprint that the manifest gives to all
	// of them.
	Whole string `json:"whole,omitempty"`
}

// Group names slices whose values are derived together, and the tables that it takes:
// their own and those that they follow from.
type Group struct {
	Metric string   `json:"metric"`
	Slices []string `json:"slices"`
	Tables []Table  `json:"tables"`

	// Whole says that the one slice is derived as one share, which shows all of it: where a
	// game traces turns of all positions at once.
	Whole bool `json:"whole,omitempty"`
}

// Found is what a piece of a group came to.
type Found struct {
	Sums     Sums      // of a share
	Quiet    []uint64  // of Ground: quiet positions among those left out of each slice of the group
	Findings []Finding // the first ones, in order
	Total    uint64
}

var (
	// ErrGroup says that a game has no such group, or that its tables are others.
	ErrGroup = errors.New("no group of slices of this game")

	// ErrTable says that a table has other values than its name says.
	ErrTable = errors.New("a table with other values")

	// ErrSpent says that values are gone from the tables of pieces: see Pieces.Spent.
	ErrSpent = errors.New("the tables of these pieces are spent")
)

// Loader loads a table. What it loads is checked by whoever asked.
type Loader func(ctx context.Context, t Table, into *bitboard.Table) error

// Pieces derives a group piece by piece, from tables in memory. Its methods are safe for
// concurrent use.
type Pieces[P comparable] struct {
	*derivation[P]
	whole     bool
	workers   int
	completed Found                     // findings about tables that were completed
	stored    map[bitboard.Slice]string // fingerprints of the group's slices, with all values

	reading sync.RWMutex // of tables by shares: they change while the group is grounded
	spent   atomic.Bool

	mutex sync.Mutex
	begun map[bitboard.Slice]func() blockDeriver[P] // by slice, what comparers makes
}

// LoadPieces loads the tables of a group, compares them with their fingerprints, and puts
// in what is left out of them. Of the options, Workers and Memory count. Errors: ErrGroup,
// ErrTable, and those of load and of ctx.
func LoadPieces[P comparable](ctx context.Context, game Game[P], id tablebase.Identity, g Group, load Loader, o Options) (*Pieces[P], error) {
	c, named, err := readGroup(game, g)
	if err != nil {
		return nil, err
	}
	workers := max(1, o.Workers)
	d := newDerivation(game, c, hasRoom(game, &c, workers, o.Memory, true))
	d.fingerprint = func(ctx context.Context, m bitboard.Metric, t *bitboard.Table) (string, error) {
		return id.TableFingerprint(ctx, m, game.SliceName(t.Slice), game.Indices(t.Slice), t, workers)
	}
	stored := make(map[bitboard.Slice]string)
	for _, at := range c.places() {
		t := named[at]
		if at.metric == bitboard.WDL {
			stored[at.slice] = cmp.Or(t.Whole, t.Stored)
		}
		table := bitboard.NewTable(at.metric, at.slice, game.Indices(at.slice))
		if err := d.load(ctx, load, t, at, table); err != nil {
			return nil, err
		}
		d.add(at.metric, table)
		if slices.Contains(c.sparse, at.slice) && at.metric == bitboard.WDL {
			d.addSparse(at.slice, t.Whole)
		}
	}
	found := &findings{limit: defaultFindings}
	team := d.team(workers, found, func(uint64) {})
	for _, s := range c.sparse {
		if err := team.complete(ctx, s); err != nil {
			return nil, err
		}
	}
	return &Pieces[P]{
		derivation: d, whole: g.Whole, workers: workers, completed: Found{Findings: found.kept(), Total: found.total}, stored: stored,
		begun: make(map[bitboard.Slice]func() blockDeriver[P]),
	}, nil
}

// load loads one table, and sees whether it is the one that was named.
func (d *derivation[P]) load(ctx context.Context, load Loader, t Table, at place, into *bitboard.Table) error {
	if err := load(ctx, t, into); err != nil {
		return err
	}
	if rest := d.game.Indices(at.slice) % 32; into.WDL != nil && rest != 0 && into.WDL[len(into.WDL)-1]>>(2*rest) != 0 {
		return fmt.Errorf("%w: something stands behind the last of %s", ErrTable, t.Slice) // no fingerprint tells
	}
	got, err := d.fingerprint(ctx, at.metric, into)
	if err != nil {
		return err
	}
	if got != t.Stored {
		return fmt.Errorf("%w: %s in %s has the fingerprint %s, want %s", ErrTable, t.Slice, t.Metric, got, bitboard.Shorten(t.Stored))
	}
	return nil
}

// Share derives every value of a slice of the group from index lo, a multiple of 64, up
// to hi: of a whole group all of it, with as many goroutines as the pieces have. Moved is
// told how far it comes. The sums leave out the quiet positions that Ground counts. It waits
// while Ground is at work. Errors: ErrGroup, ErrSpent, and that of ctx.
func (p *Pieces[P]) Share(ctx context.Context, slice string, lo, hi uint64, moved func(indices uint64)) (Found, error) {
	s, err := p.game.ParseSlice(slice)
	if err != nil || !p.inGroup[s] || lo%64 != 0 || lo >= hi || hi > p.game.Indices(s) {
		return Found{}, fmt.Errorf("%w: indices %d to %d of %s", ErrGroup, lo, hi, bitboard.Shorten(slice))
	}
	if p.whole && hi-lo != p.game.Indices(s) {
		return Found{}, fmt.Errorf("%w: indices %d to %d of %s, which is one share", ErrGroup, lo, hi, bitboard.Shorten(slice))
	}
	found := &findings{limit: defaultFindings}
	var sums Sums
	if p.whole {
		p.reading.Lock()
		defer p.reading.Unlock()
		if p.spent.Load() {
			return Found{}, ErrSpent
		}
		sums, err = p.all(ctx, found, moved)
	} else {
		p.reading.RLock()
		defer p.reading.RUnlock()
		if p.spent.Load() {
			return Found{}, ErrSpent
		}
		sums, err = p.part(ctx, s, lo, hi, found, moved)
	}
	return Found{Sums: sums, Findings: found.kept(), Total: found.total}, err
}

// all derives the one slice of the group.
func (p *Pieces[P]) all(ctx context.Context, found *findings, moved func(indices uint64)) (sums Sums, err error) {
	d := *p.derivation // with sums of its own
	d.leftOutQuiet = make(map[bitboard.Slice]uint64)
	done := func(bitboard.Slice) error { return nil } // when the pieces were loaded
	t := d.team(p.workers, found, moved)
	err = t.all(ctx, done, func(_ bitboard.Slice, sum Sums) { sums = sum })
	p.spent.Store(t.spent)
	return sums, err
}

// Spent tells whether values are gone from the tables: Ground, or the one share of a whole group,
// was stopped, or found what is not grounded. Shares and Ground fail then, with ErrSpent.
func (p *Pieces[P]) Spent() bool { return p.spent.Load() }

// part derives a part of a slice: at once where the game does so.
func (p *Pieces[P]) part(ctx context.Context, s bitboard.Slice, lo, hi uint64, found *findings, moved func(indices uint64)) (Sums, error) {
	t := p.team(1, found, moved)
	begin, err := p.begin(ctx, t, s)
	if err != nil {
		return Sums{}, err
	}
	return t.share(ctx, s, lo, hi, begin, t.moved)
}

// begin is comparers, once for all shares.
func (p *Pieces[P]) begin(ctx context.Context, t *team[P], s bitboard.Slice) (func() blockDeriver[P], error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if begin, there := p.begun[s]; there {
		return begin, nil
	}
	begin, err := t.comparers(ctx, s)
	if err == nil {
		p.begun[s] = begin
	}
	return begin, err
}

// Ground does what takes a group as a whole: it shows that wins and losses in wdl which rest on
// the group are those that follow from the ends of the game, and that slices which leave values
// out have the fingerprint of all values. Shares may come before it and after. It takes so many
// goroutines, at least one, and waits for shares. Errors: ErrSpent, and that of ctx.
func (p *Pieces[P]) Ground(ctx context.Context, workers int, moved func(indices uint64)) (Found, error) {
	found := &findings{limit: defaultFindings, list: slices.Clone(p.completed.Findings), total: p.completed.Total}
	f := Found{}
	for _, s := range p.group.Slices {
		f.Quiet = append(f.Quiet, p.leftOutQuiet[s])
	}
	if p.metric == bitboard.WDL {
		if err := p.ground(ctx, workers, found, moved); err != nil {
			return f, err
		}
	}
	f.Findings, f.Total = found.kept(), found.total
	return f, nil
}

// ground shows wins and losses in wdl. No share may have looked at them, so values that do not
// agree with their neighbours can get others. Then the tables are not those that were stored.
func (p *Pieces[P]) ground(ctx context.Context, workers int, found *findings, moved func(indices uint64)) error {
	p.reading.Lock()
	defer p.reading.Unlock()
	if p.spent.Load() {
		return ErrSpent
	}
	t := p.team(workers, found, moved)
	rests, err := p.resting(ctx, t)
	if err != nil {
		return err
	}
	for _, s := range p.group.Slices {
		if !rests[s] {
			moved(p.game.Indices(s))
		}
	}
	p.spent.Store(true)
	if err := t.groundShown(ctx, func(s bitboard.Slice) bool { return rests[s] }, moved); err != nil || t.spent {
		return err
	}
	changed := false
	for _, s := range p.group.Slices {
		if rests[s] {
			same, err := t.compareFingerprint(ctx, t.tables[s], p.stored[s])
			if err != nil {
				return err
			}
			changed = changed || !same
		}
	}
	p.spent.Store(changed)
	return nil
}

// resting finds the slices of the group that have values which rest on it.
func (p *Pieces[P]) resting(ctx context.Context, t *team[P]) (map[bitboard.Slice]bool, error) {
	rests := make(map[bitboard.Slice]bool)
	for _, s := range p.group.Slices {
		if rests[s] = true; p.holder != nil {
			continue // what is held may
		}
		begin, err := p.begin(ctx, t, s)
		if err != nil {
			return nil, err
		}
		rests[s] = begin == nil
	}
	return rests, nil
}

// NeedsGround tells whether shares do not show all of a group.
func (g Group) NeedsGround() bool {
	if g.Whole {
		return false
	}
	return g.Metric == bitboard.WDL.String() || slices.ContainsFunc(g.Tables, func(t Table) bool { return t.Whole != "" })
}

// IsWhole tells whether a game derives a group as one share: see Group.Whole.
func IsWhole[P comparable](game Game[P], g Group) bool {
	c, _, err := readGroup(game, g)
	return err == nil && tracesAll(game, &c)
}

// GroupMemory is about the number of bytes that the pieces of a group take at the least.
// Errors: ErrGroup.
func GroupMemory[P comparable](game Game[P], g Group) (uint64, error) {
	c, _, err := readGroup(game, g)
	return c.memory(game.Indices), err
}

// place is where a table stands.
type place struct {
	metric bitboard.Metric
	slice  bitboard.Slice
}

// places lists the tables that a check has in memory.
func (c *groupCheck) places() (all []place) {
	for _, s := range c.loaded() {
		all = append(all, place{c.metric, s})
	}
	for _, s := range c.agree {
		all = append(all, place{bitboard.WDL, s})
	}
	return all
}

// readGroup finds the group that is named. Errors wrap ErrGroup.
func readGroup[P comparable](game Game[P], g Group) (c groupCheck, named map[place]Table, err error) {
	metric, err := bitboard.ParseMetric(g.Metric)
	if err != nil {
		return c, nil, fmt.Errorf("%w: %w", ErrGroup, err)
	}
	_, sparse := game.(bitboard.Sparse[P])
	named = make(map[place]Table)
	for _, t := range g.Tables {
		s, bad := game.ParseSlice(t.Slice)
		m, wrong := bitboard.ParseMetric(t.Metric)
		if err := errors.Join(bad, wrong); err != nil {
			return c, nil, fmt.Errorf("%w: %w", ErrGroup, err)
		}
		if t.Whole != "" && !sparse {
			return c, nil, fmt.Errorf("%w: it leaves values out of %s", ErrGroup, t.Slice)
		}
		named[place{m, s}] = t
	}
	of, needs, err := findGroup(game, g.Slices)
	if err != nil {
		return c, nil, err
	}
	leavesOut := func(s bitboard.Slice) bool { return named[place{bitboard.WDL, s}].Whole != "" }
	if c = wdlCheck(of, needs, leavesOut); metric == bitboard.DTW {
		isNamed := func(s bitboard.Slice) bool { return named[place{bitboard.WDL, s}] != Table{} }
		c = dtwCheck(of, filter(of.Slices, isNamed), leavesOut)
	}
	places := c.places()
	for _, at := range places {
		if _, there := named[at]; !there {
			return c, nil, fmt.Errorf("%w: it lacks %s in %v", ErrGroup, game.SliceName(at.slice), at.metric)
		}
	}
	if g.Whole && len(g.Slices) != 1 {
		return c, nil, fmt.Errorf("%w: %s, want one that is whole", ErrGroup, bitboard.Count(len(g.Slices), "slice"))
	}
	if len(places) != len(named) {
		return c, nil, fmt.Errorf("%w: %s, want %d", ErrGroup, bitboard.Count(len(named), "table"), len(places))
	}
	return c, named, nil
}

// findGroup finds a group by its slices, and what every slice up to it needs.
func findGroup[P comparable](game Game[P], names []string) (bitboard.Group, map[bitboard.Slice][]bitboard.Slice, error) {
	groups, err := storable(game)
	if err != nil {
		return bitboard.Group{}, nil, fmt.Errorf("%w: %w", ErrGroup, err)
	}
	needs := make(map[bitboard.Slice][]bitboard.Slice)
	for _, g := range groups {
		var has []string
		for _, s := range g.Slices {
			needs[s] = g.Needs
			has = append(has, game.SliceName(s))
		}
		if slices.Equal(has, names) {
			return g, needs, nil
		}
	}
	return bitboard.Group{}, nil, fmt.Errorf("%w: %s", ErrGroup, bitboard.Shorten(fmt.Sprint(names)))
}

func filter(list []bitboard.Slice, keep func(bitboard.Slice) bool) []bitboard.Slice {
	return slices.DeleteFunc(slices.Clone(list), func(s bitboard.Slice) bool { return !keep(s) })
}
