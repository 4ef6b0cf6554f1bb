package catalogue

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"paika/bitboard"
	"paika/cmd/paika/prover"
	"paika/proofs"
	"paika/proofs/walk"
)

// Walk is proofs about one instance, to be walked through: certificates that were
// opened, or an extract of some. Nothing is said to be proved before its certificate is
// checked. Methods are safe for concurrent use.
type Walk interface {
	Instance() Instance

	// Prepare has every certificate checked that has no index yet, and makes one. It
	// is called once; other methods can be called meanwhile. Certificates that prove
	// nothing are told by their sources; the error is all their errors. An extract
	// needs no preparing.
	Prepare(ctx context.Context, o WalkOptions) error

	// Sources tell what the proofs are made of, and how the checks go.
	Sources() []ProofSource

	// Prove tells what is proved of a position; the tables, of the same instance, may
	// have none. Errors: a *bitboard.SyntaxError, a *StartError,
	// bitboard.ErrTooManyTurns, what the tables and indexes have.
	Prove(ctx context.Context, t Tables, position string) (Proof, error)

	// WriteExtract writes the first plies of what is proved of the root of each
	// claim, at most so many positions of each. All must be checked, by a program of
	// that version.
	WriteExtract(out io.Writer, most int, program string) error

	Close() error
}

// WalkOptions say how certificates are checked and where their indexes are kept.
type WalkOptions struct {
	Dir      string            // of the tables
	Indexes  string            // folder of the indexes
	Program  string            // version, by which indexes go
	Workers  int               // goroutines, at least 1
	Memory   uint64            // bytes that a check may take, tables included
	Progress func(prover.Work) // if not nil, called now and then
}

// mostChecking bounds, in bytes, what a check takes beside its tables: one with more
// positions goes over the file more than once.
const mostChecking = 1 << 30

// What a ProofSource's Status can be.
const (
	ProofWaiting  = "waiting"  // to be checked
	ProofChecking = "checking" // being checked
	ProofChecked  = "checked"  // it is valid
	ProofFailed   = "failed"   // it is not, or could not be checked: Reason says why
	ProofExtract  = "extract"  // the first plies of one that was checked before
)

// ProofSource is a certificate that a proof is made of.
type ProofSource struct {
	Certificate string         `json:"certificate"` // its file, without the folder
	Claim       string         `json:"claim"`
	Root        string         `json:"root"`
	Start       bool           `json:"start"` // the root is the start position of the game
	Checksum    string         `json:"checksum"`
	Bytes       int64          `json:"bytes"`
	Status      string         `json:"status"`
	Doing       string         `json:"doing"`     // while it is being checked
	Progress    float64        `json:"progress"`  // of that, from 0 to 1
	Reason      string         `json:"reason"`    // why it proves nothing
	Positions   uint64         `json:"positions"` // of the certificate, once it is checked
	Plies       int            `json:"plies"`     // of an extract; 0 for the whole
	Tables      []proofs.Table `json:"tables"`    // that it rests on
	Parts       []proofs.Part  `json:"parts"`     // likewise
	Checked     string         `json:"checked"`   // the day; empty before
	Command     string         `json:"command"`   // that checks the whole anew, in the folder of its file
}

// OpenWalks opens certificates, and makes a walk of those about each instance. A path to which
// a draw was written stands for both of its halves. Errors are those of OpenCertificate and of
// OpenDraw, and wrap proofs.ErrPart.
func OpenWalks(ctx context.Context, paths []string) (walks []Walk, err error) {
	var files []*CertificateFile
	defer func() {
		if err != nil {
			closeAll(files)
		}
	}()
	of := make(map[string][]*CertificateFile)
	var names []string
	for _, path := range paths {
		opened, err := openOneOrHalves(ctx, path)
		if err != nil {
			return nil, err
		}
		files = append(files, opened...)
		name := opened[0].Instance.Folder()
		if of[name] == nil {
			names = append(names, name)
		}
		of[name] = append(of[name], opened...)
	}
	for _, name := range names {
		w, err := of[name][0].Instance.Walk(of[name])
		if err != nil {
			return nil, err
		}
		walks = append(walks, w)
	}
	return walks, nil
}

// openOneOrHalves opens a certificate, or both of a draw.
func openOneOrHalves(ctx context.Context, path string) ([]*CertificateFile, error) {
	file, err := OpenCertificate(ctx, path, nil)
	if err == nil {
		return []*CertificateFile{file}, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	draw, err := OpenDraw(ctx, path)
	if err != nil {
		return nil, err
	}
	return draw.Halves[:], nil
}

// certificateWalk is a Walk.
type certificateWalk[P comparable] struct {
	of     *instance[P]
	groups []*claimWalk[P]
	files  []*CertificateFile

	mu      sync.Mutex
	sources []ProofSource // in the order of the groups and their members
	indexes []*walk.Index // of the sources; nil before
}

// claimWalk is the certificates of one claim.
type claimWalk[P comparable] struct {
	text    string // of the claim
	claim   proofs.Claim
	game    bitboard.Game[P] // that names sides as the claim does
	members []proofs.Source  // parts before what names them
	first   int              // the source of the first member
	proof   *walk.Proof[P]   // nil until some member is checked
	proving []int            // sources of the certificates that the proof is made of
}

// Walk makes a walk of certificates that are about the instance.
func (n *instance[P]) Walk(files []*CertificateFile) (Walk, error) {
	w := &certificateWalk[P]{of: n, files: files}
	of := make(map[string][]proofs.Source)
	var claims []string
	for _, file := range files {
		claim := file.proofs.Header.Claim
		if of[claim] == nil {
			claims = append(claims, claim)
		}
		of[claim] = append(of[claim], file.source())
	}
	for _, claim := range claims {
		named, err := n.claimed(files[slices.IndexFunc(files, func(f *CertificateFile) bool { return f.proofs.Header.Claim == claim })])
		if err != nil {
			return nil, err
		}
		members, err := proofs.Arrange(proofs.Setting(n.identity), claim, of[claim])
		if err != nil {
			return nil, err
		}
		read, err := proofs.ParseClaim(claim, named.game.SideName)
		if err != nil {
			return nil, err
		}
		w.groups = append(w.groups, &claimWalk[P]{text: claim, claim: read, game: named.game, members: members, first: len(w.sources)})
		for _, m := range members {
			w.indexes = append(w.indexes, nil)
			source := named.describeSource(m.Header, filepath.Base(m.Name), m.Part().Checksum, m.Size())
			check := []string{"check", source.Certificate}
			for _, part := range m.Behind(members) {
				check = append(check, filepath.Base(part.Name))
			}
			source.Command = CommandLine(check...)
			w.sources = append(w.sources, source)
		}
	}
	return w, nil
}

// describeSource tells of a certificate that is not checked yet.
func (n *instance[P]) describeSource(h proofs.Header, name, sum string, size int64) ProofSource {
	return ProofSource{
		Certificate: name, Claim: h.Claim, Root: h.Root, Start: n.isStart(h.Root), Checksum: sum, Bytes: size,
		Status: ProofWaiting, Tables: append([]proofs.Table{}, h.Tables...), Parts: append([]proofs.Part{}, h.Parts...),
		Command: CommandLine("check", name),
	}
}

func (w *certificateWalk[P]) Instance() Instance { return w.of }

func (w *certificateWalk[P]) Sources() []ProofSource {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.sources)
}

// update changes what is told of a certificate.
func (w *certificateWalk[P]) update(i int, change func(*ProofSource)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change(&w.sources[i])
}

// Prepare checks what was not checked before.
func (w *certificateWalk[P]) Prepare(ctx context.Context, o WalkOptions) error {
	key, err := walk.LoadKey(o.Indexes)
	if err != nil {
		var all []error
		for _, g := range w.groups {
			for i, m := range g.members {
				all = append(all, &indexError{m.Name, err})
				w.fail(g.first+i, m, all[len(all)-1])
			}
		}
		return errors.Join(all...)
	}
	var all []error
	for _, g := range w.groups {
		all = append(all, w.prepare(ctx, g, key, o))
	}
	return errors.Join(all...)
}

// indexError is what went wrong with the index of a certificate, not with itself.
type indexError struct {
	certificate string
	err         error
}

func (e *indexError) Error() string { return "the index of " + e.certificate + ": " + e.err.Error() }
func (e *indexError) Unwrap() error { return e.err }

// indexing marks an error as one of the index, unless it came from the certificate.
func indexing(m proofs.Source, err error) error {
	var path *os.PathError
	if err == nil || errors.As(err, &path) && path.Path == m.Name {
		return err
	}
	return &indexError{m.Name, err}
}

// fail notes why a certificate proves nothing. One whose check was stopped waits for
// another.
func (w *certificateWalk[P]) fail(i int, m proofs.Source, err error) {
	if errors.Is(err, context.Canceled) {
		w.update(i, func(s *ProofSource) { s.Status, s.Doing, s.Progress = ProofWaiting, "", 0 })
		return
	}
	reason := whyNot(m, err)
	w.update(i, func(s *ProofSource) { s.Status, s.Doing, s.Progress, s.Reason = ProofFailed, "", 0, reason })
}

// whyNot is why a certificate proves nothing, in words that anyone may read: without the
// folders of files.
func whyNot(m proofs.Source, err error) string {
	var index *indexError
	var path *os.PathError
	text := message(err)
	switch {
	case errors.As(err, &index) && errors.As(err, &path):
		return "its index: " + message(path.Err)
	case errors.As(err, &index):
		text = "its index: " + message(index.err)
	case errors.As(err, &path):
		text = strings.ReplaceAll(text, path.Path, filepath.Base(path.Path))
	}
	return strings.ReplaceAll(text, m.Name, filepath.Base(m.Name))
}

// prepare opens the indexes of the certificates of a claim. Where some are missing it
// checks those certificates, by the tables that they name, and makes them. What it has
// opened is there for Close, whatever it fails with.
func (w *certificateWalk[P]) prepare(ctx context.Context, g *claimWalk[P], key walk.Key, o WalkOptions) error {
	p := &preparing[P]{certificateWalk: w, claimWalk: g, key: key, options: o, digests: make(map[string]string)}
	open := make([]*walk.Index, len(g.members))
	failed := p.openAll(ctx, open)
	if failed == nil && slices.Contains(open, nil) {
		failed = p.check(ctx, open)
	}
	var certificates []walk.Certificate
	var proving []int
	for i, index := range open {
		if index != nil {
			certificates, proving = append(certificates, walk.Certificate{Header: g.members[i].Header, Book: index}), append(proving, g.first+i)
			p.opened(i, index)
		}
	}
	if len(certificates) == 0 {
		return failed
	}
	proof, err := walk.New(g.game, certificates...)
	if err == nil {
		w.mu.Lock()
		g.proof, g.proving = proof, proving
		w.mu.Unlock()
	}
	return errors.Join(failed, err)
}

// preparing is the work of Prepare on one claim.
type preparing[P comparable] struct {
	*certificateWalk[P]
	*claimWalk[P]
	key     walk.Key
	options WalkOptions
	digests map[string]string // SHA-256 of files, by checksum
}

// origin is that of the index of a certificate, whose parts were asked about before.
func (p *preparing[P]) origin(ctx context.Context, m proofs.Source) (walk.Origin, error) {
	digest, err := m.Digest(ctx)
	if err != nil {
		return walk.Origin{}, err
	}
	p.digests[m.Part().Checksum] = digest
	origin := walk.Origin{Checker: proofs.CheckerVersion, Program: p.options.Program, SHA256: digest, Opened: m.OpenedDigest(), Parts: []string{}}
	for _, part := range m.Header.Parts {
		origin.Parts = append(origin.Parts, p.digests[part.Checksum])
	}
	return origin, nil
}

// path is where the index of a certificate is kept.
func (p *preparing[P]) path(origin walk.Origin) string {
	return filepath.Join(p.options.Indexes, origin.SHA256+".index")
}

// openAll opens the indexes that are there already. It fails with the context alone: an
// index that can't be opened is made anew.
func (p *preparing[P]) openAll(ctx context.Context, open []*walk.Index) error {
	for i, m := range p.members {
		origin, err := p.origin(ctx, m)
		if err == nil {
			open[i], err = p.open(ctx, origin, open[:i])
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			open[i] = nil
		}
	}
	return nil
}

// open opens the index of a certificate. One without all parts at hand is not relied
// on: its parts are checked first, and then it is.
func (p *preparing[P]) open(ctx context.Context, origin walk.Origin, before []*walk.Index) (*walk.Index, error) {
	if len(origin.Parts) > 0 && slices.Contains(before, nil) {
		return nil, walk.ErrStale
	}
	return walk.Open(ctx, p.path(origin), p.key, origin)
}

// opened tells that a certificate is checked.
func (p *preparing[P]) opened(i int, index *walk.Index) {
	p.update(p.first+i, func(s *ProofSource) {
		s.Status, s.Doing, s.Progress = ProofChecked, "", 1
		s.Positions, s.Checked = index.Checked().Positions, index.Checked().At.Format(time.DateOnly)
		p.indexes[p.first+i] = index
	})
}

// check checks the certificates whose indexes are missing, with the others of the claim
// for parts, and opens their indexes.
func (p *preparing[P]) check(ctx context.Context, open []*walk.Index) error {
	var numbers []int
	var missing []proofs.Source
	for i, m := range p.members {
		if open[i] == nil {
			numbers, missing = append(numbers, i), append(missing, m)
		}
	}
	watch := func(work prover.Work) {
		for _, i := range numbers {
			if _, file, _ := strings.Cut(work.Doing, " "); file == p.members[i].Name || file == "tables" {
				p.update(p.first+i, func(s *ProofSource) { s.tell(work) })
			}
		}
		if p.options.Progress != nil {
			p.options.Progress(work)
		}
	}
	named := *p.of
	named.game = p.game
	shelf, err := named.shelfOf(ctx, p.options.Dir, proofs.TablesOf(missing), CheckOptions{Workers: p.options.Workers, Memory: p.options.Memory, Progress: watch})
	if err != nil {
		for _, i := range numbers {
			p.fail(p.first+i, p.members[i], err)
		}
		return err
	}
	defer shelf.Free()
	memory := min(p.options.Memory, shelf.Bytes()+mostChecking)
	chain := prover.NewChain(named.subject(), shelf, p.options.Workers, memory, watch)
	var all []error
	for i, m := range p.members {
		if open[i] != nil {
			chain.Rely(m.Part().Checksum, m.Header)
			continue
		}
		if open[i], err = p.checkOne(ctx, chain, m, watch); err != nil {
			err = named.lacking(err, missing, shelf)
			all = append(all, err)
			p.fail(p.first+i, m, err)
		}
	}
	return errors.Join(all...)
}

// checkOne checks a certificate and makes its index. The origin has the digest of the bytes that are checked and
// indexed: a reading that finds others fails.
func (p *preparing[P]) checkOne(ctx context.Context, chain *proofs.Chain[P], m proofs.Source, watch func(prover.Work)) (*walk.Index, error) {
	origin, err := p.origin(ctx, m)
	if err != nil {
		return nil, err
	}
	report, err := chain.Check(ctx, m)
	if err != nil {
		return nil, err
	}
	if !report.Valid() {
		return nil, &proofs.InvalidPartError{Part: m, Report: report}
	}
	checked := walk.Checked{Positions: report.Positions, Leaves: report.Leaves, At: time.Now().UTC()}
	err = walk.Make(ctx, p.path(origin), p.key, origin, checked, p.game, m.File, walk.MakeOptions{
		Progress: func(positions uint64) {
			watch(prover.Work{Doing: "indexing " + m.Name, Unit: "position", Done: positions, Total: report.Positions})
		},
	})
	if err != nil {
		return nil, indexing(m, err)
	}
	index, err := walk.Open(ctx, p.path(origin), p.key, origin)
	return index, indexing(m, err)
}

// tell takes in how the work goes.
func (s *ProofSource) tell(work prover.Work) {
	s.Status, s.Doing, s.Progress = ProofChecking, "", 0
	if doing, file, found := strings.Cut(work.Doing, " "); found {
		s.Doing = doing + " " + filepath.Base(file)
	}
	if work.Total > 0 {
		s.Progress = float64(work.Done) / float64(work.Total)
	}
}

// Close ends the use of certificates and indexes.
func (w *certificateWalk[P]) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []error
	for i, index := range w.indexes {
		if index != nil {
			all = append(all, index.Close())
			w.indexes[i] = nil
		}
	}
	for _, g := range w.groups {
		g.proof = nil
	}
	closeAll(w.files)
	return errors.Join(all...)
}
