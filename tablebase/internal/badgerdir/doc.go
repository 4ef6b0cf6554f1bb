// Package badgerdir cares for a folder with a Badger database in it, so that a full
// disk, a killed writer or a damaged file costs an error and no data.
//
// A [Folder] is locked for as long as it is in use. A writer opens it so, and a reader
// likewise with CheckClosed in the place of Prepare:
//
//	err := badgerdir.CheckFiles(dir, badgerdir.Writing, owned) // nothing leads out of the folder
//	f, err := badgerdir.Lock(dir, badgerdir.Writing, options)
//	defer f.Close()
//	err = f.CheckSpace(0)
//	err = f.CheckLimits()
//	err = f.Prepare(wanted) // what the owner has listed will be found, or nothing is changed
//	err = f.Open()
//	err = f.Put(entries)
//	err = f.Sync()
//
// # What Badger does by itself
//
// Badger removes files that its MANIFEST does not name, cuts logs off where the first
// entry is not whole, ends the process for some damage, and panics on other. So all of
// its files are looked at before it sees them: those of a folder that was closed by a
// record, the file CLOSED, and those of one whose writer was killed by reading logs and
// tables the way that Badger would. Nothing is given to Badger from which it would take
// something that is wanted.
//
// It writes and reads through memory that stands for files. Each write is preceded by a
// look at the free space, space is reserved for it where the system can do that, and
// signals become errors, but for those in goroutines of Badger's (package tablebase,
// "Disk full, files cut short").
//
// # What the owner knows
//
// Which files beside Badger's belong to the folder, what keys there are, and which of
// them must be found, is the owner's to say: [Options], [Wanted]. A value whose key is
// lost to Badger is still in a value log with its key: [Folder.SearchLogs].
//
// # Concurrency
//
// One writer at a time, or any number of readers, across processes: the lock is flock(2)
// on the folder, where there is such a thing, and on its file LOCK, which reaches other machines
// that have the folder by NFS. Get, Put and Close are safe for concurrent use; one goroutine at a
// time calls Put.
package badgerdir
