package inspection

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"paika/proofs"
	"paika/tablebase/verify"
)

// Task is a piece as it travels.
type Task struct {
	Job     string         `json:"job"` // the digest of all else
	Setting proofs.Setting `json:"setting"`
	Version string         `json:"version"` // of the program
	Group   verify.Group   `json:"group"`

	// Slice is one of the group with the indices from Low up to High; empty for what takes
	// the group as a whole.
	Slice string `json:"slice,omitempty"`
	Low   uint64 `json:"low,omitempty"`
	High  uint64 `json:"high,omitempty"`

	// Not is a worker that is not to do it: the tables are its own.
	Not string `json:"not,omitempty"`
}

// named is the task with its name.
func (t Task) named() Task {
	t.Job = ""
	t.Job = NameOf(t)
	return t
}

// NameOf is the name of a job: a digest of all that its task says, which is plain text.
func NameOf(task any) string {
	text, err := json.Marshal(task)
	if err != nil {
		panic("inspection: a task is plain text: " + err.Error())
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

func (t Task) String() string {
	if t.Slice == "" {
		return fmt.Sprintf("the group of %s in %s", t.Group.Slices[0], t.Group.Metric)
	}
	return fmt.Sprintf("%s in %s, indices %d to %d", t.Slice, t.Group.Metric, t.Low, t.High)
}

// Answer is what a worker says of a task.
type Answer struct {
	Sums  verify.Sums `json:"sums"`            // of a share
	Quiet []uint64    `json:"quiet,omitempty"` // of a group: see verify.Found
	Found uint64      `json:"found"`           // findings
	First string      `json:"first,omitempty"` // of them, in a sentence
}

// same tells whether two answers say the same.
func (a *Answer) same(b *Answer) bool {
	return a.Sums == b.Sums && a.Found == b.Found && slices.Equal(a.Quiet, b.Quiet)
}

// Pieces derives tasks of one group: a *verify.Pieces.
type Pieces interface {
	Share(ctx context.Context, slice string, lo, hi uint64, moved func(indices uint64)) (verify.Found, error)
	Ground(ctx context.Context, workers int, moved func(indices uint64)) (verify.Found, error)
	Spent() bool
}

// Do derives a task. Moved is told how far it comes, from several goroutines. What takes
// a group as a whole is done by so many goroutines. Errors: those of the pieces.
func (t Task) Do(ctx context.Context, p Pieces, workers int, moved func(indices uint64)) (Answer, error) {
	var found verify.Found
	var err error
	if t.Slice == "" {
		found, err = p.Ground(ctx, workers, moved)
	} else {
		found, err = p.Share(ctx, t.Slice, t.Low, t.High, moved)
	}
	a := Answer{Sums: found.Sums, Quiet: found.Quiet, Found: found.Total}
	if len(found.Findings) > 0 {
		a.First = found.Findings[0].String()
	}
	return a, err
}
