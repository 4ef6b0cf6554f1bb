// Package jobs divides one question, does the attacker win from this position, into
// jobs for many workers. It is job-level proof-number search (I-Chen Wu et al.,
// "Job-level proof number search", IEEE TCIAIG 5(1), 2013): a tree of the upper
// positions is kept in one place, best first, and each of its leaves is a search of
// bounded size that somebody else does.
//
//	tree := jobs.New(root, options)
//	job, found := tree.Next(workers)          // the most telling leaf, once more where it is out
//	tree.Answer(job.Node, jobs.Answer{...})   // decided, or new numbers
//	steps, parts := tree.Support()            // once tree.Verdict() is there
//
// The package is pure: it starts nothing, waits for nothing and knows no clock. The
// same calls in the same order give the same jobs.
//
// # Answers
//
// A job comes back decided or not. What is decided is a fact about a position,
// however it is reached: the caller has checked it before it tells the tree. A leaf
// that comes back undecided has the numbers that the worker tells of its turns. These are
// hints and can be anything. They steer the search and decide nothing. When the leaf's
// turn comes again it is split: its position becomes an inner node, and its turns become
// leaves with those numbers.
//
// A split is for what is too much for one search: one that goes on from its own
// transposition table leaves a position as soon as another one seems easier, and shows what
// it has decided once. So a leaf goes out again and again, with more nodes each time, until
// every team has spent the most of a job there, or until an answer says that it is too much
// for any. What a worker has found and not shown, and would lose if it were stopped, is so no
// more of a position than the most of a job.
//
// An answer about a position that the tree does not have, or not yet, is kept and
// used when the tree comes there. So a tree is built anew from a list of answers by
// telling them again, in any order.
//
// An answer may be of another question that the same attacker is to win ([Answer.Elsewhere]): it counts as any other,
// but for its nodes, which are none of this question's.
//
// How far the question has come turn by turn ([Tree.Openings]) is told by the numbers of the root's turns and by
// the nodes behind each: those that answers about the root tell of its turns, and those of answers about
// positions that follow.
//
// A position with more turns than Options.Turns is never split. Where one would have to be, the
// tree tries all else first. Where nothing else is left it gives no more jobs out, and says why
// ([Tree.Stuck]): such a position decides nothing.
//
// # The tree
//
// A vertex is a line of play from the root. A position that comes back on its own line
// is refuted there, since endless play is the defender's. Such a refutation holds on
// that line alone: it says how far up the line it rests, and becomes a fact only at a
// vertex that lies at least as high. Facts are shared by all vertices of a
// position. A proof never rests on a repetition, so every proof is a fact. So the
// verdict at the root is exact, as in any search of a tree without a transposition
// table (see package proofnumber on facts and beliefs).
//
// The numbers of a vertex come from its turns as in package proofnumber: the smallest
// for the goal of its side, the largest and one for each other turn against it.
//
// # Jobs in flight
//
// All who ask are given the same leaf, the one that tells most. They are to search it
// together: each has a transposition table, and tells the others what it finds out
// (proofnumber.Exchange). Who asks bounds how many are out. A job says how many have its leaf
// already: searches that begin at the same moment, before any has heard of another, are to take
// turns in different orders, and one of them in the order of the game.
//
// To give each a leaf of its own, with virtual numbers for those that are taken, was worse:
// lines of play meet, and workers that tell each other nothing search the same again. On
// Konane 6x5 two teams of eight lanes so took 2.8 times the work of one lane at one go, in jobs
// of 10,000 nodes each, and eight teams 8.8 times. As it is they take 2.0 and 5.5 times
// (TestScale).
//
// # The size of jobs
//
// The jobs that are out may together visit an eighth of the nodes that all answers since
// the first job have taken: each gets its share of that, within bounds. So a small question does
// not wait for one large job, many workers get small ones, and few get large ones.
//
// What a tree is told before its first job does not count here. It is of earlier runs, whose
// transposition tables may be gone: a question that is stopped again and again would come to jobs
// that last longer than a run, of which no answer comes any more.
//
// # What the verdict rests on
//
// [Tree.Support] goes by positions, not by lines. For a refutation it takes all
// positions that were split and evicts, until nothing changes, those of the attacker's
// with a turn that leaves the set for anything not refuted, and those of the
// defender's without a turn that stays: a greatest fixpoint. The root is in it, since
// the defender who holds every line of the tree holds the game in which lines go
// on. For a proof it gives each position a rank above those that it rests on. The
// leaves of this structure are ends of the game, positions that the tables know, and
// positions that jobs decided.
package jobs
