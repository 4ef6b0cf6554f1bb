package catalogue

import (
	"context"
	"fmt"

	"paika/cmd/paika/prover"
	"paika/proofs"
)

// openParts opens the certificates that a proof of a claim is to rely on.
func openParts(ctx context.Context, o ProveOptions) (parts []*CertificateFile, err error) {
	if len(o.Parts) > 0 && o.Claim == ClaimDraw {
		return nil, fmt.Errorf("a part is of one claim, and %s is two: prove them one after the other, each with its parts", ClaimDraw)
	}
	for _, path := range o.Parts {
		part, err := OpenCertificate(ctx, path, nil)
		if err != nil {
			closeAll(parts)
			return nil, err
		}
		parts = append(parts, part)
	}
	return parts, nil
}

func closeAll(files []*CertificateFile) {
	for _, file := range files {
		file.Close()
	}
}

// takeParts checks the parts, and has searches rely on what they prove.
func (p *openProver[P]) takeParts(ctx context.Context, parts []proofs.Source) error {
	n, o := p.instance.naming(p.options.Claim), p.options
	reports, err := prover.NewChain(n.subject(), p.shelf, o.Workers, o.Memory, o.Preparing).CheckParts(ctx, parts)
	if err != nil {
		return err
	}
	for i, part := range parts {
		p.checked = append(p.checked, n.checked(part, parts, reports[i]))
		if err := p.prover.Rely(part.File); err != nil {
			return inFile(part.Name, err)
		}
	}
	return nil
}
