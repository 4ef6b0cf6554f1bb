// Package ranking numbers sets: what games need that give each position of a
// slice an index.
//
// # Subsets
//
// The subsets of k out of n things are numbered from 0 in colexicographic order:
// by their highest element first, then by the next lower one, and so on. The
// number of a subset is a sum of binomials. Of the subsets of two out of four
// things, 0 to 3, they are
//
//	{0,1} {0,2} {1,2} {0,3} {1,3} {2,3}
//	  0     1     2     3     4     5
//
// and {1,3} is number 4 since choose(1,1) + choose(3,2) = 1 + 3. [Binomials] has
// the summands. [Subset] goes through subsets in that order, or to one by its
// number.
//
// # Classes
//
// Symmetries of a board take a set of its points to others. A set with all its
// images is a class, and the first of them in the order of their numbers is the
// class's representative. [Count] tells how many classes there are of each size,
// and [NewClasses] finds them: for every set its class and a symmetry that
// takes it to the representative.
//
// A position of two players' stones is then numbered by a leading set, which is
// numbered up to symmetry, and a trailing set on the points that are left:
//
//	index = class of the leading set × ways to place the trailing set
//	      + rank of the trailing set, moved as the leading set is moved to its
//	        representative
//
// Where a symmetry other than the identity fixes the representative, two
// trailing sets that are images of each other stand for one position. The least
// rank counts, and the other indices are gaps. Such symmetries are the class's
// fixers.
//
// # One of all images
//
// A search asks for one of a position's images a million times a second, and not
// for its number. [Leaning] tells it from a sum over the points, with one image to
// make in place of eight.
//
// # What stays in the games
//
// Go does not inline calls through type parameters, so that the innermost steps
// are the games' own: the rank of a set of points, which is a few instructions
// where a bit's number tells how many points are below it, and the sets that
// Subset's elements stand for, which are one, two or four words.
package ranking
