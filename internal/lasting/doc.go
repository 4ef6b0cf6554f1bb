// Package lasting writes files that last: whole, or not at all, and still there
// after a power cut.
//
//	f, err := lasting.Create(ctx, path) // fails here if the file can't be written
//	defer f.Discard()                   // does nothing once the file is kept
//	fmt.Fprintln(f, "...")
//	size, err := f.Keep()               // on disk, under its name
//
// # Regular files
//
// What is written goes to a file beside the one asked for, with ".paika-part"
// behind its name. Keep syncs it, renames it, and syncs the folder: only then would the
// name survive a power cut. Readers see the old file or the new one, never a
// part. A symbolic link stays, and the file that it points to is replaced. The
// new file has the mode of the old one, and so has its part from the beginning.
//
// The part is locked while it is written, so that two processes never write the
// same file. A part that a killed process left is nobody's: the next writer of
// that file removes it, so that no litter stays.
//
// # Folders
//
// A new folder lasts once the one above it is synced, which has its name. [MakeFolder]
// makes all that are missing on the way to one, and syncs each.
//
// # All else
//
// A pipe or a device that a user names is written to as it is. It is never renamed
// away, and a reader who does not come keeps nobody waiting once the context is done.
// Files that the program keeps for itself are regular, and nothing else is taken for
// one. A part or a lock is no link either: what it leads to is somebody else's.
//
// # Locks
//
// [Lock] keeps other processes, and other callers in this one, from a file that
// is written more than once, such as the checkpoint of a search. It is the file's, whatever
// links lead there. [LockFolder] does so for a folder of the program's own.
package lasting
