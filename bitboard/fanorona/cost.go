package fanorona

import "paika/bitboard"

// What it takes to settle, in nanoseconds of a core of an AMD EPYC: measured on slices of
// 9x5 with five to nine stones, and rounded. Only what they are to each other matters.
const (
	indexCost     = 19 // for an index
	lookCost      = 75 // for a capture that is looked up for a row
	turnCost      = 60 // for a capture of a position without rows: not all are looked up
	inOrderCost   = 13 // for a value that is read into a row, if their table has them in order
	scatteredCost = 70 // or else
)

// Samples that costs are guessed by.
const (
	sampledPositions = 1 << 12 // for the number of their captures
	sampledClasses   = 1 << 16 // of leading sets, for how often rows are read
)

// SettleCost counts what is looked up and what is read, by samples.
func (g *Game) SettleCost(s bitboard.Slice, m bitboard.Metric, room uint64) float64 {
	words := uint64(wdlWords)
	if m == bitboard.DTW {
		words = mostPlanes
	}
	f := g.newRowFinder(s, words)
	least, most := f.bounds()
	switch {
	case f.opp == 1:
		return indexCost // each capture takes the last stone
	case most == 0 || room < least:
		return indexCost + turnCost*g.meanCaptures(f.own, f.opp)
	}
	key, rest := f.shape(f.opp)
	own, opp := f.own-1, f.opp // on the board of a row
	if f.ownLeads {
		own, opp = f.own, f.opp-1
	}
	indices := float64(g.Indices(s))
	rows := float64(g.index.classes[key]) * float64(g.index.ways(g.index.size-key, rest)) / indices
	return indexCost + lookCost*rows*g.meanCaptures(own, opp) + f.readCost(f.plan(room))/indices
}

// meanCaptures is how many captures positions with so many stones have, on average.
func (g *Game) meanCaptures(own, opp int) float64 {
	s, captures, positions := slice(own, opp), 0, 0
	all := g.Indices(s)
	for lo := uint64(0); lo < all; lo += max(1, all/sampledPositions) {
		g.Walk(s, lo, lo+1, func(_ uint64, p Position, _ int) bool {
			positions++
			if g.capturers(p.Own, p.Opp) != 0 {
				captures += g.Count(p)
			}
			return true
		})
	}
	return float64(captures) / float64(max(1, positions))
}

// readCost is what it takes to read rows for all leading sets, by a plan.
func (f *rowFinder) readCost(p rowPlan) (cost float64) {
	x := &f.game.index
	reads := f.reads(p)
	for left := 1; left < f.opp; left++ {
		key, rest := f.shape(left)
		each := inOrderCost
		if f.ownLeads && leads(rest+1, key) {
			each = scatteredCost
		}
		cost += reads[left] * float64(x.ways(x.size-key, rest+1)) * float64(each)
	}
	return cost
}

// reads is how often rows of a class are read for all leading sets, by a plan: about, where
// that takes many leading sets.
func (f *rowFinder) reads(p rowPlan) (reads [64]float64) {
	x, most := &f.game.index, f.most()
	if p.slots == most.slots {
		for left, classes := range p.slots {
			reads[left] = float64(classes)
		}
		return reads
	}
	dry := &rowFinder{game: f.game, own: f.own, opp: f.opp, ownLeads: f.ownLeads} // no words to a row
	dry.divide(make([]uint64, dry.take(p)), p)
	key, _ := f.shape(f.opp)
	classes := min(x.classes[key], sampledClasses)
	for class := uint64(0); class < classes; {
		class = dry.gather(class)
		for _, m := range dry.missing {
			reads[m.left]++
		}
	}
	for left := range reads {
		reads[left] *= float64(x.classes[key]) / float64(classes)
	}
	return reads
}
