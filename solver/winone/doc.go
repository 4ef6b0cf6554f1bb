// Package winone answers whether the side to move in Phutball wins with this
// turn: whether some series of jumps ends in its goal. The answer is exact, with
// the series or without one; where a time limit ends the work first, it is "not
// decided". The question is NP-complete (Demaine, Demaine and Eppstein, "Phutball
// endgames are hard", 2002), and [FromCNF] lays out boards that show it.
//
//	grid := phutball.NewGrid(phutball.Default, phutball.Rules{})
//	solver := winone.NewSolver(grid)
//	layout, err := phutball.ParseLayout("ball=H17 men=H18 to=ohs", phutball.Default)
//	result, err := solver.Layout(ctx, layout, winone.Options{Shortest: true})
//	fmt.Println(result.Win, result.Notation(grid)) // true H17-H19
//
// [Solvers] keeps solvers on many boards, and [Estimate] tells proof-number searches what
// is won with the next turn or two.
//
// # Method
//
// Each step is tried where those before it have not decided.
//
//  1. A plain search of a few hundred jumps (search.go).
//
//  2. Relaxation: where could the ball get if each man were there or not as it
//     suits? (relaxation.go)
//
//  3. A search along the relaxed distances to the goal that remembers the
//     states which failed (search.go, memory.go).
//
//  4. Many short searches of the same kind, each with the jumps in another order, and
//     without those that land on a man whom no other jump can take away (support.go), or
//     for which some man would surely be jumped twice (landmarks.go): a quarter of all
//     (thin.go). Of the boards that get so far and are won, nineteen in twenty are decided
//     so.
//
//  5. A best-first search. It goes on where something is new, and of these states from the
//     one with the shortest relaxed plan, which counts the men who must go before the ball
//     passes (bestfirst.go, plan.go). Series of fifty jumps that make holes first, and use
//     them later, are found so. Then come short searches as in step 4 once more.
//
//  6. A search from both ends of the series that relaxes at each state, and leaves out
//     the jumps for which some man would surely be jumped twice, begun anew again and
//     again (pincer.go, landmarks.go).
//
//  7. The opening: where this search refutes all first jumps but one with a few nodes each,
//     that one is made for good, and so on. The board that is left is asked about from
//     step 4 on. Some boards that are lost need a hundredth of the conflicts then, for
//     neither relaxation nor the formula knows that what is out now may not come later
//     (opening.go).
//
//  8. The best-first search, a formula, the short searches of step 4, which look no longer
//     at distances, the search of step 6, and the opening with more nodes, in turns. Turns
//     are as long as the work done in them, not as the nodes. In the longest the formula
//     gets most of the work.
//
//     The formula asks which jumps a winning series makes, in whatever order (formula.go,
//     and the solver in internal/cdcl): the ball leaves each place as often as it comes
//     there, no man is jumped twice, and who stands where a jump lands is jumped. The solver
//     is told which jumps the ball can no longer reach, or that lead nowhere any more, and
//     why (foundation.go); and, after few decisions, for which jumps some man would be
//     jumped twice (doubles.go). Reasons that a conflict rests on become clauses. An order
//     for the jumps of a model is found, by trying or, where they are many, by a search as in
//     step 6; or there is none, and then one of the jumps beside them must be made
//     (arrangement.go).
//
// Of random boards of 15x19, 99 in 100 are decided by the first three steps, in
// under a microsecond by the median. The hard ones have 25 to 40 % men, or are
// dense below and sparse near the goal, or have order in them: checkerboards with
// holes, two of them side by side, stripes. scripts/win-in-one-hunt looks for harder
// ones.
//
// Nothing is decided by chance or by the clock, so that a solver does the
// same work for the same question each time, as long as no time limit ends it.
//
// An answer yes comes with its series, which tests replay. For an answer no, tests
// have every clause that the formula's solver learns, or is given for jumps that have no
// order, checked by a checker that shares nothing with it, and takes its jumps from the
// board. What the other steps say is compared with a search of all series, and with each
// other.
//
// # Limits
//
// Time, nodes and memory are kept on boards of any size (limits.go). Work is
// counted in looks at points and edges, and the clock is asked after some ten
// thousand of them. What graphs and the formula take is reckoned before they are
// made; memories of failed states remember fewer, and the formula is left out, where
// there is no room; calls nest to a bounded depth. [Result].Limit tells which limit
// was met.
package winone
