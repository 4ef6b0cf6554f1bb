package construction

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"paika/bitboard"
	"paika/cmd/paika/hub/inspection"
	"paika/proofs"
	"paika/tablebase"
	"paika/tablebase/verify"
)

// Order says which tables are to be built: of all positions with at most so many pieces,
// bitboard.AllPieces for all, or those of slices, with all that they need.
type Order struct {
	Metric string `json:"metric"`
	Pieces int    `json:"pieces,omitempty"`
	Slices string `json:"slices,omitempty"` // names with commas between them
}

func (o Order) String() string {
	switch {
	case o.Slices != "":
		return fmt.Sprintf("%s of %s", o.Metric, o.Slices)
	case o.Pieces == 0:
		return o.Metric + " of all positions"
	}
	return fmt.Sprintf("%s of %s", o.Metric, bitboard.Count(o.Pieces, "piece"))
}

// Task is a group of slices as it travels to who builds it.
type Task struct {
	Job     string         `json:"job"` // the digest of all else
	Setting proofs.Setting `json:"setting"`
	Version string         `json:"version"` // of the program

	// Group has the slices that are to be built. Its tables are those that they follow
	// from.
	Group verify.Group `json:"group"`
}

// named is the task with its name.
func (t Task) named() Task {
	t.Job = ""
	t.Job = inspection.NameOf(t)
	return t
}

func (t Task) String() string { return strings.Join(t.Group.Slices, " ") }

// Made is a group as it travels from who built it: flat files one behind the other, in the
// order of the group's slices.
type Made struct {
	Digest string `json:"digest"` // SHA-256 of all of it, 64 hex digits
	Bytes  int64  `json:"bytes"`
	Parts  []Part `json:"parts"`
}

// Tables names the tables of its slices.
func (m Made) Tables(metric string) (tables []verify.Table) {
	for _, p := range m.Parts {
		tables = append(tables, verify.Table{Metric: metric, Slice: p.Slice, Stored: p.Fingerprint})
	}
	return tables
}

// Part is the file of a slice.
type Part struct {
	Slice       string `json:"slice"`
	Bytes       int64  `json:"bytes"`
	Fingerprint string `json:"fingerprint"` // of the values
}

// ErrMade says that what came is no group as the task has it.
var ErrMade = errors.New("it is not the group of the job")

// IsDigest tells whether a text is a SHA-256 in hex digits.
func IsDigest(text string) bool {
	return len(text) == hex.EncodedLen(sha256.Size) && strings.Trim(text, "0123456789abcdef") == ""
}

// Tally is what there is of an order, and what it took.
type Tally struct {
	Slices []tablebase.SliceInfo `json:"slices"` // those that are stored, in the order of the groups
	Asked  int                   `json:"asked"`  // slices
	Disk   uint64                `json:"disk"`   // bytes that the files of all tables of the folder take
	Solved uint64                `json:"solved"` // positions of the groups that were built for it
}

// Progress is how far a construction has come, in groups.
type Progress struct {
	Groups    int `json:"groups"`
	Stored    int `json:"stored"`
	Verifying int `json:"verifying"` // they are built, and being derived again
	Building  int `json:"building"`  // given out
	Waiting   int `json:"waiting"`   // for others that they need, or for a worker

	// Short is the group that needs the most of those for which no worker that is there has the
	// memory. Nil where there is none.
	Short *Short `json:"short,omitempty"`

	// Distrusted says that there are groups to be built, and that each worker that is there was found
	// wrong.
	Distrusted bool `json:"distrusted,omitempty"`

	// Pieces are those of the groups that are being derived again.
	Pieces  int `json:"pieces"`
	Settled int `json:"settled"`
}

// Short tells of memory that is wanting to build a group.
type Short struct {
	Group string `json:"group"` // its slices
	Need  uint64 `json:"need"`  // bytes
	Most  uint64 `json:"most"`  // that a worker has, in bytes
}
