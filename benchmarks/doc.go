// Package benchmarks holds what measurements of the toolkit are made of and come to,
// so that others can repeat, compare and cite the figures: problems, reports, their
// comparison, recorded results and charts. What measures is cmd/paika/bench.
//
// # Reports
//
// A [Report] is what `paika bench` prints with --json. A [Benchmark] is one figure: the
// median of several runs, its spread, and the single runs. Rates are those of one
// worker unless the name says otherwise.
//
// Every benchmark has a count of nodes (or positions, probes, jumps: what the work
// consists of) that depends on the program and the input alone. It is the
// fingerprint of the program's behaviour. [Compare] tells a change in behaviour, which
// shows in counts, from a change in speed, which it tells from noise by a rank test. It
// compares speeds only where machine, compiler and the memory allowed were the same, and
// searches only where they had the same limit.
//
// # Problems
//
// The folder problems holds search problems with known answers, and where each is
// from; see its README. scripts/problems made those that come from tables.
//
// # Results
//
// The folder results holds recorded reports; RESULTS.md is made of them by
// [WriteResults], with the published figures beside ours. scripts/results records
// and writes.
//
// # Inner loops
//
// Beside this there are Go benchmarks, in the form that benchstat reads:
//
//	go test ./benchmarks -run '^$' -bench . -count 6
//
// They, too, check what they have computed; cmd/paika/bench has the tasks of the suites
// in that form. scripts/compare-commits runs the suites, or Go benchmarks, of two
// commits.
//
// Figures depend on the machine and on GOAMD64; a report tells both.
package benchmarks
