package catalogue

import (
	"context"
	"time"

	"paika/cmd/paika/prover"
	"paika/proofs"
	"paika/proofs/complete"
	"paika/solver/proofnumber"
)

// ProveOptions say what to prove and within which limits.
type ProveOptions struct {
	Claim  string // as proofs.ParseClaim reads it, or ClaimDraw
	Method proofnumber.Method

	// Pieces leaves out tables of more than that many. All that are stored are
	// used with bitboard.AllPieces.
	Pieces int

	// Hints are tables of more than Pieces and at most so many: they tell where the claim
	// does not hold, and no certificate rests on them. 0 for none.
	Hints int

	// Nodes bounds the nodes that this run visits for the claim, or for each of a
	// draw's two, the certificate included; 0 for no limit. Several workers may
	// leave up to 64 nodes each unused.
	Nodes uint64

	// Time bounds the search from when the tables and what was saved are loaded, the
	// certificates included, and what completes them; 0 for no limit.
	Time time.Duration

	Out      string   // file for the certificate, or empty
	Complete bool     // that goes on below the tables, to the end of the game; wants Out
	Parts    []string // files of certificates of the same claim about other positions, which are checked first
	Workers  int      // goroutines, at least 1
	Memory   uint64   // bytes that the whole program may take
	Table    uint64   // most bytes of that for the transposition table; 0 for no bound of its own
	Progress func(Progress)

	// Preparing, if it is not nil, is told how the work goes that comes before the
	// search: loading tables, checking parts.
	Preparing func(prover.Work)

	// Completing, likewise, is told how the work goes that comes behind it, with
	// Complete.
	Completing func(prover.Work)

	// Notice, if not nil, is told in a sentence what the user should know of, such
	// as that a search can't be saved.
	Notice func(text string)

	// Tell, if not nil, is told a result that is decided, before what was saved of it goes. Its error is
	// that of the call, and what is saved stays then.
	Tell func(Proved) error

	// Checkpoints is the folder where a search by df-pn that does not come to its
	// end is saved, and is looked for; none if it is empty. While the search goes on
	// it is saved at intervals, if SaveEvery is not 0.
	Checkpoints string
	SaveEvery   time.Duration
}

// prover is what the search is told.
func (o *ProveOptions) prover() prover.Options {
	return prover.Options{
		Method: o.Method, Nodes: o.Nodes, Time: o.Time, Workers: o.Workers, Memory: o.Memory, Table: o.Table,
		Notice: o.Notice, Checkpoints: o.Checkpoints, SaveEvery: o.SaveEvery,
	}
}

// Proved is what the search for a proof came to.
type Proved struct {
	Position string              `json:"position"`
	Claim    string              `json:"claim"`
	Result   proofnumber.Verdict `json:"result"`
	Method   string              `json:"method"`
	Tables   int                 `json:"tables"` // slices that the search had in memory
	Hints    int                 `json:"hints"`  // slices that it had as hints, beside those
	Nodes    uint64              `json:"nodes"`  // of the runs before that it went on from, too
	Seconds  float64             `json:"seconds"`
	Searched float64             `json:"search_seconds"` // of Seconds, but for a hub, of which it is the time since it took the question up: tables were loaded and parts checked before, certificates are completed after
	Resumed  uint64              `json:"resumed"`        // nodes of the runs before that it went on from
	Timed    uint64              `json:"-"`              // nodes that Searched is the time of: with a hub, without those of runs before

	// Checkpoint is the file from which the same call goes on, where the result
	// is undecided or an error came first, and the options allow it.
	Checkpoint string `json:"checkpoint,omitempty"`

	// Parts are the certificates that were checked, and found valid, for the proof
	// to rely on.
	Parts []Checked `json:"parts,omitempty"`

	Claims []ClaimProgress `json:"claims"` // one, or a draw's two; those that were begun

	// Certificate is the file that was written, for a draw the first of two;
	// nil where there is none of the whole claim.
	Certificate  *string       `json:"certificate"`
	Certificates []Certificate `json:"certificates"`

	ends  time.Time     // when ProveOptions.Time does, if it bounds anything
	saved *prover.Saved // by which completing goes on; nil if nothing is
}

// Certificate is a certificate that was written.
type Certificate struct {
	Claim     string `json:"claim"`
	File      string `json:"file"`
	Positions uint64 `json:"positions"`
	Bytes     int64  `json:"bytes"`
	Complete  bool   `json:"complete"` // it rests on the rules alone
}

// Prove searches for a proof of a claim about a position, with what tables a
// folder has, and writes the certificate of a claim that holds. A draw has two,
// Out with "." and the side's name for each side. What is known of a search that was
// stopped is given beside the context's error.
//
// With Complete, the certificates of a claim that is proved are completed once they are all
// written, each in its place; what is known then stands beside an error: prover.ErrUndecided where the
// time has ended. The same call then goes on with the certificates, if the options have it saved.
//
// Parts are checked before any search; one that is not valid is a
// *proofs.InvalidPartError. A *prover.MemoryError comes before any search, too. Other
// errors are those of prover.Prover's Prove.
func (n *instance[P]) Prove(ctx context.Context, dir, position string, o ProveOptions) (Proved, error) {
	began := time.Now()
	if o.Complete && len(o.Parts) > 0 {
		return Proved{}, complete.ErrParts
	}
	q, err := n.question(ctx, position, o)
	if err != nil {
		return Proved{}, err
	}
	q.Completing = o.Complete
	defer discard(q.Files)
	p, err := n.openProver(ctx, dir, o)
	if err != nil {
		return Proved{}, err
	}
	defer p.Close()
	if err := p.admitComplete(dir, q.Claims); err != nil {
		return Proved{}, err
	}
	proved, err := p.answer(ctx, q, began)
	if err != nil || !o.Complete || proved.Result != proofnumber.Proved {
		return proved, err
	}
	p.Close()
	err = n.completeProved(ctx, dir, &proved, o)
	if err == nil && o.Tell != nil {
		err = o.Tell(proved)
	}
	if proved.saved != nil {
		proved.Checkpoint = proved.saved.End(err)
	}
	return proved, err
}

// admitComplete fails at once where the certificates could not be completed.
func (p *openProver[P]) admitComplete(dir string, claims []proofs.Claim) error {
	if !p.options.Complete || len(p.shelf.Named()) == 0 {
		return nil
	}
	for _, claim := range claims {
		if err := prover.Admit(p.instance.subject(), dir, p.shelf.Named(), claim.Wins); err != nil {
			return err
		}
	}
	return nil
}

// A Prover searches for proofs about one position after the other, with tables
// that it loaded and parts that it checked once. One goroutine may use it.
type Prover interface {
	// Prove is Instance.Prove.
	Prove(ctx context.Context, position string) (Proved, error)

	// Close frees the tables.
	Close()
}

// openProver is a Prover.
type openProver[P comparable] struct {
	instance *instance[P]
	options  ProveOptions
	shelf    *prover.Shelf[P]
	hints    *prover.Shelf[P]
	prover   *prover.Prover[P]
	checked  []Checked // the parts
}

// Prover loads what tables a folder has, and checks the parts. Its errors are those
// of Prove about tables, parts and options.
func (n *instance[P]) Prover(ctx context.Context, dir string, o ProveOptions) (Prover, error) {
	if _, err := n.naming(o.Claim).claims(o.Claim); err != nil {
		return nil, err
	}
	return n.openProver(ctx, dir, o)
}

func (n *instance[P]) openProver(ctx context.Context, dir string, o ProveOptions) (*openProver[P], error) {
	files, err := openParts(ctx, o)
	if err != nil {
		return nil, err
	}
	defer closeAll(files)
	parts, err := proofs.Arrange(proofs.Setting(n.identity), o.Claim, sources(files))
	if err != nil {
		return nil, err
	}
	// Tables that only the parts need stand behind those of the search and its hints.
	named, relied, searched := n.naming(o.Claim).subject(), 0, 0
	pick := prover.UpTo(named, o.Pieces)
	if o.Hints != 0 {
		pick = prover.Then(pick, prover.UpTo(named, o.Hints), &relied)
	}
	pick = prover.Then(pick, prover.Wanted(proofs.TablesOf(parts)), &searched)
	shelf, err := prover.Load(ctx, named, dir, pick, prover.LoadOptions{
		Workers: o.Workers, Memory: o.Memory, Overhead: prover.ProveBytes, Watch: o.Preparing,
		Ahead: len(parts) == 0, // a check of parts takes whole tables
	})
	if err != nil {
		return nil, wantAllPieces(err)
	}
	p := &openProver[P]{instance: n, options: o, shelf: shelf, prover: prover.New(named, shelf, o.prover())}
	if err := p.takeParts(ctx, parts); err != nil {
		p.Close()
		return nil, err
	}
	shelf.Keep(searched)
	if o.Hints != 0 {
		p.hints = shelf.Split(relied)
		p.prover.Hint(p.hints)
	}
	return p, nil
}

func (p *openProver[P]) Prove(ctx context.Context, position string) (Proved, error) {
	began := time.Now()
	q, err := p.instance.question(ctx, position, p.options)
	if err != nil {
		return Proved{}, err
	}
	defer discard(q.Files)
	return p.answer(ctx, q, began)
}

func (p *openProver[P]) Close() {
	p.shelf.Free()
	if p.hints != nil {
		p.hints.Free()
	}
}

// answer searches for the proof.
func (p *openProver[P]) answer(ctx context.Context, q *question[P], began time.Time) (Proved, error) {
	q.Began = began
	if report := p.options.Progress; report != nil {
		q.Progress = func(at prover.Progress[P]) {
			report(Progress{q.progress(at.ClaimState), at.Nodes, at.Settling, at.Writing})
		}
	}
	if tell := p.options.Tell; tell != nil {
		q.Tell = func(found *prover.Answer[P]) error { return tell(p.result(q, found)) }
	}
	found, err := p.prover.Prove(ctx, q.Question)
	if found == nil {
		return Proved{}, err
	}
	return p.result(q, found), err
}

// result is an answer as it is told.
func (p *openProver[P]) result(q *question[P], found *prover.Answer[P]) Proved {
	result := Proved{
		Position: q.position, Claim: p.options.Claim, Method: p.options.Method.String(), Result: found.Verdict,
		Tables: len(p.shelf.Tables()), Nodes: found.Nodes, Timed: found.Nodes, Seconds: found.Seconds, Searched: found.Searched, Resumed: found.Resumed,
		Checkpoint: found.Checkpoint, Parts: p.checked, Certificates: []Certificate{}, ends: found.Ends, saved: found.Saved,
	}
	if p.hints != nil {
		result.Hints = len(p.hints.Tables())
	}
	for _, state := range found.Claims {
		result.Claims = append(result.Claims, q.progress(state))
	}
	for _, c := range found.Certificates {
		result.Certificates = append(result.Certificates, Certificate{Claim: c.Claim.Text(q.Game.SideName), File: c.Path, Positions: c.Positions, Bytes: c.Bytes})
	}
	if found.Verdict == proofnumber.Proved && len(result.Certificates) > 0 {
		result.Certificate = &result.Certificates[0].File
	}
	return result
}
