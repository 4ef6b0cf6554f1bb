package hub

import (
	"context"
	"fmt"
	"io"

	"paika/bitboard"
	"paika/cmd/paika/hub/ledger"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/proofs"
)

// A pursuit is a question at work. What differs between the kinds of questions is here;
// handing jobs out, leases, and what becomes of a hub that is stopped are the same. The
// hub's mutex is held in all methods but conclude, named, file, export, load and close.
type pursuit interface {
	// next gives a job out, putBack takes back one that no longer is, and wanted tells
	// whether a result of it can still matter.
	next() (wire.Job, bool)
	putBack(j wire.Job)
	wanted(j wire.Job) bool

	// awaits tells whether a result by the name of a job can matter that an earlier start of the
	// hub gave out.
	awaits(job string) bool

	// known tells whether conclude can put the answer together, standing how far it is. Stuck says
	// why that will never be, where no job is out any more; nil as long as it may be.
	known() bool
	stuck() error
	standing() wire.Standing

	// judge does with a result what is to be done. It lets the mutex go.
	judge(h *Hub, q *asked, r *heard) wire.Reply

	// giveUp has something else done about a job of which nothing comes.
	giveUp(h *Hub, g *given, why string) error

	// conclude puts the answer together, a certificate in a file of its own from parts by
	// their digests. It may be called again after an error.
	conclude(ctx context.Context, file string, part func(digest string) string) (ledger.Answer, error)

	// bytes is the memory of what it has beside tables.
	bytes() uint64

	// fingerprint is that of the tables that it takes, named names them one by one,
	// file is the name under which one is offered, and export writes it. To load is the same
	// in this process, where workers derive values again.
	fingerprint() string
	named() []proofs.Table
	file(t proofs.Table) string
	export(ctx context.Context, t proofs.Table, out io.Writer) error
	load(ctx context.Context, t proofs.Table, into *bitboard.Table) error

	// close frees what it has.
	close()
}

// unlisted says that a question has no such table.
func unlisted(t proofs.Table) error {
	return fmt.Errorf("%w: there is no table %s", share.ErrOther, bitboard.Shorten(fmt.Sprint(t)))
}
