package catalogue

import (
	"slices"

	"paika/bitboard"
	"paika/tablebase"
)

// Stats is tables in figures.
type Stats struct {
	Slices []SliceStats `json:"slices"`
	Totals []SliceStats `json:"totals"` // one a metric, with an empty slice name

	DiskBytes uint64 `json:"disk_bytes"` // that the files of the tables take, of all metrics
}

// SliceStats is one slice in one metric. Positions are counted with symmetry
// undone, and values are those of the side to move.
type SliceStats struct {
	Slice           string  `json:"slice,omitempty"`
	Metric          string  `json:"metric"`
	Positions       uint64  `json:"positions"`
	Win             uint64  `json:"win"`
	Loss            uint64  `json:"loss"`
	Draw            uint64  `json:"draw"`
	Quiet           uint64  `json:"quiet"`        // those that no capture or the like decides
	LongestWin      *int    `json:"longest_win"`  // in turns; null without dtw or where there is none
	LongestLoss     *int    `json:"longest_loss"` // likewise
	Bytes           uint64  `json:"bytes"`        // as stored
	BitsPerPosition float64 `json:"bits_per_position"`
	Fingerprint     string  `json:"fingerprint"` // of the values: see the package tablebase

	// What a survey adds where it is asked to.
	Longest   *Longest   `json:"longest,omitempty"`   // with dtw
	Distances []Distance `json:"distances,omitempty"` // with dtw
	Zugzwang  *Zugzwang  `json:"zugzwang,omitempty"`  // left out where the slice of the passed positions is not stored
}

// Stats describes every slice stored, in the order of the manifests.
func (t *tables[P]) Stats() (Stats, error) {
	if t.store == nil {
		return Stats{}, t.absent
	}
	disk, err := t.store.DiskBytes()
	if err != nil {
		return Stats{}, err
	}
	all := Stats{Slices: []SliceStats{}, Totals: []SliceStats{}, DiskBytes: disk}
	for m := range bitboard.MetricCount {
		all.add(t.instance.identity, m, t.store.Slices(m))
	}
	return all, nil
}

// statsOf describes those of the slices named that are stored in a metric.
func statsOf(store *tablebase.Store, m bitboard.Metric, names []string) Stats {
	var stored []tablebase.SliceInfo
	for _, name := range names {
		if info, ok := store.Slice(m, name); ok {
			stored = append(stored, info)
		}
	}
	s := Stats{Slices: []SliceStats{}, Totals: []SliceStats{}}
	s.add(store.Identity(), m, stored)
	return s
}

// add appends slices of one metric, in the order of manifests, and their total.
func (s *Stats) add(id tablebase.Identity, m bitboard.Metric, stored []tablebase.SliceInfo) {
	if len(stored) == 0 {
		return
	}
	total := SliceStats{Metric: m.String(), Fingerprint: id.Fingerprint(m, stored)}
	byName := func(a, b tablebase.SliceInfo) int { return tablebase.CompareNames(a.Name, b.Name) }
	for _, info := range slices.SortedFunc(slices.Values(stored), byName) {
		one := SliceStats{
			Slice:       info.Name,
			Metric:      m.String(),
			Positions:   info.Positions,
			Win:         info.Win,
			Loss:        info.Loss,
			Draw:        info.Draw,
			Quiet:       info.Quiet,
			LongestWin:  known(info.LongestWin),
			LongestLoss: known(info.LongestLoss),
			Bytes:       info.Bytes,
			Fingerprint: info.Fingerprint,
		}
		one.measure()
		s.Slices = append(s.Slices, one)
		total.include(one)
	}
	total.measure()
	s.Totals = append(s.Totals, total)
}

// include adds one slice to a total.
func (total *SliceStats) include(one SliceStats) {
	total.Positions += one.Positions
	total.Win += one.Win
	total.Loss += one.Loss
	total.Draw += one.Draw
	total.Quiet += one.Quiet
	total.Bytes += one.Bytes
	total.LongestWin = longer(total.LongestWin, one.LongestWin)
	total.LongestLoss = longer(total.LongestLoss, one.LongestLoss)
}

func (s *SliceStats) measure() {
	if s.Positions > 0 {
		s.BitsPerPosition = 8 * float64(s.Bytes) / float64(s.Positions)
	}
}

// known is a distance as it is printed: null where there is none.
func known(distance int) *int {
	if distance == bitboard.UnknownDistance {
		return nil
	}
	return &distance
}

func longer(a, b *int) *int {
	if a == nil || b != nil && *b > *a {
		return b
	}
	return a
}

// Manifest is the manifest of a metric, byte for byte as it is stored.
func (t *tables[P]) Manifest(m bitboard.Metric) ([]byte, error) {
	if t.store == nil {
		return nil, t.absent
	}
	return t.store.Manifest(m)
}

// NoSlicesError says that tables hold no slice. It matches tablebase.ErrNotStored.
type NoSlicesError struct {
	Metric string // in which there is none; empty for any
}

func (e *NoSlicesError) Error() string {
	if e.Metric == "" {
		return "no slices are stored"
	}
	return "no slices are stored with --metric " + e.Metric
}

// Is makes the error match tablebase.ErrNotStored.
func (e *NoSlicesError) Is(target error) bool { return target == tablebase.ErrNotStored }

// Only keeps what is of one metric.
func (s Stats) Only(m bitboard.Metric) Stats {
	other := func(one SliceStats) bool { return one.Metric != m.String() }
	return Stats{
		Slices: slices.DeleteFunc(slices.Clone(s.Slices), other),
		Totals: slices.DeleteFunc(slices.Clone(s.Totals), other),

		DiskBytes: s.DiskBytes,
	}
}
