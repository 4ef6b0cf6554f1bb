//go:build race

package breakthrough

// underRace tells that the race detector watches, which takes ten times as long.
const underRace = true
