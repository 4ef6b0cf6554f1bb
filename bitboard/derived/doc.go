// Package derived makes the coarse contract out of the fine one.
//
// A game whose turns and index are there has all that retrograde analysis needs
// to know: the fate of an index is that of its position, the edges are its turns,
// ranked. [Kernel] answers so, a position after the other. It is how a new game
// gets tables at once:
//
//	type Game struct {
//		*derived.Kernel[Position]
//		...
//	}
//
//	g.Kernel = derived.NewKernel(g)
//
// # What it costs
//
// A kernel of the game's own can do better: it steps from one index to the next
// in place of unranking each, knows which turns leave the group without asking,
// and ranks what a turn leaves in place only once. It gives the same tables. A
// game embeds the derived kernel first, and replaces it, method by method or as
// a whole, when speed matters; the derived one is then what it is tested against.
//
// # What a game must know besides
//
// Turns that stay inside a group of slices have to be followed backwards as well.
// No position tells which ones lead to it but by a rule of the game's: Unmoves.
// Where every turn leaves its group, Unmoves appends nothing.
package derived
