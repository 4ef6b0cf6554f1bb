package catalogue

import (
	"context"
	"errors"
	"maps"
	"math"
	"math/bits"
	"runtime"
	"slices"
	"strings"
	"time"

	"paika/bitboard"
	"paika/cmd/paika/catalogue/internal/likeness"
	"paika/internal/lasting"
	"paika/internal/progress"
	"paika/internal/usage"
	"paika/solver/retrograde"
	"paika/tablebase"
)

// Estimate is what a build would take. Memory is exact, and what Build refuses
// by; indices and positions are exact too. Time and bytes of a slice go by the one that is
// most like it among those measured (bitboard.Resembler), or by all of these and the turns that
// positions have. Where a board is solved as a whole and takes too long to be measured, they go
// by a smaller board. Time goes by the processor time that
// each phase of that one took, for as many positions of the kind that the phase is spent on: it
// is what the build takes where its workers have a core each to themselves. To complete what a
// group needs, and is stored with values left out, is part of the group. Bytes are those of
// the tables. Checkpoints come on top while a big group is solved: as many bytes as its tables
// take in memory, and twice that while one is saved.
type Estimate struct {
	Groups []GroupEstimate `json:"groups"` // in the order of the build
	Total  GroupEstimate   `json:"total"`  // of groups not stored yet, without the bytes that they have; the most memory, the sum of all else

	Measured         []Measured `json:"measured"`
	IndicesPerSecond float64    `json:"indices_per_second"` // of the largest group measured, by all workers; 0 if none was
	BitsPerPosition  float64    `json:"bits_per_position"`  // of what was measured and what is stored whole
}

// GroupEstimate is a group of slices that are solved together.
type GroupEstimate struct {
	Slices    string  `json:"slices"` // such as "3v2 2v3"
	Stored    bool    `json:"stored"` // already: Bytes is then what it has, and Seconds 0
	Indices   uint64  `json:"indices"`
	Positions uint64  `json:"positions"` // with symmetry undone
	Memory    uint64  `json:"memory"`    // bytes, of the whole program
	Bytes     uint64  `json:"bytes"`     // on disk, with those that are there
	Seconds   float64 `json:"seconds"`   // by the clock, in the memory allowed or, if that is too little, with Fastest

	// Fastest is bytes, of the whole program: with more a group is solved no faster. With
	// Fast or more it takes at most about half as long again; with less, and Memory or
	// more, a group of many stones takes up to three times as long.
	Fast           uint64  `json:"memory_fast"`
	Fastest        uint64  `json:"memory_fastest"`
	SecondsFastest float64 `json:"seconds_fastest"` // by the clock, with Fastest

	// Taken is about how many bytes the whole program takes of the memory allowed: where that
	// is more than Memory, it is faster with it, or keeps tables that are needed again.
	Taken uint64 `json:"memory_taken"`
}

// Measured is a group that was solved and stored to see how long that takes.
type Measured struct {
	Slices    string  `json:"slices"`
	Indices   uint64  `json:"indices"`
	Bytes     uint64  `json:"bytes"`
	Seconds   float64 `json:"seconds"`           // by the clock
	Processor float64 `json:"processor_seconds"` // of all workers together
}

// Estimate tells what Build would take with the same options. It solves slices of
// the build, smaller ones first, into a folder of its own, which it removes: for the
// processor time that the workers would have in the time given, or, beside other
// programs, for at most patience times as long. It solves none where all is stored.
func (n *instance[P]) Estimate(ctx context.Context, dir string, o BuildOptions, measure time.Duration) (Estimate, error) {
	groups, err := n.plan(o)
	if err != nil {
		return Estimate{}, err
	}
	options := n.retrograde(groups, o)
	needs := retrograde.Needs(n.game, groups, options)
	stored, err := n.storedSlices(dir, o)
	if err != nil {
		return Estimate{}, err
	}
	if n.allStored(groups, stored.slices) {
		return n.estimate(groups, needs, measurement{groups: []Measured{}, whole: stored.whole}, stored, o), nil
	}
	var small []bitboard.Group // enough to be measured
	for i, g := range groups {
		if needs[i].Memory <= o.Memory {
			small = append(small, g)
		} else {
			break
		}
	}
	m, err := n.measure(ctx, small, groups, options, measure)
	if err == nil && len(m.groups) == 0 && n.WholeBoards() {
		m, err = n.measureSmaller(ctx, o)
	}
	if err != nil {
		return Estimate{}, err
	}
	maps.Copy(m.whole, stored.whole)
	return n.estimate(groups, needs, m, stored, o), nil
}

// allStored tells whether a folder that has stored has all slices of the groups.
func (n *instance[P]) allStored(groups []bitboard.Group, stored map[string]tablebase.SliceInfo) bool {
	return !slices.ContainsFunc(n.names(groups), func(name string) bool { _, is := stored[name]; return !is })
}

// estimate puts together what is known of the groups.
func (n *instance[P]) estimate(groups []bitboard.Group, needs []retrograde.Need, m measurement, stored holdings, o BuildOptions) Estimate {
	known := likeness.Known{Game: n.game, Paces: m.paces, Sizes: m.whole}
	completed := make(map[bitboard.Slice]bool)
	e := Estimate{Groups: []GroupEstimate{}, Measured: m.groups, IndicesPerSecond: known.Rate(), BitsPerPosition: known.Average()}
	for i, g := range groups {
		need := needs[i]
		one := GroupEstimate{Slices: need.Name, Indices: need.Indices, Positions: need.Positions, Memory: need.Memory, Fast: need.Fast, Fastest: need.Fastest, Taken: need.Taken, Stored: true}
		var there uint64 // bytes
		var rest float64
		for _, s := range g.Slices {
			if have, ok := stored.slices[n.game.SliceName(s)]; ok {
				there += have.Bytes
				continue
			}
			one.Stored = false
			if bytes, ok := m.bytes[s]; ok {
				rest += float64(bytes)
				continue
			}
			bits := known.Bits(s)
			if o.Metric == bitboard.WDL && !neededIn(groups, s) {
				bits = known.HeldBits(s, n.heldShare(s))
			}
			rest += bits / 8 * float64(n.game.Positions(s))
		}
		if !one.Stored {
			one.Bytes = uint64(rest)
			one.Seconds = known.Pace(g.Slices[0], n.load(g, o.Metric, need.Room)).Seconds()
			one.SecondsFastest = one.Seconds
			if most := need.Fastest - need.Memory; most > need.Room {
				one.SecondsFastest = known.Pace(g.Slices[0], n.load(g, o.Metric, most)).Seconds()
			}
			for _, s := range g.Needs {
				have := stored.slices[n.game.SliceName(s)]
				if completed[s] || !stored.lacksValues(have.Name) {
					continue
				}
				completed[s] = true
				seconds, bytes := n.completion(known, s, o.Metric, have.Bytes)
				one.Seconds += seconds
				one.SecondsFastest += seconds
				one.Bytes += bytes
			}
			e.Total.include(one)
		}
		one.Bytes += there
		e.Groups = append(e.Groups, one)
	}
	return e
}

// load is what there is to solve in a group, with so many bytes of room to settle it.
func (n *instance[P]) load(g bitboard.Group, m bitboard.Metric, room uint64) likeness.Load {
	l := likeness.Load{Held: n.average(g, n.heldShare)}
	for _, s := range g.Slices {
		l.Indices += n.game.Indices(s)
	}
	if _, is := n.game.(bitboard.Resembler); !is {
		l.Turns = n.average(g, n.meanTurns) // slices that are alike have more in common than turns
	}
	if game, is := n.game.(bitboard.CostKernel); is {
		l.Cost = n.average(g, func(s bitboard.Slice) float64 { return game.SettleCost(s, m, room/8) })
	}
	return l
}

// completion is what it takes to complete a slice that is stored with values left out, in so
// many bytes: the time, and how many bytes more it then has.
func (n *instance[P]) completion(known likeness.Known, s bitboard.Slice, m bitboard.Metric, have uint64) (seconds float64, bytes uint64) {
	alone := n.load(bitboard.Group{Slices: []bitboard.Slice{s}}, m, math.MaxUint64)
	whole := uint64(known.Bits(s) / 8 * float64(n.game.Positions(s)))
	return known.Pace(s, alone).Completing(), max(whole, have) - have
}

func (total *GroupEstimate) include(one GroupEstimate) {
	total.Indices += one.Indices
	total.Positions += one.Positions
	total.Memory = max(total.Memory, one.Memory)
	total.Fast = max(total.Fast, one.Fast)
	total.Fastest = max(total.Fastest, one.Fastest)
	total.Taken = max(total.Taken, one.Taken)
	total.Bytes += one.Bytes
	total.Seconds += one.Seconds
	total.SecondsFastest += one.SecondsFastest
}

// neededIn tells whether a build of groups needs a slice for another.
func neededIn(groups []bitboard.Group, s bitboard.Slice) bool {
	return slices.ContainsFunc(groups, func(g bitboard.Group) bool { return slices.Contains(g.Needs, s) })
}

// sampled is how many indices of a slice are looked at, in blocks, to see how many
// values are left out.
const (
	sampledBlocks = 1 << 6
	sampledBlock  = 1 << 10
)

// heldShare is about the share of a slice's values that its table has where it leaves out
// what one look ahead finds.
func (n *instance[P]) heldShare(s bitboard.Slice) float64 {
	game, sparse := n.game.(bitboard.HeldMask)
	if !sparse {
		return 1
	}
	all := n.game.Indices(s)
	step := max(sampledBlock, all/sampledBlocks)
	var mask [sampledBlock / 64]uint64
	held, looked := 0, uint64(0)
	for lo := uint64(0); lo < all; lo += step {
		hi := min(lo+sampledBlock, all)
		game.Held(mask[:(hi-lo+63)/64], s, lo, hi)
		for _, word := range mask[:(hi-lo+63)/64] {
			held += bits.OnesCount64(word)
		}
		looked += hi - lo
	}
	return float64(held) / float64(max(1, looked))
}

// average is what the indices of a group have on average.
func (n *instance[P]) average(g bitboard.Group, of func(bitboard.Slice) float64) float64 {
	sum, all := 0.0, 0.0
	for _, s := range g.Slices {
		indices := float64(n.game.Indices(s))
		sum += indices * of(s)
		all += indices
	}
	return sum / max(1, all)
}

// turnsSampled is how many indices of a slice's blocks are looked at to see how many turns
// positions have.
const turnsSampled = 1 << 4

// meanTurns is about how many turns the positions of a slice have.
func (n *instance[P]) meanTurns(s bitboard.Slice) float64 {
	all := n.game.Indices(s)
	step := max(turnsSampled, all/sampledBlocks)
	var list []P
	turns, positions := 0, 0
	for lo := uint64(0); lo < all; lo += step {
		n.game.Walk(s, lo, min(lo+turnsSampled, all), func(_ uint64, p P, _ int) bool {
			list = n.game.Turns(list[:0], p)
			turns += len(list)
			positions++
			return true
		})
	}
	return float64(turns) / float64(max(1, positions))
}

// holdings are the slices of a metric that a folder has, by name.
type holdings struct {
	slices map[string]tablebase.SliceInfo
	whole  map[string]likeness.Size // those without values left out
}

// lacksValues tells whether a slice is stored with values left out.
func (h holdings) lacksValues(name string) bool {
	_, stored := h.slices[name]
	_, whole := h.whole[name]
	return stored && !whole
}

// storedSlices lists the slices that a folder has in the metric.
func (n *instance[P]) storedSlices(dir string, o BuildOptions) (stored holdings, err error) {
	stored.slices = make(map[string]tablebase.SliceInfo)
	store, err := tablebase.Open(dir, n.identity, tablebase.Options{ReadOnly: true, Workers: o.Workers})
	if errors.Is(err, tablebase.ErrNoStore) {
		return stored, nil
	}
	if err != nil {
		return stored, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	for _, info := range store.Slices(o.Metric) {
		stored.slices[info.Name] = info
	}
	stored.whole = n.wholeSlices(store, o.Metric)
	return stored, nil
}

// wholeSlices are, by name, the slices of a metric that are stored whole.
func (n *instance[P]) wholeSlices(store *tablebase.Store, m bitboard.Metric) map[string]likeness.Size {
	whole := make(map[string]likeness.Size)
	for _, info := range store.Slices(m) {
		if s, err := n.slice(info.Name); err == nil && !store.Tables(m, n.game).LeavesOut(s) {
			whole[info.Name] = likeness.Size{Positions: info.Positions, Bytes: info.Bytes, Held: n.heldShare(s)}
		}
	}
	return whole
}

// measurement is groups that were solved, and what was stored of them.
type measurement struct {
	groups []Measured
	paces  []likeness.Pace
	bytes  map[bitboard.Slice]uint64 // on disk
	whole  map[string]likeness.Size  // by name, those that are stored whole
}

// cores is how many cores so many workers keep busy.
func cores(workers int) int { return max(1, min(workers, runtime.GOMAXPROCS(0))) }

// patience is how many times the time given a measurement takes at the most, where
// other programs leave it little of the processor.
const patience = 5

// watchInterval is the time between two looks at how much a measurement has taken.
const watchInterval = 50 * time.Millisecond

// measure solves groups of a build for some time.
func (n *instance[P]) measure(ctx context.Context, groups, build []bitboard.Group, o retrograde.Options, limit time.Duration) (m measurement, err error) {
	m.groups, m.bytes = []Measured{}, make(map[bitboard.Slice]uint64)
	dir, remove, err := lasting.TemporaryFolder("", "paika-measure-")
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	store, err := tablebase.Open(dir, n.identity, tablebase.Options{Workers: o.Workers})
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()

	began := now()
	timed, cancel := context.WithTimeout(ctx, patience*limit)
	defer cancel()
	sharing := 1 // cores whose time is counted together
	if began.processor > 0 {
		sharing = cores(o.Workers)
	}
	enough := limit * time.Duration(sharing)
	defer progress.Every(timed, watchInterval, func(context.Context) {
		if now().since(began) >= enough {
			cancel()
		}
	})()
	var watch stopwatch
	o.Entered = watch.enter
	_, err = retrograde.Build(timed, n.game, groups, uninterrupted{store.Tables(o.Metric, n.game).ForBuild(build)}, o)
	watch.enter("", "")
	if err != nil && (!isAny(err, context.Canceled, context.DeadlineExceeded) || ctx.Err() != nil) {
		return m, err
	}
	needs := retrograde.Needs(n.game, build, o)
	for i, g := range groups {
		names := n.names([]bitboard.Group{g})
		if len(statsOf(store, o.Metric, names).Slices) < len(names) {
			break // the time was over
		}
		one := Measured{Slices: strings.Join(names, " ")}
		for i, s := range g.Slices {
			one.Indices += n.game.Indices(s)
			info, _ := store.Slice(o.Metric, names[i])
			m.bytes[s] = info.Bytes
			one.Bytes += m.bytes[s]
		}
		took := watch.of(one.Slices)
		one.Seconds = took.clock.Seconds()
		if began.processor > 0 {
			one.Processor = took.all().Seconds()
		}
		m.groups = append(m.groups, one)
		pace := took.pace(sharing)
		pace.Slices, pace.Load = names, n.load(g, o.Metric, needs[i].Room)
		m.paces = append(m.paces, pace)
	}
	m.whole = n.wholeSlices(store, o.Metric)
	return m, nil
}

// instant is a point in time, with what the program had taken of the processor.
type instant struct {
	clock     time.Time
	processor time.Duration // 0 where the system does not tell
}

func now() instant { return instant{time.Now(), usage.Processor()} }

// since is the processor time between two moments, by the clock where the system
// does not tell.
func (m instant) since(before instant) time.Duration {
	if m.processor == 0 {
		return m.clock.Sub(before.clock)
	}
	return m.processor - before.processor
}

// stopwatch notes what each phase of each group takes.
type stopwatch struct {
	took         map[string]*spent // by group
	group, phase string            // at hand
	began        instant
}

// spent is what a group took.
type spent struct {
	clock                      time.Duration
	settling, following, other time.Duration // of the processor; by the clock where the system does not tell
}

// enter notes that a phase begins.
func (w *stopwatch) enter(group, phase string) {
	at := now()
	if w.group != "" {
		w.note(at)
	}
	w.group, w.phase, w.began = group, phase, at
}

// note adds the phase that ends.
func (w *stopwatch) note(at instant) {
	to := w.of(w.group)
	took := at.since(w.began)
	to.clock += at.clock.Sub(w.began.clock)
	switch w.phase {
	case retrograde.Settling:
		to.settling += took
	case retrograde.Sweeping, retrograde.Propagating:
		to.following += took
	default:
		to.other += took
	}
}

// of is what a group took so far.
func (w *stopwatch) of(group string) *spent {
	if w.took == nil {
		w.took = make(map[string]*spent)
	}
	if w.took[group] == nil {
		w.took[group] = new(spent)
	}
	return w.took[group]
}

func (s *spent) all() time.Duration { return s.settling + s.following + s.other }

// pace is what was spent, where the time of so many cores is counted together.
func (s *spent) pace(cores int) likeness.Pace {
	seconds := func(d time.Duration) float64 { return d.Seconds() / float64(cores) }
	return likeness.Pace{Settling: seconds(s.settling), Following: seconds(s.following), Other: seconds(s.other)}
}

// uninterrupted is a storage without checkpoints.
type uninterrupted struct{ retrograde.Storage }
