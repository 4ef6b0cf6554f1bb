//go:build !race

package breakthrough

const underRace = false
