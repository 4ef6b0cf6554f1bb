package catalogue

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"paika/bitboard"
	"paika/proofs"
	"paika/tablebase"
)

// checkBytes is what a check takes at the least beside its tables, in bytes.
const checkBytes = 64 << 20

// CheckOptions are the limits of a check.
type CheckOptions struct {
	Workers int      // goroutines, at least 1
	Memory  uint64   // bytes that the whole program may take
	Parts   []string // files of certificates that may be named as parts
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
	Tables    int      `json:"tables"`    // slices that it relies on
	Positions uint64   `json:"positions"` // of the certificate
	Leaves    uint64   `json:"leaves"`    // turns that lead into tables
	Passes    int      `json:"passes"`    // over the file
	Findings  []string `json:"findings"`
	Found     uint64   `json:"found"` // in all, listed or not
	Seconds   float64  `json:"seconds"`

	// Parts are the certificates that were checked before, for this one to rely
	// on.
	Parts []Checked `json:"parts,omitempty"`
}

// OpenCertificate makes the instance that a certificate is about. Its errors
// wrap proofs.ErrFormat where the file is no certificate.
func OpenCertificate(path string) (Instance, error) {
	header, err := readHeader(path)
	if err != nil {
		return nil, err
	}
	game, found := Find(header.Game)
	if !found {
		return nil, fmt.Errorf("%s: %w: unknown game %s: want %s", path, proofs.ErrFormat, bitboard.Quote(header.Game), strings.Join(Names(), ", "))
	}
	rules, names := make(map[string]string), []string(nil)
	if header.Rules != "" {
		for option := range strings.SplitSeq(header.Rules, ",") {
			name, value, _ := strings.Cut(option, "=")
			rules[name] = value
			names = append(names, name)
		}
	}
	instance, err := game.Open(header.Board, rules)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", path, proofs.ErrFormat, err)
	}
	named := tablebase.Identity{Game: header.Game, Board: header.Board, Rules: game.canonicalText(header.Board, names, rules)}
	if id := instance.Identity(); id != named {
		return nil, fmt.Errorf("%s: %w: it is about %v: want every rule spelled out, as in %v", path, proofs.ErrFormat, named, id)
	}
	return instance, nil
}

func readHeader(path string) (proofs.Header, error) {
	file, err := os.Open(path)
	if err != nil {
		return proofs.Header{}, err
	}
	defer file.Close()
	header, err := proofs.ReadHeader(file)
	if err != nil {
		return header, fmt.Errorf("%s: %w", path, err)
	}
	return header, nil
}

// Check checks a certificate about the instance with the rules, with the tables
// that it names, in the folder, and with the parts that it names, among those of
// the options, which are checked first. The checksums of the tables are computed
// from what is stored. Tables or parts that are missing or others are an error,
// *proofs.NeedError; errors wrap ErrMemory too.
func (n *instance[P]) Check(ctx context.Context, dir, path string, o CheckOptions) (Checked, error) {
	files := append(slices.Clone(o.Parts), path)
	headers := make(map[string]proofs.Header)
	var wanted []proofs.Table
	for _, file := range files {
		header, err := readHeader(file)
		if err != nil {
			return Checked{}, err
		}
		headers[file] = header
		wanted = append(wanted, header.Tables...)
	}
	n = n.claimed(headers[path].Claim)
	s, bytes := &shelf[P]{game: n.game}, uint64(0)
	if len(wanted) > 0 {
		var err error
		if s, bytes, err = n.openShelf(ctx, dir, o.Workers, o.Memory, checkBytes, n.storedOf(wanted)); err != nil {
			return Checked{}, err
		}
	}
	defer s.free()
	options := proofs.Options{
		Workers: o.Workers, Memory: (max(o.Memory, bytes+checkBytes) - bytes) / 2, Proved: make(map[string]proofs.Header),
	}
	var parts []Checked
	for len(files) > 0 {
		next := slices.IndexFunc(files, func(file string) bool {
			return !slices.ContainsFunc(headers[file].Parts, func(p proofs.Part) bool { return options.Proved[p.Checksum].Game == "" })
		})
		file := files[max(0, next)] // if none is ready, one tells what it lacks
		files = slices.DeleteFunc(files, func(f string) bool { return f == file })
		checked, err := n.checkFile(ctx, s, file, options)
		if err != nil {
			return Checked{}, fmt.Errorf("%s: %w", file, err)
		}
		if file == path {
			checked.Parts = parts
			return checked, nil
		}
		parts = append(parts, checked)
	}
	return Checked{}, fmt.Errorf("%s is a part of itself", path)
}

// checkFile checks one certificate, and has it among those proved if it is valid.
func (n *instance[P]) checkFile(ctx context.Context, s *shelf[P], path string, o proofs.Options) (Checked, error) {
	report, err := proofs.Check(ctx, n.game, s, func() (io.ReadSeekCloser, error) { return os.Open(path) }, o)
	if err != nil {
		return Checked{}, err
	}
	if report.Valid() {
		o.Proved[report.Checksum] = report.Header
	}
	checked := Checked{
		File: path, Checksum: report.Checksum, Valid: report.Valid(),
		Game: report.Header.Game, Board: report.Header.Board, Rules: report.Header.Rules,
		Claim: report.Header.Claim, Root: report.Header.Root, Tables: len(report.Header.Tables),
		Positions: report.Positions, Leaves: report.Leaves, Passes: report.Passes,
		Findings: make([]string, 0, len(report.Findings)), Found: report.Faults, Seconds: report.Seconds,
	}
	for _, f := range report.Findings {
		checked.Findings = append(checked.Findings, f.String())
	}
	return checked, nil
}

// storedOf picks those of the tables that are stored. What is missing then, or another one, is for the check to tell.
func (n *instance[P]) storedOf(wanted []proofs.Table) func(*tablebase.Store) ([]proofs.Table, error) {
	return func(store *tablebase.Store) ([]proofs.Table, error) {
		var named []proofs.Table
		taken := make(map[[2]string]bool)
		for _, m := range metrics {
			for _, t := range wanted {
				slice, err := n.game.ParseSlice(t.Slice)
				key := [...]string{t.Slice, t.Metric}
				if err != nil || t.Metric != m.String() || taken[key] || !store.Tables(m, n.game).Has(slice) {
					continue
				}
				taken[key] = true
				named = append(named, proofs.Table{Slice: t.Slice, Metric: t.Metric})
			}
		}
		return named, nil
	}
}
