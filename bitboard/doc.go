// Package bitboard is the vocabulary that every game of the toolkit shares:
// boards and the names of their points, values and distances, the ranking of
// subsets, and the contracts that a game meets. It holds no game's rules.
//
// # Positions
//
// A game has a position type P of its own, a small comparable value that is
// always seen from the side to move: its stones first, then the opponent's.
// Colours are therefore no part of a position. Where people read or write one,
// a [Side] stands beside it and says whose turn it is.
//
// # Two contracts
//
// [Rules], [Notation] and [Space] are the fine contract, one call a node: for
// proof-number search, the naive solver, the verifier, the checker and the
// explorer. Buffers belong to the caller and are appended to, so a search that
// keeps one a ply allocates nothing.
//
// [Kernel] is the coarse contract, one call for thousands of indices: for
// retrograde analysis. The game owns the loop over indices and knows nothing
// of values; it answers with edges ([Edges]), which the solver looks up in one
// tight loop, so that the cache misses of a whole block overlap. The solver
// owns values, workers, order and convergence and knows nothing of boards.
//
// # Slices
//
// A [Slice] is a set of positions with one dense index, a [Group] the slices
// that must be solved together because play goes back and forth between them.
// Every group names the slices that its captures lead to; those come first.
//
// # Adding a game
//
//  1. Write the rules and the notation of the game in a folder below bitboard/:
//     breakthrough is the example, with an index from [paika/bitboard/placement] and
//     a kernel from [paika/bitboard/derived]. Both can be replaced for speed.
//  2. Give it a file in cmd/paika/catalogue, and add its entry to Games there.
//  3. Call gametest.Conform from its tests, make it pass, and run it with -race.
package bitboard
