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

// takeParts checks the parts, and has searches rely on what they prove. One that
// is not valid is an *InvalidPartError. The first tables of the shelf are left on
// it; the others were loaded for the parts alone.
func (p *openProver[P]) takeParts(ctx context.Context, parts []*CertificateFile, taken uint64, tables int) (err error) {
	n, o := p.naming(p.options.Claim), p.options
	if p.checked, err = n.newChecker(p.shelf, o.Workers, o.Memory, taken, o.Preparing).checkParts(ctx, parts); err != nil {
		return err
	}
	p.shelf.keep(tables)
	for _, part := range parts {
		lemma, err := n.lemma(part.proofs.Header)
		if err != nil {
			return inFile(part.Path, err)
		}
		p.parts = append(p.parts, part.proofs.Part())
		p.lemmas = append(p.lemmas, lemma)
	}
	return nil
}

// lemma is what a part proves that was checked.
func (n *instance[P]) lemma(h proofs.Header) (proofnumber.Lemma[P], error) {
	position, side, err := n.game.Parse(h.Root)
	if err != nil {
		return proofnumber.Lemma[P]{}, err
	}
	claim, err := proofs.ParseClaim(h.Claim, n.game.SideName)
	if err != nil {
		return proofnumber.Lemma[P]{}, err
	}
	attacks, holds := attacker(claim)
	return proofnumber.Lemma[P]{Position: position, AttackerMoves: attacks == side, Verdict: holds}, nil
}
