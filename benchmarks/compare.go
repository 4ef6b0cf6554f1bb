package benchmarks

import (
	"slices"

	"golang.org/x/perf/benchmath"
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

	// Verdict is Same, Faster, Slower, Behaviour, Added or Missing.
	Verdict  Verdict `json:"verdict"`
	OldNodes uint64  `json:"old_nodes"`
	NewNodes uint64  `json:"new_nodes"`
}

// Verdict is what became of a benchmark.
type Verdict string

const (
	Same      Verdict = "same" // within the noise
	Faster    Verdict = "better"
	Slower    Verdict = "worse"
	Behaviour Verdict = "behaviour" // other counts: the program does something else
	Added     Verdict = "added"
	Missing   Verdict = "missing"
)

// Compare lists the benchmarks of two reports, in the order of the new one, then
// those that are missing there. Times are compared by the rank test of Mann and
// Whitney at 5 %, counts exactly.
func Compare(older, newer Report) []Change {
	changes := []Change{}
	for _, b := range newer.Benchmarks {
		before, found := older.Find(b.Name)
		if !found {
			changes = append(changes, Change{Name: b.Name, Unit: b.Unit, New: b.Value, NewNodes: b.Nodes, Verdict: Added})
			continue
		}
		changes = append(changes, compare(before, b))
	}
	for _, b := range older.Benchmarks {
		if _, found := newer.Find(b.Name); !found {
			changes = append(changes, Change{Name: b.Name, Unit: b.Unit, Old: b.Value, OldNodes: b.Nodes, Verdict: Missing})
		}
	}
	return changes
}

func compare(before, after Benchmark) Change {
	c := Change{
		Name: after.Name, Unit: after.Unit, Old: before.Value, New: after.Value,
		Noise: max(before.Spread(), after.Spread()), P: 1, OldNodes: before.Nodes, NewNodes: after.Nodes, Verdict: Same,
	}
	if before.Value != 0 {
		c.Ratio = after.Value / before.Value
	}
	if before.Nodes != after.Nodes || before.Unit != after.Unit || after.Exact && before.Value != after.Value {
		c.Verdict = Behaviour
		return c
	}
	test := benchmath.AssumeNothing.Compare(sample(before), sample(after))
	c.P = test.P
	if test.P < test.Alpha && before.Value != after.Value {
		c.Verdict = Slower
		if (after.Value > before.Value) == (after.Better == Higher) {
			c.Verdict = Faster
		}
	}
	return c
}

func sample(b Benchmark) *benchmath.Sample {
	return benchmath.NewSample(slices.Clone(b.Samples), &benchmath.DefaultThresholds)
}
