//go:build race

package tablebase

// raceEnabled: under the race detector sync.Pool drops what it is given, so
// that allocations say nothing.
const raceEnabled = true
