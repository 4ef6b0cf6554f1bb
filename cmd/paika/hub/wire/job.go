package wire

import (
	"fmt"
	"slices"

	"paika/cmd/paika/hub/construction"
	"paika/cmd/paika/hub/inspection"
	"paika/cmd/paika/hub/share"
	"paika/solver/jobs"
	"paika/solver/proofnumber"
)

// Hello is what a worker says when it comes, and while it is there.
type Hello struct {
	Worker  string `json:"worker"` // as it calls itself
	Version string `json:"version"`
	Lanes   int    `json:"lanes"` // goroutines at work, and jobs at a time: see Teams
	Busy    int    `json:"busy"`
	Nodes   uint64 `json:"nodes"` // of all its jobs

	Searches []Search  `json:"searches,omitempty"` // that go on
	Earlier  []Earlier `json:"earlier,omitempty"`  // jobs of earlier starts of the hub that go on
}

// Earlier is a job that an earlier start of the hub gave out.
type Earlier struct {
	Question string `json:"question"`
	Job      string `json:"job"`
	Start    int    `json:"start"`
	Message  uint64 `json:"message"`
}

// Search is how far a search is that goes on.
type Search struct {
	Start   int    `json:"start"`
	Message uint64 `json:"message"`
	Nodes   uint64 `json:"nodes"`
}

// Proper tells whether a worker has a name that can be listed.
func (said Hello) Proper() bool { return Proper(said.Worker) }

// Refusal is an answer that is no, if it is not empty.
type Refusal struct {
	Error string `json:"error,omitempty"`
}

// Welcome is the answer to a worker that comes.
type Welcome struct {
	Refusal

	// Known is the name under which the hub believes the worker, or does not: that of its key.
	Known string `json:"known,omitempty"`

	// Cut says of how many of its lanes the hub takes no notice, and why; empty where it takes all.
	Cut string `json:"cut,omitempty"`

	Start int `json:"start"` // of the hub
}

// Noted is the answer to a worker that says it is there.
type Noted struct {
	Refusal

	Start    int      `json:"start"`              // of the hub
	Unwanted []string `json:"unwanted,omitempty"` // of the earlier jobs, by MessageName
}

// Next is what a lane says that waits for a job.
type Next struct {
	// Start is that of the hub that the lane waits for; 0 where it knows of none. Another start
	// answers at once, without a job.
	Start int `json:"start,omitempty"`

	// Worker is whose lane it is: it is given no job that is for others.
	Worker string `json:"worker,omitempty"`
}

// Job is what a worker is to do, of one kind or the other.
type Job struct {
	Task *share.Task `json:"task,omitempty"` // of a proof

	// Build is of a construction, Piece of a verification or what a construction has
	// verified, and Tables the fingerprint by which the hub lends what it takes.
	Build  *construction.Task `json:"build,omitempty"`
	Piece  *inspection.Task   `json:"piece,omitempty"`
	Tables string             `json:"tables,omitempty"`
}

// Name is what results call the job by; empty where it is none.
func (j Job) Name() string {
	switch {
	case j.Task != nil:
		return j.Task.Job
	case j.Build != nil:
		return j.Build.Job
	case j.Piece != nil:
		return j.Piece.Job
	}
	return ""
}

// Delivery is a job on its way.
type Delivery struct {
	Question string `json:"question"`
	Start    int    `json:"start"`              // of the hub
	Message  uint64 `json:"message"`            // its number since that start
	Delivery uint64 `json:"delivery,omitempty"` // how often it was handed out; in the stream, 0
	Job
}

// Started says who has a job, by which delivery of which message.
type Started struct {
	Worker   string `json:"worker"`
	Job      string `json:"job"`
	Start    int    `json:"start"`
	Message  uint64 `json:"message"` // its number, by which the hub knows the job
	Delivery uint64 `json:"delivery"`
}

// Kept says of a job that it goes on, or that who has it gives it back, or that it is decided and
// the part is being put together.
type Kept struct {
	Started
	Back  bool `json:"back,omitempty"`
	Other bool `json:"other,omitempty"` // it has not begun, and others are to have it
	Short bool `json:"short,omitempty"` // for want of memory

	// Need and Have are bytes of memory, where a group to be built needs more than who gives it
	// back has.
	Need uint64 `json:"need,omitempty"`
	Have uint64 `json:"have,omitempty"`

	// Shows says that the part is being put together, and Upload under which name it is sent meanwhile.
	Shows  bool   `json:"shows,omitempty"`
	Upload string `json:"upload,omitempty"`
}

// MessageName names a message for good: a job that is given out again has another.
func MessageName(start int, number uint64) string { return fmt.Sprintf("%d-%d", start, number) }

// Result is what a worker sends.
type Result struct {
	Started
	Version  string              `json:"version"`
	Question string              `json:"question"`
	Built    *construction.Made  `json:"built,omitempty"` // of a construction: the file that is sent
	Piece    *inspection.Answer  `json:"piece,omitempty"` // of a verification: all below is of a proof
	Position string              `json:"position"`
	Refused  string              `json:"refused,omitempty"` // why the worker can't do the job
	Verdict  proofnumber.Verdict `json:"verdict"`
	Nodes    uint64              `json:"nodes"`
	Turns    []jobs.Turn         `json:"turns,omitempty"`
	Smaller  bool                `json:"smaller,omitempty"`
	Upload   string              `json:"upload,omitempty"` // the name of the file sent
}

// MostTurns bounds the turns whose numbers a result has: with all of them it fits a message.
// A position with more is split without. MostSlices bounds the slices that it tells of.
const (
	MostTurns  = 1 << 14
	MostSlices = 1 << 12
)

// Sound tells whether a result says no more than any job needs. Why it is refused, and what a
// share finds first, may be long: they are cut short.
func (r *Result) Sound() bool {
	texts := len(r.Job) + len(r.Version) + len(r.Question) + len(r.Position) + len(r.Upload)
	return Proper(r.Worker) && texts <= MostText && len(r.Turns) <= MostTurns &&
		(r.Piece == nil || len(r.Piece.Quiet) <= MostSlices) && (r.Built == nil || soundParts(r.Built.Parts))
}

// soundParts tells whether parts can be those of a group.
func soundParts(parts []construction.Part) bool {
	long := func(p construction.Part) bool { return len(p.Slice)+len(p.Fingerprint) > MostText }
	return len(parts) <= MostSlices && !slices.ContainsFunc(parts, long)
}

// Outcome is what the hub made of a result.
type Outcome string

const (
	Accepted Outcome = "accepted"
	Copied   Outcome = "copied" // it was known already, or is no longer wanted
	Stale    Outcome = "stale"  // it is of an older lease
	Rejected Outcome = "rejected"
	Refused  Outcome = "refused" // the worker can't do the job
	Unknown  Outcome = "unknown" // it is of no question that there is
	Later    Outcome = "later"   // its question waits for memory: the job goes out again
	Failing  Outcome = "failing" // the hub could not take it now: send it again
	Pending  Outcome = ""        // it is being judged: no answer yet
)

// Reply is what the hub says of a result.
type Reply struct {
	Outcome Outcome `json:"outcome"`
	Reason  string  `json:"reason,omitempty"`
	Waits   string  `json:"waits,omitempty"` // where the hub has no room for it: it is to be sent again
}
