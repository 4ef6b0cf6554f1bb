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
// hub's mutex is held in all methods but those of lender, conclude and close.
type pursuit interface {
	lender

	// next gives a job out that a worker may have, for the zero speaker one that any worker may;
	// putBack takes back one that no longer is out, and wanted tells whether a result of it can still
	// matter.
	next(who speaker) (wire.Job, bool)
	putBack(j wire.Job)
	wanted(j wire.Job) bool

	// awaits tells whether a result by the name of a job can matter that an earlier start of the
	// hub gave out.
	awaits(job string) bool

	// known tells whether conclude can put the answer together, standing how far it is, and openings what
	// is known turn by turn: they may be thousands, and are for who asks about the question alone. Stuck says
	// why that will never be, where no job is out any more; nil as long as it may be.
	known() bool
	stuck() error
	standing() wire.Standing
	openings() []share.Opening

	// judge does with a result what is to be done, and replies. Where that takes time, it gives the
	// rest of it: later is for after the mutex, and has the reply.
	judge(h *Hub, q *question, r *result) (reply wire.Reply, later func() wire.Reply)

	// believes tells whether what a worker says counts, by its identity. One that is believed no more
	// is given no job.
	believes(worker string) bool

	// giveUp has something else done about a job of which nothing comes.
	giveUp(h *Hub, g *outJob, why string) error

	// needed names the tables, one by one, that jobs may still need, whose files are kept as long as they do.
	needed() []proofs.Table

	// bytes is the memory of what it has beside tables, and fingerprint that of the tables that it
	// takes.
	bytes() uint64
	fingerprint() string

	// conclude puts the answer together, a certificate in a file of its own from parts by
	// their digests. It may be called again after an error. The mutex is not held.
	conclude(ctx context.Context, file string, part func(digest string) string) (ledger.Answer, error)

	// close frees what it has. The mutex is not held.
	close()
}

// A lender lends the tables of a question that is at work. The hub's mutex is not held: writing one
// takes time.
type lender interface {
	// file is the name under which one is offered, and export writes it. To load is the same in this
	// process, where workers derive values again.
	file(t proofs.Table) string
	export(ctx context.Context, t proofs.Table, out io.Writer) error
	load(ctx context.Context, t proofs.Table, into *bitboard.Table) error
}

// unlisted says that a question has no such table.
func unlisted(t proofs.Table) error {
	return fmt.Errorf("%w: there is no table %s", share.ErrOther, bitboard.Shorten(fmt.Sprint(t)))
}
