package ledger

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/zeebo/xxh3"

	"paika/cmd/paika/hub/construction"
	"paika/cmd/paika/hub/inspection"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/proofs"
	"paika/solver/proofnumber"
)

// Entry is a line of the ledger: one of its fields is there.
type Entry struct {
	At       time.Time `json:"at"`
	Start    *Start    `json:"start,omitempty"`
	Question *Question `json:"question,omitempty"`
	Result   *Result   `json:"result,omitempty"`
	Piece    *Piece    `json:"piece,omitempty"`
	Built    *Built    `json:"built,omitempty"`
	Wrong    *Wrong    `json:"wrong,omitempty"`
	Answer   *Answer   `json:"answer,omitempty"`
	Taken    *Taken    `json:"taken,omitempty"`
}

// Start says that a hub began.
type Start struct {
	Version string `json:"version"`
}

// Question says what was asked.
type Question struct {
	ID string `json:"id"`
	By string `json:"by,omitempty"` // the name of a key: whose question it is
	wire.Question
}

// Result says what was found out about a position.
type Result struct {
	Question string `json:"question"`

	// Setting is that of a part whose question is in no line any more.
	Setting *proofs.Setting `json:"setting,omitempty"`

	Tables  string `json:"tables"` // fingerprint of those that it was found with
	Worker  string `json:"worker"`
	Message string `json:"message,omitempty"` // by which the job went out, as wire.MessageName has it
	share.Result
}

// Piece says what a piece of a verification, or of a group of a construction, came to.
type Piece struct {
	Question string `json:"question"`
	Job      string `json:"job"`
	Worker   string `json:"worker,omitempty"` // empty: the hub itself
	inspection.Answer

	// Refutes is, of a construction, the worker that was wrong about the piece, and is believed no
	// more. It stands in the line that shows it: neither is known without the other.
	Refutes string `json:"refutes,omitempty"`
}

// Built says that a group of a construction came, whose file is there.
type Built struct {
	Question string `json:"question"`
	Job      string `json:"job"`
	Worker   string `json:"worker"`
	construction.Made
}

// Wrong says that a worker of a construction built a group wrong, and is believed no more.
type Wrong struct {
	Question string `json:"question"`
	Worker   string `json:"worker"`
}

// Taken says that the answer to a verification or a construction has arrived. What is
// known of it does not count when it is asked again.
type Taken struct {
	Question string `json:"question"`
}

// Answer says what a question came to.
type Answer struct {
	Question string              `json:"question"`
	Verdict  proofnumber.Verdict `json:"verdict"`
	Nodes    uint64              `json:"nodes"`
	Resumed  uint64              `json:"resumed,omitempty"` // of these, those that the ledger had when the question was taken up, by its own lines
	Seconds  float64             `json:"seconds"`           // since then
	Tables   int                 `json:"tables"`            // slices
	Proof    share.Part          `json:"proof"`             // its certificate: of the claim, or of the opposite one

	// Report is what a verification found.
	Report *inspection.Report `json:"report,omitempty"`

	// Built is what a construction came to.
	Built *construction.Tally `json:"built,omitempty"`
}

// Certified tells whether there is a certificate of the answer.
func (a *Answer) Certified() bool { return a.Report == nil && a.Built == nil }

// question is the ID of the question that a line is about. It is empty where a line is about none, as where a
// hub began, or a part has come whose question is lost.
func (e Entry) question() string {
	switch {
	case e.Question != nil:
		return e.Question.ID
	case e.Result != nil:
		return e.Result.Question
	case e.Piece != nil:
		return e.Piece.Question
	case e.Built != nil:
		return e.Built.Question
	case e.Wrong != nil:
		return e.Wrong.Question
	case e.Answer != nil:
		return e.Answer.Question
	case e.Taken != nil:
		return e.Taken.Question
	}
	return ""
}

// hashDigits is the length of a hash in hex.
const hashDigits = 16

// line is an entry with the hash before it.
func (e Entry) line() (string, error) {
	text, err := json.Marshal(e)
	return fmt.Sprintf("%016x %s\n", xxh3.Hash(text), text), err
}

// parseLine reads what line writes.
func parseLine(line string) (e Entry, whole bool) {
	hash, text, found := strings.Cut(line, " ")
	text, ended := strings.CutSuffix(text, "\n")
	if !found || !ended || len(hash) != hashDigits || hash != fmt.Sprintf("%016x", xxh3.HashString(text)) {
		return e, false
	}
	return e, json.Unmarshal([]byte(text), &e) == nil
}
