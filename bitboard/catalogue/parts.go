package catalogue

import (
	"context"
	"fmt"
	"slices"

	"paika/proofs"
	"paika/solver/proofnumber"
	"paika/tablebase"
)

// openParts opens the certificates that a proof of a claim is to rely on, in an
// order in which each stands behind its own parts.
func (n *instance[P]) openParts(ctx context.Context, o ProveOptions) (parts []*CertificateFile, err error) {
	if len(o.Parts) > 0 && o.Claim == ClaimDraw {
		return nil, fmt.Errorf("parts are of one claim: want it, not %s", ClaimDraw)
	}
	for _, path := range o.Parts {
		part, err := OpenCertificate(ctx, path, nil)
		if err != nil {
			closeAll(parts)
			return nil, err
		}
		parts = append(parts, part)
	}
	ordered, err := n.arrange(o.Claim, parts)
	if err != nil {
		closeAll(parts)
	}
	return ordered, err
}

func closeAll(files []*CertificateFile) {
	for _, file := range files {
		file.Close()
	}
}

// storedWith picks what pick does, and the tables behind it that parts name and
// that are not among those.
func (n *instance[P]) storedWith(pick func(*tablebase.Store) ([]proofs.Table, error), parts []*CertificateFile, picked *int) func(*tablebase.Store) ([]proofs.Table, error) {
	return func(store *tablebase.Store) ([]proofs.Table, error) {
		named, err := pick(store)
		if err != nil {
			return nil, err
		}
		*picked = len(named)
		others, err := n.storedOf(tablesOf(parts))(store)
		for _, t := range others {
			if !slices.Contains(named, t) {
				named = append(named, t)
			}
		}
		return named, err
	}
}

// takeParts checks the parts, and has the search rely on what they prove. One that
// is not valid is an *InvalidPartError. The first tables of the shelf are left on
// it; the others were loaded for the parts alone.
func (p *prover[P]) takeParts(ctx context.Context, parts []*CertificateFile, o ProveOptions, taken uint64, tables int) ([]Checked, error) {
	checked, err := p.newChecker(p.shelf, o.Workers, o.Memory, taken, o.Preparing).checkParts(ctx, parts)
	if err != nil {
		return nil, err
	}
	p.shelf.keep(tables)
	for _, part := range parts {
		if err := p.takePart(part.proofs); err != nil {
			return nil, fmt.Errorf("%s: %w", part.Path, err)
		}
	}
	return checked, nil
}

// takePart has the search rely on a part that was checked.
func (p *prover[P]) takePart(part *proofs.File) error {
	position, side, err := p.game.Parse(part.Header.Root)
	if err != nil {
		return err
	}
	claim, err := proofs.ParseClaim(part.Header.Claim, p.game.SideName)
	if err != nil {
		return err
	}
	attacks, holds := attacker(claim)
	p.parts = append(p.parts, part.Part())
	p.lemmas = append(p.lemmas, proofnumber.Lemma[P]{Position: position, AttackerMoves: attacks == side, Verdict: holds})
	return nil
}
