package placement

import (
	"cmp"
	"slices"

	"paika/bitboard"
)

// order lists the groups: the strongly connected components of the slices, by
// Tarjan's algorithm (SIAM J. Comput. 1, 1972), which gives each behind those that
// it leads to.
func (x *Space[P]) order() []bitboard.Group {
	o := orderer{after: x.after, at: make([]int, len(x.slices)), low: make([]int, len(x.slices))}
	all := make([]bitboard.Slice, len(x.slices))
	for s := range all {
		all[s] = bitboard.Slice(s)
	}
	slices.SortStableFunc(all, func(a, b bitboard.Slice) int { return cmp.Compare(x.counts(a).total(), x.counts(b).total()) })
	for _, s := range all {
		if o.at[s] == 0 {
			o.visit(s)
		}
	}
	return o.groups
}

// after lists the slices that turns lead to, each once.
func (x *Space[P]) after(s bitboard.Slice) []bitboard.Slice {
	var after []bitboard.Slice
	for _, counts := range x.config.After(x.counts(s)) {
		if t := x.number(counts); t != x.outside() {
			after = append(after, t)
		}
	}
	slices.Sort(after)
	return slices.Compact(after)
}

type orderer struct {
	after  func(bitboard.Slice) []bitboard.Slice
	at     []int // when a slice was met, from 1; 0 where it was not
	low    []int // the earliest slice, of those without a group, that it leads to
	met    int
	open   []bitboard.Slice // met, and in no group yet
	groups []bitboard.Group
}

func (o *orderer) visit(s bitboard.Slice) {
	o.met++
	o.at[s], o.low[s] = o.met, o.met
	o.open = append(o.open, s)
	for _, t := range o.after(s) {
		if o.at[t] == 0 {
			o.visit(t)
			o.low[s] = min(o.low[s], o.low[t])
		} else if slices.Contains(o.open, t) {
			o.low[s] = min(o.low[s], o.at[t])
		}
	}
	if o.low[s] == o.at[s] {
		i := slices.Index(o.open, s)
		o.groups = append(o.groups, o.group(slices.Clone(o.open[i:])))
		o.open = o.open[:i]
	}
}

// group of slices, with what their turns lead to outside it.
func (o *orderer) group(members []bitboard.Slice) bitboard.Group {
	slices.SortFunc(members, func(a, b bitboard.Slice) int { return cmp.Compare(b, a) }) // 3v2 before 2v3
	g := bitboard.Group{Slices: members}
	for _, s := range members {
		for _, t := range o.after(s) {
			if !slices.Contains(members, t) && !slices.Contains(g.Needs, t) {
				g.Needs = append(g.Needs, t)
			}
		}
	}
	return g
}
