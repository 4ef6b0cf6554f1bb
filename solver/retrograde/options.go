package retrograde

import (
	"fmt"
	"strings"
	"time"

	"paika/bitboard"
	"paika/internal/usage"
)

// Game is what the analysis asks of a game.
type Game interface {
	bitboard.Kernel
	SliceName(s bitboard.Slice) string
	Indices(s bitboard.Slice) uint64
	Positions(s bitboard.Slice) uint64
}

// Options of a build.
type Options struct {
	// Metric is what to compute. Default: bitboard.WDL.
	Metric bitboard.Metric

	// Workers is the number of goroutines that share the work. The result does
	// not depend on it. One by default.
	Workers int

	// Memory is the most that the build may hold, in bytes, Overhead included.
	// A group that needs more is refused before anything is done.
	Memory uint64

	// Overhead is what the rest of the program holds, in bytes, the Storage's
	// own memory first of all.
	Overhead uint64

	// Mapped, if not nil, tells how many bytes of files the Storage has mapped into memory or
	// may map: they count to the program, though the system takes them back when it wants.
	// No group is refused for their sake. What makes one faster leaves them room, and so
	// do tables that are kept for another group.
	Mapped func() uint64

	// Progress, if not nil, is called several times a second, from one
	// goroutine, and a last time at the end.
	Progress func(Progress)

	// Entered, if not nil, is called when a phase of a group begins, from the goroutine that
	// builds. What it does holds the build up.
	Entered func(group, phase string)

	// Notice, if not nil, is told in a sentence of a checkpoint that there is and that is not taken
	// up, and of one that can't be saved while the work goes on, from the goroutine that builds.
	Notice func(text string)

	grain grain
}

// grain is how work is cut. The result does not depend on it.
type grain struct {
	block   uint64 // indices that a worker takes at a time, a multiple of a word's 32 values
	step    uint64 // of those, how many the kernel settles at a time, so that edges stay in the cache; a multiple of 32
	batch   int    // open positions that the kernel answers for at a time
	found   uint64 // positions that the lists of what is to be followed have room for, those of all workers together
	span    uint64 // indices a worker that are looked at for dtw before changes are applied, at the most; a multiple of block
	changes uint64 // that a worker's list for dtw has room for: few enough to stay in the cache until they are applied

	few        uint64 // sets are left once one position in so many, at least 64, is not decided
	segment    uint64 // indices between two looks at whether a checkpoint is due; a multiple of block
	checkpoint uint64 // indices that a group must have for checkpoints to pay

	// A crash may lose as much work as is done in an interval, or more where saving a checkpoint
	// takes long: no more than one part in share of the time is for that.
	interval, share time.Duration
}

var defaultGrain = grain{
	block: 1 << 15, step: 1 << 10, batch: 1 << 9, found: 1 << 21, span: 1 << 18, changes: 1 << 18,
	few: 128, segment: 1 << 26, checkpoint: 1 << 26, interval: 5 * time.Minute, share: 20,
}

// listBytes is what the lists of an analysis take for a group with that many
// indices: for wdl what is found and the frontier made of it, for dtw the changes, and as
// much again for those that the collector has not got to.
func (g grain) listBytes(metric bitboard.Metric, indices uint64, workers int) uint64 {
	if metric == bitboard.DTW {
		return 2 * 16 * uint64(workers) * uint64(listLength(g.changes*uint64(workers), indices, workers))
	}
	return 2 * 8 * uint64(workers) * uint64(listLength(g.found, indices, workers))
}

// listLength is how much a worker lists in a group with that many indices, where all
// together have room for so many entries.
func listLength(room, indices uint64, workers int) int {
	return int(min(indices, room))/workers + 1
}

// Phases of a group. It is loaded what the group needs, and completed where that was stored
// with values left out; what turns out of the group decide is settled; sweeps and
// propagation, which may take turns, decide the rest.
const (
	Loading     = "loading"
	Completing  = "completing"
	Settling    = "settling"
	TakingUp    = "taking up its checkpoint"
	Sweeping    = "sweeping"
	Propagating = "propagating"
	Counting    = "counting"
	Saving      = "saving"
)

// Progress is how far a build is.
type Progress struct {
	Group       string // the slices being solved, such as "3v2 2v3"
	Phase       string // what is being done to them
	Done, Total uint64 // indices; one that is half done counts by halves, and so does one that is completed
	Earlier     uint64 // of Done, what builds before did of the groups that this one goes on with
}

// Result is what a build did.
type Result struct {
	Built   []bitboard.Summary // in the order in which they were solved
	Skipped []bitboard.Slice   // those that the Storage had
	Before  float64            // seconds that builds before took for those groups that this one went on with and finished
	Memory  uint64             // the most that tables, lists and sets off the Go heap took at any one time, in bytes
}

// MemoryError says that groups do not fit the memory allowed. Of these it names the one that
// needs the most.
type MemoryError struct {
	Group      string
	Need, Have uint64 // bytes
}

func (e *MemoryError) Error() string {
	what := "slice %s needs"
	if strings.Contains(e.Group, " ") {
		what = "slices %s need"
	}
	return fmt.Sprintf(what+" %s of memory, and %s", e.Group, usage.Needed(e.Need), usage.Allowed(e.Have))
}

// StoppedError says where the end of the context stopped a build.
type StoppedError struct {
	Group      string // the slices that were being solved, such as "3v2 2v3"
	Phase      string // what was being done to them
	Kept       bool   // whether the Storage has a checkpoint from which they go on
	Early      bool   // whether nothing was done yet that a checkpoint could have
	Checkpoint error  // why it is not a checkpoint of this moment; or nil
	Err        error  // the context's
}

func (e *StoppedError) Error() string {
	text := fmt.Sprintf("stopped while %s: %v", e.Phase, e.Err)
	if e.Checkpoint != nil {
		text += "; " + e.Checkpoint.Error()
	}
	return text
}

// Unwrap returns the context's error.
func (e *StoppedError) Unwrap() error { return e.Err }

// CountError says that a slice's weights do not add up to its positions: the
// game's index is wrong.
type CountError struct {
	Slice           string
	Counted, Wanted uint64
}

func (e *CountError) Error() string {
	return fmt.Sprintf("slice %s: the index stands for %s and should for %d", e.Slice, bitboard.Count(e.Counted, "position"), e.Wanted)
}
