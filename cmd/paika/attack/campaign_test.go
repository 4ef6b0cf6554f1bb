package attack

import (
	"math/rand/v2"
	"strconv"
	"testing"
)

// campaign is trials of one kind.
type campaign struct {
	name     string
	number   uint64 // that its random source begins with
	all, few int    // trials, whole and in a plain go test
}

// trials is how many to make.
func (c campaign) trials() int {
	switch {
	case *whole:
		return c.all
	case testing.Short():
		return (c.few + 3) / 4
	}
	return c.few
}

// run makes the trials, as many at a time as there are cores. A trial says what it
// did, and what came of it.
func (c campaign) run(t *testing.T, trial func(t *testing.T, r *rand.Rand) (what string, v verdict)) {
	t.Run(c.name, func(t *testing.T) {
		for n := range c.trials() {
			t.Run(strconv.Itoa(n), func(t *testing.T) {
				t.Parallel()
				what, v := trial(t, rand.New(rand.NewPCG(*seed, c.number<<32|uint64(n))))
				results.note(t, c.name, what, v)
			})
		}
	})
}
