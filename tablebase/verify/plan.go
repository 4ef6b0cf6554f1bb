package verify

import (
	"fmt"
	"slices"

	"paika/bitboard"
	"paika/bitboard/ranking"
)

// groupCheck is a group whose values are derived in one metric.
type groupCheck struct {
	group  bitboard.Group
	metric bitboard.Metric
	agree  []bitboard.Slice // slices of the group whose wdl must agree with dtw
	sparse []bitboard.Slice // slices in wdl, of the group and its needs, that are stored with values left out
	below  []bitboard.Slice // what those follow from and the group does not need itself
}

// loaded lists the slices whose tables the check has in memory.
func (c *groupCheck) loaded() []bitboard.Slice {
	return slices.Concat(c.below, c.group.Needs, c.group.Slices)
}

// slices is the number of slices that are derived, each metric counted.
func (c *groupCheck) slices() int { return len(c.group.Slices) + len(c.agree) }

// compared lists the slices of the group whose values are all stored.
func (c *groupCheck) compared() []bitboard.Slice {
	if c.metric == bitboard.DTW {
		return c.group.Slices
	}
	return filter(c.group.Slices, func(s bitboard.Slice) bool { return !slices.Contains(c.sparse, s) })
}

// work is the number of indices that are derived.
func (c *groupCheck) work(indices func(bitboard.Slice) uint64) (sum uint64) {
	for _, s := range slices.Concat(c.group.Slices, c.sparse) {
		sum += indices(s)
	}
	return sum
}

// plan finds the groups that the store holds whole, smaller ones first. A group
// that is stored in both metrics is derived in dtw alone. Slices that a build
// did not come round to completing are findings.
func (v *verifier[P]) plan() []groupCheck {
	v.list()
	leavesOut := func(s bitboard.Slice) bool { return v.leavesOut[s] }
	var checks []groupCheck
	needs := make(map[bitboard.Slice][]bitboard.Slice)
	for _, g := range v.groups() {
		for _, s := range g.Slices {
			needs[s] = g.Needs
		}
		dtw := dtwCheck(g, v.listedOf(bitboard.WDL, g.Slices), leavesOut)
		wdl := wdlCheck(g, needs, leavesOut)
		hasDTW, hasWDL := v.holds(&dtw), v.holds(&wdl)
		switch {
		case v.opts.ChecksumsOnly:
		case hasDTW:
			v.findTwoLooks(&dtw)
			checks = append(checks, dtw)
		case hasWDL:
			checks = append(checks, wdl)
		}
	}
	return checks
}

// findTwoLooks reports the slices in wdl that leave out what follows from values that are left out
// themselves. Where dtw completes them that makes no difference to their check, but one look
// ahead in wdl does not find them.
func (v *verifier[P]) findTwoLooks(dtw *groupCheck) {
	at := slices.IndexFunc(dtw.group.Needs, func(s bitboard.Slice) bool { return v.leavesOut[s] })
	if at < 0 {
		return
	}
	why := fmt.Sprintf("values that follow from those that %s leaves out", v.game.SliceName(dtw.group.Needs[at]))
	for _, s := range dtw.sparse {
		v.findings.add(Finding{Metric: bitboard.WDL, Slice: v.game.SliceName(s), What: "successor", Stored: "no value", Derived: why})
	}
}

// dtwCheck is the check of a group in dtw, beside which some slices are there in wdl.
func dtwCheck(g bitboard.Group, agree []bitboard.Slice, leavesOut func(bitboard.Slice) bool) groupCheck {
	return groupCheck{group: g, metric: bitboard.DTW, agree: agree, sparse: filter(agree, leavesOut)}
}

// wdlCheck is the check of a group in wdl. needs has those of every slice of the
// group and before it.
func wdlCheck(g bitboard.Group, needs map[bitboard.Slice][]bitboard.Slice, leavesOut func(bitboard.Slice) bool) groupCheck {
	c := groupCheck{group: g, metric: bitboard.WDL, sparse: filter(slices.Concat(g.Needs, g.Slices), leavesOut)}
	for _, s := range c.sparse {
		for _, below := range needs[s] {
			if !slices.Contains(c.loaded(), below) {
				c.below = append(c.below, below)
			}
		}
	}
	return c
}

// list reads the manifests, and numbers the slices in them. Those that were lost on the way to
// be stored anew are findings.
func (v *verifier[P]) list() {
	for m := range bitboard.MetricCount {
		for _, name := range v.store.Replacing(m) {
			v.findings.add(Finding{Metric: m, Slice: name, What: UnfinishedBuild, Derived: "it was stored, and is lost: its chunks were being replaced"})
		}
		for _, info := range v.store.Slices(m) {
			v.report.Slices++
			s, err := v.game.ParseSlice(info.Name)
			if err != nil {
				v.findings.add(Finding{Metric: m, Slice: info.Name, What: "name", Stored: info.Name, Derived: err.Error()})
				continue
			}
			v.listed[m][s] = info
			if m == bitboard.WDL {
				v.leavesOut[s] = v.store.Tables(m, v.game).LeavesOut(s)
			}
		}
	}
}

// groups lists the game's groups whose slices can be stored. Stored slices that
// none of them has are findings.
func (v *verifier[P]) groups() []bitboard.Group {
	groups, err := storable(v.game)
	if err != nil {
		groups = nil // the board has no tables, and each that is stored is a finding
	}
	for _, f := range v.uncovered(groups) {
		v.findings.add(f)
	}
	return groups
}

// storable lists the game's groups whose slices can be stored.
func storable[P comparable](game Game[P]) ([]bitboard.Group, error) {
	groups, err := game.Groups()
	return slices.DeleteFunc(groups, func(g bitboard.Group) bool {
		return slices.ContainsFunc(g.Slices, func(s bitboard.Slice) bool { return game.Indices(s) >= bitboard.MaxIndices })
	}), err
}

// uncovered is a finding for every stored slice outside the groups.
func (v *verifier[P]) uncovered(groups []bitboard.Group) (found []Finding) {
	covered := make(map[bitboard.Slice]bool)
	for _, g := range groups {
		for _, s := range g.Slices {
			covered[s] = true
		}
	}
	for m := range bitboard.MetricCount {
		for s, info := range v.listed[m] {
			if !covered[s] {
				found = append(found, Finding{Metric: m, Slice: info.Name, What: "name", Stored: info.Name, Derived: "no such slice in the game"})
			}
		}
	}
	return found
}

// holds tells whether the metric of a check has all of the group and of what it
// follows from. If only a part is there, as a build leaves it that is killed
// between two slices, that is a finding for each slice of the part.
func (v *verifier[P]) holds(c *groupCheck) bool {
	m := c.metric
	listed := v.listedOf(m, c.group.Slices)
	lacking := slices.DeleteFunc(c.loaded(), func(s bitboard.Slice) bool {
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

// memory is the size of the tables that a check has at once, in bytes.
func (c *groupCheck) memory(indices func(bitboard.Slice) uint64) (sum uint64) {
	for _, at := range c.places() {
		sum = ranking.Sum(sum, bitboard.TableBytes(at.metric, indices(at.slice)))
	}
	return sum
}

// hasRoom tells whether memory, in bytes, does for a check and for what its game takes
// beside to derive faster. 0 is no bound.
//
// Rooms to derive values are taken for one slice at a time; but together where pieces of the
// group are to be derived.
func hasRoom[P comparable](game Game[P], c *groupCheck, workers int, memory uint64, pieces bool) bool {
	most, all, can := roomWords(game, c, uint64(workers))
	if pieces {
		most = all
	}
	need := ranking.Sum(c.memory(game.Indices), ranking.Product(8, most))
	return can && (memory == 0 || need <= memory)
}

// roomWords is what a game takes beside tables to derive a group faster, in words: for one
// slice, at the most, and for all together. It tells false where it can't.
func roomWords[P comparable](game Game[P], c *groupCheck, workers uint64) (most, all uint64, can bool) {
	valueRoom, values := sparseRoom(game, c.metric)
	tracer, traces := game.(bitboard.Tracer)
	sets := uint64(3)
	if c.metric == bitboard.DTW {
		sets = 4
	}
	for _, s := range c.group.Slices {
		var words uint64
		if values {
			shared, each := valueRoom(s)
			words = ranking.Sum(shared, ranking.Product(each, workers))
		}
		if traces {
			words = ranking.Sum(words, ranking.Sum(tracer.TraceRoom(s), sets*((game.Indices(s)+63)/64)))
		}
		most, all = max(most, words), ranking.Sum(all, words)
	}
	return most, all, values || traces
}

// sparseRoom is what a game takes to derive in a metric what follows from other groups. It
// tells false where it can't.
func sparseRoom[P comparable](game Game[P], m bitboard.Metric) (room func(bitboard.Slice) (shared, each uint64), can bool) {
	if m == bitboard.DTW {
		if valuer, is := game.(bitboard.DepthValuer); is {
			return valuer.DepthsRoom, true
		}
		return nil, false
	}
	if valuer, is := game.(bitboard.SparseValuer); is {
		return valuer.SparseRoom, true
	}
	return nil, false
}
