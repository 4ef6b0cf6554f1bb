package hub

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"paika/bitboard"
	"paika/cmd/paika/hub/construction"
	"paika/cmd/paika/hub/inspection"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/tables"
	"paika/proofs"
	"paika/solver/jobs"
	"paika/solver/proofnumber"
	"paika/tablebase/verify"
)

// Subjects. Requests go to the first ones, and have a reply.
const (
	subjectHello  = "paika.hello"  // a worker comes
	subjectUpload = "paika.upload" // a piece of a part
	subjectResult = "paika.result"
	subjectAsk    = "paika.ask" // a question, or how far it has come
	subjectFetch  = "paika.fetch"
	subjectStatus = "paika.status"
	subjectTables = "paika.tables" // which tables there are, or one as a file

	subjectAlive   = "paika.alive"   // a worker is there, and how far it is
	subjectStarted = "paika.started" // a worker has a job
	subjectCancel  = "paika.cancel"  // to workers: the message named is no longer wanted

	subjectJobs  = "paika.jobs" // of the stream
	streamName   = "PAIKA"
	consumerName = "workers"
)

// Pieces of files are as large as this; replies that are not files are smaller.
const pieceBytes = 256 << 10

// mostText bounds what a question says, and mostName the name of a worker, in bytes.
const (
	mostText = 4096
	mostName = 128
)

// inbox is where replies to somebody come, and nobody else may listen.
func inbox(name string) string { return "_INBOX." + name }

// Headers of a piece.
const (
	headerUpload = "Paika-Upload"
	headerOffset = "Paika-Offset"
	headerError  = "Paika-Error"
	headerSize   = "Paika-Size"
)

// Question is what a hub is asked: of a Proof, a claim about a position; of a
// Verification, no more than the game; of a Construction, which tables.
type Question struct {
	Setting  proofs.Setting `json:"setting"`
	Position string         `json:"position"`
	Claim    string         `json:"claim"`
	Kind     Kind           `json:"kind,omitempty"`

	Order construction.Order `json:"order,omitzero"`
}

// Kind is what is to be done about a question.
type Kind string

const (
	Proof        Kind = ""             // a certificate of the claim, or of its opposite
	Verification Kind = "verification" // the hub's tables are derived again
	Construction Kind = "construction" // tables are built, and come to the hub's
)

// sound tells whether a hub of this version knows the kind, and how it looks.
func (q Question) sound() bool {
	plain, ordered := q.Position == "" && q.Claim == "", q.Order != construction.Order{}
	switch q.Kind {
	case Proof:
		return !ordered
	case Verification:
		return plain && !ordered
	}
	return q.Kind == Construction && plain && ordered
}

// ID names a question: what is asked twice is one.
func (q Question) ID() string {
	text, err := json.Marshal(q)
	if err != nil {
		panic("hub: a question is plain text: " + err.Error())
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

func (q Question) String() string {
	if q.Kind == Construction {
		return fmt.Sprintf("%s on %s, rules %s: tables in %s", bitboard.Shorten(q.Setting.Game), bitboard.Shorten(q.Setting.Board), bitboard.Shorten(q.Setting.Rules), bitboard.Shorten(q.Order.String()))
	}
	if q.Kind == Verification {
		return fmt.Sprintf("%s on %s, rules %s: the tables", bitboard.Shorten(q.Setting.Game), bitboard.Shorten(q.Setting.Board), bitboard.Shorten(q.Setting.Rules))
	}
	return fmt.Sprintf("%s on %s, rules %s: %s from %s", bitboard.Shorten(q.Setting.Game), bitboard.Shorten(q.Setting.Board), bitboard.Shorten(q.Setting.Rules), bitboard.Shorten(q.Claim), bitboard.Shorten(q.Position))
}

// errKind says that somebody does not know what to do about a question.
var errKind = errors.New("a question of another kind than this hub knows: want the same version")

// hello is what a worker says when it comes, and while it is there.
type hello struct {
	Worker  string `json:"worker"`
	Version string `json:"version"`
	Lanes   int    `json:"lanes"` // goroutines at work, and jobs at a time: see teams
	Busy    int    `json:"busy"`
	Nodes   uint64 `json:"nodes"` // of all its jobs

	Searches []searching `json:"searches,omitempty"` // that go on
}

// searching is how far a search is that goes on.
type searching struct {
	Start   int    `json:"start"`
	Message uint64 `json:"message"`
	Nodes   uint64 `json:"nodes"`
}

// proper tells whether a worker has a name that can be listed.
func (said hello) proper() bool { return proper(said.Worker) }

// refusal is an answer that is no, if it is not empty.
type refusal struct {
	Error string `json:"error,omitempty"`
}

// job is what a worker is to do, of one kind or the other.
type job struct {
	Task *share.Task `json:"task,omitempty"` // of a proof

	// Build is of a construction, Piece of a verification or what a construction has
	// verified, and Tables the fingerprint by which the hub lends what it takes.
	Build  *construction.Task `json:"build,omitempty"`
	Piece  *inspection.Task   `json:"piece,omitempty"`
	Tables string             `json:"tables,omitempty"`
}

// name is what results call the job by; empty where it is none.
func (j job) name() string {
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

// delivery is a job on its way.
type delivery struct {
	Question string `json:"question"`
	Start    int    `json:"start"` // of the hub
	job
}

// started says who has a job, by which delivery of which message.
type started struct {
	Worker   string `json:"worker"`
	Job      string `json:"job"`
	Start    int    `json:"start"`
	Message  uint64 `json:"message"` // its number in the stream, by which the hub knows the job
	Delivery uint64 `json:"delivery"`
}

// message names a message for good: a job that is given out again has another.
func message(start int, number uint64) string { return fmt.Sprintf("%d-%d", start, number) }

// result is what a worker sends.
type result struct {
	started
	Version  string              `json:"version"`
	Question string              `json:"question"`
	Built    *construction.Made  `json:"built,omitempty"` // of a construction: the file that is sent
	Piece    *inspection.Answer  `json:"piece,omitempty"` // of a verification: all below is of a proof
	Position string              `json:"position"`
	Refused  string              `json:"refused,omitempty"` // why the worker can't do the job
	Verdict  proofnumber.Verdict `json:"verdict"`
	Nodes    uint64              `json:"nodes"`
	Turns    []jobs.Numbers      `json:"turns,omitempty"`
	Smaller  bool                `json:"smaller,omitempty"`
	Upload   string              `json:"upload,omitempty"` // the name of the file sent
}

// outcome is what the hub made of a result.
type outcome string

const (
	accepted outcome = "accepted"
	copied   outcome = "copied" // it was known already, or is no longer wanted
	stale    outcome = "stale"  // it is of an older lease
	rejected outcome = "rejected"
	refused  outcome = "refused" // the worker can't do the job
	unknown  outcome = "unknown" // it is of no question that there is
	failing  outcome = "failing" // the hub could not take it now: send it again
	pending  outcome = ""        // it is being judged: no answer yet
)

// reply is what the hub says of a result.
type reply struct {
	Outcome outcome `json:"outcome"`
	Reason  string  `json:"reason,omitempty"`
}

// tablesAsk asks which tables a task is for, or for one of them as a file.
type tablesAsk struct {
	Tables string        `json:"tables"` // the fingerprint of the task
	File   *proofs.Table `json:"file,omitempty"`
}

// tablesOffer is the answer.
type tablesOffer struct {
	refusal
	Offered bool           `json:"offered"` // a question is searched with such tables
	Tables  []proofs.Table `json:"tables,omitempty"`
	Ticket  *tables.Ticket `json:"ticket,omitempty"` // none yet: the file is being made
}

// errNotOffered says that no question is at work with the tables of a task any more.
var errNotOffered = errors.New("the hub has no such tables")

// lentTable is how a table is asked for.
func lentTable(t verify.Table) proofs.Table {
	return proofs.Table{Slice: t.Slice, Metric: t.Metric, Checksum: t.Stored}
}

// ask asks a question, or how far it has come. Again: anew, if it has failed.
type ask struct {
	Question
	Again bool `json:"again,omitempty"`

	// Taken says that the answer to a verification or a construction has arrived, instead of asking for it.
	Taken bool `json:"taken,omitempty"`
}

// alive is the time between two signs of life of a worker.
const alive = 2 * time.Second

// pingEvery is how often either side looks whether a quiet connection is still one. After
// two looks in vain it is made anew.
const pingEvery = 15 * time.Second

// fetch asks for a piece of the certificate of a question.
type fetch struct {
	Question string `json:"question"`
	Offset   int64  `json:"offset"`
}

// State is how far a question has come.
type State struct {
	ID string `json:"id"`
	Question
	Stage   Stage               `json:"stage"`
	Error   string              `json:"error,omitempty"`   // where it failed
	Cramped bool                `json:"cramped,omitempty"` // it failed for want of memory
	Result  proofnumber.Verdict `json:"result"`
	Seconds float64             `json:"seconds"` // since it was asked or the hub began
	Slices  int                 `json:"slices"`  // of tables
	Proof   share.Part          `json:"proof,omitzero"`
	AtHand  uint64              `json:"at_hand"`          // nodes of searches that go on
	Report  *inspection.Report  `json:"report,omitempty"` // of a verification that is done
	Built   *construction.Tally `json:"built,omitempty"`  // of a construction that is done
	standing
}

// Visited is the nodes of all results and of the searches that go on.
func (s State) Visited() uint64 { return s.Nodes + s.AtHand }

// standing is how far a question is that is at work.
type standing struct {
	share.Progress

	// Pieces are those of a verification.
	Pieces *inspection.Progress `json:"pieces,omitempty"`

	// Groups are those of a construction.
	Groups *construction.Progress `json:"groups,omitempty"`
}

// Stage is what is being done about a question.
type Stage string

const (
	Waiting   Stage = "waiting"   // for memory that others have
	Preparing Stage = "preparing" // tables are read, the ledger is gone through
	Searching Stage = "searching" // jobs go out
	Writing   Stage = "writing"   // the answer is put together
	Done      Stage = "done"
	Failed    Stage = "failed"
)

// Over tells whether nothing more will come.
func (s Stage) Over() bool { return s == Done || s == Failed }

// Status is what a hub is doing.
type Status struct {
	Version   string         `json:"version"`
	Questions []State        `json:"questions"`
	Jobs      Jobs           `json:"jobs"`
	Workers   []WorkerStatus `json:"workers"`
	Nodes     uint64         `json:"nodes"`  // of all results since the hub began
	Rate      float64        `json:"rate"`   // nodes a second of the workers at hand
	Memory    uint64         `json:"memory"` // bytes of tables and upper positions
	Room      uint64         `json:"room"`   // the most that they may take; 0 for no bound
	Seconds   float64        `json:"seconds"`
}

// Jobs counts jobs since the hub began.
type Jobs struct {
	Out      int    `json:"out"` // given out now, taken by a worker or not
	Accepted uint64 `json:"accepted"`
	Copied   uint64 `json:"copied"`
	Stale    uint64 `json:"stale"`
	Rejected uint64 `json:"rejected"`
	Refused  uint64 `json:"refused"`
	Unknown  uint64 `json:"unknown"`
	Lost     uint64 `json:"lost"`     // messages that were gone without a result
	GivenUp  uint64 `json:"given_up"` // split after too many leases
	Torn     int    `json:"torn"`     // lines of the ledger that are not whole
}

// WorkerStatus is a worker that is there.
type WorkerStatus struct {
	Name     string  `json:"name"`
	Lanes    int     `json:"lanes"`
	Busy     int     `json:"busy"`
	Nodes    uint64  `json:"nodes"`
	Rate     float64 `json:"rate"` // nodes a second
	Rejected uint64  `json:"rejected"`
}

// proper tells whether a name can be shown and listed: letters, digits and signs of
// ASCII, without spaces.
func proper(name string) bool {
	odd := func(r rune) bool { return r <= ' ' || r > '~' }
	return name != "" && len(name) <= mostName && !strings.ContainsFunc(name, odd)
}

// plainName is what may be part of the name of a file: hex digits.
func plainName(name string) bool {
	return len(name) == 32 && strings.Trim(name, "0123456789abcdef") == ""
}

// newName is a name that nobody else has.
func newName() string {
	var name [16]byte
	_, _ = rand.Read(name[:]) // it never fails
	return hex.EncodeToString(name[:])
}
