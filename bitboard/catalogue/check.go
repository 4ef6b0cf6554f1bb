package catalogue

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"paika/proofs"
	"paika/tablebase"
)

// checkBytes is what a check takes at the least beside its tables, in bytes.
const checkBytes = 64 << 20

// CheckOptions are the limits of a check.
type CheckOptions struct {
	Workers int    // goroutines, at least 1
	Memory  uint64 // bytes that the whole program may take
}

// Checked is what the check of a certificate found.
type Checked struct {
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
		return nil, fmt.Errorf("%s: unknown game %q: want %s", path, header.Game, strings.Join(Names(), ", "))
	}
	rules := make(map[string]string)
	if header.Rules != "" {
		for option := range strings.SplitSeq(header.Rules, ",") {
			name, value, _ := strings.Cut(option, "=")
			rules[name] = value
		}
	}
	instance, err := game.Open(header.Board, rules)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	named := tablebase.Identity{Game: header.Game, Board: header.Board, Rules: header.Rules}
	if id := instance.Identity(); id != named {
		return nil, fmt.Errorf("%s: it is about %v: want every rule spelled out, as in %v", path, named, id)
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

// Check checks a certificate about the instance with the rules, and with the
// tables that it names, in the folder. Tables that are missing or others are an
// error, *proofs.TableError; errors wrap ErrMemory too.
func (n *instance[P]) Check(ctx context.Context, dir, path string, o CheckOptions) (Checked, error) {
	header, err := readHeader(path)
	if err != nil {
		return Checked{}, err
	}
	n = n.claimed(header.Claim)
	s := &shelf[P]{game: n.game}
	bytes := uint64(0)
	if len(header.Tables) > 0 {
		if s, bytes, err = n.openShelf(ctx, dir, o.Workers, o.Memory, checkBytes, storedOf(header.Tables)); err != nil {
			return Checked{}, err
		}
	}
	defer s.free()
	open := func() (io.ReadCloser, error) { return os.Open(path) }
	options := proofs.Options{Workers: o.Workers, Memory: (max(o.Memory, bytes+checkBytes) - bytes) / 2}
	report, err := proofs.Check(ctx, n.game, s, open, options)
	if err != nil {
		return Checked{}, fmt.Errorf("%s: %w", path, err)
	}
	checked := Checked{
		Valid: report.Valid(),
		Game:  report.Header.Game, Board: report.Header.Board, Rules: report.Header.Rules,
		Claim: report.Header.Claim, Root: report.Header.Root, Tables: len(report.Header.Tables),
		Positions: report.Positions, Leaves: report.Leaves, Passes: report.Passes,
		Findings: make([]string, 0, len(report.Findings)), Found: report.Faults, Seconds: report.Seconds,
	}
	for _, f := range report.Findings {
		checked.Findings = append(checked.Findings, f.String())
	}
	return checked, nil
}

// storedOf picks those of the tables that are stored with the same checksum. What is
// missing then, or another one, is for the check to tell.
func storedOf(wanted []proofs.Table) func(*tablebase.Store) ([]proofs.Table, error) {
	return func(store *tablebase.Store) ([]proofs.Table, error) {
		var named []proofs.Table
		for _, m := range metrics {
			for _, t := range wanted {
				info, found := store.Slice(m, t.Slice)
				if found && t.Metric == m.String() {
					named = append(named, proofs.Table{Slice: t.Slice, Metric: t.Metric, Checksum: info.Checksum})
				}
			}
		}
		return named, nil
	}
}
