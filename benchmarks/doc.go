// Package benchmarks measures the toolkit on real inputs, so that others can
// repeat, compare and cite the figures. It stands beside the command line: it
// drives games through the catalogue, by name, as a user would, and only the
// command line imports it.
//
// # Suites
//
// [Run] does what `paika bench` prints, in five suites: counting turns (perft),
// building and checking tables (build), looking positions up (probe), proving
// problems whose answers are known (search), and Phutball's win in one
// (win-in-one). A task is run several times, all tasks once before any is run
// again, so that slow minutes of the machine spread over all; a [Benchmark] is one
// figure of a task: the median, its spread, and the single runs. Rates are those of
// one worker unless the name says otherwise.
//
// Every benchmark has a count of nodes (or positions, probes, jumps: what the work
// consists of) that depends on the program and the input alone. It is the
// fingerprint of the program's behaviour: Run fails if it changes from run to run,
// and where the answer is known, if that is wrong. [Compare] tells a change in
// behaviour, which shows in counts, from a change in speed, which it tells from
// noise by a rank test.
//
// # Problems
//
// The folder problems holds search problems with known answers, and where each is
// from; see its README. [MakeProblems] made those that come from tables.
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
// They, too, check what they have computed; among them are the tasks of the suites.
// scripts/compare-commits runs the suites, or Go benchmarks, of two commits.
//
// Figures depend on the machine and on GOAMD64; a report tells both.
package benchmarks
