package fanorona

import (
	"math/rand/v2"
	"testing"

	"paika/bitboard"
	"paika/bitboard/gametest"
)

// Whatever the table has so far, Judge comes to what all turns of a position come to.
// Where a turn that is not won is enough, it may take a won position for an undecided
// one, and that is all.
func TestJudgeComesToWhatAllTurnsTell(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, size := range [][2]int{{3, 3}, {4, 3}, {5, 3}, {5, 5}, {9, 5}} {
		g := testGame(t, size[0], size[1])
		for own := 1; own <= 4; own++ {
			for opp := 1; opp <= 5-own; opp++ {
				compareJudging(t, g, slice(own, opp), random)
			}
		}
	}
}

// compareJudging looks at open positions in rising order and out of order.
func compareJudging(t *testing.T, g *Game, s bitboard.Slice, random *rand.Rand) {
	t.Helper()
	to := slice(int(s&63), int(s>>6))
	var known [bitboard.MaxSlices]bitboard.Packed
	known[to] = mostlyWon(random, g.Indices(to))
	indices := someOpen(g, s, random)
	var e bitboard.Edges
	g.Forward(s, indices, &e)
	all := g.Judge(nil, s, indices, &known, 1<<bitboard.Loss)
	losses := g.Judge(nil, s, indices, &known, bitboard.NotWon)
	for k, i := range indices {
		var seen bitboard.Values
		for _, ref := range gametest.EdgesOf(&e, k) {
			seen |= 1 << known[to].At(ref.Index())
		}
		want := seen.Verdict()
		if all[k] != want || losses[k] != want && (want != bitboard.Win || losses[k] != bitboard.Draw) {
			t.Fatalf("%v, slice %s, index %d: %v, and %v by a turn that is not won, want %v", g.board, g.SliceName(s), i, all[k], losses[k], want)
		}
	}
}

// JudgeNear judges each open position once, and no other, as Judge does.
func TestJudgeNearComesToWhatJudgeTells(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for _, size := range [][2]int{{3, 3}, {4, 3}, {5, 3}, {4, 4}, {5, 5}} {
		g := testGame(t, size[0], size[1])
		for stones := 1; stones <= 3; stones++ {
			compareNear(t, g, slice(stones, stones), random)
		}
	}
	if many := testGame(t, 5, 5).NearParts(slice(3, 2)); many != 0 {
		t.Errorf("slice 3v2 has %d parts, want none", many)
	}
}

func compareNear(t *testing.T, g *Game, s bitboard.Slice, random *rand.Rand) {
	t.Helper()
	var known [bitboard.MaxSlices]bitboard.Packed
	known[s] = partlyDecided(g, s, random)
	const enough = 1 << bitboard.Loss
	judged, seen := 0, make(map[uint64]bool)
	for part := range g.NearParts(s) {
		indices, verdicts := g.JudgeNear(nil, nil, s, part, &known, enough)
		for k, i := range indices {
			if seen[i] || known[s].At(i) != bitboard.Draw {
				t.Fatalf("%v, slice %s: index %d is judged twice, or is not open", g.board, g.SliceName(s), i)
			}
			seen[i] = true
			if want := g.Judge(nil, s, []uint64{i}, &known, enough)[0]; verdicts[k] != want {
				t.Fatalf("%v, slice %s, index %d: %v, want %v", g.board, g.SliceName(s), i, verdicts[k], want)
			}
		}
		judged += len(indices)
	}
	open := known[s].Count(0, g.Indices(s))[bitboard.Draw]
	if uint64(judged) != open {
		t.Fatalf("%v, slice %s: %d are judged of %d that are open", g.board, g.SliceName(s), judged, open)
	}
}

// partlyDecided has what turns out of a slice decide, and of the other positions some.
func partlyDecided(g *Game, s bitboard.Slice, random *rand.Rand) bitboard.Packed {
	n := g.Indices(s)
	table := make(bitboard.Packed, bitboard.PackedWords(n))
	var e bitboard.Edges
	g.Settle(s, 0, n, &e)
	for i, fate := range e.Fates {
		switch v := bitboard.Value(random.IntN(4)); {
		case fate != bitboard.Open:
			table.Set(uint64(i), bitboard.Settled)
		case v == bitboard.Settled:
			table.Set(uint64(i), bitboard.Win)
		default:
			table.Set(uint64(i), v)
		}
	}
	return table
}

// mostlyWon has so many wins that some positions have won turns alone.
func mostlyWon(random *rand.Rand, indices uint64) bitboard.Packed {
	table := make(bitboard.Packed, bitboard.PackedWords(indices))
	for i := range indices {
		table.Set(i, [...]bitboard.Value{bitboard.Draw, bitboard.Loss, 3}[random.IntN(3)])
		if random.IntN(8) != 0 {
			table.Set(i, bitboard.Win)
		}
	}
	return table
}

// someOpen is the open positions of some runs of a slice.
func someOpen(g *Game, s bitboard.Slice, random *rand.Rand) (indices []uint64) {
	var e bitboard.Edges
	for range 20 {
		lo := random.Uint64N(g.Indices(s))
		g.Settle(s, lo, min(lo+50, g.Indices(s)), &e)
		for k, fate := range e.Fates {
			if fate == bitboard.Open {
				indices = append(indices, lo+uint64(k))
			}
		}
	}
	return indices
}
