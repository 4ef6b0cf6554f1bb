package benchmarks

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchmath"

	"paika/bitboard"
)

// Change is a benchmark in two reports.
type Change struct {
	Name  string  `json:"name"`
	Unit  string  `json:"unit"`
	Old   float64 `json:"old"`
	New   float64 `json:"new"`
	Ratio float64 `json:"ratio"` // new to old; 0 where old is 0
	Noise float64 `json:"noise"` // the larger spread of the two
	P     float64 `json:"p"`     // how likely samples so different are without any change

	OldRuns int `json:"old_runs"` // samples; the noise of a single one is not known
	NewRuns int `json:"new_runs"`

	// Verdict is Same, TooFew, Faster, Slower, Elsewhere, Behaviour, Added or Missing.
	Verdict  Verdict `json:"verdict"`
	OldNodes uint64  `json:"old_nodes"`
	NewNodes uint64  `json:"new_nodes"`
}

// Verdict is what became of a benchmark.
type Verdict string

const (
	Same      Verdict = "same"         // within the noise
	TooFew    Verdict = "too few runs" // no difference, however large, would be told from noise
	Faster    Verdict = "better"
	Slower    Verdict = "worse"
	Elsewhere Verdict = "elsewhere" // a speed, and what it depends on is another: see Differences
	Behaviour Verdict = "behaviour" // other counts: the program does something else
	Added     Verdict = "added"
	Missing   Verdict = "missing"
)

// Difference is what speeds depend on beside the source of the program: a property of the
// machine, how the program was compiled, or how much memory it was allowed.
type Difference struct {
	What string `json:"what"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

// Differences lists those between two reports.
func Differences(older, newer Report) (differ []Difference) {
	a, b := older.Machine, newer.Machine
	for _, d := range []Difference{
		{"cpu", a.CPU, b.CPU},
		{"cores", strconv.Itoa(a.Cores), strconv.Itoa(b.Cores)},
		{"os", a.OS, b.OS},
		{"arch", a.Arch, b.Arch},
		{"go", older.Program.Go, newer.Program.Go},
		{"goamd64", older.Program.GOAMD64, newer.Program.GOAMD64},
		{"memory", older.allowed(), newer.allowed()},
	} {
		if d.Old != d.New {
			differ = append(differ, d)
		}
	}
	return differ
}

// allowed says how much memory the program might take.
func (r Report) allowed() string {
	if r.Memory == 0 {
		return "3/4 of what was free"
	}
	return count(r.Memory) + " bytes"
}

// ErrWork says that reports do not belong together.
var ErrWork = errors.New("reports of different work")

// limited matches tasks that search problems within the limit of a report, and their
// benchmarks.
var limited = regexp.MustCompile(`^search/[^/]+/[^/]+/tables=`)

// CheckLimit fails with ErrWork where tasks or benchmarks of those names search within a
// limit, in nodes for a problem, and the report has them with another one.
func (r Report) CheckLimit(limit uint64, names ...string) error {
	if r.Limit == limit {
		return nil
	}
	for _, name := range names {
		has := func(b Benchmark) bool { return b.Name == name || strings.HasPrefix(b.Name, name+"/") }
		if limited.MatchString(name) && slices.ContainsFunc(r.Benchmarks, has) {
			return fmt.Errorf("%w: %s with at most %s nodes a problem, and now %s", ErrWork, bitboard.Shorten(name), count(r.Limit), count(limit))
		}
	}
	return nil
}

// Compare lists the benchmarks of two reports, in the order of the new one, then
// those that are missing there. Times are compared by the rank test of Mann and
// Whitney at 5 %, and not at all where there are Differences, or too few samples for that; counts
// exactly. It fails with ErrWork where searches had other limits.
func Compare(older, newer Report) ([]Change, error) {
	for _, b := range newer.Benchmarks {
		if err := older.CheckLimit(newer.Limit, b.Name); err != nil {
			return nil, err
		}
	}
	elsewhere := len(Differences(older, newer)) > 0
	changes := []Change{}
	for _, b := range newer.Benchmarks {
		before, found := older.Find(b.Name)
		if !found {
			changes = append(changes, Change{Name: b.Name, Unit: b.Unit, New: b.Value, NewRuns: len(b.Samples), NewNodes: b.Nodes, Verdict: Added})
			continue
		}
		c := compare(before, b)
		if elsewhere && !b.Exact && c.Verdict != Behaviour {
			c.Verdict = Elsewhere
		}
		changes = append(changes, c)
	}
	for _, b := range older.Benchmarks {
		if _, found := newer.Find(b.Name); !found {
			changes = append(changes, Change{Name: b.Name, Unit: b.Unit, Old: b.Value, OldRuns: len(b.Samples), OldNodes: b.Nodes, Verdict: Missing})
		}
	}
	return changes, nil
}

func compare(before, after Benchmark) Change {
	c := Change{
		Name: after.Name, Unit: after.Unit, Old: before.Value, New: after.Value,
		Noise: max(before.Spread(), after.Spread()), P: 1, OldRuns: len(before.Samples), NewRuns: len(after.Samples), OldNodes: before.Nodes, NewNodes: after.Nodes, Verdict: Same,
	}
	if before.Value != 0 {
		c.Ratio = after.Value / before.Value
	}
	if before.Nodes != after.Nodes || before.Unit != after.Unit || after.Exact && before.Value != after.Value {
		c.Verdict = Behaviour
		return c
	}
	if after.Exact {
		return c
	}
	test := benchmath.AssumeNothing.Compare(sample(before), sample(after))
	c.P = test.P
	switch {
	case leastP(c.OldRuns, c.NewRuns) >= test.Alpha:
		c.Verdict = TooFew
	case test.P < test.Alpha && before.Value != after.Value:
		c.Verdict = Slower
		if (after.Value > before.Value) == (after.Better == Higher) {
			c.Verdict = Faster
		}
	}
	return c
}

// leastP is the least p that the rank test has for so many samples: that where all of one side
// are above all of the other, which is one of the orders in which they can come, or the other
// way round.
func leastP(before, after int) float64 {
	orders := 1.0
	for i := 1; i <= min(before, after); i++ {
		orders *= float64(before+after+1-i) / float64(i)
	}
	return min(1, 2/orders)
}

func sample(b Benchmark) *benchmath.Sample {
	return benchmath.NewSample(slices.Clone(b.Samples), &benchmath.DefaultThresholds)
}
