package catalogue

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"paika/bitboard"
	"paika/solver/retrograde"
	"paika/tablebase"
)

// Estimate is what a build would take. Memory is exact, and what Build refuses
// by; indices and positions are exact too. Time and bytes go by slices that were
// measured: larger ones take more time an index, since their tables outgrow the
// processor's caches.
type Estimate struct {
	Groups []GroupEstimate `json:"groups"` // in the order of the build
	Total  GroupEstimate   `json:"total"`  // of what is not stored yet; the most memory, the sum of all else

	Measured         []Measured `json:"measured"`
	IndicesPerSecond float64    `json:"indices_per_second"` // of the largest group measured; 0 if none was
	BitsPerPosition  float64    `json:"bits_per_position"`  // of what was measured and what is stored
}

// GroupEstimate is a group of slices that are solved together.
type GroupEstimate struct {
	Slices    string  `json:"slices"` // such as "3v2 2v3"
	Stored    bool    `json:"stored"` // already: Bytes is then what it has, and Seconds 0
	Indices   uint64  `json:"indices"`
	Positions uint64  `json:"positions"` // with symmetry undone
	Memory    uint64  `json:"memory"`    // bytes, of the whole program
	Bytes     uint64  `json:"bytes"`     // on disk
	Seconds   float64 `json:"seconds"`
}

// Measured is a group that was solved and stored to see how long that takes.
type Measured struct {
	Slices  string  `json:"slices"`
	Indices uint64  `json:"indices"`
	Bytes   uint64  `json:"bytes"`
	Seconds float64 `json:"seconds"`
}

// Estimate tells what Build would take with the same options. For up to the time
// given it solves slices of the build, smaller ones first, into a folder of its
// own, which it removes.
func (n *instance[P]) Estimate(ctx context.Context, dir string, o BuildOptions, measure time.Duration) (Estimate, error) {
	groups, err := n.plan(o)
	if err != nil {
		return Estimate{}, err
	}
	options := o.retrograde()
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
	return n.estimate(groups, needs, m, stored), nil
}

// estimate puts together what is known of the groups.
func (n *instance[P]) estimate(groups []bitboard.Group, needs []retrograde.Need, m measurement, stored map[string]SliceStats) Estimate {
	e := Estimate{Groups: []GroupEstimate{}, Measured: m.groups}
	e.IndicesPerSecond = m.rate()
	e.BitsPerPosition = m.bits(stored)
	for i, g := range groups {
		need := needs[i]
		one := GroupEstimate{Slices: need.Name, Indices: need.Indices, Positions: need.Positions, Memory: need.Memory, Stored: true}
		for _, name := range n.names([]bitboard.Group{g}) {
			s, ok := stored[name]
			one.Stored = one.Stored && ok
			one.Bytes += s.Bytes
		}
		if !one.Stored {
			one.Bytes = uint64(e.BitsPerPosition * float64(one.Positions) / 8)
			if e.IndicesPerSecond > 0 {
				one.Seconds = float64(one.Indices) / e.IndicesPerSecond
			}
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
	groups []Measured
	slices []SliceStats
}

// rate is the indices a second of the largest group measured.
func (m measurement) rate() (rate float64) {
	var largest uint64
	for _, g := range m.groups {
		if g.Indices >= largest && g.Seconds > 0 {
			largest, rate = g.Indices, float64(g.Indices)/g.Seconds
		}
	}
	return rate
}

// bits is the size on disk of a position among all slices measured or stored.
func (m measurement) bits(stored map[string]SliceStats) float64 {
	var sum SliceStats
	for _, s := range stored {
		sum.include(s)
	}
	for _, s := range m.slices {
		if _, twice := stored[s.Slice]; !twice {
			sum.include(s)
		}
	}
	sum.measure()
	return sum.BitsPerPosition
}

// measure solves groups for some time.
func (n *instance[P]) measure(ctx context.Context, groups []bitboard.Group, o retrograde.Options, limit time.Duration) (m measurement, err error) {
	m.groups = []Measured{}
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

	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	clock := stopwatch{Storage: store.Tables(o.Metric, n.game), saved: make(map[bitboard.Slice]time.Time)}
	before := time.Now()
	_, err = retrograde.Build(timed, n.game, groups, clock, o)
	if err != nil && (!errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil) {
		return m, err
	}
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
		one.Seconds = end.Sub(before).Seconds()
		before = end
		m.groups = append(m.groups, one)
		m.slices = append(m.slices, stats.Slices...)
	}
	return m, nil
}

// stopwatch is a storage that notes when each slice was saved. It keeps no
// checkpoints.
type stopwatch struct {
	retrograde.Storage
	saved map[bitboard.Slice]time.Time
}

func (w stopwatch) Save(ctx context.Context, t *bitboard.Table, sum bitboard.Summary) error {
	err := w.Storage.Save(ctx, t, sum)
	w.saved[t.Slice] = time.Now()
	return err
}
