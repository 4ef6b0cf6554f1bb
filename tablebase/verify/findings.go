package verify

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"paika/bitboard"
	"paika/tablebase"
)

// Finding is one thing that is wrong with the tables.
type Finding struct {
	Metric bitboard.Metric
	Slice  string

	// What was checked: "value", "grounding", "win", "checksum", "chunk 17" ...
	// or UnfinishedBuild.
	What string

	// Index and Position where it is about one position, seen with side 0 to
	// move; else Position is empty. Of a chunk, Index is its first.
	Index    uint64
	Position string

	// Stored is what the tables say, Derived what follows from the game or from
	// the rest of the tables. An UnfinishedBuild has a Derived alone: what is
	// missing. A chunk that can't be read has a Stored alone: why.
	Stored, Derived string
}

// UnfinishedBuild is what Run finds of a slice that is stored without others
// that belong to it, and its values cannot be derived; or of one that is lost, as a
// build was stopped while it replaced the slice. Nothing is known to be wrong. Another
// build completes it.
const UnfinishedBuild = "unfinished build"

// IsFigure tells whether a What is a number or fingerprint that a manifest has beside the values
// of a slice, and by which nobody reads them: not the checksum, nor how many indices and chunks
// there are.
func IsFigure(what string) bool {
	switch what {
	case "positions", "sum of win, loss and draw", "win", "loss", "draw", "quiet", "longest win", "longest loss", "values at gaps", "bytes", "fingerprint":
		return true
	}
	return false
}

func (f Finding) String() string {
	where := fmt.Sprintf("%s %s", f.Metric, f.Slice)
	if f.Position != "" {
		where += fmt.Sprintf(" index %d, %s", f.Index, f.Position)
	}
	switch {
	case f.What == UnfinishedBuild:
		return fmt.Sprintf("%s: %s: %s", where, f.What, f.Derived)
	case f.Derived == "":
		return fmt.Sprintf("%s: %s: %s", where, f.What, f.Stored)
	}
	return fmt.Sprintf("%s: %s: stored %s, derived %s", where, f.What, f.Stored, f.Derived)
}

// Report is the outcome of Run.
type Report struct {
	Slices    int    // that the manifests list, each metric counted
	Chunks    uint64 // whose checksums were compared
	Derived   int    // slices whose values were derived in this run, each metric counted
	Positions uint64 // in those, symmetry undone

	// Earlier is what a run that was stopped had shown to be right, by the record
	// that it left. Nobody vouches for that file.
	Earlier Earlier

	// Saved tells that Run was stopped, or could not tell its report, and left a record, be it that
	// of an earlier run where it had derived nothing yet; Unsaved that it could not, or that it could
	// not remove one.
	Saved   bool
	Unsaved error

	// Findings are the first ones, up to the limit, by metric, slice and index;
	// Total is how many there were. They do not depend on the number of workers.
	Findings []Finding
	Total    uint64
}

// Earlier is what was shown to be right before.
type Earlier struct {
	Slices    int    // each metric counted
	Positions uint64 // symmetry undone
}

// OK tells whether nothing is wrong. It says nothing of a store without slices.
func (r Report) OK() bool { return r.Total == 0 }

// findings keeps the first ones of what several workers find.
type findings struct {
	limit int

	mu    sync.Mutex
	list  []Finding // the first ones, and fewer than twice as many as are kept
	last  *Finding  // of those kept when the list was cut; nil before
	total uint64
}

func (f *findings) add(found Finding) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.total++
	if f.last != nil && compareFindings(found, *f.last) >= 0 {
		return
	}
	if f.list = append(f.list, found); len(f.list) == 2*f.limit {
		f.list = f.kept()
		f.last = &f.list[f.limit-1]
	}
}

// kept lists the findings that are kept, in order.
func (f *findings) kept() []Finding {
	slices.SortFunc(f.list, compareFindings)
	return f.list[:min(f.limit, len(f.list))]
}

// count is how many there are so far.
func (f *findings) count() uint64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.total
}

// compareFindings orders findings. Those that compare equal are the same.
func compareFindings(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(a.Metric, b.Metric),
		tablebase.CompareNames(a.Slice, b.Slice),
		cmp.Compare(a.Index, b.Index),
		cmp.Compare(a.What, b.What),
		cmp.Compare(a.Position, b.Position),
		cmp.Compare(a.Stored, b.Stored),
		cmp.Compare(a.Derived, b.Derived))
}

// describe writes an outcome as "win in 5", "loss" or "draw".
func describe(o bitboard.Outcome) string {
	if o.Value == bitboard.Draw || o.Distance == bitboard.UnknownDistance {
		return o.Value.String()
	}
	return fmt.Sprintf("%s in %d", o.Value, o.Distance)
}
