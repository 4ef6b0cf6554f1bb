// Package bench is the engine of `paika bench`. It drives games through the
// catalogue, by name, as a user would.
//
// [Run] measures five suites: counting turns (perft), building and checking tables
// (build), looking positions up (probe), proving problems whose answers are known
// (search), and wins in one (win-in-one). A task is run several times, all
// tasks once before any is run again, so that slow minutes of the machine spread over
// all. What comes out is a [benchmarks.Report]; the package benchmarks compares such
// reports, records them and draws them.
//
// Every figure has a count of nodes (or positions, probes, jumps: what the work
// consists of) that depends on the program and the input alone. Run fails with
// [ErrWrong] if it changes from run to run, and where the answer is known, if that is
// wrong.
//
// [MakeProblems] and [MakePositions] make the input that comes from tables: see
// benchmarks/problems/README.md.
//
// The tasks are Go benchmarks too, for benchstat and for profiles:
//
//	go test ./cmd/paika/bench -run '^$' -bench Suites -count 6
package bench
