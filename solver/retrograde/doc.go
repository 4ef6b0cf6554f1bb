// Package retrograde solves whole slices of a game by parallel retrograde
// analysis: it finds the value of every position, for any game that meets
// bitboard.Kernel.
//
// # Method
//
// A group of slices is solved once every slice that its turns lead to is. Three
// steps follow each other.
//
//  1. Settling: a pass over all indices decides the positions whose every turn
//     leaves the group, and leaves the others open. In Fanorona those decided
//     are the positions with a capture.
//  2. Sweeping: a pass over the open positions looks at all their turns. One
//     that reaches a lost position is won, one whose turns all reach won
//     positions is lost. Passes go on, and see what they have found so far,
//     while that decides many positions for their cost.
//  3. Propagation: from each position decided in the last sweep back to the
//     open positions before it, and on from those that this decides, until
//     nothing is left to do. What is open then is drawn.
//
// A sweep evaluates every position that is still open, so all that was decided
// before it began has had its effect by its end; only what the sweep itself
// decided has to be propagated.
//
// For wdl what waits to be propagated stands on lists, one a worker, of a length that
// does not grow with the group. A worker whose list is half full follows the newest
// positions on it, and what these decide, before it goes on. Where that does not help
// the list is dropped, and another sweep finds what it was for.
//
// For the metric wdl the order of decisions does not matter, since the result
// is the least fixpoint of a monotone rule: the table is the same for any number
// of workers. Values are two bits each, set by atomic operations. For dtw, step
// 3 goes by rounds of rising distance (dtw.go), so that each distance is exact
// when it is used. An open position waits there for one turn at a time: it keeps a witness,
// a turn that leads to no win yet, and is looked at again when that has become one.
//
// The kernel answers for blocks of indices with references to other positions
// (bitboard.Edges), and the values of a block's references are read in one
// loop: the loads do not depend on each other, and their cache misses overlap.
// Settling for wdl is another matter: most positions have a turn that wins, and to
// find it spares the ranking of all others. So a kernel that can gets the tables and
// decides itself ([bitboard.BestSettler]: Fanorona, Konane). Fanorona's, if it has room,
// looks turns up once for many positions, for dtw, too ([bitboard.DepthKernel]). Of open
// positions ([bitboard.Judge]) it looks, in a sweep, at turns up to the first that reaches a
// lost one. In propagation it stops sooner, at the first turn that reaches no won one: a
// position is asked for again since it may be lost, and if it is won, the lost position that
// it reaches is followed up as well. Where the turns of neighbours by index lead far apart, a
// sweep goes to open positions in an order of the game's ([bitboard.NearJudge]): large slices
// would wait for memory most of the time.
//
// # Sets
//
// Where a game can follow the turns of whole sets of positions
// ([bitboard.SetKernel], Phutball) and memory does for the sets, a group is
// solved by sets instead (sets.go): a bit a position, and rounds of rising
// distance in each of which all turns are followed, 64 positions at a time. Once few
// positions are left, their turns are looked at one by one. It comes to the same tables.
//
// # Values left out
//
// A [SparseStorage] may leave out the values that one look ahead finds
// (bitboard.Sparse), of slices that no other needs. A build that comes to need such a
// slice loads it, completes it by a pass of settling, and stores it whole. The tables
// which that takes are in memory meanwhile.
//
// # Memory
//
// Only a group's own slices and those that its turns reach are in memory, off
// the Go heap, and lists whose length does not grow with the group. Build knows the
// need of every group in advance and refuses before it starts work where
// Options.Memory does not cover it. Other slices stay in the Storage. Room that makes
// settling faster is no part of the need: as much is taken as memory does for and the
// kernel has use for. It leaves room for files that the Storage maps (Options.Mapped),
// which the system takes back when it wants memory.
//
// # Interruption
//
// A group is saved when it is solved, and one that Storage has is not solved
// again. Cancelling the context stops Build between two blocks, or once it has
// saved what is solved; it then returns the context's error, and the next Build
// goes on with the first group that is not in the Storage.
//
// If the Storage can keep [Checkpoints], a big group goes on where it was. Its
// tables are saved as they are, every few minutes, also in the middle of a sweep or a round, and
// when the context is cancelled. What is half done then needs no care: a value once set is right, and
// setting it again changes nothing. Where a checkpoint cannot be saved, the build
// goes on without it. A group goes on as it was begun, by sets or not, whatever memory
// there is by now; where that does not do, Build ends, and tells what would. No checkpoint is
// replaced but by a later one of the same work, or where it is damaged.
package retrograde
