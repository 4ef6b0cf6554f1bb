package share

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"paika/proofs"
	"paika/solver/jobs"
	"paika/solver/proofnumber"
)

// Task is a job as it travels.
type Task struct {
	jobs.Identity
	Job string `json:"job"` // the name of the identity

	// Before is how many nodes each team has visited of the position, on average, and Beside how many others
	// have the job already. The answer does not depend on them.
	Before uint64 `json:"before,omitempty"`
	Beside uint   `json:"beside,omitempty"`
}

// Setting is the game, board and rules that the task is about.
func (t Task) Setting() proofs.Setting {
	return proofs.Setting{Game: t.Game, Board: t.Board, Rules: t.Rules}
}

// newTask names a job.
func newTask(identity jobs.Identity, before uint64, beside uint) Task {
	return Task{identity, identity.ID(), before, beside}
}

// extractNodes is what a searcher may visit to put the part of a position together, as a multiple of what it
// has visited there, about, and may in the task: what its table has lost, and what others have found and not
// told, is searched again.
const extractNodes = 2

// MostNodes is what a task takes at most: its own nodes, those for the part, and as many as its own to
// find out who was wrong.
func (t Task) MostNodes() uint64 { return 2*t.Nodes + t.partNodes() }

// partNodes is what it takes at most to put the part together.
func (t Task) partNodes() uint64 { return extractNodes * (t.Nodes + t.Before) }

// Found is what a search of a task came to.
type Found struct {
	Verdict proofnumber.Verdict // on the claim of the task, that the attacker wins
	Nodes   uint64
	Turns   []jobs.Turn // what is left behind each turn, and was visited there; none where they are too many to be listed
	Smaller bool        // an undecided one is too much for a task, whatever its nodes
}

// Result is what is known of a position for good: a line of the ledger.
type Result struct {
	Job      string              `json:"job"`
	Claim    string              `json:"claim"` // that the attacker wins
	Position string              `json:"position"`
	Verdict  proofnumber.Verdict `json:"verdict"`
	Nodes    uint64              `json:"nodes"`
	Turns    []jobs.Turn         `json:"turns,omitempty"`   // of an undecided one, and of the position that is asked about
	Smaller  bool                `json:"smaller,omitempty"` // an undecided one is to be split, whoever works at it
	Part     Part                `json:"part,omitzero"`     // where it is decided
}

// Part is a certificate in a file of its own, by its content.
type Part struct {
	Digest    string `json:"digest"`   // SHA-256 of the file, 64 hex digits
	Checksum  string `json:"checksum"` // in its seal
	Positions uint64 `json:"positions"`
	Bytes     int64  `json:"bytes"`
}

// Fingerprint names tables together, in whatever order; "none" where there are none.
func Fingerprint(tables []proofs.Table) string {
	if len(tables) == 0 {
		return "none"
	}
	var lines []string
	for _, t := range tables {
		lines = append(lines, fmt.Sprintf("%s %s %s\n", t.Slice, t.Metric, t.Checksum))
	}
	slices.Sort(lines)
	hash := sha256.New()
	for _, line := range lines {
		hash.Write([]byte(line)) // it never fails
	}
	return hex.EncodeToString(hash.Sum(nil))
}
