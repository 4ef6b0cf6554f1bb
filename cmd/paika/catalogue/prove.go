package catalogue

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync/atomic"
	"time"

	"paika/bitboard"
	"paika/internal/lasting"
	"paika/proofs"
	"paika/solver/proofnumber"
	"paika/tablebase"
)

// ClaimDraw is the claim that neither side loses.
const ClaimDraw = "draw"

// treeNodeBytes is about what a node of PN and PN2 takes beside its position.
const treeNodeBytes = 32

// proveBytes is what a proof takes at the least beside its tables, in bytes.
const proveBytes = 64 << 20

// ProveOptions say what to prove and within which limits.
type ProveOptions struct {
	Claim  string // as proofs.ParseClaim reads it, or ClaimDraw
	Method proofnumber.Method

	// Pieces leaves out tables of more than that many. All that are stored are
	// used with bitboard.AllPieces.
	Pieces int

	// Nodes bounds the nodes that this run visits for the claim, or for each of a
	// draw's two, the certificate included; 0 for no limit. Several workers may
	// leave up to 64 nodes each unused.
	Nodes uint64

	// Time bounds the search from when the tables are loaded, the certificates
	// included; 0 for no limit.
	Time time.Duration

	Out      string   // file for the certificate, or empty
	Parts    []string // files of certificates of the same claim about other positions, which are checked first
	Workers  int      // goroutines, at least 1
	Memory   uint64   // bytes that the whole program may take
	Table    uint64   // most bytes of that for the transposition table; 0 for no bound of its own
	Progress func(Progress)

	// Preparing, if it is not nil, is told how the work goes that comes before the
	// search: loading tables, checking parts.
	Preparing func(Work)

	// Notice, if not nil, is told in a sentence what the user should know of, such
	// as that a search can't be saved.
	Notice func(text string)

	// Checkpoints is the folder where a search by df-pn that does not come to its
	// end is saved, and is looked for; none if it is empty. While the search goes on
	// it is saved at intervals, if SaveEvery is not 0.
	Checkpoints string
	SaveEvery   time.Duration
}

func (o *ProveOptions) notice(text string) {
	if o.Notice != nil {
		o.Notice(text)
	}
}

// Proved is what the search for a proof came to.
type Proved struct {
	Position string  `json:"position"`
	Claim    string  `json:"claim"`
	Result   string  `json:"result"` // "proved", "refuted" or "undecided"
	Method   string  `json:"method"`
	Tables   int     `json:"tables"` // slices that the search had in memory
	Nodes    uint64  `json:"nodes"`  // of the runs before that it went on from, too
	Seconds  float64 `json:"seconds"`
	Resumed  uint64  `json:"resumed"` // nodes of the runs before that it went on from

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
}

// Certificate is a certificate that was written.
type Certificate struct {
	Claim     string `json:"claim"`
	File      string `json:"file"`
	Positions uint64 `json:"positions"`
	Bytes     int64  `json:"bytes"`
}

// Prove searches for a proof of a claim about a position, with what tables a
// folder has, and writes the certificate of a claim that holds. A draw has two,
// Out with "." and the side's name for each side.
//
// A search that ends undecided, by its limits or the context, is saved as the
// options say; what is known of it then is given beside the context's error. One
// that goes on from what was saved believes none of it: the answer rests on a
// proof that was put together anew.
//
// Parts are checked before any search; one that is not valid is an
// *InvalidPartError. Errors wrap ErrMemory before any search, too, and ErrUndecided where the claim
// holds and its certificate takes more than the limits. They wrap
// checkpoint.ErrFormat or checkpoint.ErrOther where what is saved can't be used,
// and lasting.ErrLocked where another search has it. A *checkpoint.SaveError
// stands beside the result, and beside another error if there is one.
func (n *instance[P]) Prove(ctx context.Context, dir, position string, o ProveOptions) (Proved, error) {
	began := time.Now()
	q, err := n.question(position, o)
	if err != nil {
		return Proved{}, err
	}
	defer discard(q.files)
	p, err := n.openProver(ctx, dir, o)
	if err != nil {
		return Proved{}, err
	}
	defer p.Close()
	return p.answer(ctx, q, began)
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
	*instance[P]
	options ProveOptions
	shelf   *shelf[P]
	parts   []proofs.Part
	lemmas  []proofnumber.Lemma[P] // that the parts prove
	checked []Checked              // the parts
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
	parts, err := n.openParts(ctx, o)
	if err != nil {
		return nil, err
	}
	defer closeAll(parts)
	tables := 0 // of the search
	s, bytes, err := n.openShelf(ctx, dir, o.Workers, o.Memory, proveBytes, n.storedWith(n.stored(o.Pieces), parts, &tables), o.Preparing)
	if err != nil {
		return nil, err
	}
	p := &openProver[P]{instance: n, options: o, shelf: s}
	if err := p.takeParts(ctx, parts, bytes, tables); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

func (p *openProver[P]) Prove(ctx context.Context, position string) (Proved, error) {
	began := time.Now()
	q, err := p.question(position, p.options)
	if err != nil {
		return Proved{}, err
	}
	defer discard(q.files)
	return p.answer(ctx, q, began)
}

func (p *openProver[P]) Close() { p.shelf.free() }

// question is a claim about a position, and the files for its certificates.
type question[P comparable] struct {
	*instance[P] // that names sides as the claim does
	position     string
	root         P
	side         bitboard.Side // to move
	claims       []proofs.Claim
	files        []*lasting.File
}

func (n *instance[P]) question(position string, o ProveOptions) (*question[P], error) {
	q := new(question[P])
	var err error
	if q.root, q.side, err = n.parse(position); err != nil {
		return nil, err
	}
	q.position = n.game.Format(q.root, q.side)
	q.instance, q.side = n.claiming(q.root, q.side)
	if q.claims, err = q.instance.claims(o.Claim); err != nil {
		return nil, err
	}
	q.files, err = certificateFiles(o.Out, q.claims, q.game.SideName, o.Parts)
	return q, err
}

// answer searches for the proof.
func (open *openProver[P]) answer(ctx context.Context, q *question[P], began time.Time) (Proved, error) {
	o := open.options
	p := &prover[P]{instance: q.instance, shelf: open.shelf, root: q.root, side: q.side, parts: open.parts, lemmas: open.lemmas}
	if err := p.open(o, o.Memory-p.allBytes(p.shelf.named)); err != nil {
		return Proved{}, err
	}
	defer p.table.Close()
	c, err := p.openCheckpoint(ctx, o, began)
	if err != nil {
		return Proved{}, err
	}
	result := Proved{
		Position: q.position, Claim: o.Claim, Method: o.Method.String(),
		Result: proofnumber.Undecided.String(), Tables: len(p.shelf.tables), Parts: open.checked, Certificates: []Certificate{},
	}
	stop := p.watch(o.Progress)
	err = p.proveAll(ctx, q.claims, q.files, o.Time, &result)
	stop()
	result.Nodes, result.Seconds, result.Resumed = p.search.Nodes(), c.seconds(), p.search.Resumed()
	if result.Resumed < c.resumed {
		o.notice(c.file.Path() + " held what is not true: the search began anew")
	}
	done := err == nil && result.Result != proofnumber.Undecided.String()
	var saving error
	if result.Checkpoint, saving = c.finish(ctx, done); saving != nil {
		err = errors.Join(err, saving)
	}
	return result, err
}

// claims reads a claim, which for a draw is two.
func (n *instance[P]) claims(text string) ([]proofs.Claim, error) {
	if text == ClaimDraw {
		return []proofs.Claim{{Side: 0}, {Side: 1}}, nil
	}
	if text == "" {
		first, second := n.game.SideName(0), n.game.SideName(1)
		return nil, &ParameterError{"claim", fmt.Errorf("--claim is missing: want SIDE-wins or SIDE-not-lost, with %s or %s for the side, or %s", first, second, ClaimDraw)}
	}
	claim, err := proofs.ParseClaim(text, n.game.SideName)
	if err != nil {
		return nil, &ParameterError{"claim", fmt.Errorf("%w, or %s", err, ClaimDraw)}
	}
	return []proofs.Claim{claim}, nil
}

// naming gives the instance as the text of a claim names sides.
func (n *instance[P]) naming(claim string) *instance[P] {
	if _, err := proofs.ParseClaim(claim, n.game.SideName); err == nil {
		return n
	}
	if game, ok := n.game.(bitboard.Colourless[P]); ok {
		players := *n
		players.game = game.ByPlayers()
		if _, err := proofs.ParseClaim(claim, players.game.SideName); err == nil {
			return &players
		}
	}
	return n
}

// claiming gives the instance and the side to move as claims about a position
// name them: by players where the opening is still to be played.
func (n *instance[P]) claiming(p P, s bitboard.Side) (*instance[P], bitboard.Side) {
	game, ok := n.game.(bitboard.Colourless[P])
	if !ok {
		return n, s
	}
	mover, _ := game.Players(p, s)
	if mover == n.game.SideName(s) {
		return n, s
	}
	players := *n
	players.game = game.ByPlayers()
	if mover == players.game.SideName(0) {
		return &players, 0
	}
	return &players, 1
}

// stored picks the tables of at most that many pieces, each slice in the metric
// that takes less memory.
func (n *instance[P]) stored(pieces int) func(*tablebase.Store) ([]proofs.Table, error) {
	return func(store *tablebase.Store) ([]proofs.Table, error) {
		small := make(map[string]bool)
		if pieces != bitboard.AllPieces {
			groups, err := n.groupsUpTo(pieces)
			if err != nil {
				return nil, err
			}
			for _, name := range n.names(groups) {
				small[name] = true
			}
		}
		var named []proofs.Table
		taken := make(map[string]bool)
		for _, m := range metrics {
			for _, info := range store.Slices(m) {
				if taken[info.Name] || pieces != bitboard.AllPieces && !small[info.Name] {
					continue
				}
				taken[info.Name] = true
				named = append(named, proofs.Table{Slice: info.Name, Metric: m.String(), Checksum: info.Fingerprint})
			}
		}
		return named, nil
	}
}

// prover searches for proofs of claims about one position.
type prover[P comparable] struct {
	*instance[P]
	shelf  *shelf[P]
	root   P
	side   bitboard.Side // to move
	parts  []proofs.Part
	lemmas []proofnumber.Lemma[P] // that the parts prove
	table  *proofnumber.Table
	search *proofnumber.Search[P]
	doing  atomic.Pointer[doing]
}

// open divides memory, in bytes, among what the search holds. Garbage gets what
// is left.
func (p *prover[P]) open(o ProveOptions, memory uint64) (err error) {
	share := memory / 2
	if o.Table > 0 {
		share = min(share, o.Table)
	}
	if o.Method != proofnumber.DFPN {
		share = memory / 8 // and as much for the tree, which is held twice where it grows
	}
	options := p.searchOptions(p.shelf, o.Method, memory/8)
	options.Workers, options.Nodes, options.Sets, options.Lemmas = o.Workers, o.Nodes, memory/8*3, p.lemmas
	if p.table, err = proofnumber.NewTable(share); err != nil {
		return err
	}
	if p.search, err = proofnumber.New(p.game, p.table, options); err != nil {
		p.table.Close()
	}
	return err
}

// searchOptions are those of every search for a proof: what the game knows, the
// tables, and the bytes for the tree of PN and PN2.
func (n *instance[P]) searchOptions(s *shelf[P], method proofnumber.Method, tree uint64) proofnumber.Options[P] {
	options := proofnumber.Options[P]{
		Method: method, Estimate: n.begin,
		TreeNodes: int(tree / uint64(reflect.TypeFor[P]().Size()+treeNodeBytes)),
	}
	if len(s.tables) > 0 {
		options.Tables = proofnumber.NewMemory(n.game, s.tables)
	}
	return options
}

// proveAll proves claims that hold together, until one is refuted, and writes
// the certificates of those that are proved.
func (p *prover[P]) proveAll(ctx context.Context, claims []proofs.Claim, files []*lasting.File, limit time.Duration, result *Proved) error {
	searching := ctx
	if limit != 0 {
		var cancel context.CancelFunc
		searching, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	all := proofnumber.Proved
	for i, claim := range claims {
		p.doing.Store(&doing{claim: claim})
		verdict, err := p.decide(searching, claim)
		result.Claims = append(result.Claims, p.progress(claim, verdict))
		if err != nil {
			return err
		}
		if verdict == proofnumber.Proved && files != nil {
			p.doing.Store(&doing{claim: claim, writing: true})
			c, err := p.certify(searching, claim, files[i])
			if err != nil {
				return err
			}
			result.Certificates = append(result.Certificates, c)
		}
		if verdict != proofnumber.Proved {
			all = verdict
		}
		if verdict == proofnumber.Refuted {
			break
		}
	}
	if all == proofnumber.Proved && len(result.Certificates) > 0 {
		result.Certificate = &result.Certificates[0].File
	}
	result.Result = all.String()
	return nil
}

// decide tells whether a claim is proved or refuted. Where the time ends, it is
// undecided.
func (p *prover[P]) decide(ctx context.Context, claim proofs.Claim) (proofnumber.Verdict, error) {
	side, holds := attacker(claim)
	r, err := p.search.Solve(ctx, p.root, side == p.side)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return proofnumber.Undecided, nil
	case err != nil:
		return proofnumber.Undecided, err
	}
	return result(r.Verdict, holds), nil
}

// certify writes the certificate of a claim that was proved.
func (p *prover[P]) certify(ctx context.Context, claim proofs.Claim, file *lasting.File) (Certificate, error) {
	c := Certificate{Claim: claim.Text(p.game.SideName), File: file.Path()}
	w, err := proofs.NewWriter(file, p.game, proofs.Header{
		Setting: proofs.Setting(p.identity), Claim: c.Claim, Root: p.game.Format(p.root, p.side), Tables: p.shelf.named, Parts: p.parts,
	})
	if err != nil {
		return c, err
	}
	side, holds := attacker(claim)
	r, err := p.search.Extract(ctx, p.root, side == p.side, func(s proofnumber.Step[P]) error {
		c.Positions++
		mover := side
		if !s.AttackerMoves {
			mover = side.Other()
		}
		return w.Add(proofs.Step[P]{Position: s.Position, Side: mover, Chosen: s.Chosen, To: s.To, Rank: s.Rank})
	})
	late := errors.Is(err, context.DeadlineExceeded)
	if err != nil && !late {
		return c, fmt.Errorf("certificate of %s: %w", c.Claim, err)
	}
	if late || r.Verdict != holds {
		return c, fmt.Errorf("%w: %s is proved, its certificate takes more", ErrUndecided, c.Claim)
	}
	if err := w.Close(); err != nil {
		return c, err
	}
	c.Bytes, err = file.Keep()
	return c, err
}
