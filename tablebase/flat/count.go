package flat

import (
	"context"
	"fmt"

	"paika/bitboard"
	"paika/internal/parallel"
	"paika/tablebase"
)

// Game is what a header and a table are held against. Every bitboard.Game has it.
type Game interface {
	bitboard.Kernel
	tablebase.Space
}

// Fits tells whether a header is about a slice of the game, with the numbers that the
// game gives it, and gives that slice. What it tells is an error that wraps ErrHeader.
func (h Header) Fits(game Game) (bitboard.Slice, error) {
	s, err := game.ParseSlice(h.Slice)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%w: %w", ErrHeader, err)
	case h.Indices != game.Indices(s):
		return 0, fmt.Errorf("%w: slice %s with %s, the game has %d", ErrHeader, h.Slice, bitboard.Count(h.Indices, "index"), game.Indices(s))
	case h.Positions != game.Positions(s):
		return 0, fmt.Errorf("%w: slice %s with %s, the game has %d", ErrHeader, h.Slice, bitboard.Count(h.Positions, "position"), game.Positions(s))
	}
	return s, nil
}

// countStep is how many indices are counted at a time: a multiple of what fits a word,
// and few enough for their edges to stay in the cache.
const countStep = 1 << 10

// Count finds anew what the header of a file claims of a loaded table, and holds the
// values of positions that are over, or end with this turn, against the rules. At gaps
// it wants draws. It gives the summary that a build gives of the same values. It takes so many
// goroutines, and at least one.
//
// Errors: *FileError, and that of ctx.
func (f *File) Count(ctx context.Context, game Game, t *bitboard.Table, workers int) (bitboard.Summary, error) {
	workers = max(1, workers)
	counters := make([]counter, workers)
	err := parallel.Each(ctx, workers, (f.Header.Indices+countStep-1)/countStep, func(_ context.Context, worker int, i uint64) error {
		return counters[worker].count(game, t, i*countStep, min((i+1)*countStep, f.Header.Indices))
	})
	sum := bitboard.Summary{Slice: t.Slice, LongestWin: bitboard.UnknownDistance, LongestLoss: bitboard.UnknownDistance}
	for i := range counters {
		c := &counters[i].sum
		sum.Win, sum.Loss, sum.Draw, sum.Inside = sum.Win+c.Win, sum.Loss+c.Loss, sum.Draw+c.Draw, sum.Inside+c.Inside
		sum.LongestWin, sum.LongestLoss = max(sum.LongestWin, c.LongestWin), max(sum.LongestLoss, c.LongestLoss)
	}
	if t.DTW == nil || sum.Win == 0 {
		sum.LongestWin = bitboard.UnknownDistance
	}
	if t.DTW == nil || sum.Loss == 0 {
		sum.LongestLoss = bitboard.UnknownDistance
	}
	if err == nil {
		err = f.Header.compare(sum)
	}
	if err != nil {
		return bitboard.Summary{}, f.failed(err)
	}
	return sum, nil
}

// compare holds a header against what was counted.
func (h Header) compare(sum bitboard.Summary) error {
	for _, c := range []struct {
		what             string
		claimed, counted uint64
	}{
		{"wins", h.Win, sum.Win}, {"losses", h.Loss, sum.Loss}, {"draws", h.Draw, sum.Draw}, {"quiet", h.Quiet, sum.Inside},
	} {
		if c.claimed != c.counted {
			return fmt.Errorf("%w: %s %d, counted %d", ErrCounts, c.what, c.claimed, c.counted)
		}
	}
	if h.LongestWin != sum.LongestWin || h.LongestLoss != sum.LongestLoss {
		return fmt.Errorf("%w: the longest win and loss are %s and %s, found %s and %s", ErrCounts,
			orDash(h.LongestWin), orDash(h.LongestLoss), orDash(sum.LongestWin), orDash(sum.LongestLoss))
	}
	return nil
}

// counter is one worker's share.
type counter struct {
	sum     bitboard.Summary
	edges   bitboard.Edges
	weights []uint8
}

func (c *counter) count(game Game, t *bitboard.Table, lo, hi uint64) error {
	game.Settle(t.Slice, lo, hi, &c.edges)
	c.weights = game.Weights(c.weights[:0], t.Slice, lo, hi)
	for i, fate := range c.edges.Fates {
		found, weight := t.Outcome(lo+uint64(i)), uint64(c.weights[i])
		if !agrees(fate, found) {
			return fmt.Errorf("%w: index %d can't be a %v", ErrCounts, lo+uint64(i), found.Value)
		}
		switch fate {
		case bitboard.Gap:
			continue
		case bitboard.Open, bitboard.Lost, bitboard.Drawn:
			c.sum.Inside += weight
		}
		switch found.Value {
		case bitboard.Win:
			c.sum.Win += weight
			c.sum.LongestWin = max(c.sum.LongestWin, found.Distance)
		case bitboard.Loss:
			c.sum.Loss += weight
			c.sum.LongestLoss = max(c.sum.LongestLoss, found.Distance)
		default:
			c.sum.Draw += weight
		}
	}
	return nil
}

// agrees tells whether a fate allows for an outcome. Those that follow from other
// slices are not looked up.
func agrees(fate bitboard.Fate, found bitboard.Outcome) bool {
	exactly := func(v bitboard.Value, distance int) bool {
		return found.Value == v && (found.Distance == distance || found.Distance == bitboard.UnknownDistance)
	}
	switch fate {
	case bitboard.Gap, bitboard.Drawn:
		return found.Value == bitboard.Draw
	case bitboard.Won:
		return exactly(bitboard.Win, 1)
	case bitboard.Lost:
		return exactly(bitboard.Loss, 0)
	}
	return true
}
