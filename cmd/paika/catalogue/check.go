package catalogue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"paika/bitboard"
	"paika/proofs"
	"paika/tablebase"
)

// checkBytes is what a check takes at the least beside its tables, in bytes.
const checkBytes = 64 << 20

// CheckOptions are the limits of a check.
type CheckOptions struct {
	Workers  int                // goroutines, at least 1
	Memory   uint64             // bytes that the whole program may take
	Parts    []*CertificateFile // that may be named as parts
	Progress func(Work)         // called now and then, if not nil
}

// Checked is what the check of a certificate found.
type Checked struct {
	File      string   `json:"file"`
	Checksum  string   `json:"checksum"` // by which other certificates name this one
	Valid     bool     `json:"valid"`
	Game      string   `json:"game"`
	Board     string   `json:"board"`
	Rules     string   `json:"rules"` // every option spelled out
	Claim     string   `json:"claim"`
	Root      string   `json:"root"`      // the position that the claim is about
	Start     bool     `json:"start"`     // that is the start position of the game
	Tables    int      `json:"tables"`    // slices that it relies on
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
}

// ErrPart says that a certificate is given as a part and can't be one of the
// proof.
var ErrPart = errors.New("no part of this proof")

// InvalidPartError says that a certificate to be relied on does not prove its
// claim.
type InvalidPartError struct{ Part Checked }

func (e *InvalidPartError) Error() string {
	text := e.Part.File + " does not prove its claim"
	for i, finding := range e.Part.Findings {
		if i == mostToldFindings {
			break
		}
		text += "; " + finding
	}
	return text
}

// mostToldFindings is how many findings an error repeats.
const mostToldFindings = 3

// Check checks a certificate about the instance with the rules, with the tables
// that it names, in the folder, and with the parts that it names, among those of
// the options, which are checked first. A part that is not valid makes the
// certificate not valid.
//
// The checksums of the tables are those of what is stored. Tables or parts that
// are missing or others are an error, *proofs.NeedError; errors wrap ErrMemory and
// ErrPart, too.
func (n *instance[P]) Check(ctx context.Context, dir string, file *CertificateFile, o CheckOptions) (Checked, error) {
	began := time.Now()
	if id := file.Instance.Identity(); id != n.identity {
		return Checked{}, fmt.Errorf("%s: %w", file.Path, &proofs.SettingError{Have: proofs.Setting(id), Want: proofs.Setting(n.identity)})
	}
	n, err := n.claimed(file)
	if err != nil {
		return Checked{}, err
	}
	parts, err := n.arrange(file.proofs.Header.Claim, o.Parts)
	if err != nil {
		return Checked{}, err
	}
	if err := needsPart(file, parts); err != nil {
		return Checked{}, err
	}
	all := append(slices.Clone(parts), file)
	s, bytes := &shelf[P]{game: n.game}, uint64(0)
	if wanted := tablesOf(all); len(wanted) > 0 {
		if s, bytes, err = n.openShelf(ctx, dir, o.Workers, o.Memory, checkBytes, n.storedOf(wanted), o.Progress); err != nil {
			return Checked{}, err
		}
	}
	defer s.free()
	c := n.newChecker(s, o.Workers, o.Memory, bytes, o.Progress)
	checked, err := c.checkParts(ctx, parts)
	var invalid *InvalidPartError
	switch {
	case errors.As(err, &invalid):
		whole := n.describe(file)
		whole.Findings, whole.Found = []string{"it relies on " + invalid.Part.File + ", which is not valid"}, 1
		whole.Parts, whole.Seconds = append(checked, invalid.Part), time.Since(began).Seconds()
		return whole, nil
	case err != nil:
		return Checked{}, err
	}
	whole, err := c.check(ctx, file)
	if err != nil {
		return Checked{}, err
	}
	whole.Parts, whole.Seconds = checked, time.Since(began).Seconds()
	return whole, nil
}

// fileChecker checks certificates about an instance, one after the other.
type fileChecker[P comparable] struct {
	*instance[P]
	shelf    *shelf[P]
	options  proofs.Options
	progress func(Work)
}

// newChecker makes one that takes at most that memory, in bytes, of which the
// shelf takes some.
func (n *instance[P]) newChecker(s *shelf[P], workers int, memory, taken uint64, progress func(Work)) *fileChecker[P] {
	return &fileChecker[P]{n, s, proofs.Options{
		Workers: workers, Memory: (max(memory, taken+checkBytes) - taken) / 2, Proved: make(map[string]proofs.Header),
	}, progress}
}

// checkParts checks parts in an order in which each finds its own parts checked.
// It ends with an *InvalidPartError at one that is not valid.
func (c *fileChecker[P]) checkParts(ctx context.Context, parts []*CertificateFile) (checked []Checked, err error) {
	for _, part := range parts {
		one, err := c.check(ctx, part)
		if err != nil {
			return nil, err
		}
		if !one.Valid {
			return checked, &InvalidPartError{one}
		}
		checked = append(checked, one)
	}
	return checked, nil
}

// check checks one certificate about the instance, however it spells the rules, and
// has it among those proved if it is valid.
func (c *fileChecker[P]) check(ctx context.Context, file *CertificateFile) (Checked, error) {
	options := c.options
	if c.progress != nil {
		options.Progress = func(done, total int64) {
			c.progress(Work{"checking " + file.Path, "bytes", uint64(done), uint64(total)})
		}
	}
	report, err := proofs.Check(ctx, file.proofs.Header.Setting, c.game, c.shelf, file.proofs, options)
	if err != nil {
		return Checked{}, fmt.Errorf("%s: %w", file.Path, err)
	}
	if report.Valid() {
		c.options.Proved[report.Checksum] = report.Header
	}
	checked := c.describe(file)
	checked.Checksum, checked.Valid = report.Checksum, report.Valid()
	checked.Positions, checked.Leaves, checked.Passes = report.Positions, report.Leaves, report.Passes
	checked.Found, checked.AtLeast, checked.Seconds = report.Faults, report.More, report.Seconds
	for _, f := range report.Findings {
		checked.Findings = append(checked.Findings, f.String())
	}
	return checked, nil
}

// describe tells what a certificate is about.
func (n *instance[P]) describe(file *CertificateFile) Checked {
	h := file.proofs.Header
	return Checked{
		File: file.Path, Checksum: file.proofs.Part().Checksum,
		Game: h.Game, Board: h.Board, Rules: h.Rules, Claim: h.Claim,
		Root: h.Root, Start: n.isStart(h.Root), Tables: len(h.Tables), Findings: []string{},
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

// claimed gives the instance as the claim of a certificate names sides, which must
// be as its root has it: by players where the opening is still to be played.
func (n *instance[P]) claimed(file *CertificateFile) (*instance[P], error) {
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

// arrange orders the parts of a proof, so that each stands behind its own parts.
// It refuses those of another game, board, rules or claim, those that need one
// that is not there, and circles.
func (n *instance[P]) arrange(claim string, parts []*CertificateFile) ([]*CertificateFile, error) {
	var given []string
	for _, part := range parts {
		h := part.proofs.Header
		if part.Instance.Identity() != n.identity || h.Claim != claim {
			return nil, fmt.Errorf("%s: %w: it is of %s, %v", part.Path, ErrPart, bitboard.Shorten(h.Claim), h.Setting)
		}
		sum := part.proofs.Part().Checksum
		if i := slices.Index(given, sum); i >= 0 {
			return nil, fmt.Errorf("%s: %w: it has the checksum of %s", part.Path, ErrPart, parts[i].Path)
		}
		given = append(given, sum)
	}
	var ordered []*CertificateFile
	for waiting := slices.Clone(parts); len(waiting) > 0; {
		ready := slices.IndexFunc(waiting, func(part *CertificateFile) bool { return needsPart(part, ordered) == nil })
		if ready >= 0 {
			ordered = append(ordered, waiting[ready])
			waiting = slices.Delete(waiting, ready, ready+1)
			continue
		}
		for _, part := range waiting {
			if err := needsPart(part, parts); err != nil {
				return nil, err
			}
		}
		return nil, fmt.Errorf("%s: %w: it relies on itself, by way of its parts", waiting[0].Path, ErrPart)
	}
	return ordered, nil
}

// needsPart fails where a certificate names a part that is not there.
func needsPart(file *CertificateFile, there []*CertificateFile) error {
	for _, need := range file.proofs.Header.Parts {
		if !slices.ContainsFunc(there, func(part *CertificateFile) bool { return part.proofs.Part().Checksum == need.Checksum }) {
			return fmt.Errorf("%s: %w", file.Path, &proofs.NeedError{Need: need, Reason: "it is missing"})
		}
	}
	return nil
}

// tablesOf lists the tables that certificates name, each once.
func tablesOf(files []*CertificateFile) (wanted []proofs.Table) {
	for _, file := range files {
		for _, t := range file.proofs.Header.Tables {
			if !slices.Contains(wanted, t) {
				wanted = append(wanted, t)
			}
		}
	}
	return wanted
}

// storedOf picks those of the tables that are stored. That a table is stored with
// another checksum is told before any is loaded; that one is missing is for the
// check to tell.
func (n *instance[P]) storedOf(wanted []proofs.Table) func(*tablebase.Store) ([]proofs.Table, error) {
	return func(store *tablebase.Store) ([]proofs.Table, error) {
		var named []proofs.Table
		for _, m := range metrics {
			for _, info := range store.Slices(m) {
				stored := proofs.Table{Slice: info.Name, Metric: m.String(), Checksum: info.Fingerprint}
				for _, t := range wanted {
					if t.Slice != stored.Slice || t.Metric != stored.Metric {
						continue
					}
					if t != stored {
						return nil, &proofs.NeedError{Need: t, Reason: t.Differs(stored.Checksum)}
					}
					named = append(named, stored)
				}
			}
		}
		return named, nil
	}
}
