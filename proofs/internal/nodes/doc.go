// Package nodes holds sets of nodes: positions with the side to move. Certificates have
// many millions of them, so a set is small, lies off the Go heap, and stays within a bound
// that is given in bytes.
//
//	set := nodes.New[fanorona.Position](1 << 30)
//	defer set.Free()
//	number, added, err := set.Add(position, white)
//	number, found := set.Find(position, white)
//
// A set is much larger than the caches of a processor, which waits for each place in memory: so many
// nodes are found faster together, and added faster once they are announced. Of 16 million members,
// found at random, one takes 0.7 µs alone and 0.11 µs among 64 (BenchmarkFind; a virtual machine, with
// slow memory).
//
//	set.FindAll(len(positions), at, tell)
//	set.AddAll(len(positions), at, tell)
//	set.Ahead(len(positions), at)
//
// Members are numbered from 0 in the order in which they came. A set that was asked for
// Values has a number of 32 bits with each. A [List] holds positions in the same way, and does not
// find them.
//
// # Size
//
// A member takes its position, a bit, its value, and a slot of four bytes in a table that
// is between 13/32 and 13/16 full: for Fanorona 21 to 26 bytes, and four more with values.
// Positions that hold pointers lie on the Go heap, where the collector sees them, and the
// bound does not count what they point to.
package nodes
