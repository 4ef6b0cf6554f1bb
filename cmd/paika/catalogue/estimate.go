package catalogue

import (
	"context"
	"errors"
	"maps"
	"math/bits"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"paika/bitboard"
	"paika/internal/progress"
	"paika/internal/usage"
	"paika/solver/retrograde"
	"paika/tablebase"
)

// Estimate is what a build would take. Memory is exact, and what Build refuses
// by; indices and positions are exact too. Time and bytes of a slice go by the one that is
// most like it among those measured (bitboard.Resembler), time by the processor time
// that it took: it is what the build takes where its workers have a core each to
// themselves. Bytes are those of the tables. Checkpoints come on top while a big group is
// solved: as many bytes as its tables take in memory, and twice that while one is saved.
type Estimate struct {
	Groups []GroupEstimate `json:"groups"` // in the order of the build
	Total  GroupEstimate   `json:"total"`  // of what is not stored yet; the most memory, the sum of all else

	Measured         []Measured `json:"measured"`
	IndicesPerSecond float64    `json:"indices_per_second"` // of the largest group measured, by all workers; 0 if none was
	BitsPerPosition  float64    `json:"bits_per_position"`  // of what was measured and what is stored, where no value is left out
}

// GroupEstimate is a group of slices that are solved together.
type GroupEstimate struct {
	Slices    string  `json:"slices"` // such as "3v2 2v3"
	Stored    bool    `json:"stored"` // already: Bytes is then what it has, and Seconds 0
	Indices   uint64  `json:"indices"`
	Positions uint64  `json:"positions"` // with symmetry undone
	Memory    uint64  `json:"memory"`    // bytes, of the whole program
	Bytes     uint64  `json:"bytes"`     // on disk
	Seconds   float64 `json:"seconds"`   // by the clock
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
// programs, for at most patience times as long.
func (n *instance[P]) Estimate(ctx context.Context, dir string, o BuildOptions, measure time.Duration) (Estimate, error) {
	groups, err := n.plan(o)
	if err != nil {
		return Estimate{}, err
	}
	options := n.retrograde(groups, o)
	needs := retrograde.Needs(n.game, groups, options)
	var small []bitboard.Group // enough to be measured
	for i, g := range groups {
		if needs[i].Memory <= o.Memory {
			small = append(small, g)
		} else {
			break
		}
	}
	m, err := n.measure(ctx, small, options, measure)
	if err != nil {
		return Estimate{}, err
	}
	stored, err := n.storedSlices(dir, o)
	if err != nil {
		return Estimate{}, err
	}
	return n.estimate(groups, needs, m, stored, o), nil
}

// estimate puts together what is known of the groups.
func (n *instance[P]) estimate(groups []bitboard.Group, needs []retrograde.Need, m measurement, stored map[string]SliceStats, o BuildOptions) Estimate {
	e := Estimate{Groups: []GroupEstimate{}, Measured: m.groups}
	e.IndicesPerSecond = m.rate(o.Workers)
	whole := n.wholeSlices(m, stored)
	e.BitsPerPosition = averageBits(whole)
	for i, g := range groups {
		need := needs[i]
		one := GroupEstimate{Slices: need.Name, Indices: need.Indices, Positions: need.Positions, Memory: need.Memory, Stored: true}
		var rest float64
		for _, s := range g.Slices {
			if have, ok := stored[n.game.SliceName(s)]; ok {
				one.Bytes += have.Bytes
				continue
			}
			one.Stored = false
			rest += n.bits(s, whole, e.BitsPerPosition) / 8 * n.heldShare(s, o.Metric) * float64(n.game.Positions(s))
		}
		if !one.Stored {
			one.Bytes += uint64(rest)
			one.Seconds = n.seconds(m, g, one.Indices, o.Workers)
			e.Total.include(one)
		}
		e.Groups = append(e.Groups, one)
	}
	return e
}

func (total *GroupEstimate) include(one GroupEstimate) {
	total.Indices += one.Indices
	total.Positions += one.Positions
	total.Memory = max(total.Memory, one.Memory)
	total.Bytes += one.Bytes
	total.Seconds += one.Seconds
}

// leavesOut tells whether the table of a slice is stored without some values.
func (n *instance[P]) leavesOut(s bitboard.Slice, m bitboard.Metric) bool {
	game, is := n.game.(bitboard.HeldMask)
	return is && m == bitboard.WDL && game.LeavesOut(s)
}

// sampled is how many indices of a slice are looked at, in blocks, to see how many
// values are left out.
const (
	sampledBlocks = 1 << 6
	sampledBlock  = 1 << 10
)

// heldShare is about the share of a slice's values that its stored table has.
func (n *instance[P]) heldShare(s bitboard.Slice, m bitboard.Metric) float64 {
	if !n.leavesOut(s, m) {
		return 1
	}
	game, all := n.game.(bitboard.HeldMask), n.game.Indices(s)
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

// storedSlices lists, by name, the slices that a folder has in the metric.
func (n *instance[P]) storedSlices(dir string, o BuildOptions) (stored map[string]SliceStats, err error) {
	stored = make(map[string]SliceStats)
	tables, err := n.Open(dir, o.Workers)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, tables.Close()) }()
	stats, err := tables.Stats()
	if errors.Is(err, tablebase.ErrNoStore) {
		return stored, nil
	}
	for _, s := range stats.Only(o.Metric).Slices {
		stored[s.Slice] = s
	}
	return stored, err
}

// measurement is groups that were solved, and what was stored of them.
type measurement struct {
	metric bitboard.Metric
	groups []Measured
	slices []SliceStats
}

// rate is the indices a second that so many workers solve, each with a core to
// itself, by the largest group measured.
func (m measurement) rate(workers int) (rate float64) {
	var largest uint64
	for _, g := range m.groups {
		if one := g.rate(workers); g.Indices >= largest && one > 0 {
			largest, rate = g.Indices, one
		}
	}
	return rate
}

// rate is the indices a second that so many workers solve, each with a core to itself,
// or 0 where it took no time that can be told.
func (g Measured) rate(workers int) float64 {
	seconds := g.Processor / float64(cores(workers))
	if seconds == 0 { // the system does not tell
		seconds = g.Seconds
	}
	if seconds <= 0 {
		return 0
	}
	return float64(g.Indices) / seconds
}

// cores is how many cores so many workers keep busy.
func cores(workers int) int { return max(1, min(workers, runtime.GOMAXPROCS(0))) }

// wholeSlices are, by name, all slices measured or stored that leave no values out.
func (n *instance[P]) wholeSlices(m measurement, stored map[string]SliceStats) map[string]SliceStats {
	whole := make(map[string]SliceStats)
	for _, s := range slices.Concat(m.slices, slices.Collect(maps.Values(stored))) {
		if slice, err := n.slice(s.Slice); err == nil && !n.leavesOut(slice, m.metric) {
			whole[s.Slice] = s
		}
	}
	return whole
}

// averageBits is the size on disk of a position in all of these slices.
func averageBits(whole map[string]SliceStats) float64 {
	var sum SliceStats
	for _, s := range whole {
		sum.include(s)
	}
	sum.measure()
	return sum.BitsPerPosition
}

// patience is how many times the time given a measurement takes at the most, where
// other programs leave it little of the processor.
const patience = 5

// watchInterval is the time between two looks at how much a measurement has taken.
const watchInterval = 50 * time.Millisecond

// measure solves groups for some time.
func (n *instance[P]) measure(ctx context.Context, groups []bitboard.Group, o retrograde.Options, limit time.Duration) (m measurement, err error) {
	m.metric, m.groups = o.Metric, []Measured{}
	dir, err := os.MkdirTemp("", "paika-measure-")
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	store, err := tablebase.Open(dir, n.identity, tablebase.Options{Workers: o.Workers})
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()

	began := now()
	timed, cancel := context.WithTimeout(ctx, patience*limit)
	defer cancel()
	enough := limit
	if began.processor > 0 {
		enough *= time.Duration(cores(o.Workers))
	}
	defer progress.Every(timed, watchInterval, func(context.Context) {
		if now().since(began) >= enough {
			cancel()
		}
	})()
	clock := stopwatch{Storage: store.Tables(o.Metric, n.game), saved: make(map[bitboard.Slice]instant)}
	_, err = retrograde.Build(timed, n.game, groups, clock, o)
	if err != nil && (!isAny(err, context.Canceled, context.DeadlineExceeded) || ctx.Err() != nil) {
		return m, err
	}
	before := began
	for _, g := range groups {
		names := n.names([]bitboard.Group{g})
		stats := statsOf(store, o.Metric, names)
		if len(stats.Slices) < len(g.Slices) {
			break // the time was over
		}
		one := Measured{Slices: strings.Join(names, " ")}
		end := before
		for i, s := range g.Slices {
			one.Indices += n.game.Indices(s)
			one.Bytes += stats.Slices[i].Bytes
			end = clock.saved[s]
		}
		one.Seconds = end.clock.Sub(before.clock).Seconds()
		one.Processor = (end.processor - before.processor).Seconds()
		before = end
		m.groups = append(m.groups, one)
		m.slices = append(m.slices, stats.Slices...)
	}
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

// stopwatch is a storage that notes when each slice was saved. It keeps no
// checkpoints.
type stopwatch struct {
	retrograde.Storage
	saved map[bitboard.Slice]instant
}

func (w stopwatch) Save(ctx context.Context, t *bitboard.Table, sum bitboard.Summary) error {
	err := w.Storage.Save(ctx, t, sum)
	w.saved[t.Slice] = now()
	return err
}
