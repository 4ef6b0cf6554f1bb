// Package perft counts the turns of a game to a fixed depth: the performance
// test that compares a turn generator with others, turn for turn, and measures
// its speed. A ply is a whole turn.
//
// Two ways of counting are in use. [Sequences] counts every line of play by the
// sequences of its turns. [Positions] removes, below every node and at every
// ply, the turns that lead where another turn of the same node leads. No
// transposition between different nodes is removed in either.
//
// Turns are listed where something is counted below them, where they are named, and where those
// to one position are to be found. Where there may be millions, Options.Turns bounds such a list. A
// count hears its context between two positions, and in a bitboard.CounterWhile within one.
package perft
