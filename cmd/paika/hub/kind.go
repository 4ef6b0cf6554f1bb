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
	"paika/solver/proofnumber"
)

// A pursuit is a question at work. What differs between the kinds of questions is here;
// handing jobs out, leases, and what becomes of a hub that is stopped are the same. The
// hub's mutex is held in all methods but conclude, export and close.
type pursuit interface {
	// next gives a job out, putBack takes back one that no longer is, and wanted tells
	// whether a result of it can still matter.
	next() (wire.Job, bool)
	putBack(j wire.Job)
	wanted(j wire.Job) bool

	// known tells whether conclude can put the answer together, standing how far it is.
	known() bool
	standing() wire.Standing

	// judge does with a result what is to be done. It lets the mutex go.
	judge(h *Hub, q *asked, r *wire.Result) wire.Reply

	// giveUp has something else done about a job of which nothing comes.
	giveUp(h *Hub, g *given, why string) error

	// conclude puts the answer together, a certificate in a file of its own from parts by
	// their digests. It may be called again after an error.
	conclude(ctx context.Context, file string, part func(digest string) string) (ledger.Answer, error)

	// bytes is the memory of what it has beside tables.
	bytes() uint64

	// fingerprint is that of the tables that it takes, named names them one by one,
	// file is the name under which one is offered, and export writes it.
	fingerprint() string
	named() []proofs.Table
	file(t proofs.Table) string
	export(ctx context.Context, t proofs.Table, out io.Writer) error

	// close frees what it has.
	close()
}

// proving is the pursuit of a proof.
type proving struct {
	site  share.Site
	proof share.Proof
	teams func() int // that workers search with
	leave func()     // says that the site is no longer used here
}

func (p *proving) next() (wire.Job, bool) {
	task, found := p.proof.Next(p.teams())
	return wire.Job{Task: &task}, found
}

func (p *proving) putBack(j wire.Job)      { p.proof.Return(*j.Task) }
func (p *proving) wanted(j wire.Job) bool  { return p.proof.Wanted(j.Task.Position) }
func (p *proving) known() bool             { return p.proof.Verdict() != proofnumber.Undecided }
func (p *proving) standing() wire.Standing { return wire.Standing{Progress: p.proof.Progress()} }

func (p *proving) judge(h *Hub, q *asked, r *wire.Result) wire.Reply {
	return h.judgeProof(q, p.proof, r)
}

// giveUp splits the job.
func (p *proving) giveUp(h *Hub, g *given, why string) error {
	h.notice("the job at %s %s and is split", g.Task.Position, why)
	return h.take(g.question, p.proof, share.Result{Job: g.Task.Job, Claim: g.Task.Claim, Position: g.Task.Position, Smaller: true}, "nobody")
}

func (p *proving) conclude(ctx context.Context, file string, part func(digest string) string) (ledger.Answer, error) {
	written, err := p.proof.Write(ctx, file, part)
	if err != nil {
		return ledger.Answer{}, err
	}
	return ledger.Answer{Verdict: p.proof.Verdict(), Nodes: p.proof.Progress().Nodes, Proof: written}, nil
}

func (p *proving) fingerprint() string        { return p.site.Tables() }
func (p *proving) named() []proofs.Table      { return p.site.Named() }
func (p *proving) file(t proofs.Table) string { return t.Checksum }
func (p *proving) bytes() uint64              { return p.proof.Bytes() }
func (p *proving) close()                     { p.leave() }

func (p *proving) export(ctx context.Context, t proofs.Table, out io.Writer) error {
	return p.site.Export(ctx, t, out)
}

// unlisted says that a question has no such table.
func unlisted(t proofs.Table) error {
	return fmt.Errorf("%w: there is no table %s", share.ErrOther, bitboard.Shorten(fmt.Sprint(t)))
}
