// Package inspection shares a verification of tables out: the tables, and what is known
// of them, stay in one place, an [Inspection], and pieces of the work go to workers
// anywhere. It is the bridge between package verify, which knows no other machines, and
// the hub, which knows no position types. It knows nothing of networks.
//
//	game := inspection.New(of, identity, inspection.Options{Dir: dir, ...})
//	v, err := game.Begin(ctx, watch)             // the hub's: every chunk is read
//	i := inspection.Inspect(v.Groups(), terms)
//	task, found := i.Next()
//	p, err := game.Pieces(ctx, task.Group, load) // a worker's, with tables of the hub
//	answer, err := task.Do(ctx, p, workers, moved)
//	outcome, reason := i.Take(worker, task.Job, answer)
//	tasks := i.Ours(1)                           // what the hub is to derive itself
//	liar := i.Decide(task.Job, answer)
//	report, err := i.Settle(ctx, v)                // once i.Known()
//
// # Pieces
//
// A task is a share of the indices of a slice, or what takes its group as a whole. Where a
// game traces turns of all positions at once, the slice is one share, which does both. A task
// names the tables of the group by the fingerprints of what is stored. Its own name is a
// digest of all that, so that an answer is about those very tables, and about no others:
// a worker computes the fingerprints from the values that it loads, and refuses a task
// for tables with other ones.
//
// # What is believed
//
// What a worker to whom a task was given answers in vain, three times, the hub derives; that of others
// changes nothing.
//
// A worker's finding is no finding. The share is derived here, and if there is anything
// wrong with it, so is its whole group, as verify.Run does it. That is what is reported.
// The same happens where sums of the pieces are not those of the manifest.
//
// That a worker found nothing is believed, but for one share in a hundred ([Terms]), and one
// of each group at least: these are derived here, too. They are picked by chance when the
// answers are there, so that nobody can know which, whatever names workers have. Who was
// wrong is believed no more: what that worker has answered goes out again, and a share by which it was
// found out does not stand for what others have answered of its group. Nor is anything spared by a
// stop: chance is asked again then. So who is wrong
// about one share of n in a group is found out with a chance of 1/n or more, and who is wrong
// about many, all but surely. A [Report] tells how many pieces there were, and how many of
// them were derived here. A worker that is of the hub's own process and program is here: its
// answers are decided at once.
package inspection
