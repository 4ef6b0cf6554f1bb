package gametest

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"paika/bitboard"
)

// checkChosenWalker checks, where the game is a bitboard.ChosenWalker, that it goes to what
// is chosen and nowhere else, and counts as Unrank does.
func (c *sliceChecker[P]) checkChosenWalker(entries []entry[P]) error {
	game, is := c.game.(bitboard.ChosenWalker[P])
	if !is {
		return nil
	}
	random := rand.New(rand.NewPCG(entries[0].index, uint64(len(entries))))
	chosen := make([]uint64, (len(entries)+63)/64)
	for k := range chosen {
		chosen[k] = random.Uint64() // some beyond the last index, too
	}
	if err := c.checkWalkChosen(game, entries, chosen); err != nil {
		return err
	}
	return c.checkTally(game, entries)
}

func (c *sliceChecker[P]) checkWalkChosen(game bitboard.ChosenWalker[P], entries []entry[P], chosen []uint64) error {
	lo, hi := entries[0].index, entries[len(entries)-1].index+1
	var walked []entry[P]
	game.WalkChosen(c.slice, lo, hi, chosen, func(index uint64, p P, weight int) bool {
		walked = append(walked, entry[P]{index: index, p: p, weight: weight})
		return true
	})
	goes := len(walked) > 0
	for i, e := range entries {
		if chosen[i/64]>>(i%64)&1 == 0 || e.weight == 0 {
			continue
		}
		if len(walked) == 0 || walked[0].index != e.index || walked[0].p != e.p || walked[0].weight != e.weight {
			return c.at(e, errors.New("chosen, and method WalkChosen goes elsewhere"))
		}
		walked = walked[1:]
	}
	if len(walked) != 0 {
		return fmt.Errorf("indices [%d, %d): method WalkChosen goes to index %d as well", lo, hi, walked[0].index)
	}
	yields := 0
	game.WalkChosen(c.slice, lo, hi, chosen, func(uint64, P, int) bool {
		yields++
		return false
	})
	if goes && yields != 1 {
		return fmt.Errorf("indices [%d, %d): method WalkChosen goes on after yield answered false", lo, hi)
	}
	return nil
}

func (c *sliceChecker[P]) checkTally(game bitboard.ChosenWalker[P], entries []entry[P]) error {
	v := c.values()
	if v == nil {
		return nil
	}
	lo, hi := entries[0].index, entries[len(entries)-1].index+1
	table := v.known[c.slice]
	var want [3]uint64
	var wantFilled uint64
	for _, e := range entries {
		value := table.At(e.index)
		want[value] += uint64(e.weight)
		if e.weight == 0 && value != bitboard.Draw {
			wantFilled++
		}
	}
	if positions, filled := game.Tally(c.slice, table[lo/32:], lo, hi); positions != want || filled != wantFilled {
		return fmt.Errorf("indices [%d, %d): method Tally counts %v and %d gaps, want %v and %d", lo, hi, positions, filled, want, wantFilled)
	}
	return nil
}
