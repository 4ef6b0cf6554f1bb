// Package progress tells, or saves, how far work has come while it goes on: [Every]
// calls a function at intervals, beside the work, and a [Sum] adds up what several
// workers have done. [Wait] is for work that has to try again later, [Await] for work that
// knows no context.
package progress
