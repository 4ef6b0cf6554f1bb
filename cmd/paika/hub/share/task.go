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

	// Beside is how many others have the job already. The answer does not depend on it.
	Beside uint `json:"beside,omitempty"`
}

// Setting is the game, board and rules that the task is about.
func (t Task) Setting() proofs.Setting {
	return proofs.Setting{Game: t.Game, Board: t.Board, Rules: t.Rules}
}

// newTask names a job.
func newTask(identity jobs.Identity, beside uint) Task { return Task{identity, identity.ID(), beside} }

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
