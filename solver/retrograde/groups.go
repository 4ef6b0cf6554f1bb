package retrograde

import "paika/bitboard"

// Closure picks from all groups, and keeps in order, those that hold the slices
// wanted or that these need, directly or not.
func Closure(all []bitboard.Group, wanted []bitboard.Slice) []bitboard.Group {
	need := make(map[bitboard.Slice]bool)
	for _, s := range wanted {
		need[s] = true
	}
	var picked []bitboard.Group
	for i := len(all) - 1; i >= 0; i-- {
		for _, s := range all[i].Slices {
			if need[s] {
				picked = append(picked, all[i])
				for _, below := range all[i].Needs {
					need[below] = true
				}
				break
			}
		}
	}
	for i, j := 0, len(picked)-1; i < j; i, j = i+1, j-1 {
		picked[i], picked[j] = picked[j], picked[i]
	}
	return picked
}
