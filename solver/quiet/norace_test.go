//go:build !race

package quiet_test

const underRace = false
