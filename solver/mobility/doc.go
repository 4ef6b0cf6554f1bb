// Package mobility finds the winner of Konane positions on boards of at most 64
// points by depth-first proof-number search.
//
//	result, err := mobility.Solve(ctx, game, position, mobility.Options{Workers: 2, Memory: 1 << 30})
//
// Konane has no draws and never comes back to a position, so a position is won
// or lost for the side to move, and the search needs no care for cycles. A
// position's proof number estimates the work to show that the side to move
// wins, its disproof number the work to show that it loses; the side to move
// wins if one turn leads to a lost position.
//
// # Guidance
//
// Numbers of new positions are e^-z and e^z times a unit, in which z guesses
// the logarithm of the odds that the side to move wins, from what the stones of
// each side can do (guide.go). Its weights come from a logistic fit to solved
// positions and a random descent on the number of nodes.
//
// # Table
//
// All workers share one transposition table, off the Go heap. An entry holds a
// whole position, so that no two are ever taken for each other. Workers keep
// apart by counting where each of them is: a turn that others are looking into
// seems harder than it is.
//
// The method is that of A. Nagai, Df-pn Algorithm for Searching AND/OR Trees
// and Its Applications, 2002, with the 1+ε thresholds of J. Pawlewicz and Ł.
// Lew, Improving Depth-First PN-Search: 1+ε Trick, 2006, and the virtual
// numbers of T. Kaneko, Parallel Depth First Proof Number Search, 2010.
package mobility
