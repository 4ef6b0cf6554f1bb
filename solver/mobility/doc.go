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
// A new position's numbers guess the work: their logarithms are linear in what
// the stones of each side can do (guide.go). The work to solve a position is
// easy to tell: a linear fit to 84,184 positions at the edge of searches on
// 7x6 to 8x8, solved one by one, explains 88 % of the variance of its logarithm
// where the side to move loses, and 80 % where it wins. Half of that logarithm,
// and 0.3 of the fitted logarithm of the odds for or against, were the best
// mixture; a random descent on the number of nodes moved the weights from there.
//
// Geometric means of nodes over 48 positions in the middle of games on 7x6, 7x7,
// 8x7 and 8x8, one worker:
//
//	odds alone, weights found by descent on 6x6    65,500
//	odds alone, fitted to who wins                 79,800
//	odds alone, fitted, with all windows of 3x3    84,500
//	odds and work, fitted                          29,500
//	the same after the descent                     24,200
//
// On 48 others, which the descent never saw, the last step was 62,700 to 53,800.
// So the guess of who wins hardly matters: better ones, the cross-entropy of
// which was 0.33 and 0.27 where that of the first row's was 0.43, cost nodes.
//
// Not kept: windows of 3x3 on top of the last but one row (a fifth fewer nodes,
// each 1.4 times as dear). In the sum over the turns, the largest number whole and
// 13, 10 or 8 sixteenths of the others: 5, 18 and 24 % more nodes on both sets of
// 48 together. Logarithms times 14, 15, 17, 18 or 20 sixteenths: +4, -1, +1, +2,
// +16 %, which is noise but for the last. An ε of 1/8, 3/16, 1/4 or 1/2 in place of
// 1/3: +10, +3, +1, +3 %. Tables of up to 10 stones at the leaves of 7x6 from the
// corner: 2.26 million nodes in place of 2.16; games end with more stones than
// that.
//
// All this was measured on the search without finishers.
//
// # Proofs
//
// [Estimate] gives that guess to the search for certificates (package proofnumber), which counted turns
// before. One worker, nodes without and with it, the certificate put together, and positions of that:
//
//	6x6, who begins loses     6,367,051    744,767    390,567    617,742
//	6x6 middle-h, black       8,083,705    498,085     91,968     96,001
//	6x6 corner-h, black         630,374    188,094     17,730     44,311
//	7x5, who begins wins      1,614,727    270,132     82,006    127,654
//
// Numbers that are the square root of the work say less about how many positions a proof has than
// counted turns do.
//
// # Large numbers
//
// Numbers are sums of sums, and grow with the length of the game. On 7x7 they
// passed 28 bits two to six turns from the root. The search then went back and
// forth along its path: two of five visits cost 8 to 31 nodes and decided nothing.
// So numbers have 62 bits, 23 of which the table keeps (numbers.go). With these,
// 7x7 from corner-h with White to start took 7.4 million nodes in place of 10.6;
// 6x6 took what it took before.
//
// # Endings
//
// A new position that seems small goes to a finisher (finish.go), which searches
// it depth first, with a small memo and without the table: a node of that costs a
// tenth of one above, which waits for memory. One worker, seconds of processor
// time without and with finishers, and nodes above them:
//
//	7x6 middle-h, white     27.4    15.8    33.0 million    12.8 million
//	7x7 middle-h, black     10.2     6.7    14.7             4.2
//	7x7 corner-h, white      6.2     5.1     7.4             2.1
//
// Limits from 140 to 300 for the number of what seems small, and from 60 to 300
// for the nodes that it may take, made no difference beyond noise; without the memo
// finishers visit two fifths more. Bounds from moves that the opponent can never
// prevent were tried in their place, by the closure of all jumps that may ever be
// possible: hardly a stone is safe by it, and it decided no position that was not
// over. Prefetching the table's entries by an instruction of its own in place of a
// load: no difference.
//
// # Symmetry
//
// Up to three turns from the root a position stands for all its images, also for
// those that exchange the colours. On boards from 6x5 to 6x6 that saves three of
// four nodes while the opening is still to be played. It saves nothing where the
// gaps are given, nor deeper down: play leaves symmetry soon, and images cost time.
//
// # Table
//
// All workers share one transposition table, off the Go heap. An entry holds a
// whole position, so that no two are ever taken for each other. The table begins
// small and grows. When one of 2 GiB was whole from the start, the eight searches
// of 6x6, a process each, took 6.4 s of processor time, most of it for the first
// touch of its pages; now they take 0.8 s. Near the root, workers keep apart by
// counting where each of them is: a turn that others are looking into seems harder
// than it is.
//
// The table is all the state of a search. Saved to a file now and then, it lets
// a search go on after a stop (checkpoint.go). A file is a claim, not a fact. What
// a search that went on from one has decided, it derives again before it answers:
// by the rules, from the root to the ends of the game (confirm.go). Take 7x6
// middle-h with White to start, and a search of 65 million nodes that was stopped
// just before its end. Deriving takes a tenth of its processor time; 6.3 million
// nodes are searched again, since the table had lost them.
//
// The method is that of A. Nagai, Df-pn Algorithm for Searching AND/OR Trees
// and Its Applications, 2002, with the 1+ε thresholds of J. Pawlewicz and Ł.
// Lew, Improving Depth-First PN-Search: 1+ε Trick, 2006, and the virtual
// numbers of T. Kaneko, Parallel Depth First Proof Number Search, 2010.
package mobility
