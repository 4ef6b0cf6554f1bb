// Package parallel shares work among goroutines that are called workers, each with a
// number of its own, from 0.
//
//	sums := make([]uint64, workers)
//	err := parallel.Blocks(ctx, workers, n, 1<<14, func(worker int, lo, hi uint64) {
//		sums[worker] += count(lo, hi) // nobody else has this block, or this sum
//	})
//
// [Each] and [Blocks] hand out pieces in rising order, a piece to whoever is free.
// Which worker gets which is left to chance: what comes out must not depend on it.
// [InOrder] hands results over in the order of the pieces, one at a time.
//
// Fewer than one worker are one. Who keeps something for each worker makes max(1, workers) of it.
//
// All of them end early with the context's error, and return only when no worker
// is at work any more.
//
// [Guard] keeps a panic to the question that it arose in, for programs that answer many.
package parallel
