// Package cgt computes with short games of combinatorial game theory: two
// players, Left and Right, no draws, no chance, an end to every line of play,
// and who cannot move has lost.
//
// A [Universe] holds games by their canonical forms, each once, so that equal
// games have equal numbers. A form is kept with its stops, which tell most
// comparisons; sums, negatives, other comparisons and thermographs are remembered.
//
//	u := cgt.NewUniverse()
//	up := u.Make([]cgt.Game{cgt.Zero}, []cgt.Game{u.Nimber(1)})
//	fmt.Println(u.Format(u.Sum(up, up))) // ^2
//
// The values of Konane positions are in konane.go: Black is Left, and a
// position is the sum of its regions. census.go counts all positions of a small
// board by value, and takes none apart: the two check each other.
//
// Numbers have at most 62 binary digits, and 62 of them behind the point. A game that is another
// one is refused, with [ErrRange]. [Universe.Within] gives that as an error, and bounds work by a
// context and by memory.
//
// Theory and notation: J. H. Conway, On Numbers and Games, 1976; A. N. Siegel,
// Combinatorial Game Theory, 2013.
package cgt
