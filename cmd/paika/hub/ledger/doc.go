// Package ledger is what a hub knows for good: a file to which lines are added, and from which
// none is ever taken. A line is an [Entry]: that a hub began, what was asked, found out, built
// or answered, who was wrong. Files that a line names lie beside it: package hub has them, and
// puts in lines for those that have none.
//
// A line is a hash, in hex, and JSON. One that is torn or changed is noticed and left out, and
// what follows it still counts. What was added is on disk once [Ledger.Sync] is back without an
// error. After one that failed there is no other, for nobody can tell what is on disk then.
//
// What a question wants to know stands in few of the lines: [Ledger.Of] reads these alone. For that a ledger
// that is open has in memory where the lines of each question stand, 16 bytes for each run of them.
//
// One process has a ledger open at a time. Within it a [Ledger] is safe for concurrent use:
// lines stand in the order in which they were added, and those who sync together share one.
package ledger
