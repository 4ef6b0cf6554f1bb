package prover

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"paika/bitboard"
	"paika/internal/lasting"
	"paika/proofs"
	"paika/solver/proofnumber"
)

// Options are the limits of searching for proofs.
type Options struct {
	Method proofnumber.Method

	// Nodes bounds the nodes that one call visits for each claim, the certificate
	// included; 0 for no limit. Several workers may leave up to 64 nodes each unused.
	Nodes uint64

	// Time bounds the search of one call, the certificates included, once what was saved is
	// loaded; 0 for no limit.
	Time time.Duration

	Workers int    // goroutines, at least 1
	Memory  uint64 // bytes that the whole program may take, tables included
	Table   uint64 // most bytes of that for the transposition table; 0 for no bound of its own

	// Notice, if not nil, is told in a sentence what the user should know of, such
	// as that a search can't be saved. It is called by one goroutine at a time.
	Notice func(text string)

	// Checkpoints is the folder where a search by df-pn that does not come to its
	// end is saved, and is looked for; none if it is empty. While the search goes on
	// it is saved at intervals, if SaveEvery is not 0.
	Checkpoints string
	SaveEvery   time.Duration
}

func (o *Options) notice(text string) {
	if o.Notice != nil {
		o.Notice(text)
	}
}

// Prover searches for proofs about one position after the other, with the tables of
// one shelf. It is for one goroutine.
type Prover[P comparable] struct {
	of      Subject[P]
	shelf   *Shelf[P]
	hints   *Shelf[P] // nil for none
	options Options
	parts   []proofs.Part
	lemmas  []proofnumber.Lemma[P] // that the parts prove
}

// New makes a prover that relies on the tables of a shelf, which must stay as it is.
func New[P comparable](of Subject[P], shelf *Shelf[P], o Options) *Prover[P] {
	return &Prover[P]{of: of, shelf: shelf, options: o}
}

// Hint has searches be guided by other tables, on which no certificate rests: they tell
// what need not be tried. The shelf must stay as it is.
func (p *Prover[P]) Hint(shelf *Shelf[P]) { p.hints = shelf }

// Rely has searches rely on what a certificate proves, and their own certificates name
// it. The caller has checked it. Errors are of its root and claim.
func (p *Prover[P]) Rely(file *proofs.File) error {
	position, side, err := p.of.Game.Parse(file.Header.Root)
	if err != nil {
		return err
	}
	claim, err := proofs.ParseClaim(file.Header.Claim, p.of.Game.SideName)
	if err != nil {
		return err
	}
	attacks, holds := attacker(claim)
	p.parts = append(p.parts, file.Part())
	p.lemmas = append(p.lemmas, proofnumber.Lemma[P]{Position: position, AttackerMoves: attacks == side, Verdict: holds})
	return nil
}

// Question is whether claims about a position hold together.
type Question[P comparable] struct {
	Root   P
	Side   bitboard.Side // to move
	Claims []proofs.Claim

	// Files take the certificates of the claims, one each; nil for none. The caller
	// discards those that are not kept.
	Files []*lasting.File

	// Completing says that the certificates are completed next, each in its place. The file that saves
	// the search then tells which they are until Answer.Saved has come to its end, and a question that
	// finds them does not search again.
	Completing bool

	// Game, if not nil, is the subject's with the names for the sides that the claims
	// have.
	Game bitboard.Game[P]

	// Began is when the work for this question began, loading included: seconds count
	// from there. The zero time stands for now.
	Began time.Time

	// Progress, if not nil, is told now and then how far the search has come.
	Progress func(Progress[P])

	// Tell, if not nil, is told the answer of a search that has one, and completes nothing, before what
	// was saved of it goes. Its error has the search saved, as one that is not at its end, and is that of
	// Prover.Prove.
	Tell func(*Answer[P]) error
}

// game is the one that names sides as the claims do.
func (q *Question[P]) game(of Subject[P]) bitboard.Game[P] {
	if q.Game == nil {
		return of.Game
	}
	return q.Game
}

// Answer is what a search came to.
type Answer[P comparable] struct {
	Verdict  proofnumber.Verdict // on all claims together
	Claims   []ClaimState[P]     // those that were begun, in order
	Nodes    uint64              // of the runs before that it went on from, too
	Resumed  uint64              // nodes of the runs before that it went on from
	Seconds  float64             // likewise of all runs
	Searched float64             // of these seconds, what searches and their certificates took; runs before count whole

	// Ends is when Options.Time ends; the zero time where it bounds nothing.
	Ends time.Time

	// Checkpoint is the file from which the same question goes on, where it is
	// undecided or an error came first, and the options allow it.
	Checkpoint string

	Certificates []Certificate

	// Saved has the file by which completing goes on, where Question.Completing asks for it and all
	// claims are proved; nil if nothing is saved. The caller ends it.
	Saved *Saved
}

// Certificate is a certificate that was written.
type Certificate struct {
	Claim     proofs.Claim
	Path      string
	Positions uint64
	Bytes     int64
}

// Prove searches for a proof of the claims, one after the other until one is refuted,
// and writes the certificate of each that holds.
//
// A search that ends undecided, by its limits or the context, is saved as the options
// say; what is known of it then stands beside the context's error. One that goes on
// from what was saved believes none of it: the answer rests on a proof that was put
// together anew.
//
// The answer is nil where no search was begun. Errors wrap ErrUndecided where a claim
// holds and its certificate takes more than the limits, and bitboard.ErrTooManyTurns where all
// hangs on positions that have too many turns. They wrap checkpoint.ErrFormat
// or checkpoint.ErrOther where what is saved can't be used, and lasting.ErrLocked where
// another search has it. A *checkpoint.SaveError stands beside the context's error alone: an answer
// stands without it, and so does another error, and a notice tells of that, and of a checkpoint
// that could not be removed.
func (p *Prover[P]) Prove(ctx context.Context, q Question[P]) (*Answer[P], error) {
	if q.Began.IsZero() {
		q.Began = time.Now()
	}
	q.Game = q.game(p.of)
	a := &attempt[P]{Prover: p, question: q}
	if err := a.open(); err != nil {
		return nil, err
	}
	defer a.table.Close()
	c, err := a.openCheckpoint()
	if err != nil {
		return nil, err
	}
	answer := &Answer[P]{Verdict: proofnumber.Undecided}
	if a.recall(ctx, c, answer) {
		return answer, nil
	}
	if err := a.load(ctx, c); err != nil {
		c.file.Close()
		return nil, err
	}
	before := time.Since(q.Began).Seconds()
	c.resume(ctx)
	stop := a.watch(q.Progress)
	err = a.proveAll(ctx, answer)
	stop()
	c.stop()
	answer.Nodes, answer.Seconds, answer.Resumed = a.search.Nodes(), c.seconds(), a.search.Resumed()
	answer.Searched = answer.Seconds - before
	if answer.Resumed < c.saved.Nodes {
		p.options.notice(c.whyAnew())
	}
	done := err == nil && answer.Verdict != proofnumber.Undecided
	if done && answer.Verdict == proofnumber.Proved && q.Completing {
		answer.Saved = c.certified(ctx, q, answer.Certificates)
		return answer, nil
	}
	if done && q.Tell != nil {
		err = q.Tell(answer)
		done = err == nil
	}
	if done {
		c.forgetReplaced(q, answer.Certificates)
	}
	var saving error
	answer.Checkpoint, saving = c.finish(ctx, done)
	if ended := ctx.Err(); ended != nil && errors.Is(err, ended) {
		return answer, errors.Join(err, saving)
	}
	if saving != nil && c.refused == nil { // which was told when the search began
		p.options.notice(saving.Error())
	}
	return answer, err
}

// attempt is the search for the proof of one question.
type attempt[P comparable] struct {
	*Prover[P]
	question Question[P]
	table    *proofnumber.Table
	search   *proofnumber.Search[P]
	doing    atomic.Pointer[doing]
}

// open divides memory among what the search holds. Garbage gets what is left.
func (a *attempt[P]) open() (err error) {
	o := a.options
	memory := o.Memory - a.shelf.Bytes()
	if a.hints != nil {
		memory -= a.hints.Bytes()
	}
	share, tree := memory/2, memory/8 // a tree is held twice where it grows
	if o.Method != proofnumber.DFPN {
		share = tree
	}
	if o.Table > 0 {
		share, tree = min(share, o.Table), min(tree, o.Table)
	}
	options := a.of.Search(a.shelf, o.Method, tree)
	a.hint(&options)
	options.Workers, options.Nodes, options.Sets, options.Lemmas = o.Workers, o.Nodes, memory/8*3, a.lemmas
	if a.table, err = proofnumber.NewTable(share); err != nil {
		return err
	}
	if a.search, err = proofnumber.New(a.question.Game, a.table, options); err != nil {
		a.table.Close()
	}
	return err
}

// memoryFor is what the program is to have for a transposition table of that many bytes.
func (a *attempt[P]) memoryFor(table uint64) uint64 {
	memory := 2*table + a.shelf.Bytes()
	if a.hints != nil {
		memory += a.hints.Bytes()
	}
	return memory
}

// hint gives the search the hints that there are.
func (a *attempt[P]) hint(options *proofnumber.Options[P]) {
	if a.hints == nil || len(a.hints.Tables()) == 0 {
		return
	}
	options.Hints = a.hints.values()
	_, options.Sought = attacker(a.question.Claims[0])
}

// proveAll proves claims that hold together, until one is refuted, and writes
// the certificates of those that are proved.
func (a *attempt[P]) proveAll(ctx context.Context, answer *Answer[P]) error {
	if answer.Ends = a.ends(); !answer.Ends.IsZero() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, answer.Ends)
		defer cancel()
	}
	all := proofnumber.Proved
	for i, claim := range a.question.Claims {
		a.doing.Store(&doing{claim: claim})
		verdict, err := a.decide(ctx, claim)
		answer.Claims = append(answer.Claims, a.state(claim, verdict))
		if err != nil {
			return err
		}
		if verdict == proofnumber.Proved && a.question.Files != nil {
			a.doing.Store(&doing{claim: claim, writing: true})
			c, err := a.certify(ctx, claim, a.question.Files[i])
			if err != nil {
				return err
			}
			answer.Certificates = append(answer.Certificates, c)
		}
		if verdict != proofnumber.Proved {
			all = verdict
		}
		if verdict == proofnumber.Refuted {
			break
		}
	}
	answer.Verdict = all
	return nil
}

// ends is when the time ends that begins now; the zero time where there is no limit.
func (a *attempt[P]) ends() (at time.Time) {
	if a.options.Time != 0 {
		at = time.Now().Add(a.options.Time)
	}
	return at
}

// decide tells whether a claim is proved or refuted. Where the time ends, it is
// undecided.
func (a *attempt[P]) decide(ctx context.Context, claim proofs.Claim) (proofnumber.Verdict, error) {
	side, holds := attacker(claim)
	r, err := a.search.Solve(ctx, a.question.Root, side == a.question.Side)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return proofnumber.Undecided, nil
	case err != nil:
		return proofnumber.Undecided, bitboard.NameTooMany(a.question.Game, a.question.Side, err)
	}
	return result(r.Verdict, holds), nil
}

// certify writes the certificate of a claim that was proved.
func (a *attempt[P]) certify(ctx context.Context, claim proofs.Claim, file *lasting.File) (Certificate, error) {
	game, root := a.question.Game, a.question.Root
	c := Certificate{Claim: claim, Path: file.Path()}
	text := claim.Text(game.SideName)
	w, err := proofs.NewWriter(file, game, proofs.Header{
		Setting: proofs.Setting(a.of.Identity), Claim: text, Root: game.Format(root, a.question.Side), Tables: a.shelf.Named(), Parts: a.parts,
	}, a.options.Workers)
	if err != nil {
		return c, err
	}
	defer w.Discard()
	side, holds := attacker(claim)
	r, err := a.search.Extract(ctx, root, side == a.question.Side, func(s proofnumber.Step[P]) error {
		c.Positions++
		mover := side
		if !s.AttackerMoves {
			mover = side.Other()
		}
		return w.Add(proofs.Step[P]{Position: s.Position, Side: mover, Chosen: s.Chosen, To: s.To, Rank: s.Rank})
	})
	late := errors.Is(err, context.DeadlineExceeded)
	if err != nil && !late {
		return c, fmt.Errorf("certificate of %s: %w", text, bitboard.NameTooMany(game, a.question.Side, err))
	}
	if late || r.Verdict != holds {
		return c, fmt.Errorf("%w: %s is proved, its certificate takes more", ErrUndecided, text)
	}
	if err := w.Close(); err != nil {
		return c, err
	}
	c.Bytes, err = file.Keep()
	return c, err
}
