package catalogue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"paika/bitboard"
	"paika/cmd/paika/prover"
	"paika/proofs"
)

// CheckOptions are the limits of a check.
type CheckOptions struct {
	Workers  int                // goroutines, at least 1
	Memory   uint64             // bytes that the whole program may take
	Parts    []*CertificateFile // that may be named as parts
	Progress func(prover.Work)  // called now and then, if not nil
}

// Checked is what the check of a certificate found.
type Checked struct {
	File      string   `json:"file"`
	Checksum  string   `json:"checksum,omitempty"` // by which other certificates name this one
	Valid     bool     `json:"valid"`
	Game      string   `json:"game"`
	Board     string   `json:"board"`
	Rules     string   `json:"rules"` // every option spelled out
	Claim     string   `json:"claim"`
	Root      string   `json:"root"`      // the position that the claim is about
	Start     bool     `json:"start"`     // that is the start position of the game
	Tables    int      `json:"tables"`    // slices that it relies on, be it by way of its parts
	Positions uint64   `json:"positions"` // of the certificate
	Leaves    uint64   `json:"leaves"`    // turns that lead into tables
	Passes    int      `json:"passes"`    // over the file
	Findings  []string `json:"findings"`
	Found     uint64   `json:"found"`    // in all, listed or not
	AtLeast   bool     `json:"at_least"` // so many were found that the check ended: there can be more
	Seconds   float64  `json:"seconds"`  // for the tables and the parts, too

	// Parts are the certificates that were checked before, for this one to rely
	// on.
	Parts []Checked `json:"parts,omitempty"`

	// Halves are what a draw consists of: then the claim is ClaimDraw, there is no checksum,
	// numbers are those of both, and so are findings, each behind the name of its file.
	Halves []Checked `json:"halves,omitempty"`
}

// Check checks a certificate about the instance with the rules, with the tables
// that it names, in the folder, and with the parts that it relies on, which are those of
// the options and are checked first. A part that is not valid makes the certificate not
// valid. A certificate in the options that it does not rely on is an error.
//
// The fingerprints of the tables are computed from what is stored. Tables or parts that
// are missing or others are an error, *proofs.NeedError; errors wrap proofs.ErrPart, and
// tablebase.ErrStoredSo where values have another fingerprint than the manifest has, and are a
// *prover.MemoryError, too.
func (n *instance[P]) Check(ctx context.Context, dir string, file *CertificateFile, o CheckOptions) (Checked, error) {
	began := time.Now()
	a, err := n.admit(file, o.Parts)
	if err != nil {
		return Checked{}, err
	}
	found, err := n.checkFiles(ctx, dir, []admitted[P]{a}, o)
	if err != nil {
		return Checked{}, err
	}
	found[0].Seconds = time.Since(began).Seconds()
	return found[0], nil
}

// CheckDraw checks the certificates of both halves of a draw, which prove was asked to write
// to a path, as Check does, with tables that are loaded once. Errors are those of Check.
func (n *instance[P]) CheckDraw(ctx context.Context, dir string, draw *DrawFiles, o CheckOptions) (Checked, error) {
	began := time.Now()
	var halves []admitted[P]
	for _, file := range draw.Halves {
		a, err := n.admit(file, nil)
		if err != nil {
			return Checked{}, err
		}
		halves = append(halves, a)
	}
	found, err := n.checkFiles(ctx, dir, halves, o)
	if err != nil {
		return Checked{}, err
	}
	whole := n.describe(halves[0].source, nil)
	whole.File, whole.Checksum, whole.Claim, whole.Valid = draw.Path, "", ClaimDraw, true
	whole.Tables = len(proofs.TablesOf(sources(draw.Halves[:])))
	for _, half := range found {
		whole.add(half)
	}
	whole.Seconds = time.Since(began).Seconds()
	return whole, nil
}

// add adds a half to a draw.
func (c *Checked) add(half Checked) {
	c.Halves = append(c.Halves, half)
	c.Valid = c.Valid && half.Valid
	c.Positions, c.Leaves, c.Passes = c.Positions+half.Positions, c.Leaves+half.Leaves, c.Passes+half.Passes
	c.Found, c.AtLeast = c.Found+half.Found, c.AtLeast || half.AtLeast
	for _, finding := range half.Findings {
		c.Findings = append(c.Findings, half.File+": "+finding)
	}
}

// admitted is a certificate that can be checked: about the instance, with sides named as the
// certificate names them, and behind the parts that it relies on.
type admitted[P comparable] struct {
	named  *instance[P]
	source proofs.Source
	parts  []proofs.Source // in an order in which they can be checked
}

// admit finds what a certificate needs beside tables.
func (n *instance[P]) admit(file *CertificateFile, parts []*CertificateFile) (a admitted[P], err error) {
	a.source = file.source()
	if a.named, err = n.claimed(file); err != nil {
		return a, err
	}
	a.parts, err = a.source.Arrange(sources(parts))
	return a, err
}

// checkFiles checks certificates, with the tables that any of them or their parts name.
func (n *instance[P]) checkFiles(ctx context.Context, dir string, files []admitted[P], o CheckOptions) (found []Checked, err error) {
	var all []proofs.Source
	for _, a := range files {
		all = append(append(all, a.parts...), a.source)
	}
	shelf, err := n.shelfOf(ctx, dir, proofs.TablesOf(all), o)
	if err != nil {
		return nil, needing(all, err)
	}
	defer shelf.Free()
	for _, a := range files {
		chain := prover.NewChain(a.named.subject(), shelf, o.Workers, o.Memory, o.Progress)
		checked, err := a.named.checkAll(ctx, chain, a.parts, a.source)
		if err != nil {
			return nil, n.lacking(err, all, shelf)
		}
		found = append(found, checked)
	}
	return found, nil
}

// needing names the certificate that needs a table of which an error is.
func needing(all []proofs.Source, err error) error {
	var need *proofs.NeedError
	if !errors.As(err, &need) {
		return err
	}
	for _, s := range all {
		if t, is := need.Need.(proofs.Table); is && slices.Contains(s.Header.Tables, t) {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	return err
}

// shelfOf loads tables that certificates name, if they name any.
func (n *instance[P]) shelfOf(ctx context.Context, dir string, wanted []proofs.Table, o CheckOptions) (*prover.Shelf[P], error) {
	if len(wanted) == 0 {
		return prover.NewShelf(n.subject()), nil
	}
	return prover.Load(ctx, n.subject(), dir, prover.Wanted(wanted), prover.LoadOptions{
		Workers: o.Workers, Memory: o.Memory, Overhead: prover.CheckBytes(o.Workers), Watch: o.Progress,
	})
}

// checkAll checks the parts of a certificate and then itself.
func (n *instance[P]) checkAll(ctx context.Context, chain *proofs.Chain[P], parts []proofs.Source, source proofs.Source) (Checked, error) {
	reports, err := chain.CheckParts(ctx, parts)
	var invalid *proofs.InvalidPartError
	if err != nil && !errors.As(err, &invalid) {
		return Checked{}, err
	}
	var checked []Checked
	for i, report := range reports {
		checked = append(checked, n.checked(parts[i], parts, report))
	}
	if invalid != nil {
		whole := n.describe(source, parts)
		whole.Findings, whole.Found = []string{"it relies on " + invalid.Part.Name + ", which is not valid"}, 1
		whole.Parts = append(checked, n.checked(invalid.Part, parts, invalid.Report))
		return whole, nil
	}
	report, err := chain.Check(ctx, source)
	if err != nil {
		return Checked{}, err
	}
	whole := n.checked(source, parts, report)
	whole.Parts = checked
	return whole, nil
}

// checked is what the check of a certificate found that relies on some of the parts.
func (n *instance[P]) checked(source proofs.Source, parts []proofs.Source, report proofs.Report) Checked {
	c := n.describe(source, parts)
	c.Checksum, c.Valid = report.Checksum, report.Valid()
	c.Positions, c.Leaves, c.Passes = report.Positions, report.Leaves, report.Passes
	c.Found, c.AtLeast, c.Seconds = report.Faults, report.More, report.Seconds
	for _, f := range report.Findings {
		c.Findings = append(c.Findings, f.String())
	}
	return c
}

// describe tells what a certificate is about that relies on some of the parts.
func (n *instance[P]) describe(source proofs.Source, parts []proofs.Source) Checked {
	h := source.Header
	tables := proofs.TablesOf(append(source.Behind(parts), source))
	return Checked{
		File: source.Name, Checksum: source.Part().Checksum,
		Game: h.Game, Board: h.Board, Rules: h.Rules, Claim: h.Claim,
		Root: h.Root, Start: n.isStart(h.Root), Tables: len(tables), Findings: []string{},
	}
}

// isStart tells whether a position is the one that games begin with.
func (n *instance[P]) isStart(position string) bool {
	start, first, err := n.game.Start()
	if err != nil {
		return false // the board has none
	}
	p, side, err := n.game.Parse(position)
	return err == nil && p == start && side == first
}

// claimed gives the instance for a certificate about it, with sides named as its claim
// names them. That must be as its root has it: by players where the opening is still to
// be played.
func (n *instance[P]) claimed(file *CertificateFile) (*instance[P], error) {
	if id := file.Instance.Identity(); id != n.identity {
		return nil, fmt.Errorf("%s: %w", file.Path, &proofs.SettingError{Have: proofs.Setting(id), Want: proofs.Setting(n.identity)})
	}
	claim, root := file.proofs.Header.Claim, file.proofs.Header.Root
	_, unknown := proofs.ParseClaim(claim, n.game.SideName)
	if game, ok := n.game.(bitboard.Colourless[P]); ok {
		players := *n
		players.game = game.ByPlayers()
		if unknown != nil {
			_, unknown = proofs.ParseClaim(claim, players.game.SideName)
			n = &players
		} else if p, side, err := n.game.Parse(root); err == nil {
			named, _ := n.claiming(p, side)
			_, unknown = proofs.ParseClaim(claim, named.game.SideName)
		}
	}
	if unknown != nil {
		return nil, fmt.Errorf("%s: %w: %w", file.Path, proofs.ErrFormat, unknown)
	}
	return n, nil
}
