package catalogue

import (
	"fmt"

	"paika/internal/usage"
	"paika/tablebase"
)

// readingBytes is about what the program takes with tables that it reads, while nothing
// is asked and nothing is kept of them, in bytes.
const readingBytes = 48 << 20

// cacheShare is the share of the memory that the cache of the tables has, up to its default size.
const cacheShare = 16

// mostTurns and leastTurns bound the turns that are listed together, whatever memory there is. With
// their positions, and what is written of them, they take some turnBytes each: about a gigabyte for
// the most.
const (
	mostTurns  = 2 << 20
	leastTurns = 1 << 14
	turnBytes  = 512
)

// cacheWithin is the size of the cache where the program may take so many bytes.
func cacheWithin(memory uint64) uint64 {
	return min(tablebase.DefaultCacheBytes, memory/cacheShare)
}

// admitReading tells how many bytes are left of the memory of a program that reads tables. Where
// that is less than the least that it works with, the error says so, and wraps ErrMemory.
func admitReading(what string, memory, least uint64) (left uint64, err error) {
	if need := readingWith(least); need > memory {
		return 0, fmt.Errorf("%w: %s takes %s, and %s", ErrMemory, what, usage.Needed(need), usage.Allowed(memory))
	}
	return memory - readingBytes - cacheWithin(memory), nil
}

// readingWith is the memory that leaves so many bytes, whatever the cache has of it.
func readingWith(left uint64) uint64 {
	without := readingBytes + left
	return without + without/(cacheShare-1) + 1
}

// turnsWithin is how many turns are listed together in so many bytes: for them it takes half of
// that, and the rest is for garbage.
func turnsWithin(bytes uint64) int {
	return int(min(mostTurns, max(leastTurns, bytes/2/turnBytes)))
}

// Within is the same tables for a program that may take so many bytes: the cache and the turns of
// one call are bounded, and by default a survey is.
func (t *tables[P]) Within(memory uint64) (Tables, error) {
	left, err := admitReading("to read tables", memory, leastTurns*turnBytes)
	if err != nil {
		return nil, err
	}
	within := *t
	within.memory = memory
	within.lookup = t.lookup.Cached(int64(cacheWithin(memory))).Bounded(turnsWithin(left))
	return &within, nil
}
