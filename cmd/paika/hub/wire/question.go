package wire

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"paika/bitboard"
	"paika/cmd/paika/hub/construction"
	"paika/cmd/paika/hub/inspection"
	"paika/cmd/paika/hub/share"
	"paika/proofs"
	"paika/solver/proofnumber"
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

// Sound tells whether a hub of this version knows the kind, and what a question of it has.
func (q Question) Sound() bool {
	plain, ordered := q.Position == "" && q.Claim == "", q.Order != construction.Order{}
	switch q.Kind {
	case Proof:
		return !ordered
	case Verification:
		return plain && !ordered
	}
	return q.Kind == Construction && plain && ordered
}

// TooLong tells whether a question says more than a hub takes.
func (q Question) TooLong() bool {
	s := q.Setting
	return len(q.Position) > MostText || len(q.Claim)+len(s.Game)+len(s.Board)+len(s.Rules) > MostText || len(q.Order.Slices)+len(q.Order.Metric) > MostText
}

// ID names a question by 16 hex digits: what is asked twice is one.
func (q Question) ID() string {
	text, err := json.Marshal(q)
	if err != nil {
		panic("wire: a question is plain text: " + err.Error())
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// String tells of it in a line: what is long is cut short.
func (q Question) String() string {
	switch q.Kind {
	case Construction:
		return fmt.Sprintf("%v: tables in %s", q.Setting, bitboard.Shorten(q.Order.String()))
	case Verification:
		return fmt.Sprintf("%v: the tables", q.Setting)
	}
	return fmt.Sprintf("%v: %s from %s", q.Setting, bitboard.Shorten(q.Claim), bitboard.Shorten(q.Position))
}

// ErrKind says that somebody does not know what to do about a question.
var ErrKind = errors.New("a question of another kind than this hub knows: want the same version")

// Ask asks a question, or how far it has come. Again: anew, if it has failed, or its answer stands no more.
type Ask struct {
	Question
	Again bool `json:"again,omitempty"`

	// Taken says that the answer to a verification or a construction has arrived, instead of asking for it.
	Taken bool `json:"taken,omitempty"`
}

// Fetch asks for a piece of the certificate of a question.
type Fetch struct {
	Question string `json:"question"`
	Offset   int64  `json:"offset"`
}

// State is how far a question has come. At no stage is what the hub can't take up before its disk has room:
// it is to be asked again, and what was said of it to be said again.
type State struct {
	ID string `json:"id"`
	Question
	Stage Stage  `json:"stage"`
	Error string `json:"error,omitempty"` // where it failed
	Code  string `json:"code,omitempty"`  // of that error, to programs; none where nobody has told
	Busy  bool   `json:"busy,omitempty"`  // it waits for tables that another question has, or another process
	// Full says what of it waits for room on a disk of the hub, and in which folder there is none.
	Full string `json:"disk_full,omitempty"`

	// Unsent says why jobs of it can't go out to workers. NATS does not take them, as where most of the servers
	// of a cluster are away.
	Unsent string `json:"unsent,omitempty"`

	// NoWorker says that there are jobs of it, and for some time no worker.
	NoWorker bool `json:"no_worker,omitempty"`

	Result  proofnumber.Verdict `json:"result"`
	Seconds float64             `json:"seconds"` // since it was taken up: asked, or the hub began
	Slices  int                 `json:"slices"`  // of tables
	Proof   share.Part          `json:"proof,omitzero"`
	AtHand  uint64              `json:"at_hand"`           // nodes of searches that go on
	Resumed uint64              `json:"resumed,omitempty"` // nodes of its results that the ledger had when it was taken up
	Report  *inspection.Report  `json:"report,omitempty"`  // of a verification that is done
	Built   *construction.Tally `json:"built,omitempty"`   // of a construction that is done

	// Completing is what a construction does before the first job goes out, if anything.
	Completing *construction.Completing `json:"completing,omitempty"`
	Standing
}

// CodeMemory is the code of what failed for want of memory. Other codes are those of who started the hub.
const CodeMemory = "memory"

// Visited is the nodes of all results and of the searches that go on.
func (s State) Visited() uint64 { return s.Nodes + s.AtHand }

// Standing is how far a question is that is at work.
type Standing struct {
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
