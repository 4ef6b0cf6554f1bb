package catalogue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"paika/bitboard"
	"paika/solver/retrograde"
	"paika/tablebase"
	"paika/tablebase/lookup"
)

// storeBytes is about what the program and a store that is read hold in memory, in
// bytes; tables come on top, and what each worker reads with.
const storeBytes = 256 << 20

// What is held beside tables where tables are packed, in bytes, with the garbage that the
// collector has not got to: the program and Badger, and for each worker a compressor of
// the best level, and in a build its edges.
const (
	packingBytes       = 144 << 20
	packingWorkerBytes = 48 << 20
)

// packing is what so many workers hold who pack tables, for a store or for files.
func packing(workers int) uint64 {
	return packingBytes + uint64(max(1, workers))*packingWorkerBytes
}

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
	Version  string // of the program and of no other: unfinished tables are gone on with by the same one alone
	Progress func(retrograde.Progress)
	Notice   func(text string) // told what the user should know of, if it is not nil
}

// Built is what a folder holds of what was asked for, and what it took to get
// there.
type Built struct {
	Stats
	Asked   int     `json:"asked"`            // slices
	Solved  uint64  `json:"positions_solved"` // in this build, with symmetry undone
	Seconds float64 `json:"seconds"`
	Before  float64 `json:"seconds_before,omitzero"` // of them: of builds that were stopped, and that this one went on from
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
	if !tablebase.Exists(dir) { // none is made for a build that is refused
		if err := retrograde.Admit(n.game, groups, n.retrograde(groups, o)); err != nil {
			return Built{}, err
		}
	}
	store, err := tablebase.Open(dir, n.identity, tablebase.Options{Version: o.Version, Workers: o.Workers})
	if err != nil {
		return Built{}, err
	}
	options := n.retrograde(groups, o)
	options.Mapped = store.MappedBytes
	result, err := retrograde.Build(ctx, n.game, groups, store.Tables(o.Metric, n.game).ForBuild(groups), options)
	for _, summary := range result.Built {
		built.Solved += summary.Positions()
	}
	names := n.names(groups)
	built.Stats = statsOf(store, o.Metric, names)
	closing := store.Close() // before then Badger's logs take more than what is kept
	disk, diskErr := store.DiskBytes()
	built.DiskBytes, err = disk, errors.Join(err, closing, diskErr)
	built.Asked = len(names)
	built.Before = result.Before
	built.Seconds = built.Before + time.Since(began).Seconds()
	return built, err
}

// retrograde is what the solver is told to build groups.
func (n *instance[P]) retrograde(groups []bitboard.Group, o BuildOptions) retrograde.Options {
	return retrograde.Options{
		Metric:   o.Metric,
		Workers:  o.Workers,
		Memory:   o.Memory,
		Overhead: packing(o.Workers) + n.kernelBytes(groups),
		Progress: o.Progress,
		Notice:   o.Notice,
	}
}

// kernelBytes is the most that the game's kernel keeps while groups are solved.
func (n *instance[P]) kernelBytes(groups []bitboard.Group) (most uint64) {
	kernel, is := n.game.(bitboard.KernelSizer)
	if !is {
		return 0
	}
	for _, g := range groups {
		for _, s := range g.Slices {
			most = max(most, kernel.KernelBytes(s))
		}
	}
	return most
}

// plan lists the groups that hold what is asked for.
func (n *instance[P]) plan(o BuildOptions) ([]bitboard.Group, error) {
	if len(o.Slices) == 0 {
		groups, err := lookup.GroupsUpTo(n.game, n.board, o.Pieces)
		if err != nil {
			err = &ParameterError{"pieces", wantAllPieces(err)}
		}
		return groups, err
	}
	var wanted []bitboard.Slice
	for _, name := range o.Slices {
		one, err := n.slice(name)
		if err != nil {
			return nil, &ParameterError{"slices", err}
		}
		wanted = append(wanted, one)
	}
	return lookup.GroupsOf(n.game, n.board, wanted)
}

// wantAllPieces adds to an error of a number of pieces the flag that would do, where one does.
func wantAllPieces(err error) error {
	if errors.Is(err, lookup.ErrWholeBoards) {
		return fmt.Errorf("%w: want --pieces all", err)
	}
	return err
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
