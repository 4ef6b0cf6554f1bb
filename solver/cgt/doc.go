// Package cgt computes with short games of combinatorial game theory: two
// players, Left and Right, no draws, no chance, an end to every line of play,
// and who cannot move has lost.
//
// A [Universe] holds games by their canonical forms, each once, so that equal
// games have equal numbers. Sums, negatives, comparisons, stops and
// thermographs are remembered.
//
//	u := cgt.NewUniverse()
//	up := u.Make([]cgt.Game{cgt.Zero}, []cgt.Game{u.Nimber(1)})
//	fmt.Println(u.Format(u.Sum(up, up))) // ^2
//
// The values of Konane positions are in konane.go: Black is Left, and a
// position is the sum of its regions.
//
// Theory and notation: J. H. Conway, On Numbers and Games, 1976; A. N. Siegel,
// Combinatorial Game Theory, 2013.
package cgt
