package catalogue

import (
	"cmp"
	"context"
	"slices"
	"time"

	"paika/bitboard"
	"paika/cmd/paika/catalogue/internal/likeness"
	"paika/proofs"
)

// mostSmaller is the most indices of a smaller board that is measured, whatever time that
// takes: some seconds.
const mostSmaller = 1 << 27

// unhurried is no limit of time.
const unhurried = 24 * time.Hour

// measurer is an Instance that can be measured as a whole.
type measurer interface {
	measureAll(ctx context.Context, o BuildOptions) (measurement, error)
}

// measureSmaller measures the largest smaller board that is solved soon. What it took is
// said to be the pace and the size of the slices here, which have the same names.
func (n *instance[P]) measureSmaller(ctx context.Context, o BuildOptions) (measurement, error) {
	o = BuildOptions{Pieces: bitboard.AllPieces, Metric: o.Metric, Workers: o.Workers, Memory: o.Memory, Progress: o.Progress}
	for _, board := range smallerBoards(n.board) {
		smaller, err := OpenSetting(proofs.Setting{Game: n.identity.Game, Board: board.String(), Rules: n.identity.Rules})
		if err != nil {
			continue // there is no such board
		}
		cost, err := smaller.BuildCost(o)
		if err != nil || cost.Indices > mostSmaller || cost.Memory > o.Memory {
			continue
		}
		m, err := smaller.(measurer).measureAll(ctx, o)
		m.bytes = nil // of slices there
		for i := range m.groups {
			m.groups[i].Slices += " of " + board.String()
		}
		return m, err
	}
	return measurement{groups: []Measured{}, whole: make(map[string]likeness.Size)}, nil
}

// smallerBoards are those that a board has room for beside itself, those with more points
// first, and of these the higher ones.
func smallerBoards(board bitboard.Board) (boards []bitboard.Board) {
	for width := 1; width <= board.Width; width++ {
		for height := 1; height <= board.Height; height++ {
			if b := (bitboard.Board{Width: width, Height: height}); b != board {
				boards = append(boards, b)
			}
		}
	}
	slices.SortStableFunc(boards, func(a, b bitboard.Board) int {
		return cmp.Or(b.Points()-a.Points(), b.Height-a.Height)
	})
	return boards
}

// measureAll solves the board.
func (n *instance[P]) measureAll(ctx context.Context, o BuildOptions) (measurement, error) {
	groups, err := n.plan(o)
	if err != nil {
		return measurement{}, err
	}
	return n.measure(ctx, groups, groups, n.retrograde(groups, o), unhurried)
}
