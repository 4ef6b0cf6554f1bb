// Package benchmarks measures the toolkit on real inputs, as Go benchmarks that
// benchstat reads:
//
//	go test ./benchmarks -run '^$' -bench . -count 6
//
// Every benchmark checks what it has computed against counts that are known, so
// that a fast wrong answer fails. They report what users ask for beside the time:
// positions, indices, probes or turns a second. One worker does the work unless
// the name says otherwise, so that rates are rates a core.
//
// Figures depend on the machine and on GOAMD64; quote both.
package benchmarks
