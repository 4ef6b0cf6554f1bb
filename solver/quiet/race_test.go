//go:build race

package quiet_test

// underRace tells that the race detector watches, which takes ten times as long.
const underRace = true
