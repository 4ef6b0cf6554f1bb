package catalogue

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"paika/bitboard"
	"paika/solver/retrograde"
	"paika/tablebase"
)

// storeBytes is about what a store that is written to holds in memory, in
// bytes; the tables being solved come on top.
const storeBytes = 256 << 20

// BuildOptions say what to build and within which limits.
type BuildOptions struct {
	// Pieces asks for every position with at most that many, or for all with
	// bitboard.AllPieces. Ignored if Slices names any.
	Pieces int

	// Slices asks for these, by name, and all that they need.
	Slices []string

	Metric   bitboard.Metric
	Workers  int    // goroutines, at least 1
	Memory   uint64 // bytes that the whole program may take
	Version  string // of the program, for the manifest
	Progress func(retrograde.Progress)
}

// Built is what a folder holds of what was asked for, and what it took to get
// there.
type Built struct {
	Stats
	Asked   int     `json:"asked"`            // slices
	Solved  uint64  `json:"positions_solved"` // in this build, with symmetry undone
	Seconds float64 `json:"seconds"`
}

// Build solves what is missing, smaller slices first, and saves each group of
// slices as soon as it is solved: what is saved stays when the build ends
// early, and the next goes on from there. Errors include
// *retrograde.MemoryError, before any work is done, and those of
// tablebase.Open.
func (n *instance[P]) Build(ctx context.Context, dir string, o BuildOptions) (built Built, err error) {
	began := time.Now()
	groups, err := n.plan(o)
	if err != nil {
		return Built{}, err
	}
	store, err := tablebase.Open(dir, n.identity, tablebase.Options{Version: o.Version, Workers: o.Workers})
	if err != nil {
		return Built{}, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	result, err := retrograde.Build(ctx, n.game, groups, store.Tables(o.Metric, n.game), o.retrograde())
	for _, summary := range result.Built {
		built.Solved += summary.Positions()
	}
	names := n.names(groups)
	built.Stats = statsOf(store, o.Metric, names)
	disk, diskErr := store.DiskBytes()
	built.DiskBytes, err = disk, errors.Join(err, diskErr)
	built.Asked = len(names)
	built.Seconds = time.Since(began).Seconds()
	return built, err
}

// retrograde is what the solver is told.
func (o BuildOptions) retrograde() retrograde.Options {
	return retrograde.Options{
		Metric:   o.Metric,
		Workers:  o.Workers,
		Memory:   o.Memory,
		Overhead: storeBytes,
		Progress: o.Progress,
	}
}

// plan lists the groups that hold what is asked for.
func (n *instance[P]) plan(o BuildOptions) ([]bitboard.Group, error) {
	if len(o.Slices) == 0 {
		groups, err := n.groupsUpTo(o.Pieces)
		if err != nil {
			err = &ParameterError{"pieces", err}
		}
		return groups, err
	}
	var wanted []bitboard.Slice
	for _, name := range o.Slices {
		s, err := n.game.ParseSlice(name)
		if err != nil {
			return nil, &SliceNameError{name, err}
		}
		wanted = append(wanted, s)
	}
	all, err := n.groupsWith(wanted)
	if err != nil {
		return nil, err
	}
	return retrograde.Closure(all, wanted), nil
}

// groupsWith lists the groups with as few pieces as hold the slices.
func (n *instance[P]) groupsWith(wanted []bitboard.Slice) ([]bitboard.Group, error) {
	return n.groupsUpTo(bitboard.PiecesOf(n.game, bitboard.Group{Slices: wanted}))
}

// groupsUpTo lists the groups with at most that many pieces, and all that these
// need, in order. It fails where the board has no such positions, or a slice too
// many indices for a table.
func (n *instance[P]) groupsUpTo(pieces int) ([]bitboard.Group, error) {
	board, err := bitboard.ParseBoard(n.identity.Board)
	if err != nil {
		return nil, err
	}
	if pieces != bitboard.AllPieces && pieces != board.Points() && n.WholeBoards() {
		return nil, fmt.Errorf("%d pieces on %v: %s's tables hold all positions of a board: want all", pieces, board, n.identity.Game)
	}
	all, err := n.game.Groups()
	if err != nil {
		return nil, err
	}
	if least := n.leastPieces(all); pieces != bitboard.AllPieces && (pieces < least || pieces > board.Points()) {
		return nil, fmt.Errorf("%d pieces on %v: want %d to %d", pieces, board, least, board.Points())
	}
	var wanted []bitboard.Slice
	for _, g := range all {
		if pieces == bitboard.AllPieces || bitboard.PiecesOf(n.game, g) <= pieces {
			wanted = append(wanted, g.Slices...)
		}
	}
	groups := retrograde.Closure(all, wanted)
	for _, g := range groups {
		for _, s := range g.Slices {
			if n.game.Indices(s) >= bitboard.MaxIndices {
				return nil, fmt.Errorf("slice %s of %v has more than 2^48 indices", n.game.SliceName(s), board)
			}
		}
	}
	return groups, nil
}

// leastPieces is the least number of pieces, at least one, that all positions of
// some group have room for.
func (n *instance[P]) leastPieces(groups []bitboard.Group) int {
	least := math.MaxInt
	for _, g := range groups {
		least = min(least, bitboard.PiecesOf(n.game, g))
	}
	return max(1, least)
}

// names lists the slices of groups in their order.
func (n *instance[P]) names(groups []bitboard.Group) []string {
	var names []string
	for _, g := range groups {
		for _, s := range g.Slices {
			names = append(names, n.game.SliceName(s))
		}
	}
	return names
}
