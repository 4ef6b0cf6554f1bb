// Package worker does the jobs of a hub, elsewhere or in its process: [Work] takes one after the
// other until its context ends. What a job asks for is in package share (a proof), inspection
// (a piece of a verification) and construction (a group of tables that is built).
//
// A worker has lanes, goroutines with a job each. Lanes of a proof make up teams, which search
// a task together over one transposition table, and tell other workers what they find out
// (sites.go). Lanes that derive share the tables of one group (derive.go). A worker has one of either
// in memory: lanes whose job needs another wait, and keep their leases (memory.go). A build has all
// lanes and all memory alone (build.go). Tables that a worker lacks come from the hub (tables.go).
// Those that it has it loads when it hears of a question, if it has nothing else to do
// (coming.go).
//
// A worker says of a job that it goes on, sends the file, then the result, until the hub has
// taken both. What it can't do it leaves to others, or says why it ends.
//
// Several workers may be at work in one process.
package worker
