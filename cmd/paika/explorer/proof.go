package explorer

import (
	"context"

	"paika/cmd/paika/catalogue"
)

// proof tells what is proved of a position, and what the checks of the certificates
// have come to.
func (s *Server) proof(ctx context.Context, q question) (any, error) {
	position, err := q.parameter("p")
	if err != nil {
		return nil, err
	}
	for _, w := range s.config.Proofs {
		if w.Instance().Folder() == q.view.instance.Folder() {
			s.metrics.positions.Inc()
			return w.Prove(ctx, q.view.tables, position)
		}
	}
	return nil, refuse(catalogue.CodeNotFound, "", "no proof about this board is served")
}

// shownProof is a certificate that is served, with the view that it is about.
type shownProof struct {
	named
	catalogue.ProofSource
}

// proofs lists the certificates that are served.
func (s *Server) proofs() []shownProof {
	all := []shownProof{}
	for _, w := range s.config.Proofs {
		for _, source := range w.Sources() {
			all = append(all, shownProof{nameOf(w.Instance()), source})
		}
	}
	return all
}
