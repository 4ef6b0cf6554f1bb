// Package gametest is the conformance suite of the contracts in bitboard: the
// tests of every game call [Conform]. It compares a game with itself: the fast
// path with the slow one, and each way with its way back. Whether the rules are
// the right ones is for the game's own tests to say.
//
// Run those tests with -race, too: the suite calls methods from several goroutines
// at once, and what they should not share is found for sure only then.
package gametest
