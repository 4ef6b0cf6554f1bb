// Package bitboard is the vocabulary that every game of the toolkit shares:
// boards and the names of their points, values and distances, and the contracts
// that a game meets. It holds no game's rules. What numbers positions is in
// package ranking, below it.
//
// # Positions
//
// A game has a position type P of its own: a small comparable value. It is always
// seen from the side to move, whose stones come first and the opponent's second.
// So colours are no part of a position. Where people read or write one, a [Side]
// stands beside it and says whose turn it is.
//
// # For programs that import the toolkit
//
// A program begins with a game: [paika/bitboard/fanorona], [paika/bitboard/konane],
// [paika/bitboard/phutball] or [paika/bitboard/breakthrough]. Each has a New for a board
// and rules, and the front page of each has the rules in words. Positions are values, and
// text is read and written at the edges alone. Then, each with an example that runs:
//
//	to                                          there is
//	count turns                                 paika/solver/perft
//	build tables into a folder                  paika/solver/retrograde, paika/tablebase
//	look many positions up there                tablebase.Prober
//	rank turns, follow best play, judge games   paika/tablebase/lookup
//	derive every value anew                     paika/tablebase/verify
//	write and read flat tables                  paika/tablebase/flat
//	search for a win or against one             paika/solver/proofnumber
//	write and check certificates                paika/proofs
//	certificates that need no tables            paika/proofs/complete
//	follow what a certificate proves            paika/proofs/walk
//	read game records, play them by the rules   paika/bitboard/record, and below it foreign
//	values and best turns of Konane             paika/solver/mobility, paika/solver/cgt
//	win-in-one of Phutball on any board         paika/solver/winone
//
// What runs long takes a context and ends soon after it. What is worth a million calls
// takes a slice and fills another one, so that the caller owns memory. Errors are typed or
// sentinels: the page of each package lists them. Methods are safe for concurrent use
// where their type says so. Tables in memory lie off the Go heap, and a Close gives them
// back. What lies in internal is nobody else's business, and what lies in cmd is the
// program paika, which changes with its commands.
//
// # Two contracts
//
// [Rules], [Notation] and [Space] are the fine contract, one call a node. It is
// for proof-number search, the naive solver, the verifier, the checker and the
// explorer. Buffers belong to the caller and are appended to: a search that keeps
// one a ply allocates nothing.
//
// [Kernel] is the coarse contract, one call for thousands of indices. It is for
// retrograde analysis. The game owns the loop over indices and knows nothing of
// values. It answers with edges ([Edges]), which the solver looks up in one tight
// loop, so that the cache misses of a whole block overlap. The solver owns values,
// workers, order and convergence, and knows nothing of boards.
//
// What a game may have beside the two is in optional.go, with what it costs not
// to have it.
//
// # Slices
//
// A [Slice] is a set of positions that are numbered together, from 0: its index
// space. A [Group] is the slices that must be solved together, because play goes
// back and forth between them. Every group names the slices outside it that its
// turns lead to, its needs, and comes behind them.
//
// In Fanorona the slice 3v2 holds the positions in which the side to move has
// three stones and the other side two. A turn that takes nothing leads to 2v3, and
// the next such turn back to 3v2: the two are a group. A turn that takes a stone
// leads from 3v2 to 1v3, so that 1v3 is one of the group's needs.
//
// # What does not fit
//
// A [Value] is a win, a draw or a loss. Games that end with a score, such as
// Awari, where each player counts the seeds taken, do not fit: their tables hold a
// number for each position, and what a turn gains has to be added on the way. The
// contracts have no place for it. Nor do slices hold positions that are over and won for
// the side to move; [Rules] says what a game with such ends does.
//
// # Adding a game
//
//  1. Write the rules and the notation of the game in a folder below bitboard/:
//     breakthrough is the example, with an index from [paika/bitboard/placement] and
//     a kernel from [paika/bitboard/derived]. Both can be replaced for speed.
//  2. Give it a file in cmd/paika/catalogue, and add its entry to Games there.
//  3. Call gametest.Conform from its tests, make it pass, and run it with -race.
package bitboard
