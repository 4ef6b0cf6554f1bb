package catalogue

import (
	"strings"

	"paika/bitboard"
)

// What was measured tells little of other slices below these.
const (
	tellingIndices   = 1 << 18 // of a group, for its time
	tellingPositions = 1 << 18 // of a slice, for its size on disk
)

// alike is the name of a slice, or of the largest smaller one that is much like it, of
// those that are known.
func (n *instance[P]) alike(s bitboard.Slice, known func(name string) bool) (name string, found bool) {
	game, is := n.game.(bitboard.Resembler)
	for {
		if name := n.game.SliceName(s); known(name) {
			return name, true
		}
		if !is {
			return "", false
		}
		if s, is = game.Resembles(s); !is {
			return "", false
		}
	}
}

// seconds is the clock time that a group takes so many workers, by the measured group
// that is most like it, or by the largest of all where that tells too little.
func (n *instance[P]) seconds(m measurement, g bitboard.Group, indices uint64, workers int) float64 {
	measured := make(map[string]Measured)
	for _, one := range m.groups {
		for _, name := range strings.Fields(one.Slices) {
			measured[name] = one
		}
	}
	own := n.game.SliceName(g.Slices[0])
	name, found := n.alike(g.Slices[0], func(name string) bool { return measured[name].Indices > 0 })
	like := measured[name]
	rate := like.rate(workers)
	if !found || name != own && like.Indices < tellingIndices {
		rate = m.rate(workers)
	}
	if rate == 0 {
		return 0
	}
	return float64(indices) / rate
}

// bits is the size on disk of a position whose value is stored, by that slice, among
// those stored whole, that is most like it. Where that is too small to tell, it is the
// average.
func (n *instance[P]) bits(s bitboard.Slice, whole map[string]SliceStats, average float64) float64 {
	name, found := n.alike(s, func(name string) bool { _, known := whole[name]; return known })
	if !found || name != n.game.SliceName(s) && whole[name].Positions < tellingPositions {
		return average
	}
	like := whole[name]
	return 8 * float64(like.Bytes) / float64(like.Positions)
}
