package command

import (
	"os"
	"runtime/debug"
)

// unknownFreeMemory stands in where the system does not tell what is free.
const unknownFreeMemory = 4 << 30

// memoryBudget is the bytes that the whole process may take: as flagged, or
// three quarters of what is free. The collector is told too, unless the
// environment has told it already, so that garbage does not pile up beside
// tables that lie off the heap.
func memoryBudget(flagged size) uint64 {
	budget := budgetOf(flagged, freeMemory())
	if _, set := os.LookupEnv("GOMEMLIMIT"); !set {
		debug.SetMemoryLimit(int64(budget))
	}
	return budget
}

// leastBudget is what there is where nothing is free. Of 0 there would be no bound.
const leastBudget = 1 << 20

func budgetOf(flagged size, free uint64) uint64 {
	if flagged != 0 {
		return uint64(flagged)
	}
	return max(leastBudget, free/4*3)
}

// mostSearchMemory bounds the transposition table of a search where no --memory
// is given. A larger one pays only in a search of hours: the system clears every
// page of it that is touched.
const mostSearchMemory = 1 << 30
