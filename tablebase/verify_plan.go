package tablebase

import (
	"slices"

	"paika/bitboard"
)

// groupCheck is a group whose values are derived in one metric.
type groupCheck struct {
	group  bitboard.Group
	metric bitboard.Metric
	agree  []bitboard.Slice // slices of the group whose wdl must agree with dtw
}

// plan finds the groups that the store holds whole, smaller ones first. A group
// that is stored in both metrics is derived in dtw alone. Slices that a build
// did not come round to completing are findings.
func (v *verifier[P]) plan() []groupCheck {
	v.list()
	var checks []groupCheck
	for _, g := range v.groups() {
		dtw, wdl := v.holds(bitboard.DTW, g), v.holds(bitboard.WDL, g)
		switch {
		case v.opts.ChecksumsOnly:
		case dtw:
			checks = append(checks, groupCheck{g, bitboard.DTW, v.listedOf(bitboard.WDL, g.Slices)})
		case wdl:
			checks = append(checks, groupCheck{g, bitboard.WDL, nil})
		}
	}
	return checks
}

// list reads the manifests, and numbers the slices in them.
func (v *verifier[P]) list() {
	for m := range bitboard.Metric(metricCount) {
		for _, info := range v.store.Slices(m) {
			v.report.Slices++
			s, err := v.game.ParseSlice(info.Name)
			if err != nil {
				v.findings.add(Finding{Metric: m, Slice: info.Name, What: "name", Stored: info.Name, Derived: err.Error()})
				continue
			}
			v.listed[m][s] = info
		}
	}
}

// groups lists the game's groups up to the least number of pieces at which they
// cover what is stored. Slices that no group has are findings.
func (v *verifier[P]) groups() []bitboard.Group {
	var groups []bitboard.Group
	for pieces := 1; len(v.uncovered(groups)) > 0 && pieces <= bitboard.MaxSlices; pieces++ {
		// The last try is for games that do not count pieces.
		if next, err := v.game.Groups(pieces % bitboard.MaxSlices); err == nil {
			groups = next
		}
	}
	for _, f := range v.uncovered(groups) {
		v.findings.add(f)
	}
	return groups
}

// uncovered is a finding for every stored slice outside the groups.
func (v *verifier[P]) uncovered(groups []bitboard.Group) (found []Finding) {
	covered := make(map[bitboard.Slice]bool)
	for _, g := range groups {
		for _, s := range g.Slices {
			covered[s] = true
		}
	}
	for m := range bitboard.Metric(metricCount) {
		for s, info := range v.listed[m] {
			if !covered[s] {
				found = append(found, Finding{Metric: m, Slice: info.Name, What: "name", Stored: info.Name, Derived: "no such slice in the game"})
			}
		}
	}
	return found
}

// holds tells whether a metric has all of a group and of what it needs. If only
// a part is there, as a build leaves it that is killed between two slices, that
// is a finding for each slice of the part.
func (v *verifier[P]) holds(m bitboard.Metric, g bitboard.Group) bool {
	listed := v.listedOf(m, g.Slices)
	lacking := slices.DeleteFunc(slices.Concat(g.Slices, g.Needs), func(s bitboard.Slice) bool {
		_, ok := v.listed[m][s]
		return ok
	})
	if len(listed) == 0 || len(lacking) == 0 {
		return len(listed) > 0
	}
	for _, s := range listed {
		v.findings.add(Finding{
			Metric: m, Slice: v.game.SliceName(s), What: UnfinishedBuild,
			Derived: v.game.SliceName(lacking[0]) + " is not stored",
		})
	}
	return false
}

// underivable reports a slice whose values remain unproved.
func (v *verifier[P]) underivable(m bitboard.Metric, s bitboard.Slice, why string) {
	v.findings.add(Finding{Metric: m, Slice: v.game.SliceName(s), What: "values", Stored: "values", Derived: "nothing: " + why})
}

// listedOf picks the slices that a manifest lists.
func (v *verifier[P]) listedOf(m bitboard.Metric, list []bitboard.Slice) (listed []bitboard.Slice) {
	for _, s := range list {
		if _, ok := v.listed[m][s]; ok {
			listed = append(listed, s)
		}
	}
	return listed
}

// memory is the size of the tables and bits that a check has at once, in bytes.
func (v *verifier[P]) memory(c groupCheck) (sum uint64) {
	for _, s := range slices.Concat(c.group.Slices, c.group.Needs) {
		sum += tableSize(c.metric, v.game.Indices(s))
	}
	for _, s := range c.agree {
		sum += tableSize(bitboard.WDL, v.game.Indices(s))
	}
	if c.metric == bitboard.WDL {
		for _, s := range c.group.Slices {
			sum += v.game.Indices(s)/8 + 8
		}
	}
	return sum
}

func tableSize(m bitboard.Metric, indices uint64) uint64 {
	if m == bitboard.DTW {
		return 2 * indices
	}
	return 8 * bitboard.PackedWords(indices)
}

func newTable(m bitboard.Metric, s bitboard.Slice, indices uint64) *bitboard.Table {
	if m == bitboard.DTW {
		return &bitboard.Table{Slice: s, DTW: make([]bitboard.Depth, indices)}
	}
	return &bitboard.Table{Slice: s, WDL: make(bitboard.Packed, bitboard.PackedWords(indices))}
}
