//go:build !race

package tablebase

const raceEnabled = false
