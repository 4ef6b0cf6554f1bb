package inspection

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"paika/tablebase/verify"
)

// Report is what an inspection came to.
type Report struct {
	// Unopened says, where it is not empty, why the tables can't be opened at all, and
	// then all else is empty.
	Unopened string `json:"unopened,omitempty"`

	Slices    int              `json:"slices"`
	Chunks    uint64           `json:"chunks"`
	Derived   int              `json:"derived"`
	Positions uint64           `json:"positions"`
	Findings  []verify.Finding `json:"findings,omitempty"`
	Total     uint64           `json:"total"`
	Shared    Shared           `json:"shared"`
}

// OK tells whether nothing is wrong.
func (r *Report) OK() bool { return r.Unopened == "" && r.Total == 0 }

// Verified is the report as verify.Run would have it.
func (r *Report) Verified() verify.Report {
	return verify.Report{Slices: r.Slices, Chunks: r.Chunks, Derived: r.Derived, Positions: r.Positions, Findings: r.Findings, Total: r.Total}
}

// Shared is who did the work of an inspection, in pieces.
type Shared struct {
	Pieces   int      `json:"pieces"`   // that the tables were cut into
	Workers  int      `json:"workers"`  // whose answers count
	Hub      int      `json:"hub"`      // pieces that the hub derived itself
	Recalled int      `json:"recalled"` // pieces whose answer is from before the hub was stopped
	Refuted  []string `json:"refuted"`  // workers that the hub found to be wrong
	Tables   string   `json:"tables"`   // the fingerprint of all tables that answers are about
}

// Progress is how far an inspection has come.
type Progress struct {
	Pieces  int `json:"pieces"`
	Settled int `json:"settled"`
	Hub     int `json:"hub"`
}

// Settle puts together what the pieces came to. Where anything is wrong with a group it is
// derived here. Nothing else of the inspection may be called meanwhile. Errors are those
// of Verification.Derive.
func (i *Inspection) Settle(ctx context.Context, v Verification) (*Report, error) {
	for at, g := range i.groups {
		if g.suspect || !v.Take(at, g.sums()) {
			g.suspect = true
			if err := v.Derive(ctx, at); err != nil {
				return nil, err
			}
		}
	}
	found := v.Report()
	return &Report{
		Slices: found.Slices, Chunks: found.Chunks, Derived: found.Derived, Positions: found.Positions,
		Findings: found.Findings, Total: found.Total, Shared: i.shared(),
	}, nil
}

// sums are those of each slice of a group.
func (g *group) sums() []verify.Sums {
	sums := make([]verify.Sums, len(g.Slices))
	for k := range sums {
		sums[k] = verify.NewSums()
	}
	for _, p := range g.pieces {
		if p.Slice != "" {
			sums[slices.Index(g.Slices, p.Slice)].Add(p.answer.Sums)
			continue
		}
		for k, quiet := range p.answer.Quiet {
			sums[k].Quiet += quiet
		}
	}
	return sums
}

func (i *Inspection) shared() Shared {
	s := Shared{Pieces: len(i.pieces), Refuted: []string{}, Tables: i.Tables()}
	workers := make(map[string]bool)
	for _, p := range i.pieces {
		switch {
		case p.recalled && !p.group.suspect:
			s.Recalled++
		case p.group.suspect || p.byHub:
			s.Hub++
		}
		if p.worker != "" && !i.wrong[p.worker] {
			workers[p.worker] = true
		}
	}
	s.Workers = len(workers)
	for name := range i.wrong {
		s.Refuted = append(s.Refuted, name)
	}
	slices.Sort(s.Refuted)
	return s
}

// Tables is the fingerprint of all tables together.
func (i *Inspection) Tables() string {
	var lines []string
	for _, g := range i.groups {
		for _, t := range g.Tables {
			lines = append(lines, fmt.Sprintf("%s %s %s %s\n", t.Slice, t.Metric, t.Stored, t.Whole))
		}
	}
	slices.Sort(lines)
	hash := sha256.New()
	for _, line := range slices.Compact(lines) {
		hash.Write([]byte(line)) // it never fails
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// Progress tells how far it has come.
func (i *Inspection) Progress() Progress {
	at := Progress{Pieces: len(i.pieces)}
	for _, p := range i.pieces {
		if p.group.suspect || p.byHub {
			at.Hub++
		}
		if p.settled() {
			at.Settled++
		}
	}
	return at
}
