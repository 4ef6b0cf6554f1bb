package wire

import (
	"errors"

	"paika/cmd/paika/hub/tables"
	"paika/proofs"
	"paika/tablebase/verify"
)

// Coming tells workers of a question for which the hub loads tables: there will be jobs.
type Coming struct {
	Setting proofs.Setting `json:"setting"`
	Claim   string         `json:"claim"`
	Tables  []proofs.Table `json:"tables"` // by the fingerprints that are stored with them
}

// TablesAsk asks which tables a task is for, or for one of them as a file.
type TablesAsk struct {
	Tables string        `json:"tables"` // the fingerprint of the task
	File   *proofs.Table `json:"file,omitempty"`
}

// TablesOffer is the answer.
type TablesOffer struct {
	Refusal
	Offered bool           `json:"offered"` // a question is searched with such tables
	Tables  []proofs.Table `json:"tables,omitempty"`
	Ticket  *tables.Ticket `json:"ticket,omitempty"` // none yet: the file is being made
	Waits   string         `json:"waits,omitempty"`  // why it can't be made now
}

// ErrNotOffered says that no question is at work with the tables of a task any more.
var ErrNotOffered = errors.New("the hub has no such tables")

// LentTable is how a table is asked for.
func LentTable(t verify.Table) proofs.Table {
	return proofs.Table{Slice: t.Slice, Metric: t.Metric, Checksum: t.Stored}
}
