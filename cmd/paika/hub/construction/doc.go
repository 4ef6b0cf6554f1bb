// Package construction has tables built by many: the folder, and what is known of it, stay
// in one place, a [Site], and groups of slices go to workers anywhere. It is the bridge
// between the solver, tables and flat files, which know no other machines, and the hub,
// which knows no position types. It knows nothing of networks.
//
//	game := construction.New(of, board, identity, construction.Options{...})
//	site, err := game.Open(ctx, order, nil)                 // the hub's folder, to be written
//	task := site.Task(group, version)                       // once its needs are stored
//	made, err := game.Build(ctx, task, source, file)        // a worker's, with tables of the hub
//	checked, err := site.Check(ctx, group, made, file, size)
//	pieces, err := game.Pieces(ctx, checked.Group, source)  // derived again: package inspection
//	err = site.Import(ctx, group, made, file)               // once checked.Agree(sums)
//
// # Groups
//
// Groups are those of a build without a hub, and so is what they need of each other: the
// slices that turns out of the group lead to. A group can be built as soon as those are
// stored, which is sooner than all with fewer stones are. A task names the tables that its
// group follows from by their fingerprints, and its own name is a digest of all that: the
// worker computes the fingerprints from the values that it loads.
//
// Slices that an earlier build stored with values left out, and that are needed now, get
// them back when the folder is opened: a pass of settling for each.
//
// # The way back
//
// A group comes as flat files one behind the other, with a digest of them all ([Made]). Its
// names are the task's, and no path is made of what was sent but a digest that was computed
// here. How large each file may be is known from its slice before it comes. [Site.Check]
// decompresses every block, and compares checksums, digest and fingerprints.
//
// Who says what values these are is not asked there: that is for whoever derives the group
// again by the rules. Import stores what was checked as paika import does, which counts wins,
// losses and draws anew, and has the same tables as one build, byte for byte. It stores a
// slice after the other, as a build does, and a group counts once it has all of its own:
// after a stop in between it is taken from its file once more.
//
// # What goes on
//
// A worker keeps checkpoints of big groups in a folder of its own (Options.Work), as every
// build does, from which it goes on if the same group comes to it again. That of a group that is
// built has all its values: it stays until the hub has answered to the file, and building the group
// again is to look once whether anything is left to be decided. Where that folder can't be had,
// another worker has it, say, it builds without. A build that ends at a checkpoint which it can't
// go on from, one of another version, say, would keep a worker from that group until a person comes:
// it sets the file aside, under a name that it tells, and begins anew.
//
// The checkpoint of a group goes once the worker says that it is answered ([Game]). With it go those
// of the groups that it follows from, which others may have built: the hub has them, or it would
// not have given it out. What then is 30 days old goes, too. The folder goes with the last of them.
// None of this costs a group where it fails.
package construction
