// Package naive is the slow, obvious solver. It keeps every position that play
// can reach in a map, with all its turns, and derives values by the definition
// until none is left to derive. Every fast solver is tested against it; boards
// of a few thousand positions are what it is for.
package naive
